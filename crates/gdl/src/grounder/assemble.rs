//! Assembles the ground rules in the order and numbering of [`Ground`].

use tesuji_core::InputError;

use super::database::Relation;
use super::program::{DOES, GOAL, INIT, LEGAL, NEXT, ROLE, TERMINAL, TRUE};
use super::rules::RuleBase;
use crate::{Goal, Ground, GroundRules, GroundTerm, Sheet, Signal, Terms};

/// Assembles everything and drops the atoms that nothing needs.
pub(super) fn assemble(
    sheet: &Sheet,
    base: &RuleBase,
    relations: &[Relation],
    terms: Terms,
) -> Result<Ground, InputError> {
    let roles = roles(sheet, relations, &terms);
    if roles.is_empty() {
        return Err(InputError::new(format!("{}: no role", sheet.source.name()))
            .with_help("a rule sheet names its players: `(role white)`"));
    }
    let by_text = |list: &mut Vec<(GroundTerm, u32)>| {
        list.sort_by_cached_key(|&(term, _)| terms.text(term, &sheet.symbols));
    };
    let mut facts: Vec<(GroundTerm, u32)> = (0..relations[TRUE].tuples.count())
        .map(|fact| (GroundTerm(relations[TRUE].tuples.get(fact)[0]), fact))
        .collect();
    facts.retain(|&(_, fact)| base.resolve(base.first[TRUE] + fact) != Signal::FALSE);
    by_text(&mut facts);
    let mut moves = vec![Vec::new(); roles.len()];
    for number in 0..relations[DOES].tuples.count() {
        let tuple = relations[DOES].tuples.get(number);
        if let Some(role) = roles.iter().position(|role| role.0 == tuple[0])
            && base.resolve(base.first[DOES] + number) != Signal::FALSE
        {
            moves[role].push((GroundTerm(tuple[1]), number));
        }
    }
    moves.iter_mut().for_each(by_text);

    let signal = |relation: usize, tuple: &[u32]| match relations[relation].tuples.find(tuple) {
        Some(number) => base.resolve(base.first[relation] + number),
        None => Signal::FALSE,
    };
    let legal: Vec<Vec<Signal>> = roles
        .iter()
        .zip(&moves)
        .map(|(role, moves)| moves.iter().map(|(term, _)| signal(LEGAL, &[role.0, term.0])).collect())
        .collect();
    let next: Vec<Signal> = facts.iter().map(|(term, _)| signal(NEXT, &[term.0])).collect();
    let terminal = signal(TERMINAL, &[]);
    let goals = goals(sheet, &roles, base, &relations[GOAL], &terms)?;

    let mut numbering = Numbering::new(base, &facts, &moves);
    let roots =
        legal.iter().flatten().chain(&next).chain([&terminal]).copied().chain(goals.iter().map(|goal| goal.when));
    numbering.number_what_is_needed(roots);
    let renumber = |signal: Signal| numbering.signal(signal);
    let mut rules = GroundRules::default();
    for &atom in &numbering.derived {
        for &rule in base.rules_of(atom) {
            rules.push(numbering.numbers[atom as usize], base.body(rule).iter().copied().map(renumber));
        }
    }
    let initial = facts.iter().map(|(term, _)| relations[INIT].tuples.find(&[term.0]).is_some()).collect();
    let only_terms = |list: Vec<(GroundTerm, u32)>| list.into_iter().map(|(term, _)| term).collect();
    Ok(Ground {
        roles,
        initial,
        derived: numbering.derived.len() as u32,
        rules,
        legal: legal.into_iter().map(|moves| moves.into_iter().map(renumber).collect()).collect(),
        next: next.into_iter().map(renumber).collect(),
        terminal: renumber(terminal),
        goals: goals.into_iter().map(|goal| Goal { when: renumber(goal.when), ..goal }).collect(),
        facts: only_terms(facts),
        moves: moves.into_iter().map(only_terms).collect(),
        terms,
    })
}

/// The roles: first those with statements of their own, in the order of the text.
fn roles(sheet: &Sheet, relations: &[Relation], terms: &Terms) -> Vec<GroundTerm> {
    let stated = sheet.roles().into_iter().filter_map(|role| terms.find(role, false, &[]));
    let tuples = &relations[ROLE].tuples;
    let mut roles: Vec<GroundTerm> = stated.filter(|role| tuples.find(&[role.0]).is_some()).collect();
    for number in 0..tuples.count() {
        let role = GroundTerm(tuples.get(number)[0]);
        if !roles.contains(&role) {
            roles.push(role);
        }
    }
    roles
}

/// The payoffs, by role and from high to low.
fn goals(
    sheet: &Sheet,
    roles: &[GroundTerm],
    base: &RuleBase,
    relation: &Relation,
    terms: &Terms,
) -> Result<Vec<Goal>, InputError> {
    let mut goals = Vec::new();
    for number in 0..relation.tuples.count() {
        let &[role, value] = relation.tuples.get(number) else { continue };
        let when = base.resolve(base.first[GOAL] + number);
        let Some(role) = roles.iter().position(|known| known.0 == role).filter(|_| when != Signal::FALSE) else {
            continue;
        };
        let text = terms.text(GroundTerm(value), &sheet.symbols);
        let Ok(value) = text.parse() else {
            let complaint = format!("`{text}` is no number, so it cannot be a payoff");
            // The last goal with this value, or one with a variable in its place.
            let says = |rule: &&crate::Rule| {
                let value = rule.head.arguments.get(1).map(|value| sheet.term_text(value, rule));
                rule.head.relation == crate::keyword::GOAL
                    && value.is_some_and(|said| said == text || said.starts_with('?'))
            };
            let place = sheet.rules.iter().rev().find(says).map(|rule| rule.place);
            return Err(match place {
                Some(place) => sheet.error(place, complaint),
                None => InputError::new(complaint),
            }
            .with_help("`(goal role value)` with a whole number from 0 to 100"));
        };
        goals.push(Goal { role: role as u32, value, when });
    }
    goals.sort_by_key(|goal| (goal.role, -i64::from(goal.value)));
    Ok(goals)
}

/// Maps atoms of the rule base to those of the game.
struct Numbering<'a> {
    base: &'a RuleBase,
    /// By atom of the rule base; `UNUSED` if it is not needed.
    numbers: Vec<u32>,
    /// The derived atoms that are needed, in their order.
    derived: Vec<u32>,
    first_derived: u32,
}

const UNUSED: u32 = u32::MAX;

impl<'a> Numbering<'a> {
    fn new(base: &'a RuleBase, facts: &[(GroundTerm, u32)], moves: &[Vec<(GroundTerm, u32)>]) -> Numbering<'a> {
        let mut numbers = vec![UNUSED; base.atoms as usize];
        numbers[0] = 0;
        let facts = facts.iter().map(|(_, fact)| base.first[TRUE] + fact);
        let moves = moves.iter().flatten().map(|(_, number)| base.first[DOES] + number);
        let mut first_derived = 1;
        for atom in facts.chain(moves) {
            numbers[atom as usize] = first_derived;
            first_derived += 1;
        }
        Numbering { base, numbers, derived: Vec::new(), first_derived }
    }

    fn signal(&self, signal: Signal) -> Signal {
        let atom = Signal::of(self.numbers[signal.atom() as usize]);
        if signal.is_negated() { atom.negated() } else { atom }
    }

    fn number_what_is_needed(&mut self, roots: impl Iterator<Item = Signal>) {
        let mut open: Vec<u32> = roots.map(Signal::atom).collect();
        open.reverse();
        while let Some(atom) = open.pop() {
            if self.numbers[atom as usize] != UNUSED {
                continue;
            }
            self.numbers[atom as usize] = self.first_derived + self.derived.len() as u32;
            self.derived.push(atom);
            for &rule in self.base.rules_of(atom) {
                open.extend(self.base.body(rule).iter().map(|signal| signal.atom()));
            }
        }
    }
}

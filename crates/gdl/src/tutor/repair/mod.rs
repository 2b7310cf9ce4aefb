//! Single changes of a sheet after which it agrees with all examples.
//!
//! A fault shows some steps after the rule that causes it, so a proof tree names many rules. A change of one rule that
//! makes every example agree says more: the rule is the faulty one, or one that works around it. Changes are tried rule
//! by rule, suspects first, until a budget of conditions is spent.

mod edit;
mod invent;
mod outliers;
mod screen;
mod sorts;
mod trial;

use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;

use self::edit::{Edit, Editor, Manner};
use self::outliers::outliers;
pub(super) use self::screen::Words;
pub(super) use self::trial::learn_words;
use self::trial::{Effects, Trial};
use super::{Examples, Suspect};
use crate::explain::Explanation;
use crate::interpreter::Interpreter;
use crate::symbols::keyword;
use crate::{Literal, Place, Rule, Sheet, Symbol, Term};

/// Conditions that all trials together may look at: some tenths of a second.
const BUDGET: u64 = 800_000;

/// The number of suspects that are tried before rules that may be missing.
const FIRST_SUSPECTS: usize = 5;

/// A sheet with more rules that do not fit the others is written in another style, so they are not suspicious.
const MOST_OUTLIERS: usize = 2;

/// A change of one rule after which the sheet agrees with all examples.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Repair {
    /// The line where the rule begins, counted from 1.
    pub line: usize,
    /// The line where it ends.
    pub end_line: usize,
    /// The conclusion of the rule.
    pub head: String,
    /// What to do with the rule: `add the condition (true (control ?player))`.
    pub change: String,
    /// The conclusion of a rule that is missing; `None` if the rule itself changes.
    pub missing: Option<String>,
    /// Where the rule stands.
    #[serde(skip)]
    pub place: Place,
}

/// What the search for repairs is about.
pub(super) struct Question<'a> {
    pub sheet: &'a Sheet,
    pub interpreter: &'a Interpreter,
    pub examples: &'a Examples,
    /// The facts that examples start from.
    pub starts: &'a [Vec<Term>],
    /// The terms of all statements.
    pub terms: &'a [Vec<Vec<Term>>],
    /// Names for new variables.
    pub names: &'a [Symbol],
    /// Names for probes.
    pub words: &'a Words,
    /// The relation of the fact in question: `legal`, `terminal`, `goal` or `true`.
    pub asked: Symbol,
    /// Whether the match is long or its states are large, so that explaining it took much of the time.
    pub large: bool,
}

impl Question<'_> {
    /// Rules that do not fit the rest of the sheet and can have an effect on a match; none if there are many, because
    /// then the sheet is written in this way.
    pub(super) fn outliers(&self) -> Vec<Suspect> {
        let sheet = self.sheet;
        let effects = effects(sheet);
        let mut found: Vec<usize> = outliers(sheet);
        found.retain(|&index| effects.get(&signature(&sheet.rules[index])).is_some_and(|one| one.touch(self.asked)));
        let suspect = |&index: &usize| Suspect::rule(sheet, &sheet.rules[index], None);
        if found.len() > MOST_OUTLIERS { Vec::new() } else { found.iter().map(suspect).collect() }
    }

    /// Repairs of different rules, the most convincing first. `failing` are the examples that fail, each with the
    /// number of joint moves before its disagreement; `missing` are conclusions that the sheet fails to derive;
    /// `outliers` are rules that do not fit the others.
    pub(super) fn repairs(
        &self,
        failing: &[(usize, usize)],
        suspects: &[Suspect],
        missing: &[Suspect],
        outliers: &[Suspect],
    ) -> Vec<Repair> {
        let budget = if self.large { BUDGET / 4 } else { BUDGET };
        let trial = Trial::new(self.interpreter, self.examples, self.starts, self.terms, failing, budget);
        let editor = Editor::new(self.sheet, self.names);
        let effects = effects(self.sheet);
        let suspects: Vec<Suspect> = outliers.iter().chain(suspects).cloned().collect();
        let order = order(self.sheet, &suspects);
        let (first, others) = order.split_at(order.len().min(FIRST_SUSPECTS));
        let effect = |index: usize| effects.get(&signature(&self.sheet.rules[index])).copied().unwrap_or_default();
        // The first change in any of these manners.
        let change = |index: usize, manners: &[Manner]| {
            manners.iter().find_map(|&manner| {
                let edits = editor.edits(index, manner);
                Some((manner as usize, self.first_that_passes(&trial, effect(index), edits)?))
            })
        };
        // A condition more takes conclusions away, so that it can only help where it helps to have no such rule.
        let narrowed = |index: usize| match self.drop_matters(&trial, effect(index), index) {
            true => change(index, &[Manner::Add]),
            false => None,
        };
        let mut found: Vec<(usize, Repair)> = Vec::new();
        for &index in first {
            found.extend(change(index, &SMALL));
        }
        for &index in first {
            if !found.iter().any(|(_, repair)| repair.place == self.sheet.rules[index].place) {
                found.extend(narrowed(index));
            }
        }
        for name in self.fact_names(missing) {
            let like = order.iter().copied().find(|&index| signature(&self.sheet.rules[index]).1 == Some(name));
            let Some(index) = like.or_else(|| order.first().copied()) else { continue };
            let states = Effects { states: true, ..Effects::default() };
            let repair = self.first_that_passes(&trial, states, editor.inventions(index, name));
            found.extend(repair.map(|repair| (0, repair)));
        }
        for &index in others {
            found.extend(change(index, &SMALL).or_else(|| narrowed(index)));
        }
        let odd = |repair: &Repair| outliers.iter().any(|suspect| suspect.place == repair.place);
        found.sort_by_key(|(manner, repair)| (!odd(repair) || repair.missing.is_some(), *manner));
        found.into_iter().map(|(_, repair)| repair).collect()
    }

    /// The names of facts of states: first those that are missed, then all others.
    fn fact_names(&self, missing: &[Suspect]) -> Vec<Symbol> {
        let missed = missing.iter().filter_map(|suspect| {
            let fact = suspect.missing.as_deref()?.strip_prefix("(next ")?;
            self.sheet.symbols.find(fact.trim_start_matches('(').split([' ', ')']).next()?)
        });
        let stated = self.sheet.rules.iter().flat_map(|rule| {
            let body = rule.body.iter().filter_map(|literal| match literal {
                Literal::Holds(atom) | Literal::Fails(atom) => Some(of_atom(atom.relation, &atom.arguments)),
                Literal::Distinct(..) | Literal::Same(..) => None,
            });
            body.chain([signature(rule)]).filter(|(relation, _)| *relation == keyword::TRUE)
        });
        let mut names = Vec::new();
        for name in missed.chain(stated.filter_map(|(_, name)| name)) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// Whether the first example that fails fares differently without this rule.
    fn drop_matters(&self, trial: &Trial, effects: Effects, index: usize) -> bool {
        let drop = Edit { rule: index, instead: Vec::new(), change: String::new() };
        effects.touch(self.asked) && trial.may_go_on() && trial.fares_differently(&drop.apply(self.sheet), effects)
    }

    /// The first change after which all examples agree.
    fn first_that_passes(&self, trial: &Trial, effects: Effects, edits: Vec<Edit>) -> Option<Repair> {
        if !effects.touch(self.asked) || !trial.may_go_on() {
            return None;
        }
        let sheet = self.sheet;
        let from = trial.first_differences(sheet, self.words, &edits);
        let differing = edits.into_iter().zip(from).filter_map(|(edit, step)| Some((edit, step?)));
        for (edit, step) in differing {
            if !trial.may_go_on() {
                return None;
            }
            if !trial.passes(&edit.apply(sheet), effects, step) {
                continue;
            }
            let rule = &sheet.rules[edit.rule];
            let line = |offset: u32| sheet.source.position(offset as usize).0;
            return Some(Repair {
                line: line(rule.place.start),
                end_line: line(rule.place.end),
                head: sheet.atom_text(&rule.head, rule),
                change: edit.change,
                missing: edit.instead.get(1).map(|rule| sheet.atom_text(&rule.head, rule)),
                place: rule.place,
            });
        }
        None
    }
}

/// Changes that leave little room for chance: all but new conditions.
const SMALL: [Manner; 3] = [Manner::Replace, Manner::Drop, Manner::Copy];

/// Orders suspects: rules with a repair first. If no change of a rule repairs the sheet, a rule may be missing, so that
/// conclusions without a rule come right after the first suspect. Rules that do not fit the others come before those
/// without a repair, and after the best repair.
pub(super) fn put_first(suspects: &mut Vec<Suspect>, repairs: &[Repair], missing: &[Suspect], outliers: &[Suspect]) {
    let repaired: Vec<Suspect> = repairs
        .iter()
        .map(|repair| {
            let Repair { line, end_line, head, missing, place, .. } = repair.clone();
            Suspect { line, end_line, head, missing, place }
        })
        .collect();
    if repaired.is_empty() {
        let place = suspects.len().min(1);
        suspects.splice(place..place, missing.iter().cloned());
    } else {
        let known = |suspect: &Suspect| repaired.iter().any(|r| r.place == suspect.place && r.missing.is_none());
        suspects.retain(|suspect| !known(suspect));
        suspects.splice(0..0, repaired.iter().cloned());
    }
    let same = |one: &Suspect, other: &Suspect| one.place == other.place && one.missing.is_none();
    let others: Vec<Suspect> =
        outliers.iter().filter(|odd| !repaired.iter().any(|known| same(known, odd))).cloned().collect();
    suspects.retain(|suspect| !others.iter().any(|odd| same(suspect, odd)));
    let place = repaired.len().min(1);
    suspects.splice(place..place, others);
}

/// Conclusions that trees ask for and no rule derives, each beside a rule of its relation or, if there is none, one
/// that asks for it: those close to the root first, one for each relation.
pub(super) fn missing(sheet: &Sheet, explanations: &[Explanation]) -> Vec<Suspect> {
    let mut found: Vec<((bool, Signature), Suspect)> = Vec::new();
    for fact in explanations.iter().flat_map(Explanation::absent) {
        let mut words = fact.split(['(', ')', ' ']).filter(|word| !word.is_empty());
        let Some(relation) = words.next().and_then(|word| sheet.symbols.find(word)) else { continue };
        let signature = match relation {
            keyword::NEXT | keyword::INIT => (keyword::TRUE, words.next().and_then(|word| sheet.symbols.find(word))),
            keyword::LEGAL | keyword::GOAL | keyword::TERMINAL | keyword::TRUE | keyword::DOES => continue,
            other => (other, None),
        };
        let asks = |rule: &&Rule| {
            rule.body.iter().any(|literal| match literal {
                Literal::Holds(atom) | Literal::Fails(atom) => of_atom(atom.relation, &atom.arguments) == signature,
                Literal::Distinct(..) | Literal::Same(..) => false,
            })
        };
        let first = relation == keyword::INIT;
        let concludes =
            |rule: &&Rule| self::signature(rule) == signature && (rule.head.relation == keyword::INIT) == first;
        let rule = sheet.rules.iter().find(concludes).or_else(|| sheet.rules.iter().find(asks));
        if let Some(rule) = rule.filter(|_| !found.iter().any(|(known, _)| *known == (first, signature))) {
            found.push(((first, signature), Suspect::rule(sheet, rule, Some(fact.clone()))));
        }
    }
    found.into_iter().map(|(_, suspect)| suspect).collect()
}

/// A relation; for facts of states also the name of the fact.
type Signature = (Symbol, Option<Symbol>);

fn signature(rule: &Rule) -> Signature {
    of_atom(rule.head.relation, &rule.head.arguments)
}

fn of_atom(relation: Symbol, arguments: &[Term]) -> Signature {
    match (relation, arguments) {
        (keyword::NEXT | keyword::INIT | keyword::TRUE, [Term::Function(name, _) | Term::Constant(name)]) => {
            (keyword::TRUE, Some(*name))
        }
        (keyword::NEXT | keyword::INIT, _) => (keyword::TRUE, None),
        _ => (relation, None),
    }
}

/// What the rules of each relation have an effect on.
fn effects(sheet: &Sheet) -> FxHashMap<Signature, Effects> {
    let mut callers: FxHashMap<Signature, FxHashSet<Signature>> = FxHashMap::default();
    for rule in &sheet.rules {
        for literal in &rule.body {
            if let Literal::Holds(atom) | Literal::Fails(atom) = literal {
                callers.entry(of_atom(atom.relation, &atom.arguments)).or_default().insert(signature(rule));
            }
        }
    }
    let mut effects = FxHashMap::default();
    for rule in &sheet.rules {
        let start = signature(rule);
        if effects.contains_key(&start) {
            continue;
        }
        let mut effect = Effects::default();
        let mut seen = FxHashSet::from_iter([start]);
        let mut open = vec![start];
        while let Some(relation) = open.pop() {
            match relation.0 {
                keyword::TRUE => effect.states = true,
                keyword::LEGAL => effect.legal = true,
                keyword::TERMINAL => effect.terminal = true,
                keyword::GOAL => effect.goal = true,
                _ => {}
            }
            open.extend(callers.get(&relation).into_iter().flatten().filter(|caller| seen.insert(**caller)));
        }
        effects.insert(start, effect);
    }
    effects
}

/// The rules in the order in which they are tried: suspects first, then all others with conditions or of a match.
fn order(sheet: &Sheet, suspects: &[Suspect]) -> Vec<usize> {
    let tells = |rule: &Rule| {
        let head = rule.head.relation;
        let hint = [keyword::ROLE, keyword::BASE, keyword::INPUT, keyword::SEES].contains(&head);
        let of_match = [keyword::NEXT, keyword::LEGAL, keyword::GOAL, keyword::TERMINAL].contains(&head);
        !hint && (of_match || !rule.body.is_empty())
    };
    let mut order: Vec<usize> = (0..sheet.rules.len()).filter(|&index| tells(&sheet.rules[index])).collect();
    let rank = |index: usize| suspects.iter().position(|suspect| suspect.place == sheet.rules[index].place);
    order.sort_by_key(|&index| rank(index).unwrap_or(usize::MAX));
    order
}

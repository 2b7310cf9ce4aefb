//! Simplification of ground rules: fewer and shorter rules with the same meaning.
//!
//! A role makes exactly one move in a step. So two moves of one role never occur together in a body, and "any of these
//! moves" means "none of the others".

use rustc_hash::FxHashMap;

use super::database::Relation;
use super::limits::{Meter, TooLarge};
use super::program::DOES;
use super::rules::{Draft, RuleBase};
use crate::Signal;

/// The number of passes over the rules: in each pass, new knowledge about atoms may shorten more rules.
const ROUNDS: usize = 8;

/// The roles of moves, by atom.
struct Moves {
    first: u32,
    roles: Vec<u32>,
    /// The number of moves of a role, by the number of its term.
    counts: FxHashMap<u32, u32>,
}

impl Moves {
    fn role(&self, atom: u32) -> Option<u32> {
        self.roles.get(atom.checked_sub(self.first)? as usize).copied()
    }
}

/// Simplifies rules.
pub(super) struct Simplifier {
    moves: Moves,
}

impl Simplifier {
    /// Substitutes known values in the rules.
    pub(super) fn new(base: &mut RuleBase, constants: Vec<Signal>, relations: &[Relation]) -> Simplifier {
        let tuples = &relations[DOES].tuples;
        let mut moves = Moves {
            first: base.first[DOES],
            roles: (0..tuples.count()).map(|number| tuples.get(number)[0]).collect(),
            counts: FxHashMap::default(),
        };
        for (number, role) in (moves.first..).zip(&moves.roles) {
            if constants[number as usize] != Signal::FALSE {
                *moves.counts.entry(*role).or_default() += 1;
            }
        }
        base.same = constants;
        let simplifier = Simplifier { moves };
        simplifier.rewrite(base);
        simplifier
    }

    /// Replaces atoms that are only names for others. No cycle goes through a negation.
    pub(super) fn resolve_names(&self, base: &mut RuleBase, meter: &mut Meter) -> Result<(), TooLarge> {
        for _ in 0..ROUNDS {
            meter.work(base.rule_count())?;
            let named = |atom: u32| Some((atom, name_for(base, atom, &self.moves)?));
            let new: Vec<(u32, Signal)> = (0..base.atoms).filter_map(named).collect();
            if new.is_empty() {
                break;
            }
            new.into_iter().for_each(|(atom, value)| base.same[atom as usize] = value);
            base.shorten_names();
            self.rewrite(base);
        }
        Ok(())
    }

    /// Writes "any of these moves" as "none of the others" where that is shorter.
    pub(super) fn complement_moves(&self, base: &mut RuleBase, meter: &mut Meter) -> Result<(), TooLarge> {
        meter.work(base.rule_count())?;
        let possible = |atom: &u32| base.resolve(*atom) != Signal::FALSE;
        let all = (self.moves.first..).take(self.moves.roles.len()).filter(possible);
        let mut by_role: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        for (atom, role) in all.filter_map(|atom| Some((atom, self.moves.role(atom)?))) {
            by_role.entry(role).or_default().push(atom);
        }
        let mut draft = Draft::default();
        let mut none_of: FxHashMap<Vec<u32>, u32> = FxHashMap::default();
        let mut atoms = base.atoms;
        for atom in 0..base.atoms {
            // How many moves of each role suffice for the atom; `MAX` once they are replaced.
            let mut counts: FxHashMap<u32, u32> = FxHashMap::default();
            let single = |rule: u32| match base.body(rule) {
                [signal] if !signal.is_negated() => self.moves.role(signal.atom()).map(|role| (role, signal.atom())),
                _ => None,
            };
            for (role, _) in base.rules_of(atom).iter().filter_map(|&rule| single(rule)) {
                *counts.entry(role).or_default() += 1;
            }
            let all = |role: u32| self.moves.counts.get(&role).copied().unwrap_or(0);
            for &rule in base.rules_of(atom) {
                match single(rule).filter(|(role, _)| u64::from(counts[role]) * 2 > u64::from(all(*role)) + 2) {
                    None => draft.push(atom, base.clause(rule), base.body(rule)),
                    Some((role, _)) if counts[&role] == u32::MAX => {}
                    Some((role, _)) => {
                        let here: Vec<u32> =
                            base.rules_of(atom).iter().filter_map(|&rule| Some(single(rule)?.1)).collect();
                        let others: Vec<u32> =
                            by_role[&role].iter().copied().filter(|other| here.binary_search(other).is_err()).collect();
                        let part = *none_of.entry(others).or_insert_with_key(|others| {
                            others.iter().for_each(|&other| draft.push(atoms, base.clause(rule), &[Signal::of(other)]));
                            atoms += 1;
                            atoms - 1
                        });
                        draft.push(atom, base.clause(rule), &[Signal::of(part).negated()]);
                        counts.insert(role, u32::MAX);
                    }
                }
            }
        }
        base.same.extend((base.atoms..atoms).map(Signal::of));
        base.atoms = atoms;
        base.replace(draft);
        Ok(())
    }

    fn rewrite(&self, base: &mut RuleBase) {
        let mut draft = Draft::default();
        let mut body = Vec::new();
        for atom in (0..base.atoms).filter(|&atom| base.resolve(atom) == Signal::of(atom)) {
            for &rule in base.rules_of(atom) {
                if rewritten(base, rule, &self.moves, &mut body) {
                    draft.push(atom, base.clause(rule), &body);
                }
            }
        }
        base.replace(draft);
    }
}

/// The signal for which an atom is only another name.
fn name_for(base: &RuleBase, atom: u32, moves: &Moves) -> Option<Signal> {
    let rules = base.rules_of(atom);
    let (&first, _) = rules.split_first()?;
    match base.body(first) {
        // Bodies are sorted by length: an empty one comes first.
        [] => return Some(Signal::TRUE),
        [only] if rules.len() == 1 && only.atom() != atom => return Some(*only),
        _ => {}
    }
    let mut seen: FxHashMap<u32, u32> = FxHashMap::default();
    for &rule in rules {
        if let [signal] = base.body(rule)
            && let Some(role) = moves.role(signal.atom()).filter(|_| !signal.is_negated())
        {
            let count = seen.entry(role).or_default();
            *count += 1;
            if moves.counts.get(&role) == Some(count) {
                return Some(Signal::TRUE);
            }
        }
    }
    None
}

/// A rule's body with everything known substituted; `false` if it never holds.
fn rewritten(base: &RuleBase, rule: u32, moves: &Moves, body: &mut Vec<Signal>) -> bool {
    body.clear();
    let head = base.head(rule);
    for &signal in base.body(rule) {
        let found = base.resolve(signal.atom());
        let found = if signal.is_negated() { found.negated() } else { found };
        match found {
            Signal::TRUE => {}
            Signal::FALSE => return false,
            _ => body.push(found),
        }
    }
    body.sort_unstable();
    body.dedup();
    let contradicts = body.windows(2).any(|pair| pair[0].negated() == pair[1]) || body.contains(&Signal::of(head));
    let mut done: Option<(u32, u32)> = None;
    for signal in body.iter().filter(|signal| !signal.is_negated()) {
        if let Some(role) = moves.role(signal.atom()) {
            if done.is_some_and(|(known, _)| known == role) {
                return false;
            }
            done = Some((role, signal.atom()));
        }
    }
    if let Some((role, _)) = done {
        body.retain(|signal| !signal.is_negated() || moves.role(signal.atom()) != Some(role));
    }
    !contradicts
}

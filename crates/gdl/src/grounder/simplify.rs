//! Fewer and shorter rules with the same meaning.
//!
//! A role does exactly one move in a step, so two moves of one role never meet in a body, and "any of these moves" is
//! "none of the others".

use rustc_hash::FxHashMap;

use super::database::Relation;
use super::limits::{Meter, TooLarge};
use super::program::DOES;
use super::rules::{Draft, RuleBase};
use crate::Signal;

/// How often the rules are gone through: each time what was found about atoms may shorten further rules.
const ROUNDS: usize = 8;

/// The roles of moves, by atom.
struct Moves {
    first: u32,
    roles: Vec<u32>,
    /// How many moves a role has, by the number of its term.
    counts: FxHashMap<u32, u32>,
}

impl Moves {
    fn role(&self, atom: u32) -> Option<u32> {
        self.roles.get(atom.checked_sub(self.first)? as usize).copied()
    }
}

/// Rules that are made smaller.
pub(super) struct Simplifier {
    moves: Moves,
}

impl Simplifier {
    /// Puts known values into the rules.
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

    /// Replaces atoms that are only names for others. No circle goes through a negation.
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

/// What an atom is only another name for.
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

/// A rule's body with all that is known put in; `false` if it never holds.
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

//! Finds atoms that never change, by propagating what may be true and what may be false from the initial state.
//!
//! Unlike the relaxed game, this considers negations too: a negated condition may hold only if its atom may be false.

use super::components::Graph;
use super::database::Relation;
use super::limits::{Meter, TooLarge};
use super::program::{DOES, INIT, LEGAL, NEXT, TRUE};
use super::rules::RuleBase;
use crate::Signal;

/// What each atom may be.
struct Possible {
    /// At twice the atom's number: whether it may be true; plus 1: whether it may be false.
    possible: Vec<bool>,
    open: Vec<Signal>,
}

impl Possible {
    fn add(&mut self, signal: Signal) {
        if !std::mem::replace(&mut self.possible[signal.0 as usize], true) {
            self.open.push(signal);
        }
    }
}

/// The atoms that are always true or always false, each with its value.
pub(super) fn constants(base: &RuleBase, relations: &[Relation], meter: &mut Meter) -> Result<Vec<Signal>, TooLarge> {
    let atoms = base.atoms as usize;
    let rules = base.rule_count();
    let occurrences = (0..rules as u32).flat_map(|rule| base.body(rule).iter().map(move |signal| (signal.0, rule)));
    let occurrences = Graph::new(2 * atoms, occurrences);
    // What the atoms of a state or step depend on: facts on the previous state, moves on being legal.
    let mut followers: Vec<(u32, u32)> = Vec::new();
    let mut known = Possible { possible: vec![false; 2 * atoms], open: Vec::new() };
    known.add(Signal::TRUE);
    for fact in 0..relations[TRUE].tuples.count() {
        let atom = base.first[TRUE] + fact;
        let term = relations[TRUE].tuples.get(fact);
        let is_initial = relations[INIT].tuples.find(term).is_some();
        known.add(if is_initial { Signal::of(atom) } else { Signal::of(atom).negated() });
        match relations[NEXT].tuples.find(term) {
            Some(next) => followers.push((base.first[NEXT] + next, atom)),
            None => known.add(Signal::of(atom).negated()),
        }
    }
    for number in 0..relations[DOES].tuples.count() {
        let atom = base.first[DOES] + number;
        known.add(Signal::of(atom).negated());
        if let Some(legal) = relations[LEGAL].tuples.find(relations[DOES].tuples.get(number)) {
            followers.push((base.first[LEGAL] + legal, atom));
        }
    }
    let followers = Graph::new(atoms, followers.iter().copied());
    let dependencies = (0..base.atoms).flat_map(|atom| {
        let body = base.rules_of(atom).iter().flat_map(|&rule| base.body(rule));
        body.map(move |signal| (atom, signal.atom()))
    });
    let component = Graph::new(atoms, dependencies).components();
    let mut members = vec![0u32; atoms];
    component.iter().for_each(|&circle| members[circle as usize] += 1);

    let mut missing: Vec<u32> = (0..rules as u32).map(|rule| base.body(rule).len() as u32).collect();
    let mut may_fail = vec![false; rules];
    // How many rules of an atom never fail. A rule that needs its own head supports nothing.
    let supports_itself = |rule: u32| base.body(rule).contains(&Signal::of(base.head(rule)));
    let mut firm = vec![0u32; atoms];
    (0..rules as u32).filter(|&rule| !supports_itself(rule)).for_each(|rule| firm[base.head(rule) as usize] += 1);
    let inputs = |atom: u32| {
        let within = |relation: usize| {
            (base.first[relation]..base.first[relation] + relations[relation].tuples.count()).contains(&atom)
        };
        atom == 0 || within(TRUE) || within(DOES)
    };
    for atom in (0..base.atoms).filter(|&atom| !inputs(atom)) {
        // In a circle, what supports an atom may be the atom itself: nothing there is taken to be firm.
        if firm[atom as usize] == 0 || members[component[atom as usize] as usize] > 1 {
            known.add(Signal::of(atom).negated());
        }
        if base.rules_of(atom).iter().any(|&rule| base.body(rule).is_empty()) {
            known.add(Signal::of(atom));
        }
    }
    while let Some(signal) = known.open.pop() {
        for &rule in occurrences.edges(signal.0) {
            missing[rule as usize] -= 1;
            if missing[rule as usize] == 0 {
                known.add(Signal::of(base.head(rule)));
            }
        }
        for &rule in occurrences.edges(signal.negated().0) {
            if !std::mem::replace(&mut may_fail[rule as usize], true) && !supports_itself(rule) {
                let head = base.head(rule);
                firm[head as usize] -= 1;
                if firm[head as usize] == 0 {
                    known.add(Signal::of(head).negated());
                }
            }
        }
        for &atom in followers.edges(signal.atom()) {
            let follows = Signal::of(atom);
            known.add(if signal.is_negated() { follows.negated() } else { follows });
        }
        meter.step()?;
    }
    let value = |atom: u32| match (known.possible[2 * atom as usize], known.possible[2 * atom as usize + 1]) {
        (true, false) => Signal::TRUE,
        (false, true) => Signal::FALSE,
        // Neither: a cycle through a negation, which is refused later.
        _ => Signal::of(atom),
    };
    Ok((0..base.atoms).map(value).collect())
}

//! A graph of gates in which equal gates are shared.
//!
//! Every gate is a conjunction of signals, each possibly negated; a disjunction is a negated conjunction of negations.
//! Gates are created by [`Graph::all`]. It knows that a role makes exactly one legal move in a step and which facts
//! exclude each other, and it drops signals that follow from the rest.

mod complement;
mod implied;

use rustc_hash::FxHashMap;

use crate::Signal;
use crate::network::turn::Turns;

/// What is known about the inputs of a graph, besides its gates.
#[derive(Clone, Debug, Default)]
pub(crate) struct Knowledge {
    /// The first move of each role, then the first number that is not a move.
    pub(crate) first_move: Vec<u32>,
    /// By move: what must hold for it to be legal, sorted. Empty until it is known.
    pub(crate) implied: Vec<Box<[Signal]>>,
    /// By fact number (counted from 1): the group of facts of which at most one holds; 0 for none.
    pub(crate) group: Vec<u32>,
    /// By number: whether it is a move that is never legal.
    pub(crate) impossible: Vec<bool>,
    /// Whose turn it is, if that was proved.
    pub(crate) turns: Option<Turns>,
}

impl Knowledge {
    /// The role of a signal's move, if it is a move.
    fn role(&self, number: u32) -> Option<usize> {
        let (first, last) = (self.first_move.first()?, self.first_move.last()?);
        if number < *first || number >= *last {
            return None;
        }
        Some(self.first_move.partition_point(|&start| start <= number) - 1)
    }

    fn implied(&self, number: u32) -> &[Signal] {
        let first = self.first_move.first().copied().unwrap_or(0);
        self.implied.get((number - first) as usize).map_or(&[], |implied| implied)
    }

    fn group(&self, number: u32) -> u32 {
        self.group.get(number as usize).copied().unwrap_or(0)
    }

    fn possible(&self, number: u32) -> bool {
        !self.impossible.get(number as usize).copied().unwrap_or(false)
    }

    /// Whether these two inputs exclude each other.
    fn excludes(&self, one: u32, other: u32) -> bool {
        if one == other {
            return false;
        }
        let group = self.group(one);
        if group != 0 && group == self.group(other) {
            return true;
        }
        if self.in_turn(one) && self.in_turn(other) {
            return true;
        }
        matches!((self.role(one), self.role(other)), (Some(one), Some(other)) if one == other)
    }

    /// Whether the move can be made only in its role's turn. In every step exactly one such move is made.
    fn in_turn(&self, number: u32) -> bool {
        self.turns.as_ref().is_some_and(|turns| turns.moves.get(number as usize).copied().unwrap_or(false))
    }

    /// The possible moves of a role that are not bound to its turn.
    fn out_of_turn(&self, role: usize) -> impl Iterator<Item = u32> + '_ {
        (self.first_move[role]..self.first_move[role + 1]).filter(|&move_| self.possible(move_) && !self.in_turn(move_))
    }
}

/// A growing graph of gates.
#[derive(Clone, Debug)]
pub(crate) struct Graph {
    /// The number of inputs, including the constant.
    inputs: u32,
    /// Where the signals of each gate end.
    ends: Vec<u32>,
    signals: Vec<Signal>,
    known: FxHashMap<Box<[Signal]>, u32>,
    pub(crate) knowledge: Knowledge,
}

impl Graph {
    /// A graph without gates; `inputs` includes the constant.
    pub(crate) fn new(inputs: u32, knowledge: Knowledge) -> Graph {
        Graph { inputs, ends: Vec::new(), signals: Vec::new(), known: FxHashMap::default(), knowledge }
    }

    /// The first number that is a gate.
    pub(crate) fn first_gate(&self) -> u32 {
        self.inputs
    }

    /// One past the last gate.
    pub(crate) fn end(&self) -> u32 {
        self.inputs + self.ends.len() as u32
    }

    /// The signals of a gate's conjunction; empty for an input.
    pub(crate) fn gate(&self, number: u32) -> &[Signal] {
        if number < self.inputs {
            return &[];
        }
        let index = (number - self.inputs) as usize;
        let start = if index == 0 { 0 } else { self.ends[index - 1] as usize };
        &self.signals[start..self.ends[index] as usize]
    }

    /// The disjunction of the signals.
    pub(crate) fn any(&mut self, signals: &[Signal]) -> Signal {
        let mut negated: Vec<Signal> = signals.iter().map(|signal| signal.negated()).collect();
        self.conjunction(&mut negated).negated()
    }

    /// The conjunction of the signals.
    pub(crate) fn all(&mut self, signals: &[Signal]) -> Signal {
        self.conjunction(&mut signals.to_vec())
    }

    fn conjunction(&mut self, signals: &mut Vec<Signal>) -> Signal {
        if !self.tidy(signals) {
            return Signal::FALSE;
        }
        // One signal may simplify another, which may simplify a third. Two passes are enough in practice; stopping
        // early only misses a simplification.
        for _ in 0..2 {
            let mut changed = false;
            changed |= self.merge_turns(signals);
            match self.complement_nested(signals) {
                Some(complemented) => changed |= complemented,
                None => return Signal::FALSE,
            }
            for complement in [Graph::complement_turn, Graph::complement_moves] {
                match complement(self, signals) {
                    Some(complemented) => changed |= complemented,
                    None => return Signal::FALSE,
                }
            }
            match self.drop_implied(signals) {
                Some(dropped) => changed |= dropped,
                None => return Signal::FALSE,
            }
            if !changed {
                break;
            }
            if !self.tidy(signals) {
                return Signal::FALSE;
            }
        }
        self.intern(signals)
    }

    /// The gate of exactly these signals, sorted and without contradictions.
    fn intern(&mut self, signals: &[Signal]) -> Signal {
        match signals {
            [] => Signal::TRUE,
            [only] => *only,
            _ => {
                if let Some(&number) = self.known.get(signals) {
                    return Signal::of(number);
                }
                let number = self.end();
                self.signals.extend_from_slice(signals);
                self.ends.push(self.signals.len() as u32);
                self.known.insert(signals.into(), number);
                Signal::of(number)
            }
        }
    }

    /// Sorts and removes duplicates; false if it finds a contradiction.
    fn tidy(&self, signals: &mut Vec<Signal>) -> bool {
        signals.sort_unstable();
        signals.dedup();
        if signals.first() == Some(&Signal::TRUE) {
            signals.remove(0);
        }
        if signals.first() == Some(&Signal::FALSE) {
            return false;
        }
        signals.windows(2).all(|pair| pair[0].atom() != pair[1].atom())
    }

    /// The disjunction of several conjunctions, with common parts factored out.
    pub(crate) fn any_of_all(&mut self, mut terms: Vec<Vec<Signal>>) -> Signal {
        terms.retain_mut(|term| self.tidy(term));
        terms.sort_unstable();
        terms.dedup();
        self.factored(terms)
    }

    /// Repeatedly factors out the signal that most of the conjunctions share.
    fn factored(&mut self, terms: Vec<Vec<Signal>>) -> Signal {
        let mut alternatives = Vec::new();
        let mut rest = terms;
        loop {
            if rest.iter().any(Vec::is_empty) {
                return Signal::TRUE;
            }
            let mut counts: FxHashMap<Signal, u32> = FxHashMap::default();
            if rest.len() > 1 {
                rest.iter().flatten().for_each(|&signal| *counts.entry(signal).or_default() += 1);
            }
            // Among equals the smallest number, so facts come before moves: what remains after the facts are only
            // moves, which other facts need as well.
            let best = counts.iter().map(|(&signal, &count)| (count, std::cmp::Reverse(signal))).max();
            let Some((2.., std::cmp::Reverse(best))) = best else { break };
            let (with, without): (Vec<_>, Vec<_>) =
                rest.into_iter().partition(|term| term.binary_search(&best).is_ok());
            let quotient = with
                .into_iter()
                .map(|mut term| {
                    term.retain(|&signal| signal != best);
                    term
                })
                .collect();
            let quotient = self.factored(quotient);
            let product = self.all(&[best, quotient]);
            alternatives.push(product);
            rest = without;
        }
        for term in rest {
            let gate = self.all(&term);
            alternatives.push(gate);
        }
        self.any(&alternatives)
    }
}

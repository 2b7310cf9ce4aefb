//! One match at a time, by following what changes.
//!
//! Covers every game that has a [`Network`]. The machine holds the value of every gate for its current state. Another state
//! is reached by telling it the facts that differ: the changes run through the gates in order, each gate is looked at
//! once, and what does not change costs nothing. Where one move decides a step, its effects are known beforehand
//! (`effects`); elsewhere the moves run through the gates like facts.

mod effects;
mod wiring;

use std::sync::Arc;

use tesuji_core::Rng;

use crate::{Goal, Network, Signal};
use wiring::Wiring;

/// A network with a current state.
#[derive(Clone, Debug)]
pub struct Machine {
    wiring: Arc<Wiring>,
    network: Arc<Network>,
    values: Vec<bool>,
    missing: Vec<u32>,
    /// Next facts, then legal moves but for their guards, then the end.
    outputs: Vec<u64>,
    facts: Vec<u64>,
    next: Vec<u64>,
    /// A bit for each number that must be looked at, and a bit for each of those words.
    dirty: Vec<u64>,
    dirty_words: Vec<u64>,
}

impl Machine {
    /// A machine in the first state of the network's game.
    pub fn new(network: Arc<Network>) -> Machine {
        let wiring = Arc::new(Wiring::new(&network));
        let words = (wiring.end as usize).div_ceil(64);
        let mut machine = Machine {
            values: wiring.initial_values.clone(),
            missing: wiring.initial_missing.clone(),
            outputs: wiring.initial_outputs.clone(),
            facts: vec![0; network.words()],
            next: vec![0; network.words()],
            dirty: vec![0; words],
            dirty_words: vec![0; words.div_ceil(64)],
            wiring,
            network,
        };
        let slots = machine.wiring.effects.as_ref().map_or(0, |effects| effects.slots);
        machine.values.resize(machine.values.len() + slots, false);
        let initial = machine.network.initial().to_vec();
        machine.load(&initial);
        machine
    }

    /// The network it runs on.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// Goes to a state: a bit a fact. It must be one that can be reached from the first.
    pub fn load(&mut self, facts: &[u64]) {
        for (word, &new) in facts.iter().enumerate().take(self.facts.len()) {
            let mut different = self.facts[word] ^ new;
            self.facts[word] = new;
            while different != 0 {
                let fact = word * 64 + different.trailing_zeros() as usize;
                different &= different - 1;
                self.toggle(fact as u32 + 1);
            }
        }
        self.propagate();
    }

    /// The current state, a bit a fact.
    pub fn facts(&self) -> &[u64] {
        &self.facts
    }

    /// Is the match over?
    pub fn is_terminal(&self) -> bool {
        let bit = self.wiring.terminal_bit;
        self.outputs[bit / 64] >> (bit % 64) & 1 == 1
    }

    /// The legal moves of a role as words, a bit a move.
    #[inline]
    pub fn legal_words(&self, role: usize) -> impl Iterator<Item = u64> + '_ {
        let span = &self.wiring.legal[role];
        let closed = self.values[span.guard.atom() as usize] == span.guard.is_negated();
        let closed = 0u64.wrapping_sub(u64::from(closed));
        let words = &self.outputs[span.first_word..span.first_word + span.words];
        words.iter().zip(&span.guarded).map(move |(&word, &guarded)| word & !(guarded & closed))
    }

    /// The legal moves of a role, ascending.
    pub fn legal(&self, role: usize) -> impl Iterator<Item = usize> + '_ {
        self.legal_words(role).enumerate().flat_map(|(index, word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| rest.trailing_zeros() as usize)?;
                rest &= rest - 1;
                Some(index * 64 + bit)
            })
        })
    }

    /// How many legal moves a role has.
    #[inline]
    pub fn legal_count(&self, role: usize) -> usize {
        self.legal_words(role).map(|word| word.count_ones() as usize).sum()
    }

    /// A legal move of a role, each equally likely; `None` if there is none.
    #[inline]
    pub fn random_move(&self, role: usize, rng: &mut Rng) -> Option<usize> {
        let count = self.legal_count(role);
        if count == 0 {
            return None;
        }
        let mut left = if count == 1 { 0 } else { rng.below(count) as u32 };
        for (index, mut word) in self.legal_words(role).enumerate() {
            let here = word.count_ones();
            if left < here {
                for _ in 0..left {
                    word &= word - 1;
                }
                return Some(index * 64 + word.trailing_zeros() as usize);
            }
            left -= here;
        }
        None
    }

    /// Every role does a move: one legal move a role, in order.
    pub fn advance(&mut self, joint: &[usize]) {
        let facts = self.facts.len();
        if let Some(effects) = &self.wiring.effects {
            let moves = joint.iter().enumerate().map(|(role, &number)| (role, self.network.move_number(role, number)));
            let deciding = moves.into_iter().find(|&(_, number)| effects.decides(number));
            self.next.copy_from_slice(&self.outputs[..facts]);
            effects.apply(deciding, &mut self.values, &mut self.next);
            self.take_next();
            self.propagate();
            return;
        }
        for (role, &number) in joint.iter().enumerate() {
            let number = self.network.move_number(role, number);
            self.toggle(number);
        }
        self.propagate();
        // Facts that are other facts of the step before change their outputs at once: all are read first.
        self.next.copy_from_slice(&self.outputs[..facts]);
        self.take_next();
        for (role, &number) in joint.iter().enumerate() {
            let number = self.network.move_number(role, number);
            self.toggle(number);
        }
        self.propagate();
    }

    /// Makes the next facts the current ones.
    #[inline]
    fn take_next(&mut self) {
        for word in 0..self.facts.len() {
            let new = self.next[word];
            let mut different = self.facts[word] ^ new;
            self.facts[word] = new;
            while different != 0 {
                let fact = word * 64 + different.trailing_zeros() as usize;
                different &= different - 1;
                self.toggle(fact as u32 + 1);
            }
        }
    }

    /// The payoffs that hold in the current state, role and value.
    pub fn goals(&mut self) -> impl Iterator<Item = (usize, i32)> + '_ {
        let wiring = Arc::clone(&self.wiring);
        for (number, parts) in &wiring.late {
            self.values[*number as usize] = parts.iter().all(|&part| self.holds(part));
        }
        let holding = self.network.goals().iter().filter(|goal| self.holds(goal.when));
        holding.map(|&Goal { role, value, .. }| (role as usize, value))
    }

    /// The payoff of each role; `None` where it is undefined or defined twice.
    pub fn payoffs(&mut self, payoffs: &mut Vec<Option<i32>>) {
        let roles = self.network.roles();
        payoffs.clear();
        payoffs.resize(roles, None);
        let mut several = 0u64;
        for (role, value) in self.goals() {
            if payoffs[role].replace(value).is_some() {
                several |= 1 << (role % 64);
            }
        }
        for (role, payoff) in payoffs.iter_mut().enumerate() {
            if several >> (role % 64) & 1 == 1 {
                *payoff = None;
            }
        }
    }

    /// Plays uniformly at random from the current state to the end, at most `most_steps`. How many steps it took.
    pub fn play_out(&mut self, most_steps: u32, joint: &mut Vec<usize>, rng: &mut Rng) -> u32 {
        for step in 0..most_steps {
            if self.is_terminal() {
                return step;
            }
            joint.clear();
            for role in 0..self.network.roles() {
                let Some(number) = self.random_move(role, rng) else { return step };
                joint.push(number);
            }
            self.advance(joint);
        }
        most_steps
    }

    fn holds(&self, signal: Signal) -> bool {
        self.values[signal.atom() as usize] != signal.is_negated()
    }

    /// Changes a value and tells those that hear it.
    #[inline]
    fn toggle(&mut self, number: u32) {
        let number = number as usize;
        let value = !self.values[number];
        self.values[number] = value;
        let wiring = &*self.wiring;
        let outputs = wiring.output_starts[number] as usize..wiring.output_starts[number + 1] as usize;
        for &bit in &wiring.outputs[outputs] {
            self.outputs[bit as usize / 64] ^= 1 << (bit % 64);
        }
        let listeners = wiring.listener_starts[number] as usize..wiring.listener_starts[number + 1] as usize;
        for &listener in &wiring.listeners[listeners] {
            let gate = (listener >> 1) as usize;
            // One less where the part came to hold, one more where it ceased to; without a branch, for signs vary.
            let ceased = (listener & 1) ^ u32::from(!value);
            let before = self.missing[gate];
            let after = before.wrapping_sub(1).wrapping_add(2 * ceased);
            self.missing[gate] = after;
            let crossed = before.min(after) == 0;
            if crossed {
                self.dirty[gate / 64] |= 1 << (gate % 64);
                self.dirty_words[gate / 4096] |= 1 << (gate / 64 % 64);
            }
        }
    }

    /// Looks at all gates that may have changed, in order.
    #[inline]
    fn propagate(&mut self) {
        for summary in 0..self.dirty_words.len() {
            while self.dirty_words[summary] != 0 {
                let word = summary * 64 + self.dirty_words[summary].trailing_zeros() as usize;
                while self.dirty[word] != 0 {
                    let bit = self.dirty[word].trailing_zeros() as usize;
                    self.dirty[word] &= self.dirty[word] - 1;
                    let gate = word * 64 + bit;
                    if self.values[gate] != (self.missing[gate] == 0) {
                        self.toggle(gate as u32);
                    }
                }
                self.dirty_words[summary] &= self.dirty_words[summary] - 1;
            }
        }
    }
}

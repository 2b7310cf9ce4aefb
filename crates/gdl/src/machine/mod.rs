//! The machine: runs one match at a time by propagating changes.
//!
//! This covers every game that has a [`Network`]. The machine stores the value of every gate for its current state. To
//! reach another state, it receives the facts that differ; the changes propagate through the gates in order, each gate
//! is processed once, and what does not change costs nothing (`wiring`). If one move decides a step, its effects are
//! precomputed (`effects`); otherwise moves propagate through the gates like facts.

mod effects;
mod groups;
mod plan;
mod wiring;

use std::sync::Arc;

use tesuji_core::Rng;

use crate::{Goal, Network, Signal};
use groups::Heat;
use plan::Plan;
use wiring::{Wiring, Word};

/// Steps of random play to find the values that change often; fewer if they change too many values in total.
const TRIAL_STEPS: u32 = 2_000;
const TRIAL_CHANGES: u64 = 1_000_000;

/// A network with a current state.
#[derive(Clone, Debug)]
pub struct Machine {
    wiring: Arc<Wiring>,
    network: Arc<Network>,
    values: Vec<bool>,
    missing: Vec<u32>,
    words: Vec<Word>,
    /// One bit for each word in which something may have changed.
    changed_words: Vec<u64>,
    /// Next facts, then legal moves without their guards, then the end.
    outputs: Vec<u64>,
    facts: Vec<u64>,
    next: Vec<u64>,
    joint: Vec<usize>,
    /// How often each value has changed, if that is counted.
    heat: Heat,
}

impl Machine {
    /// A machine in the initial state of the network's game.
    pub fn new(network: Arc<Network>) -> Machine {
        let plan = Plan::new(&network);
        let mut trial = Machine::wired(Arc::clone(&network), Wiring::new(&plan, None));
        trial.warm_up();
        Machine::wired(network, Wiring::new(&plan, Some(&trial.heat)))
    }

    fn wired(network: Arc<Network>, wiring: Wiring) -> Machine {
        let slots = wiring.effects.as_ref().map_or(0, |effects| effects.slots);
        let mut machine = Machine {
            values: wiring.initial_values.clone(),
            missing: wiring.initial_missing.clone(),
            words: wiring.initial_words.clone(),
            changed_words: vec![0; wiring.initial_words.len().div_ceil(64)],
            outputs: wiring.initial_outputs.clone(),
            facts: vec![0; network.words()],
            next: vec![0; network.words()],
            joint: Vec::with_capacity(network.roles()),
            heat: Heat::default(),
            wiring: Arc::new(wiring),
            network,
        };
        machine.values.resize(machine.values.len() + slots, false);
        let initial = machine.network.initial().to_vec();
        machine.load(&initial);
        machine
    }

    /// Plays at random to count how often each value changes.
    fn warm_up(&mut self) {
        self.heat.changes = vec![0; self.wiring.end as usize];
        let initial = self.network.initial().to_vec();
        let mut rng = Rng::new(0);
        let mut changes = 0;
        while self.heat.steps < TRIAL_STEPS && changes < TRIAL_CHANGES {
            self.go_to::<true, false>(&initial);
            let mut taken = 0;
            while taken < TRIAL_STEPS && !self.is_terminal() && self.draw_joint(&mut rng) {
                let joint = std::mem::take(&mut self.joint);
                self.go_on::<true, false>(&joint);
                self.joint = joint;
                taken += 1;
            }
            // A match that is over at once would never end this loop.
            self.heat.steps += taken.max(1);
            changes = self.heat.changes.iter().map(|&changes| u64::from(changes)).sum();
        }
    }

    /// The network that the machine runs.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// Goes to a state, one bit per fact. The state must be reachable from the initial one.
    pub fn load(&mut self, facts: &[u64]) {
        if self.wiring.guarded.is_empty() {
            self.go_to::<false, false>(facts);
        } else {
            self.go_to::<false, true>(facts);
        }
    }

    #[inline]
    fn go_to<const COUNTED: bool, const GUARDED: bool>(&mut self, facts: &[u64]) {
        for (word, &new) in facts.iter().enumerate().take(self.facts.len()) {
            let mut different = self.facts[word] ^ new;
            self.facts[word] = new;
            while different != 0 {
                let fact = word * 64 + different.trailing_zeros() as usize;
                different &= different - 1;
                self.toggle::<COUNTED, GUARDED>(fact as u32 + 1);
            }
        }
        self.propagate::<COUNTED, GUARDED>();
    }

    /// The current state, one bit per fact.
    pub fn facts(&self) -> &[u64] {
        &self.facts
    }

    /// Whether the match is over.
    pub fn is_terminal(&self) -> bool {
        let bit = self.wiring.terminal_bit;
        self.outputs[bit / 64] >> (bit % 64) & 1 == 1
    }

    /// The legal moves of a role as words, one bit per move.
    #[inline]
    pub(crate) fn legal_words(&self, role: usize) -> impl Iterator<Item = u64> + '_ {
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

    /// The number of legal moves of a role.
    #[inline]
    pub(crate) fn legal_count(&self, role: usize) -> usize {
        self.legal_words(role).map(|word| word.count_ones() as usize).sum()
    }

    /// A uniformly random legal move of a role; `None` if there is none.
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

    /// Makes one legal move for each role, in order.
    pub fn advance(&mut self, joint: &[usize]) {
        if self.wiring.guarded.is_empty() {
            self.go_on::<false, false>(joint);
        } else {
            self.go_on::<false, true>(joint);
        }
    }

    #[inline]
    fn go_on<const COUNTED: bool, const GUARDED: bool>(&mut self, joint: &[usize]) {
        if let Some(effects) = &self.wiring.effects {
            let moves = joint.iter().enumerate().map(|(role, &number)| (role, self.network.move_number(role, number)));
            let deciding = moves.into_iter().find(|&(_, number)| effects.decides(number));
            read_next(&self.outputs, &self.facts, &self.wiring.steady, &mut self.next);
            effects.apply(deciding, &mut self.values, &mut self.next);
            self.take_next::<COUNTED, GUARDED>();
            self.propagate::<COUNTED, GUARDED>();
            return;
        }
        for (role, &number) in joint.iter().enumerate() {
            let number = self.network.move_number(role, number);
            self.toggle::<COUNTED, GUARDED>(number);
        }
        self.propagate::<COUNTED, GUARDED>();
        // Facts that copy other facts of the previous step change their outputs at once, so all are read first.
        read_next(&self.outputs, &self.facts, &self.wiring.steady, &mut self.next);
        self.take_next::<COUNTED, GUARDED>();
        for (role, &number) in joint.iter().enumerate() {
            let number = self.network.move_number(role, number);
            self.toggle::<COUNTED, GUARDED>(number);
        }
        self.propagate::<COUNTED, GUARDED>();
    }

    /// Makes the next facts the current ones.
    #[inline]
    fn take_next<const COUNTED: bool, const GUARDED: bool>(&mut self) {
        for word in 0..self.facts.len() {
            let new = self.next[word];
            let mut different = self.facts[word] ^ new;
            self.facts[word] = new;
            while different != 0 {
                let fact = word * 64 + different.trailing_zeros() as usize;
                different &= different - 1;
                self.toggle::<COUNTED, GUARDED>(fact as u32 + 1);
            }
        }
    }

    /// The goals that hold in the current state, as role and value.
    pub fn goals(&mut self) -> impl Iterator<Item = (usize, i32)> + '_ {
        let late = &self.wiring.late[..];
        let mut at = 0;
        while at < late.len() {
            let (number, count) = (late[at] as usize, late[at + 1] as usize);
            let parts = &late[at + 2..at + 2 + count];
            self.values[number] = parts.iter().all(|&part| self.holds(Signal(part)));
            at += 2 + count;
        }
        let holding = self.wiring.goals.iter().filter(|goal| self.holds(goal.when));
        holding.map(|&Goal { role, value, .. }| (role as usize, value))
    }

    /// The payoff of each role; `None` if it is undefined or not unique.
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

    /// Plays uniformly at random from the current state to the end, for at most `most_steps` steps; returns the number
    /// of steps.
    pub fn play_out(&mut self, most_steps: u32, rng: &mut Rng) -> u32 {
        let mut steps = 0;
        while steps < most_steps && !self.is_terminal() && self.draw_joint(rng) {
            let joint = std::mem::take(&mut self.joint);
            self.advance(&joint);
            self.joint = joint;
            steps += 1;
        }
        steps
    }

    /// Draws a legal move for every role; false if one has none.
    #[inline]
    fn draw_joint(&mut self, rng: &mut Rng) -> bool {
        self.joint.clear();
        for role in 0..self.network.roles() {
            let Some(number) = self.random_move(role, rng) else { return false };
            self.joint.push(number);
        }
        true
    }

    fn holds(&self, signal: Signal) -> bool {
        self.values[signal.atom() as usize] != signal.is_negated()
    }

    /// Changes a value and notifies its listeners. Without guards there is less to update.
    #[inline]
    fn toggle<const COUNTED: bool, const GUARDED: bool>(&mut self, number: u32) {
        let number = number as usize;
        let value = !self.values[number];
        self.values[number] = value;
        if COUNTED {
            self.heat.changes[number] = self.heat.changes[number].saturating_add(1);
        }
        let wiring = &*self.wiring;
        let (from, to) = (wiring.spans[number], wiring.spans[number + 1]);
        let outputs = &mut self.outputs[..];
        for &bit in &wiring.outputs[from.outputs as usize..to.outputs as usize] {
            outputs[bit as usize / 64] ^= 1 << (bit % 64);
        }
        let (words, changed_words) = (&mut self.words[..], &mut self.changed_words[..]);
        if GUARDED {
            for guarded in &wiring.guarded[from.guarded as usize..to.guarded as usize] {
                let (word, gates) = (guarded.word as usize, guarded.gates);
                let Word { ready, open, changed } = &mut words[word];
                let turned = *ready & gates;
                *open ^= gates;
                *changed ^= turned;
                changed_words[word / 64] |= u64::from(turned != 0) << (word % 64);
            }
        }
        let missing = &mut self.missing[..];
        for &listener in &wiring.listeners[from.listeners as usize..to.listeners as usize] {
            let gate = (listener >> 1) as usize;
            // One less if the part now holds, one more if it no longer does; without a branch, because signs vary.
            let ceased = (listener & 1) ^ u32::from(!value);
            let before = missing[gate];
            let after = before.wrapping_sub(1).wrapping_add(2 * ceased);
            missing[gate] = after;
            if before.min(after) == 0 {
                let (word, bit) = (gate / 64, 1 << (gate % 64));
                let Word { ready, open, changed } = &mut words[word];
                if GUARDED {
                    let turned = *open & bit;
                    *ready ^= bit;
                    *changed ^= turned;
                    changed_words[word / 64] |= u64::from(turned != 0) << (word % 64);
                } else {
                    // Every gate is open, and readiness does not matter.
                    *changed ^= bit;
                    changed_words[word / 64] |= 1 << (word % 64);
                }
            }
        }
    }

    /// Propagates all changed gates, in order.
    #[inline]
    fn propagate<const COUNTED: bool, const GUARDED: bool>(&mut self) {
        for summary in 0..self.changed_words.len() {
            while self.changed_words[summary] != 0 {
                let word = summary * 64 + self.changed_words[summary].trailing_zeros() as usize;
                while self.words[word].changed != 0 {
                    let bit = self.words[word].changed.trailing_zeros() as usize;
                    self.words[word].changed &= self.words[word].changed - 1;
                    self.toggle::<COUNTED, GUARDED>((word * 64 + bit) as u32);
                }
                self.changed_words[summary] &= self.changed_words[summary] - 1;
            }
        }
    }
}

/// Computes the next facts: those that stay as they are, and the others from the outputs.
#[inline]
fn read_next(outputs: &[u64], facts: &[u64], steady: &[u64], next: &mut [u64]) {
    for (((next, &output), &fact), &steady) in next.iter_mut().zip(outputs).zip(facts).zip(steady) {
        *next = output & !steady | fact & steady;
    }
}

#[cfg(test)]
mod tests {
    use tesuji_core::Source;

    use super::*;
    use crate::{Grounding, GroundingLimits, SHEETS, Sheet, ground};

    fn network(name: &str) -> Arc<Network> {
        let text = SHEETS.iter().find(|(bundled, _)| *bundled == name).unwrap().1;
        let sheet = Sheet::read(Source::new(name, text)).unwrap();
        let Ok(Grounding::Done(ground, _)) = ground(&sheet, &GroundingLimits::default(), &|| false) else {
            panic!("{name} does not ground")
        };
        Arc::new(Network::new(&ground).unwrap())
    }

    #[test]
    fn machines_with_and_without_guards_go_through_the_same_states() {
        for (name, has_guards) in
            [("tic-tac-toe", false), ("breakthrough", true), ("reversi", true), ("tron-6x6", true), ("hex-9x9", false)]
        {
            let network = network(name);
            let mut guarded = Machine::new(Arc::clone(&network));
            assert_eq!(!guarded.wiring.guarded.is_empty(), has_guards, "{name}");
            let mut plain = Machine::wired(Arc::clone(&network), Wiring::new(&Plan::new(&network), None));
            assert!(plain.wiring.guarded.is_empty(), "{name}");
            let mut rng = Rng::new(5);
            for _ in 0..3 {
                guarded.load(network.initial());
                plain.load(network.initial());
                while !plain.is_terminal() && plain.draw_joint(&mut rng) {
                    let joint = plain.joint.clone();
                    plain.advance(&joint);
                    guarded.advance(&joint);
                    assert_eq!(guarded.facts(), plain.facts(), "{name}");
                    assert_eq!(guarded.is_terminal(), plain.is_terminal(), "{name}");
                    for role in 0..network.roles() {
                        assert!(guarded.legal(role).eq(plain.legal(role)), "{name}");
                    }
                }
                assert!(guarded.goals().eq(plain.goals()), "{name}");
            }
        }
    }
}

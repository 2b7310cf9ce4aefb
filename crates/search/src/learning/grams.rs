//! N-gram selection technique (NST): mean shares of action sequences of length 1 to 3 (or more) that end in the
//! player's own action.
//!
//! After Tak, Winands and Björnsson, "N-Grams and the Last-Good-Reply Policy Applied in General Game Playing" (2012),
//! and paper 001, §4.1. [`GramHistory`] sets what may precede the action:
//! - `Joint`: the preceding steps of all players. A joint move is one element, and so is an outcome of chance. In games
//!   with alternating moves this is the plain move sequence of the literature.
//! - `Own`: the same player's own earlier choices.
//!
//! Sequences begin at the root of the search; earlier moves of the match are not part of them. The score of an action
//! is the mean of the means of its sequences. Sequences longer than 1 count once they were seen `least` times, the
//! action alone always. An action never seen has no score.

use tesuji_core::Player;

use super::means::Means;
use super::trace::{Trace, join};

/// The longest sequence allowed.
pub(crate) const LONGEST_GRAM: usize = 5;

/// Which sequences are remembered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Grams {
    /// The longest sequence, from 1 to 5; 1 is MAST.
    pub longest: usize,
    /// A sequence longer than 1 counts once it was seen this often.
    pub least: u32,
    /// What may precede an action.
    pub history: GramHistory,
}

/// What may precede an action in a sequence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GramHistory {
    /// The preceding steps of all players.
    Joint,
    /// The same player's earlier choices.
    Own,
}

impl Grams {
    /// The score of an action by its key; `None` if it was never seen.
    #[inline]
    pub(super) fn score(self, means: &Means, context: &Context, key: u64) -> Option<f32> {
        let (visits, mut sum) = means.get(key);
        if visits == 0 {
            return None;
        }
        let mut counted = 1.0;
        for &before in &context.befores[..context.count] {
            let (visits, mean) = means.get(join(before, key));
            if visits >= self.least {
                sum += mean;
                counted += 1.0;
            }
        }
        Some(sum / counted)
    }

    /// Adds the shares to all sequences of a playout.
    pub(super) fn observe<A>(self, trace: &Trace<A>, shares: &[f64], contexts: &mut Contexts, means: &mut Means)
    where
        A: Copy + std::hash::Hash,
    {
        means.make_room(trace.choices.len() * self.longest);
        contexts.clear(self, shares.len());
        for step in 0..trace.steps.len() {
            for choice in trace.choices_of(step) {
                let share = shares[choice.player.index()] as f32;
                means.add(choice.key, share);
                let context = contexts.of(self, choice.player);
                for &before in &context.befores[..context.count] {
                    means.add(join(before, choice.key), share);
                }
            }
            contexts.step(self, trace, step);
        }
    }
}

/// What precedes the next choice: the last element, the last two, and so on.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Context {
    befores: [u64; LONGEST_GRAM - 1],
    count: usize,
}

impl Context {
    /// Adds an element.
    #[inline]
    fn push(&mut self, longest: usize, key: u64) {
        for length in (1..longest - 1).rev() {
            self.befores[length] = join(self.befores[length - 1], key);
        }
        self.befores[0] = join(1, key);
        self.count = (self.count + 1).min(longest - 1);
    }
}

/// The contexts of all players, or the one they share.
#[derive(Default)]
pub(super) struct Contexts(Vec<Context>);

impl Contexts {
    /// Resets to the empty context.
    #[inline]
    pub(super) fn clear(&mut self, grams: Grams, players: usize) {
        self.0.clear();
        self.0.resize(if grams.history == GramHistory::Own { players } else { 1 }, Context::default());
    }

    /// What precedes the next choice of `player`.
    #[inline]
    pub(super) fn of(&self, grams: Grams, player: Player) -> &Context {
        &self.0[if grams.history == GramHistory::Own { player.index() } else { 0 }]
    }

    /// Records a step of the trace.
    #[inline]
    pub(super) fn step<A: Copy + std::hash::Hash>(&mut self, grams: Grams, trace: &Trace<A>, step: usize) {
        if grams.longest == 1 {
            return;
        }
        match grams.history {
            GramHistory::Joint => self.0[0].push(grams.longest, trace.steps[step].key),
            GramHistory::Own => {
                for choice in trace.choices_of(step) {
                    self.0[choice.player.index()].push(grams.longest, choice.key);
                }
            }
        }
    }
}

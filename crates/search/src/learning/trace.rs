//! The trace of one playout from the root of the search: its choices in order, inside the tree and beyond.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;
use tesuji_core::{Player, Turn};

/// The choices of one playout.
pub(crate) struct Trace<A> {
    /// Every player's choices, in order; those of one joint move are adjacent.
    pub choices: Vec<Choice<A>>,
    /// For each step, its first choice and the key of everything in it, including outcomes of chance.
    pub steps: Vec<Step>,
}

/// One player's choice.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choice<A> {
    /// The player who chose.
    pub player: Player,
    /// The chosen action.
    pub action: A,
    /// A hash of both.
    pub key: u64,
    /// A hash of the states before and after, if a learner needs it.
    pub pair: u64,
}

/// One step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    /// The index of its first choice.
    pub first: u32,
    /// A hash of all its actions.
    pub key: u64,
}

impl<A> Default for Trace<A> {
    fn default() -> Self {
        Trace { choices: Vec::new(), steps: Vec::new() }
    }
}

impl<A: Copy + Hash> Trace<A> {
    /// Starts a new playout.
    pub(crate) fn clear(&mut self) {
        self.choices.clear();
        self.steps.clear();
    }

    /// Adds a step; `pair` is the hash of the states before and after it.
    #[inline]
    pub(crate) fn push(&mut self, turn: Turn, joint: &[A], pair: u64) {
        let first = self.choices.len() as u32;
        let mut key = 0;
        if turn == Turn::Chance {
            key = choice_key(NATURE, &joint[0]);
        } else {
            for (player, &action) in turn.movers().zip(joint) {
                let choice = Choice { player, action, key: choice_key(player, &action), pair };
                key = if key == 0 { choice.key } else { join(key, choice.key) };
                self.choices.push(choice);
            }
        }
        self.steps.push(Step { first, key });
    }

    /// The choices of a step.
    #[inline]
    pub(crate) fn choices_of(&self, step: usize) -> &[Choice<A>] {
        let end = self.steps.get(step + 1).map_or(self.choices.len(), |next| next.first as usize);
        &self.choices[self.steps[step].first as usize..end]
    }
}

/// Stands for chance in keys; no game has this many players.
const NATURE: Player = Player(u8::MAX);

/// The hash of a player's action.
#[inline]
pub(crate) fn choice_key<A: Hash>(player: Player, action: &A) -> u64 {
    join(hash_of(action), u64::from(player.0))
}

/// The hash of anything.
#[inline]
pub(crate) fn hash_of<T: Hash>(thing: &T) -> u64 {
    let mut hasher = FxHasher::default();
    thing.hash(&mut hasher);
    hasher.finish()
}

/// Combines two keys in order; the upper bits are well mixed.
#[inline]
pub(crate) fn join(one: u64, two: u64) -> u64 {
    // An odd multiplier with well spread bits (2⁶⁴ over the golden ratio), as in SplitMix64.
    let mixed = (one.rotate_left(29) ^ two).wrapping_add(0x632b_e59b_d9b4_e019).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ (mixed >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

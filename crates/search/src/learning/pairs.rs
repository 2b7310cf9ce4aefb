//! Mean shares of pairs of consecutive states, as proposed in the outlook of paper 001 (§5).
//!
//! A pair is the state before and after one player's sole choice, by hash; the mean is of that player's share. To
//! choose, the successor of every legal action is created and hashed: a step of such a playout costs as many steps as
//! there are actions, unless only a random `sample` of them is examined. Joint moves and chance are neither remembered
//! nor guided, since no single player determines the next state there.
//!
//! The paper does not define the value of an unseen pair. If most pairs are new, a high value makes playouts random.

use tesuji_core::Rng;

use super::means::Means;
use super::trace::Trace;

/// How pairs of states are looked up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StatePairs {
    /// The most actions to examine, drawn at random.
    pub sample: usize,
}

impl StatePairs {
    /// Reduces `actions` to the sample.
    #[inline]
    pub(super) fn sample<A>(self, actions: &mut Vec<A>, rng: &mut Rng) {
        if actions.len() > self.sample {
            for place in 0..self.sample {
                let other = place + rng.below(actions.len() - place);
                actions.swap(place, other);
            }
            actions.truncate(self.sample);
        }
    }

    /// Adds the shares to all pairs of a playout.
    pub(super) fn observe<A: Copy + std::hash::Hash>(self, trace: &Trace<A>, shares: &[f64], means: &mut Means) {
        means.make_room(trace.steps.len());
        for step in 0..trace.steps.len() {
            if let [choice] = trace.choices_of(step) {
                means.add(choice.pair, shares[choice.player.index()] as f32);
            }
        }
    }
}

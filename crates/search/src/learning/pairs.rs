//! Mean shares of pairs of consecutive states, as paper 001 proposes in its outlook (§5).
//!
//! A pair is the state before and after one player's lone choice, by hash; the mean is of that player's share. To choose, the
//! next state of every legal action is made and hashed: a step of such a playout costs as many steps as there are actions,
//! unless only a random `sample` of them is looked at. Joint moves and nature are neither remembered nor guided: the next
//! state is not one player's to choose there.
//!
//! The paper leaves open what a pair never seen is worth. Where most pairs are new, a high worth makes playouts random.

use tesuji_core::Rng;

use super::means::Means;
use super::trace::Trace;

/// How pairs of states are looked up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StatePairs {
    /// At most this many actions are looked at, drawn at random.
    pub sample: usize,
}

impl StatePairs {
    /// Leaves the sample of `actions`.
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

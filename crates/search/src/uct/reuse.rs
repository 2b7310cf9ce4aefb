//! From one decision of a match to the next: keep what was learnt about the state that was reached.

use tesuji_core::{Game, Player};

use super::tree::{ROOT, Tree};
use crate::Seat;

/// Where the root of the tree stands in the match.
pub(super) struct Standpoint<G: Game> {
    state: G::State,
    player: Player,
    steps: usize,
}

impl<G: Game> Standpoint<G> {
    /// The standpoint of a decision.
    pub fn of(seat: &Seat<'_, G>) -> Standpoint<G> {
        Standpoint { state: seat.state.clone(), player: seat.player, steps: seat.history.len() }
    }

    /// The node of `seat.state` in a tree rooted at this standpoint, by the steps played since.
    ///
    /// `None` if the tree does not reach so far, if another player asks, or if the steps do not lead there: the history
    /// of another match, or steps taken back. The same state asked about again is no step further, and `None` as well:
    /// equal questions have equal answers.
    pub fn walk(&self, tree: &Tree<G>, seat: &Seat<'_, G>) -> Option<u32> {
        if self.player != seat.player || seat.history.len() <= self.steps {
            return None;
        }
        let mut state = self.state.clone();
        let mut node = ROOT;
        for step in self.steps..seat.history.len() {
            let joint = seat.history.step(step);
            node = tree.child(node, joint)?;
            // The tree knows these actions, so they are legal in the state they are played in.
            seat.game.apply(&mut state, joint);
        }
        (state == *seat.state).then_some(node)
    }
}

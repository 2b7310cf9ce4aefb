//! Tree reuse: keeps the subtree of the reached state from one decision of a match to the next.

use tesuji_core::Game;

use super::tree::{ROOT, Tree};
use crate::Seat;
use crate::standpoint::Standpoint;

impl<G: Game> Tree<G> {
    /// The node of `seat.state`, found by the steps played since the tree was rooted at `before`.
    ///
    /// `None` if the tree does not reach that far, if another player asks, or if the steps do not lead there: the
    /// history of another match, or undone steps.
    pub(super) fn walk(&self, before: &Standpoint<G>, seat: &Seat<'_, G>) -> Option<u32> {
        if !before.comes_before(seat) {
            return None;
        }
        let mut state = before.state.clone();
        let mut node = ROOT;
        for step in before.steps..seat.history.len() {
            let joint = seat.history.step(step);
            node = self.child(node, joint)?;
            // The tree knows these actions, so they are legal in the state in which they are played.
            seat.game.apply(&mut state, joint);
        }
        (state == *seat.state).then_some(node)
    }
}

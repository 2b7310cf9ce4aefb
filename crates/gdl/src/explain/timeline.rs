//! The states of a match, for questions about them.

use crate::GroundTerm;
use crate::interpreter::Facts;

/// The states of a match and the moves between them.
pub struct Timeline {
    pub(super) states: Vec<Facts>,
    pub(super) joints: Vec<Vec<GroundTerm>>,
    /// Whether the first state was given rather than derived from `init`.
    pub(super) given: bool,
    /// The states whose facts are known to be right: explanations stop there.
    pub(super) confirmed: Vec<bool>,
}

impl Timeline {
    /// The number of the last state: the number of joint moves.
    pub fn last(&self) -> usize {
        self.joints.len()
    }

    /// Marks the facts of a state as right, so that explanations do not ask where they come from.
    pub fn confirm(&mut self, step: usize) {
        if let Some(confirmed) = self.confirmed.get_mut(step) {
            *confirmed = true;
        }
    }
}

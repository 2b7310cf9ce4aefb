//! Who sees the steps of a match.

use tesuji_core::Game;

/// Sees the steps of a match, for example to write them down.
pub trait StepObserver<G: Game> {
    /// Called before each step is made: with the state in which the joint action was chosen. Not called when steps are
    /// replayed by [`Match::undo`](crate::Match::undo) or
    /// [`Match::branch`](crate::Match::branch).
    fn step(&mut self, game: &G, state: &G::State, joint: &[G::Action]);
}

/// Nobody observes.
impl<G: Game> StepObserver<G> for () {
    #[inline]
    fn step(&mut self, _: &G, _: &G::State, _: &[G::Action]) {}
}

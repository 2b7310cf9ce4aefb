//! What exact solvers may use: clocks to ignore, positions of equal value, bounds, actions that matter.

use crate::{Game, Player};

/// A clock of the states that is there only so that every match ends.
pub trait Clock<G: Game>: Send + Sync {
    /// Resets what `state` counts only because every match must end, such as steps made.
    ///
    /// States that differ in nothing else become equal, and a solver works on the game without that limit. A limit
    /// that can come into play is part of the game and stays.
    fn forget(&self, game: &G, state: &mut G::State);
}

/// Hints for solving a game of two players with a constant sum.
///
/// Who offers them also promises that play never returns to a position: a solver may search to the end.
pub trait SolverHints<G: Game>: Send + Sync {
    /// A key that only positions of equal value share, where the game knows more than equality: symmetries, or parts
    /// that do not matter.
    ///
    /// Games of one type but with different parameters may be solved together, so the key holds every parameter that
    /// matters. A key may be a hash of 128 bits: two of a billion positions collide with a probability of 10⁻²¹.
    fn fingerprint(&self, game: &G, state: &G::State) -> Fingerprint;

    /// Bounds of the first player's value that are plain to see: the least and the greatest it can be.
    #[inline]
    fn bounds(&self, game: &G, _state: &G::State) -> (f64, f64) {
        game.spec().payoffs
    }

    /// Appends actions of `player` among which a best one is, whatever the other plays, the likeliest first.
    #[inline]
    fn candidates(&self, game: &G, state: &G::State, player: Player, out: &mut Vec<G::Action>) {
        game.legal(state, player, out);
    }

    /// The letters by which outcome classes name wins of the first and of the second player, where the literature
    /// sorts the game's positions into such classes.
    fn outcome_letters(&self, _game: &G) -> Option<[char; 2]> {
        None
    }
}

/// The answer of [`SolverHints::fingerprint`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fingerprint {
    /// Positions with equal keys are worth the same, but for players who are exchanged.
    pub key: u128,
    /// Does the key stand for the position in which the two players have exchanged places? What one gets there, the
    /// other gets here.
    pub exchanged: bool,
    /// Is the position the same when the players exchange places? It is worth the same to both then.
    pub even: bool,
}

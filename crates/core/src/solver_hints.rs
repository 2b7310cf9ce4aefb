//! Hints for exact solvers: clocks to ignore, positions of equal value, bounds and actions that suffice.

use crate::{Game, Player};

/// A step counter in states that exists only to end every match.
pub trait Clock<G: Game>: Send + Sync {
    /// Resets the part of `state` that counts only to end every match, such as the number of steps.
    ///
    /// States that differ only there become equal, and a solver works on the game without the limit. A limit that can
    /// affect play is part of the game and must stay.
    fn forget(&self, game: &G, state: &mut G::State);
}

/// Hints for solving a two-player constant-sum game.
///
/// A game that offers them also guarantees that no position repeats, so that a solver may search to the end.
pub trait SolverHints<G: Game>: Send + Sync {
    /// A key shared only by positions of equal value.
    ///
    /// It is for games that know more than equality of states: symmetries, or parts that do not matter.
    ///
    /// Games of one type with different parameters may be solved together, so the key includes every parameter that
    /// matters. A key may be a 128-bit hash: two of a billion positions collide with probability 10⁻²¹.
    fn fingerprint(&self, game: &G, state: &G::State) -> Fingerprint;

    /// Cheap bounds on the first player's value: the least and the greatest it can be.
    #[inline]
    fn bounds(&self, game: &G, _state: &G::State) -> (f64, f64) {
        game.spec().payoffs
    }

    /// Appends actions of `player` that include a best one whatever the other player does, most promising first.
    #[inline]
    fn candidates(&self, game: &G, state: &G::State, player: Player, out: &mut Vec<G::Action>) {
        game.legal(state, player, out);
    }

    /// A state in which everything that matters is the same and as little else as possible: the same legal actions, now
    /// and after any of them, and the same payoffs.
    fn essence(&self, _game: &G, state: &G::State) -> G::State {
        state.clone()
    }

    /// The letters for wins of the first and the second player in names of outcome classes, if the literature
    /// classifies the game's positions that way.
    fn outcome_letters(&self, _game: &G) -> Option<[char; 2]> {
        None
    }
}

/// The result of [`SolverHints::fingerprint`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fingerprint {
    /// Positions with equal keys have equal values, up to exchanging the players.
    pub key: u128,
    /// Whether the key stands for the position with the two players exchanged: the first player's value there is the
    /// second player's value here.
    pub exchanged: bool,
    /// Whether the position is unchanged when the players are exchanged. Then both players have the same value.
    pub even: bool,
}

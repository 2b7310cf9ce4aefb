//! What a search of whole turns must know about a game: attacks, pieces and local fights.

use crate::{Game, Policy};

/// Tells attacks from quiet actions.
pub trait Attacks<G: Game>: Send + Sync {
    /// Is `action`, legal in `state`, forcing: an attack, a capture?
    fn is_attack(&self, game: &G, state: &G::State, action: G::Action) -> bool;
}

/// Tactics of turns with many actions, in games where every piece of a side acts at most once a turn.
pub trait Tactics<G: Game>: Attacks<G> {
    /// The piece that acts.
    fn piece(&self, game: &G, state: &G::State, action: G::Action) -> u32;

    /// Appends a few actions of `piece`, which can act now, that represent all it can do: at least one.
    fn representatives(&self, game: &G, state: &G::State, piece: u32, out: &mut Vec<G::Action>);

    /// The policy for pieces that attack nobody: it never picks an [attack](Attacks::is_attack).
    fn quiet_policy(&self, game: &G) -> Box<dyn Policy<G>>;

    /// Divides a state into local fights.
    ///
    /// In each part only pieces that may soon meet the same enemies can act before the turn passes: at most `most` of
    /// them, which is not 0. All others are there but stay where they are. No piece can act in two parts, and a piece
    /// that meets nobody soon acts in none.
    fn fights(&self, game: &G, state: &G::State, most: u32) -> Vec<G::State>;
}

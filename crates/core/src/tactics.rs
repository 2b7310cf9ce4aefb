//! Tactics for searching whole turns: attacks, pieces and local fights.

use crate::{Game, Policy};

/// Distinguishes attacks from quiet actions.
pub trait Attacks<G: Game>: Send + Sync {
    /// Whether `action`, which is legal in `state`, is forcing: an attack or a capture.
    fn is_attack(&self, game: &G, state: &G::State, action: G::Action) -> bool;
}

/// Tactics for turns of many actions, in games where every piece of a side acts at most once per turn.
pub trait Tactics<G: Game>: Attacks<G> {
    /// The piece that `action` moves.
    fn piece(&self, game: &G, state: &G::State, action: G::Action) -> u32;

    /// Appends a few actions of `piece`, which can act now, that represent all its actions: at least one.
    fn representatives(&self, game: &G, state: &G::State, piece: u32, out: &mut Vec<G::Action>);

    /// The policy for pieces without a target: it never picks an [attack](Attacks::is_attack).
    fn quiet_policy(&self, game: &G) -> Box<dyn Policy<G>>;

    /// Divides a state into local fights.
    ///
    /// In each part, only pieces that may soon meet the same enemies can act before the turn passes: at most `most` of
    /// them (`most` > 0). The other pieces are present but stay where they are. No piece can act in two parts, and a
    /// piece that soon meets nobody acts in none.
    fn fights(&self, game: &G, state: &G::State, most: u32) -> Vec<G::State>;

    /// Whether the match, which is over in `state`, was ended by a limit while both sides could still fight. Never, by
    /// default.
    fn ended_by_limit(&self, _game: &G, _state: &G::State) -> bool {
        false
    }
}

//! Sparse features of states, for evaluations that are learned.

use crate::{Game, Named, Player, Turn};

/// The identity of a feature set. A network fits a game only if all of it is equal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FeatureSet {
    /// The name of the set; it includes what changes the meaning of an input, such as the size of a board.
    pub name: String,
    /// The version, increased when the meaning of an input changes.
    pub version: u32,
    /// The number of inputs: every index is below it.
    pub inputs: usize,
    /// The greatest number of active features of a state, counted with repetitions.
    pub most_active: usize,
}

/// Describes a state by the indices of its active features, for networks that learn to evaluate states.
///
/// Features are seen by one player: a symmetric position has the same features for both sides, so that one network
/// serves all seats.
pub trait ValueFeatures<G: Game>: Send + Sync {
    /// The feature set of this game.
    fn set(&self, game: &G) -> FeatureSet;

    /// Appends the active features of `state` as `player` sees it, in any order. A feature that counts twice is written
    /// twice. Writes nothing else and does not allocate, except to let `out` grow.
    ///
    /// The match is not over in `state`. If [`covers_chance`](ValueFeatures::covers_chance) is false, a player acts.
    fn active(&self, game: &G, state: &G::State, player: Player, out: &mut Vec<u32>);

    /// The player from whose side `state` is evaluated in a game for two with a constant sum: by default the player who
    /// acts. The other player's value follows from it, so the network need not learn both sides.
    fn viewer(&self, game: &G, state: &G::State) -> Player {
        match game.turn(state) {
            Turn::Player(player) => player,
            _ => Player(0),
        }
    }

    /// Whether states in which chance acts next are described too. A search can then evaluate such a state itself
    /// instead of all its outcomes.
    fn covers_chance(&self) -> bool {
        false
    }

    /// The trained networks on offer; the first is the default.
    fn networks(&self, _game: &G) -> &'static [Named] {
        &[]
    }

    /// The network called `name`, as the text of its file.
    fn network(&self, _game: &G, _name: &str) -> Option<&'static str> {
        None
    }
}

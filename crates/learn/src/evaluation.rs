//! A network as an evaluation of states.

use std::cell::Cell;
use std::sync::Arc;

use tesuji_core::{Evaluation, Features, Game, InputError, Knowledge, Player, ValueFeatures};

use crate::Network;

thread_local! {
    /// The buffer for active features: evaluations are shared by threads and must not allocate.
    static ACTIVE: Cell<Vec<u32>> = const { Cell::new(Vec::new()) };
}

/// A network as an evaluation of the states of one game: values are shares, 0 to 1.
pub struct NetworkEvaluation<G: Game> {
    network: Arc<Network>,
    features: &'static dyn ValueFeatures<G>,
    /// Whether the value of one player gives that of the other: two players with a constant sum.
    one_view: bool,
}

impl<G: Knowledge> NetworkEvaluation<G> {
    /// The network as an evaluation of `game`; refuses a network of another game, version or feature set.
    pub fn new(network: Arc<Network>, game: &G) -> Result<NetworkEvaluation<G>, InputError> {
        let features = value_features(game)?;
        network.lineage().check(game.spec(), &features.set(game))?;
        Ok(NetworkEvaluation::of(network, game, features))
    }

    /// Like [`new`](NetworkEvaluation::new), without a check.
    pub(crate) fn of(network: Arc<Network>, game: &G, features: &'static dyn ValueFeatures<G>) -> NetworkEvaluation<G> {
        let spec = game.spec();
        let one_view = spec.players.len() == 2 && !spec.features.contains(Features::GENERAL_SUM);
        NetworkEvaluation { network, features, one_view }
    }
}

impl<G: Game> NetworkEvaluation<G> {
    /// Whether states in which chance acts are described too.
    pub(crate) fn describes_chance(&self) -> bool {
        self.features.covers_chance()
    }

    /// The share that `player` can expect, from 0 to 1.
    #[inline]
    pub fn share(&self, game: &G, state: &G::State, player: Player) -> f32 {
        let viewer = if self.one_view { self.features.viewer(game, state) } else { player };
        let mut active = ACTIVE.take();
        active.clear();
        self.features.active(game, state, viewer, &mut active);
        let share = self.network.share(&active);
        ACTIVE.set(active);
        if viewer == player { share } else { 1.0 - share }
    }
}

impl<G: Game> Evaluation<G> for NetworkEvaluation<G> {
    fn value(&self, game: &G, state: &G::State, player: Player) -> f64 {
        f64::from(self.share(game, state, player))
    }

    fn is_share(&self) -> bool {
        true
    }

    fn covers_chance(&self) -> bool {
        self.features.covers_chance()
    }
}

/// The game's features for learned evaluations; an error if it has none.
pub(crate) fn value_features<G: Knowledge>(game: &G) -> Result<&'static dyn ValueFeatures<G>, InputError> {
    game.value_features().ok_or_else(|| {
        let name = &game.spec().name;
        InputError::new(format!("`{name}` offers no features for learned evaluations (capability `value_features`)"))
            .with_help("`tesuji train --list` lists the games that do")
    })
}

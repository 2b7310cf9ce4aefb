//! A game with the agents that can be built for it: what tables, rings and meters hold.

use std::ops::Deref;
use std::sync::Arc;

use tesuji_core::{Game, InputError};
use tesuji_play::Agent;

use crate::agents::{AgentInfo, Builder};

/// A game, and the agents of the catalogue that opened it. Cheap to clone.
pub(crate) struct Playable<G: Game> {
    game: Arc<G>,
    agents: Arc<dyn Builder<G>>,
}

impl<G: Game> Clone for Playable<G> {
    fn clone(&self) -> Self {
        Playable { game: Arc::clone(&self.game), agents: Arc::clone(&self.agents) }
    }
}

impl<G: Game> Deref for Playable<G> {
    type Target = G;

    fn deref(&self) -> &G {
        &self.game
    }
}

impl<G: Game> Playable<G> {
    pub(crate) fn new(game: G, agents: Arc<dyn Builder<G>>) -> Playable<G> {
        Playable { game: Arc::new(game), agents }
    }

    /// Whether both are one opened game.
    pub(crate) fn is(&self, other: &Playable<G>) -> bool {
        Arc::ptr_eq(&self.game, &other.game)
    }

    /// The game alone.
    pub(crate) fn shared(&self) -> Arc<G> {
        Arc::clone(&self.game)
    }

    /// Descriptions of all agents of the catalogue, also of those that cannot play this game.
    pub(crate) fn agent_infos(&self) -> &[AgentInfo] {
        self.agents.infos()
    }

    /// Builds an agent for this game, or says why it cannot play.
    pub(crate) fn build_agent(&self, address: &str) -> Result<Box<dyn Agent<G>>, InputError> {
        self.agents.build(address, &self.game)
    }

    /// Is an agent another program?
    pub(crate) fn is_outside(&self, address: &str) -> bool {
        self.agents.is_outside(address)
    }

    /// What an agent's decisions depend on beside its address: the contents of files.
    pub(crate) fn agent_contents(&self, address: &str) -> Result<String, InputError> {
        self.agents.contents(address, &self.game)
    }
}

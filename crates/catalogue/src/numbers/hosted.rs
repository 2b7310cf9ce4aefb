//! `hosted`: an agent that belongs to the program around Tesuji, such as an object of a Python program.
//!
//! Tournaments name agents by addresses. The host registers its agent under a name, and the address `hosted(NAME)`
//! finds it. Programs add the kind to their catalogue if they host agents.

use std::any::Any;
use std::sync::Arc;

use tesuji_core::laws::Complete;
use tesuji_core::{Actor, Arguments, Capabilities, Features, InputError, Parameter, Player, Rng};
use tesuji_play::{Agent, AgentKind, Budget, Decision, Failure, Registry, Seat, Trust};

use super::Numbers;
use super::position::HeldState;

/// An agent of the host.
pub trait HostedAgent: Send + Sync {
    /// Called when a match begins.
    fn begin(&self);

    /// The number of the action that `player` chooses in a state of the game with this address.
    ///
    /// [`ByNumbers::adopt`](crate::ByNumbers::adopt) makes a position of the state. `seed` is for whatever is random in
    /// the choice. An error ends the match: the agent has lost it.
    fn choose(&self, game: &str, state: &dyn Any, player: Player, seed: u64) -> Result<u32, String>;
}

static AGENTS: Registry<dyn HostedAgent> = Registry::new();

/// The kind `hosted`.
pub struct HostedKind;

impl HostedKind {
    /// The agents of the host, by name.
    pub fn agents() -> &'static Registry<dyn HostedAgent> {
        &AGENTS
    }
}

impl AgentKind for HostedKind {
    const NAME: &'static str = "hosted";
    const SUMMARY: &'static str = "An agent of the program around Tesuji, such as a Python object";
    const HANDLES: Features = Features::OPEN;
    const NEEDS: Capabilities = Capabilities::NUMBERS;
    // It can do whatever the host does, and may draw random numbers of its own.
    const TRUST: Trust = Trust::StartsPrograms;
    const PARAMETERS: &'static [Parameter] = &[Parameter::required("name", "the name that the host registered")];

    fn build<G: Complete>(arguments: &Arguments, game: &G) -> Result<Box<dyn Agent<G>>, InputError> {
        let Numbers { index, .. } = Numbers::of(game)?;
        let agent = AGENTS.get(arguments.text("name"));
        let agent = agent.ok_or_else(|| arguments.wrong("name", "the name of a registered agent"))?;
        Ok(Box::new(Hosted { agent, index }))
    }
}

struct Hosted<G: Complete> {
    agent: Arc<dyn HostedAgent>,
    index: &'static dyn tesuji_core::ActionIndex<G>,
}

impl<G: Complete> Agent<G> for Hosted<G> {
    fn begin(&mut self) {
        self.agent.begin();
    }

    fn choose(&mut self, seat: Seat<'_, G>, _: &Budget, rng: &mut Rng) -> Result<Decision<G::Action>, Failure> {
        let address = &seat.game.spec().name;
        let held = HeldState::<G>(seat.state.clone());
        let number = self.agent.choose(address, &held, seat.player, rng.bits()).map_err(Failure::Broken)?;
        let action = self.index.action(seat.game, Actor::Player(seat.player), number);
        Ok(Decision::pure(action.ok_or_else(|| Failure::Illegal(number.to_string()))?))
    }
}

//! Agents of an erased game.

use std::sync::Arc;

use tesuji_core::Rng;
use tesuji_core::laws::Complete;
use tesuji_play::{Agent, Budget, Decision, Failure, Seat, Thought, Watcher};

use super::rules::TypedRules;
use super::{Action, Erased};

/// An agent that searches with the game's own types, behind a face without them.
pub(super) struct Adapted<G: Complete> {
    pub rules: Arc<TypedRules<G>>,
    pub agent: Box<dyn Agent<G>>,
}

impl<G: Complete> Adapted<G> {
    /// Calls the agent with its own types.
    fn with<T>(&mut self, seat: Seat<'_, Erased>, call: impl FnOnce(&mut dyn Agent<G>, Seat<'_, G>) -> T) -> T {
        let Adapted { rules, agent } = self;
        let history = rules.history(seat.history);
        let mut watcher = seat.watcher.map(|watcher| Translated { rules, watcher });
        let seat = Seat {
            game: &*rules.game,
            state: rules.state(seat.state),
            player: seat.player,
            history: &history,
            watcher: watcher.as_mut().map(|watcher| watcher as &mut dyn Watcher<G::Action>),
        };
        call(&mut **agent, seat)
    }
}

impl<G: Complete> Agent<Erased> for Adapted<G> {
    fn begin(&mut self) {
        self.agent.begin();
    }

    fn prepare(&mut self, seat: Seat<'_, Erased>, budget: &Budget, rng: &mut Rng) -> Result<(), Failure> {
        self.with(seat, |agent, seat| agent.prepare(seat, budget, rng))
    }

    fn choose(&mut self, seat: Seat<'_, Erased>, budget: &Budget, rng: &mut Rng) -> Result<Decision<Action>, Failure> {
        let decision = self.with(seat, |agent, seat| agent.choose(seat, budget, rng))?;
        Ok(decision.map(&mut |action| self.rules.number(action)))
    }

    fn end(&mut self) {
        self.agent.end();
    }

    fn transcript(&mut self) -> Option<String> {
        self.agent.transcript()
    }
}

/// Passes the thoughts of an agent to a watcher without its types.
struct Translated<'a, G: Complete> {
    rules: &'a TypedRules<G>,
    watcher: &'a mut dyn Watcher<Action>,
}

impl<G: Complete> Watcher<G::Action> for Translated<'_, G> {
    fn look(&mut self, thought: &Thought<G::Action>) -> bool {
        self.watcher.look(&thought.map(&mut |action| self.rules.number(action)))
    }
}

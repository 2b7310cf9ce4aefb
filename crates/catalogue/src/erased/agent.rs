//! Agents between a game and the same game erased, in both directions.

use std::sync::Arc;

use tesuji_core::Rng;
use tesuji_core::laws::Complete;
use tesuji_play::{Agent, Budget, Decision, Failure, Seat, Thought, Watcher};

use super::rules::TypedRules;
use super::{Action, Erased, State};

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
        let mut watcher = seat.watcher.map(|watcher| Translated { watcher, to: |action| rules.number(action) });
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

/// An agent that does not search and knows no types, for a game that has them.
pub(super) struct Typed<G: Complete> {
    pub rules: Arc<TypedRules<G>>,
    pub game: Erased,
    pub agent: Box<dyn Agent<Erased>>,
}

impl<G: Complete> Typed<G> {
    /// Calls the agent without types.
    fn with<T>(&mut self, seat: Seat<'_, G>, call: impl FnOnce(&mut dyn Agent<Erased>, Seat<'_, Erased>) -> T) -> T {
        let Typed { rules, game, agent } = self;
        let history = rules.numbered(seat.history);
        let state = State::new(seat.state.clone());
        let mut watcher = seat.watcher.map(|watcher| Translated { watcher, to: |number| rules.action(number) });
        let seat = Seat {
            game: &*game,
            state: &state,
            player: seat.player,
            history: &history,
            watcher: watcher.as_mut().map(|watcher| watcher as &mut dyn Watcher<Action>),
        };
        call(&mut **agent, seat)
    }
}

impl<G: Complete> Agent<G> for Typed<G> {
    fn begin(&mut self) {
        self.agent.begin();
    }

    fn prepare(&mut self, seat: Seat<'_, G>, budget: &Budget, rng: &mut Rng) -> Result<(), Failure> {
        self.with(seat, |agent, seat| agent.prepare(seat, budget, rng))
    }

    fn choose(&mut self, seat: Seat<'_, G>, budget: &Budget, rng: &mut Rng) -> Result<Decision<G::Action>, Failure> {
        let decision = self.with(seat, |agent, seat| agent.choose(seat, budget, rng))?;
        Ok(decision.map(&mut |number| self.rules.action(number)))
    }

    fn end(&mut self) {
        self.agent.end();
    }

    fn transcript(&mut self) -> Option<String> {
        self.agent.transcript()
    }
}

/// Passes the thoughts of an agent to a watcher that knows actions by another type.
struct Translated<'a, A, To> {
    watcher: &'a mut dyn Watcher<A>,
    to: To,
}

impl<A, B: Copy, To: Fn(B) -> A> Watcher<B> for Translated<'_, A, To> {
    fn look(&mut self, thought: &Thought<B>) -> bool {
        self.watcher.look(&thought.map(&mut |action| (self.to)(action)))
    }
}

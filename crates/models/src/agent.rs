//! The agent `llm`: a conversation with an endpoint, for games of one type.

use std::time::Instant;

use tesuji_core::laws::Complete;
use tesuji_core::{Actor, Rng, legal_actions};
use tesuji_play::{Agent, Budget, Decision, Failure, Seat};

use crate::endpoint::Endpoint;
use crate::{Conversation, Transcript, View};

/// A language model as a player.
pub(crate) struct LlmAgent {
    conversation: Conversation,
    endpoint: Endpoint,
}

impl LlmAgent {
    pub(crate) fn new(conversation: Conversation, endpoint: Endpoint) -> LlmAgent {
        LlmAgent { conversation, endpoint }
    }
}

impl<G: Complete> Agent<G> for LlmAgent {
    fn begin(&mut self) {
        self.conversation.begin();
    }

    /// A budget of time is the time for all requests of a decision; other budgets mean nothing to a model.
    fn choose(&mut self, seat: Seat<'_, G>, budget: &Budget, _: &mut Rng) -> Result<Decision<G::Action>, Failure> {
        let begun = Instant::now();
        let view = View::of(&seat);
        self.endpoint.start(budget.time);
        let place = self.conversation.decide(&view, &mut self.endpoint)?;
        let action = legal_actions(seat.game, seat.state, Actor::Player(seat.player))[place];
        let mut decision = Decision::pure(action);
        decision.thought.time = begun.elapsed();
        Ok(decision)
    }

    fn transcript(&mut self) -> Option<String> {
        self.conversation.take().as_ref().map(Transcript::write)
    }
}

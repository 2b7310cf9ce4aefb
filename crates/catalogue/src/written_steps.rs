//! The steps of a match as text.

use tesuji_core::Actor;
use tesuji_core::laws::Complete;
use tesuji_play::StepObserver;

use crate::any_match::LiveStep;
use crate::decision_text::{DecisionText, actor_name, joint_texts};

/// The steps of a match in text. The machine passes it each step.
pub(crate) struct WrittenSteps {
    pub made: Vec<LiveStep>,
    /// By player: the thought behind an agent's choice for the next step.
    pub thoughts: Vec<Option<DecisionText>>,
}

impl WrittenSteps {
    pub(crate) fn new(players: usize, made: Vec<LiveStep>) -> WrittenSteps {
        WrittenSteps { made, thoughts: vec![None; players] }
    }
}

impl<G: Complete> StepObserver<G> for WrittenSteps {
    fn step(&mut self, game: &G, state: &G::State, joint: &[G::Action]) {
        let turn = game.turn(state);
        let decision = |actor| match actor {
            Actor::Player(player) => self.thoughts[player.index()].take(),
            Actor::Chance => None,
        };
        self.made.push(LiveStep {
            actors: turn.actors().map(|actor| actor_name(game, actor)).collect(),
            joint: joint_texts(game, state, joint),
            decisions: turn.actors().map(decision).collect(),
        });
    }
}

//! The steps of a match as text.

use tesuji_core::Actor;
use tesuji_core::laws::Complete;
use tesuji_play::StepObserver;

use crate::any_match::{LiveStep, ShownAction};
use crate::decision_text::{DecisionText, actor_name, joint_texts};

/// The steps of a match in text. The machine passes it each step.
pub(crate) struct WrittenSteps {
    pub made: Vec<LiveStep>,
    /// For each step: its actions as people see them.
    pub shown: Vec<Vec<ShownAction>>,
    /// By player: the thought behind an agent's choice for the next step.
    pub thoughts: Vec<Option<DecisionText>>,
}

impl WrittenSteps {
    pub(crate) fn new(players: usize, made: Vec<LiveStep>, shown: Vec<Vec<ShownAction>>) -> WrittenSteps {
        WrittenSteps { made, shown, thoughts: vec![None; players] }
    }

    /// Forgets all steps after the first `steps`.
    pub(crate) fn truncate(&mut self, steps: usize) {
        self.made.truncate(steps);
        self.shown.truncate(steps);
        self.thoughts.fill(None);
    }
}

impl<G: Complete> StepObserver<G> for WrittenSteps {
    fn step(&mut self, game: &G, state: &G::State, joint: &[G::Action]) {
        let turn = game.turn(state);
        let shown = |(actor, &action): (Actor, &G::Action)| ShownAction {
            phrase: game.phrase(state, actor, action),
            clicks: game.clicks(state, actor, action),
            note: game.note(state, actor, action),
        };
        self.shown.push(turn.actors().zip(joint).map(shown).collect());
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

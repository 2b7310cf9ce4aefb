//! Decisions and thoughts of agents as text.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use tesuji_core::laws::Complete;
use tesuji_core::{Actor, Game, Player};
use tesuji_play::{Thought, Watcher};

/// A decision as text.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct DecisionText {
    /// What it does.
    pub action: String,
    /// What it expects its player to get.
    pub value: Option<f64>,
    /// Its legal actions, the best first.
    pub candidates: Vec<CandidateText>,
    /// What it expects to happen, step by step.
    pub line: Vec<Vec<String>>,
    /// The greatest depth reached, in steps.
    pub depth: u32,
    /// Nodes held.
    pub nodes: u64,
    /// Playouts made.
    pub playouts: u64,
    /// Time taken.
    pub time: Duration,
    /// The limit that ended the search, if the agent says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<String>,
    /// What the agent asked and was answered, if it keeps that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transcript: Option<String>,
}

/// What is known of one action, as text.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CandidateText {
    /// The action.
    pub action: String,
    /// How often it was tried.
    pub visits: u64,
    /// What it is worth to the one who chooses.
    pub value: Option<f64>,
    /// How likely it looked beforehand.
    pub prior: Option<f64>,
    /// The probability with which it is played.
    pub probability: f64,
}

/// Receives an agent's thoughts while it searches.
pub trait Listener {
    /// What the agent would answer if asked to stop here; returning `false` asks it to stop. Called at most twenty
    /// times a second.
    fn hear(&mut self, thought: &DecisionText) -> bool;
}

/// The name of an actor: the player's, or `chance`.
pub(crate) fn actor_name(game: &impl Game, actor: Actor) -> String {
    match actor {
        Actor::Player(player) => game.spec().player_name(player).to_owned(),
        Actor::Chance => "chance".to_owned(),
    }
}

/// The texts of a joint action.
pub(crate) fn joint_texts<G: Complete>(game: &G, state: &G::State, joint: &[G::Action]) -> Vec<String> {
    game.turn(state).actors().zip(joint).map(|(actor, &action)| game.action_text(state, actor, action)).collect()
}

impl DecisionText {
    /// A thought in text. `chosen` is the decision; without one, the best candidate stands for it.
    pub(crate) fn of<G: Complete>(
        game: &G,
        state: &G::State,
        player: Player,
        thought: &Thought<G::Action>,
        chosen: Option<(G::Action, Option<f64>)>,
    ) -> DecisionText {
        let text = |action| game.action_text(state, Actor::Player(player), action);
        let candidates = thought.candidates.iter().map(|candidate| CandidateText {
            action: text(candidate.action),
            visits: candidate.visits,
            value: candidate.value,
            prior: candidate.prior,
            probability: candidate.probability,
        });
        let mut reached = state.clone();
        let mut line = Vec::new();
        for joint in &thought.line {
            line.push(joint_texts(game, &reached, joint));
            game.apply(&mut reached, joint);
        }
        let best = thought.candidates.first().map(|candidate| (candidate.action, candidate.value));
        let (action, value) = chosen.or(best).map_or((String::new(), None), |(action, value)| (text(action), value));
        DecisionText {
            action,
            value,
            candidates: candidates.collect(),
            line,
            depth: thought.depth,
            nodes: thought.nodes,
            playouts: thought.playouts,
            time: thought.time,
            limit: thought.limit.map(|limit| limit.to_string()),
            transcript: None,
        }
    }
}

/// Puts an agent's thoughts into text for a listener.
pub(crate) struct TextWatcher<'a, G: Complete> {
    pub game: &'a G,
    pub state: &'a G::State,
    pub player: Player,
    pub listener: &'a mut dyn Listener,
}

impl<G: Complete> Watcher<G::Action> for TextWatcher<'_, G> {
    fn look(&mut self, thought: &Thought<G::Action>) -> bool {
        self.listener.hear(&DecisionText::of(self.game, self.state, self.player, thought, None))
    }
}

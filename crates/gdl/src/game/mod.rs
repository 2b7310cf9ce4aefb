//! A rule sheet as a game of the catalogue.
//!
//! In GDL every role moves in every step. Here only the roles with a real choice act, and the rules fill in the rest.
//! Where no role has a choice, the step is still a step, made by the first role whose only move has arguments (`(mark 3
//! 3)`, not `noop`), or else by the first role. The role `random` is chance and draws uniformly. If it chooses in the
//! same step as players, the players choose first and the draw follows before the state changes.
//!
//! A sheet with rules for `sees` (GDL-II) hides what its roles do not perceive, even if they happen to perceive
//! everything: it has the feature `hidden-information`. Percepts are facts of the state after the step.
//!
//! Not every sheet defines when a match ends. A match is over after `steps` steps, or when some role has no legal move;
//! the goals are then those of that state. An undefined goal counts as 0. `tesuji gdl check` reports all of these. The
//! number of steps made is part of the state.

mod engine;
mod interpreted;
mod networked;
mod batch;
mod notation;
mod numbers;
mod perceived;
mod joint;
mod grid;
mod drawing;
mod probe;
mod bundled;
mod open;
mod value_features;
#[cfg(test)]
mod tests;

use std::hash::{Hash, Hasher};

use smallvec::SmallVec;
use tesuji_core::{
    ActionIndex, BatchPlayouts, Capabilities, Game, Knowledge, Observation, Perception, Player, Players, Rng, Spec,
    Turn, ValueFeatures,
};

pub use bundled::SHEETS;
pub use engine::{EngineKind, Move};
pub(crate) use engine::{Facts, Survey};
#[cfg(test)]
pub(crate) use open::MAX_STEPS;
pub use open::{ENTRY, Options};

use batch::LaneBatch;
use engine::Engine;

/// A game defined by a rule sheet.
pub struct Gdl {
    spec: Spec,
    engine: Box<dyn Engine>,
    /// By role: its player; `None` for chance.
    players: Vec<Option<Player>>,
    /// By player: the role.
    roles: Vec<usize>,
    /// The names of the roles.
    role_names: Vec<String>,
    /// The role of chance.
    random: Option<usize>,
    /// The most steps of a match.
    max_steps: u32,
    start: State,
    /// Why this engine was chosen.
    reason: String,
    /// The original text of the sheet.
    text: String,
    grid: Option<grid::Grid>,
    /// Whether the sheet says what its roles perceive.
    hides: bool,
}

/// A position: the facts, the steps made, and the players' choices while chance has yet to draw.
#[derive(Clone, Debug)]
pub struct State {
    facts: Facts,
    step: u32,
    turn: Turn,
    /// For each role, the number of legal moves and the first of them; empty if the match is over.
    roles: SmallVec<[(u32, Move); 2]>,
    /// The whole joint move by role, if players have chosen and chance has not.
    pending: SmallVec<[Move; 2]>,
}

impl PartialEq for State {
    fn eq(&self, other: &State) -> bool {
        self.step == other.step && self.facts == other.facts && self.pending == other.pending
    }
}

impl Eq for State {}

impl Hash for State {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.facts.hash(hasher);
        self.step.hash(hasher);
        self.pending.hash(hasher);
    }
}

impl Gdl {
    /// The engine that runs the game.
    pub fn engine_kind(&self) -> EngineKind {
        self.engine.kind()
    }

    /// Why this engine was chosen, in one sentence.
    pub fn reason(&self) -> &str {
        &self.reason
    }

    /// The names of the roles, including chance, in the order of their statements.
    pub fn role_names(&self) -> &[String] {
        &self.role_names
    }

    /// The facts of a state as text, sorted.
    pub fn fact_texts(&self, state: &State) -> Vec<String> {
        self.engine.fact_texts(&state.facts)
    }

    /// Who acts in a surveyed state.
    fn turn_of(&self, survey: &Survey, step: u32) -> Turn {
        if survey.terminal || step >= self.max_steps || survey.roles.iter().any(|&(count, _)| count == 0) {
            return Turn::Over;
        }
        let mut movers = Players::default();
        for (&(count, _), player) in survey.roles.iter().zip(&self.players) {
            if let Some(player) = player
                && count > 1
            {
                movers = movers.with(*player);
            }
        }
        let mut first = movers;
        match (first.next(), movers.len()) {
            (Some(player), 1) => Turn::Player(player),
            (Some(_), _) => Turn::Simultaneous(movers),
            (None, _) if self.random.is_some_and(|random| survey.roles[random].0 > 1) => Turn::Chance,
            (None, _) => Turn::Player(self.owner(survey)),
        }
    }

    /// The player who makes a step in which nobody has a choice.
    fn owner(&self, survey: &Survey) -> Player {
        let active = self.roles.iter().position(|&role| {
            let text = self.engine.move_text(role, survey.roles[role].1);
            text.contains(' ')
        });
        Player(active.unwrap_or(0) as u8)
    }

    /// The state with these facts after `step` steps.
    fn state_of(&self, facts: Facts, step: u32) -> State {
        let mut survey = Survey::default();
        self.engine.survey(&facts, &mut survey);
        let turn = self.turn_of(&survey, step);
        State { facts, step, turn, roles: survey.roles, pending: SmallVec::new() }
    }
}

impl Game for Gdl {
    type State = State;
    type Action = Move;

    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn engine(&self) -> &'static str {
        self.engine.kind().name()
    }

    fn start(&self) -> State {
        self.start.clone()
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        state.turn
    }

    fn legal(&self, state: &State, player: Player, out: &mut Vec<Move>) {
        self.engine.legal(&state.facts, self.roles[player.index()], out);
    }

    fn apply(&self, state: &mut State, joint: &[Move]) {
        let choosing = state.turn != Turn::Chance;
        let mut moves = std::mem::take(&mut state.pending);
        if moves.is_empty() {
            moves.extend(state.roles.iter().map(|&(_, first)| first));
        }
        if choosing {
            for (player, &action) in state.turn.movers().zip(joint) {
                moves[self.roles[player.index()]] = action;
            }
            if self.random.is_some_and(|random| state.roles[random].0 > 1) {
                state.pending = moves;
                state.turn = Turn::Chance;
                return;
            }
        } else if let (Some(random), Some(&outcome)) = (self.random, joint.first()) {
            moves[random] = outcome;
        }
        let mut survey = Survey { roles: std::mem::take(&mut state.roles), terminal: false };
        self.engine.advance(&mut state.facts, &moves, &mut survey);
        state.step += 1;
        state.turn = self.turn_of(&survey, state.step);
        state.roles = survey.roles;
    }

    fn payoff(&self, state: &State, player: Player) -> f64 {
        let mut goals = Vec::new();
        self.engine.goals(&state.facts, &mut goals);
        goals.get(self.roles[player.index()]).copied().flatten().map_or(0.0, |goal| f64::from(goal.clamp(0, 100)))
    }

    fn chance(&self, state: &State, out: &mut Vec<(Move, f64)>) {
        if let Some(random) = self.random {
            let mut moves = Vec::new();
            self.engine.legal(&state.facts, random, &mut moves);
            let share = 1.0 / moves.len() as f64;
            out.extend(moves.into_iter().map(|outcome| (outcome, share)));
        }
    }

    fn random_action(&self, state: &State, player: Player, rng: &mut Rng, _: &mut Vec<Move>) -> Move {
        self.random_move(state, self.roles[player.index()], rng)
    }

    fn random_outcome(&self, state: &State, rng: &mut Rng) -> Move {
        self.random_move(state, self.random.unwrap_or(0), rng)
    }

    fn random_play(&self, state: &mut State, rng: &mut Rng, limit: u32) -> Option<u32> {
        // Step by step, chance draws after the players, but the engine draws in the order of roles. A draw of chance
        // may be a step of its own, which the engine does not count.
        if self.random.is_some() {
            return None;
        }
        if state.turn == Turn::Over {
            return Some(0);
        }
        let steps = self.engine.play_out(&mut state.facts, rng, limit.min(self.max_steps - state.step))?;
        *state = self.state_of(std::mem::take(&mut state.facts), state.step + steps);
        Some(steps)
    }

    fn batch(&self) -> Option<Box<dyn BatchPlayouts<Gdl>>> {
        self.engine.lanes().map(|lanes| Box::new(LaneBatch::new(lanes)) as Box<dyn BatchPlayouts<Gdl>>)
    }
}

impl Gdl {
    #[inline]
    fn random_move(&self, state: &State, role: usize, rng: &mut Rng) -> Move {
        match state.roles[role] {
            (1, only) => only,
            (count, _) => self.engine.legal_at(&state.facts, role, rng.below(count as usize)),
        }
    }
}

impl Knowledge for Gdl {
    const OFFERS: Capabilities =
        Capabilities::VALUE_FEATURES.union(Capabilities::NUMBERS).union(Capabilities::PERCEPTION);

    fn value_features(&self) -> Option<&'static dyn ValueFeatures<Self>> {
        self.engine.fact_count().map(|_| &value_features::FactFeatures as &'static dyn ValueFeatures<Self>)
    }

    fn action_index(&self) -> Option<&'static dyn ActionIndex<Self>> {
        self.engine.fact_count().map(|_| &numbers::Numbers as &'static dyn ActionIndex<Self>)
    }

    fn observation(&self) -> Option<&'static dyn Observation<Self>> {
        self.engine.fact_count().map(|_| &numbers::Numbers as &'static dyn Observation<Self>)
    }

    fn perception(&self) -> Option<&'static dyn Perception<Self>> {
        self.hides.then_some(&perceived::Percepts as &'static dyn Perception<Self>)
    }
}

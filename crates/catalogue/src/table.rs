//! A match in progress where people and agents sit together, all in text.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tesuji_core::laws::Complete;
use tesuji_core::{Actor, AreaId, History, InputError, Picture, Player, Rng, Turn, legal_actions};
use tesuji_search::{Agent, Budget, Decision, Seat, Thought, Watcher, failure_of};

use crate::contest::actor_name;
use crate::playable::Playable;

/// A match in progress.
pub trait Table: Send {
    /// Who acts next.
    fn turn(&self) -> Turn;

    /// Those whose actions make up the next step, in its order, with their names (`chance` for nature).
    fn actors(&self) -> Vec<(Actor, String)>;

    /// The legal actions of one actor as text, in the game's own order.
    fn legal(&self, actor: Actor) -> Vec<String>;

    /// The action that a text names, as [`legal`](Table::legal) writes it. Refuses what is not legal.
    fn read_action(&self, actor: Actor, text: &str) -> Result<String, InputError>;

    /// The features of an action of a player, as many as the game names. Refuses what is not legal.
    fn action_features(&self, player: Player, text: &str) -> Result<Vec<f64>, InputError>;

    /// The probability of each outcome of nature, in the order of [`legal`](Table::legal).
    fn chances(&self) -> Vec<(String, f64)>;

    /// Plays one step: one text for each actor. Refuses what is illegal, naming legal actions near it, and changes nothing.
    fn step(&mut self, joint: &[String]) -> Result<(), InputError>;

    /// Lets nature act; returns what it drew.
    fn draw_outcome(&mut self, rng: &mut Rng) -> Option<String>;

    /// The texts of the actions that end `player`'s turn without doing anything more; empty if there is no such thing.
    fn end_turn(&self, player: Player) -> Vec<String>;

    /// Takes back the last step, if there is one.
    fn undo(&mut self) -> bool;

    /// The steps so far, as text.
    fn steps(&self) -> Vec<Vec<String>>;

    /// The payoffs, when the match is over.
    fn payoffs(&self) -> Option<Vec<f64>>;

    /// The state on one line.
    fn state_text(&self) -> String;

    /// The state for a terminal.
    fn board_text(&self) -> String;

    /// The state drawn.
    fn picture(&self) -> Picture;

    /// The areas to click for each legal action of an actor, in the order of [`legal`](Table::legal).
    fn clicks(&self, actor: Actor) -> Vec<Vec<AreaId>>;

    /// What each legal action of an actor would do, where the game says so, in the order of [`legal`](Table::legal).
    fn notes(&self, actor: Actor) -> Vec<Option<String>>;

    /// Seats an agent.
    fn seat(&mut self, player: Player, agent: &str) -> Result<(), InputError>;

    /// Lets the seated agent of `player`, who need not be among the movers, think before its first decision: the start clock.
    /// What it learns may change what it chooses.
    fn prepare(&mut self, player: Player, budget: &Budget, rng: &mut Rng) -> Result<(), InputError>;

    /// Lets the seated agent of `player`, one of the movers, choose. Plays nothing.
    fn think(&mut self, player: Player, budget: &Budget, rng: &mut Rng) -> Result<DecisionText, InputError> {
        self.think_aloud(player, budget, rng, None)
    }

    /// Like [`think`](Table::think); the listener hears the thought while it grows, at most twenty times a second, and
    /// answers whether to go on.
    fn think_aloud(
        &mut self,
        player: Player,
        budget: &Budget,
        rng: &mut Rng,
        listener: Option<&mut dyn Listener>,
    ) -> Result<DecisionText, InputError>;

    /// Another match of the same game that has come as far as this one had after `steps` steps; nobody is seated.
    fn branch(&self, steps: usize) -> Box<dyn Table>;
}

/// Hears an agent think.
pub trait Listener {
    /// What the agent would answer if asked to stop here; returning `false` asks it to.
    fn hear(&mut self, thought: &DecisionText) -> bool;
}

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

pub(crate) struct TypedTable<G: Complete> {
    game: Playable<G>,
    /// The states so far, the current one last: undo is a pop.
    states: Vec<G::State>,
    history: History<G::Action>,
    agents: Vec<Option<Box<dyn Agent<G>>>>,
}

impl<G: Complete> TypedTable<G> {
    pub(crate) fn new(game: Playable<G>, start: G::State) -> Self {
        let agents = game.spec().seats().map(|_| None).collect();
        TypedTable { game, states: vec![start], history: History::default(), agents }
    }

    /// The position.
    pub(crate) fn state(&self) -> &G::State {
        &self.states[self.states.len() - 1]
    }

    /// The steps so far.
    pub(crate) fn joint_actions(&self) -> Vec<Vec<G::Action>> {
        self.history.steps().map(<[G::Action]>::to_vec).collect()
    }

    /// Plays one step that is legal.
    pub(crate) fn push(&mut self, joint: &[G::Action]) {
        let mut next = self.state().clone();
        self.game.apply(&mut next, joint);
        if self.game.turn(&next) == Turn::Over {
            self.agents.iter_mut().flatten().for_each(|agent| agent.end());
        }
        self.states.push(next);
        self.history.push(joint);
    }
}

/// The agent at a seat.
fn seated<'a, G: Complete>(
    game: &G,
    agents: &'a mut [Option<Box<dyn Agent<G>>>],
    player: Player,
) -> Result<&'a mut Box<dyn Agent<G>>, InputError> {
    agents.get_mut(player.index()).and_then(Option::as_mut).ok_or_else(|| {
        match game.spec().players.get(player.index()) {
            Some(name) => InputError::new(format!("no agent sits at {name}'s seat")),
            None => InputError::new("there is no such seat"),
        }
    })
}

/// The texts of a joint action.
fn texts<G: Complete>(game: &G, state: &G::State, joint: &[G::Action]) -> Vec<String> {
    game.turn(state).actors().zip(joint).map(|(actor, &action)| game.action_text(state, actor, action)).collect()
}

/// A thought in text. What it does is its best candidate unless told otherwise.
fn in_text<G: Complete>(
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
        line.push(texts(game, &reached, joint));
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
    }
}

/// What an agent does, or why it gave up. A panic goes on.
fn or_failure<T>(name: &str, act: impl FnOnce() -> T) -> Result<T, InputError> {
    catch_unwind(AssertUnwindSafe(act)).map_err(|payload| match failure_of(payload.as_ref()) {
        Some(failure) => InputError::new(format!("the agent of {name} gave up: {failure}")),
        None => resume_unwind(payload),
    })
}

/// Puts an agent's thoughts into text for a listener.
struct Interpreter<'a, G: Complete> {
    game: &'a G,
    state: &'a G::State,
    player: Player,
    listener: &'a mut dyn Listener,
}

impl<G: Complete> Watcher<G::Action> for Interpreter<'_, G> {
    fn look(&mut self, thought: &Thought<G::Action>) -> bool {
        self.listener.hear(&in_text(self.game, self.state, self.player, thought, None))
    }
}

impl<G: Complete> Table for TypedTable<G> {
    fn turn(&self) -> Turn {
        self.game.turn(self.state())
    }

    fn actors(&self) -> Vec<(Actor, String)> {
        self.turn().actors().map(|actor| (actor, actor_name(&*self.game, actor))).collect()
    }

    fn legal(&self, actor: Actor) -> Vec<String> {
        let actions = legal_actions(&*self.game, self.state(), actor);
        actions.into_iter().map(|action| self.game.action_text(self.state(), actor, action)).collect()
    }

    fn read_action(&self, actor: Actor, text: &str) -> Result<String, InputError> {
        let action = self.game.parse_action(self.state(), actor, text)?;
        Ok(self.game.action_text(self.state(), actor, action))
    }

    fn action_features(&self, player: Player, text: &str) -> Result<Vec<f64>, InputError> {
        let name = self.game.spec().player_name(player);
        if !self.turn().movers().contains(player) {
            return Err(InputError::new(format!("it is not {name}'s turn")));
        }
        let action = self.game.parse_action(self.state(), Actor::Player(player), text)?;
        let mut features = Vec::new();
        if let Some(offered) = self.game.action_features() {
            offered.values(&self.game, self.state(), action, &mut features);
        }
        Ok(features)
    }

    fn chances(&self) -> Vec<(String, f64)> {
        let mut outcomes = Vec::new();
        if self.turn() == Turn::Chance {
            self.game.chance(self.state(), &mut outcomes);
        }
        let text = |outcome| self.game.action_text(self.state(), Actor::Chance, outcome);
        outcomes.into_iter().map(|(outcome, probability)| (text(outcome), probability)).collect()
    }

    fn step(&mut self, joint: &[String]) -> Result<(), InputError> {
        let actors = self.actors();
        if actors.is_empty() {
            return Err(InputError::new("the match is over: no further action is possible"));
        }
        if actors.len() != joint.len() {
            let names: Vec<&str> = actors.iter().map(|(_, name)| name.as_str()).collect();
            return Err(InputError::new(format!("expected {} action(s), got {}", actors.len(), joint.len()))
                .with_help(format!("one action for each of: {}", names.join(", "))));
        }
        let mut parsed = Vec::new();
        for ((actor, name), text) in actors.iter().zip(joint) {
            let action = self.game.parse_action(self.state(), *actor, text);
            parsed.push(action.map_err(|error| error.in_file(format_args!("{name} to act")))?);
        }
        self.push(&parsed);
        Ok(())
    }

    fn draw_outcome(&mut self, rng: &mut Rng) -> Option<String> {
        if self.turn() != Turn::Chance {
            return None;
        }
        let outcome = self.game.random_outcome(self.state(), rng);
        let text = self.game.action_text(self.state(), Actor::Chance, outcome);
        self.push(&[outcome]);
        Some(text)
    }

    fn end_turn(&self, player: Player) -> Vec<String> {
        let mut state = self.state().clone();
        let mut texts = Vec::new();
        for action in self.game.end_turn(self.state(), player) {
            texts.push(self.game.action_text(&state, Actor::Player(player), action));
            self.game.apply(&mut state, &[action]);
        }
        texts
    }

    fn undo(&mut self) -> bool {
        if self.history.is_empty() {
            return false;
        }
        self.states.pop();
        self.history.truncate(self.history.len() - 1);
        // What an agent keeps between its moves belongs to a line that was taken back.
        self.agents.iter_mut().flatten().for_each(|agent| agent.begin());
        true
    }

    fn steps(&self) -> Vec<Vec<String>> {
        self.states.iter().zip(self.history.steps()).map(|(state, joint)| texts(&*self.game, state, joint)).collect()
    }

    fn payoffs(&self) -> Option<Vec<f64>> {
        let payoff = |player| self.game.payoff(self.state(), player);
        (self.turn() == Turn::Over).then(|| self.game.spec().seats().map(payoff).collect())
    }

    fn state_text(&self) -> String {
        self.game.state_text(self.state())
    }

    fn board_text(&self) -> String {
        self.game.board_text(self.state())
    }

    fn picture(&self) -> Picture {
        self.game.draw(self.state())
    }

    fn clicks(&self, actor: Actor) -> Vec<Vec<AreaId>> {
        let actions = legal_actions(&*self.game, self.state(), actor);
        actions.into_iter().map(|action| self.game.clicks(self.state(), actor, action)).collect()
    }

    fn notes(&self, actor: Actor) -> Vec<Option<String>> {
        let actions = legal_actions(&*self.game, self.state(), actor);
        actions.into_iter().map(|action| self.game.note(self.state(), actor, action)).collect()
    }

    fn seat(&mut self, player: Player, agent: &str) -> Result<(), InputError> {
        let mut agent = self.game.build_agent(agent)?;
        agent.begin();
        self.agents[player.index()] = Some(agent);
        Ok(())
    }

    fn prepare(&mut self, player: Player, budget: &Budget, rng: &mut Rng) -> Result<(), InputError> {
        let (game, state) = (&*self.game, &self.states[self.states.len() - 1]);
        let agent = seated(game, &mut self.agents, player)?;
        let name = game.spec().player_name(player);
        let seat = Seat { game, state, player, history: &self.history, watcher: None };
        or_failure(name, || agent.prepare(seat, budget, rng))
    }

    fn think_aloud(
        &mut self,
        player: Player,
        budget: &Budget,
        rng: &mut Rng,
        listener: Option<&mut dyn Listener>,
    ) -> Result<DecisionText, InputError> {
        let name = self.game.spec().player_name(player);
        if !self.turn().movers().contains(player) {
            return Err(InputError::new(format!("it is not {name}'s turn")));
        }
        let agent = seated(&*self.game, &mut self.agents, player)?;
        let (game, state) = (&*self.game, &self.states[self.states.len() - 1]);
        let mut interpreter = listener.map(|listener| Interpreter { game, state, player, listener });
        let watcher = interpreter.as_mut().map(|interpreter| interpreter as &mut dyn Watcher<G::Action>);
        let seat = Seat { game, state, player, history: &self.history, watcher };
        let Decision { action, value, thought, .. } = or_failure(name, || agent.choose(seat, budget, rng))?;
        Ok(in_text(game, state, player, &thought, Some((action, value))))
    }

    fn branch(&self, steps: usize) -> Box<dyn Table> {
        let steps = steps.min(self.history.len());
        let mut history = self.history.clone();
        history.truncate(steps);
        let agents = self.agents.iter().map(|_| None).collect();
        Box::new(TypedTable { game: self.game.clone(), states: self.states[..=steps].to_vec(), history, agents })
    }
}

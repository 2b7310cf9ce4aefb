//! The interface between agents and the programs that run their matches.

use std::time::Duration;

use tesuji_core::{Game, History, Player, Rng};

use crate::{Budget, Limit};

/// An agent: chooses actions for a player.
///
/// An equal seed, an equal budget in playouts and an equal history give an equal decision, on any machine.
///
/// ```
/// use tesuji_core::tiny_games::Nim;
/// use tesuji_core::{Game, History, Player, Rng};
/// use tesuji_play::{Agent, Budget, Decision, Failure, Seat};
///
/// /// Always takes the first legal action.
/// struct First;
///
/// impl<G: Game> Agent<G> for First {
///     fn choose(&mut self, seat: Seat<'_, G>, _: &Budget, _: &mut Rng) -> Result<Decision<G::Action>, Failure> {
///         let mut legal = Vec::new();
///         seat.game.legal(seat.state, seat.player, &mut legal);
///         Ok(Decision::pure(legal[0]))
///     }
/// }
///
/// let (game, history) = (Nim::new(7), History::default());
/// let seat = Seat { game: &game, state: &game.start(), player: Player(0), history: &history, watcher: None };
/// assert_eq!(First.choose(seat, &Budget::playouts(1), &mut Rng::new(1)).unwrap().action, 1);
/// ```
pub trait Agent<G: Game>: Send {
    /// Called when a new match begins: forgets everything.
    fn begin(&mut self) {}

    /// Thinks before the first decision of a match, on the start clock that some matches grant. `seat.player` need not
    /// be among the movers. What an agent learns here may change its decisions; an agent without memory does nothing.
    fn prepare(&mut self, _seat: Seat<'_, G>, _budget: &Budget, _rng: &mut Rng) -> Result<(), Failure> {
        Ok(())
    }

    /// Chooses an action for `seat.player`, who is among the movers. `budget` is what the match grants; an agent with
    /// its own budget uses that instead. An error means that the agent cannot continue: its player loses the match.
    fn choose(&mut self, seat: Seat<'_, G>, budget: &Budget, rng: &mut Rng) -> Result<Decision<G::Action>, Failure>;

    /// Called when the match is over: releases what should not outlast it. [`begin`](Agent::begin) may follow.
    fn end(&mut self) {}

    /// What should be kept with the match besides its moves: what the agent asked and was answered since this was last
    /// called. Also called after [`end`](Agent::end).
    fn transcript(&mut self) -> Option<String> {
        None
    }
}

/// Why an agent made no legal decision. Its player loses the match.
#[derive(Clone, PartialEq, Debug)]
pub enum Failure {
    /// It did not answer within this time.
    Overtime(Duration),
    /// Its answer is not legal.
    Illegal(String),
    /// It cannot continue, for this reason: for example, an external program died or sent a malformed answer.
    Broken(String),
    /// It panicked, with this message. The caller catches the panic and reports it as this value.
    Panicked(String),
}

impl std::error::Error for Failure {}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Failure::Overtime(time) => write!(f, "overtime: {:.3} s", time.as_secs_f64()),
            Failure::Illegal(action) => write!(f, "illegal action {action}"),
            Failure::Broken(reason) => write!(f, "broke off: {reason}"),
            Failure::Panicked(message) => write!(f, "panicked: {message}"),
        }
    }
}

/// What an agent sees when it has to choose.
pub struct Seat<'a, G: Game> {
    /// The rules.
    pub game: &'a G,
    /// The current state.
    pub state: &'a G::State,
    /// The player for whom the agent chooses.
    pub player: Player,
    /// All steps of the match so far.
    pub history: &'a History<G::Action>,
    /// Observes the search while it runs, and may end it early.
    pub watcher: Option<&'a mut dyn Watcher<G::Action>>,
}

/// Observes an agent while it thinks.
pub trait Watcher<A> {
    /// Called from time to time with the state of the search. Returning `false` asks the agent to answer at once.
    fn look(&mut self, thought: &Thought<A>) -> bool;
}

/// An agent's decision.
#[derive(Clone, PartialEq, Debug)]
pub struct Decision<A> {
    /// The chosen action.
    pub action: A,
    /// The mixed strategy from which `action` was drawn; probabilities add up to 1. A pure choice has one entry.
    pub policy: Vec<(A, f64)>,
    /// The expected payoff of its player; `None` if it gives none.
    pub value: Option<f64>,
    /// The statistics of the search.
    pub thought: Thought<A>,
}

impl<A: Copy> Decision<A> {
    /// A pure choice without statistics.
    pub fn pure(action: A) -> Decision<A> {
        Decision { action, policy: vec![(action, 1.0)], value: None, thought: Thought::default() }
    }

    /// The same decision with actions written in another way.
    pub fn map<B>(&self, to: &mut dyn FnMut(A) -> B) -> Decision<B> {
        Decision {
            action: to(self.action),
            policy: self.policy.iter().map(|&(action, probability)| (to(action), probability)).collect(),
            value: self.value,
            thought: self.thought.map(to),
        }
    }
}

/// The statistics of the search behind a decision.
#[derive(Clone, PartialEq, Debug)]
pub struct Thought<A> {
    /// The legal actions with their statistics, best first.
    pub candidates: Vec<Candidate<A>>,
    /// The principal variation: the expected joint actions from this state on.
    pub line: Vec<Vec<A>>,
    /// The visits of each joint action of this step, in the game's order, if the agent counts them.
    pub joint: Vec<(Vec<A>, u64)>,
    /// The greatest depth reached in the tree, in steps.
    pub depth: u32,
    /// Nodes in the tree at the end.
    pub nodes: u64,
    /// Playouts made for this decision.
    pub playouts: u64,
    /// Time taken.
    pub time: Duration,
    /// The limit that ended the search; `None` if it was finished, or if the agent does not say.
    pub limit: Option<Limit>,
}

impl<A: Copy> Thought<A> {
    /// The same statistics with actions written in another way.
    pub fn map<B>(&self, to: &mut dyn FnMut(A) -> B) -> Thought<B> {
        let candidates = self.candidates.iter().map(|candidate| Candidate {
            action: to(candidate.action),
            visits: candidate.visits,
            value: candidate.value,
            prior: candidate.prior,
            probability: candidate.probability,
        });
        let candidates = candidates.collect();
        let mut joint = |actions: &Vec<A>| -> Vec<B> { actions.iter().map(|&action| to(action)).collect() };
        Thought {
            candidates,
            line: self.line.iter().map(&mut joint).collect(),
            joint: self.joint.iter().map(|(actions, visits)| (joint(actions), *visits)).collect(),
            depth: self.depth,
            nodes: self.nodes,
            playouts: self.playouts,
            time: self.time,
            limit: self.limit,
        }
    }
}

impl<A> Default for Thought<A> {
    fn default() -> Self {
        Thought {
            candidates: Vec::new(),
            line: Vec::new(),
            joint: Vec::new(),
            depth: 0,
            nodes: 0,
            playouts: 0,
            time: Duration::ZERO,
            limit: None,
        }
    }
}

/// The statistics of one action.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Candidate<A> {
    /// The action.
    pub action: A,
    /// The number of visits.
    pub visits: u64,
    /// Its value for the player who chooses, on the scale of payoffs; `None` if it was never tried.
    pub value: Option<f64>,
    /// Its prior probability; `None` if the agent has no priors.
    pub prior: Option<f64>,
    /// The probability with which the agent plays it.
    pub probability: f64,
}

//! The contract between an agent and whoever seats it.

use std::time::Duration;

use tesuji_core::{Game, History, Player, Rng};

use crate::Budget;

/// One who chooses actions.
///
/// Equal seed, equal budget in playouts and equal history give an equal decision, on any machine.
///
/// ```
#[doc = include_str!("../doc/nim.txt")]
/// use tesuji_core::{History, Rng};
/// use tesuji_search::{Agent, Budget, Decision, Failure, Seat};
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
/// let (game, history) = (Nim::new(), History::default());
/// let seat = Seat { game: &game, state: &game.start(), player: Player(0), history: &history, watcher: None };
/// assert_eq!(First.choose(seat, &Budget::playouts(1), &mut Rng::new(1)).unwrap().action, 1);
/// ```
pub trait Agent<G: Game>: Send {
    /// Forgets everything: a new match begins.
    fn begin(&mut self) {}

    /// Thinks before the first decision of a match, on the clock that some matches grant for it. `seat.player` need not be among
    /// the movers. What an agent learns here may change its decisions; one that keeps nothing does nothing.
    fn prepare(&mut self, _seat: Seat<'_, G>, _budget: &Budget, _rng: &mut Rng) -> Result<(), Failure> {
        Ok(())
    }

    /// Chooses an action for `seat.player`, who is among the movers. `budget` is what the seat grants; an agent that
    /// carries its own budget uses its own. An error means that the agent cannot continue: its player loses the match.
    fn choose(&mut self, seat: Seat<'_, G>, budget: &Budget, rng: &mut Rng) -> Result<Decision<G::Action>, Failure>;

    /// The match is over: lets go of what should not outlast it. [`begin`](Agent::begin) may follow.
    fn end(&mut self) {}
}

/// Why an agent made no legal decision. Its player loses the match.
#[derive(Clone, PartialEq, Debug)]
pub enum Failure {
    /// It has not answered in this time.
    Overtime(Duration),
    /// What it answered is not legal.
    Illegal(String),
    /// It cannot continue, for this reason: for example, an outside program that died or sent a malformed answer.
    Broken(String),
    /// It panicked, with this message. Whoever runs the agent catches the panic and reports it as this value.
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
    /// The position.
    pub state: &'a G::State,
    /// For whom the agent chooses.
    pub player: Player,
    /// All steps of the match so far.
    pub history: &'a History<G::Action>,
    /// Who wants to see thoughts while they grow, and may end the search early.
    pub watcher: Option<&'a mut dyn Watcher<G::Action>>,
}

/// Looks on while an agent thinks.
pub trait Watcher<A> {
    /// Called now and then with the state of the search; returning `false` asks the agent to answer at once.
    fn look(&mut self, thought: &Thought<A>) -> bool;
}

/// An agent's answer.
#[derive(Clone, PartialEq, Debug)]
pub struct Decision<A> {
    /// What it does.
    pub action: A,
    /// The mixed strategy that `action` was drawn from; probabilities add up to 1. A pure choice has one entry.
    pub policy: Vec<(A, f64)>,
    /// What it expects its player to get, on the scale of payoffs; `None` if it has no opinion.
    pub value: Option<f64>,
    /// What it thought.
    pub thought: Thought<A>,
}

impl<A: Copy> Decision<A> {
    /// A pure choice without a thought behind it.
    pub fn pure(action: A) -> Decision<A> {
        Decision { action, policy: vec![(action, 1.0)], value: None, thought: Thought::default() }
    }
}

/// What an agent saw on its way to a decision.
#[derive(Clone, PartialEq, Debug)]
pub struct Thought<A> {
    /// Its legal actions with what is known of each, the best first.
    pub candidates: Vec<Candidate<A>>,
    /// The joint actions it expects, from this state on.
    pub line: Vec<Vec<A>>,
    /// How often each joint action of this step was tried, in the game's order, where the agent counts them.
    pub joint: Vec<(Vec<A>, u64)>,
    /// The greatest depth reached in the tree, in steps.
    pub depth: u32,
    /// Nodes held at the end.
    pub nodes: u64,
    /// Playouts made for this decision.
    pub playouts: u64,
    /// Time taken.
    pub time: Duration,
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
        }
    }
}

/// What is known of one action.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Candidate<A> {
    /// The action.
    pub action: A,
    /// How often it was tried.
    pub visits: u64,
    /// What it is worth to the one who chooses, on the scale of payoffs; `None` if never tried.
    pub value: Option<f64>,
    /// How likely it looked beforehand; `None` if the agent has no priors.
    pub prior: Option<f64>,
    /// The probability with which the agent plays it.
    pub probability: f64,
}

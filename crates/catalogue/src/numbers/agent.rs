//! An agent without its type, for single decisions.

use std::time::Duration;

use tesuji_core::laws::Complete;
use tesuji_core::{Actor, History, InputError, Player, Rng, Turn};
use tesuji_play::{Agent, Budget, Decision, Seat, ask_afresh};

use super::AnyPosition;
use super::position::TypedPosition;
use crate::decision_text::joint_texts;
use crate::playable::Playable;

/// An agent of one game that decides in any state of it.
pub trait AnyAgent: Send {
    /// Chooses an action for `player`, one of the movers. Every decision stands alone: the agent forgets earlier ones.
    fn choose(
        &mut self,
        position: &dyn AnyPosition,
        player: Player,
        budget: &Budget,
        rng: &mut Rng,
    ) -> Result<NumberedDecision, InputError>;
}

/// A decision in numbers.
#[derive(Clone, Debug)]
pub struct NumberedDecision {
    /// The number of the chosen action.
    pub action: u32,
    /// Its text.
    pub text: String,
    /// The mixed strategy that it was drawn from.
    pub policy: Vec<(u32, f64)>,
    /// The expected payoff of its player.
    pub value: Option<f64>,
    /// The legal actions with their statistics, best first.
    pub candidates: Vec<NumberedCandidate>,
    /// The joint actions that it expects from here on.
    pub line: Vec<Vec<u32>>,
    /// The same as text.
    pub line_texts: Vec<Vec<String>>,
    /// The greatest depth reached, in steps.
    pub depth: u32,
    /// Nodes held.
    pub nodes: u64,
    /// Playouts made.
    pub playouts: u64,
    /// Time taken.
    pub time: Duration,
}

/// The statistics of one action.
#[derive(Clone, Debug)]
pub struct NumberedCandidate {
    /// The number of the action.
    pub action: u32,
    /// Its text.
    pub text: String,
    /// How often it was tried.
    pub visits: u64,
    /// Its value for the player who chooses.
    pub value: Option<f64>,
    /// How likely it looked beforehand.
    pub prior: Option<f64>,
    /// The probability with which it is played.
    pub probability: f64,
}

/// The typed agent behind an [`AnyAgent`].
pub(crate) struct TypedAgent<G: Complete> {
    game: Playable<G>,
    address: String,
    /// Built anew after a failure.
    agent: Option<Box<dyn Agent<G>>>,
}

impl<G: Complete> TypedAgent<G> {
    /// Refuses an agent that cannot play the game.
    pub(crate) fn new(game: Playable<G>, address: &str) -> Result<TypedAgent<G>, InputError> {
        let agent = Some(game.build_agent(address)?);
        Ok(TypedAgent { game, address: address.to_owned(), agent })
    }
}

impl<G: Complete> AnyAgent for TypedAgent<G> {
    fn choose(
        &mut self,
        position: &dyn AnyPosition,
        player: Player,
        budget: &Budget,
        rng: &mut Rng,
    ) -> Result<NumberedDecision, InputError> {
        let position = TypedPosition::of(&self.game.shared(), position)?;
        let (game, state) = (&*self.game, &position.state);
        if !game.turn(state).movers().contains(player) {
            let name = game.spec().players.get(player.index()).map_or("this player", String::as_str);
            return Err(InputError::new(match game.turn(state) {
                Turn::Over => "the match is over: there is nothing to choose".to_owned(),
                Turn::Chance => "chance acts next: there is nothing to choose".to_owned(),
                _ => format!("it is not {name}'s turn"),
            }));
        }
        let mut agent = match self.agent.take() {
            Some(agent) => agent,
            None => self.game.build_agent(&self.address)?,
        };
        let seat = Seat { game, state, player, history: &History::default(), watcher: None };
        let decision = ask_afresh(&mut *agent, seat, budget, rng)
            .map_err(|failure| InputError::new(format!("`{}` failed: {failure}", self.address)))?;
        self.agent = Some(agent);
        Ok(numbered(position, player, &decision))
    }
}

fn numbered<G: Complete>(
    position: &TypedPosition<G>,
    player: Player,
    decision: &Decision<G::Action>,
) -> NumberedDecision {
    let (game, state) = (&*position.game, &position.state);
    let number = |action| position.number(Actor::Player(player), action);
    let text = |action| game.action_text(state, Actor::Player(player), action);
    let thought = &decision.thought;
    let candidates = thought.candidates.iter().map(|candidate| NumberedCandidate {
        action: number(candidate.action),
        text: text(candidate.action),
        visits: candidate.visits,
        value: candidate.value,
        prior: candidate.prior,
        probability: candidate.probability,
    });
    let (mut line, mut line_texts) = (Vec::new(), Vec::new());
    let mut reached = state.clone();
    for joint in &thought.line {
        let actors = game.turn(&reached).actors();
        line.push(actors.zip(joint).map(|(actor, &action)| position.number(actor, action)).collect());
        line_texts.push(joint_texts(game, &reached, joint));
        game.apply(&mut reached, joint);
    }
    NumberedDecision {
        action: number(decision.action),
        text: text(decision.action),
        policy: decision.policy.iter().map(|&(action, probability)| (number(action), probability)).collect(),
        value: decision.value,
        candidates: candidates.collect(),
        line,
        line_texts,
        depth: thought.depth,
        nodes: thought.nodes,
        playouts: thought.playouts,
        time: thought.time,
    }
}

//! An agent's strategy for a whole game: asked state by state, measured by best responses.

use std::sync::Arc;

use serde::Serialize;
use tesuji_core::laws::Complete;
use tesuji_core::{ErrorKind, History, InputError, Player, Rng, cancel, mix};
use tesuji_play::{Agent, Budget, Seat, ask_afresh};
use tesuji_solve::simultaneous::check_solvable;
use tesuji_solve::{Branch, GameGraph, GraphFault, MOST_JOINT_ACTIONS, Strategies, equilibrium, exploitability};

use crate::SolvePlan;
use crate::bench::failed;
use crate::playable::Playable;

/// An agent's strategy in one state, and what it took.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct MixedAnswer {
    /// A probability for each legal action, in the game's order.
    pub mix: Vec<f64>,
    /// The time the decision took.
    pub seconds: f64,
}

/// What a strategy for a whole game is worth.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct WholeGameFigure {
    /// What best responses gain, added up over all players; 0 in an equilibrium.
    pub nash_conv: f64,
    /// The payoff of each player when all play the strategy.
    pub values: Vec<f64>,
    /// The payoff of each player who plays a best response while the others play the strategy.
    pub best_responses: Vec<f64>,
}

/// Measures strategies for a whole game. A question is a state and a player with at least two legal actions there.
pub trait WholeGameMeter: Send + Sync {
    /// The number of states that play can reach.
    fn states(&self) -> usize;

    /// The number of questions.
    fn questions(&self) -> usize;

    /// Someone who puts questions to an agent, one at a time.
    fn asker(&self, agent: &str) -> Result<Box<dyn WholeGameAsker + '_>, InputError>;

    /// Whether a list of probabilities has the right length for a question.
    fn fits(&self, question: usize, mix: &[f64]) -> bool;

    /// What a strategy is worth: a mix for each question.
    fn measure(&self, mixes: &[Vec<f64>]) -> WholeGameFigure;

    /// The equilibrium of backward induction, computed until `go_on` says no. Refuses games without a value. Also
    /// says whether all states were reached; the others are played uniformly.
    fn solve(&self, go_on: &mut dyn FnMut() -> bool) -> Result<(WholeGameFigure, bool), InputError>;
}

/// Puts questions to an agent that forgets everything between two of them.
pub trait WholeGameAsker {
    /// The agent's strategy.
    fn ask(&mut self, question: usize, budget: &Budget, seed: u64) -> Result<MixedAnswer, InputError>;
}

/// The seed of one search: it depends on nothing but the seed of the measurement, the question and the repeat.
pub fn whole_game_seed(seed: u64, question: usize, repeat: u64) -> u64 {
    mix(mix(seed, question as u64), repeat)
}

pub(crate) struct TypedWholeGame<G: Complete> {
    game: Playable<G>,
    graph: Arc<GameGraph<G>>,
    /// By question: the state, the player, and its number among the movers.
    questions: Vec<(u32, Player, usize)>,
}

impl<G: Complete> TypedWholeGame<G> {
    /// Refuses games with more states than the plan allows, and those in which play can return to a state.
    pub(crate) fn new(
        game: Playable<G>,
        start: &G::State,
        plan: &SolvePlan<'_>,
    ) -> Result<TypedWholeGame<G>, InputError> {
        let most = usize::try_from(plan.most_nodes).unwrap_or(usize::MAX);
        let found = GameGraph::new(&*game, start, most, || !plan.is_stopped());
        let graph = found.map_err(|fault| refused(&game.spec().name, most, fault))?;
        let mut questions = Vec::new();
        for (number, node) in graph.nodes().iter().enumerate() {
            if let Branch::Choice { movers, actions, .. } = &node.branch {
                let open = movers.enumerate().filter(|&(rank, _)| actions[rank].len() > 1);
                questions.extend(open.map(|(rank, mover)| (number as u32, mover, rank)));
            }
        }
        if questions.is_empty() {
            return Err(InputError::new(format!("nobody has a choice in `{}` from there", game.spec().name))
                .of_kind(ErrorKind::Refused));
        }
        Ok(TypedWholeGame { game, graph: Arc::new(graph), questions })
    }

    fn figure(&self, strategies: &Strategies) -> WholeGameFigure {
        let found = exploitability(&self.graph, strategies);
        WholeGameFigure { nash_conv: found.nash_conv(), values: found.values, best_responses: found.best_responses }
    }
}

fn refused(name: &str, most: usize, fault: GraphFault) -> InputError {
    let later = "; `--state` begins at a later position";
    match fault {
        GraphFault::States => InputError::new(format!("`{name}` has more than {most} states"))
            .of_kind(ErrorKind::TooLarge)
            .with_help(format!("the agent is asked in every state; `--nodes` allows more states{later}")),
        GraphFault::JointActions => {
            InputError::new(format!("the states of `{name}` have more than {MOST_JOINT_ACTIONS} joint actions"))
                .of_kind(ErrorKind::TooLarge)
                .with_help(format!("that is the most that is kept in memory{later}"))
        }
        GraphFault::Cycle => InputError::new(format!("play of `{name}` can return to a state"))
            .of_kind(ErrorKind::Refused)
            .with_help("best responses are computed backwards from the end, which such a game does not have"),
        GraphFault::Stopped => {
            InputError::new(format!("stopped before all states of `{name}` were found")).of_kind(ErrorKind::Cancelled)
        }
    }
}

impl<G: Complete> WholeGameMeter for TypedWholeGame<G> {
    fn states(&self) -> usize {
        self.graph.nodes().len()
    }

    fn questions(&self) -> usize {
        self.questions.len()
    }

    fn asker(&self, agent: &str) -> Result<Box<dyn WholeGameAsker + '_>, InputError> {
        Ok(Box::new(TypedAsker { whole: self, name: agent.to_owned(), agent: Some(self.game.build_agent(agent)?) }))
    }

    fn fits(&self, question: usize, mix: &[f64]) -> bool {
        let Some(&(node, _, rank)) = self.questions.get(question) else { return false };
        let Branch::Choice { actions, .. } = &self.graph.nodes()[node as usize].branch else { return false };
        mix.len() == actions[rank].len()
            && mix.iter().all(|share| share.is_finite() && *share >= 0.0)
            && mix.iter().sum::<f64>() > 0.0
    }

    fn measure(&self, mixes: &[Vec<f64>]) -> WholeGameFigure {
        let mut strategies = Strategies::uniform(&self.graph);
        for (&(node, _, rank), mix) in self.questions.iter().zip(mixes) {
            strategies.set(node as usize, rank, mix);
        }
        self.figure(&strategies)
    }

    fn solve(&self, go_on: &mut dyn FnMut() -> bool) -> Result<(WholeGameFigure, bool), InputError> {
        check_solvable(&*self.game)?;
        let (strategies, complete) = equilibrium(&self.graph, go_on);
        Ok((self.figure(&strategies), complete))
    }
}

struct TypedAsker<'a, G: Complete> {
    whole: &'a TypedWholeGame<G>,
    name: String,
    /// `None` after a failure: the next question builds it anew.
    agent: Option<Box<dyn Agent<G>>>,
}

impl<G: Complete> WholeGameAsker for TypedAsker<'_, G> {
    fn ask(&mut self, question: usize, budget: &Budget, seed: u64) -> Result<MixedAnswer, InputError> {
        let TypedAsker { whole, name, agent } = self;
        let (node, player, rank) = whole.questions[question];
        let node = &whole.graph.nodes()[node as usize];
        let built = match agent {
            Some(built) => built,
            None => agent.insert(whole.game.build_agent(name)?),
        };
        let game = &*whole.game;
        let seat = Seat { game, state: &node.state, player, history: &History::default(), watcher: None };
        let decision = match ask_afresh(&mut **built, seat, budget, &mut Rng::new(seed)) {
            Ok(decision) => decision,
            Err(failure) => {
                *agent = None;
                return Err(failed(name, &failure));
            }
        };
        if cancel::requested() {
            return Err(InputError::new("stopped before all was measured").of_kind(ErrorKind::Cancelled));
        }
        let Branch::Choice { actions, .. } = &node.branch else { unreachable!("a question is a choice") };
        let mut mix = vec![0.0; actions[rank].len()];
        for &(action, share) in &decision.policy {
            if let Some(place) = actions[rank].iter().position(|&known| known == action) {
                mix[place] += share;
            }
        }
        // An agent without a mix plays its action for sure.
        if mix.iter().sum::<f64>() <= 0.0
            && let Some(place) = actions[rank].iter().position(|&known| known == decision.action)
        {
            mix[place] = 1.0;
        }
        Ok(MixedAnswer { mix, seconds: decision.thought.time.as_secs_f64() })
    }
}

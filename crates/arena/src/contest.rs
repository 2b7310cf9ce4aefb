//! One match between agents, typed: the loop that everything else in the arena is built on.

use std::time::Duration;

use serde::Serialize;
use tesuji_core::{Game, History, Rng, Turn, mix};
use tesuji_search::{Agent, Budget, Seat};

/// A finished match.
#[derive(Clone, Debug)]
pub struct Contest<A> {
    /// All steps, outcomes of nature included.
    pub history: History<A>,
    /// What each player got, in seat order.
    pub payoffs: Vec<f64>,
    /// What each player's decisions cost, in seat order.
    pub figures: Vec<DecisionFigures>,
}

/// What the decisions of one player cost, added up.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct DecisionFigures {
    /// Decisions made.
    pub decisions: u64,
    /// Playouts made for them.
    pub playouts: u64,
    /// Time taken for them, as the agents report it.
    #[serde(skip)]
    pub time: Duration,
    /// The sum of the depths reached.
    pub depth: u64,
}

impl DecisionFigures {
    /// Adds another player's or match's figures.
    pub fn add(&mut self, other: &DecisionFigures) {
        self.decisions += other.decisions;
        self.playouts += other.playouts;
        self.time += other.time;
        self.depth += other.depth;
    }
}

/// The random streams of one match: nature's own, and one for each seat.
///
/// Two matches of a pair share nature's stream but not the agents', so that dice are the same for both sides.
pub(crate) struct Streams {
    nature: Rng,
    seats: Vec<Rng>,
}

impl Streams {
    pub(crate) fn new(nature: u64, agents: u64, seats: usize) -> Streams {
        Streams { nature: Rng::new(nature), seats: (0..seats as u64).map(|seat| Rng::new(mix(agents, seat))).collect() }
    }
}

/// A match under way, advanced step by step.
pub(crate) struct Running<'a, G: Game> {
    game: &'a G,
    state: G::State,
    streams: Streams,
    joint: Vec<G::Action>,
    legal: Vec<G::Action>,
    contest: Contest<G::Action>,
}

impl<'a, G: Game> Running<'a, G> {
    /// Sits the agents down for a new match.
    pub(crate) fn begin(game: &'a G, agents: &mut [&mut dyn Agent<G>], streams: Streams) -> Running<'a, G> {
        for agent in agents.iter_mut() {
            agent.begin();
        }
        let figures = vec![DecisionFigures::default(); agents.len()];
        let contest = Contest { history: History::default(), payoffs: Vec::new(), figures };
        Running { game, state: game.start(), streams, joint: Vec::new(), legal: Vec::new(), contest }
    }

    /// Plays one step; `false` if the match is over. `agents` and `budgets` are in seat order.
    ///
    /// # Panics
    /// If an agent answers with an illegal action, naming it.
    pub(crate) fn step(&mut self, agents: &mut [&mut dyn Agent<G>], budgets: &[Budget]) -> bool {
        let Running { game, state, streams, joint, legal, contest } = self;
        let turn = game.turn(state);
        joint.clear();
        match turn {
            Turn::Over => return false,
            Turn::Chance => joint.push(game.random_outcome(state, &mut streams.nature)),
            Turn::Player(_) | Turn::Simultaneous(_) => {
                for player in turn.movers() {
                    let index = player.index();
                    let seat = Seat { game: *game, state, player, history: &contest.history, watcher: None };
                    let decision = agents[index].choose(seat, &budgets[index], &mut streams.seats[index]);
                    legal.clear();
                    game.legal(state, player, legal);
                    assert!(legal.contains(&decision.action), "{player:?} answered {:?} in {state:?}", decision.action);
                    contest.figures[index].add(&DecisionFigures {
                        decisions: 1,
                        playouts: decision.thought.playouts,
                        time: decision.thought.time,
                        depth: u64::from(decision.thought.depth),
                    });
                    joint.push(decision.action);
                }
            }
        }
        game.apply(state, joint);
        contest.history.push(joint);
        true
    }

    /// What the decisions so far cost, in seat order.
    pub(crate) fn figures(&self) -> &[DecisionFigures] {
        &self.contest.figures
    }

    /// The finished match.
    pub(crate) fn finish(mut self) -> Contest<G::Action> {
        debug_assert_eq!(self.game.turn(&self.state), Turn::Over);
        self.contest.payoffs = self.game.spec().seats().map(|player| self.game.payoff(&self.state, player)).collect();
        self.contest
    }
}

/// Plays one match from the start to the end. `agents` and `budgets` are in seat order.
pub(crate) fn play<G: Game>(
    game: &G,
    agents: &mut [&mut dyn Agent<G>],
    budgets: &[Budget],
    streams: Streams,
) -> Contest<G::Action> {
    let mut running = Running::begin(game, agents, streams);
    while running.step(agents, budgets) {}
    running.finish()
}

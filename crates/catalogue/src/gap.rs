//! What agents give away in the first state: their strategies beside the exact solution.

use std::collections::btree_map::{BTreeMap, Entry};

use serde::Serialize;
use tesuji_core::laws::Complete;
use tesuji_core::{Game, History, InputError, Player, Rng, Turn, mix};
use tesuji_play::ask_afresh;
use tesuji_play::{Agent, Budget, Decision, Failure, Seat};
use tesuji_solve::root_gap;
use tesuji_solve::simultaneous::{ExactSolver, Limits, Memory, check_solvable};

use crate::SolvePlan;
use crate::bench::failed;
use crate::playable::Playable;
use crate::solve_simultaneous::{deep, most_positions, unsolved};

/// What is to be measured.
#[derive(Clone, PartialEq, Debug)]
pub struct GapPlan {
    /// The agent.
    pub agent: String,
    /// Playouts a decision, a figure for each.
    pub playouts: Vec<u64>,
    /// Decisions for each figure and player.
    pub repeats: u64,
    /// Fixes everything random.
    pub seed: u64,
}

/// What an agent gives away: the value of the game less what its strategy in the first state secures against the best reply, with
/// perfect play afterwards.
#[derive(Clone, Debug, Serialize)]
pub struct GapReport {
    /// The address of the game.
    pub game: String,
    /// The agent.
    pub agent: String,
    /// What the first player gets under best play.
    pub value: f64,
    /// A figure for each number of playouts and each player who moves.
    pub points: Vec<GapPoint>,
}

/// The gaps at one number of playouts.
#[derive(Clone, Debug, Serialize)]
pub struct GapPoint {
    /// Playouts a decision.
    pub playouts: u64,
    /// Whose strategy.
    pub player: String,
    /// Decisions looked at.
    pub decisions: u64,
    /// The mean gap, in payoffs.
    pub gap: f64,
    /// The standard error of the mean; 0 for a single decision.
    pub error: f64,
    /// The greatest gap.
    pub greatest: f64,
    /// Time a decision took on the mean, in milliseconds; where it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub milliseconds: Option<f64>,
}

/// The movers of a state; refuses states in which nobody chooses.
pub(crate) fn movers<G: Game>(game: &G, start: &G::State) -> Result<Vec<Player>, InputError> {
    match game.turn(start) {
        Turn::Over => Err(InputError::new("the match is over: nobody has a strategy there")),
        Turn::Chance => Err(InputError::new("nature draws first: nobody has a strategy there")
            .with_help("`--state` takes a position in which a player chooses")),
        turn => Ok(turn.movers().collect()),
    }
}

pub(crate) fn decide<G: Complete>(
    game: &G,
    start: &G::State,
    agent: &mut dyn Agent<G>,
    player: Player,
    playouts: u64,
    seed: u64,
) -> Result<Decision<G::Action>, Failure> {
    let seat = Seat { game, state: start, player, history: &History::default(), watcher: None };
    ask_afresh(agent, seat, &Budget::playouts(playouts), &mut Rng::new(seed))
}

/// What one decision gives away.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct GapDecision {
    /// What the first player gets under best play.
    pub value: f64,
    /// What the player's strategy gives away.
    pub gap: f64,
    /// The time the decision took.
    pub seconds: f64,
}

/// Measures what agents give away in one state of a game, decision by decision, on one thread. What was solved is remembered.
pub trait GapMeter: Send {
    /// Who chooses in that state.
    fn movers(&self) -> &[Player];

    /// Lets an agent decide for one of the movers and measures its strategy.
    fn measure(
        &mut self,
        agent: &str,
        player: Player,
        playouts: u64,
        seed: u64,
        limits: &SolvePlan<'_>,
    ) -> Result<GapDecision, InputError>;
}

pub(crate) struct TypedMeter<G: Complete> {
    game: Playable<G>,
    start: G::State,
    movers: Vec<Player>,
    memory: Memory,
    agents: BTreeMap<String, Box<dyn Agent<G>>>,
}

impl<G: Complete> TypedMeter<G> {
    /// Refuses games that cannot be solved and states in which nobody chooses.
    pub(crate) fn new(game: Playable<G>, start: G::State) -> Result<TypedMeter<G>, InputError> {
        check_solvable(&*game)?;
        let movers = movers(&*game, &start)?;
        Ok(TypedMeter { game, start, movers, memory: Memory::new(), agents: BTreeMap::new() })
    }
}

impl<G: Complete> GapMeter for TypedMeter<G> {
    fn movers(&self) -> &[Player] {
        &self.movers
    }

    fn measure(
        &mut self,
        agent: &str,
        player: Player,
        playouts: u64,
        seed: u64,
        limits: &SolvePlan<'_>,
    ) -> Result<GapDecision, InputError> {
        let game = &*self.game;
        let built = match self.agents.entry(agent.to_owned()) {
            Entry::Occupied(built) => built.into_mut(),
            Entry::Vacant(place) => place.insert(self.game.build_agent(agent)?),
        };
        let decided = decide(game, &self.start, &mut **built, player, playouts, seed);
        let decision = match decided {
            Ok(decision) => decision,
            Err(failure) => {
                // The next measurement builds it anew.
                self.agents.remove(agent);
                return Err(failed(agent, &failure));
            }
        };
        let (memory, start) = (&mut self.memory, &self.start);
        let found = deep(|| {
            let mut go_on = |_| !limits.is_stopped();
            let within = Limits { positions: most_positions(limits), go_on: Some(&mut go_on) };
            let mut solver = ExactSolver::new(game, std::mem::take(memory), within);
            let found = solver.value(start).and_then(|worth| {
                let gap = root_gap(game, &mut solver, start, player, &decision.policy)?.gap();
                Ok((worth.value, gap))
            });
            *memory = solver.into_memory();
            found
        })?;
        let (value, gap) = found.map_err(|why| unsolved(&game.spec().name, limits, why))?;
        Ok(GapDecision { value, gap, seconds: decision.thought.time.as_secs_f64() })
    }
}

/// The seed of a decision that is measured: it depends on nothing but the plan's seed, the player and the number of the decision.
pub fn gap_seed(seed: u64, player: Player, repeat: u64) -> u64 {
    mix(mix(seed, player.index() as u64), repeat)
}

impl GapPoint {
    /// The figures of some decisions, at least one.
    pub fn of(playouts: u64, player: &str, decisions: &[GapDecision]) -> GapPoint {
        let count = decisions.len() as f64;
        let gaps = || decisions.iter().map(|decision| decision.gap);
        let mean = gaps().sum::<f64>() / count;
        let squares: f64 = gaps().map(|gap| (gap - mean).powi(2)).sum();
        GapPoint {
            playouts,
            player: player.to_owned(),
            decisions: decisions.len() as u64,
            gap: mean,
            error: if decisions.len() > 1 { (squares / (count - 1.0) / count).sqrt() } else { 0.0 },
            greatest: gaps().fold(0.0, f64::max),
            milliseconds: Some(1e3 * decisions.iter().map(|decision| decision.seconds).sum::<f64>() / count),
        }
    }
}

/// Measures an agent's gaps.
pub(crate) fn gaps<G: Complete>(
    mut meter: TypedMeter<G>,
    plan: &GapPlan,
    limits: &SolvePlan<'_>,
) -> Result<GapReport, InputError> {
    let game = meter.game.clone();
    let spec = game.spec();
    let (mut value, mut points) = (0.0, Vec::new());
    for &playouts in &plan.playouts {
        for player in meter.movers.clone() {
            let measure =
                |repeat| meter.measure(&plan.agent, player, playouts, gap_seed(plan.seed, player, repeat), limits);
            let decisions = (0..plan.repeats).map(measure).collect::<Result<Vec<_>, _>>()?;
            value = decisions.first().map_or(value, |decision| decision.value);
            points.push(GapPoint::of(playouts, spec.player_name(player), &decisions));
        }
    }
    Ok(GapReport { game: spec.name.clone(), agent: plan.agent.clone(), value, points })
}

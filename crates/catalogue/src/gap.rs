//! What agents give away in the first state, and where they look: their strategies beside the exact solution.

use serde::Serialize;
use tesuji_core::laws::Complete;
use tesuji_core::{Actor, Game, History, InputError, Player, Rng, Turn, mix};
use tesuji_search::joint::root_gap;
use tesuji_search::simultaneous::{ExactSolver, Limits, Memory, check_solvable};
use tesuji_search::{Agent, Budget, Decision, Seat};

use crate::SolvePlan;
use crate::agents;
use crate::solve_simultaneous::{deep, too_large};

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
    /// Time a decision took on the mean, in milliseconds.
    pub milliseconds: f64,
}

/// The movers of a state; refuses states in which nobody chooses.
fn movers<G: Game>(game: &G, start: &G::State) -> Result<Vec<Player>, InputError> {
    match game.turn(start) {
        Turn::Over => Err(InputError::new("the match is over: nobody has a strategy there")),
        Turn::Chance => Err(InputError::new("nature draws first: nobody has a strategy there")
            .with_help("`--state` takes a position in which a player chooses")),
        turn => Ok(turn.movers().collect()),
    }
}

fn decide<G: Complete>(
    game: &G,
    start: &G::State,
    agent: &mut dyn Agent<G>,
    player: Player,
    playouts: u64,
    seed: u64,
) -> Decision<G::Action> {
    agent.begin();
    let seat = Seat { game, state: start, player, history: &History::default(), watcher: None };
    agent.choose(seat, &Budget::playouts(playouts), &mut Rng::new(seed))
}

/// Measures an agent's gaps from `start`.
pub(crate) fn gaps<G: Complete>(
    game: &G,
    start: &G::State,
    plan: &GapPlan,
    limits: &SolvePlan,
) -> Result<GapReport, InputError> {
    check_solvable(game)?;
    let movers = movers(game, start)?;
    let mut agent = agents::build(&plan.agent, game)?;
    let positions = usize::try_from(limits.most_nodes).unwrap_or(usize::MAX);
    let spec = game.spec();
    let measured = deep(|| {
        let mut solver = ExactSolver::new(game, Memory::new(), Limits { positions, stop: None });
        let value = solver.value(start)?.value;
        let mut points = Vec::new();
        for &playouts in &plan.playouts {
            for &player in &movers {
                let (mut all, mut time) = (Vec::new(), 0.0);
                for repeat in 0..plan.repeats {
                    let seed = mix(mix(plan.seed, player.index() as u64), repeat);
                    let decision = decide(game, start, &mut *agent, player, playouts, seed);
                    time += decision.thought.time.as_secs_f64();
                    all.push(root_gap(game, &mut solver, start, player, &decision.policy)?.gap());
                }
                let count = all.len() as f64;
                let mean = all.iter().sum::<f64>() / count;
                let squares: f64 = all.iter().map(|gap| (gap - mean).powi(2)).sum();
                points.push(GapPoint {
                    playouts,
                    player: spec.player_name(player).to_owned(),
                    decisions: plan.repeats,
                    gap: mean,
                    error: if all.len() > 1 { (squares / (count - 1.0) / count).sqrt() } else { 0.0 },
                    greatest: all.iter().fold(0.0, |most, &gap| most.max(gap)),
                    milliseconds: 1e3 * time / count,
                });
            }
        }
        Ok((value, points))
    })?;
    let (value, points) = measured.map_err(|_: tesuji_search::simultaneous::GaveUp| too_large(&spec.name, limits))?;
    Ok(GapReport { game: spec.name.clone(), agent: plan.agent.clone(), value, points })
}

/// Where an agent looks: how often it tries each joint action of the first state.
#[derive(Clone, Debug, Serialize)]
pub struct JointVisits {
    /// The address of the game.
    pub game: String,
    /// The agent.
    pub agent: String,
    /// For whom it chooses.
    pub player: String,
    /// Playouts a decision.
    pub playouts: u64,
    /// Decisions looked at.
    pub decisions: u64,
    /// The actions of the first mover.
    pub rows: Vec<String>,
    /// The actions of the second mover; empty where one moves alone.
    pub columns: Vec<String>,
    /// The mean number of visits of each joint action, row by row.
    pub visits: Vec<Vec<f64>>,
    /// In how many decisions it was visited most.
    pub most_visited: Vec<Vec<u64>>,
}

/// Looks where an agent looks from `start`, for the first mover or for `player`.
pub(crate) fn joint_visits<G: Complete>(
    game: &G,
    start: &G::State,
    plan: &GapPlan,
    player: Option<Player>,
) -> Result<Vec<JointVisits>, InputError> {
    let movers = movers(game, start)?;
    let player = player.unwrap_or(movers[0]);
    let spec = game.spec();
    if !movers.contains(&player) {
        return Err(InputError::new(format!("{} does not choose there", spec.player_name(player))));
    }
    let mut agent = agents::build(&plan.agent, game)?;
    let text = |rank: usize, action| game.action_text(start, Actor::Player(movers[rank]), action);
    let mut reports = Vec::new();
    for &playouts in &plan.playouts {
        let (mut rows, mut columns): (Vec<G::Action>, Vec<G::Action>) = Default::default();
        let (mut visits, mut most_visited): (Vec<Vec<f64>>, Vec<Vec<u64>>) = Default::default();
        for repeat in 0..plan.repeats {
            let seed = mix(mix(plan.seed, player.index() as u64), repeat);
            let joint = decide(game, start, &mut *agent, player, playouts, seed).thought.joint;
            if joint.is_empty() || movers.len() > 2 {
                return Err(InputError::new(format!("`{}` does not count joint actions here", plan.agent))
                    .with_help("`joint-mc`, `joint-tree` and their presets do, for two players"));
            }
            if repeat == 0 {
                for (actions, _) in &joint {
                    if !rows.contains(&actions[0]) {
                        rows.push(actions[0]);
                    }
                    if let Some(&second) = actions.get(1)
                        && !columns.contains(&second)
                    {
                        columns.push(second);
                    }
                }
                visits = vec![vec![0.0; columns.len().max(1)]; rows.len()];
                most_visited = vec![vec![0; columns.len().max(1)]; rows.len()];
            }
            let most = joint.iter().map(|(_, count)| *count).max().unwrap_or(0);
            for (actions, count) in &joint {
                let row = rows.iter().position(|action| *action == actions[0]).unwrap_or(0);
                let second = actions.get(1);
                let column = columns.iter().position(|action| Some(action) == second).unwrap_or(0);
                visits[row][column] += *count as f64 / plan.repeats as f64;
                most_visited[row][column] += u64::from(*count == most);
            }
        }
        reports.push(JointVisits {
            game: spec.name.clone(),
            agent: plan.agent.clone(),
            player: spec.player_name(player).to_owned(),
            playouts,
            decisions: plan.repeats,
            rows: rows.into_iter().map(|action| text(0, action)).collect(),
            columns: columns.into_iter().map(|action| text(1, action)).collect(),
            visits,
            most_visited,
        });
    }
    Ok(reports)
}

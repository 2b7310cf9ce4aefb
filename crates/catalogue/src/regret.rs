//! How far agents are from perfect play: what their decisions lose against the exact values of sampled positions.
//!
//! For games in which one player acts at a time, with or without chance. Positions are sampled from uniformly random
//! matches: one decision of each match, uniformly. The regret of a decision is the mover's value under best play minus
//! its value after the decision with best play from then on.

use serde::Serialize;
use tesuji_core::laws::Complete;
use tesuji_core::{ErrorKind, Features, Game, InputError, Rng, Turn, mix};
use tesuji_play::Agent;
use tesuji_solve::Solved;

use crate::SolvePlan;
use crate::bench::failed;
use crate::exploitability::decide;
use crate::playable::Playable;

/// What is to be measured.
#[derive(Clone, PartialEq, Debug)]
pub struct RegretPlan {
    /// The agents.
    pub agents: Vec<String>,
    /// Playouts a decision, a figure for each agent and number.
    pub playouts: Vec<u64>,
    /// The number of positions; all agents get the same ones.
    pub positions: u64,
    /// Fixes everything random.
    pub seed: u64,
}

/// The regrets of some agents in one game.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct RegretReport {
    /// The address of the game.
    pub game: String,
    /// What the first player gets under best play.
    pub value: f64,
    /// How far the exact values may be off.
    pub error: f64,
    /// The states of the solution.
    pub states: u64,
    /// A figure for each agent and number of playouts.
    pub points: Vec<RegretPoint>,
}

/// The regret of one agent.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct RegretPoint {
    /// The agent.
    pub agent: String,
    /// Playouts a decision.
    pub playouts: u64,
    /// Positions looked at.
    pub positions: u64,
    /// The mean regret, in payoffs.
    pub regret: f64,
    /// The standard error of the mean.
    pub error: f64,
    /// The share of decisions that lose nothing.
    pub optimal: f64,
    /// The greatest regret.
    pub greatest: f64,
    /// Time a decision took on the mean, in milliseconds.
    pub milliseconds: f64,
}

/// Regrets up to this are rounding.
const ROUNDING: f64 = 1e-9;

/// Measures what agents lose in sampled positions.
pub(crate) fn regret<G: Complete>(
    game: &Playable<G>,
    plan: &RegretPlan,
    limits: &SolvePlan<'_>,
) -> Result<RegretReport, InputError> {
    let spec = game.spec();
    let refused = |message: String| InputError::new(message).of_kind(ErrorKind::Refused);
    if const { G::ALWAYS.contains(Features::SIMULTANEOUS) } || spec.features.contains(Features::SIMULTANEOUS) {
        return Err(refused(format!("players of `{}` act at once", spec.name))
            .with_help("`tesuji exploitability` measures agents for joint moves"));
    }
    let start = game.start();
    let solved = Solved::new(&**game, &start, limits.most_nodes, limits.tolerance)?;
    let positions = sampled(&**game, plan)?;
    let mut exact = Vec::with_capacity(positions.len());
    for state in &positions {
        let unknown = || refused(format!("a position of `{}` has no exact value", spec.name));
        exact.push(solved.actions(&**game, state).ok_or_else(unknown)?);
    }
    let tolerance = ROUNDING + 2.0 * exact.iter().flatten().map(|(_, value)| value.error).fold(0.0, f64::max);
    let mut points = Vec::new();
    for agent in &plan.agents {
        let mut built = game.build_agent(agent)?;
        for &playouts in &plan.playouts {
            let losses = measure(&**game, agent, &mut *built, playouts, plan.seed, &positions, &exact)?;
            points.push(RegretPoint::of(agent, playouts, &losses, tolerance));
        }
    }
    let value = solved.value(&**game, &start, tesuji_core::Player(0));
    let (value, error) = value.map_or((f64::NAN, 0.0), |value| (value.value, value.error));
    Ok(RegretReport { game: spec.name.clone(), value, error, states: solved.states(), points })
}

/// What each decision loses, and the seconds it took.
fn measure<G: Complete>(
    game: &G,
    name: &str,
    agent: &mut dyn Agent<G>,
    playouts: u64,
    seed: u64,
    positions: &[G::State],
    exact: &[Vec<(G::Action, tesuji_solve::Value)>],
) -> Result<Vec<(f64, f64)>, InputError> {
    let mut losses = Vec::with_capacity(positions.len());
    for (number, (state, worth)) in positions.iter().zip(exact).enumerate() {
        let Turn::Player(mover) = game.turn(state) else { continue };
        let decision = decide(game, state, agent, mover, playouts, mix(mix(seed, 1), number as u64))
            .map_err(|failure| failed(name, &failure))?;
        let best = worth.iter().map(|(_, value)| value.value).fold(f64::NEG_INFINITY, f64::max);
        let value_of =
            |action: &G::Action| worth.iter().find(|(known, _)| known == action).map(|(_, value)| value.value);
        let got: f64 = decision.policy.iter().filter_map(|(action, share)| Some(share * value_of(action)?)).sum();
        losses.push(((best - got).max(0.0), decision.thought.time.as_secs_f64()));
    }
    Ok(losses)
}

/// One position of each of some random matches, in which a player has a choice.
fn sampled<G: Game>(game: &G, plan: &RegretPlan) -> Result<Vec<G::State>, InputError> {
    let mut positions = Vec::new();
    let (mut scratch, mut legal) = (Vec::new(), Vec::new());
    for number in 0.. {
        if positions.len() as u64 >= plan.positions {
            break;
        }
        if number >= 10 * plan.positions.max(100) {
            return Err(InputError::new("random matches hardly ever reach a position with a choice"));
        }
        let mut rng = Rng::new(mix(mix(plan.seed, 0), number));
        let mut state = game.start();
        let mut met = Vec::new();
        loop {
            match game.turn(&state) {
                Turn::Player(mover) => {
                    legal.clear();
                    game.legal(&state, mover, &mut legal);
                    if legal.len() > 1 {
                        met.push(state.clone());
                    }
                    let action = game.random_action(&state, mover, &mut rng, &mut scratch);
                    game.apply(&mut state, &[action]);
                }
                Turn::Chance => {
                    let outcome = game.random_outcome(&state, &mut rng);
                    game.apply(&mut state, &[outcome]);
                }
                Turn::Over | Turn::Simultaneous(_) => break,
            }
        }
        if !met.is_empty() {
            let place = rng.below(met.len());
            positions.push(met.swap_remove(place));
        }
    }
    Ok(positions)
}

impl RegretPoint {
    fn of(agent: &str, playouts: u64, losses: &[(f64, f64)], tolerance: f64) -> RegretPoint {
        let count = losses.len().max(1) as f64;
        let mean = losses.iter().map(|(loss, _)| loss).sum::<f64>() / count;
        let squares: f64 = losses.iter().map(|(loss, _)| (loss - mean).powi(2)).sum();
        RegretPoint {
            agent: agent.to_owned(),
            playouts,
            positions: losses.len() as u64,
            regret: mean,
            error: if losses.len() > 1 { (squares / (count - 1.0) / count).sqrt() } else { 0.0 },
            optimal: losses.iter().filter(|(loss, _)| *loss <= tolerance).count() as f64 / count,
            greatest: losses.iter().map(|(loss, _)| *loss).fold(0.0, f64::max),
            milliseconds: 1e3 * losses.iter().map(|(_, seconds)| seconds).sum::<f64>() / count,
        }
    }
}

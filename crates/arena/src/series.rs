//! Series of matches between agents, seats rotating, on several threads, with a result that does not depend on them.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde::Serialize;
use tesuji_core::{InputError, Spec, mix};

use crate::statistics::{self, Tally};
use crate::{AnyGame, Budget, crew};
use crate::{Entrant, PlayedMatch, Ring};

/// Which matches to play.
#[derive(Clone, Debug)]
pub struct SeriesPlan {
    /// As many agents as the game has players.
    pub agents: Vec<String>,
    /// Matches in all. Seats rotate from match to match, so a multiple of the number of players is fair to all.
    pub games: u64,
    /// Fixes everything random.
    pub seed: u64,
    /// For agents that carry no budget of their own.
    pub budget: Budget,
    /// What every agent may spend before the first step of a match; `None`: nothing.
    pub start: Option<Budget>,
    /// A decision that takes longer forfeits its match.
    pub limit: Option<Duration>,
    /// Threads to play on; the result does not depend on it.
    pub threads: usize,
}

/// The figures of a series, from the first agent's view.
#[derive(Clone, Debug, Serialize)]
pub struct SeriesResult {
    /// The address of the game.
    pub game: String,
    /// The agents' addresses.
    pub agents: Vec<String>,
    /// Matches played.
    pub games: u64,
    /// Won, drawn and lost by the first agent.
    #[serde(flatten)]
    pub tally: Tally,
    /// Its score per match.
    pub win_rate: Option<f64>,
    /// Wilson's 95 % interval for the win rate.
    pub interval: Option<(f64, f64)>,
    /// Student's 95 % interval over rounds (all seatings with the same dice); absent below two rounds.
    pub pair_interval: Option<(f64, f64)>,
    /// What each agent did.
    pub figures: Vec<AgentFigures>,
    /// The mean number of steps of a match.
    pub mean_steps: f64,
    /// Matches forfeited by a foul, with what happened.
    pub fouls: Vec<String>,
    /// Fixes everything random.
    pub seed: u64,
    /// The budget of agents without their own.
    pub budget: String,
    /// What agents could spend before the first step; absent if nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
}

/// One agent's share of a series.
#[derive(Clone, Debug, Serialize)]
pub struct AgentFigures {
    /// Its address.
    pub agent: String,
    /// Won, drawn and lost in each seat.
    pub by_seat: Vec<Tally>,
    /// Its mean payoff.
    pub mean_payoff: f64,
    /// Mean playouts a decision.
    pub playouts_per_decision: f64,
    /// Mean depth of the tree at a decision, in steps.
    pub depth_per_decision: f64,
    /// Mean time a decision, in milliseconds, by the machine that played.
    pub milliseconds_per_decision: f64,
}

/// Plays a series. `progress` sees the first agent's tally after each match.
pub fn play_series(
    game: &dyn AnyGame,
    plan: &SeriesPlan,
    stop: &AtomicBool,
    mut progress: impl FnMut(Tally),
) -> Result<SeriesResult, InputError> {
    let spec = game.spec();
    let seats = spec.players.len();
    if plan.agents.len() != seats {
        let message = format!("`{}` is for {seats} player(s), got {} agent(s)", spec.name, plan.agents.len());
        return Err(InputError::new(message).with_help(format!("one agent for each of: {}", spec.players.join(", "))));
    }
    if plan.games == 0 {
        return Err(InputError::new("a series of 0 games has no result").with_help("ask for at least one"));
    }
    let entrant = |address: &String| Entrant {
        address: address.clone(),
        budget: plan.budget,
        start: plan.start,
        limit: plan.limit,
    };
    let entrants: Vec<Entrant> = plan.agents.iter().map(entrant).collect();
    // Refusals come before the first match.
    let seatings = game.ring(&entrants)?.seatings().to_vec();
    let mut played: Vec<Option<PlayedMatch>> = Vec::new();
    played.resize_with(plan.games as usize, || None);
    let mut running = Tally::default();
    crew::run(
        plan.games,
        plan.threads,
        stop,
        || game.ring(&entrants).ok(),
        |ring: &mut Option<Box<dyn Ring>>, task| {
            let (round, seating) = (task / seats as u64, (task % seats as u64) as usize);
            Some((task, ring.as_mut()?.play(seating, mix(plan.seed, round), false)))
        },
        |result| {
            if let Some((task, result)) = result {
                running.count(first_score(spec, &seatings, &result));
                progress(running);
                played[task as usize] = Some(result);
            }
            Ok::<(), InputError>(())
        },
    )?;
    let finished: Vec<PlayedMatch> = played.into_iter().map_while(|result| result).collect();
    Ok(summarise(spec, plan, &seatings, &finished))
}

fn first_score(spec: &Spec, seatings: &[Vec<usize>], played: &PlayedMatch) -> f64 {
    statistics::score(spec, &played.payoffs, seat_of(seatings, played, 0))
}

fn seat_of(seatings: &[Vec<usize>], played: &PlayedMatch, agent: usize) -> usize {
    seatings[played.seating].iter().position(|&held| held == agent).unwrap_or(0)
}

fn summarise(spec: &Spec, plan: &SeriesPlan, seatings: &[Vec<usize>], matches: &[PlayedMatch]) -> SeriesResult {
    let seats = seatings.len();
    let scores: Vec<f64> = matches.iter().map(|played| first_score(spec, seatings, played)).collect();
    let mut tally = Tally::default();
    scores.iter().for_each(|&score| tally.count(score));
    let rounds: Vec<f64> = scores.chunks_exact(seats).map(|round| round.iter().sum::<f64>() / seats as f64).collect();
    let fouls = matches.iter().filter_map(|played| played.foul(&plan.agents, seatings));
    SeriesResult {
        game: spec.name.clone(),
        agents: plan.agents.clone(),
        games: matches.len() as u64,
        tally,
        win_rate: tally.rate(),
        interval: statistics::wilson(tally.score(), tally.games(), 0.95),
        pair_interval: statistics::mean_interval(&rounds, 0.95).map(|(low, high)| (low.max(0.0), high.min(1.0))),
        figures: (0..seats).map(|agent| figures(spec, &plan.agents[agent], agent, seatings, matches)).collect(),
        mean_steps: mean(matches.iter().map(|played| f64::from(played.steps))),
        fouls: fouls.collect(),
        seed: plan.seed,
        budget: plan.budget.to_string(),
        start: plan.start.map(|start| start.to_string()),
    }
}

fn figures(spec: &Spec, address: &str, agent: usize, seatings: &[Vec<usize>], matches: &[PlayedMatch]) -> AgentFigures {
    let mut by_seat = vec![Tally::default(); spec.players.len()];
    let (mut decisions, mut playouts, mut depth, mut time) = (0u64, 0u64, 0u64, Duration::ZERO);
    for played in matches {
        let seat = seat_of(seatings, played, agent);
        by_seat[seat].count(statistics::score(spec, &played.payoffs, seat));
        for decision in played.decisions.iter().filter(|decision| decision.player.index() == seat) {
            decisions += 1;
            playouts += decision.playouts;
            depth += u64::from(decision.depth);
            time += decision.time;
        }
    }
    let each = 1.0 / decisions.max(1) as f64;
    AgentFigures {
        agent: address.to_owned(),
        by_seat,
        mean_payoff: mean(matches.iter().map(|played| played.payoffs[seat_of(seatings, played, agent)])),
        playouts_per_decision: playouts as f64 * each,
        depth_per_decision: depth as f64 * each,
        milliseconds_per_decision: time.as_secs_f64() * 1e3 * each,
    }
}

fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len().max(1) as f64;
    values.sum::<f64>() / count
}

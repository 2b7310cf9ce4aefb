//! Series of matches between agents, sides swapped, on all threads, with a result that does not depend on them.

use std::sync::Mutex;

use rayon::prelude::*;
use serde::Serialize;
use tesuji_core::laws::Complete;
use tesuji_core::{InputError, mix};
use tesuji_search::{Agent, Budget};

use crate::agents;
use crate::contest::{self, DecisionFigures, Streams};
use crate::statistics::{self, Tally};

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
}

/// What is known while a series runs.
#[derive(Clone, Copy, Debug, Default)]
pub struct SeriesProgress {
    /// From the first agent's view.
    pub tally: Tally,
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
    /// Student's 95 % interval over pairs (rounds of all seatings with the same dice); absent below two rounds.
    pub pair_interval: Option<(f64, f64)>,
    /// How many of each agent's matches it won, drew and lost, by seat and in all.
    pub figures: Vec<AgentFigures>,
    /// The mean number of steps of a match.
    pub mean_steps: f64,
    /// Fixes everything random.
    pub seed: u64,
    /// The budget of agents without their own.
    pub budget: String,
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

/// One match of the series, as its figures need it: indexed by agent, not by seat.
struct Played {
    payoffs: Vec<f64>,
    figures: Vec<DecisionFigures>,
    steps: usize,
}

pub(crate) fn play_series<G: Complete>(
    game: &G,
    plan: &SeriesPlan,
    progress: &(dyn Fn(&SeriesProgress) + Sync),
) -> Result<SeriesResult, InputError> {
    let seats = game.spec().players.len();
    if plan.agents.len() != seats {
        let players = game.spec().players.join(", ");
        return Err(InputError::new(format!(
            "`{}` is for {seats} player(s), got {} agent(s)",
            game.spec().name,
            plan.agents.len()
        ))
        .with_help(format!("one agent for each of: {players}")));
    }
    if plan.games == 0 {
        return Err(InputError::new("a series of 0 games has no result").with_help("ask for at least one"));
    }
    let build = || plan.agents.iter().map(|address| agents::build(address, game)).collect::<Result<Vec<_>, _>>();
    // Refusals come before the first match.
    build()?;
    let running = Mutex::new(SeriesProgress::default());
    let games: Vec<Played> = (0..plan.games)
        .into_par_iter()
        .map_init(
            || build().unwrap_or_else(|error| panic!("built a moment ago: {error}")),
            |agents, index| {
                let played = play_one(game, agents, plan, index);
                // Counting is all that happens under the lock.
                let mut running = running.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                running.tally.count(statistics::score(game.spec(), &played.payoffs, 0));
                progress(&running);
                played
            },
        )
        .collect();
    Ok(summarise(game, plan, &games))
}

/// Runs `work` on a pool of `threads` threads, or on all cores. Results do not depend on it.
pub fn with_threads<T: Send>(threads: Option<usize>, work: impl FnOnce() -> T + Send) -> T {
    match rayon::ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0)).build() {
        Ok(pool) => pool.install(work),
        // No thread can be had: the calling one does it all.
        Err(_) => work(),
    }
}

/// The seat of each agent in match `index`: seats rotate within a round.
fn seating(index: u64, seats: usize) -> impl Fn(usize) -> usize {
    let shift = (index % seats as u64) as usize;
    move |agent| (agent + shift) % seats
}

fn play_one<G: Complete>(game: &G, agents: &mut [Box<dyn Agent<G>>], plan: &SeriesPlan, index: u64) -> Played {
    let seats = agents.len();
    let seat_of = seating(index, seats);
    let round = index / seats as u64;
    let streams = Streams::new(mix(mix(plan.seed, round), 0), mix(mix(plan.seed, index), 1), seats);
    let mut seated: Vec<Option<&mut dyn Agent<G>>> = (0..seats).map(|_| None).collect();
    for (agent, boxed) in agents.iter_mut().enumerate() {
        seated[seat_of(agent)] = Some(boxed.as_mut());
    }
    let mut seated: Vec<&mut dyn Agent<G>> = seated.into_iter().flatten().collect();
    let contest = contest::play(game, &mut seated, &vec![plan.budget; seats], streams);
    Played {
        payoffs: (0..seats).map(|agent| contest.payoffs[seat_of(agent)]).collect(),
        figures: (0..seats).map(|agent| contest.figures[seat_of(agent)]).collect(),
        steps: contest.history.len(),
    }
}

fn summarise<G: Complete>(game: &G, plan: &SeriesPlan, games: &[Played]) -> SeriesResult {
    let seats = plan.agents.len();
    let scores: Vec<f64> = games.iter().map(|played| statistics::score(game.spec(), &played.payoffs, 0)).collect();
    let mut tally = Tally::default();
    scores.iter().for_each(|&score| tally.count(score));
    let rounds: Vec<f64> = scores.chunks_exact(seats).map(|round| round.iter().sum::<f64>() / seats as f64).collect();
    let figures = (0..seats).map(|agent| {
        let mut by_seat = vec![Tally::default(); seats];
        let mut total = DecisionFigures::default();
        let mut payoff = 0.0;
        for (index, played) in games.iter().enumerate() {
            by_seat[seating(index as u64, seats)(agent)].count(statistics::score(game.spec(), &played.payoffs, agent));
            total.add(&played.figures[agent]);
            payoff += played.payoffs[agent];
        }
        let decisions = total.decisions.max(1) as f64;
        AgentFigures {
            agent: plan.agents[agent].clone(),
            by_seat,
            mean_payoff: payoff / games.len() as f64,
            playouts_per_decision: total.playouts as f64 / decisions,
            depth_per_decision: total.depth as f64 / decisions,
            milliseconds_per_decision: total.time.as_secs_f64() * 1e3 / decisions,
        }
    });
    SeriesResult {
        game: game.spec().name.clone(),
        agents: plan.agents.clone(),
        games: plan.games,
        tally,
        win_rate: tally.rate(),
        interval: statistics::wilson(tally.score(), tally.games(), 0.95),
        pair_interval: statistics::mean_interval(&rounds, 0.95).map(|(low, high)| (low.max(0.0), high.min(1.0))),
        figures: figures.collect(),
        mean_steps: games.iter().map(|played| played.steps as f64).sum::<f64>() / games.len() as f64,
        seed: plan.seed,
        budget: plan.budget.to_string(),
    }
}

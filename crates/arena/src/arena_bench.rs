//! What the arena itself costs: the harness around thinking agents, the store, and the gain from more threads.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use serde::Serialize;
use tesuji_core::{InputError, Source};

use crate::Catalogue;
use crate::experiment::{Scale, read_experiment};
use crate::run::{RunPlan, run_experiment};
use crate::store::Store;
use crate::summary::summarise;

/// Figures of the arena on this machine.
#[derive(Clone, Debug, Serialize)]
pub struct ArenaBench {
    /// Mean time of a decision in the two figures below, in microseconds.
    pub microseconds_per_decision: f64,
    /// The share of the time on one thread that was not spent deciding: playing, storing, waiting.
    pub overhead: f64,
    /// How many times faster the same run was on all threads.
    pub speed_up: f64,
    /// The threads of that run.
    pub threads: usize,
    /// Random Tic-Tac-Toe matches played and stored a second, on all threads.
    pub stored_matches_per_second: f64,
    /// Matches of that figure.
    pub stored_matches: u64,
}

/// A decision of this many playouts takes about 100 µs.
const PLAYOUTS: u64 = 250;

/// Runs the measurements in the folder `scratch`, which must exist; about `pairs` / 10 seconds.
pub fn bench_arena(
    catalogue: &Catalogue,
    scratch: &Path,
    threads: usize,
    pairs: u64,
) -> Result<ArenaBench, InputError> {
    let thinking = format!(
        "title = \"thinking\"\ngames = [\"connect-four\"]\n\
         agents = [\"uct\", {{ address = \"uct\", label = \"again\" }}]\n\
         seed = 1\npairs = {pairs}\nbudget = {{ playouts = {PLAYOUTS} }}\n"
    );
    let random = format!(
        "title = \"storing\"\ngames = [\"tic-tac-toe\"]\n\
         agents = [\"random\", {{ address = \"random\", label = \"again\" }}]\n\
         seed = 1\npairs = {}\nbudget = {{ playouts = 1 }}\n",
        pairs * 1_000
    );
    let alone = timed(catalogue, &scratch.join("alone.db"), &thinking, 1)?;
    let crew = timed(catalogue, &scratch.join("crew.db"), &thinking, threads)?;
    let storing = timed(catalogue, &scratch.join("storing.db"), &random, threads)?;
    Ok(ArenaBench {
        microseconds_per_decision: alone.deciding.as_secs_f64() * 1e6 / alone.decisions.max(1) as f64,
        overhead: 1.0 - alone.deciding.as_secs_f64() / alone.wall.as_secs_f64(),
        speed_up: alone.wall.as_secs_f64() / crew.wall.as_secs_f64(),
        threads,
        stored_matches_per_second: storing.matches as f64 / storing.wall.as_secs_f64(),
        stored_matches: storing.matches,
    })
}

struct Timed {
    wall: Duration,
    deciding: Duration,
    decisions: u64,
    matches: u64,
}

fn timed(catalogue: &Catalogue, path: &Path, text: &str, threads: usize) -> Result<Timed, InputError> {
    let experiment = read_experiment(catalogue, &Source::new("bench", text), Scale::Full)?;
    let mut store = Store::open(path)?;
    let begun = Instant::now();
    let plan = RunPlan { threads, shard: None };
    let end = run_experiment(&experiment, ("bench", text), &mut store, plan, &AtomicBool::new(false), |_| ())?;
    let wall = begun.elapsed();
    let summary = summarise(&experiment, &store, end.run, true)?;
    let timings = summary.timings.unwrap_or_default();
    let deciding = timings.iter().map(|timing| timing.milliseconds * timing.decisions as f64).sum::<f64>() / 1e3;
    Ok(Timed {
        wall,
        deciding: Duration::from_secs_f64(deciding),
        decisions: timings.iter().map(|timing| timing.decisions).sum(),
        matches: summary.matches,
    })
}

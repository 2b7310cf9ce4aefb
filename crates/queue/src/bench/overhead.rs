//! The overhead of a queue: the same experiment by `tesuji run` and by collector, server and worker, in turn.
//!
//! Each turn plays an experiment of its own both ways, one after the other, and every second turn in the other order.
//! What disturbs a machine for minutes so disturbs both. The verdict is the median over the turns; their spread says
//! how far it can be trusted. Processor time is measured beside the time on the wall: others who use the machine change
//! the second, and hardly the first.

use std::process::Child;
use std::time::{Duration, Instant};

use serde::Serialize;
use tesuji_arena::{BenchPlan, Catalogue, InputError};

use super::processor::{ServerTime, of_ended_children};
use super::{QueueBenchPlan, fresh_seed, program, written};
use crate::server::failed;

/// Seconds that a decision should take.
const DECISION: f64 = 0.010;
/// Decisions in a match of Connect Four, about.
const DECISIONS: f64 = 36.0;

/// The same experiments by `tesuji run`, and by a queue on the same machine.
#[derive(Clone, Debug, Serialize)]
pub struct OverheadBench {
    /// Playouts a decision, which take about 10 ms.
    pub playouts: u64,
    /// Pairs of matches.
    pub pairs: u64,
    /// Threads that play.
    pub threads: usize,
    /// Both ways, each time.
    pub turns: Vec<OverheadTurn>,
    /// How much longer the queue takes, as a share.
    pub time: Spread,
    /// How much more processor time the queue takes, as a share; `None` where the system does not tell.
    pub processor: Option<Spread>,
    /// Is the server's processor time counted? It is if the server runs on this machine.
    pub server_counted: bool,
    /// Are both summaries the same, byte by byte?
    pub same_summary: bool,
}

/// An experiment that was played both ways. All times are in seconds.
#[derive(Clone, Debug, Default, Serialize)]
pub struct OverheadTurn {
    /// By `tesuji run`.
    pub alone: f64,
    /// By collector, server and one worker.
    pub queued: f64,
    /// The processor time of `tesuji run`.
    pub alone_processor: Option<f64>,
    /// The processor time of collector and worker, and of the server where it is known.
    pub queued_processor: Option<f64>,
}

/// The median of some figures, and how they vary.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Spread {
    /// Half of the figures are below.
    pub median: f64,
    /// The smallest figure.
    pub least: f64,
    /// The greatest figure.
    pub most: f64,
}

impl Spread {
    /// The spread of some figures; `None` without any.
    pub fn of(figures: impl IntoIterator<Item = f64>) -> Option<Spread> {
        let mut sorted: Vec<f64> = figures.into_iter().collect();
        sorted.sort_by(f64::total_cmp);
        let (least, most) = (*sorted.first()?, *sorted.last()?);
        let middle = sorted.len() / 2;
        let median = if sorted.len() % 2 == 1 { sorted[middle] } else { (sorted[middle - 1] + sorted[middle]) / 2.0 };
        Some(Spread { median, least, most })
    }
}

/// Plays experiments by `tesuji run` and by a queue.
pub(super) fn measure_overhead(catalogue: &Catalogue, plan: &QueueBenchPlan) -> Result<OverheadBench, InputError> {
    let game = catalogue.open("connect-four")?;
    let time = Duration::from_millis(500);
    let bench = BenchPlan { time, policy: None, uct_playouts: 2_000, batch: false, agents: Vec::new() };
    let playouts = ((game.bench(&bench)?.uct_playouts_per_second * DECISION) as u64).max(1);
    let pairs = (plan.seconds * plan.threads as f64 / (2.0 * DECISIONS * DECISION)) as u64;
    let pairs = pairs.max(plan.threads as u64);
    let server = ServerTime::find(&plan.server.url);
    let mut turns = Vec::new();
    let mut same_summary = true;
    for number in 0..plan.turns.max(1) {
        let text = format!(
            "title = \"ten milliseconds a decision\"\ngames = [\"connect-four\"]\n\
             agents = [\"uct\", {{ address = \"uct\", label = \"again\" }}]\n\
             seed = {}\npairs = {pairs}\nbudget = {{ playouts = {playouts} }}\n",
            fresh_seed()
        );
        let file = format!("ten-{number}.toml");
        written(&plan.scratch, &file, &text)?;
        let mut turn = OverheadTurn::default();
        let mut summaries = Vec::new();
        let order = if number % 2 == 0 { [false, true] } else { [true, false] };
        for queued in order {
            let (begun, before) = (Instant::now(), of_ended_children());
            let server_before = server.as_ref().and_then(ServerTime::seconds);
            let store = format!("{}-{number}.db", if queued { "queued" } else { "alone" });
            summaries.push(if queued { by_queue(plan, &file, &store)? } else { by_run(plan, &file, &store)? });
            let passed = begun.elapsed().as_secs_f64();
            let own = before.zip(of_ended_children()).map(|(before, after)| after - before);
            if queued {
                let server = server_before.zip(server.as_ref().and_then(ServerTime::seconds));
                let server = server.map_or(0.0, |(before, after)| after - before);
                (turn.queued, turn.queued_processor) = (passed, own.map(|own| own + server));
            } else {
                (turn.alone, turn.alone_processor) = (passed, own);
            }
        }
        same_summary &= summaries[0] == summaries[1];
        turns.push(turn);
    }
    let time = Spread::of(turns.iter().map(|turn| turn.queued / turn.alone - 1.0));
    let time = time.ok_or_else(|| InputError::new("nothing was measured"))?;
    let both = turns.iter().filter_map(|turn| turn.queued_processor.zip(turn.alone_processor));
    let processor = Spread::of(both.map(|(queued, alone)| queued / alone.max(1e-3) - 1.0));
    let server_counted = server.is_some_and(|server| server.seconds().is_some());
    let threads = plan.threads;
    Ok(OverheadBench { playouts, pairs, threads, turns, time, processor, server_counted, same_summary })
}

fn by_run(plan: &QueueBenchPlan, file: &str, store: &str) -> Result<Vec<u8>, InputError> {
    let threads = plan.threads.to_string();
    let arguments = ["run", file, "--store", store, "--json", "--quiet", "--threads", &threads];
    output(program(&arguments, &[], &plan.scratch)?)
}

fn by_queue(plan: &QueueBenchPlan, file: &str, store: &str) -> Result<Vec<u8>, InputError> {
    let threads = plan.threads.to_string();
    let collector = program(&["run", file, "--store", store, "--json", "--quiet"], &plan.arguments, &plan.scratch)?;
    let mut address = vec![plan.server.url.clone()];
    address.extend(plan.arguments.iter().skip(2).cloned());
    let mut worker = program(&["work", "--quiet", "--threads", &threads], &address, &plan.scratch)?;
    let summary = output(collector);
    drop(worker.kill());
    drop(worker.wait());
    summary
}

fn output(child: Child) -> Result<Vec<u8>, InputError> {
    let output = child.wait_with_output().map_err(|error| failed("the program cannot be awaited", error))?;
    if output.status.success() { Ok(output.stdout) } else { Err(InputError::new("a run of the measurement failed")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spread_has_the_middle_of_its_figures() {
        assert_eq!(Spread::of([]), None);
        assert_eq!(Spread::of([3.0, 1.0, 2.0]), Some(Spread { median: 2.0, least: 1.0, most: 3.0 }));
        assert_eq!(Spread::of([4.0, 1.0, 2.0, 9.0]), Some(Spread { median: 3.0, least: 1.0, most: 9.0 }));
    }
}

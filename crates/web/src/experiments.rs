//! Experiments run by the lab: one at a time in the background, the others in a queue.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde::Serialize;
use tesuji_arena::experiment::{Experiment, Pairing, Scale, read_experiment};
use tesuji_arena::statistics::{Pairs, anytime_interval};
use tesuji_arena::store::Store;
use tesuji_arena::{CONFIDENCE, Catalogue, InputError, RunPlan, RunProgress, Source, cancel, guard, run_experiment};
use tokio::sync::watch;
use utoipa::ToSchema;

use crate::error::ApiError;

/// How many ended runs are listed.
const ENDED: usize = 20;

/// What runs, what waits, and what ended lately.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
pub(crate) struct ExperimentsView {
    /// The current run.
    pub running: Option<RunningView>,
    /// Those that wait.
    pub queue: Vec<QueuedView>,
    /// Those that ended, the last one first.
    pub ended: Vec<EndedView>,
}

/// The current run.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct RunningView {
    /// The store it fills.
    pub store: String,
    /// Its title.
    pub title: String,
    /// Matches finished.
    pub done: u64,
    /// Matches in all.
    pub total: u64,
    /// Wins of the first agent.
    pub wins: u64,
    /// Draws of the first agent.
    pub draws: u64,
    /// Losses of the first agent.
    pub losses: u64,
    /// Matches forfeited.
    pub fouls: u64,
    /// The pairings with their intervals so far.
    pub pairings: Vec<PairingView>,
}

/// A pairing of the current run.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct PairingView {
    /// The game's label.
    pub game: String,
    /// The first agent's label.
    pub first: String,
    /// The second agent's label.
    pub second: String,
    /// Matches of finished pairs.
    pub matches: u64,
    /// The first agent's win rate.
    pub win_rate: Option<f64>,
    /// Its 95 % interval, valid whenever one looks.
    pub interval: Option<(f64, f64)>,
}

/// A run that waits.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct QueuedView {
    /// The store it will fill.
    pub store: String,
    /// Its title.
    pub title: String,
}

/// A run that ended.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct EndedView {
    /// The store it filled.
    pub store: String,
    /// Its title.
    pub title: String,
    /// Was everything played?
    pub complete: bool,
    /// Why it failed.
    pub error: Option<String>,
}

/// An experiment to run.
#[derive(Clone, Debug)]
pub(crate) struct ExperimentJob {
    /// The name of the store.
    pub store: String,
    /// The title.
    pub title: String,
    /// The experiment's text.
    pub source: Source,
    /// How large.
    pub scale: Scale,
}

/// Experiments that run or wait.
pub(crate) struct Experiments {
    shared: Arc<Shared>,
}

struct Shared {
    catalogue: Catalogue,
    folder: PathBuf,
    threads: usize,
    state: Mutex<State>,
    wake: Condvar,
    changes: watch::Sender<Arc<ExperimentsView>>,
}

#[derive(Default)]
struct State {
    queue: VecDeque<ExperimentJob>,
    running: Option<RunningView>,
    ended: VecDeque<EndedView>,
    stop: Arc<AtomicBool>,
    /// Has the worker thread been started?
    has_thread: bool,
    closed: bool,
}

impl Experiments {
    /// Stores are in `folder`. Runs use all of `threads` but one, which stays free for matches.
    pub(crate) fn new(catalogue: Catalogue, folder: PathBuf, threads: usize) -> Experiments {
        let threads = threads.saturating_sub(1).max(1);
        let changes = watch::Sender::new(Arc::default());
        Experiments {
            shared: Arc::new(Shared {
                catalogue,
                folder,
                threads,
                state: Mutex::default(),
                wake: Condvar::new(),
                changes,
            }),
        }
    }

    /// The threads that runs use.
    pub(crate) fn threads(&self) -> usize {
        self.shared.threads
    }

    /// Notifies of every change.
    pub(crate) fn changes(&self) -> watch::Receiver<Arc<ExperimentsView>> {
        self.shared.changes.subscribe()
    }

    /// What runs, waits and ended.
    pub(crate) fn view(&self) -> Arc<ExperimentsView> {
        Arc::clone(&self.shared.changes.borrow())
    }

    /// Appends an experiment to the queue. The caller has read it before, to report errors.
    pub(crate) fn enqueue(&self, job: ExperimentJob, most: usize) -> Result<(), ApiError> {
        let mut state = self.shared.state();
        let waits = state.queue.iter().any(|other| other.store == job.store);
        if waits || state.running.as_ref().is_some_and(|running| running.store == job.store) {
            return Err(ApiError::conflict(format!("`{}` runs or waits already", job.store)));
        }
        if state.queue.len() >= most {
            return Err(ApiError::busy("the queue of experiments is full").with_help("wait until one ends"));
        }
        state.queue.push_back(job);
        if !state.has_thread {
            let shared = Arc::clone(&self.shared);
            thread::Builder::new()
                .name("experiments".to_owned())
                .spawn(move || shared.work())
                .map_err(|error| ApiError::fault(format!("no thread to run on: {error}")))?;
            state.has_thread = true;
        }
        self.shared.notify(&state);
        drop(state);
        self.shared.wake.notify_one();
        Ok(())
    }

    /// Stops the run into a store, or removes it from the queue. Returns whether there was one.
    pub(crate) fn stop(&self, store: &str) -> bool {
        let mut state = self.shared.state();
        let waiting = state.queue.len();
        state.queue.retain(|job| job.store != store);
        let mut found = state.queue.len() < waiting;
        if state.running.as_ref().is_some_and(|running| running.store == store) {
            state.stop.store(true, Ordering::Relaxed);
            found = true;
        }
        self.shared.notify(&state);
        found
    }

    /// Stops everything; finished matches are saved.
    pub(crate) fn close(&self) {
        let mut state = self.shared.state();
        state.closed = true;
        state.queue.clear();
        state.stop.store(true, Ordering::Relaxed);
        drop(state);
        self.shared.wake.notify_all();
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn notify(&self, state: &State) {
        let waiting = |job: &ExperimentJob| QueuedView { store: job.store.clone(), title: job.title.clone() };
        self.changes.send_replace(Arc::new(ExperimentsView {
            running: state.running.clone(),
            queue: state.queue.iter().map(waiting).collect(),
            ended: state.ended.iter().cloned().collect(),
        }));
    }

    fn work(&self) {
        let mut state = self.state();
        loop {
            if state.closed {
                return;
            }
            let Some(job) = state.queue.pop_front() else {
                state = self.wake.wait(state).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            let stop = Arc::new(AtomicBool::new(false));
            state.stop = Arc::clone(&stop);
            state.running = Some(RunningView {
                store: job.store.clone(),
                title: job.title.clone(),
                done: 0,
                total: 0,
                wins: 0,
                draws: 0,
                losses: 0,
                fouls: 0,
                pairings: Vec::new(),
            });
            self.notify(&state);
            drop(state);
            let end = guard(|| cancel::with(Some(Arc::clone(&stop)), || self.run(&job, &stop)))
                .unwrap_or_else(|message| Err(InputError::new(message)));
            state = self.state();
            state.running = None;
            let (complete, error) = match end {
                Ok(complete) => (complete, None),
                Err(error) => (false, Some(error.to_string())),
            };
            state.ended.push_front(EndedView { store: job.store, title: job.title, complete, error });
            state.ended.truncate(ENDED);
            self.notify(&state);
        }
    }

    /// Plays the missing matches; returns whether the run is complete.
    fn run(&self, job: &ExperimentJob, stop: &AtomicBool) -> Result<bool, InputError> {
        let experiment = read_experiment(&self.catalogue, &job.source, job.scale)?;
        let mut store = Store::open(&store_path(&self.folder, &job.store))?;
        let plan = RunPlan { threads: self.threads, shard: None };
        let file = (job.source.name(), job.source.text());
        let mut told: Option<Instant> = None;
        let end = run_experiment(&experiment, file, &mut store, plan, stop, |progress: &RunProgress| {
            // Intervals take time: they are computed a few times a second, and when the last match has ended.
            let due = told.is_none_or(|told| told.elapsed() > INTERVALS_EVERY) || progress.done == progress.total;
            let pairings = due.then(|| pairings(&experiment, progress));
            if due {
                told = Some(Instant::now());
            }
            let mut state = self.state();
            if let Some(running) = &mut state.running {
                running.done = progress.done + progress.measured;
                running.total = progress.total + progress.to_measure;
                running.fouls = progress.fouls;
                running.wins = progress.tally.wins;
                running.draws = progress.tally.draws;
                running.losses = progress.tally.losses;
                if let Some(pairings) = pairings {
                    running.pairings = pairings;
                }
            }
            self.notify(&state);
        })?;
        Ok(end.complete)
    }
}

/// The least time between two computations of intervals.
const INTERVALS_EVERY: Duration = Duration::from_millis(300);

/// The pairings of a run with their intervals so far.
fn pairings(experiment: &Experiment, progress: &RunProgress) -> Vec<PairingView> {
    let label = |agent: Option<&usize>| agent.map(|&agent| experiment.agents[agent].name.label.clone());
    let view = |(pairing, pairs): &(Pairing, Pairs)| PairingView {
        game: experiment.games[pairing.game].label.clone(),
        first: label(pairing.agents.first()).unwrap_or_default(),
        second: label(pairing.agents.get(1)).unwrap_or_default(),
        matches: pairs.matches(),
        win_rate: pairs.rate(),
        interval: anytime_interval(*pairs, CONFIDENCE),
    };
    progress.pairings.iter().map(view).collect()
}

/// The file of a store.
pub(crate) fn store_path(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}.db"))
}

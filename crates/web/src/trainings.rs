//! Trainings of networks by self-play, run by the lab: one at a time in the background.
//!
//! A training writes its network and checkpoint beside the uploads, so that agents can play with the network, and a log
//! of its progress, so that a finished training is still there after a restart.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use tesuji_arena::{
    Catalogue, InputError, TrainingLimit, TrainingPlan, TrainingProgress, TrainingSettings, cancel, guard, train,
};
use tokio::sync::watch;
use utoipa::ToSchema;

use crate::addresses::UPLOAD;
use crate::error::ApiError;

/// How the names of networks end.
const NETWORK: &str = ".net";
/// How the names of logs end.
const LOG: &str = ".net.json";
/// Fixed opponents: the strength against them can be compared between trainings.
const OPPONENTS: [&str; 2] = ["random", "uct(playouts=100)"];
/// Matches of a measurement against each of them.
const MEASURED: u64 = 40;
/// The least time between two reports.
const REPORT_EVERY: Duration = Duration::from_millis(250);
/// A point of the curve is kept at each of this many parts of the training.
const POINTS: f64 = 200.0;

/// All trainings of the lab.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
pub(crate) struct TrainingsView {
    /// The trainings, the last started first.
    pub trainings: Vec<TrainingView>,
}

/// How far a training is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum TrainingState {
    /// It trains.
    Running,
    /// It reached its limit.
    Done,
    /// Somebody stopped it, or the lab ended.
    Stopped,
    /// It failed.
    Failed,
}

/// A training.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct TrainingView {
    /// Its name.
    pub name: String,
    /// The game's address.
    pub game: String,
    /// What people call the game.
    pub game_title: String,
    /// Seconds since 1970 of its start.
    pub begun: i64,
    /// How far it is.
    pub state: TrainingState,
    /// How much is done, 0 to 1.
    pub done: f64,
    /// Matches of self-play.
    pub matches: u64,
    /// Seconds of training, without measurements.
    pub seconds: f64,
    /// The mean loss of recent rounds.
    pub loss: Option<f64>,
    /// The loss on the way.
    pub points: Vec<LossPoint>,
    /// The network against fixed opponents on the way.
    pub strength: Vec<StrengthView>,
    /// Why it failed.
    pub error: Option<String>,
    /// The agent that plays with the network.
    pub agent: String,
}

/// The loss at some moment.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct LossPoint {
    /// Matches of self-play before it.
    pub matches: u64,
    /// The mean loss of recent rounds.
    pub loss: f64,
}

/// The network with one choice of look-ahead against an opponent.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct StrengthView {
    /// Matches of self-play before it.
    pub trained: u64,
    /// The opponent.
    pub opponent: String,
    /// Matches against it.
    pub matches: u64,
    /// The network's score per match.
    pub win_rate: f64,
    /// Its 95 % interval.
    pub interval: (f64, f64),
}

/// A training to start.
pub(crate) struct TrainingJob {
    /// What to call it: letters, digits and hyphens.
    pub name: String,
    /// The address of the game, as the API writes it.
    pub game: String,
    /// The address that opens the game here.
    pub inside: String,
    /// What people call the game.
    pub game_title: String,
    /// How long to train.
    pub time: Duration,
    /// Seconds since 1970.
    pub now: i64,
}

/// Trainings of the lab.
pub(crate) struct Trainings {
    shared: Arc<Shared>,
}

struct Shared {
    catalogue: Catalogue,
    folder: PathBuf,
    all: Mutex<Vec<TrainingView>>,
    stop: Mutex<Arc<AtomicBool>>,
    changes: watch::Sender<Arc<TrainingsView>>,
}

impl Trainings {
    /// The trainings whose logs are in `folder`.
    pub(crate) fn new(catalogue: Catalogue, folder: PathBuf) -> Trainings {
        let entries = std::fs::read_dir(&folder).into_iter().flatten();
        let logs = entries.filter_map(|entry| Some(entry.ok()?.path()).filter(|path| is_log(path)));
        let mut all: Vec<TrainingView> = logs.filter_map(|path| read_log(&path)).collect();
        all.sort_by(|one, two| (two.begun, &two.name).cmp(&(one.begun, &one.name)));
        let changes = watch::Sender::new(Arc::new(TrainingsView { trainings: all.clone() }));
        let shared = Shared { catalogue, folder, all: Mutex::new(all), stop: Mutex::default(), changes };
        Trainings { shared: Arc::new(shared) }
    }

    /// Notifies of every change.
    pub(crate) fn changes(&self) -> watch::Receiver<Arc<TrainingsView>> {
        self.shared.changes.subscribe()
    }

    /// All trainings.
    pub(crate) fn view(&self) -> Arc<TrainingsView> {
        Arc::clone(&self.shared.changes.borrow())
    }

    /// Starts a training, unless one runs or its name is taken.
    pub(crate) fn start(&self, job: TrainingJob) -> Result<(), ApiError> {
        let mut all = self.shared.all();
        if let Some(running) = all.iter().find(|training| training.state == TrainingState::Running) {
            return Err(ApiError::conflict(format!("`{}` is being trained", running.name))
                .with_help("wait until it ends, or stop it: the lab trains one network at a time"));
        }
        if all.iter().any(|training| training.name == job.name) || self.shared.path(&job.name, NETWORK).exists() {
            return Err(ApiError::conflict(format!("there is a network `{}`", job.name)).with_help("choose a new name"));
        }
        let training = TrainingView {
            agent: format!("expectimax(evaluation=net,net={UPLOAD}{}{NETWORK})", job.name),
            name: job.name.clone(),
            game: job.game.clone(),
            game_title: job.game_title.clone(),
            begun: job.now,
            state: TrainingState::Running,
            done: 0.0,
            matches: 0,
            seconds: 0.0,
            loss: None,
            points: Vec::new(),
            strength: Vec::new(),
            error: None,
        };
        let stop = Arc::new(AtomicBool::new(false));
        *self.shared.stop.lock().unwrap_or_else(PoisonError::into_inner) = Arc::clone(&stop);
        let shared = Arc::clone(&self.shared);
        let work = move || shared.work(&job, &stop);
        thread::Builder::new()
            .name("training".to_owned())
            .spawn(work)
            .map_err(|error| ApiError::fault(format!("no thread to train on: {error}")))?;
        all.insert(0, training);
        self.shared.notify(&all);
        Ok(())
    }

    /// Stops the training of that name. Returns whether it was running.
    pub(crate) fn stop(&self, name: &str) -> bool {
        let all = self.shared.all();
        let running = all.iter().any(|each| each.name == name && each.state == TrainingState::Running);
        if running {
            self.stop_any();
        }
        running
    }

    /// Stops what runs; the network and its checkpoint are saved.
    pub(crate) fn stop_any(&self) {
        self.shared.stop.lock().unwrap_or_else(PoisonError::into_inner).store(true, Ordering::Relaxed);
    }
}

impl Shared {
    fn all(&self) -> MutexGuard<'_, Vec<TrainingView>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn path(&self, name: &str, ending: &str) -> PathBuf {
        self.folder.join(format!("{name}{ending}"))
    }

    fn notify(&self, all: &[TrainingView]) {
        self.changes.send_replace(Arc::new(TrainingsView { trainings: all.to_vec() }));
    }

    /// Changes the training of that name and tells of it.
    fn change(&self, name: &str, change: impl FnOnce(&mut TrainingView)) {
        let mut all = self.all();
        if let Some(training) = all.iter_mut().find(|training| training.name == name) {
            change(training);
        }
        self.notify(&all);
    }

    fn work(&self, job: &TrainingJob, stop: &Arc<AtomicBool>) {
        let plan = TrainingPlan {
            games: vec![job.inside.clone()],
            settings: TrainingSettings::default(),
            limit: TrainingLimit::Time(job.time),
            // One: the others are for matches.
            threads: 1,
            out: self.path(&job.name, NETWORK),
            resume: false,
            measure_on: None,
            opponents: OPPONENTS.map(str::to_owned).to_vec(),
            measure: MEASURED,
        };
        let mut told: Option<(Instant, usize)> = None;
        let watch = |progress: &TrainingProgress| {
            let measured = progress.strength.len();
            if told.is_none_or(|(at, seen)| at.elapsed() > REPORT_EVERY || measured > seen) {
                told = Some((Instant::now(), measured));
                self.change(&job.name, |training| training.follow(progress));
            }
        };
        let trained = || cancel::with(Some(Arc::clone(stop)), || train(&self.catalogue, &plan, stop, watch));
        let end = guard(trained).unwrap_or_else(|message| Err(InputError::new(message)));
        self.change(&job.name, |training| {
            training.state = match &end {
                Ok(end) if end.complete => TrainingState::Done,
                Ok(_) => TrainingState::Stopped,
                Err(_) => TrainingState::Failed,
            };
            match &end {
                Ok(end) => training.follow(&end.progress),
                Err(error) => training.error = Some(error.to_string()),
            }
            let written = serde_json::to_string(&training).unwrap_or_default();
            if let Err(error) = std::fs::write(self.path(&job.name, LOG), written) {
                training.error = Some(format!("the log cannot be written: {error}"));
            }
        });
    }
}

impl TrainingView {
    fn follow(&mut self, progress: &TrainingProgress) {
        self.done = progress.done;
        self.matches = progress.matches;
        self.seconds = progress.seconds;
        self.loss = progress.loss;
        let kept = self.points.len() as f64;
        if let Some(loss) = progress.loss
            && (progress.done * POINTS >= kept || progress.done >= 1.0)
        {
            self.points.push(LossPoint { matches: progress.matches, loss });
        }
        let view = |found: &tesuji_arena::Strength| StrengthView {
            trained: found.trained,
            opponent: found.opponent.clone(),
            matches: found.matches,
            win_rate: found.win_rate,
            interval: found.interval,
        };
        self.strength = progress.strength.iter().map(view).collect();
    }
}

fn is_log(path: &Path) -> bool {
    path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.ends_with(LOG))
}

/// A log that cannot be read is passed over: the network beside it is still of use.
fn read_log(path: &Path) -> Option<TrainingView> {
    serde_json::from_str(&std::fs::read_to_string(path).ok()?).ok()
}

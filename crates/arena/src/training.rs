//! Training of networks: self-play until a limit, files that survive a kill, and strength against fixed opponents.
//!
//! Two files: the network, and beside it the checkpoint (`.training`), from which a training continues. Both are
//! written to a temporary file and renamed, so that a killed program leaves the last good ones.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde::Serialize;
use tesuji_core::{Address, FeatureSet, Features, InputError, Source, mix};
use tesuji_learn::{Network, SelfPlay, Settings, Training};

use crate::experiment::{EnteredGame, Experiment};
use crate::store::Store;
use crate::{AnyGame, Budget, Catalogue, RunPlan, run_experiment, summarise};

/// When training ends.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum TrainingLimit {
    /// After this many matches of self-play in all, rounded up to whole rounds.
    Matches(u64),
    /// After this time in all.
    Time(Duration),
}

/// What to train and how.
#[derive(Clone, Debug)]
pub struct TrainingPlan {
    /// The games to play; they must have the same features. An address may have ranges: `{1..100}` stands for each of
    /// these numbers.
    pub games: Vec<String>,
    /// How to train. A training that continues keeps its own settings.
    pub settings: Settings,
    /// When to end.
    pub limit: TrainingLimit,
    /// Threads of self-play.
    pub threads: usize,
    /// The file of the network.
    pub out: PathBuf,
    /// Whether to continue from the checkpoint beside `out`.
    pub resume: bool,
    /// The game of measurements; the first of `games` if absent.
    pub measure_on: Option<String>,
    /// The agents that the network is measured against.
    pub opponents: Vec<String>,
    /// Matches of each measurement; 0 for none.
    pub measure: u64,
}

/// The state of a training.
#[derive(Clone, Debug, Serialize)]
pub struct TrainingProgress {
    /// Matches of self-play so far.
    pub matches: u64,
    /// States learned from in this session.
    pub states: u64,
    /// Seconds of training so far, without measurements.
    pub seconds: f64,
    /// How much is done, 0 to 1.
    pub done: f64,
    /// The mean loss of recent rounds.
    pub loss: Option<f64>,
    /// Measurements so far, in this session.
    pub strength: Vec<Strength>,
}

/// The result of a measurement: the network with one choice of look-ahead against an opponent.
#[derive(Clone, Debug, Serialize)]
pub struct Strength {
    /// Matches of self-play before it.
    pub trained: u64,
    /// Seconds of training before it.
    pub seconds: f64,
    /// The opponent.
    pub opponent: String,
    /// Matches against it.
    pub matches: u64,
    /// The network's score per match.
    pub win_rate: f64,
    /// Its 95 % interval.
    pub interval: (f64, f64),
}

/// How a training ended.
#[derive(Clone, Debug, Serialize)]
pub struct TrainingEnd {
    /// Whether the limit was reached; otherwise it was interrupted.
    pub complete: bool,
    /// The hash of the network.
    pub hash: String,
    /// The last state.
    #[serde(flatten)]
    pub progress: TrainingProgress,
}

/// How often the files are written.
const SAVE_EVERY: Duration = Duration::from_secs(20);
/// How much of the training is done at each measurement.
const MEASURE_AT: [f64; 5] = [0.0625, 0.125, 0.25, 0.5, 1.0];

/// Trains a network and writes its file. `watch` is called after every round.
pub fn train(
    catalogue: &Catalogue,
    plan: &TrainingPlan,
    stop: &AtomicBool,
    mut watch: impl FnMut(&TrainingProgress),
) -> Result<TrainingEnd, InputError> {
    train_watched(catalogue, plan, stop, &mut watch)
}

fn train_watched(
    catalogue: &Catalogue,
    plan: &TrainingPlan,
    stop: &AtomicBool,
    watch: &mut dyn FnMut(&TrainingProgress),
) -> Result<TrainingEnd, InputError> {
    let games = Games::open(catalogue, &plan.games)?;
    match plan.limit {
        TrainingLimit::Matches(0) => return Err(InputError::new("a training of 0 matches learns nothing")),
        TrainingLimit::Time(Duration::ZERO) => return Err(InputError::new("a training of no time learns nothing")),
        _ => {}
    }
    let measured = plan.measure_on.clone().unwrap_or_else(|| games.addresses[0].clone());
    let measured = EnteredGame::open(catalogue, &measured)?;
    for opponent in plan.opponents.iter().filter(|_| plan.measure > 0) {
        measured.game.check_agent(opponent)?;
    }
    let files = Files::new(&plan.out);
    let mut training = files.training(plan, &games)?;
    // A place that cannot be written to shows before the matches, not after.
    files.save(&training)?;
    let before = Duration::from_secs(training.lineage().seconds);
    let mut spent = Duration::ZERO;
    let (mut states, mut strength) = (0, Vec::new());
    let mut saved = Instant::now();
    let done = |training: &Training, spent: Duration| match plan.limit {
        TrainingLimit::Matches(matches) => training.matches() as f64 / matches as f64,
        TrainingLimit::Time(time) => (before + spent).as_secs_f64() / time.as_secs_f64(),
    };
    let mut due = MEASURE_AT.iter().filter(|_| plan.measure > 0).copied().collect::<Vec<f64>>();
    due.retain(|&at| at > done(&training, spent));
    loop {
        let progress = |training: &Training, spent: Duration, states: u64, strength: &[Strength]| TrainingProgress {
            matches: training.matches(),
            states,
            seconds: (before + spent).as_secs_f64(),
            done: done(training, spent).min(1.0),
            loss: training.recent_loss(),
            strength: strength.to_vec(),
        };
        let part = done(&training, spent);
        if due.first().is_some_and(|&at| part >= at) {
            due.retain(|&at| part < at);
            training.set_seconds((before + spent).as_secs());
            files.save(&training)?;
            for opponent in &plan.opponents {
                if let Some(found) = measure(measured.clone(), plan, &training, opponent, stop)? {
                    strength.push(Strength { seconds: (before + spent).as_secs_f64(), ..found });
                }
            }
            saved = Instant::now();
            watch(&progress(&training, spent, states, &strength));
        }
        let begun = Instant::now();
        let ended = part >= 1.0 || stop.load(Ordering::Relaxed);
        let round = match ended {
            true => None,
            false => training.round(&games.self_play, plan.threads, part, stop).map_err(|diverged| {
                InputError::new(diverged.to_string())
                    .with_help(format!("`{}` is the last good network; a lower --rate may help", plan.out.display()))
            })?,
        };
        let Some(round) = round else {
            training.set_seconds((before + spent).as_secs());
            files.save(&training)?;
            let progress = progress(&training, spent, states, &strength);
            return Ok(TrainingEnd { complete: part >= 1.0, hash: training.network().hash(), progress });
        };
        spent += begun.elapsed();
        states += round.states as u64;
        if saved.elapsed() >= SAVE_EVERY {
            training.set_seconds((before + spent).as_secs());
            files.save(&training)?;
            saved = Instant::now();
        }
        watch(&progress(&training, spent, states, &strength));
    }
}

/// The games of a training.
struct Games {
    addresses: Vec<String>,
    first: std::sync::Arc<dyn AnyGame>,
    features: FeatureSet,
    self_play: Vec<Box<dyn SelfPlay>>,
}

impl Games {
    fn open(catalogue: &Catalogue, addresses: &[String]) -> Result<Games, InputError> {
        let mut opened: Option<Games> = None;
        let mut all = Vec::new();
        addresses.iter().try_for_each(|address| expand(address, &mut all))?;
        for address in &all {
            let game = catalogue.open(address)?;
            let self_play = game.self_play()?;
            let features = game.feature_set().ok_or_else(|| InputError::new(format!("`{address}` has no features")))?;
            match &mut opened {
                None => {
                    opened = Some(Games { addresses: Vec::new(), first: game, features, self_play: vec![self_play] })
                }
                Some(games) if games.features == features => games.self_play.push(self_play),
                Some(games) => {
                    let (first, name) = (&games.features.name, &features.name);
                    return Err(InputError::new(format!(
                        "`{address}` has the features `{name}`, the first game `{first}`"
                    ))
                    .with_help("one network serves games with the same features"));
                }
            }
        }
        let opened =
            opened.ok_or_else(|| InputError::new("there is no game to train").with_help("name at least one"))?;
        Ok(Games { addresses: all, ..opened })
    }
}

/// The most games of a training.
const MOST_GAMES: usize = 20_000;

/// Appends the addresses that a pattern stands for: `{1..100}` is each of these numbers, several ranges combine.
fn expand(pattern: &str, out: &mut Vec<String>) -> Result<(), InputError> {
    let wrong =
        |what: &str| InputError::new(format!("`{pattern}`: {what}")).with_help("a range is written as `{1..100}`");
    let Some((before, rest)) = pattern.split_once('{') else {
        if out.len() >= MOST_GAMES {
            return Err(wrong(&format!("more than {MOST_GAMES} games")));
        }
        out.push(pattern.to_owned());
        return Ok(());
    };
    let (range, after) = rest.split_once('}').ok_or_else(|| wrong("a range without its end"))?;
    let bounds = range.split_once("..").and_then(|(from, to)| Some((from.parse().ok()?, to.parse().ok()?)));
    let Some((from, to)) = bounds.filter(|(from, to): &(u64, u64)| from <= to) else {
        return Err(wrong(&format!("`{range}` is no range")));
    };
    (from..=to).try_for_each(|number| expand(&format!("{before}{number}{after}"), out))
}

/// The files of a training.
struct Files {
    network: PathBuf,
    checkpoint: PathBuf,
}

impl Files {
    fn new(out: &Path) -> Files {
        let mut checkpoint = out.as_os_str().to_owned();
        checkpoint.push(".training");
        Files { network: out.to_owned(), checkpoint: checkpoint.into() }
    }

    /// The training to continue, or a new one.
    fn training(&self, plan: &TrainingPlan, games: &Games) -> Result<Training, InputError> {
        if !plan.resume {
            if let Some(file) = [&self.network, &self.checkpoint].into_iter().find(|file| file.exists()) {
                return Err(InputError::new(format!("{} exists already", file.display()))
                    .with_help("--resume continues its training; --out names another file"));
            }
            let name = plan.games.join(" ");
            return Training::new(name, games.first.spec(), games.features.clone(), plan.settings);
        }
        let name = self.checkpoint.display().to_string();
        let text = fs::read_to_string(&self.checkpoint)
            .map_err(|error| InputError::new(format!("{name}: there is no training to continue: {error}")))?;
        let training = Training::resume(&Source::new(&name, text))?;
        training.lineage().check(games.first.spec(), &games.features).map_err(|error| error.in_file(&name))?;
        Ok(training)
    }

    fn save(&self, training: &Training) -> Result<(), InputError> {
        replace(&self.checkpoint, &training.checkpoint())?;
        replace(&self.network, &training.network().text())
    }
}

/// Replaces a file in one step: after a crash there is the old text or the new one.
fn replace(path: &Path, text: &str) -> Result<(), InputError> {
    let mut new = path.as_os_str().to_owned();
    new.push(".new");
    let new = PathBuf::from(new);
    let write = || {
        let mut file = File::create(&new)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&new, path)
    };
    write().map_err(|error| {
        // What was written in part is of no use.
        drop(fs::remove_file(&new));
        InputError::new(format!("{}: cannot write: {error}", path.display()))
            .with_help("is there space on the disk, and may this program write there?")
    })
}

/// Plays the network with one choice of look-ahead against an opponent; `None` if it was stopped.
fn measure(
    game: EnteredGame,
    plan: &TrainingPlan,
    training: &Training,
    opponent: &str,
    stop: &AtomicBool,
) -> Result<Option<Strength>, InputError> {
    // A path without a slash could be the name of a network that comes with the game.
    let file = match plan.out.components().count() {
        1 => Path::new(".").join(&plan.out),
        _ => plan.out.clone(),
    };
    // At joint moves one playout stands for the table of all joint actions.
    let joint = game.game.spec().features.contains(Features::SIMULTANEOUS);
    let (name, look_ahead) = match joint {
        true => ("joint-tree", [("playouts", "1"), ("leaves", "network")]),
        false => ("expectimax", [("depth", "1"), ("evaluation", "net")]),
    };
    let file = file.display().to_string();
    let arguments = look_ahead.into_iter().chain([("net", file.as_str())]);
    let arguments = arguments.map(|(key, value)| (Some(key.to_owned()), value.to_owned())).collect();
    let agent = Address { name: name.to_owned(), arguments }.to_string();
    // Fresh seeds: matches of self-play have others.
    let seed = mix(training.settings().seed, u64::MAX - 2);
    let agents = [agent, opponent.to_owned()];
    let experiment = Experiment::series(game, &agents, Budget::playouts(1000), plan.measure, seed)?;
    let mut store = Store::temporary()?;
    let text = experiment.to_toml()?;
    let run = RunPlan { threads: plan.threads, shard: None };
    let end = run_experiment(&experiment, ("strength", &text), &mut store, run, stop, |_| ())?;
    let summary = summarise(&experiment, &store, end.run, false)?;
    let Some(result) = summary.results.first().filter(|_| end.complete) else { return Ok(None) };
    let (Some(win_rate), Some(interval)) = (result.win_rate, result.pair_interval.or(result.interval)) else {
        return Ok(None);
    };
    let matches = summary.matches;
    Ok(Some(Strength {
        trained: training.matches(),
        seconds: 0.0,
        opponent: opponent.to_owned(),
        matches,
        win_rate,
        interval,
    }))
}

/// The description of a network file.
#[derive(Clone, Debug, Serialize)]
pub struct NetworkInfo {
    /// The game it was trained for.
    pub game: String,
    /// The version of the rules.
    pub rules: u32,
    /// The feature set, with its version.
    pub features: String,
    /// The version of the feature set.
    pub features_version: u32,
    /// Inputs, hidden units, second units and outputs.
    pub shape: [usize; 4],
    /// The seed of the training.
    pub seed: u64,
    /// Matches of self-play.
    pub matches: u64,
    /// Seconds of training.
    pub seconds: u64,
    /// How it was trained.
    pub method: String,
    /// The hash of the file.
    pub hash: String,
    /// The mean time of an evaluation in nanoseconds, on this machine, with half of the most active features.
    pub nanoseconds: f64,
}

/// Reads and describes a network.
pub fn network_info(source: &Source) -> Result<NetworkInfo, InputError> {
    let network = Network::read(source)?;
    let (lineage, shape) = (network.lineage(), network.shape());
    Ok(NetworkInfo {
        game: lineage.game.clone(),
        rules: lineage.rules,
        features: lineage.features.name.clone(),
        features_version: lineage.features.version,
        shape: [shape.inputs, shape.hidden, shape.second, 1],
        seed: lineage.seed,
        matches: lineage.matches,
        seconds: lineage.seconds,
        method: lineage.method.clone(),
        hash: network.hash(),
        nanoseconds: evaluation_time(&network),
    })
}

/// The time of an evaluation in nanoseconds: the best of several measurements, since other programs only slow it down.
fn evaluation_time(network: &Network) -> f64 {
    const REPEATS: u32 = 2_000;
    let (inputs, active) = (network.shape().inputs, network.lineage().features.most_active);
    // Features spread over all inputs, different for each state, as in a search.
    let states: Vec<Vec<u32>> = (0..64u64)
        .map(|state| (0..active.div_ceil(2) as u64).map(|place| (mix(state, place) % inputs as u64) as u32).collect())
        .collect();
    let measure = || {
        let begun = Instant::now();
        let sum: f32 = (0..REPEATS).map(|repeat| network.share(&states[repeat as usize % states.len()])).sum();
        std::hint::black_box(sum);
        begun.elapsed().as_nanos() as f64 / f64::from(REPEATS)
    };
    (0..20).map(|_| measure()).fold(f64::INFINITY, f64::min)
}

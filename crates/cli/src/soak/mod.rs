//! `tesuji soak`: long tests of recovery.
//!
//! Each round starts this program as a child, kills it as `kill -9` does, starts it again, and compares what it kept:
//!
//! - `experiment`: a run that was killed several times must end with the matches and the summary of a run that was not;
//! - `lab`: matches played over the API, with legal and refused requests, must survive every kill step by step.
//!
//! Games, agents, seeds and requests of a round come from its seed. The number of matches of an experiment and the
//! moment of a kill depend on the speed of the machine too, so a fault may need several runs of the same seed.

mod child;
mod choices;
mod experiment;
mod http;
mod lab;
mod lab_match;

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde::Serialize;
use tesuji_arena::{Catalogue, InputError, Rng, mix};

pub(crate) use choices::examples;
pub(crate) use experiment::ExperimentFigures;
pub(crate) use lab::LabFigures;

use child::Program;

/// What to run, and for how long.
pub(crate) struct SoakPlan<'a> {
    /// The games and agents.
    pub(crate) catalogue: &'a Catalogue,
    /// The games to play.
    pub(crate) games: Vec<String>,
    /// The program to start.
    pub(crate) program: PathBuf,
    /// Where rounds put their files.
    pub(crate) folder: PathBuf,
    /// The seed of the first round; each later round has the next number.
    pub(crate) seed: u64,
    /// The number of rounds, if there is a limit.
    pub(crate) rounds: Option<u64>,
    /// When no new round begins.
    pub(crate) until: Option<Instant>,
    /// Set when the user interrupts the program.
    pub(crate) stop: &'a AtomicBool,
}

/// The result of a round.
#[derive(Debug, Serialize)]
pub(crate) struct Round {
    /// Its seed: `tesuji soak --seed SEED --rounds 1` repeats it.
    pub(crate) seed: u64,
    /// Seconds it took.
    pub(crate) seconds: f64,
    /// The experiment that was killed and resumed.
    pub(crate) experiment: Option<ExperimentFigures>,
    /// The lab that was killed and restarted.
    pub(crate) lab: Option<LabFigures>,
    /// What went wrong, with the folder that holds the evidence.
    pub(crate) faults: Vec<String>,
}

/// Something that must not happen.
#[derive(Debug)]
struct Fault(String);

impl Fault {
    fn new(message: impl Into<String>) -> Fault {
        Fault(message.into())
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Fault {
        Fault(error.to_string())
    }
}

impl From<InputError> for Fault {
    fn from(error: InputError) -> Fault {
        Fault(error.to_string())
    }
}

/// What both trials of a round need.
struct Trial<'a> {
    catalogue: &'a Catalogue,
    games: &'a [String],
    program: Program,
    folder: PathBuf,
    stop: &'a AtomicBool,
}

impl Trial<'_> {
    /// Was the program asked to end?
    fn interrupted(&self) -> bool {
        self.stop.load(Ordering::SeqCst)
    }
}

/// Runs rounds until the plan ends, and shows each to `see`. Rounds that the user interrupts are not shown.
pub(crate) fn soak(plan: &SoakPlan<'_>, see: &mut dyn FnMut(&Round)) -> Result<(), InputError> {
    let mut number = 0;
    while plan.rounds.is_none_or(|rounds| number < rounds) && plan.until.is_none_or(|until| Instant::now() < until) {
        let seed = plan.seed.wrapping_add(number);
        let round = round(plan, seed)?;
        if plan.stop.load(Ordering::SeqCst) {
            break;
        }
        see(&round);
        number += 1;
    }
    Ok(())
}

fn round(plan: &SoakPlan<'_>, seed: u64) -> Result<Round, InputError> {
    let begun = Instant::now();
    let folder = plan.folder.join(format!("seed-{seed}"));
    let mut faults = Vec::new();
    let mut fault = |what: &str, folder: &Path, fault: Fault| {
        faults.push(format!("{what}: {fault} (files: {})", folder.display()));
    };
    let trial = |what: &str| {
        let folder = folder.join(what);
        prepare(&folder)?;
        let program = Program::new(&plan.program, &folder);
        Ok::<_, InputError>(Trial { catalogue: plan.catalogue, games: &plan.games, program, folder, stop: plan.stop })
    };
    let (experiments, labs) = (trial("experiment")?, trial("lab")?);
    let experiment = experiment::run(&experiments, &mut Rng::new(mix(seed, 0)))
        .map_err(|found| fault("experiment", &experiments.folder, found));
    let lab = lab::run(&labs, &mut Rng::new(mix(seed, 1))).map_err(|found| fault("lab", &labs.folder, found));
    if faults.is_empty() || plan.stop.load(Ordering::SeqCst) {
        // What cannot be removed only takes room.
        drop(fs::remove_dir_all(&folder));
    }
    Ok(Round { seed, seconds: begun.elapsed().as_secs_f64(), experiment: experiment.ok(), lab: lab.ok(), faults })
}

/// Makes an empty folder.
fn prepare(folder: &Path) -> Result<(), InputError> {
    let wrong = |error: io::Error| InputError::new(format!("cannot use the folder: {error}")).in_file(folder.display());
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(wrong)?;
    }
    fs::create_dir_all(folder).map_err(wrong)
}

/// A random time up to `longest`.
fn random_time(rng: &mut Rng, longest: Duration) -> Duration {
    longest.mul_f64(rng.unit())
}

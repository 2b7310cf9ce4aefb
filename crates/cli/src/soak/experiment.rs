//! An experiment that is killed and resumed must end like one that was not.

use std::fmt::Debug;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use serde::Serialize;
use tesuji_arena::experiment::{Scale, read_experiment};
use tesuji_arena::store::{Store, StoredMatch};
use tesuji_arena::{Rng, Source};

use super::child::Outcome;
use super::choices::{between, one, repeatable_agents};
use super::{Fault, Trial, random_time};

/// A run that takes longer is stuck.
const LONGEST: Duration = Duration::from_secs(600);
/// An experiment of which a few matches take longer is given up for another one.
const SLOW: Duration = Duration::from_secs(10);
/// How often games and agents are drawn until they make an experiment.
const DRAWS: usize = 100;
/// The most kills of one run. After them it may end.
const MOST_KILLS: usize = 8;
/// Pairs of matches of the first attempt; a run that is too short for kills gets more.
const FEW_PAIRS: u64 = 2;
/// The most pairs of matches of one run.
const MOST_PAIRS: u64 = 2_000;
/// A run should take this long at least, and at most twice as long: a store commits its matches twice a second.
const LEAST_TIME: Duration = Duration::from_millis(1_500);

/// What a trial did.
#[derive(Debug, Serialize)]
pub(crate) struct ExperimentFigures {
    /// The game.
    pub(crate) game: String,
    /// The agents.
    pub(crate) agents: Vec<String>,
    /// Matches that were compared.
    pub(crate) matches: usize,
    /// Experiments that were drawn before and given up, because a few matches took too long.
    pub(crate) too_slow: usize,
    /// Kills of the child.
    pub(crate) kills: usize,
    /// Kills after which the store had some matches but not all.
    pub(crate) kills_in_the_middle: usize,
}

/// Plays a random experiment undisturbed, then with kills, and compares the stores and summaries.
pub(super) fn run(trial: &Trial<'_>, rng: &mut Rng) -> Result<ExperimentFigures, Fault> {
    let file = trial.folder.join("experiment.toml");
    let mut too_slow = 0;
    let (game, agents, text) = loop {
        let drawn = experiment(trial, rng)?;
        fs::write(&file, with_pairs(&drawn.2, FEW_PAIRS))?;
        // One experiment on a large map would take the time of many others.
        match start(trial, "speed.db", 1, SLOW)? {
            Outcome::Killed if too_slow < DRAWS && !trial.interrupted() => too_slow += 1,
            _ => break drawn,
        }
    };
    let wanted = LEAST_TIME + random_time(rng, LEAST_TIME);
    let (mut pairs, mut time) = (FEW_PAIRS, Duration::ZERO);
    // The same store: a run that is made longer resumes too.
    let calm_summary = loop {
        fs::write(&file, with_pairs(&text, pairs))?;
        let begun = Instant::now();
        let summary = finish(trial, "calm.db", 1)?;
        time += begun.elapsed();
        if time >= LEAST_TIME || pairs == MOST_PAIRS || trial.interrupted() {
            break summary;
        }
        let factor = (wanted.as_secs_f64() / time.as_secs_f64()).clamp(2.0, 10.0);
        pairs = ((pairs as f64 * factor) as u64).min(MOST_PAIRS);
    };
    let calm = matches(&trial.folder.join("calm.db"))?;
    let mut figures =
        ExperimentFigures { game, agents, matches: calm.len(), too_slow, kills: 0, kills_in_the_middle: 0 };
    let store = trial.folder.join("killed.db");
    let mut most_kept = 0;
    for _ in 0..between(rng, 1, MOST_KILLS) {
        let threads = between(rng, 1, 2);
        let patience = random_time(rng, time / 2);
        match start(trial, "killed.db", threads, patience)? {
            Outcome::Killed => figures.kills += 1,
            Outcome::Ended { .. } => break,
        }
        let kept = match matches(&store) {
            Ok(kept) => kept,
            // The first kills can come before the store has its tables.
            Err(_) if most_kept == 0 => Vec::new(),
            Err(fault) => return Err(fault),
        };
        check_part(&kept, &calm, most_kept)?;
        most_kept = kept.len();
        if !kept.is_empty() && kept.len() < calm.len() {
            figures.kills_in_the_middle += 1;
        }
        if trial.interrupted() {
            break;
        }
    }
    let summary = finish(trial, "killed.db", between(rng, 1, 2))?;
    if summary != calm_summary {
        return Err(Fault::new(format!(
            "the summary after {} kills differs: {summary} instead of {calm_summary}",
            figures.kills
        )));
    }
    check_whole(&matches(&store)?, &calm)?;
    Ok(figures)
}

/// After a kill: every match is one of the undisturbed run, and no match that was there before is missing.
fn check_part<T: PartialEq + Debug>(kept: &[T], calm: &[T], before: usize) -> Result<(), Fault> {
    if let Some(wrong) = kept.iter().find(|kept| !calm.contains(kept)) {
        return Err(Fault::new(format!("after a kill the store has another match: {wrong:?}")));
    }
    if kept.len() < before {
        return Err(Fault::new(format!("a kill lost matches: {} instead of {before}", kept.len())));
    }
    Ok(())
}

/// At the end: the same matches in the same order.
fn check_whole<T: PartialEq + Debug>(kept: &[T], calm: &[T]) -> Result<(), Fault> {
    if let Some((kept, calm)) = kept.iter().zip(calm).find(|(kept, calm)| kept != calm) {
        return Err(Fault::new(format!("a match after kills differs: {kept:?} instead of {calm:?}")));
    }
    if kept.len() != calm.len() {
        return Err(Fault::new(format!("{} matches after kills instead of {}", kept.len(), calm.len())));
    }
    Ok(())
}

/// A random experiment: its game, agents and file.
fn experiment(trial: &Trial<'_>, rng: &mut Rng) -> Result<(String, Vec<String>, String), Fault> {
    for _ in 0..DRAWS {
        let Some(game) = one(rng, trial.games) else { break };
        let opened = trial.catalogue.open(game)?;
        let able = repeatable_agents(&*opened);
        let mut agents = able.clone();
        rng.shuffle(&mut agents);
        agents.truncate(between(rng, 2, 3));
        let quoted: Vec<String> = agents.iter().map(|agent| format!("\"{agent}\"")).collect();
        let text = format!(
            "title = \"soak\"\ngames = [{}]\nagents = [{}]\nseed = {}\nbudget = {{ playouts = {} }}\n",
            toml_text(game),
            quoted.join(", "),
            rng.below(1 << 30),
            between(rng, 5, 60),
        );
        // Not every game takes every number of agents.
        if read_experiment(trial.catalogue, &Source::new("experiment.toml", with_pairs(&text, 1)), Scale::Full).is_ok()
        {
            return Ok((game.clone(), agents.into_iter().map(str::to_owned).collect(), text));
        }
    }
    Err(Fault::new("no two agents can play these games; name other games with `--game`"))
}

fn with_pairs(text: &str, pairs: u64) -> String {
    format!("pairs = {pairs}\n{text}")
}

fn toml_text(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

fn start(trial: &Trial<'_>, store: &str, threads: usize, patience: Duration) -> Result<Outcome, Fault> {
    let threads = threads.to_string();
    trial.program.run(&["run", "experiment.toml", "--store", store, "--threads", &threads, "--json"], patience)
}

/// Runs the experiment to its end; returns the summary.
fn finish(trial: &Trial<'_>, store: &str, threads: usize) -> Result<String, Fault> {
    match start(trial, store, threads, LONGEST)? {
        Outcome::Ended { printed, success: true } => Ok(printed),
        Outcome::Ended { success: false, .. } => {
            Err(Fault::new(format!("the run failed: {}", trial.program.last_errors())))
        }
        Outcome::Killed => Err(Fault::new(format!("the run did not end in {} s", LONGEST.as_secs()))),
    }
}

/// The matches of a store, without the times of decisions.
fn matches(store: &Path) -> Result<Vec<StoredMatch>, Fault> {
    let store = Store::read(store)?;
    let mut found = Vec::new();
    for run in store.runs()? {
        store.each_match(run.id, true, |mut stored| {
            stored.decisions.iter_mut().for_each(|decision| decision.time = Duration::ZERO);
            found.push(stored);
            Ok(())
        })?;
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lost_changed_and_missing_matches_are_faults() {
        let calm = ["b2 a1", "b2 c3"];
        assert!(check_part(&calm[1..], &calm, 0).is_ok());
        assert!(check_part(&calm[..1], &calm, 2).is_err(), "a match is lost");
        assert!(check_part(&["a1 b2"], &calm, 0).is_err(), "a match has changed");
        assert!(check_whole(&calm, &calm).is_ok());
        assert!(check_whole(&calm[..1], &calm).is_err(), "a match is missing");
        assert!(check_whole(&["b2 a1", "a1 b2"], &calm).is_err(), "a match has changed");
    }
}

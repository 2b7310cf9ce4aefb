//! Runs an experiment: plays the matches that its store lacks and saves each as it ends.

mod field;
mod ledger;

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use serde::Serialize;
use tesuji_core::{InputError, cancel, mix};

pub(crate) use field::Field;
use field::Rings;
use ledger::Ledger;
pub(crate) use ledger::{Prefix, early_evidence, pair_points, pair_print};

use crate::experiment::{Experiment, Unit};
use crate::identity::{agent_contents, agent_identities, game_identities, run_identity};
use crate::statistics::Tally;
use crate::store::{Store, StoredRun, fingerprint};
use crate::{Ending, PlayedMatch, crew, root_exploitability};

/// The version of this program, stored with every run.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// How to run.
#[derive(Clone, Copy, Debug)]
pub struct RunPlan {
    /// Threads to play on.
    pub threads: usize,
    /// Play only this part (index, count).
    pub shard: Option<(u64, u64)>,
}

/// The state of a run while it plays.
#[derive(Clone, Debug, Default)]
pub struct RunProgress {
    /// Matches finished, also in earlier sessions.
    pub done: u64,
    /// Matches in all (an early stop makes them fewer).
    pub total: u64,
    /// The first agent's tally over all pairings it leads.
    pub tally: Tally,
    /// Matches forfeited.
    pub fouls: u64,
    /// Decisions whose root exploitability was measured, also in earlier sessions.
    pub measured: u64,
    /// Decisions to be measured in all.
    pub to_measure: u64,
}

/// How a run ended.
#[derive(Clone, Debug)]
pub struct RunEnd {
    /// Its number in the store.
    pub run: i64,
    /// Was everything of its part played, or was it interrupted?
    pub complete: bool,
    /// Matches forfeited, of this run in this store.
    pub fouls: u64,
}

/// Plays what `store` does not hold yet. `text` and `name` are the experiment's file.
pub fn run_experiment(
    experiment: &Experiment,
    (name, text): (&str, &str),
    store: &mut Store,
    plan: RunPlan,
    stop: &AtomicBool,
    mut progress: impl FnMut(&RunProgress),
) -> Result<RunEnd, InputError> {
    let run = enter_run(experiment, name, text, store)?;
    let field = Field::new(experiment)?;
    let mut ledger = Ledger::new(&field, experiment.sprt);
    store.each_match(run, false, |row| {
        if row.unit.pairing < field.pairings.len() as u32 && u64::from(row.unit.pair) < experiment.pairs {
            let print = row.print();
            ledger.enter(&field, row.unit, row.seating, (row.payoffs, print), row.foul.is_some());
        }
        Ok(())
    })?;
    let seatings = |unit: Unit| 0..field.seatings[unit.pairing as usize].len() as u32;
    let all = || experiment.units(plan.shard).flat_map(|unit| seatings(unit).map(move |seating| (unit, seating)));
    let pending: Vec<(Unit, u32)> = all().filter(|&(unit, seating)| !ledger.has(unit, seating as usize)).collect();
    ledger.progress.total = all().count() as u64;
    ledger.progress.to_measure = root_exploitability::units(experiment, plan.shard)?.len() as u64;
    progress(&ledger.progress);
    let stopped: Vec<AtomicU32> = ledger.stops.iter().map(|stop| AtomicU32::new(stop.unwrap_or(u32::MAX))).collect();
    let played = crew::run(
        pending.len() as u64,
        plan.threads,
        stop,
        || (0..field.pairings.len()).map(|_| None).collect::<Rings>(),
        |rings, task| {
            let (unit, seating) = pending[task as usize];
            if unit.pair > stopped[unit.pairing as usize].load(Ordering::Relaxed) {
                return None;
            }
            let seed = experiment.seed_of(unit);
            let played = field.ring(rings, unit.pairing).map(|ring| ring.play(seating as usize, seed, true));
            // Searches that were cancelled did not use their budget: the match is played again the next time.
            (!cancel::requested()).then_some((unit, seed, played))
        },
        |result| {
            if let Some((unit, seed, played)) = result {
                let played: PlayedMatch = played?;
                store.add_match(run, unit, seed, &played)?;
                let foul = matches!(played.ending, Ending::Foul { .. });
                let print = mix(fingerprint(seed, &played), played.seating as u64);
                ledger.enter(&field, unit, played.seating, (played.payoffs, print), foul);
                if let Some(last) = ledger.stops[unit.pairing as usize] {
                    stopped[unit.pairing as usize].store(last, Ordering::Relaxed);
                }
                progress(&ledger.progress);
            }
            store.settle()
        },
    );
    let committed = store.commit();
    played.and(committed)?;
    if !stop.load(Ordering::Relaxed) {
        root_exploitability::measure(experiment, store, run, plan, stop, |done, total| {
            (ledger.progress.measured, ledger.progress.to_measure) = (done, total);
            progress(&ledger.progress);
        })?;
    }
    Ok(RunEnd { run, complete: !stop.load(Ordering::Relaxed), fouls: ledger.progress.fouls })
}

/// The number of this experiment's run in the store, which is added if it is not there.
///
/// Matches that were refereed elsewhere are added to the run by [`Store::add_match`].
pub fn enter_run(experiment: &Experiment, name: &str, text: &str, store: &mut Store) -> Result<i64, InputError> {
    let games = game_identities(experiment)?;
    let contents = agent_contents(experiment)?;
    let run = StoredRun {
        id: 0,
        identity: run_identity(experiment, &games, &contents),
        title: experiment.title.clone(),
        name: name.to_owned(),
        experiment: text.to_owned(),
        scale: format!("{:?}", experiment.scale).to_lowercase(),
        tesuji: VERSION.to_owned(),
        games: json(&games)?,
        agents: json(&agent_identities(experiment, &contents, VERSION))?,
    };
    let Some(known) = store.find_run(&run.identity)? else { return store.add_run(&run) };
    if known.tesuji != VERSION {
        let message = format!("this run was started by Tesuji {}, this is {VERSION}", known.tesuji);
        return Err(InputError::new(message)
            .with_help("results of different versions do not mix: finish it with that version or start a new store")
            .in_file(store.path().display()));
    }
    let run = StoredRun { id: known.id, ..run };
    if run != known {
        store.set_file(&run)?;
    }
    Ok(run.id)
}

fn json(value: &impl Serialize) -> Result<String, InputError> {
    serde_json::to_string(value).map_err(|error| InputError::new(error.to_string()))
}

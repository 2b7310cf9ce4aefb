//! Repairs a damaged store: saves every row that is whole into a new file and plays the damaged pairs again.
//!
//! The damaged file is kept beside the new one, with `.damaged` behind its name. Matches are played again with their
//! own seeds, so agents whose budget is not a time play the same matches as before.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;
use tesuji_core::{Address, InputError};

use crate::experiment::{Experiment, Unit};
use crate::export::stored_experiment;
use crate::identity::{agent_contents, game_identities, run_identity};
use crate::run::{Field, RunPlan, RunProgress, Unchanged, VERSION, Wanted, play};
use crate::store::{Condition, Lost, Store, StoredRun, remove_files, rename_files};
use crate::{Catalogue, Trust, WriterLock};

/// What a repair did.
#[derive(Clone, Debug, Serialize)]
pub struct RepairEnd {
    /// The condition of the store before.
    pub condition: Condition,
    /// Where the damaged file is kept; absent if nothing was damaged.
    pub damaged: Option<PathBuf>,
    /// Matches and decisions played again.
    pub played: u64,
    /// What could not be repaired, and why.
    pub left: Vec<String>,
    /// Was everything played that could be?
    pub complete: bool,
}

/// Repairs the store at `path`. A store that lost commits with its log, and is whole otherwise, is accepted as it is.
pub fn repair(
    catalogue: &Catalogue,
    path: &Path,
    plan: RunPlan,
    stop: &AtomicBool,
    mut progress: impl FnMut(&RunProgress),
) -> Result<RepairEnd, InputError> {
    repair_at(catalogue, &crate::writer_lock::resolved(path), plan, stop, &mut progress)
}

fn repair_at(
    catalogue: &Catalogue,
    path: &Path,
    plan: RunPlan,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(&RunProgress),
) -> Result<RepairEnd, InputError> {
    let source = Store::inspect(path)?;
    let condition = source.condition()?;
    if condition.is_whole() {
        drop(source);
        // Opening it for writing accepts lost commits, and says so.
        let left = Store::open(path)?.notes().to_vec();
        return Ok(RepairEnd { condition, damaged: None, played: 0, left, complete: true });
    }
    if condition.runs.whole + condition.labels.whole == 0 {
        return Err(InputError::new("nothing of this store can be saved")
            .with_help("the file stays as it is; running its experiments into a new store plays their matches again")
            .in_file(path.display()));
    }
    let lock = WriterLock::take(path, "the store", || InputError::new("another run is writing to this store"))?;
    let (fresh, kept) = (beside(path, ".repaired"), beside(path, ".damaged"));
    remove_files(&fresh);
    let mut target = Store::open(&fresh)?;
    source.save_into(&mut target)?;
    let mut end = RepairEnd { condition, damaged: Some(kept.clone()), played: 0, left: Vec::new(), complete: true };
    for run in target.runs()? {
        if target.copy_workers(&source, run.id, run.id).and_then(|()| target.commit()).is_err() {
            target.roll_back()?;
            end.left.push(format!("`{}`: which worker played which pairs", run.title));
        }
    }
    drop(source);
    for run in target.runs()? {
        let Some(lost) = end.condition.lost.get(&run.id) else { continue };
        match play_again(catalogue, &mut target, &run, lost, plan, stop, progress) {
            Ok(played) => end.played += played,
            Err(error) => end.left.push(format!("`{}`: {error}", run.title)),
        }
    }
    let Condition { runs, labels, transcripts, .. } = end.condition;
    let parts = [(runs, "experiment(s) with all their matches"), (labels, "label(s)"), (transcripts, "transcript(s)")];
    for (part, what) in parts {
        if part.damaged + part.missing > 0 {
            end.left.push(format!("{} {what} cannot be restored", part.damaged + part.missing));
        }
    }
    end.complete = !stop.load(Ordering::Relaxed);
    drop(target);
    rename_files(path, &kept)?;
    rename_files(&fresh, path)?;
    let removed = std::fs::remove_file(crate::writer_lock::lock_file(&fresh));
    drop(removed);
    drop(lock);
    // Writes the lock file's note for the new store.
    drop(Store::open(path)?);
    Ok(end)
}

/// A path with something behind its name.
fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// Plays the matches and decisions that a run has lost. Returns how many were played.
fn play_again(
    catalogue: &Catalogue,
    store: &mut Store,
    run: &StoredRun,
    lost: &Lost,
    plan: RunPlan,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(&RunProgress),
) -> Result<u64, InputError> {
    let experiment = stored_experiment(catalogue, run)?;
    let outside = |address: &str| {
        let name = address.parse::<Address>().map(|address| address.name).unwrap_or_default();
        catalogue.agents().iter().any(|info| info.name == name && info.trust == Trust::Outside)
    };
    if experiment.agents.iter().any(|agent| outside(&agent.name.address)) {
        return Err(InputError::new("its matches were refereed elsewhere and cannot be played again"));
    }
    let contents = agent_contents(&experiment)?;
    let same = run.identity == run_identity(&experiment, &game_identities(&experiment)?, &contents);
    if run.tesuji != VERSION {
        let message = format!("it was played by Tesuji {}, this is {VERSION}", run.tesuji);
        return Err(InputError::new(message + ": its damaged matches are left out"));
    } else if !same {
        let message = "its games or agents are not what they were: its damaged matches are left out";
        return Err(InputError::new(message));
    }
    let matches = lost_matches(&experiment, store, run.id, lost)?;
    let before = held(store, run.id)?;
    let wanted = |unit: Unit, seating: u32| matches.contains(&(unit.pairing, unit.pair, seating));
    let wanted = Wanted { matches: &wanted, decisions: lost.decisions };
    play(&Unchanged { experiment: &experiment, contents }, store, run.id, plan, &wanted, stop, progress)?;
    Ok(held(store, run.id)? - before)
}

/// How many matches and measured decisions of a run the store holds.
fn held(store: &Store, run: i64) -> Result<u64, InputError> {
    Ok(store.count_matches(run)? + store.root_exploitability(run)?.len() as u64)
}

/// The matches that a run has lost: those that are damaged, and for those that are missing without a trace the first
/// ones that the store lacks. Matches are played in this order, so these were most likely there.
fn lost_matches(
    experiment: &Experiment,
    store: &Store,
    run: i64,
    lost: &Lost,
) -> Result<BTreeSet<(u32, u32, u32)>, InputError> {
    let key = |unit: Unit, seating: u32| (unit.pairing, unit.pair, seating);
    let mut there = BTreeSet::new();
    store.each_match(run, false, |row| {
        there.insert(key(row.unit, row.seating as u32));
        Ok(())
    })?;
    let mut all: BTreeSet<_> = lost.matches.iter().map(|&(unit, seating)| key(unit, seating)).collect();
    let mut missing = lost.missing_matches;
    let field = Field::new(experiment)?;
    for place in 0..experiment.unit_count(None) {
        let unit = experiment.unit(None, place);
        for seating in 0..field.seatings[unit.pairing as usize].len() as u32 {
            if missing == 0 {
                return Ok(all);
            }
            if !there.contains(&key(unit, seating)) && all.insert(key(unit, seating)) {
                missing -= 1;
            }
        }
    }
    Ok(all)
}

//! Stores of matches: SQLite files in which any byte may be damaged.

use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use tesuji_arena::experiment::{Scale, read_experiment};
use tesuji_arena::store::Store;
use tesuji_arena::{InputError, RunPlan, Source, export, run_experiment, stored_experiment, summarise};

use super::{Target, catalogue, size, told};

const EXPERIMENT: &str = "title = \"small\"\ngames = [\"tic-tac-toe\"]\nagents = [\"mc\", \"random\"]\nseed = 1\n\
    pairs = 3\n\
    budget = { playouts = 5 }\n";

/// The bytes of a store with a few matches.
fn a_store(folder: &Path) -> Vec<u8> {
    let path = folder.join("seed.db");
    let write = || -> Result<(), InputError> {
        let source = Source::new("small.toml", EXPERIMENT);
        let experiment = read_experiment(catalogue(), &source, Scale::Full)?;
        let mut store = Store::open(&path)?;
        let plan = RunPlan { threads: 1, shard: None };
        run_experiment(&experiment, (source.name(), source.text()), &mut store, plan, &AtomicBool::new(false), |_| {})?;
        Ok(())
    };
    write().unwrap_or_else(|error| panic!("no store: {error}"));
    fs::read(&path).unwrap_or_else(|error| panic!("no store: {error}"))
}

/// Reads everything that a store holds, as `run`, `report` and `export` do.
fn read(path: &Path) -> Result<String, InputError> {
    let store = Store::read(path)?;
    let mut outcome = String::new();
    for run in store.runs()? {
        store.each_match(run.id, true, |_| Ok(()))?;
        store.root_exploitability(run.id)?;
        let experiment = stored_experiment(catalogue(), &run)?;
        let summary = summarise(&experiment, &store, run.id, true)?;
        outcome = format!("{} matches", size(summary.matches as usize));
    }
    store.labels()?;
    export(catalogue(), &store, |_| Ok(()))?;
    Ok(outcome)
}

/// A damaged store is refused or read; it never ends the program.
pub(super) fn stores(name: &'static str) -> Target {
    let folder = tempfile::tempdir().unwrap_or_else(|error| panic!("no temporary folder: {error}"));
    let seed = a_store(folder.path());
    let run = move |input: &[u8]| {
        let path = folder.path().join("fuzz.db");
        for left in ["fuzz.db-wal", "fuzz.db-shm"] {
            drop(fs::remove_file(folder.path().join(left)));
        }
        fs::write(&path, input).unwrap_or_else(|error| panic!("cannot write: {error}"));
        told(read(&path), |outcome| outcome)
    };
    Target::new(name, Box::new(run), vec![seed], &["0 1", "1 0", "0.5 0.5", " ", "nan", "inf", "-", "a1", "\n"])
        .slow(600)
        .binary()
}

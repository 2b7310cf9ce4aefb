//! Damaged stores: whatever happens to the bytes of a store, reading it fails or gives what was written.
//!
//! `TESUJI_DAMAGE=10000 cargo test -p tesuji-arena --test arena store_damage` tries 10,000 cases instead of a few
//! hundred.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use tesuji_arena::experiment::{Experiment, Scale, read_experiment};
use tesuji_arena::fuzzy::Label;
use tesuji_arena::store::Store;
use tesuji_arena::{InputError, Rng, RunPlan, Source, merge, repair, run_experiment, summarise};

const FILE: &str = r#"
title = "to be damaged"
games = ["tic-tac-toe", "sync-domineering(3,4)"]
agents = ["uct", "random"]
seed = 5
pairs = 40
budget = { playouts = 10 }
"#;

const GAPS: &str = r#"
title = "measured"
games = ["rps-cards(rrs,pps)"]
agents = ["sm-mc", { address = "joint-best", label = "best" }]
seed = 3
pairs = 0
[gap]
playouts = [10]
repeats = 5
"#;

fn experiment(text: &str) -> Experiment {
    read_experiment(&tesuji_standard::catalogue(), &Source::new("test.toml", text), Scale::Full)
        .unwrap_or_else(|error| panic!("{error}"))
}

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// A path for a store of this test, with nothing there.
fn fresh(name: &str) -> PathBuf {
    let path = path(name);
    for suffix in ["", "-wal", "-shm", ".lock", ".damaged", ".repaired"] {
        fs::remove_file(beside(&path, suffix)).ok();
    }
    path
}

fn play(text: &str, store: &mut Store) {
    let plan = RunPlan { threads: 1, shard: None };
    run_experiment(&experiment(text), ("test.toml", text), store, plan, &AtomicBool::new(false), |_| ()).unwrap();
}

/// Writes two runs and some labels.
fn write(path: &Path) -> Store {
    let mut store = Store::open(path).unwrap();
    play(FILE, &mut store);
    play(GAPS, &mut store);
    let label = |number: usize| Label {
        game: "tubstap".to_owned(),
        state: String::new(),
        action: String::new(),
        by: format!("labeller {number}"),
        played: String::new(),
        features: vec![number as f64, 0.5],
        label: 1.0,
    };
    let labels: Vec<Label> = (0..30).map(label).collect();
    store.add_labels(&labels).unwrap();
    store
}

/// Everything that a store says.
fn digest(path: &Path) -> Result<String, InputError> {
    let store = Store::read(path)?;
    let mut text = String::new();
    for run in store.runs()? {
        write!(text, "{run:?}{}", store.count_matches(run.id)?).unwrap();
        store.each_match(run.id, true, |row| {
            write!(text, "{row:?}").unwrap();
            Ok(())
        })?;
        write!(text, "{:?}", store.root_exploitability(run.id)?).unwrap();
    }
    write!(text, "{:?}", store.labels()?).unwrap();
    Ok(text)
}

fn summary(path: &Path) -> Result<String, InputError> {
    let store = Store::read(path)?;
    let summary = summarise(&experiment(FILE), &store, store.runs()?[0].id, false)?;
    Ok(serde_json::to_string(&summary).unwrap())
}

fn cases() -> usize {
    std::env::var("TESUJI_DAMAGE").ok().and_then(|count| count.parse().ok()).unwrap_or(400)
}

/// Changes some bytes in one of several ways; says what it did.
fn damage(bytes: &mut Vec<u8>, rng: &mut Rng) -> String {
    let place = rng.below(bytes.len().max(1));
    match rng.below(6) {
        0..=2 => {
            let flips = 1 + rng.below(8) * rng.below(2);
            for _ in 0..flips {
                let (place, bit) = (rng.below(bytes.len()), rng.below(8));
                bytes[place] ^= 1 << bit;
            }
            format!("{flips} bit(s) flipped, first drawn at {place}")
        }
        3 => {
            bytes.truncate(place);
            format!("cut off at {place}")
        }
        4 => {
            let end = (place + 512).min(bytes.len());
            bytes[place..end].fill(0);
            format!("zeros from {place} to {end}")
        }
        _ => {
            let end = (place + 64).min(bytes.len());
            bytes[place..end].iter_mut().for_each(|byte| *byte = rng.bits() as u8);
            format!("noise from {place} to {end}")
        }
    }
}

/// The files of a store.
struct Files {
    store: Vec<u8>,
    log: Option<Vec<u8>>,
    lock: Option<Vec<u8>>,
}

impl Files {
    fn read(path: &Path) -> Files {
        let [log, lock] = ["-wal", ".lock"].map(|suffix| fs::read(beside(path, suffix)).ok());
        Files { store: fs::read(path).unwrap(), log, lock }
    }

    fn put(&self, path: &Path) {
        fs::write(path, &self.store).unwrap();
        fs::remove_file(beside(path, "-shm")).ok();
        for (suffix, bytes) in [("-wal", &self.log), (".lock", &self.lock)] {
            match bytes {
                Some(bytes) => fs::write(beside(path, suffix), bytes).unwrap(),
                None => drop(fs::remove_file(beside(path, suffix))),
            }
        }
    }
}

#[test]
fn a_damaged_store_fails_or_says_what_it_said() {
    let original = fresh("damage-original.db");
    drop(write(&original));
    let whole = Files::read(&original);
    assert!(whole.log.is_none(), "a closed store is one file");
    let expected = digest(&original).unwrap();
    let mut rng = Rng::new(1);
    let target = fresh("damage-target.db");
    let (mut refused, mut equal) = (0, 0);
    for case in 0..cases() {
        let mut files = Files { store: whole.store.clone(), log: None, lock: whole.lock.clone() };
        let what = damage(&mut files.store, &mut rng);
        files.put(&target);
        match digest(&target) {
            Ok(found) => {
                assert_eq!(found, expected, "case {case}: {what}");
                equal += 1;
            }
            Err(error) => {
                assert!(!error.to_string().is_empty());
                refused += 1;
            }
        }
        // Opening for writing does not write to what is damaged.
        if case % 4 == 0 {
            files.put(&target);
            if let Ok(store) = Store::open(&target) {
                drop(store);
                assert!(
                    digest(&target).is_ok_and(|found| found == expected) || digest(&target).is_err(),
                    "{case}: {what}"
                );
            }
        }
    }
    assert!(refused > cases() / 3, "{refused} of {}", cases());
    println!("{refused} refused, {equal} equal");
}

/// The files of a store whose writer was killed hold a log that has not been moved into the store.
#[test]
fn a_damaged_or_deleted_log_is_noticed() {
    let original = fresh("log-original.db");
    let store = write(&original);
    let killed = Files::read(&original);
    drop(store);
    let target = fresh("log-target.db");
    killed.put(&target);
    let expected = digest(&target).unwrap();
    let log = killed.log.clone().unwrap();
    assert!(log.len() > 50_000, "{}", log.len());
    let mut rng = Rng::new(2);
    for case in 0..cases() / 2 {
        let mut files = Files { store: killed.store.clone(), log: killed.log.clone(), lock: killed.lock.clone() };
        let mut what = match rng.below(4) {
            0 => damage(&mut files.store, &mut rng),
            _ => damage(files.log.as_mut().unwrap(), &mut rng),
        };
        if case % 20 == 0 {
            files.log = None;
            what = "deleted".to_owned();
        }
        files.put(&target);
        if let Ok(found) = digest(&target) {
            assert_eq!(found, expected, "case {case}: {what}");
        }
    }
    // The store alone, as somebody copies it.
    let alone = Files { store: killed.store.clone(), log: None, lock: None };
    alone.put(&target);
    let error = digest(&target).unwrap_err();
    assert!(error.to_string().contains("write-ahead log of this store is missing"), "{error}");
    assert!(error.help_text().unwrap().contains("tesuji store repair"), "{error:?}");
    // A store that is opened for writing goes on with what is left, and says so.
    Files { store: killed.store.clone(), log: None, lock: killed.lock.clone() }.put(&target);
    assert!(digest(&target).unwrap_err().to_string().contains("are lost"), "{:?}", digest(&target));
    let store = Store::open(&target).unwrap();
    assert!(store.notes()[0].contains("are lost"), "{:?}", store.notes());
    drop(store);
    assert!(digest(&target).is_ok());
}

/// Makes a store of format 4 of a store.
fn without_checksums(path: &Path) {
    let file = rusqlite::Connection::open(path).unwrap();
    for table in ["runs", "matches", "gaps", "labels"] {
        file.execute_batch(&format!("ALTER TABLE {table} DROP COLUMN checksum")).unwrap();
    }
    file.execute_batch("DROP TABLE sums; DROP TABLE store; DROP TABLE transcripts; PRAGMA user_version = 4").unwrap();
    drop(file);
    fs::remove_file(beside(path, ".lock")).ok();
}

#[test]
fn older_stores_get_checksums_and_lose_nothing() {
    let path = fresh("format4.db");
    drop(write(&path));
    let expected = digest(&path).unwrap();
    without_checksums(&path);
    assert_eq!(digest(&path).unwrap(), expected, "an older store can be read");
    let condition = Store::inspect(&path).unwrap().condition().unwrap();
    assert!(condition.is_whole() && !condition.checksums, "{condition:?}");
    let store = Store::open(&path).unwrap();
    assert!(store.notes()[0].contains("had format 4, without checksums"), "{:?}", store.notes());
    drop(store);
    assert_eq!(digest(&path).unwrap(), expected);
    let condition = Store::inspect(&path).unwrap().condition().unwrap();
    assert!(condition.is_whole() && condition.checksums && condition.matches.whole == 160, "{condition:?}");
}

/// Without checksums nobody can tell a changed payoff, but nonsense is refused and never a panic.
#[test]
fn a_damaged_older_store_is_never_a_panic() {
    let original = fresh("format4-original.db");
    drop(write(&original));
    without_checksums(&original);
    let whole = Files::read(&original);
    let target = fresh("format4-target.db");
    let mut rng = Rng::new(3);
    for _ in 0..cases() / 10 {
        let mut files = Files { store: whole.store.clone(), log: None, lock: None };
        damage(&mut files.store, &mut rng);
        files.put(&target);
        drop(summary(&target));
    }
    // Payoffs that are no numbers, as in the middle of a row.
    whole.put(&target);
    let file = rusqlite::Connection::open(&target).unwrap();
    file.execute_batch("UPDATE matches SET payoffs = '1 q' WHERE pair = 3").unwrap();
    drop(file);
    let error = summary(&target).unwrap_err();
    assert!(error.to_string().contains("the store is damaged"), "{error}");
    assert!(Store::open(&target).is_err(), "a checksum would vouch for it");
}

#[test]
fn a_damaged_store_is_repaired() {
    let path = fresh("repair.db");
    drop(write(&path));
    let (expected, expected_summary) = (digest(&path).unwrap(), summary(&path).unwrap());
    let plan = RunPlan { threads: 1, shard: None };
    let mend = |path: &Path| repair(&tesuji_standard::catalogue(), path, plan, &AtomicBool::new(false), |_| ());
    let end = mend(&path).unwrap();
    assert!(end.damaged.is_none() && end.played == 0, "{end:?}");

    // Rows that change, and rows that disappear.
    let file = rusqlite::Connection::open(&path).unwrap();
    file.execute_batch(
        "UPDATE matches SET payoffs = '0 1' WHERE pair IN (3, 4) AND payoffs <> '0 1';
         UPDATE matches SET moves = 'x' WHERE pair = 7 AND seating = 1; DELETE FROM matches WHERE pair = 11;
         DELETE FROM gaps WHERE repeat = 2",
    )
    .unwrap();
    drop(file);
    let error = summary(&path).unwrap_err();
    assert!(error.to_string().contains("the store is damaged: match "), "{error}");
    assert!(error.to_string().contains("of 160 match(es)") && error.to_string().contains("can be saved"), "{error}");
    assert!(error.help_text().unwrap().contains("tesuji store repair"));
    assert!(merge(&fresh("repair-merged.db"), std::slice::from_ref(&path)).is_err(), "damage does not spread");
    let condition = Store::inspect(&path).unwrap().condition().unwrap();
    assert!(condition.matches.damaged > 2 && condition.matches.missing == 4, "{condition:?}");
    let end = mend(&path).unwrap();
    assert!(end.played > 6 && end.left.is_empty() && end.complete, "{end:?}");
    assert!(beside(&path, ".damaged").exists());
    assert_eq!(summary(&path).unwrap(), expected_summary);
    let condition = Store::inspect(&path).unwrap().condition().unwrap();
    assert!(condition.is_whole() && condition.matches.whole == 160 && condition.labels.whole == 30, "{condition:?}");

    // Pages of zeros in the middle of the file: what is reachable is saved, the rest is played again.
    drop(write(&fresh("repair.db")));
    assert_eq!(summary(&path).unwrap(), expected_summary);
    let mut bytes = fs::read(&path).unwrap();
    let middle = bytes.len() / 2 / 4096 * 4096;
    bytes[middle..middle + 4096].fill(0);
    fs::write(&path, bytes).unwrap();
    assert!(digest(&path).is_err());
    let end = mend(&path).unwrap();
    assert!(end.complete, "{end:?}");
    assert!(end.condition.matches.whole > 80, "{:?}", end.condition);
    assert_eq!(summary(&path).unwrap(), expected_summary);
    drop(expected);

    // Of noise nothing can be saved.
    fs::write(&path, "noise ".repeat(5_000)).unwrap();
    assert!(mend(&path).is_err());
    assert_eq!(fs::read(&path).unwrap().len(), 30_000, "it stays as it is");
}

#[cfg(unix)]
#[test]
fn a_store_behind_a_link_is_locked_like_the_file() {
    let path = fresh("linked.db");
    let link = fresh("link.db");
    let far = fresh("link-to-link.db");
    std::os::unix::fs::symlink(&path, &link).unwrap();
    std::os::unix::fs::symlink(Path::new("link.db"), &far).unwrap();
    // The file is not there yet.
    let held = Store::open(&far).unwrap();
    for name in [&path, &link, &far] {
        let error = Store::open(name).err().unwrap().to_string();
        assert!(error.contains("another run is writing"), "{error}");
    }
    drop(held);
    let held = Store::open(&path).unwrap();
    assert!(Store::open(&link).is_err());
    drop(held);
    assert!(Store::open(&link).is_ok());
}

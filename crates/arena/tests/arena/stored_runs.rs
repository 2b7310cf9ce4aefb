//! Seeded runs play the same matches from release to release.
//!
//! `stored_runs/*.toml` are small experiments over every class of game and kind of agent; the file `.matches` beside
//! each holds one line a match: the pair, the match in it, the agents, the payoffs, the number of steps, and hashes of
//! the moves and of the decisions. A line that differs means that a seeded result has changed, which a version of a
//! game or agent must announce. `TESUJI_STORED=create cargo test -p tesuji-arena --test arena stored_runs` writes the
//! files anew.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use sha2::{Digest, Sha256};
use tesuji_arena::experiment::{Scale, read_experiment};
use tesuji_arena::store::Store;
use tesuji_arena::{ExportedMatch, RunPlan, Source, export, run_experiment};

#[test]
fn whole_turns() {
    check("whole-turns");
}

#[test]
fn dice() {
    check("dice");
}

#[test]
fn look_ahead() {
    check("dice7");
}

#[test]
fn simultaneous() {
    check("simultaneous");
}

#[test]
fn one_by_one() {
    check("one-by-one");
}

fn check(name: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/stored_runs");
    let stored = folder.join(format!("{name}.matches"));
    let played = play(&folder.join(format!("{name}.toml")));
    if std::env::var("TESUJI_STORED").is_ok_and(|value| value == "create") {
        std::fs::write(&stored, &played).unwrap();
    }
    let expected = std::fs::read_to_string(&stored).unwrap();
    for (expected, played) in expected.lines().zip(played.lines()) {
        assert_eq!(expected, played, "{name}: a seeded match is not what it was");
    }
    assert_eq!(expected.lines().count(), played.lines().count());
}

/// Plays the experiment; one line a match.
fn play(file: &Path) -> String {
    let text = std::fs::read_to_string(file).unwrap();
    let catalogue = tesuji_standard::catalogue();
    let experiment = read_experiment(&catalogue, &Source::new("stored.toml", &text), Scale::Full);
    let experiment = experiment.unwrap_or_else(|error| panic!("{error}"));
    let path = fresh(file);
    let mut store = Store::open(&path).unwrap();
    let plan = RunPlan { threads: 2, shard: None };
    run_experiment(&experiment, ("stored.toml", &text), &mut store, plan, &AtomicBool::new(false), |_| ()).unwrap();
    let mut lines = String::new();
    export(&catalogue, &store, |played| {
        lines.push_str(&line(&played));
        lines.push('\n');
        Ok(())
    })
    .unwrap();
    lines
}

/// A path for a store, with nothing there.
fn fresh(file: &Path) -> PathBuf {
    let name = file.file_stem().unwrap().to_string_lossy();
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("stored-{name}.db"));
    for suffix in ["", "-wal", "-shm", ".lock"] {
        let mut file = path.clone().into_os_string();
        file.push(suffix);
        std::fs::remove_file(file).ok();
    }
    path
}

fn line(played: &ExportedMatch) -> String {
    let moves: String = played.steps.iter().map(|joint| joint.join("\t") + "\n").collect();
    let decisions = played.decisions.iter().map(|decision| {
        let value = decision.value.map_or("-".to_owned(), |value| format!("{:016x}", value.to_bits()));
        format!("{} {} {value} {} {}\n", decision.seat, decision.visits, decision.depth, decision.playouts)
    });
    let payoffs: Vec<String> = played.payoffs.iter().map(|payoff| format!("{:016x}", payoff.to_bits())).collect();
    format!(
        "{} {}/{} {} {} {} moves {} decisions {}",
        played.game,
        played.pair,
        played.seating,
        played.labels.join(":"),
        payoffs.join(":"),
        played.steps.len(),
        hash(&moves),
        hash(&decisions.collect::<String>())
    )
}

/// Half of a SHA-256 hash: enough to notice any change.
fn hash(text: &str) -> String {
    Sha256::digest(text).iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

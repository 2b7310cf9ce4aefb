//! Experiments from the command line: kill -9 and go on, shards, stores, forms of export, errors.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

const FILE: &str = "title = \"small\"\ngames = [\"connect-four\"]\nagents = [\"uct\", \"mc\"]\nseed = 3\npairs = 30\nbudget = { playouts = 400 }\n";

/// An empty folder of this test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::remove_dir_all(&folder).ok();
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("e.toml"), FILE).unwrap();
    folder
}

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
    command.args(arguments).current_dir(folder).stdin(Stdio::null());
    command
}

fn tesuji(folder: &Path, arguments: &[&str]) -> Output {
    command(folder, arguments).output().unwrap()
}

fn printed(folder: &Path, arguments: &[&str]) -> String {
    let output = tesuji(folder, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Kills runs as soon as they have saved something, until one gets through: the summary is that of a run in peace.
#[test]
fn kill_nine_loses_nothing() {
    let folder = folder("kill");
    // Long enough to be caught in the middle several times.
    fs::write(
        folder.join("e.toml"),
        FILE.replace("playouts = 400", "playouts = 1500").replace("pairs = 30", "pairs = 100"),
    )
    .unwrap();
    let run = ["run", "e.toml", "--store", "killed.db", "--threads", "1", "--json"];
    let mut kills = 0;
    loop {
        let before = saved(&folder);
        let mut child = command(&folder, &run).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let begun = Instant::now();
        let finished = loop {
            if child.try_wait().unwrap().is_some() {
                break true;
            }
            // After three kills it may finish; a run that saves nothing for a minute is stuck.
            if kills < 3 && saved(&folder) > before {
                child.kill().unwrap();
                child.wait().unwrap();
                break false;
            }
            assert!(begun.elapsed() < Duration::from_secs(60), "nothing was saved in a minute");
            std::thread::yield_now();
        };
        if finished {
            break;
        }
        kills += 1;
    }
    assert!(kills > 0, "the run was over before it could be killed");
    let resumed = printed(&folder, &run);
    let peaceful = printed(&folder, &["run", "e.toml", "--store", "peaceful.db", "--threads", "2", "--json"]);
    assert_eq!(resumed, peaceful, "after {kills} kills");
}

/// Matches that a store holds; 0 if it is not there yet.
fn saved(folder: &Path) -> usize {
    let output = tesuji(folder, &["export", "killed.db"]);
    output.stdout.iter().filter(|&&byte| byte == b'\n').count()
}

#[test]
fn shards_merge_and_reports_tell() {
    let folder = folder("shards");
    let whole = printed(&folder, &["run", "e.toml", "--store", "whole.db", "--json"]);
    for shard in ["1/2", "2/2"] {
        let store = format!("{}.db", &shard[..1]);
        printed(&folder, &["run", "e.toml", "--store", &store, "--shard", shard]);
    }
    printed(&folder, &["merge", "both.db", "1.db", "2.db"]);
    assert_eq!(printed(&folder, &["run", "e.toml", "--store", "both.db", "--json"]), whole);
    let summary: Value = serde_json::from_str(&whole).unwrap();
    assert_eq!(summary["matches"], 60);
    assert!(summary.get("timings").is_none());
    let timed: Value =
        serde_json::from_str(&printed(&folder, &["run", "e.toml", "--store", "both.db", "--timings", "--json"]))
            .unwrap();
    assert_eq!(timed["timings"].as_array().unwrap().len(), 2);

    assert!(printed(&folder, &["report", "whole.db"]).starts_with("# small"));
    printed(&folder, &["report", "whole.db", "both.db", "--html", "r.html", "--markdown", "r.md"]);
    let page = fs::read_to_string(folder.join("r.html")).unwrap();
    assert!(page.contains("<svg") && page.contains("connect-four"));
    let same: Value = serde_json::from_str(&printed(&folder, &["compare", "whole.db", "both.db", "--json"])).unwrap();
    assert_eq!(same[0]["test"]["difference"], 0.0, "{same}");
}

#[test]
fn a_stored_match_is_shown_and_replayed() {
    let folder = folder("stored");
    printed(&folder, &["run", "e.toml", "--store", "s.db"]);
    let line = printed(&folder, &["export", "s.db", "--number", "5"]);
    let played: Value = serde_json::from_str(&line).unwrap();
    assert_eq!(played["number"], 5);
    let decisions = played["decisions"].as_array().unwrap();
    assert!(decisions.iter().any(|decision| decision["playouts"] == 400 && decision["visits"].as_u64() > Some(0)));
    fs::write(folder.join("m.txt"), printed(&folder, &["export", "s.db", "--number", "5", "--form", "moves"])).unwrap();
    let replay = printed(&folder, &["replay", "connect-four", "--moves", "m.txt", "--json"]);
    let last: Value = serde_json::from_str(replay.lines().last().unwrap()).unwrap();
    assert_eq!(last["payoffs"], played["payoffs"]);
    printed(&folder, &["show", "connect-four", "--moves", "m.txt", "--svg", "end.svg"]);
    assert!(folder.join("end.svg").exists());
}

#[test]
fn a_fault_is_told_by_the_exit_code() {
    let folder = folder("faulty");
    fs::write(folder.join("f.toml"), FILE.replace("\"mc\"", "\"faulty(after=2)\"").replace("pairs = 30", "pairs = 2"))
        .unwrap();
    let output = tesuji(&folder, &["run", "f.toml", "--store", "f.db"]);
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("4 match(es) were forfeited") && !said.contains("panicked at"), "{said}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("panicked: a fault on purpose"));
}

#[test]
fn the_library_lists_what_is_there_and_what_waits() {
    let folder = folder("library");
    let list: Value = serde_json::from_str(&printed(&folder, &["reproduce", "--json"])).unwrap();
    let states: Vec<&str> = list.as_array().unwrap().iter().map(|entry| entry["state"].as_str().unwrap()).collect();
    assert!(states.iter().filter(|&&state| state == "ready").count() >= 5, "{states:?}");
    let output = tesuji(&folder, &["reproduce", "002/table33"]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("did you mean `002/table3`?"));
    let quick = printed(&folder, &["reproduce", "generic/general-sum", "--quick", "--store", "g.db", "--json"]);
    let summary: Value = serde_json::from_str(&quick).unwrap();
    assert_eq!((summary["scale"].as_str(), summary["complete"].as_bool()), (Some("quick"), Some(true)));
}

#[test]
fn wrong_experiments_and_stores_are_refused() {
    let folder = folder("wrong");
    fs::write(folder.join("wrong.toml"), FILE.replace("seed = 3", "seeed = 3")).unwrap();
    fs::write(folder.join("noise.db"), "noise ".repeat(2_000)).unwrap();
    for (arguments, expected) in [
        (&["run", "absent.toml"][..], "absent.toml: cannot read"),
        (&["run", "wrong.toml", "--store", "w.db"], "wrong.toml:4:1"),
        (&["run", "e.toml", "--store", "noise.db"], "not a store"),
        (&["run", "e.toml", "--store", "no/such/folder/s.db"], "cannot open the store"),
        (&["run", "e.toml", "--shard", "3/2"], "from 1 up to the number of parts"),
        (&["report", "absent.db"], "no such store"),
        (&["export", "absent.db"], "no such store"),
        (&["merge", "m.db", "absent.db"], "no such store"),
    ] {
        let output = tesuji(&folder, arguments);
        assert!(!output.status.success(), "{arguments:?}");
        let said = String::from_utf8_lossy(&output.stderr).replace("\n  │ ", " ");
        assert!(said.contains(expected), "{arguments:?}: {said}");
    }
}

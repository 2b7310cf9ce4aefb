//! Experiments from the command line: kill -9 and go on, shards, stores, forms of export, errors.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::started::{command, complaint, folder, printed, tesuji_in, text};

const FILE: &str = "title = \"small\"\ngames = [\"connect-four\"]\nagents = [\"uct\", \"mc\"]\nseed = 3\npairs = 30\n\
    budget = { playouts = 400 }\n";

/// A folder with the experiment above.
fn prepared(name: &str) -> PathBuf {
    let folder = folder(name);
    fs::write(folder.join("e.toml"), FILE).unwrap();
    folder
}

fn printed_in(folder: &Path, arguments: &[&str]) -> String {
    printed(&tesuji_in(folder, arguments))
}

/// Kills runs as soon as they have saved something, until one gets through: the summary is that of a run in peace.
#[test]
fn kill_nine_loses_nothing() {
    let folder = prepared("kill");
    // Long enough to be caught in the middle several times.
    fs::write(folder.join("e.toml"), FILE.replace("playouts = 400", "playouts = 1500")).unwrap();
    let run = ["run", "e.toml", "--store", "killed.db", "--threads", "1", "--json"];
    let mut kills = 0;
    loop {
        let before = saved(&folder);
        let mut child = command(&run).current_dir(&folder).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
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
    let resumed = printed_in(&folder, &run);
    let peaceful = printed_in(&folder, &["run", "e.toml", "--store", "peaceful.db", "--threads", "2", "--json"]);
    assert_eq!(resumed, peaceful, "after {kills} kills");
}

/// Matches that a store holds; 0 if it is not there yet.
fn saved(folder: &Path) -> usize {
    let output = tesuji_in(folder, &["export", "killed.db"]);
    output.stdout.iter().filter(|&&byte| byte == b'\n').count()
}

#[test]
fn shards_merge_and_reports_tell() {
    let folder = prepared("shards");
    let whole = printed_in(&folder, &["run", "e.toml", "--store", "whole.db", "--json"]);
    for shard in ["1/2", "2/2"] {
        let store = format!("{}.db", &shard[..1]);
        printed_in(&folder, &["run", "e.toml", "--store", &store, "--shard", shard]);
    }
    printed_in(&folder, &["merge", "both.db", "1.db", "2.db"]);
    assert_eq!(printed_in(&folder, &["run", "e.toml", "--store", "both.db", "--json"]), whole);
    let summary: Value = serde_json::from_str(&whole).unwrap();
    assert_eq!(summary["matches"], 60);
    assert!(summary.get("timings").is_none());
    let timed: Value =
        serde_json::from_str(&printed_in(&folder, &["run", "e.toml", "--store", "both.db", "--timings", "--json"]))
            .unwrap();
    assert_eq!(timed["timings"].as_array().unwrap().len(), 2);

    assert!(printed_in(&folder, &["report", "whole.db"]).starts_with("# small"));
    printed_in(&folder, &["report", "whole.db", "both.db", "--html", "r.html", "--markdown", "r.md"]);
    let page = fs::read_to_string(folder.join("r.html")).unwrap();
    assert!(page.contains("<svg") && page.contains("connect-four"));
    let same: Value =
        serde_json::from_str(&printed_in(&folder, &["compare", "whole.db", "both.db", "--json"])).unwrap();
    assert_eq!(same[0]["test"]["difference"], 0.0, "{same}");
}

#[test]
fn a_stored_match_is_shown_and_replayed() {
    let folder = prepared("stored");
    printed_in(&folder, &["run", "e.toml", "--store", "s.db"]);
    let line = printed_in(&folder, &["export", "s.db", "--number", "5"]);
    let played: Value = serde_json::from_str(&line).unwrap();
    assert_eq!(played["number"], 5);
    let decisions = played["decisions"].as_array().unwrap();
    assert!(decisions.iter().any(|decision| decision["playouts"] == 400 && decision["visits"].as_u64() > Some(0)));
    fs::write(folder.join("m.txt"), printed_in(&folder, &["export", "s.db", "--number", "5", "--form", "moves"]))
        .unwrap();
    let replay = printed_in(&folder, &["replay", "connect-four", "--moves", "m.txt", "--json"]);
    let last: Value = serde_json::from_str(replay.lines().last().unwrap()).unwrap();
    assert_eq!(last["payoffs"], played["payoffs"]);
    printed_in(&folder, &["show", "connect-four", "--moves", "m.txt", "--svg", "end.svg"]);
    assert!(folder.join("end.svg").exists());
}

#[test]
fn a_fault_is_told_by_the_exit_code() {
    let folder = prepared("faulty");
    fs::write(folder.join("f.toml"), FILE.replace("\"mc\"", "\"faulty(after=2)\"").replace("pairs = 30", "pairs = 2"))
        .unwrap();
    let output = tesuji_in(&folder, &["run", "f.toml", "--store", "f.db"]);
    assert_eq!(output.status.code(), Some(1));
    let said = complaint(&output);
    assert!(said.contains("4 match(es) were forfeited") && !said.contains("panicked at"), "{said}");
    assert!(text(&output.stdout).contains("panicked: a fault on purpose"));
}

#[test]
fn the_library_lists_what_is_there_and_what_waits() {
    let folder = prepared("library");
    let list: Value = serde_json::from_str(&printed_in(&folder, &["reproduce", "--json"])).unwrap();
    let states: Vec<&str> = list.as_array().unwrap().iter().map(|entry| entry["state"].as_str().unwrap()).collect();
    assert!(states.iter().filter(|&&state| state == "ready").count() >= 5, "{states:?}");
    let output = tesuji_in(&folder, &["reproduce", "002/table33"]);
    assert!(complaint(&output).contains("did you mean `002/table3`?"));
    let quick = printed_in(&folder, &["reproduce", "generic/general-sum", "--quick", "--store", "g.db", "--json"]);
    let summary: Value = serde_json::from_str(&quick).unwrap();
    assert_eq!((summary["scale"].as_str(), summary["complete"].as_bool()), (Some("quick"), Some(true)));
}

#[test]
fn wrong_experiments_and_stores_are_refused() {
    let folder = prepared("wrong");
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
        let output = tesuji_in(&folder, arguments);
        let said = complaint(&output);
        assert!(said.contains(expected), "{arguments:?}: {said}");
    }
}

//! Experiments: the same result whatever the threads, interruptions and shards; faults that cost one match; errors with
//! their place.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use tesuji_arena::experiment::{Experiment, Scale, read_experiment};
use tesuji_arena::store::Store;
use tesuji_arena::{RunEnd, RunPlan, Source, export, merge, run_experiment, stored_experiment, summarise};

const FILE: &str = r#"
title = "a small one"
games = ["tic-tac-toe", { address = "sync-domineering(3,4)", label = "domino" }]
agents = ["uct", { address = "mc", label = "flat" }, "random"]
seed = 5
pairs = 6
budget = { playouts = 30 }
"#;

fn experiment(text: &str) -> Experiment {
    read_experiment(&tesuji_standard::catalogue(), &Source::new("test.toml", text), Scale::Full)
        .unwrap_or_else(|error| panic!("{error}"))
}

/// A path for a store of this test, with nothing there.
fn fresh(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    for suffix in ["", "-wal", "-shm", ".lock"] {
        let mut file = path.clone().into_os_string();
        file.push(suffix);
        std::fs::remove_file(file).ok();
    }
    path
}

fn run(text: &str, path: &Path, threads: usize, shard: Option<(u64, u64)>, stop: &AtomicBool) -> RunEnd {
    let mut store = Store::open(path).unwrap();
    let plan = RunPlan { threads, shard };
    run_experiment(&experiment(text), ("test.toml", text), &mut store, plan, stop, |_| ()).unwrap()
}

fn summary(text: &str, path: &Path) -> String {
    let store = Store::read(path).unwrap();
    let run = store.runs().unwrap()[0].id;
    serde_json::to_string_pretty(&summarise(&experiment(text), &store, run, false).unwrap()).unwrap()
}

/// The summary of a run that was never interrupted, on one thread.
fn plain(name: &str) -> String {
    let path = fresh(name);
    assert!(run(FILE, &path, 1, None, &AtomicBool::new(false)).complete);
    summary(FILE, &path)
}

#[test]
fn threads_do_not_show() {
    let path = fresh("threads.db");
    run(FILE, &path, 3, None, &AtomicBool::new(false));
    assert_eq!(summary(FILE, &path), plain("one-thread.db"));
}

/// A run that was cut off left some pairs behind, in no order; the command line's tests do it with kill -9.
#[test]
fn a_run_goes_on_from_whatever_is_there() {
    let path = fresh("cut-off.db");
    run(FILE, &path, 2, Some((4, 7)), &AtomicBool::new(false));
    run(FILE, &path, 1, Some((1, 5)), &AtomicBool::new(false));
    let stopped = run(FILE, &path, 2, None, &AtomicBool::new(true));
    assert!(!stopped.complete);
    assert!(summary(FILE, &path).contains("\"complete\": false"));
    assert!(run(FILE, &path, 2, None, &AtomicBool::new(false)).complete);
    assert_eq!(summary(FILE, &path), plain("never-cut-off.db"));
}

#[test]
fn shards_merge_to_the_whole() {
    let parts = ["shard-1.db", "shard-2.db", "shard-3.db"].map(fresh);
    for (index, part) in parts.iter().enumerate() {
        run(FILE, part, 1, Some((index as u64, 3)), &AtomicBool::new(false));
    }
    let whole = fresh("merged.db");
    merge(&whole, &parts).unwrap();
    // Merging again changes nothing.
    merge(&whole, &parts[..1]).unwrap();
    assert_eq!(summary(FILE, &whole), plain("unsharded.db"));
}

#[test]
fn a_longer_run_keeps_what_a_shorter_one_played() {
    let path = fresh("longer.db");
    let short = FILE.replace("pairs = 6", "pairs = 2");
    run(&short, &path, 2, None, &AtomicBool::new(false));
    run(FILE, &path, 2, None, &AtomicBool::new(false));
    assert_eq!(Store::read(&path).unwrap().runs().unwrap().len(), 1);
    assert_eq!(summary(FILE, &path), plain("not-shorter.db"));
}

#[test]
fn a_sequential_test_stops_at_the_same_pair_on_any_number_of_threads() {
    let text = r#"
        title = "sequential"
        games = ["tic-tac-toe"]
        agents = ["uct", "random"]
        seed = 1
        pairs = 400
        budget = { playouts = 60 }
        sprt = { elo0 = 0, elo1 = 100 }
    "#;
    let summaries = [1, 3].map(|threads| {
        let path = fresh(&format!("sprt-{threads}.db"));
        run(text, &path, threads, None, &AtomicBool::new(false));
        summary(text, &path)
    });
    assert_eq!(summaries[0], summaries[1]);
    assert!(summaries[0].contains("\"stopped_early\": true") && summaries[0].contains("accept_h1"), "{}", summaries[0]);
}

#[test]
fn a_fault_costs_one_match_and_is_recorded() {
    let text = r#"
        title = "faults"
        games = ["tic-tac-toe"]
        agents = [
            "random",
            { address = "faulty(panic,after=1)", label = "panics" },
            { address = "faulty(illegal,after=1)", label = "cheats" },
            { address = "faulty(slow,after=1)", label = "dreams", budget = { time = "1ms" } },
        ]
        pairings = "first"
        seed = 1
        pairs = 2
        budget = { playouts = 10 }
        overtime = "100ms"
    "#;
    let path = fresh("faults.db");
    let end = run(text, &path, 2, None, &AtomicBool::new(false));
    assert!(end.complete);
    // Nobody has won before the second decision of either side.
    assert_eq!(end.fouls, 12);
    let store = Store::read(&path).unwrap();
    let mut reasons = Vec::new();
    export(&tesuji_standard::catalogue(), &store, |played| {
        if let Some((seat, why)) = &played.foul {
            assert_eq!(played.payoffs[*seat], 0.0, "the one who committed the foul loses");
            assert_eq!(played.payoffs[1 - seat], 1.0);
            assert_ne!(played.labels[*seat], "random");
            reasons.push(why.clone());
        }
        Ok(())
    })
    .unwrap();
    assert_eq!(reasons.len() as u64, end.fouls);
    for expected in ["panicked: a fault on purpose", "illegal action", "overtime: 0."] {
        assert!(reasons.iter().any(|reason| reason.starts_with(expected)), "{expected}: {reasons:?}");
    }
}

#[test]
fn stored_matches_replay_and_tubstap_ones_are_records() {
    let text = r#"
        title = "records"
        games = ["tubstap(map=one-blow)"]
        agents = ["mc", "random"]
        seed = 3
        pairs = 2
        budget = { playouts = 20 }
    "#;
    let path = fresh("records.db");
    run(text, &path, 1, None, &AtomicBool::new(false));
    let store = Store::read(&path).unwrap();
    let stored = &store.runs().unwrap()[0];
    assert_eq!(stored_experiment(&tesuji_standard::catalogue(), stored).unwrap().title, "records");
    assert_eq!([stored.games.matches("hash").count(), stored.agents.matches("hash").count()], [1, 2]);
    let mut count = 0;
    export(&tesuji_standard::catalogue(), &store, |played| {
        let game = tesuji_standard::catalogue().open(&played.game).unwrap();
        let mut table = game.new_match(None).unwrap();
        played.steps.iter().for_each(|joint| table.step(joint).unwrap());
        assert_eq!(table.payoffs().unwrap(), played.payoffs);
        let record = played.record()?.unwrap();
        let read = tesuji_games::tubstap::Record::read(&Source::new("record", record)).unwrap();
        assert_eq!(read.actions.len(), played.steps.len());
        assert_eq!(read.players.to_vec(), played.labels);
        count += 1;
        Ok(())
    })
    .unwrap();
    assert_eq!(count, 4);
}

#[test]
fn games_for_one_and_for_three_have_results_too() {
    let text = r#"
        title = "one and three"
        games = ["tree(alone)", "tree(three-players)"]
        agents = ["uct", "random"]
        seed = 1
        pairs = 20
        budget = { playouts = 200 }
    "#;
    let path = fresh("one-and-three.db");
    run(text, &path, 1, None, &AtomicBool::new(false));
    let store = Store::read(&path).unwrap();
    let summary = summarise(&experiment(text), &store, 1, false).unwrap();
    let [alone, three] = &summary.results[..] else { panic!("{:?}", summary.results) };
    assert_eq!(alone.tally.matches(), 20, "alone, a round is one contest");
    assert_eq!(three.tally.matches(), 60, "with three seats a round is three matches");
    assert!(alone.mean_payoffs[0] > alone.mean_payoffs[1], "{alone:?}");
}

#[test]
fn published_results_are_compared_from_either_side() {
    let text = r#"
        title = "published"
        games = ["tic-tac-toe"]
        agents = ["uct", "random"]
        seed = 1
        pairs = 100
        budget = { playouts = 50 }
        [[published]]
        first = "random"
        second = "uct"
        wins = 40
        draws = 20
        losses = 40
        note = "made up"
    "#;
    let path = fresh("published.db");
    run(text, &path, 2, None, &AtomicBool::new(false));
    let summary = summary(text, &path);
    assert!(summary.contains("\"verdict\": \"differs\""), "{summary}");
}

#[test]
fn wrong_files_are_refused_with_their_place() {
    let base = "title = \"t\"\ngames = [\"tic-tac-toe\"]\nagents = [\"uct\", \"mc\"]\nseed = 1\npairs = 5\n\
        budget = { playouts = 9 }\n";
    assert!(read_experiment(&tesuji_standard::catalogue(), &Source::new("t.toml", base), Scale::Full).is_ok());
    let cases = [
        ("pairs = 5", "pairs = 0", "t.toml:5:9", "1 to"),
        ("pairs = 5", "pairs = \"many\"", "t.toml:5:9", "invalid type"),
        ("seed = 1", "sede = 1", "t.toml:4:1", "unknown field `sede`"),
        ("seed = 1\n", "", "t.toml", "missing field `seed`"),
        ("\"mc\"", "\"mcc\"", "t.toml:3:", "did you mean `mc`?"),
        ("\"mc\"", "\"mc(playout=clever)\"", "t.toml:3:", "clever"),
        ("[\"uct\", \"mc\"]", "[\"uct\"]", "t.toml:3:10", "at least 2 agents"),
        ("\"mc\"", "\"uct\"", "t.toml:3:", "two agents are called `uct`"),
        ("tic-tac-toe", "tic-tac-tow", "t.toml:2:", "did you mean `tic-tac-toe`?"),
        ("budget = { playouts = 9 }", "", "t.toml:3:", "has no budget"),
        ("playouts = 9", "playouts = 0", "t.toml:6:10", "above 0"),
        ("playouts = 9", "", "t.toml:6:10", "limits nothing"),
        ("seed = 1", "seed = 1\nsprt = { elo0 = 5, elo1 = 1 }", "t.toml:5:8", "elo0 below elo1"),
        ("seed = 1", "seed = 1\npairings = [[\"uct\", \"x\"]]", "t.toml:5:", "no agent `x`"),
        ("seed = 1", "seed = 1\npairings = [[\"uct\", \"uct\"]]", "t.toml:5:", "names an agent twice"),
        ("seed = 1", "seed = 1\npairings = [[\"uct\"]]", "t.toml:5:", "a game for 2 player(s)"),
        ("seed = 1", "seed = 1\nstart = \"soon\"", "t.toml:5:9", "`soon` is not a start clock"),
        ("seed = 1", "seed = 1\nstart = {}", "t.toml:5:9", "limits nothing"),
        ("seed = 1", "seed = 1\nstart = 10", "t.toml:5:9", "a time such as"),
        ("title = \"t\"", "title = \"t", "t.toml:1:", "string"),
    ];
    for (from, to, place, expected) in cases {
        let text = base.replacen(from, to, 1);
        assert_ne!(text, base, "{from}");
        let error = read_experiment(&tesuji_standard::catalogue(), &Source::new("t.toml", &text), Scale::Full)
            .unwrap_err()
            .to_string();
        assert!(error.starts_with(place) && error.contains(expected), "{to}: {error}");
    }
}

#[test]
fn a_start_clock_is_a_time_or_a_budget() {
    let base = "title = \"t\"\ngames = [\"tic-tac-toe\"]\nagents = [\"uct\", \"mc\"]\nseed = 1\npairs = 5\n\
        budget = { playouts = 9 }\n";
    let start = |line: &str| {
        let text = format!("{base}{line}");
        read_experiment(&tesuji_standard::catalogue(), &Source::new("t.toml", &text), Scale::Full)
            .unwrap()
            .start
            .map(|start| start.to_string())
    };
    assert_eq!(start(""), None);
    assert_eq!(start("start = \"10s\"").as_deref(), Some("time=10000000us"));
    assert_eq!(start("start = { playouts = 200 }").as_deref(), Some("playouts=200"));
}

#[test]
fn stores_that_cannot_be_used_are_refused() {
    let path = fresh("twice.db");
    let _held = Store::open(&path).unwrap();
    let said = |result: Result<Store, tesuji_arena::InputError>| result.err().unwrap().to_string();
    assert!(said(Store::open(&path)).contains("another run is writing"));
    assert!(Store::read(&path).is_ok(), "reading is always possible");
    let older = fresh("older.db");
    drop(Store::open(&older).unwrap());
    let file = rusqlite::Connection::open(&older).unwrap();
    file.execute_batch("PRAGMA user_version = 1").unwrap();
    assert!(said(Store::open(&older)).contains("this store has format 1"));
    assert!(said(Store::read(&older)).contains("this store has format 1"));
    let noise = fresh("noise.db");
    std::fs::write(&noise, "this is not a database, and long enough to be looked at as one".repeat(100)).unwrap();
    assert!(said(Store::open(&noise)).contains("not a store"));
    assert!(said(Store::read(&fresh("absent.db"))).contains("no such store"));
}

const GAPS: &str = r#"
title = "gaps alone"
games = [{ address = "sync-triomineering(4,4)", label = "4×4" }, "rps-cards(rrs,pps)"]
agents = ["sm-mc", { address = "joint-best", label = "best" }]
seed = 3
pairs = 0

[gap]
playouts = [30, 200]
repeats = 3

[scale.quick]
gap = { playouts = [30], repeats = 1 }
"#;

#[test]
fn gaps_are_measured_kept_and_gone_on_with() {
    let path = fresh("gaps.db");
    assert!(run(GAPS, &path, 1, None, &AtomicBool::new(false)).complete);
    let whole = summary(GAPS, &path);
    let parsed: serde_json::Value = serde_json::from_str(&whole).unwrap();
    assert_eq!((parsed["complete"].clone(), parsed["results"].as_array().unwrap().len()), (true.into(), 0));
    let gaps = parsed["gaps"].as_array().unwrap();
    assert_eq!(gaps.len(), 4);
    // The board is solved within a few positions, from 200 playouts on; Monte Carlo of 30 gives something away in one
    // of the games.
    assert_eq!((&gaps[0]["game"], &gaps[0]["agent"], &gaps[0]["value"]), (&"4×4".into(), &"sm-mc".into(), &0.5.into()));
    let best = gaps[1]["points"].as_array().unwrap();
    assert!(best.len() == 4 && best.iter().all(|point| point["decisions"] == 3));
    assert!(best.iter().all(|point| point["playouts"] != 200 || point["gap"] == 0.0));
    let given: f64 = [0, 2].iter().map(|&entry: &usize| gaps[entry]["points"][0]["gap"].as_f64().unwrap()).sum();
    assert!(given > 0.0, "{whole}");
    assert!(gaps[0]["points"][0].get("milliseconds").is_none());

    // Nothing is measured twice, and nothing of it depends on threads, shards or stops.
    let parts = fresh("gaps-parts.db");
    let stop = AtomicBool::new(false);
    let mut store = Store::open(&parts).unwrap();
    let plan = RunPlan { threads: 1, shard: None };
    let text = ("test.toml", GAPS);
    let mut measured = 0;
    let end = run_experiment(&experiment(GAPS), text, &mut store, plan, &stop, |progress| {
        measured = progress.measured;
        stop.store(progress.measured >= 5, std::sync::atomic::Ordering::Relaxed);
    });
    assert!(!end.unwrap().complete && (5..48).contains(&measured), "{measured}");
    drop(store);
    let half = summary(GAPS, &parts);
    assert!(half.contains("\"complete\": false"));
    let other = fresh("gaps-shard.db");
    run(GAPS, &other, 2, Some((1, 2)), &AtomicBool::new(false));
    let joined = fresh("gaps-joined.db");
    merge(&joined, &[parts, other]).unwrap();
    assert_ne!(summary(GAPS, &joined), whole);
    let mut first = None;
    let mut store = Store::open(&joined).unwrap();
    run_experiment(&experiment(GAPS), text, &mut store, plan, &AtomicBool::new(false), |progress| {
        first.get_or_insert(progress.measured);
    })
    .unwrap();
    drop(store);
    assert!(first < Some(48));
    assert_eq!(summary(GAPS, &joined), whole);
}

#[test]
fn a_run_is_reported_by_the_file_it_went_on_with() {
    let path = fresh("longer.db");
    let short = FILE.replace("pairs = 6", "pairs = 2");
    run(&short, &path, 1, None, &AtomicBool::new(false));
    run(FILE, &path, 1, None, &AtomicBool::new(false));
    let store = Store::read(&path).unwrap();
    let runs = store.runs().unwrap();
    let stored = stored_experiment(&tesuji_standard::catalogue(), &runs[0]).unwrap();
    assert_eq!((runs.len(), stored.pairs), (1, 6));
}

#[test]
fn gaps_that_cannot_be_measured_are_refused_at_their_place() {
    let wrong =
        |text: &str| match read_experiment(&tesuji_standard::catalogue(), &Source::new("test.toml", text), Scale::Full)
        {
            Ok(_) => "accepted".to_owned(),
            Err(error) => {
                assert!(error.position().is_some(), "{error}");
                error.to_string()
            }
        };
    for (from, to, expected) in [
        ("[30, 200]", "[]", "different numbers of playouts"),
        ("[30, 200]", "[30, 30]", "different numbers of playouts"),
        ("[30, 200]", "[0]", "different numbers of playouts"),
        ("repeats = 3\n\n", "repeats = 0\n\n", "1 to 1000000 repeats"),
        ("rps-cards(rrs,pps)", "matrix(prisoners-dilemma)", "do not add up to a constant"),
        ("[gap]\nplayouts = [30, 200]\nrepeats = 3", "", "expected 1 to 10000000 pairs"),
        ("playouts = [30, 200]", "playout = [30]", "playout"),
    ] {
        let said = wrong(&GAPS.replace(from, to));
        assert!(said.contains(expected), "{to}: {said}");
    }
    // The section and its scales have two names.
    let renamed = GAPS.replace("[gap]", "[root-exploitability]").replace("gap =", "root-exploitability =");
    for text in [GAPS, &renamed] {
        let read =
            read_experiment(&tesuji_standard::catalogue(), &Source::new("test.toml", text), Scale::Quick).unwrap();
        assert_eq!(read.root_exploitability.unwrap().playouts, [30]);
    }
}

#[test]
fn exploitability_in_whole_games_is_measured_resumed_and_summed_up() {
    let text = "title = \"whole\"\ngames = [\"rps-cards(rrs,pps)\", \"goofspiel(3)\"]\n\
                agents = [\"sm-regret\", \"joint-tree\"]\nseed = 3\npairs = 0\n\
                [exploitability]\nplayouts = [20, 300]\nrepeats = 2\n\
                [scale.quick]\nexploitability = { playouts = [20] }\n";
    let (whole, parts) = (fresh("whole-game.db"), fresh("whole-game-parts.db"));
    run(text, &whole, 2, None, &AtomicBool::new(false));
    let read_summary = |path: &Path| serde_json::from_str::<serde_json::Value>(&summary(text, path)).unwrap();
    let found = read_summary(&whole);
    // Two games, two agents; two numbers of playouts each.
    let reports = found["exploitability"].as_array().unwrap();
    assert_eq!(reports.len(), 4, "{found}");
    let conv = |report: usize, point: usize| reports[report]["points"][point]["nash_conv"].as_f64().unwrap();
    assert_eq!(
        (reports[3]["agent"].as_str(), reports[3]["points"][1]["playouts"].as_u64()),
        (Some("joint-tree"), Some(300))
    );
    assert!((0..4).all(|report| conv(report, 1) < conv(report, 0) + 0.05), "{found}");
    assert_eq!(found["complete"], true);
    // On two machines, then together.
    run(text, &parts, 1, Some((0, 2)), &AtomicBool::new(false));
    assert_eq!(read_summary(&parts)["complete"], false);
    run(text, &parts, 1, Some((1, 2)), &AtomicBool::new(false));
    assert_eq!(read_summary(&parts), found);
    let read =
        |text: &str, scale| read_experiment(&tesuji_standard::catalogue(), &Source::new("test.toml", text), scale);
    assert_eq!(read(text, Scale::Quick).unwrap().exploitability.unwrap().playouts, [20]);
    let large = read(&text.replace("goofspiel(3)", "goofspiel"), Scale::Full).err().unwrap();
    assert!(large.position().is_some() && large.to_string().contains("more than 100000 states"), "{large}");
}

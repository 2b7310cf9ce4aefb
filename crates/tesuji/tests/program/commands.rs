//! The command line as scripts and people meet it: shapes of JSON, exit codes, errors that say what was expected.

use std::fs;
use std::io::Write;
use std::process::{Output, Stdio};

use serde_json::Value;

use crate::started::{
    command, complaint, folder, json, json_lines, path, printed, refused, scratch, tesuji, tesuji_in, text,
};

fn with_input(arguments: &[&str], input: &str) -> Output {
    let mut command = command(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

#[test]
fn games_and_agents_are_arrays_of_described_objects() {
    for command in ["games", "agents"] {
        let output = json(&[command, "--json"]);
        let entries = output[0].as_array().unwrap();
        assert!(entries.len() >= 3);
        for entry in entries {
            assert!(entry["name"].is_string() && entry["summary"].is_string(), "{entry}");
            assert!(entry["features"].is_array() && entry["parameters"].is_array(), "{entry}");
        }
    }
    let able = json(&["agents", "--game", "tic-tac-toe", "--json"]);
    assert!(able[0].as_array().unwrap().iter().any(|agent| agent["name"] == "uct"));
}

#[test]
fn an_agent_for_one_player_shows_an_example_that_works() {
    let shown = printed(&tesuji(&["agents", "puzzle"]));
    assert!(shown.contains("class    one player") && shown.contains("plays    gdl"), "{shown}");
    let example = shown.lines().find_map(|line| line.trim().strip_prefix("tesuji match ")).unwrap();
    assert_eq!(example, "'gdl(peg-solitaire)' puzzle --matches 20");
    let matches = json(&["match", "gdl(peg-solitaire)", "puzzle", "--matches", "1", "--json"]);
    assert_eq!(matches[0]["agents"], serde_json::json!(["puzzle"]));
}

#[test]
fn perft_counts_by_depth() {
    let output = json(&["perft", "tic-tac-toe", "4", "--json"]);
    assert_eq!(output, [serde_json::json!({ "game": "tic-tac-toe", "perft": [9, 72, 504, 3024] })]);
}

#[test]
fn bench_is_one_object_a_game() {
    let output = json(&["bench", "tic-tac-toe", "connect-four", "--seconds", "0.02", "--uct-playouts", "50", "--json"]);
    assert_eq!(output.len(), 2);
    for result in &output {
        assert_eq!(result["engine"], "native");
        for key in ["playouts_per_second", "steps_per_second", "uct_playouts_per_second"] {
            assert!(result[key].as_f64().unwrap() > 0.0, "{key}: {result}");
        }
    }
    assert_eq!(output[1]["game"], "connect-four");
    let arena = &json(&["bench", "--arena", "--seconds", "0.02", "--json"])[0];
    assert!(arena["overhead"].as_f64().unwrap() < 1.0 && arena["stored_matches"].as_u64() == Some(4_000), "{arena}");
}

#[test]
fn bench_measures_agents_that_are_asked_for() {
    let arguments = [
        "bench",
        "tic-tac-toe",
        "--seconds",
        "0.02",
        "--uct-playouts",
        "50",
        "--agent",
        "expectimax",
        "--agent",
        "mc",
        "--json",
    ];
    let agents = &json(&arguments)[0]["agents"];
    assert_eq!((agents[0]["agent"].as_str(), agents[1]["agent"].as_str()), (Some("expectimax"), Some("mc")));
    assert!(
        agents[0]["nodes_per_second"].as_f64() > Some(0.0) && agents[1]["playouts_per_second"].as_f64() > Some(0.0)
    );
    let [mean, slowest, turn] = ["per_decision", "of_slowest_decision", "of_slowest_turn"]
        .map(|which| agents[1][format!("milliseconds_{which}")].as_f64().unwrap());
    assert!(0.0 < mean && mean <= slowest, "{mean} {slowest}");
    assert_eq!(slowest, turn, "a turn of Tic-Tac-Toe is one decision");
    assert!(
        refused(&["bench", "tic-tac-toe", "--seconds", "0.02", "--agent", "look-ahead"])
            .contains("capability `heuristics`")
    );
}

#[test]
fn solve_prints_exact_values() {
    let solution = &json(&["solve", "tic-tac-toe", "--json"])[0];
    assert_eq!((solution["value"].as_f64(), solution["exact"].as_str()), (Some(0.5), Some("1/2")));
    assert_eq!(solution["strategy"]["x"].as_object().unwrap().values().next().unwrap().as_f64(), Some(1.0));
    let pig = &json(&["solve", "pig(10)", "--json"])[0];
    assert!((pig["value"].as_f64().unwrap() - 0.709_424_322_6).abs() < 1e-8, "{pig}");
    let won = &json(&["solve", "tic-tac-toe", "--state", "xx./oo./...", "--json"])[0];
    assert_eq!(won["exact"].as_str(), Some("1"));
    assert!(refused(&["solve", "connect-four", "--nodes", "1000"]).contains("more than 1000 states"));
}

#[test]
fn a_match_is_counted_from_the_first_agents_view() {
    let arguments =
        ["match", "tic-tac-toe", "uct", "random", "--games", "20", "--seed", "3", "--budget", "100", "--json"];
    let output = json(&arguments);
    let result = &output[0];
    assert_eq!(result["agents"], serde_json::json!(["uct", "random"]));
    assert_eq!(result["games"], 20);
    let count = |key: &str| result[key].as_u64().unwrap();
    assert_eq!(count("wins") + count("draws") + count("losses"), 20);
    assert!(count("wins") > count("losses"), "{result}");
    let rate = (count("wins") as f64 + count("draws") as f64 / 2.0) / 20.0;
    assert_eq!(result["win_rate"].as_f64().unwrap(), rate);
    let interval: Vec<f64> = serde_json::from_value(result["interval"].clone()).unwrap();
    assert!(interval[0] < rate && rate <= interval[1]);
    let summary = &result["summary"];
    assert_eq!((&summary["matches"], &summary["results"][0]["wins"]), (&result["matches"], &result["wins"]));
    assert_eq!(result["figures"][1]["by_seat"][0]["losses"], result["figures"][0]["by_seat"][1]["wins"]);
    let said = printed(&tesuji(&arguments[..arguments.len() - 1]));
    for expected in ["20 matches, seed 3", "W-D-L", "over pairs", "Elo", "superiority", "as x W-D-L", "steps a match"] {
        assert!(said.contains(expected), "{expected}: {said}");
    }
}

#[test]
fn a_forfeited_match_ends_with_code_1_and_a_sweep_claims_no_certainty() {
    let arguments = ["match", "tic-tac-toe", "random", "faulty(illegal,after=0)", "--matches", "20", "--json"];
    let output = tesuji(&arguments);
    assert_eq!(output.status.code(), Some(1));
    assert!(complaint(&output).contains("20 match(es) were forfeited"), "{}", complaint(&output));
    let result = &json_lines(&text(&output.stdout))[0];
    assert_eq!((&result["wins"], &result["forfeited"]), (&Value::from(20), &Value::from(20)));
    assert!(result["pair_interval"][0].as_f64().unwrap() < 0.9, "{result}");
    let said = text(&tesuji(&arguments[..arguments.len() - 1]).stdout);
    assert!(said.contains("forfeit: second agent, pair 0") && said.contains("forfeits in all: 20"), "{said}");
}

#[test]
fn limits_that_nobody_asked_for_are_reported() {
    let series = ["match", "dice7", "expectimax(depth=5)", "random", "--games", "2"];
    let said = printed(&tesuji(&series));
    assert!(said.contains("searches ended by the default of 1000 playouts; `--budget` sets another"), "{said}");
    let limits = |arguments: &[&str]| json(&[arguments, &["--json"]].concat())[0]["limits"].clone();
    assert_eq!(limits(&series)[0]["origin"], "default");
    assert_eq!(limits(&[&series[..], &["--budget", "500"]].concat()), serde_json::json!([]));
    let written = "title = \"cut\"\ngames = [\"dice7\"]\nagents = [\"expectimax(depth=5)\", \"random\"]\nseed = 1\n\
        pairs = 1\nbudget = { playouts = 100 }\n";
    let store = folder("cut-searches").join("cut.db").display().to_string();
    let said = text(&tesuji(&["run", &scratch("cut.toml", written), "--store", &store]).stderr);
    assert!(said.contains("searches ended by the experiment's 100 playouts before the agent's own depth"), "{said}");
    let own = limits(&["match", "tubstap", "turn-uct-pw", "random", "--games", "2", "--budget", "time=1s"]);
    assert_eq!((&own[0]["agent"], &own[0]["origin"]), (&Value::from("turn-uct-pw"), &Value::from("preset")));
    let given = ["match", "tubstap", "turn-uct-pw(playouts=60)", "random", "--games", "2", "--budget", "10"];
    assert_eq!(limits(&given), serde_json::json!([]));
}

#[test]
fn copies_are_reported() {
    let said =
        printed(&tesuji(&["match", "tic-tac-toe", "expectimax(depth=3)", "expectimax(depth=1)", "--games", "200"]));
    assert!(said.contains("200 matches, of which 2 differ and the rest are copies"), "{said}");
    let said = printed(&tesuji(&["match", "tree(alone)", "random", "--games", "200"]));
    assert!(!said.contains("copies"), "{said}");
}

/// The tables of `docs/statistics.md` are what the command prints.
#[test]
fn the_table_of_coverage_is_that_of_the_docs() {
    let said = printed(&tesuji(&["laws", "statistics"]));
    let page = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/statistics.md")).unwrap();
    let tables: Vec<&str> = said.trim().split("\n\n").collect();
    assert_eq!(tables.len(), 2, "{said}");
    tables.iter().for_each(|table| assert!(page.contains(table), "{table}"));
}

#[test]
fn a_series_is_kept_saved_and_run_again() {
    let folder = folder("kept-series");
    let series = ["match", "tree(three-players)", "uct", "random", "mc", "--matches", "6", "--budget", "20", "--json"];
    let kept = [&series[..], &["--store", "kept.db", "--save", "series.toml"]].concat();
    let result = json_lines(&printed(&tesuji_in(&folder, &kept))).remove(0);
    let again = json_lines(&printed(&tesuji_in(&folder, &kept))).remove(0);
    let run = printed(&tesuji_in(&folder, &["run", "series.toml", "--store", "run.db", "--json"]));
    let run = json_lines(&run).remove(0);
    for figures in [&again["summary"], &run] {
        assert_eq!(figures["results"][0]["by_seat"], result["summary"]["results"][0]["by_seat"]);
    }
    assert_eq!(run["matches"], 6);
    assert_eq!(printed(&tesuji_in(&folder, &["export", "kept.db"])).lines().count(), 6);
}

#[test]
fn replay_prints_turn_legal_actions_and_payoffs() {
    let moves = scratch("replay.txt", "# x wins\nb2\na1\nb1\na2\nb3\n");
    let output = json(&["replay", "tic-tac-toe", "--moves", &moves, "--json"]);
    assert_eq!(output.len(), 6);
    assert_eq!(output[0]["turn"], serde_json::json!(["x"]));
    assert_eq!(output[1]["legal"][0], serde_json::json!(["a1", "a2", "a3", "b1", "b3", "c1", "c2", "c3"]));
    assert_eq!(output[5]["payoffs"], serde_json::json!([1.0, 0.0]));
    let joint = scratch("joint.txt", "a1\ta1\n");
    let output = json(&["replay", "sync-domineering(3,3)", "--moves", &joint, "--json"]);
    assert_eq!(output[0]["turn"].as_array().unwrap().len(), 2);
}

#[test]
fn an_illegal_action_in_a_replay_is_refused_with_its_place_and_legal_ones() {
    let moves = scratch("illegal.txt", "b2\nb2\n");
    let output = tesuji(&["replay", "tic-tac-toe", "--moves", &moves]);
    let said = complaint(&output);
    assert!(
        said.contains("illegal.txt:2:1") && said.contains("not a legal action") && said.contains("nearest:"),
        "{said}"
    );
}

#[test]
fn show_writes_a_picture() {
    let path = path("show.svg");
    printed(&tesuji(&["show", "breakthrough", "--svg", path.to_str().unwrap()]));
    assert!(fs::read_to_string(&path).unwrap().starts_with("<svg"));
    let state = json(&["show", "tic-tac-toe", "--state", "x../.o./...", "--json"]);
    assert_eq!(state[0]["turn"], serde_json::json!(["x"]));
}

#[test]
fn a_person_plays_to_the_end() {
    let moves = "nonsense\nlegal a\na1\nb1\nc1\na2\nb2\nc2\na3\nb3\nc3\n".repeat(3);
    let output = with_input(&["play", "tic-tac-toe", "--agent", "random", "--seat", "o"], &moves);
    let said = printed(&output);
    assert!(said.contains("`nonsense` is not a legal action here"), "{said}");
    assert!(said.contains("payoff of x:"), "{said}");
    let output = with_input(&["play", "connect-four", "--budget", "10", "--json"], "a\nundo\nresign\n");
    let lines = json_lines(&text(&output.stdout));
    assert_eq!(lines.last().unwrap()["resigned"], true, "{lines:?}");
}

/// What an agent that fails makes of a measurement: one error, code 1, no trace of a panic.
#[test]
fn an_agent_that_fails_while_it_is_measured_is_an_error() {
    for (agent, expected) in [
        ("process(cmd=\"false\")", "failed: broke off: `false`"),
        ("faulty(fault=panic,after=0)", "failed: panicked: a fault on purpose"),
    ] {
        for arguments in [
            vec!["bench", "tic-tac-toe", "--seconds", "0.02", "--agent", agent],
            vec!["visits", "sync-triomineering(4,4)", "--playouts", "10", "--agent", agent],
        ] {
            let output = tesuji(&arguments);
            let said = complaint(&output);
            assert_eq!(output.status.code(), Some(1), "{arguments:?}: {said}");
            assert!(said.contains(expected) && !said.contains("panicked at"), "{arguments:?}: {said}");
        }
    }
}

#[test]
fn asking_for_help_does_not_make_agents_choose_again() {
    let chosen = |input: &str| -> Vec<String> {
        let arguments = ["play", "goofspiel(6)", "--agent", "random", "--seed", "5"];
        let said = printed(&with_input(&arguments, input));
        said.lines().filter(|line| line.starts_with("second: ")).map(str::to_owned).collect()
    };
    let plain = chosen("1\n2\n3\n4\n5\n");
    // The forced last round is played together with the fifth.
    assert_eq!(plain.len(), 5);
    assert_eq!(chosen("help\n1\nlegal\n2\nnonsense\n3\nhelp\nhelp\n4\n\n5\n"), plain);
}

#[test]
fn wrong_input_is_refused_with_what_was_expected() {
    for (arguments, expected) in [
        (&["show", "tic-tac-tow"][..], "did you mean `tic-tac-toe`?"),
        (&["show", "sync-triomineering(6"], "expected `)`"),
        (&["show", "sync-triomineering(6,x)"], "expected a whole number"),
        (&["show", "tic-tac-toe", "--state", "xx"], "not a 3×3 board"),
        (&["perft", "tic-tac-toe", "0"], "1..=40"),
        (&["match", "tic-tac-toe", "uct"], "got 1 agent(s)"),
        (&["match", "tic-tac-toe", "uct", "utc"], "did you mean `uct`?"),
        (&["match", "tic-tac-toe", "uct", "mc", "--budget", "fast"], "budget `fast`"),
        (&["replay", "tic-tac-toe", "--moves", "no such file"], "no such file: cannot read"),
        (&["play", "tic-tac-toe", "--seat", "z"], "there is no seat `z`"),
        (&["bench", "tic-tac-toe", "--policy", "clever"], "no playout policy `clever`"),
        (&["bench", "--seconds", "0"], "above 0"),
        (&["frobnicate"], "unrecognized subcommand"),
    ] {
        let said = refused(arguments);
        assert!(said.contains(expected), "{arguments:?}: {said}");
    }
    let output = tesuji(&["show", "nothing", "--json"]);
    let error: Value = serde_json::from_slice(&output.stderr).unwrap();
    assert!(error["error"].as_str().unwrap().contains("there is no game `nothing`"));
}

#[test]
fn broken_maps_are_refused_with_file_line_and_expectation() {
    let noise: String =
        (0..10_000_000u32).map(|i| char::from(33 + (i.wrapping_mul(2_654_435_761) >> 16) as u8 % 90)).collect();
    for (name, contents, expected) in [
        ("empty.tbsmap", "", "empty.tbsmap"),
        ("cut.tbsmap", "SIZEX[8];SIZEY[8];\nTURNLIMIT[", "cut.tbsmap:2"),
        (
            "unit.tbsmap",
            "SIZEX[3];SIZEY[3];TURNLIMIT[9];HPTHRESHOLD[5];UNITNUMRED[1];UNITNUMBLUE[0];\nUNIT[9,1,panzer,0,10,0];\n\
             MAP[0,0,0];MAP[0,1,0];MAP[0,0,0];",
            "unit.tbsmap:2",
        ),
        ("noise.tbsmap", noise.as_str(), "noise.tbsmap"),
    ] {
        let path = scratch(name, contents);
        let output = tesuji(&["show", &format!("tubstap(map=\"{path}\")")]);
        let said = complaint(&output);
        assert_eq!(output.status.code(), Some(1), "{name}: {said}");
        assert!(said.contains(expected) && said.len() < 5_000, "{name}: {said}");
    }
}

#[test]
fn the_demonstration_writes_a_page_with_pictures() {
    let path = path("demo.html");
    let said = printed(&tesuji(&["demo", "--page", path.to_str().unwrap()]));
    let page = fs::read_to_string(&path).unwrap();
    assert!(page.matches("<svg").count() > 10);
    assert!(said.contains("payoff of red:"), "{said}");
}

#[test]
fn clocks_are_granted_and_wrong_ones_refused() {
    let game = ["match", "tic-tac-toe", "uct", "mc", "--games", "2", "--json"];
    let with = |more: &[&'static str]| [&game[..], more].concat();
    let result = &json(&with(&["--budget", "20", "--start-clock", "playouts=200"]))[0];
    assert_eq!(result["start"], "playouts=200");
    assert_eq!(json(&with(&["--budget", "20"]))[0].get("start"), None);
    assert!(refused(&with(&["--start-clock", "soon"])).contains("`soon` is not a start clock"));
    assert!(refused(&with(&["--play-clock", "playouts=3"])).contains("is no play clock"));
}

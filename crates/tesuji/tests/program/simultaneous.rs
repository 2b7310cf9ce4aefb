//! Games of simultaneous moves on the command line: shapes of JSON that scripts rely on, and errors that say what was
//! expected.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use crate::started::{command, json, path, printed, refused, scratch, tesuji, text};

#[test]
fn solve_prints_value_fraction_class_and_strategy() {
    let solution = &json(&["solve", "sync-triomineering(8,4)", "--json"])[0];
    assert!(solution["game"].as_str().unwrap().starts_with("sync-triomineering"));
    assert_eq!((solution["value"].as_f64(), solution["exact"].as_str()), (Some(0.75), Some("3/4")));
    assert_eq!(solution["class"], "VD");
    assert!(solution["nodes"].as_u64().unwrap() > 0 && solution["seconds"].as_f64().unwrap() >= 0.0);
    for player in ["vertical", "horizontal"] {
        let shares: Vec<f64> =
            solution["strategy"][player].as_object().unwrap().values().map(|share| share.as_f64().unwrap()).collect();
        assert!(shares.len() >= 2 && (shares.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{player}: {shares:?}");
    }
    let goofspiel = &json(&["solve", "goofspiel(3)", "--json"])[0];
    assert!(goofspiel["value"].is_f64() && goofspiel.get("class").is_none(), "{goofspiel}");
    assert!(refused(&["solve", "matrix(prisoners-dilemma)"]).contains("do not add up to a constant"));
    assert!(refused(&["solve", "sync-triomineering(6,6)", "--nodes", "3"]).contains("more than 3 positions"));
}

#[test]
fn nash_prints_values_strategies_and_exploitability() {
    let report = &json(&["nash", "rock-paper-scissors", "--json"])[0];
    let equilibrium = &report["equilibria"][0];
    assert!(equilibrium["values"].as_array().is_some_and(|values| values.len() == 2), "{report}");
    assert!(equilibrium["exploitability"].as_f64().unwrap() < 1e-9);
    for strategy in equilibrium["strategies"].as_object().unwrap().values() {
        let shares = strategy.as_object().unwrap().values().map(|share| share.as_f64().unwrap());
        assert!(shares.clone().count() == 3 && (shares.sum::<f64>() - 1.0).abs() < 1e-9, "{strategy}");
    }
    let hunt = &json(&["nash", "stag-hunt", "--json"])[0];
    assert_eq!(hunt["equilibria"].as_array().unwrap().len(), 3);
    for (name, contents, expected) in [
        ("ragged.toml", "payoffs = [[1, 2], [3]]", "expected 2 payoffs"),
        ("empty.toml", "payoffs = []", "expected 2 rows"),
        ("infinite.toml", "payoffs = [[inf, 1], [0, 1]]", "found inf"),
    ] {
        let file = scratch(name, &format!("actions = [[\"a\", \"b\"], [\"c\", \"d\"]]\n{contents}"));
        let said = refused(&["nash", &file]);
        assert!(said.contains(expected), "{name}: {said}");
    }
}

#[test]
fn gap_tells_what_a_best_reply_takes_and_draws_it() {
    let plot = path("gap.svg");
    let reports = json(&[
        "gap",
        "sync-triomineering(6,6)",
        "--agent",
        "joint-best",
        "--agent",
        "sm-mc",
        "--playouts",
        "50,500",
        "--repeats",
        "2",
        "--svg",
        &plot.display().to_string(),
        "--json",
    ]);
    assert_eq!(reports.len(), 2);
    assert_eq!((reports[0]["agent"].as_str(), reports[0]["value"].as_f64()), (Some("joint-best"), Some(0.5)));
    let points = reports[0]["points"].as_array().unwrap();
    // Two numbers of playouts, two players; 220 positions solve the board.
    assert_eq!(points.len(), 4);
    assert_eq!((points[2]["playouts"].as_u64(), points[2]["player"].as_str()), (Some(500), Some("vertical")));
    assert!(points[2]["gap"].as_f64().unwrap() < 1e-9, "{}", points[2]);
    for key in ["decisions", "gap", "error", "greatest", "milliseconds"] {
        assert!(points[0][key].is_number(), "{key}");
    }
    let svg = fs::read_to_string(&plot).unwrap();
    assert!(svg.starts_with("<svg ") && svg.contains("playouts a decision") && svg.contains("sm-mc"));
    assert!(refused(&["exploitability", "matrix(prisoners-dilemma)", "--agent", "msucb-1"]).contains("constant"));
    assert!(refused(&["gap", "sync-triomineering(6,6)", "--agent", "msubc-1"]).contains("msucb-1"));
    assert!(refused(&["gap", "sync-triomineering(6,6)"]).contains("--agent"));
}

#[test]
fn exploit_measures_the_whole_game_and_goes_on_after_a_kill() {
    let file = path("answers.jsonl");
    drop(fs::remove_file(&file));
    let file = file.display().to_string();
    let keep = |agent: &str, repeats: &str| -> serde_json::Value {
        let game = "goofspiel(4,descending)";
        let plan = ["--agent", agent, "--playouts", "50,1000", "--repeats", repeats, "--keep", &file];
        let mut report = json(&[&["exploit", game, "--json"][..], &plan[..]].concat()).remove(0);
        for point in report["points"].as_array_mut().unwrap() {
            assert!(point["seconds"].as_f64().unwrap() >= 0.0);
            point.as_object_mut().unwrap().remove("seconds");
        }
        report
    };
    let report = keep("sm-regret", "2");
    assert_eq!((report["states"].as_u64(), report["decisions"].as_u64()), (Some(150), Some(270)));
    let found = |report: &serde_json::Value, point: usize| report["points"][point]["nash_conv"].as_f64().unwrap();
    assert_eq!(
        (report["points"][0]["playouts"].as_u64(), report["points"][0]["repeats"].as_u64()),
        (Some(50), Some(2))
    );
    assert!(found(&report, 0) > found(&report, 1) && found(&report, 1) > 0.0, "{report}");
    // A kill cuts the file anywhere, in the middle of a line too; nothing else is asked again.
    let text = fs::read_to_string(&file).unwrap();
    assert_eq!(text.lines().count(), 2 + 2 * 2 * 270);
    fs::write(&file, &text[..text.len() / 2]).unwrap();
    let answers = |text: &str| text.lines().filter(|line| line.ends_with('}') && line.contains("\"mix\"")).count();
    let kept = answers(&fs::read_to_string(&file).unwrap());
    assert!(kept > 200 && kept < 2 * 2 * 270, "{kept}");
    assert_eq!(keep("sm-regret", "2"), report);
    assert_eq!(answers(&fs::read_to_string(&file).unwrap()), 2 * 2 * 270);
    // Another agent begins anew in the same file.
    assert!(found(&keep("joint-best", "1"), 1) < 1e-9);
    assert!(
        refused(&["exploit", "goofspiel(4)", "--agent", "random", "--keep", &scratch("no.jsonl", "x")])
            .contains("not a file of answers")
    );
}

#[test]
fn exploit_knows_equilibria_and_says_what_it_cannot_measure() {
    let solved = &json(&["exploit", "goofspiel(5,descending)", "--equilibrium", "--json"])[0];
    assert_eq!((solved["agent"].as_str(), solved["states"].as_u64()), (Some("backward induction"), Some(1299)));
    assert!(solved["points"][0]["nash_conv"].as_f64().unwrap() < 1e-9, "{solved}");
    // Chance is averaged; payoffs need not have a constant sum: both cooperate, and each would gain .2 alone.
    let drawn = &json(&["exploit", "goofspiel(3)", "--equilibrium", "--json"])[0];
    assert!(drawn["points"][0]["nash_conv"].as_f64().unwrap() < 1e-9, "{drawn}");
    let plan = ["--agent", "simple-ucb-1", "--playouts", "3000"];
    let dilemma = &json(&[&["exploit", "matrix(prisoners-dilemma)", "--json"][..], &plan[..]].concat())[0];
    assert!((dilemma["points"][0]["nash_conv"].as_f64().unwrap() - 0.4).abs() < 1e-9, "{dilemma}");
    // A strategy under a limit of time.
    let timed = &json(&["exploit", "rps-cards(rrs,pps)", "--agent", "joint-tree", "--time", "2ms", "--json"])[0];
    assert_eq!(timed["points"][0]["budget"], "time=2000us");
    let shown = printed(&tesuji(&["exploit", "goofspiel(3)", "--agent", "sm-regret", "--playouts", "20", "--csv"]));
    assert!(shown.starts_with("agent,budget,NashConv,") && shown.contains("sm-regret,playouts=20,"), "{shown}");
    let large = refused(&["exploit", "goofspiel(5)", "--agent", "random", "--nodes", "1000"]);
    assert!(large.contains("more than 1000 states") && large.contains("--nodes"), "{large}");
    assert!(refused(&["exploit", "matrix(prisoners-dilemma)", "--equilibrium"]).contains("constant"));
    assert!(refused(&["exploit", "goofspiel(3)"]).contains("--agent"));
}

#[test]
fn visits_are_a_table_of_joint_actions() {
    // Table 3 of paper 004: the eight vertical first moves of 4 × 4 are two by symmetry.
    let report = &json(&["visits", "sync-triomineering(4,4)", "--agent", "msucb-1", "--playouts", "2000", "--json"])[0];
    let lengths = |key: &str| report[key].as_array().unwrap().len();
    assert_eq!((lengths("rows"), lengths("columns"), lengths("visits")), (2, 8, 2));
    let total: f64 = report["visits"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|row| row.as_array().unwrap())
        .map(|visits| visits.as_f64().unwrap())
        .sum();
    assert!((total - 2000.0).abs() < 1e-6);
    // Table 10: where SimpleUCB1 and MSUCB1 part.
    let game = "matrix(prisoners-dilemma)";
    let most = |agent: &str| -> Vec<u64> {
        let report = &json(&["visits", game, "--agent", agent, "--repeats", "3", "--playouts", "3000", "--json"])[0];
        let rows = report["most_visited"].as_array().unwrap().iter();
        rows.flat_map(|row| row.as_array().unwrap()).map(|count| count.as_u64().unwrap()).collect()
    };
    assert_eq!((most("simple-ucb-1"), most("msucb-1")), (vec![3, 0, 0, 0], vec![0, 0, 0, 3]));
    assert!(refused(&["visits", game, "--agent", "random"]).contains("does not count joint actions"));
    assert!(refused(&["visits", game, "--agent", "msucb-1", "--seat", "third"]).contains("no seat"));
    let shown = printed(&tesuji(&["visits", game, "--agent", "msucb-1", "--playouts", "100"]));
    assert!(shown.contains("cooperate") && shown.contains("100 playouts"), "{shown}");
}

#[test]
fn certificates_are_written_and_checked() {
    let path = &scratch("8x4.certificate", "");
    printed(&tesuji(&["solve", "sync-triomineering(8,4)", "--certificate", path]));
    let said = printed(&tesuji(&["solve", "--check", path]));
    assert!(said.contains("value 3/4: all ") && said.contains(" claims hold"), "{said}");
    let checked = &json(&["solve", "--check", path, "--json"])[0];
    assert_eq!((&checked["value"], &checked["game"]), (&"3/4".into(), &"sync-triomineering(rows=8,columns=4)".into()));
    let text = fs::read_to_string(path).unwrap();
    fs::write(path, text.replace("value\t3/4", "value\t1")).unwrap();
    let said = refused(&["solve", "--check", path]);
    assert!(said.contains("8x4.certificate") && said.contains("reaches the value"), "{said}");
    assert!(refused(&["solve", "tic-tac-toe", "--certificate", path]).contains("no certificates"));
}

#[test]
fn regret_compares_decisions_with_exact_values() {
    let series = ["regret", "tic-tac-toe", "--agent", "random", "--agent", "expectimax", "--playouts", "3000"];
    let report = &json(&[&series[..], &["--positions", "60", "--json"]].concat())[0];
    let points = report["points"].as_array().unwrap();
    let figure = |point: usize, name: &str| points[point][name].as_f64().unwrap();
    assert_eq!((points.len(), &points[0]["positions"], &report["value"]), (2, &60.into(), &0.5.into()));
    assert!(figure(0, "regret") > 0.02 && figure(0, "regret") > 2.0 * figure(1, "regret"), "{report}");
    assert!(figure(1, "optimal") > figure(0, "optimal") && figure(0, "greatest") >= 0.5, "{report}");
    // With dice: the chance to win is what is compared.
    let pig = &json(&["regret", "pig(20)", "--agent", "random", "--playouts", "1", "--positions", "60", "--json"])[0];
    let regret = pig["points"][0]["regret"].as_f64().unwrap();
    assert!(regret > 0.0 && regret < 0.5, "{pig}");
    let said = printed(&tesuji(&[&series[..], &["--positions", "5"]].concat()));
    assert!(said.contains("5 positions of random matches") && said.contains("expectimax"), "{said}");
    assert!(refused(&["regret", "goofspiel(3)", "--agent", "random"]).contains("act at once"));
}

#[cfg(unix)]
#[test]
fn ctrl_c_stops_a_table_of_solutions_with_a_word() {
    // Far more boards than anybody waits for; the first line says that the program has begun.
    let mut child = command(&["solve", "sync-triomineering", "--table", "40", "--nodes", "1000000000", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = String::new();
    // Kept open to the end: a closed pipe would end the program before the signal does.
    let mut lines = BufReader::new(child.stdout.take().unwrap());
    lines.read_line(&mut first).unwrap();
    assert!(first.contains("\"class\""), "{first}");
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let said = text(&output.stderr);
    assert!(said.contains("the boards solved so far follow; Ctrl-C again"), "{said}");
    assert!(said.contains("stopped before `sync-triomineering"), "{said}");
}

//! What people expect of a command line: exit codes, signals, lists, CSV, colours, widths, times, versions.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::started::{command, complaint, folder, json, json_lines, printed, refused, tesuji, tesuji_in, text};

#[test]
fn exit_codes_tell_usage_from_faults() {
    for usage in [
        &["show", "nothing"][..],
        &["show", "sync-triomineering(6"],
        &["match", "tic-tac-toe", "uct", "utc"],
        &["match", "tic-tac-toe", "uct", "mc", "--budget", "fast"],
        &["match", "tic-tac-toe", "uct", "mc", "--sprt", "10,0"],
        &["match", "tic-tac-toe", "uct", "mc", "--csv", "--json"],
        &["rank", "tic-tac-toe", "uct"],
        &["reproduce", "no/such-table"],
        &["agents", "nobody"],
        &["games", "-q", "-v"],
        &["frobnicate"],
    ] {
        let output = tesuji(usage);
        assert_eq!(output.status.code(), Some(2), "{usage:?}: {}", complaint(&output));
    }
    for fault in [
        &["show", "tubstap(map=no-such.tbsmap)"][..],
        &["run", "no-such.toml"],
        &["match", "tic-tac-toe", "random", "faulty(illegal,after=0)", "--matches", "2"],
    ] {
        let output = tesuji(fault);
        assert_eq!(output.status.code(), Some(1), "{fault:?}: {}", complaint(&output));
    }
}

/// Does a process handle SIGTERM by now?
#[cfg(target_os = "linux")]
fn listens(process: u32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap().trim();
    u64::from_str_radix(caught, 16).unwrap() & (1 << 14) != 0
}

/// Sends SIGTERM as soon as it is handled and the program has said `words` on standard error, and returns the exit
/// code, how long it took, and what was printed.
#[cfg(target_os = "linux")]
fn terminated(arguments: &[&str], words: &str) -> (Option<i32>, Duration, String) {
    let mut command = command(arguments);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    while !listens(child.id()) {
        std::thread::yield_now();
    }
    let mut said = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    while !line.contains(words) {
        line.clear();
        assert!(said.read_line(&mut line).unwrap() > 0, "`{words}` is never said");
    }
    let asked = Instant::now();
    let kill = std::process::Command::new("kill").arg(child.id().to_string()).status().unwrap();
    assert!(kill.success());
    let output = child.wait_with_output().unwrap();
    (output.status.code(), asked.elapsed(), text(&output.stdout))
}

/// Decisions of a minute, and a program that never answers: both end in time, and the JSON says what was played.
#[cfg(target_os = "linux")]
#[test]
fn sigterm_ends_a_series_within_two_seconds() {
    for opponent in ["mc", "process(cmd=\"sleep 60\")"] {
        let arguments = ["match", "tic-tac-toe", "uct", opponent, "--budget", "time=60s", "--json", "-v"];
        let (code, took, printed) = terminated(&arguments, "thread(s)");
        assert_eq!(code, Some(130), "{opponent}");
        assert!(took < Duration::from_secs(2), "{opponent}: {took:?}");
        let result = &json_lines(&printed)[0];
        assert_eq!((&result["interrupted"], &result["complete"]), (&true.into(), &false.into()), "{result}");
        assert_eq!((&result["games"], &result["matches"]), (&0.into(), &0.into()), "{result}");
    }
    let (code, took, _) = terminated(&["solve", "goofspiel(13)"], "");
    assert_eq!((code, took < Duration::from_secs(2)), (Some(130), true));
}

#[test]
fn a_sequential_test_ends_a_series_when_it_is_decided() {
    let arguments = ["match", "tic-tac-toe", "uct", "random", "--budget", "50", "--sprt", "0,100"];
    let result = &json(&[&arguments[..], &["--json"]].concat())[0];
    assert_eq!((&result["sprt"]["decision"], &result["stopped_early"]), (&"accept_h1".into(), &true.into()));
    assert!(result["matches"].as_u64() < Some(200) && result["complete"] == true, "{result}");
    let said = printed(&tesuji(&arguments));
    assert!(said.contains("sequential test (SPRT) 0,100: accepted after"), "{said}");
    let few = printed(&tesuji(&[&arguments[..], &["--matches", "2"]].concat()));
    assert!(few.contains("not decided"), "{few}");
    let help = printed(&tesuji(&["match", "--help"]));
    assert!(help.contains("Play until the result is significant"), "{help}");
}

#[test]
fn a_ranking_needs_no_file_and_can_be_saved_as_one() {
    let folder = folder("ranking");
    let rank = ["rank", "tic-tac-toe", "random", "uct", "mc", "--matches", "20", "--budget", "30"];
    let said = printed(&tesuji_in(&folder, &[&rank[..], &["--save", "rank.toml"]].concat()));
    assert!(said.contains("60 matches") && said.contains("win rate against"), "{said}");
    let value = &json_lines(&printed(&tesuji_in(&folder, &[&rank[..], &["--json"]].concat())))[0];
    let ranking = value["ranking"].as_array().unwrap();
    assert_eq!((ranking.len(), &ranking[2]["agent"]), (3, &"random".into()), "{value}");
    assert!(ranking[0]["elo"].as_f64() > ranking[2]["elo"].as_f64());
    let run = printed(&tesuji_in(&folder, &["run", "rank.toml", "--store", "rank.db", "--json"]));
    assert_eq!(json_lines(&run)[0]["results"], value["results"]);
}

#[test]
fn one_game_and_one_agent_are_shown_with_a_board() {
    let game = printed(&tesuji(&["games", "tic-tac-toe"]));
    for expected in ["Three in a row", "players   x, o", "tesuji show tic-tac-toe", "agents can play it"] {
        assert!(game.contains(expected), "{expected}: {game}");
    }
    let map = printed(&tesuji(&["games", "tubstap(map=six-arms)"]));
    assert!(map.contains("twin-guns") && map.contains("RED upper case"), "{map}");
    let described = &json(&["games", "tic-tac-toe", "--json"])[0];
    assert!(described["board"].is_string() && described["parameters"].is_array(), "{described}");

    let agent = printed(&tesuji(&["agents", "expectimax"]));
    for expected in ["dice and alternating moves", "depth", "tesuji match connect-four", "Its first decision in"] {
        assert!(agent.contains(expected), "{expected}: {agent}");
    }
    let described = &json(&["agents", "mc", "--json"])[0];
    assert!(described["presets"].as_array().unwrap().contains(&"mc-ucb".into()), "{described}");
}

#[test]
fn lists_are_short_and_tables_are_narrow() {
    let agents = printed(&tesuji(&["agents"]));
    assert!(agents.lines().count() <= 60 && agents.contains("Simultaneous moves\n"), "{agents}");
    assert!(printed(&tesuji(&["agents", "--verbose"])).lines().count() > 300);
    for listing in [&["agents"][..], &["games"], &["reproduce"], &["agents", "uct"], &["games", "gdl"]] {
        let said = printed(&tesuji(listing));
        let long = said.lines().find(|line| line.chars().count() > 104 && !line.contains('\t'));
        assert_eq!(long, None, "{listing:?}");
        assert!(!said.contains("&lt;") && !said.contains("&amp;"), "{listing:?}");
    }
    let boxes = printed(&tesuji(&["reproduce"]));
    assert!(boxes.lines().filter(|line| line.starts_with('│')).all(|line| line.chars().count() <= 100));
}

#[test]
fn tables_are_csv_on_request() {
    let perft = printed(&tesuji(&["perft", "tic-tac-toe", "3", "--csv"]));
    assert_eq!(perft, "steps,paths\n1,9\n2,72\n3,504\n");
    let games = printed(&tesuji(&["games", "--csv"]));
    assert!(games.starts_with("game,players,features,what it is\ntubstap,2,multi-action,\"Two armies"), "{games}");
    let series =
        printed(&tesuji(&["match", "tic-tac-toe", "random", "random", "--matches", "1000", "--budget", "1", "--csv"]));
    let lines: Vec<&str> = series.lines().collect();
    assert_eq!(lines[0], "agent,W-D-L,win rate,low,high,Elo,elo low,elo high,superiority");
    assert!(lines[1].starts_with("random,") && !series.contains('%'), "{series}");
}

#[test]
fn quiet_verbose_and_colours_are_obeyed() {
    let series = ["match", "tic-tac-toe", "random", "mc", "--matches", "2", "--budget", "5", "--threads", "1"];
    let told = tesuji(&[&series[..], &["--verbose"]].concat());
    assert!(text(&told.stderr).contains("on 1 thread(s)") && text(&told.stderr).contains("ended after"));
    assert_eq!(text(&tesuji(&series).stderr), "");
    let hint = "shows one with its parameters";
    assert!(printed(&tesuji(&["games"])).contains(hint) && !printed(&tesuji(&["games", "--quiet"])).contains(hint));
    let escape = '\u{1b}';
    for (arguments, variable, colours) in [
        (&["games"][..], None, false),
        (&["games", "--color", "always"], None, true),
        (&["games", "--color=always"], Some("1"), true),
        (&["games", "--color", "never"], None, false),
    ] {
        let mut command = command(arguments);
        command.envs(variable.map(|value| ("NO_COLOR", value)));
        assert_eq!(printed(&command.output().unwrap()).contains(escape), colours, "{arguments:?}");
    }
    let coloured = complaint(&tesuji(&["show", "nothing", "--color", "always"]));
    assert!(coloured.contains(escape) && !refused(&["show", "nothing"]).contains(escape), "{coloured}");
}

#[test]
fn the_version_names_commit_and_vector_instructions() {
    let version = printed(&tesuji(&["--version"]));
    assert!(version.starts_with(&format!("tesuji {} (", env!("CARGO_PKG_VERSION"))), "{version}");
    assert!(version.contains("vector instructions: ") && version.contains("interpreter, network, lanes"), "{version}");
    assert_eq!(printed(&tesuji(&["-V"])).lines().count(), 1);
}

#[test]
fn manual_pages_are_written_for_every_command() {
    let folder = folder("manual");
    printed(&tesuji_in(&folder, &["man", "pages"]));
    for page in ["tesuji.1", "tesuji-match.1", "tesuji-rank.1", "tesuji-gdl-check.1"] {
        let text = fs::read_to_string(folder.join("pages").join(page)).unwrap();
        assert!(text.contains(".TH"), "{page}");
    }
}

#[test]
fn suggestions_are_made_only_when_near() {
    assert!(refused(&["show", "tic-tac-tow"]).contains("did you mean `tic-tac-toe`?"));
    assert!(refused(&["show", "connect"]).contains("did you mean `connect-four`?"));
    for far in [&["show", "chess"][..], &["match", "tic-tac-toe", "uct", "alphazero"], &["show", "pig(speed=3)"]] {
        let said = refused(far);
        assert!(!said.contains("did you mean"), "{far:?}: {said}");
    }
}

/// A decision of minutes, and playouts of a second: both figures keep to their time.
#[test]
fn a_bench_keeps_its_time_and_names_its_clock() {
    let begun = Instant::now();
    let arguments = ["bench", "connect-four", "--seconds", "50ms", "--agent", "uct(playouts=1000000000)"];
    let result = &json(&[&arguments[..], &["--json"]].concat())[0];
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    let processor: Value = if cfg!(target_os = "linux") { "processor".into() } else { result["clock"].clone() };
    assert_eq!((&result["clock"], &result["agents"][0]["clock"]), (&processor, &processor), "{result}");
    let said = printed(&tesuji(&["bench", "tic-tac-toe", "--seconds", "20ms"]));
    assert!(said.contains("20ms a figure") && said.contains("a second is one of"), "{said}");
    assert!(refused(&["bench", "tic-tac-toe", "--seconds", "2h"]).contains("such as 250ms"));
}

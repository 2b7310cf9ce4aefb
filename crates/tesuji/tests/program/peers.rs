//! Outside peers through the command line: programs as agents, servers and clients as processes, and what Ctrl-C leaves
//! behind.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, Stdio};

use serde_json::Value;

use crate::started::{command, complaint, json, path, tesuji, text};

const TESUJI: &str = env!("CARGO_BIN_EXE_tesuji");

/// The path of a file that is not there yet.
fn absent(name: &str) -> PathBuf {
    let path = path(name);
    drop(fs::remove_file(&path));
    path
}

/// A command that runs beside the test, and is ended with it.
struct Beside {
    child: Child,
    lines: BufReader<ChildStdout>,
}

impl Beside {
    fn start(arguments: &[&str]) -> Beside {
        let mut child = command(arguments).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap());
        Beside { child, lines }
    }

    fn next(&mut self) -> Value {
        let mut line = String::new();
        self.lines.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("`{line}`: {error}"))
    }

    /// The address that a server says it listens at.
    fn address(&mut self) -> String {
        self.next()["listening"].as_str().unwrap().to_owned()
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

#[test]
fn our_engine_passes_the_check_and_plays_as_a_program() {
    let report = &json(&["engine-check", &format!("'{TESUJI}' engine --agent uct"), "--margin", "20s", "--json"])[0];
    let findings = report["findings"].as_array().unwrap();
    assert!(findings.len() > 8 && findings.iter().all(|finding| finding["verdict"] != "wrong"), "{report}");
    assert!(findings.iter().any(|finding| finding["message"] == "its decision repeats with the seed"), "{report}");
    assert!(report["latency_milliseconds"].as_f64().unwrap() >= 0.0);
    let agent = format!("process(cmd=\"'{TESUJI}' engine --agent 'uct(c=0.3)' --quiet\")");
    let play = || json(&["match", "tic-tac-toe", &agent, "random", "--games", "4", "--budget", "50", "--json"]);
    let (first, second) = (play(), play());
    assert_eq!(first[0]["fouls"], serde_json::json!([]));
    for key in ["wins", "draws", "losses", "mean_steps"] {
        assert_eq!(first[0][key], second[0][key], "{key}");
    }
    let wrong = tesuji(&["engine-check", "cat", "--margin", "200ms"]);
    assert!(!wrong.status.success() && text(&wrong.stdout).contains("WRONG"));
}

#[test]
fn a_program_takes_part_in_an_experiment() {
    let file = path("process.toml");
    let experiment = format!(
        "title = \"t\"\ngames = [\"connect-four\"]\nseed = 1\npairs = 2\nbudget = {{ playouts = 20 }}\n\
         agents = [{{ address = '''process(cmd=\"'{TESUJI}' engine --agent mc\")''', \
         label = \"outside\" }}, \"random\"]\n"
    );
    fs::write(&file, experiment).unwrap();
    let store = absent("process.db");
    let summary = &json(&["run", file.to_str().unwrap(), "--store", store.to_str().unwrap(), "--json"])[0];
    assert_eq!((summary["matches"].as_u64(), summary["fouls"].as_u64()), (Some(4), Some(0)), "{summary}");
}

#[test]
fn players_and_referee_meet_as_processes() {
    let mut players: Vec<Beside> =
        (0..2).map(|_| Beside::start(&["ggp", "player", "--port", "0", "--agent", "random", "--json"])).collect();
    let addresses: Vec<String> = players.iter_mut().map(Beside::address).collect();
    assert!(addresses.iter().all(|address| address.starts_with("127.0.0.1:")), "{addresses:?}");
    let store = absent("ggp-referee.db");
    let lines = json(&[
        "ggp",
        "referee",
        "tic-tac-toe",
        "--player",
        &addresses[0],
        "--player",
        &addresses[1],
        "--start-clock",
        "0",
        "--play-clock",
        "20",
        "--matches",
        "2",
        "--store",
        store.to_str().unwrap(),
        "--json",
    ]);
    assert_eq!(lines.len(), 3);
    assert_eq!(lines[0]["players"], serde_json::json!([addresses[0], addresses[1]]));
    assert_eq!(lines[1]["players"], serde_json::json!([addresses[1], addresses[0]]));
    assert!(lines[..2].iter().all(|played| played["events"] == serde_json::json!([])), "{lines:?}");
    assert!(
        lines[2]["figures"].as_array().unwrap().iter().all(|figures| figures["mean_milliseconds"].as_f64() > Some(0.0))
    );
    let exported = json(&["export", store.to_str().unwrap()]);
    assert_eq!(exported.len(), 2);
    assert_eq!(exported[0]["agents"][0], format!("outside(peer=\"{}\")", addresses[0]));
    assert_eq!(exported[0]["payoffs"].as_array().unwrap().len(), 2);
    let events: Vec<Value> = (0..3).map(|_| players[0].next()).collect();
    assert!(events.iter().any(|event| event["event"].as_str().unwrap().starts_with("START tesuji.tic-tac-toe.1.1 x")));
}

#[test]
fn clients_and_server_meet_as_processes() {
    let folder = path("server-records");
    let records = folder.to_str().unwrap();
    let mut server =
        Beside::start(&["tubstap", "server", "--port", "0", "--matches", "2", "--records", records, "--json"]);
    let address = server.address();
    let clients: Vec<Beside> = ["ann", "bob"]
        .iter()
        .map(|name| {
            Beside::start(&["tubstap", "client", "--connect", &address, "--agent", "random", "--name", name, "--json"])
        })
        .collect();
    for number in 1..=2 {
        let played = server.next();
        assert_eq!((played["number"].as_u64(), &played["foul"]), (Some(number), &Value::Null), "{played}");
        let record = fs::read_to_string(played["record"].as_str().unwrap()).unwrap();
        assert!(record.contains("TURNINFO["));
    }
    let result = server.next();
    assert_eq!(result["broken_off"], Value::Null, "{result}");
    let names: Vec<&str> =
        result["clients"].as_array().unwrap().iter().map(|client| client["name"].as_str().unwrap()).collect();
    assert!(names.contains(&"ann") && names.contains(&"bob"), "{names:?}");
    for mut client in clients {
        assert!(client.child.wait().unwrap().success());
    }
}

#[test]
fn wrong_input_is_refused_with_what_was_expected() {
    for (arguments, expected) in [
        (&["ggp", "player", "--agent", "utc"][..], "did you mean `uct`?"),
        (&["ggp", "player", "--name", "a b"], "not a valid name for a player"),
        (&["ggp", "player", "--margin", "soon"], "expected a time"),
        (&["ggp", "player", "--host", "256.0.0.1", "--port", "0"], "cannot listen"),
        (&["ggp", "referee", "no-such-sheet", "--player", "a", "--player", "b"], "not a bundled rule sheet"),
        (&["ggp", "referee", "tic-tac-toe", "--player", "uct", "--no-store"], "2 role(s) to play, 1 player(s)"),
        (&["tubstap", "server", "--map", "medow"], "did you mean `meadow`?"),
        (&["tubstap", "client", "--agent", "typeA"], "typeA"),
        (&["tubstap", "client", "--connect", "nowhere"], "no server at nowhere"),
        (&["engine-check", "''"], "name of a program"),
        (&["match", "tic-tac-toe", "process(cmd=\"no-such-engine\")", "uct"], "there is no program"),
    ] {
        let said = complaint(&tesuji(arguments));
        assert!(said.contains(expected), "{arguments:?}: {said}");
    }
}

/// A program outside that never answers is gone after Ctrl-C, at once after the second.
#[cfg(unix)]
#[test]
fn ctrl_c_leaves_no_program_behind() {
    use std::os::unix::process::ExitStatusExt;
    for signal in ["-INT", "-TERM"] {
        let numbers = absent("numbers-of-programs");
        // Each thread has one. It says its number, does not look at its input, and never answers.
        let script = format!("echo $$ >> {}; while :; do sleep 60; done", numbers.display());
        let agent = format!("process(cmd=\"sh -c '{script}'\",patience=10min)");
        let mut command = command(&["match", "tic-tac-toe", &agent, "random", "--games", "2", "--threads", "2"]);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        while !fs::read_to_string(&numbers).is_ok_and(|started| started.ends_with('\n')) {
            assert!(child.try_wait().unwrap().is_none(), "the match has ended by itself");
            std::thread::yield_now();
        }
        // Signals that come close together may count as one, so the second is repeated.
        let status = loop {
            if let Some(status) = child.try_wait().unwrap() {
                break status;
            }
            Command::new("kill").args([signal, child.id().to_string().as_str()]).status().unwrap();
        };
        assert_eq!((status.code(), status.signal()), (Some(130), None));
        for number in fs::read_to_string(&numbers).unwrap().lines() {
            assert!(!PathBuf::from(format!("/proc/{number}")).exists(), "program {number} is still there");
        }
    }
}

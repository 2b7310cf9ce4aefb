//! `tesuji mcp` with the reference client of the Model Context Protocol, the Python package `mcp`.
//!
//! `crates/mcp/tests/prepare` installs it; `./check` calls that. Without it these tests say so and pass, unless
//! CI=true.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::started::{command, refused, text};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// The reference client, if it was installed.
fn client(arguments: &[&str]) -> Option<Command> {
    let python = root().join("target/mcp-client/bin/python");
    if !python.exists() {
        assert!(std::env::var("CI").is_err_and(|_| true), "crates/mcp/tests/prepare did not install the client");
        eprintln!("skipped: run crates/mcp/tests/prepare to install the reference client");
        return None;
    }
    let mut client = Command::new(python);
    client.arg(root().join("crates/mcp/tests/client.py")).arg(env!("CARGO_BIN_EXE_tesuji")).args(arguments);
    Some(client)
}

fn passes(mut client: Command) {
    let output = client.stdin(Stdio::null()).output().unwrap();
    assert!(output.status.success(), "{}\n{}", text(&output.stdout), text(&output.stderr));
    assert!(text(&output.stdout).ends_with("all matches played\n"), "{}", text(&output.stdout));
}

#[test]
fn the_reference_client_plays_every_class_of_games_on_standard_input_and_output() {
    if let Some(client) = client(&[]) {
        passes(client);
    }
}

#[test]
fn the_reference_client_plays_every_class_of_games_over_http() {
    let mut server = command(&["mcp", "--http", "127.0.0.1:0", "--json"]).stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(server.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    let listening: Value = serde_json::from_str(&line).unwrap();
    let address = listening["listening"].as_str().unwrap().to_owned();
    let result = std::panic::catch_unwind(|| {
        if let Some(client) = client(&[&format!("http://{address}/mcp")]) {
            passes(client);
        }
    });
    server.kill().unwrap();
    server.wait().unwrap();
    result.unwrap();
}

#[test]
fn the_server_listens_on_loopback_only() {
    assert!(refused(&["mcp", "--http", "0.0.0.0:0"]).contains("other machines"));
}

/// The protocol by hand, so that something is tested without the reference client.
#[test]
fn a_client_by_hand_plays_a_match() {
    let mut server = command(&["mcp"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = server.stdin.take().unwrap();
    let mut output = BufReader::new(server.stdout.take().unwrap());
    let mut number = 0;
    let mut ask = |method: &str, params: Value| -> Value {
        number += 1;
        writeln!(input, "{}", json!({"jsonrpc": "2.0", "id": number, "method": method, "params": params})).unwrap();
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        let answer: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(answer["id"], number, "{answer}");
        answer["result"].clone()
    };
    let about = json!({
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "by-hand", "version": "1"},
    });
    assert_eq!(ask("initialize", about)["serverInfo"]["name"], "tesuji");
    let mut call = |tool: &str, arguments: Value| ask("tools/call", json!({"name": tool, "arguments": arguments}));
    let mut position = call("start_match", json!({"game": "tic-tac-toe", "seats": ["client", "random"], "seed": 3}));
    let refused = call("act", json!({"match": 1, "action": "A1"}));
    assert_eq!(refused["isError"], true, "{refused}");
    while position["structuredContent"]["over"] == false {
        let action = position["structuredContent"]["legal_actions"][0].clone();
        position = call("act", json!({"match": 1, "action": action}));
    }
    assert_eq!(position["structuredContent"]["payoffs"].as_array().unwrap().len(), 2);

    // Refusals say what a client can do next.
    let mut why = |tool: &str, arguments: Value| -> String {
        let refused = call(tool, arguments);
        assert_eq!(refused["isError"], true, "{refused}");
        refused["content"][0]["text"].as_str().unwrap().to_owned()
    };
    assert!(why("rules", json!({"game": "tic-tac-tow"})).contains("`list_games`"));
    let seats = json!(["client", "nobody"]);
    assert!(why("start_match", json!({"game": "tic-tac-toe", "seats": seats})).contains("`list_agents`"));
    assert!(why("act", json!({"match": 1, "action": "a1"})).contains("`show` has its result"));
    let seats = json!(["client", "random"]);
    call("start_match", json!({"game": "tic-tac-toe", "seats": seats, "retries": 2}));
    let mut act = || {
        let refused = call("act", json!({"match": 2, "action": "d9"}));
        refused["content"][0]["text"].as_str().unwrap().to_owned()
    };
    assert!(act().contains("2 more illegal acts lose the match"));
    assert!(act().contains("one more illegal act loses the match"));
    assert!(act().contains("the match is lost"));
    let lost = call("show", json!({"match": 2}));
    assert_eq!(lost["structuredContent"]["ending"], "x forfeited: too many illegal acts");
    drop(input);
    assert!(server.wait().unwrap().success());
}

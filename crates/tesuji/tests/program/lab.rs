//! `tesuji lab` as a program: it says where it is, and being killed costs no finished action.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Stdio};

use serde_json::{Value, json};

use crate::started::{command, complaint, folder};

struct Lab {
    child: Child,
    address: String,
}

impl Lab {
    fn open(folder: &Path) -> Lab {
        let mut command = command(&["--json", "lab", "--port", "0", "--data"]);
        let mut child = command.arg(folder).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let told: Value = serde_json::from_str(&line).unwrap();
        let url = told["url"].as_str().unwrap();
        let address = url.trim_start_matches("http://").trim_end_matches('/').to_owned();
        assert_eq!(told["token"], Value::Null);
        Lab { child, address }
    }

    fn ask(&self, method: &str, path: &str, body: &Value) -> Value {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let head = format!("{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n", self.address);
        write!(stream, "{head}Content-Length: {}\r\n\r\n{body}", body.len()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        assert!(head.starts_with("HTTP/1.1 2"), "{path}: {answer}");
        serde_json::from_str(body).unwrap()
    }

    /// Ends it as `kill -9` does.
    fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Lab {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

#[test]
fn killing_the_lab_loses_no_finished_action() {
    let folder = folder("killed-lab");
    let lab = Lab::open(&folder);
    let seats = json!([{ "person": "Kit" }, { "person": "Kit" }]);
    let made = lab.ask("POST", "/api/matches", &json!({ "game": "tubstap", "seats": seats, "seed": 3 }));
    let path = format!("/api/matches/{}", made["id"].as_str().unwrap());
    let act = |lab: &Lab| {
        let view = lab.ask("GET", &format!("{path}?brief=1"), &Value::Null);
        let legal = &view["legal"][0];
        let player = legal["player"].as_u64().unwrap();
        let key = &made["keys"][player.to_string()];
        let choice = json!({ "player": player, "action": legal["actions"][0]["text"], "key": key });
        lab.ask("POST", &format!("{path}/actions?brief=1"), &choice)
    };
    for _ in 0..7 {
        act(&lab);
    }
    let before = act(&lab);
    lab.kill();
    let lab = Lab::open(&folder);
    let after = lab.ask("GET", &format!("{path}?brief=1"), &Value::Null);
    assert_eq!((&after["steps"], &after["state"]), (&json!(8), &before["state"]));
    assert_eq!(act(&lab)["steps"], 9, "it goes on, with the same keys");
}

#[test]
fn one_lab_uses_a_folder_at_a_time() {
    // A path longer than a line: errors that nobody reads at a terminal are not broken into lines.
    let folder = folder(&format!("shared-lab/{}", "a-folder/".repeat(20)));
    let _lab = Lab::open(&folder);
    let second = command(&["lab", "--port", "0", "--data"]).arg(&folder).output().unwrap();
    let told = complaint(&second);
    assert!(told.contains("lab.db: another lab uses this folder"), "{told}");
}

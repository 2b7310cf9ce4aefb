//! An engine that fails on purpose: `faulty-engine FAULT [PROCESS-NUMBER-FILE]`. It plays the first legal action until
//! its second decision of a match, then fails as `FAULT` says.

use std::io::{self, BufRead, Write};
use std::process::{Command, Stdio, exit};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

fn say(message: &Value) {
    let written = writeln!(io::stdout(), "{message}");
    drop(written);
}

/// Does nothing, for longer than anybody waits.
fn sleep() -> ! {
    loop {
        thread::sleep(Duration::from_secs(3600));
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let fault = arguments.first().map_or("", String::as_str);
    if let Some(path) = arguments.get(1) {
        std::fs::write(path, std::process::id().to_string()).expect("the file can be written");
    }
    match fault {
        "mute" => sleep(),
        "stillborn" => {
            eprintln!("no licence found");
            exit(7);
        }
        _ => {}
    }
    let (mut legal, mut made) = (Vec::new(), 0);
    for line in io::stdin().lock().lines() {
        let Ok(line) = line else { break };
        let order: Value = serde_json::from_str(&line).expect("orders are JSON");
        let id = &order["id"];
        match order["type"].as_str().unwrap_or("") {
            "hello" if fault == "other-version" => say(&json!({ "type": "hello", "protocol": 99, "name": "tomorrow" })),
            "hello" => say(&json!({ "type": "hello", "protocol": 1, "name": "faulty" })),
            "match" if fault == "refuses" => say(&json!({ "type": "error", "id": id, "message": "not this game" })),
            "match" => {
                made = 0;
                say(&json!({ "type": "ready", "id": id }));
            }
            "position" => legal = order["legal"].as_array().cloned().unwrap_or_default(),
            "prepare" => say(&json!({ "type": "prepared", "id": id })),
            "go" => {
                made += 1;
                if made > 1 {
                    misbehave(fault, id);
                }
                if !matches!(fault, "stubborn" | "only-stop") || made == 1 {
                    say(&json!({ "type": "best", "id": id, "action": legal.first() }));
                }
            }
            "stop" if fault == "only-stop" && made > 1 => {
                say(&json!({ "type": "best", "id": id, "action": legal.first() }));
            }
            "quit" if fault == "stays" => {}
            "quit" => return,
            _ => {}
        }
    }
    if fault == "stays" {
        sleep();
    }
}

fn misbehave(fault: &str, id: &Value) {
    match fault {
        "silent" => sleep(),
        "dies" => {
            eprintln!("out of cheese");
            exit(3);
        }
        "garbage" => println!("I would rather play draughts"),
        "endless" => {
            let piece = vec![b'x'; 1 << 16];
            for _ in 0..160 {
                if io::stdout().write_all(&piece).is_err() {
                    exit(1);
                }
            }
            drop(io::stdout().flush());
            sleep();
        }
        "half" => {
            print!("{{\"type\":\"best\",\"id\":{id},\"act");
            drop(io::stdout().flush());
            exit(0);
        }
        "illegal" => say(&json!({ "type": "best", "id": id, "action": "z99" })),
        "other-match" => say(&json!({ "type": "best", "id": "another", "action": "a1" })),
        "complains" => say(&json!({ "type": "error", "id": id, "message": "I am lost" })),
        "babbles" => loop {
            say(&json!({ "type": "thinking", "id": id, "depth": 1 }));
        },
        "orphans" => {
            // A child process that does not end by itself.
            let mut command = Command::new("sleep");
            command.arg("3600").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
            let child = command.spawn().expect("sleep runs");
            eprintln!("started {}", child.id());
            exit(0);
        }
        _ => {}
    }
}

//! A player for any game, in forty lines: it takes a legal action at random. Every message is described in
//! docs/protocols/engine.md.
//!
//! Run it in a match: `tesuji match tic-tac-toe 'process(cmd="target/debug/example-engine")' uct`

use std::io::{self, BufRead, Write};
use std::time::Instant;

use serde_json::{Value, json};

fn main() -> io::Result<()> {
    let mut legal: Vec<Value> = Vec::new(); // what our player may do in the position told last
    for line in io::stdin().lock().lines() {
        let order: Value = serde_json::from_str(&line?)?;
        let id = &order["id"];
        let answer = match order["type"].as_str().unwrap_or("") {
            "hello" => {
                json!({ "type": "hello", "protocol": 1, "name": "forty lines of Rust", "version": "1", "keep": true })
            }
            // order["game"], order["players"], order["player"] and perhaps order["rules"] say what is played.
            "match" => json!({ "type": "ready", "id": id }),
            "position" => {
                // order["steps"] holds all actions so far, order["state"] the state as text.
                legal = order["legal"].as_array().cloned().unwrap_or_default();
                continue;
            }
            "prepare" => json!({ "type": "prepared", "id": id }),
            "go" => {
                // order["budget"] says what may be spent: playouts, nodes, seconds.
                let begun = Instant::now();
                let seed = order["seed"].as_u64().unwrap_or(0);
                let place = seed.wrapping_mul(6_364_136_223_846_793_005) >> 33;
                let action = &legal[place as usize % legal.len()];
                json!({ "type": "best", "id": id, "action": action, "seconds": begun.elapsed().as_secs_f64() })
            }
            "quit" => break,
            _ => continue, // "stop" wants the answer that was given already; "end" tells that the match is over
        };
        writeln!(io::stdout(), "{answer}")?;
    }
    Ok(())
}

//! The engine protocol, both ends, and the command that starts an engine.

use std::io::Cursor;

use tesuji_arena::Budget;
use tesuji_arena::engine::{LineReader, LongestLine, read_answer, split_command, write};
use tesuji_peers::engine::{EngineOptions, serve};

use super::{Target, catalogue, file, reaches_out, text, texts, told};

/// The longest line of an engine in this target.
const LONGEST: usize = 10_000;

/// The lines of a recorded conversation that begin with `sign`.
fn recorded(sign: &str) -> Vec<u8> {
    let conversation = file("crates/peers/tests/golden/engine.txt");
    let conversation = text(&conversation);
    let lines = conversation.lines().filter_map(|line| line.strip_prefix(sign));
    lines.map(|line| line.to_owned() + "\n").collect::<String>().into_bytes()
}

/// Orders to our engine. It answers every line and ends with its input.
pub(super) fn orders(name: &'static str) -> Target {
    let options = EngineOptions {
        catalogue: catalogue().clone(),
        agent: "random".to_owned(),
        budget: Budget::playouts(1),
        thinking: true,
    };
    let run = move |input: &[u8]| {
        if reaches_out(&text(input)) || text(input).contains("gdl(") {
            return "not opened".to_owned();
        }
        let mut output = Vec::new();
        let served = serve(&options, Cursor::new(input.to_vec()), &mut output);
        told(served, |()| text(&output).lines().last().unwrap_or_default().to_owned())
    };
    let words = &[
        "\"type\":\"go\"",
        "\"type\":\"match\"",
        "\"type\":\"position\"",
        "\"type\":\"stop\"",
        "\"id\":\"1\"",
        "\"steps\":[]",
        "\"game\":\"pig(10)\"",
        "\"start\":\"\"",
        "\"budget\":{}",
        "\"seed\":1",
        "null",
        "\n",
    ];
    let orders = text(&recorded("> ")).lines().filter(|line| !line.contains("gdl(")).collect::<Vec<_>>().join("\n");
    Target::new(name, Box::new(run), vec![orders.into_bytes()], words)
}

/// Answers of an engine, line by line, and its command line.
pub(super) fn answers(name: &'static str) -> Target {
    let mut seeds = vec![recorded("< ")];
    seeds.extend(texts(&[
        "python3 'my engine.py' --level 3\n",
        "{\"type\":\"thinking\",\"id\":\"1\",\"line\":[[\"a\"]]}\n",
    ]));
    let run = |input: &[u8]| {
        let mut lines = LineReader::new(Cursor::new(input), LongestLine(LONGEST));
        let mut outcome = told(split_command(&text(input)), |words| {
            assert!(!words[0].is_empty(), "a command without a program");
            "a command".to_owned()
        });
        loop {
            match lines.next_line() {
                Ok(line) => {
                    outcome = told(read_answer(&line), |answer| {
                        let written = write(&answer);
                        let again = read_answer(&written);
                        assert!(again.is_ok(), "`{written}` does not read back");
                        "an answer".to_owned()
                    });
                }
                Err(trouble) => return format!("{outcome}; {trouble}"),
            }
        }
    };
    let words =
        &["\"type\":\"best\"", "\"action\":", "\"value\":", "1e999", "null", "\"candidates\":[{", "\n", "\\u0000"];
    Target::new(name, Box::new(run), seeds, words)
}

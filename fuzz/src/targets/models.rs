//! Answers of language models, and transcripts.

use tesuji_models::{MARK, Transcript, read_answer};

use super::{Target, size, text, texts, told};

/// Legal actions of several games, among them the beginning of others and words of the agreed form.
const LEGAL: [&str; 9] = ["a1", "a10", "b2", "pass", "hold", "(mark 1 1)", "e2-e4", "c2-d4xd5", "action"];

/// An answer is a move only if it names it: one mark, at the beginning of a line, then the action and nothing else.
pub(super) fn answers(name: &'static str) -> Target {
    let legal = LEGAL.map(str::to_owned);
    let run = move |input: &[u8]| {
        let answer = text(input);
        match read_answer(&answer, &legal) {
            Ok(place) => {
                let marks = answer.to_ascii_uppercase().matches(MARK).count();
                assert_eq!(marks, 1, "two actions are named in {answer:?}");
                // The lines, found letter by letter.
                let mut lines = vec![String::new()];
                for letter in answer.chars() {
                    match letter {
                        '\n' => lines.push(String::new()),
                        letter => lines.last_mut().into_iter().for_each(|line| line.push(letter)),
                    }
                }
                let named = lines.iter().filter(|line| {
                    let bare: String = line.trim_end_matches('\r').chars().collect();
                    bare.starts_with(MARK) && bare[MARK.len()..].trim_matches(' ') == LEGAL[place]
                });
                assert_eq!(named.count(), 1, "{answer:?} does not name {}", LEGAL[place]);
                LEGAL[place].to_owned()
            }
            Err(misread) => misread.to_string().chars().take(30).collect(),
        }
    };
    let seeds = texts(&[
        "The centre is free.\nACTION: b2",
        "ACTION: (mark 1 1)\r\n",
        "**ACTION: a1**",
        "ACTION: a1\nACTION: b2",
        "Ignore the rules.\nACTION: a1; resign",
    ]);
    let words =
        &["ACTION:", "Action: ", "action", "\n", "\r\n", " ", "\u{2028}", "a1", "a10", "pass", "```", "**", "\0"];
    Target::new(name, Box::new(run), seeds, words)
}

/// A transcript that is read is written again as it was read.
pub(super) fn transcripts(name: &'static str) -> Target {
    let run = |input: &[u8]| {
        told(Transcript::read(&text(input)), |transcript| {
            let again = Transcript::read(&transcript.write()).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(again, transcript);
            format!("{} exchanges", size(transcript.exchanges.len()))
        })
    };
    let header = concat!(
        r#"{"transcript":1,"game":"tic-tac-toe","seat":0,"model":"m","url":"u","legal":true,"history":"all","#,
        r#""retries":2,"system":"s"}"#
    );
    let asked = concat!(
        r#"{"step":0,"attempt":1,"prompt":"p","answer":"ACTION: a1","verdict":"accepted","action":"a1","#,
        r#""seconds":0.5,"input_tokens":3}"#
    );
    let failed = r#"{"step":0,"attempt":1,"prompt":"p","verdict":"failed","reason":"late","last":true,"seconds":0.5}"#;
    let seeds = vec![format!("{header}\n{asked}\n{failed}\n").into_bytes(), header.as_bytes().to_vec()];
    let words =
        &["\"verdict\":\"not-legal\"", "\"verdict\":\"unreadable\"", "\"scramble\":7", "null", "\"history\":\"3\""];
    Target::new(name, Box::new(run), seeds, words)
}

//! The answers of an agent in a file, so that a measurement that was killed goes on where it stopped.
//!
//! A line of JSON for each answer. A line with what was measured precedes the answers that belong to it. A line that
//! was cut off by a kill is passed over.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tesuji_catalogue::{MixedAnswer, WholeGameMeter};
use tesuji_core::InputError;

use super::WholeGamePlan;
use crate::VERSION;

/// Answers by question and repeat.
pub(super) type Measured = BTreeMap<(u64, u64), MixedAnswer>;

/// A file of answers.
pub struct Journal {
    file: File,
    path: PathBuf,
    game: String,
    text: String,
}

impl Journal {
    /// Opens a file of answers in a game, or begins it.
    pub fn open(path: &Path, game: &str) -> Result<Journal, InputError> {
        let wrong = |error: std::io::Error| InputError::new(error.to_string()).in_file(path.display());
        let mut file = OpenOptions::new().create(true).read(true).append(true).open(path).map_err(wrong)?;
        let mut text = String::new();
        file.rewind().and_then(|()| file.read_to_string(&mut text)).map_err(wrong)?;
        let first = text.lines().next().map(serde_json::from_str::<Value>);
        if first.is_some_and(|line| line.map_or(true, |line| line.get("measured").is_none())) {
            return Err(InputError::new("this is not a file of answers for `tesuji exploit`")
                .with_help("give a new file, or one that `tesuji exploit --keep` wrote")
                .in_file(path.display()));
        }
        if !text.is_empty() && !text.ends_with('\n') {
            // A line that was cut off.
            file.write_all(b"\n").map_err(wrong)?;
            text.push('\n');
        }
        Ok(Journal { file, path: path.to_owned(), game: game.to_owned(), text })
    }

    fn heading(&self, meter: &dyn WholeGameMeter, plan: &WholeGamePlan) -> Value {
        json!({
            "game": self.game, "agent": plan.agent, "budget": plan.budget.to_string(), "seed": plan.seed,
            "states": meter.states(), "tesuji": VERSION,
        })
    }

    /// Begins a measurement; returns the answers that the file has for it.
    pub(super) fn begin(&mut self, meter: &dyn WholeGameMeter, plan: &WholeGamePlan) -> Result<Measured, InputError> {
        let heading = self.heading(meter, plan);
        let mut answers = Measured::new();
        let mut mine = false;
        for line in self.text.lines() {
            let Ok(line) = serde_json::from_str::<Value>(line) else { continue };
            if let Some(measured) = line.get("measured") {
                mine = *measured == heading;
            } else if mine && let Some((key, answer)) = answer(&line) {
                let wanted = (key.0 as usize) < meter.questions() && key.1 < plan.repeats;
                if wanted && meter.fits(key.0 as usize, &answer.mix) {
                    answers.insert(key, answer);
                }
            }
        }
        self.write(&json!({ "measured": heading }))?;
        Ok(answers)
    }

    /// Adds an answer.
    pub(super) fn add(&mut self, (question, repeat): (u64, u64), answer: &MixedAnswer) -> Result<(), InputError> {
        self.write(&json!({
            "question": question, "repeat": repeat, "mix": answer.mix, "seconds": answer.seconds,
        }))
    }

    fn write(&mut self, line: &Value) -> Result<(), InputError> {
        let line = format!("{line}\n");
        self.text.push_str(&line);
        let written = self.file.write_all(line.as_bytes());
        written.map_err(|error| InputError::new(error.to_string()).in_file(self.path.display()))
    }
}

fn answer(line: &Value) -> Option<((u64, u64), MixedAnswer)> {
    let mix = line.get("mix")?.as_array()?.iter().map(Value::as_f64).collect::<Option<Vec<f64>>>()?;
    let key = (line.get("question")?.as_u64()?, line.get("repeat")?.as_u64()?);
    Some((key, MixedAnswer { mix, seconds: line.get("seconds")?.as_f64()? }))
}

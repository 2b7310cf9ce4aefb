//! Replaying written moves, step by step.
//!
//! A file of moves has one step a line: the actions of its actors in player order, separated by tabs; outcomes of
//! nature are steps as well. Empty lines and lines that start with `#` are passed over.

use serde::Serialize;
use tesuji_core::{InputError, Source};

use crate::AnyGame;
use crate::AnyMatch;

/// A line of a file of moves.
#[derive(Clone, Debug)]
pub struct WrittenStep {
    joint: Vec<String>,
    offset: usize,
    length: usize,
}

impl WrittenStep {
    /// The actions, in the order of those who act.
    pub fn joint(&self) -> &[String] {
        &self.joint
    }
}

/// Reads a file of moves. Whether they are legal shows in the replay.
pub fn parse_moves(source: &Source) -> Vec<WrittenStep> {
    let mut steps = Vec::new();
    let mut offset = 0;
    for line in source.text().split_inclusive('\n') {
        let written = line.trim();
        if !written.is_empty() && !written.starts_with('#') {
            let joint = written.split('\t').map(|action| action.trim().to_owned()).collect();
            let lead = line.len() - line.trim_start().len();
            steps.push(WrittenStep { joint, offset: offset + lead, length: written.len() });
        }
        offset += line.len();
    }
    steps
}

/// One state of a replay, with what was played there.
#[derive(Clone, Debug, Serialize)]
pub struct ReplayStep {
    /// Counted from 0: the steps before this state.
    pub step: usize,
    /// The names of those who act; empty when the match is over.
    pub turn: Vec<String>,
    /// The sorted legal actions of each of them (outcomes, for `chance`), in the order of `turn`.
    pub legal: Vec<Vec<String>>,
    /// What was played, in the order of `turn`; absent in the last state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub played: Option<Vec<String>>,
    /// The state on one line.
    pub state: String,
    /// What each player got; absent unless the match is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payoffs: Option<Vec<f64>>,
}

/// Plays `steps` and shows each state to `see`, the last one too. An illegal step ends it with an error at its place.
pub fn replay(
    game: &dyn AnyGame,
    source: &Source,
    steps: &[WrittenStep],
    see: &mut dyn FnMut(ReplayStep),
) -> Result<Box<dyn AnyMatch>, InputError> {
    let mut table = game.new_match(None)?;
    for (index, written) in steps.iter().enumerate() {
        let mut shown = describe(table.as_ref(), index);
        table.step(&written.joint).map_err(|error| error.at(source, written.offset, written.length))?;
        shown.played = Some(written.joint.clone());
        see(shown);
    }
    see(describe(table.as_ref(), steps.len()));
    Ok(table)
}

fn describe(table: &dyn AnyMatch, step: usize) -> ReplayStep {
    let mut turn = Vec::new();
    let mut legal = Vec::new();
    for (actor, name) in table.actors() {
        let mut actions = table.legal(actor);
        actions.sort();
        turn.push(name);
        legal.push(actions);
    }
    ReplayStep { step, turn, legal, played: None, state: table.state_text(), payoffs: table.payoffs() }
}

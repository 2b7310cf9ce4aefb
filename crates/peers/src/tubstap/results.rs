//! What came of served matches, and what was remarkable in them.

use std::fmt;
use std::path::PathBuf;

use serde::Serialize;

/// An event of a match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ServerEvent {
    /// The turn, counted from 0; both sides' turns count.
    pub turn: u16,
    /// Who: the client's name, or its address.
    pub client: String,
    /// What happened.
    pub what: String,
}

impl fmt::Display for ServerEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "turn {}: {} {}", self.turn, self.client, self.what)
    }
}

/// A match that was served.
#[derive(Clone, Debug, Serialize)]
pub struct ServedMatch {
    /// Counted from 1.
    pub number: u64,
    /// The names of red and blue.
    pub players: [String; 2],
    /// What red and blue got.
    pub payoffs: Vec<f64>,
    /// Unit actions.
    pub actions: usize,
    /// The colour that lost by a fault, and the fault.
    pub foul: Option<(u8, String)>,
    /// What was remarkable.
    pub events: Vec<ServerEvent>,
    /// The record.
    pub record: Option<PathBuf>,
}

/// What a client did in all matches.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ClientFigures {
    /// Its name.
    pub name: String,
    /// Won, drawn, lost.
    pub wins: u64,
    /// Drawn.
    pub draws: u64,
    /// Lost.
    pub losses: u64,
    /// Matches lost by a fault.
    pub fouls: u64,
    /// Turns.
    pub turns: u64,
    /// Turns that took longer than their time and the margin.
    pub overtime: u64,
    /// The mean time of a turn, in milliseconds.
    pub mean_milliseconds: f64,
    /// The longest.
    pub greatest_milliseconds: f64,
    /// The mean time of an answer that takes no thought (`play`), in milliseconds: the latency of the way.
    pub latency_milliseconds: f64,
    #[serde(skip)]
    pub(super) echoes: u64,
}

/// All matches of a plan.
#[derive(Clone, Debug, Serialize)]
pub struct ServerResult {
    /// The time of a turn, in milliseconds.
    pub turn_milliseconds: f64,
    /// How much longer a turn may take before it counts as overtime.
    pub margin_milliseconds: f64,
    /// The clients in the order they came.
    pub clients: Vec<ClientFigures>,
    /// The matches.
    pub matches: Vec<ServedMatch>,
    /// Was the series broken off, and why?
    pub broken_off: Option<String>,
}

impl ClientFigures {
    /// With means instead of sums.
    pub(super) fn settled(mut self) -> ClientFigures {
        self.mean_milliseconds /= self.turns.max(1) as f64;
        self.latency_milliseconds /= self.echoes.max(1) as f64;
        self
    }
}

//! The results of served matches, and notable events in them.

use std::fmt;
use std::path::PathBuf;

use serde::Serialize;

/// An event of a match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ServerEvent {
    /// The turn, counted from 0 over both sides.
    pub turn: u16,
    /// The client's name, or its address.
    pub client: String,
    /// What happened.
    pub what: String,
}

impl fmt::Display for ServerEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "turn {}: {} {}", self.turn, self.client, self.what)
    }
}

/// A served match.
#[derive(Clone, Debug, Serialize)]
pub struct ServedMatch {
    /// The number of the match, counted from 1.
    pub number: u64,
    /// The names of red and blue.
    pub players: [String; 2],
    /// The payoffs of red and blue.
    pub payoffs: Vec<f64>,
    /// The number of unit actions.
    pub actions: usize,
    /// The colour that lost by a fault, and the fault.
    pub foul: Option<(u8, String)>,
    /// Notable events.
    pub events: Vec<ServerEvent>,
    /// The file of the record.
    pub record: Option<PathBuf>,
}

/// The statistics of a client over all matches.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ClientFigures {
    /// Its name.
    pub name: String,
    /// Matches won.
    pub wins: u64,
    /// Matches drawn.
    pub draws: u64,
    /// Matches lost.
    pub losses: u64,
    /// Matches lost by a fault.
    pub fouls: u64,
    /// The number of turns.
    pub turns: u64,
    /// Turns that took longer than their time plus the margin.
    pub overtime: u64,
    /// The mean time of a turn, in milliseconds.
    pub mean_milliseconds: f64,
    /// The longest.
    pub greatest_milliseconds: f64,
    /// The mean time of an answer that needs no thinking (`play`), in milliseconds: the network latency.
    pub latency_milliseconds: f64,
    #[serde(skip)]
    pub(super) echoes: u64,
}

/// The results of all matches of a plan.
#[derive(Clone, Debug, Serialize)]
pub struct ServerResult {
    /// The time of a turn, in milliseconds.
    pub turn_milliseconds: f64,
    /// How much longer a turn may take before it counts as overtime.
    pub margin_milliseconds: f64,
    /// The clients in the order they connected.
    pub clients: Vec<ClientFigures>,
    /// The matches.
    pub matches: Vec<ServedMatch>,
    /// Why the series was aborted, if it was.
    pub broken_off: Option<String>,
}

impl ClientFigures {
    /// The statistics with means instead of sums.
    pub(super) fn settled(mut self) -> ClientFigures {
        self.mean_milliseconds /= self.turns.max(1) as f64;
        self.latency_milliseconds /= self.echoes.max(1) as f64;
        self
    }
}

//! The limits of a lab. `GET /api/status` reports them.

use serde::Serialize;
use utoipa::ToSchema;

/// The limits of a lab.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Limits {
    /// Bytes of an ordinary request.
    pub body_bytes: usize,
    /// Bytes of an uploaded map or sheet.
    pub upload_bytes: usize,
    /// Uploads kept.
    pub uploads: usize,
    /// Bytes of a replay file.
    pub replay_bytes: usize,
    /// Matches held in memory at once: those that are played or looked at.
    pub matches: usize,
    /// Matches kept in the lab's file.
    pub stored_matches: u64,
    /// Playouts of one decision or analysis.
    pub playouts: u64,
    /// Seconds of one decision or analysis, also for agents that carry a budget of their own.
    pub seconds: f64,
    /// Analyses that run or wait.
    pub analyses: usize,
    /// Experiments that wait.
    pub experiments: usize,
    /// Connections held open at once.
    pub connections: usize,
    /// Connections held open at once by one address.
    pub connections_per_address: usize,
    /// Seconds in which a connection must send the header of its next request.
    pub header_seconds: u64,
    /// Seconds in which a request must send its body.
    pub body_seconds: u64,
    /// WebSockets among them.
    pub sockets: usize,
    /// Characters of a name.
    pub name_length: usize,
    /// Steps of the line that an analysis or a view adds to a position.
    pub line_steps: usize,
    /// Megabytes that grounding a rule sheet may take (`memory` of the address).
    pub sheet_megabytes: u64,
    /// Million steps that grounding a rule sheet may take (`work` of the address).
    pub sheet_work: u64,
    /// Megabytes that grounding an uploaded rule sheet may take.
    pub upload_megabytes: u64,
    /// Million steps that grounding an uploaded rule sheet may take.
    pub upload_work: u64,
    /// Legal actions of a player at the start of a game.
    pub actions: usize,
    /// Seconds that opening a game may take.
    pub open_seconds: u64,
    /// Nodes of one decision.
    pub nodes: u64,
    /// Pairs of matches of one experiment, over all games and pairings.
    pub pairs: u64,
    /// Minutes of one training of a network.
    pub training_minutes: f64,
    /// May agents be programs of this machine (`process`)? Every client of the lab can then start any program.
    pub programs: bool,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            body_bytes: 256 << 10,
            upload_bytes: 1 << 20,
            uploads: 1_000,
            replay_bytes: 16 << 20,
            matches: 1_000,
            stored_matches: 1_000_000,
            playouts: 10_000_000,
            seconds: 60.0,
            analyses: 64,
            experiments: 20,
            connections: 2_048,
            connections_per_address: 1_024,
            header_seconds: 30,
            body_seconds: 30,
            sockets: 1_024,
            name_length: 100,
            line_steps: 1_000,
            // The catalogue's own defaults: a request may ask for less, not for more.
            sheet_megabytes: 1_600,
            sheet_work: 3_000,
            upload_megabytes: 400,
            upload_work: 200,
            actions: 20_000,
            open_seconds: 60,
            nodes: 20_000_000,
            pairs: 1_000_000,
            training_minutes: 60.0,
            programs: false,
        }
    }
}

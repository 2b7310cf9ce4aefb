//! Rows of the store and what they stand for.

use std::fmt::Write as _;
use std::time::Duration;

use rusqlite::{Connection, Row, params};
use tesuji_core::{Player, mix};

use crate::PlayedMatch;
use crate::experiment::Unit;
use crate::{DecisionRecord, Ending};

/// An experiment that was started in a store.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredRun {
    /// Its number in this store.
    pub id: i64,
    /// Hash of all that its results depend on.
    pub identity: String,
    /// The experiment's title.
    pub title: String,
    /// The name of the experiment's file.
    pub name: String,
    /// The text of the experiment's file.
    pub experiment: String,
    /// The scale it was run at.
    pub scale: String,
    /// The version of Tesuji that plays it.
    pub tesuji: String,
    /// Its games as JSON: address, version and content hash.
    pub games: String,
    /// Its agents as JSON: address, budget and hash.
    pub agents: String,
}

/// A match as it is stored.
#[derive(Clone, PartialEq, Debug)]
pub struct StoredMatch {
    /// Which pair of which pairing.
    pub unit: Unit,
    /// Which match of the pair.
    pub seating: usize,
    /// The seed of the pair.
    pub seed: u64,
    /// What each seat got.
    pub payoffs: Vec<f64>,
    /// The seat that committed a foul, and what it was.
    pub foul: Option<(usize, String)>,
    /// Steps played.
    pub steps: u32,
    /// A hash that only copies of this match share: of the moves and, if random numbers were drawn, of the streams,
    /// that is, of seed and seating (see [`duplicates`](crate::statistics::duplicates())). Versions up to 0.2.0 hashed
    /// the moves alone, so in their stores all matches with equal moves and seats count as copies, random or not; so do
    /// matches that were refereed elsewhere.
    pub fingerprint: u64,
    /// The moves as text; empty if not asked for.
    pub moves: String,
    /// The decisions; empty if not asked for, or if no agent thought.
    pub decisions: Vec<DecisionRecord>,
}

/// Begins a line among the moves that is no move but tells of an event; no action begins so.
pub const EVENT: char = '#';

impl StoredMatch {
    /// What was remarkable on the way, in words.
    pub fn events(&self) -> impl Iterator<Item = &str> {
        self.moves.lines().filter_map(|line| line.strip_prefix(EVENT)).map(str::trim)
    }

    /// The fingerprint with the seats: equal moves with other seats are other matches.
    pub fn print(&self) -> u64 {
        mix(self.fingerprint, self.seating as u64)
    }

    /// The row of a match just played.
    pub fn new(unit: Unit, seed: u64, played: &PlayedMatch) -> StoredMatch {
        let foul = match &played.ending {
            Ending::Natural | Ending::Resigned { .. } => None,
            Ending::Foul { player, foul } => Some((player.index(), foul.to_string())),
        };
        let thought = played.decisions.iter().any(|decision| decision.playouts > 0 || decision.value.is_some());
        StoredMatch {
            unit,
            seating: played.seating,
            seed,
            payoffs: played.payoffs.clone(),
            foul,
            steps: played.steps,
            fingerprint: fingerprint(seed, played),
            moves: played.moves.clone(),
            decisions: if thought { played.decisions.clone() } else { Vec::new() },
        }
    }
}

/// The [fingerprint](StoredMatch::fingerprint) of a match: FNV-1a over the moves, without what else happened, and over
/// the streams if random numbers were drawn.
pub(crate) fn fingerprint(seed: u64, played: &PlayedMatch) -> u64 {
    let lines = played.moves.split_inclusive('\n').filter(|line| !line.starts_with(EVENT));
    let moves = lines
        .flat_map(str::bytes)
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    match played.random {
        Some(true) => mix(moves, mix(seed, played.seating as u64)),
        Some(false) | None => moves,
    }
}

pub(super) const RUNS: &str = "SELECT id, identity, title, name, experiment, scale, tesuji, games, agents FROM runs";

pub(super) fn run(row: &Row<'_>) -> rusqlite::Result<StoredRun> {
    Ok(StoredRun {
        id: row.get(0)?,
        identity: row.get(1)?,
        title: row.get(2)?,
        name: row.get(3)?,
        experiment: row.get(4)?,
        scale: row.get(5)?,
        tesuji: row.get(6)?,
        games: row.get(7)?,
        agents: row.get(8)?,
    })
}

pub(super) fn matches(whole: bool) -> String {
    let texts = if whole { "moves, decisions" } else { "'', NULL" };
    format!(
        "SELECT pairing, pair, seating, seed, payoffs, foul, steps, fingerprint, {texts} FROM matches WHERE run = ?1 \
         ORDER BY pairing, pair, seating LIMIT ?2 OFFSET ?3"
    )
}

pub(super) fn stored_match(row: &Row<'_>) -> rusqlite::Result<StoredMatch> {
    let foul: Option<String> = row.get(5)?;
    let decisions: Option<String> = row.get(9)?;
    Ok(StoredMatch {
        unit: Unit { pairing: row.get(0)?, pair: row.get(1)? },
        seating: row.get::<_, u32>(2)? as usize,
        seed: row.get::<_, i64>(3)? as u64,
        payoffs: row.get::<_, String>(4)?.split(' ').filter_map(|payoff| payoff.parse().ok()).collect(),
        foul: foul
            .and_then(|text| text.split_once(' ').and_then(|(seat, what)| Some((seat.parse().ok()?, what.to_owned())))),
        steps: row.get(6)?,
        fingerprint: row.get::<_, i64>(7)? as u64,
        moves: row.get(8)?,
        decisions: decisions.map(|text| decisions_from_text(&text)).unwrap_or_default(),
    })
}

pub(super) fn insert(connection: &Connection, run: i64, row: &StoredMatch) -> rusqlite::Result<()> {
    let sql = "INSERT OR IGNORE INTO matches (run, pairing, pair, seating, seed, payoffs, foul, steps, fingerprint, moves, \
               decisions) VALUES (?,?,?,?,?,?,?,?,?,?,?)";
    let mut payoffs = String::new();
    for (seat, payoff) in row.payoffs.iter().enumerate() {
        let written = write!(payoffs, "{}{payoff}", if seat == 0 { "" } else { " " });
        debug_assert!(written.is_ok(), "writing to a string cannot fail");
    }
    let decisions = (!row.decisions.is_empty()).then(|| decisions_to_text(&row.decisions));
    connection.prepare_cached(sql)?.execute(params![
        run,
        row.unit.pairing,
        row.unit.pair,
        row.seating as u32,
        row.seed as i64,
        payoffs,
        row.foul.as_ref().map(|(seat, what)| format!("{seat} {what}")),
        row.steps,
        row.fingerprint as i64,
        row.moves,
        decisions,
    ])?;
    Ok(())
}

/// One decision a line: seat, visits, value (`-` if none), depth, playouts, microseconds.
pub fn decisions_to_text(decisions: &[DecisionRecord]) -> String {
    let mut text = String::new();
    for decision in decisions {
        let DecisionRecord { player, visits, value, depth, playouts, time } = decision;
        let value = value.map_or("-".to_owned(), |value| value.to_string());
        let micros = time.as_micros();
        let written = writeln!(text, "{} {visits} {value} {depth} {playouts} {micros}", player.0);
        debug_assert!(written.is_ok(), "writing to a string cannot fail");
    }
    text
}

/// The decisions that [`decisions_to_text`] wrote; lines that are not such are passed over.
pub fn decisions_from_text(text: &str) -> Vec<DecisionRecord> {
    let read = |line: &str| {
        let mut fields = line.split(' ');
        Some(DecisionRecord {
            player: Player(fields.next()?.parse().ok()?),
            visits: fields.next()?.parse().ok()?,
            value: fields.next()?.parse().ok(),
            depth: fields.next()?.parse().ok()?,
            playouts: fields.next()?.parse().ok()?,
            time: Duration::from_micros(fields.next()?.parse().ok()?),
        })
    };
    text.lines().filter_map(read).collect()
}

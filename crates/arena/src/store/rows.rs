//! Rows of the store and what they stand for.

use std::fmt::Write as _;
use std::time::Duration;

use rusqlite::types::{Type, ValueRef};
use rusqlite::{Connection, Row};
use tesuji_core::{Player, mix};

use super::table::{MATCHES, text};
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
pub(crate) const EVENT: char = '#';

impl StoredMatch {
    /// What was remarkable on the way, in words.
    pub fn events(&self) -> impl Iterator<Item = &str> {
        self.moves.lines().filter_map(|line| line.strip_prefix(EVENT)).map(str::trim)
    }

    /// A match just played, with its moves.
    pub(crate) fn of(unit: Unit, seed: u64, played: &PlayedMatch) -> StoredMatch {
        let MatchRow { foul, fingerprint, decisions, .. } = MatchRow::of(unit, seed, played, true);
        StoredMatch {
            unit,
            seating: played.seating,
            seed,
            payoffs: played.payoffs.clone(),
            foul: foul.as_deref().and_then(read_foul),
            steps: played.steps,
            fingerprint,
            moves: played.moves.clone(),
            decisions: decisions.to_vec(),
        }
    }

    /// Can the fingerprint be that of these moves? Either nothing was drawn at random, or the streams of this match
    /// were used.
    pub(crate) fn has_own_fingerprint(&self) -> bool {
        let moves = moves_print(&self.moves);
        self.fingerprint == moves || self.fingerprint == streams_print(moves, self.seed, self.seating)
    }

    /// The fingerprint with the seats: equal moves with other seats are other matches.
    pub fn print(&self) -> u64 {
        mix(self.fingerprint, self.seating as u64)
    }

    /// The row, lent.
    pub(super) fn lent(&self) -> MatchRow<'_> {
        MatchRow {
            unit: self.unit,
            seating: self.seating,
            seed: self.seed,
            payoffs: &self.payoffs,
            foul: self.foul.as_ref().map(|(seat, what)| format!("{seat} {what}")),
            steps: self.steps,
            fingerprint: self.fingerprint,
            moves: &self.moves,
            decisions: &self.decisions,
        }
    }
}

/// A match to be written, whose large parts are lent.
pub(super) struct MatchRow<'a> {
    unit: Unit,
    seating: usize,
    seed: u64,
    payoffs: &'a [f64],
    foul: Option<String>,
    steps: u32,
    fingerprint: u64,
    moves: &'a str,
    decisions: &'a [DecisionRecord],
}

impl<'a> MatchRow<'a> {
    /// The row of a match just played; its moves are kept or only their fingerprint.
    pub(super) fn of(unit: Unit, seed: u64, played: &'a PlayedMatch, keeps_moves: bool) -> MatchRow<'a> {
        let foul = match &played.ending {
            Ending::Natural | Ending::Resigned { .. } => None,
            Ending::Foul { player, foul } => Some(format!("{} {foul}", player.index())),
        };
        let searched = played.decisions.iter().any(|decision| decision.playouts > 0 || decision.value.is_some());
        // A language model has no playouts, but the time that it took.
        let thought = searched || !played.transcripts.is_empty();
        MatchRow {
            unit,
            seating: played.seating,
            seed,
            payoffs: &played.payoffs,
            foul,
            steps: played.steps,
            fingerprint: fingerprint(seed, played),
            moves: if keeps_moves { &played.moves } else { "" },
            decisions: if thought { &played.decisions } else { &[] },
        }
    }
}

/// The [fingerprint](StoredMatch::fingerprint) of a match: FNV-1a over the moves, without what else happened, and over
/// the streams if random numbers were drawn.
pub(crate) fn fingerprint(seed: u64, played: &PlayedMatch) -> u64 {
    let moves = moves_print(&played.moves);
    match played.random {
        Some(true) => streams_print(moves, seed, played.seating),
        Some(false) | None => moves,
    }
}

fn moves_print(moves: &str) -> u64 {
    let lines = moves.split_inclusive('\n').filter(|line| !line.starts_with(EVENT));
    lines
        .flat_map(str::bytes)
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

fn streams_print(moves: u64, seed: u64, seating: usize) -> u64 {
    mix(moves, mix(seed, seating as u64))
}

/// A foul as it is written: the seat and what it was.
fn read_foul(text: &str) -> Option<(usize, String)> {
    let (seat, what) = text.split_once(' ')?;
    Some((seat.parse().ok()?, what.to_owned()))
}

/// A run from a row of the table.
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

/// The row of a run under this number.
pub(super) fn run_values(run: &StoredRun, id: i64) -> [ValueRef<'_>; 9] {
    let StoredRun { identity, title, name, experiment, scale, tesuji, games, agents, .. } = run;
    let [identity, title, name, experiment] = [identity, title, name, experiment].map(|value| text(value));
    let [scale, tesuji, games, agents] = [scale, tesuji, games, agents].map(|value| text(value));
    [ValueRef::Integer(id), identity, title, name, experiment, scale, tesuji, games, agents]
}

/// A match from a row of the table, without moves and decisions unless asked. Refuses texts that it did not write.
pub(super) fn stored_match(row: &Row<'_>, whole: bool) -> rusqlite::Result<StoredMatch> {
    let payoffs: String = row.get(5)?;
    let foul: Option<String> = row.get(6)?;
    let decisions: Option<String> = if whole { row.get(10)? } else { None };
    let numbers = payoffs.split(' ').filter(|payoff| !payoff.is_empty()).map(|payoff| payoff.parse().ok());
    let decisions = decisions.map(|text| text.lines().map(decision).collect::<Option<Vec<_>>>());
    Ok(StoredMatch {
        unit: Unit { pairing: row.get(1)?, pair: row.get(2)? },
        seating: row.get::<_, u32>(3)? as usize,
        seed: row.get::<_, i64>(4)? as u64,
        payoffs: numbers.collect::<Option<_>>().ok_or_else(|| unreadable(5, "payoffs"))?,
        foul: foul.map(|text| read_foul(&text).ok_or_else(|| unreadable(6, "a foul"))).transpose()?,
        steps: row.get(7)?,
        fingerprint: row.get::<_, i64>(8)? as u64,
        moves: if whole { row.get(9)? } else { String::new() },
        decisions: decisions.map_or(Ok(Vec::new()), |read| read.ok_or_else(|| unreadable(10, "decisions")))?,
    })
}

fn unreadable(column: usize, what: &str) -> rusqlite::Error {
    let error = format!("a text that does not say {what}");
    rusqlite::Error::FromSqlConversionFailure(column, Type::Text, error.into())
}

/// Adds the row of a match unless it is there. Returns its checksum if it was added.
pub(super) fn insert(connection: &Connection, run: i64, row: &MatchRow<'_>) -> rusqlite::Result<Option<i64>> {
    let mut payoffs = String::new();
    for (seat, payoff) in row.payoffs.iter().enumerate() {
        let written = write!(payoffs, "{}{payoff}", if seat == 0 { "" } else { " " });
        debug_assert!(written.is_ok(), "writing to a string cannot fail");
    }
    let decisions = (!row.decisions.is_empty()).then(|| decisions_to_text(row.decisions));
    let values = [
        ValueRef::Integer(run),
        ValueRef::Integer(i64::from(row.unit.pairing)),
        ValueRef::Integer(i64::from(row.unit.pair)),
        ValueRef::Integer(row.seating as i64),
        ValueRef::Integer(row.seed as i64),
        text(&payoffs),
        row.foul.as_deref().map_or(ValueRef::Null, text),
        ValueRef::Integer(i64::from(row.steps)),
        ValueRef::Integer(row.fingerprint as i64),
        text(row.moves),
        decisions.as_deref().map_or(ValueRef::Null, text),
    ];
    MATCHES.write(connection, "INSERT OR IGNORE", &values)
}

/// One decision a line: seat, visits, value (`-` if none), depth, playouts, microseconds. The limit is not stored.
pub fn decisions_to_text(decisions: &[DecisionRecord]) -> String {
    let mut text = String::new();
    for decision in decisions {
        let DecisionRecord { player, visits, value, depth, playouts, time, limit: _ } = decision;
        let value = value.map_or("-".to_owned(), |value| value.to_string());
        let micros = time.as_micros();
        let written = writeln!(text, "{} {visits} {value} {depth} {playouts} {micros}", player.0);
        debug_assert!(written.is_ok(), "writing to a string cannot fail");
    }
    text
}

/// The decisions that [`decisions_to_text`] wrote; lines that are not such are passed over.
pub fn decisions_from_text(text: &str) -> Vec<DecisionRecord> {
    text.lines().filter_map(decision).collect()
}

/// The decision in a line.
fn decision(line: &str) -> Option<DecisionRecord> {
    let mut fields = line.split(' ');
    Some(DecisionRecord {
        player: Player(fields.next()?.parse().ok()?),
        visits: fields.next()?.parse().ok()?,
        value: fields.next()?.parse().ok(),
        depth: fields.next()?.parse().ok()?,
        playouts: fields.next()?.parse().ok()?,
        time: Duration::from_micros(fields.next()?.parse().ok()?),
        limit: None,
    })
}

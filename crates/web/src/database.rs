//! The lab's own file: every match with every step, analyses and labels, in one SQLite file.
//!
//! | table | a row is |
//! | --- | --- |
//! | `matches` | a match: who plays what, and its progress |
//! | `steps` | a finished step of a match, with the decisions of agents |
//! | `analyses` | an analysis that ended |
//! | `labels` | a person's label of an action |
//!
//! A change of a match is one transaction, committed before clients are notified. The file is in WAL mode: a program
//! that is killed loses no committed change.

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use rusqlite::{Connection, OptionalExtension, Row, params};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tesuji_arena::{InputError, LiveStep, Occupant, WriterLock};

/// Marks the file as ours ("TSJL").
const APPLICATION: i32 = 0x5453_4a4c;
/// Grows when the tables change.
const SCHEMA: i32 = 1;

const TABLES: &str = "
    CREATE TABLE matches (
        id TEXT PRIMARY KEY,
        created INTEGER NOT NULL,
        updated INTEGER NOT NULL,
        game TEXT NOT NULL,
        players TEXT NOT NULL,
        seats TEXT NOT NULL,
        keys TEXT NOT NULL,
        seed INTEGER NOT NULL,
        title TEXT NOT NULL,
        origin TEXT NOT NULL,
        source TEXT UNIQUE,
        steps INTEGER NOT NULL,
        over INTEGER NOT NULL,
        payoffs TEXT NOT NULL,
        resigned INTEGER,
        fault TEXT,
        pending TEXT NOT NULL
    );
    CREATE INDEX matches_by_change ON matches (updated DESC);
    CREATE TABLE steps (
        match TEXT NOT NULL,
        number INTEGER NOT NULL,
        step TEXT NOT NULL,
        PRIMARY KEY (match, number)
    ) WITHOUT ROWID;
    CREATE TABLE analyses (
        id TEXT PRIMARY KEY,
        match TEXT NOT NULL,
        body TEXT NOT NULL
    );
    CREATE INDEX analyses_by_match ON analyses (match);
    CREATE TABLE labels (
        match TEXT NOT NULL,
        step INTEGER NOT NULL,
        player INTEGER NOT NULL,
        person TEXT NOT NULL,
        label REAL NOT NULL,
        PRIMARY KEY (match, step, player, person)
    ) WITHOUT ROWID;
";

/// The lab's file.
pub(crate) struct Database {
    connection: Mutex<Connection>,
    /// Held while the lab runs; its release by the system survives any crash.
    _lock: WriterLock,
}

/// A match as it is kept.
#[derive(Clone, Debug)]
pub(crate) struct MatchRow {
    /// Its name.
    pub id: String,
    /// Seconds since 1970.
    pub created: i64,
    /// Seconds since 1970 of the last change.
    pub updated: i64,
    /// The address of the game, as the API writes it.
    pub game: String,
    /// The names of the seats.
    pub players: Vec<String>,
    /// Who sits where.
    pub seats: Vec<Occupant>,
    /// By seat: the digest of the key of the person there; `None` for agents and open seats.
    pub keys: Vec<Option<String>>,
    /// The seed of nature and agents.
    pub seed: u64,
    /// What it is called.
    pub title: String,
    /// Where it comes from: `play`, `replay` or `store`.
    pub origin: String,
    /// For a match of a store: which one, so that it is opened only once.
    pub source: Option<String>,
    /// How far it has come.
    pub progress: MatchProgress,
}

/// The part of a match that changes while it is played.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct MatchProgress {
    /// Steps made.
    pub steps: usize,
    /// Is it over?
    pub over: bool,
    /// What each player got.
    pub payoffs: Option<Vec<f64>>,
    /// Who resigned.
    pub resigned: Option<u8>,
    /// What went wrong.
    pub fault: Option<String>,
    /// Choices of people for the next step, hidden until all movers have chosen.
    pub pending: Vec<(u8, String)>,
}

/// A label of one action.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct LabelRow {
    /// The step it belongs to.
    pub step: usize,
    /// Whose action.
    pub player: u8,
    /// How good: 1, 0.5 or 0.
    pub label: f64,
}

const MATCH: &str = "SELECT id, created, updated, game, players, seats, keys, seed, title, origin, source, steps, \
                     over, payoffs, resigned, fault, pending FROM matches";

/// Seconds since 1970.
pub(crate) fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs() as i64)
}

impl Database {
    /// Opens the file; creates it if it does not exist.
    pub(crate) fn open(path: &Path) -> Result<Database, InputError> {
        let lock = WriterLock::take(path, "the lab's file", || {
            InputError::new("another lab uses this folder")
                .with_help("end it, or give this one a folder of its own: `--data FOLDER`")
        })?;
        let wrong = |error: rusqlite::Error| failed(&error).in_file(path.display());
        let connection = Connection::open(path).map_err(wrong)?;
        let number = |sql: &str| connection.query_row(sql, [], |row| row.get::<_, i32>(0)).map_err(wrong);
        let empty = number("SELECT count(*) FROM sqlite_master")? == 0;
        if !empty && number("PRAGMA application_id")? != APPLICATION {
            return Err(InputError::new("this is not the file of a lab").in_file(path.display()));
        }
        let schema = number("PRAGMA user_version")?;
        if !empty && schema != SCHEMA {
            let message = format!("this lab's file has format {schema}, expected {SCHEMA}");
            return Err(InputError::new(message)
                .with_help("it was written by another version of Tesuji; use that version, or another folder")
                .in_file(path.display()));
        }
        connection
            .execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = 5000;")
            .map_err(wrong)?;
        if empty {
            let tables = format!(
                "BEGIN; {TABLES} PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {SCHEMA}; COMMIT;"
            );
            connection.execute_batch(&tables).map_err(wrong)?;
        }
        connection.set_prepared_statement_cache_capacity(64);
        Ok(Database { connection: Mutex::new(connection), _lock: lock })
    }

    fn connection(&self) -> MutexGuard<'_, Connection> {
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does `work` in one transaction.
    fn transact<T>(&self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, InputError> {
        let mut connection = self.connection();
        let transaction = connection.transaction().map_err(|error| failed(&error))?;
        let result = work(&transaction).map_err(|error| failed(&error))?;
        transaction.commit().map_err(|error| failed(&error))?;
        Ok(result)
    }

    fn read<T>(&self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, InputError> {
        work(&self.connection()).map_err(|error| failed(&error))
    }

    /// Adds a match with the steps it has.
    pub(crate) fn add_match(&self, row: &MatchRow, steps: &[LiveStep]) -> Result<(), InputError> {
        let sql = "INSERT INTO matches (id, created, updated, game, players, seats, keys, seed, title, origin, \
                   source, steps, over, payoffs, resigned, fault, pending) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)";
        self.transact(|connection| {
            let MatchProgress { steps: count, over, payoffs, resigned, fault, pending } = &row.progress;
            connection.prepare_cached(sql)?.execute(params![
                row.id,
                row.created,
                row.updated,
                row.game,
                json(&row.players),
                json(&row.seats),
                json(&row.keys),
                row.seed as i64,
                row.title,
                row.origin,
                row.source,
                *count as i64,
                over,
                json(payoffs),
                resigned,
                fault,
                json(pending)
            ])?;
            add_steps(connection, &row.id, 0, steps)
        })
    }

    /// Writes the progress of a match: steps from `from` on are replaced by `steps`.
    pub(crate) fn change_match(
        &self,
        id: &str,
        progress: &MatchProgress,
        from: usize,
        steps: &[LiveStep],
    ) -> Result<(), InputError> {
        self.transact(|connection| {
            connection
                .prepare_cached("DELETE FROM steps WHERE match = ?1 AND number >= ?2")?
                .execute(params![id, from as i64])?;
            connection
                .prepare_cached("DELETE FROM labels WHERE match = ?1 AND step >= ?2")?
                .execute(params![id, from as i64])?;
            add_steps(connection, id, from, steps)?;
            let sql = "UPDATE matches SET updated = ?2, steps = ?3, over = ?4, payoffs = ?5, resigned = ?6, \
                       fault = ?7, pending = ?8 WHERE id = ?1";
            let MatchProgress { steps: count, over, payoffs, resigned, fault, pending } = progress;
            connection.prepare_cached(sql)?.execute(params![
                id,
                now(),
                *count as i64,
                over,
                json(payoffs),
                resigned,
                fault,
                json(pending)
            ])?;
            Ok(())
        })
    }

    /// Writes who sits where.
    pub(crate) fn change_seats(&self, id: &str, seats: &[Occupant], keys: &[Option<String>]) -> Result<(), InputError> {
        self.transact(|connection| {
            connection
                .prepare_cached("UPDATE matches SET seats = ?2, keys = ?3 WHERE id = ?1")?
                .execute(params![id, json(seats), json(keys)])
                .map(drop)
        })
    }

    /// The match of that name.
    pub(crate) fn find_match(&self, id: &str) -> Result<Option<MatchRow>, InputError> {
        let sql = format!("{MATCH} WHERE id = ?1");
        self.read(|connection| connection.prepare_cached(&sql)?.query_row([id], match_row).optional())
    }

    /// The id of the match that was opened from `source`.
    pub(crate) fn find_source(&self, source: &str) -> Result<Option<String>, InputError> {
        let sql = "SELECT id FROM matches WHERE source = ?1";
        self.read(|connection| connection.prepare_cached(sql)?.query_row([source], |row| row.get(0)).optional())
    }

    /// The steps of a match.
    pub(crate) fn steps(&self, id: &str) -> Result<Vec<LiveStep>, InputError> {
        let texts: Vec<String> = self.read(|connection| {
            let mut statement = connection.prepare_cached("SELECT step FROM steps WHERE match = ?1 ORDER BY number")?;
            statement.query_map([id], |row| row.get(0))?.collect()
        })?;
        let step = |text: &String| serde_json::from_str(text).map_err(|error| InputError::new(error.to_string()));
        texts.iter().map(step).collect()
    }

    /// Matches, the last changed first, and how many there are in all. `over` picks those that are over, or are not.
    pub(crate) fn list_matches(
        &self,
        over: Option<bool>,
        offset: u64,
        limit: u64,
    ) -> Result<(u64, Vec<MatchRow>), InputError> {
        let picked = match over {
            None => "1",
            Some(true) => "over",
            Some(false) => "NOT over",
        };
        self.read(|connection| {
            let total = connection
                .prepare_cached(&format!("SELECT count(*) FROM matches WHERE {picked}"))?
                .query_row([], |row| row.get::<_, i64>(0))?;
            let sql = format!("{MATCH} WHERE {picked} ORDER BY updated DESC, rowid DESC LIMIT ?1 OFFSET ?2");
            let mut statement = connection.prepare_cached(&sql)?;
            let rows = statement.query_map(params![limit as i64, offset as i64], match_row)?;
            Ok((total as u64, rows.collect::<rusqlite::Result<_>>()?))
        })
    }

    /// How many matches are kept.
    pub(crate) fn count_matches(&self) -> Result<u64, InputError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached("SELECT count(*) FROM matches")?;
            statement.query_row([], |row| row.get::<_, i64>(0)).map(|count| count as u64)
        })
    }

    /// Removes a match and everything that belongs to it.
    pub(crate) fn remove_match(&self, id: &str) -> Result<(), InputError> {
        self.transact(|connection| {
            for table in ["steps", "analyses", "labels"] {
                connection.execute(&format!("DELETE FROM {table} WHERE match = ?1"), [id])?;
            }
            connection.execute("DELETE FROM matches WHERE id = ?1", [id]).map(drop)
        })
    }

    /// Keeps an analysis.
    pub(crate) fn put_analysis(&self, id: &str, of: &str, body: &impl Serialize) -> Result<(), InputError> {
        let sql = "INSERT OR REPLACE INTO analyses (id, match, body) VALUES (?,?,?)";
        self.transact(|connection| connection.prepare_cached(sql)?.execute(params![id, of, json(body)]).map(drop))
    }

    /// The analysis of that name.
    pub(crate) fn find_analysis<T: DeserializeOwned>(&self, id: &str) -> Result<Option<T>, InputError> {
        let sql = "SELECT body FROM analyses WHERE id = ?1";
        self.read(|connection| connection.prepare_cached(sql)?.query_row([id], |row| parsed(row, 0)).optional())
    }

    /// The analyses of a match.
    pub(crate) fn analyses<T: DeserializeOwned>(&self, of: &str) -> Result<Vec<T>, InputError> {
        self.read(|connection| {
            let sql = "SELECT body FROM analyses WHERE match = ?1 ORDER BY rowid";
            connection.prepare_cached(sql)?.query_map([of], |row| parsed(row, 0))?.collect()
        })
    }

    /// Sets a person's label of an action; `None` removes it.
    pub(crate) fn put_label(
        &self,
        of: &str,
        step: usize,
        player: u8,
        person: &str,
        label: Option<f64>,
    ) -> Result<(), InputError> {
        self.transact(|connection| {
            let Some(label) = label else {
                let sql = "DELETE FROM labels WHERE match = ?1 AND step = ?2 AND player = ?3 AND person = ?4";
                return connection.execute(sql, params![of, step as i64, player, person]).map(drop);
            };
            let sql = "INSERT OR REPLACE INTO labels (match, step, player, person, label) VALUES (?,?,?,?,?)";
            connection.execute(sql, params![of, step as i64, player, person, label]).map(drop)
        })
    }

    /// The labels of a person for the actions of a match.
    pub(crate) fn labels(&self, of: &str, person: &str) -> Result<Vec<LabelRow>, InputError> {
        self.read(|connection| {
            let sql = "SELECT step, player, label FROM labels WHERE match = ?1 AND person = ?2 ORDER BY step, player";
            let read = |row: &Row<'_>| {
                Ok(LabelRow { step: row.get::<_, i64>(0)? as usize, player: row.get(1)?, label: row.get(2)? })
            };
            connection.prepare_cached(sql)?.query_map([of, person], read)?.collect()
        })
    }
}

fn add_steps(connection: &Connection, id: &str, from: usize, steps: &[LiveStep]) -> rusqlite::Result<()> {
    let mut statement = connection.prepare_cached("INSERT INTO steps (match, number, step) VALUES (?,?,?)")?;
    for (index, step) in steps.iter().enumerate() {
        statement.execute(params![id, (from + index) as i64, json(step)])?;
    }
    Ok(())
}

fn match_row(row: &Row<'_>) -> rusqlite::Result<MatchRow> {
    Ok(MatchRow {
        id: row.get(0)?,
        created: row.get(1)?,
        updated: row.get(2)?,
        game: row.get(3)?,
        players: parsed(row, 4)?,
        seats: parsed(row, 5)?,
        keys: parsed(row, 6)?,
        seed: row.get::<_, i64>(7)? as u64,
        title: row.get(8)?,
        origin: row.get(9)?,
        source: row.get(10)?,
        progress: MatchProgress {
            steps: row.get::<_, i64>(11)? as usize,
            over: row.get(12)?,
            payoffs: parsed(row, 13)?,
            resigned: row.get(14)?,
            fault: row.get(15)?,
            pending: parsed(row, 16)?,
        },
    })
}

/// A column that holds JSON.
fn parsed<T: DeserializeOwned>(row: &Row<'_>, column: usize) -> rusqlite::Result<T> {
    let text: String = row.get(column)?;
    serde_json::from_str(&text).map_err(|error| {
        rusqlite::Error::FromSqlConversionFailure(column, rusqlite::types::Type::Text, Box::new(error))
    })
}

/// Everything that is kept as JSON has text for keys and finite numbers, so writing it cannot fail.
fn json(value: &(impl Serialize + ?Sized)) -> String {
    serde_json::to_string(value).unwrap_or_else(|error| panic!("what the lab keeps has no JSON: {error}"))
}

fn failed(error: &rusqlite::Error) -> InputError {
    match error.sqlite_error_code() {
        Some(rusqlite::ErrorCode::DiskFull) => {
            InputError::new("the disk is full; finished actions are saved. Free some space, then continue")
        }
        Some(rusqlite::ErrorCode::NotADatabase) => InputError::new("this is not the file of a lab"),
        _ => InputError::new(format!("the lab's file failed: {error}")),
    }
}

//! The lab's own file: every match with every step, analyses and labels, in one SQLite file.
//!
//! | table | a row is |
//! | --- | --- |
//! | `matches` | a match: who plays what, and its progress |
//! | `steps` | a finished step of a match, with the decisions of agents |
//! | `analyses` | an analysis that ended |
//! | `labels` | a person's label of an action |
//! | `reviews` | what a judge thinks of the choices of a match |
//! | `studies` | variations of a match with comments |
//! | `protocols` | a match that a person plays for a table of a paper |
//! | `failures` | the decision with which an agent lost a match by a failure |
//!
//! A change of a match is one transaction, committed before clients are notified. The file is in WAL mode: a program
//! that is killed loses no committed change.

mod matches;
mod notes;

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use rusqlite::{Connection, Row};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tesuji_arena::{InputError, WriterLock};

pub(crate) use matches::{MatchProgress, MatchRow};
pub(crate) use notes::{FailedDecision, LabelRow, ProtocolRow};

/// Marks the file as ours ("TSJL").
const APPLICATION: i32 = 0x5453_4a4c;
/// Grows when the tables change.
const SCHEMA: i32 = 3;

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

/// The tables that format 2 added to format 1.
const LATER_TABLES: &str = "
    CREATE TABLE reviews (
        match TEXT PRIMARY KEY,
        body TEXT NOT NULL
    );
    CREATE TABLE studies (
        id TEXT PRIMARY KEY,
        match TEXT NOT NULL,
        body TEXT NOT NULL
    );
    CREATE INDEX studies_by_match ON studies (match);
    CREATE TABLE protocols (
        match TEXT PRIMARY KEY,
        tested TEXT NOT NULL,
        person TEXT NOT NULL,
        opponent INTEGER NOT NULL,
        seat INTEGER NOT NULL
    );
    CREATE INDEX protocols_by_table ON protocols (tested);
";

/// The table that format 3 added to format 2.
const FAILURES: &str = "
    CREATE TABLE failures (
        match TEXT PRIMARY KEY,
        body TEXT NOT NULL
    );
";

/// The lab's file.
pub(crate) struct Database {
    connection: Mutex<Connection>,
    /// Held while the lab runs; its release by the system survives any crash.
    _lock: WriterLock,
}

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
        if !empty && !(1..=SCHEMA).contains(&schema) {
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
                "BEGIN; {TABLES} {LATER_TABLES} {FAILURES} PRAGMA application_id = {APPLICATION}; \
                 PRAGMA user_version = {SCHEMA}; COMMIT;"
            );
            connection.execute_batch(&tables).map_err(wrong)?;
        } else if schema < SCHEMA {
            let later = if schema < 2 { LATER_TABLES } else { "" };
            let tables = format!("BEGIN; {later} {FAILURES} PRAGMA user_version = {SCHEMA}; COMMIT;");
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

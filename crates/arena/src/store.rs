//! The store: every match of every run, in one SQLite file.
//!
//! | table | a row is |
//! | --- | --- |
//! | `runs` | an experiment that was started here: its text, its identity, the versions and hashes of its games and agents |
//! | `gaps` | the exploitability of one first decision of an agent, in experiments that measure it |
//! | `labels` | what somebody thinks of one action (see [`fuzzy`](crate::fuzzy)) |
//! | `matches` | one finished match: moves, payoffs, ending, figures of every decision, and a fingerprint that copies share |
//!
//! A match is written once and never changed. Writes come in batches; what a batch holds is committed together, so a
//! program killed at any moment leaves whole matches behind, and the missing ones are played again with the same seeds.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rusqlite::{Connection, OpenFlags, OptionalExtension, params};
use tesuji_core::InputError;

mod labels;
mod root_exploitability;
mod rows;

pub(crate) use rows::fingerprint;
pub use rows::{EVENT, StoredMatch, StoredRun, decisions_from_text, decisions_to_text};

use crate::experiment::Unit;
use crate::{PlayedMatch, WriterLock};

/// Marks the file as ours ("TSJI").
const APPLICATION: i32 = 0x5453_4a49;
/// Grows when the tables change.
const SCHEMA: i32 = 4;
/// The oldest format that can be read; a store gets the tables it lacks when it is written to.
const OLDEST: i32 = 2;
/// The format that brought the table of labels.
const WITH_LABELS: i32 = 3;
/// The format that brought the table `gaps`.
const WITH_ROOT_EXPLOITABILITY: i32 = 4;
/// A batch is committed when it holds this many matches …
const BATCH: usize = 4_096;
/// … or is this old.
const BATCH_AGE: Duration = Duration::from_millis(500);

const TABLES: &str = "
    CREATE TABLE runs (
        id INTEGER PRIMARY KEY,
        identity TEXT NOT NULL UNIQUE,
        title TEXT NOT NULL,
        name TEXT NOT NULL,
        experiment TEXT NOT NULL,
        scale TEXT NOT NULL,
        tesuji TEXT NOT NULL,
        games TEXT NOT NULL,
        agents TEXT NOT NULL
    );
    CREATE TABLE matches (
        run INTEGER NOT NULL REFERENCES runs(id),
        pairing INTEGER NOT NULL,
        pair INTEGER NOT NULL,
        seating INTEGER NOT NULL,
        seed INTEGER NOT NULL,
        payoffs TEXT NOT NULL,
        foul TEXT,
        steps INTEGER NOT NULL,
        fingerprint INTEGER NOT NULL,
        moves TEXT NOT NULL,
        decisions TEXT,
        PRIMARY KEY (run, pairing, pair, seating)
    ) WITHOUT ROWID;
";

/// An open store.
pub struct Store {
    connection: Connection,
    path: PathBuf,
    batch: usize,
    begun: Option<Instant>,
    /// Whether the moves of matches are kept. Their fingerprints always are.
    keeps_moves: bool,
    /// Held while the store is written to.
    _lock: Option<WriterLock>,
}

impl Store {
    /// Opens a store for writing, made if it is not there. Refuses one that another run is writing to.
    pub fn open(path: &Path) -> Result<Store, InputError> {
        let lock = WriterLock::take(path, "the store", || {
            InputError::new("another run is writing to this store")
                .with_help("wait for it, or give this run a store of its own and merge them later")
        })?;
        let connection = Connection::open(path).map_err(|error| wrong(path, error))?;
        let mut store =
            Store { connection, path: path.to_owned(), batch: 0, begun: None, keeps_moves: true, _lock: Some(lock) };
        store.prepare()?;
        Ok(store)
    }

    /// A new store for one series, gone when it is dropped. It keeps all figures of a match but not its moves.
    ///
    /// It lives in memory. SQLite moves what exceeds its cache of 64 MB to an unnamed temporary file, so the memory of a
    /// long series stays flat.
    pub fn temporary() -> Result<Store, InputError> {
        let path = PathBuf::from("the temporary store");
        let connection = Connection::open("").map_err(|error| wrong(&path, error))?;
        let mut store = Store { connection, path, batch: 0, begun: None, keeps_moves: false, _lock: None };
        store.prepare()?;
        Ok(store)
    }

    /// Opens an existing store for reading, even while a run writes to it.
    pub fn read(path: &Path) -> Result<Store, InputError> {
        if !path.exists() {
            return Err(InputError::new("there is no such store").in_file(path.display()));
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags).map_err(|error| wrong(path, error))?;
        let store = Store { connection, path: path.to_owned(), batch: 0, begun: None, keeps_moves: true, _lock: None };
        store.check()?;
        Ok(store)
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn prepare(&mut self) -> Result<(), InputError> {
        let objects: i64 = self.query("SELECT count(*) FROM sqlite_master")?;
        if objects > 0 {
            self.check()?;
        }
        let settings = "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -65536;";
        self.execute_batch(settings)?;
        let format: i32 = if objects == 0 { 0 } else { self.query("PRAGMA user_version")? };
        let lacking =
            [(OLDEST, TABLES), (WITH_LABELS, labels::TABLE), (WITH_ROOT_EXPLOITABILITY, root_exploitability::TABLE)];
        let tables: String = lacking.iter().filter(|(since, _)| format < *since).map(|(_, tables)| *tables).collect();
        if !tables.is_empty() {
            self.execute_batch(&format!(
                "BEGIN; {tables} PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {SCHEMA}; COMMIT;"
            ))?;
        }
        Ok(())
    }

    /// Is it a store, and of this version?
    fn check(&self) -> Result<(), InputError> {
        let application: i32 = self.query("PRAGMA application_id")?;
        if application != APPLICATION {
            return Err(InputError::new("this is not a store of Tesuji").in_file(self.path.display()));
        }
        let schema: i32 = self.query("PRAGMA user_version")?;
        if !(OLDEST..=SCHEMA).contains(&schema) {
            let message = format!("this store has format {schema}, expected {SCHEMA}");
            return Err(InputError::new(message)
                .with_help(
                    "it was written by another version of Tesuji; read it with that version or start a new store",
                )
                .in_file(self.path.display()));
        }
        Ok(())
    }

    fn query<T: rusqlite::types::FromSql>(&self, sql: &str) -> Result<T, InputError> {
        self.connection.query_row(sql, [], |row| row.get(0)).map_err(|error| self.wrong(error))
    }

    fn execute_batch(&self, sql: &str) -> Result<(), InputError> {
        self.connection.execute_batch(sql).map_err(|error| self.wrong(error))
    }

    fn wrong(&self, error: rusqlite::Error) -> InputError {
        wrong(&self.path, error)
    }

    fn has_root_exploitability(&self) -> Result<bool, InputError> {
        Ok(self.query::<i32>("PRAGMA user_version")? >= WITH_ROOT_EXPLOITABILITY)
    }

    /// The run with that identity, if the store has it.
    pub fn find_run(&self, identity: &str) -> Result<Option<StoredRun>, InputError> {
        let sql = format!("{} WHERE identity = ?1", rows::RUNS);
        self.connection.query_row(&sql, [identity], rows::run).optional().map_err(|error| self.wrong(error))
    }

    /// All runs, in the order they were started.
    pub fn runs(&self) -> Result<Vec<StoredRun>, InputError> {
        let read = || -> rusqlite::Result<Vec<StoredRun>> {
            let mut statement = self.connection.prepare(&format!("{} ORDER BY id", rows::RUNS))?;
            statement.query_map([], rows::run)?.collect()
        };
        read().map_err(|error| self.wrong(error))
    }

    /// Adds a run; its number is ignored and a new one returned.
    pub fn add_run(&mut self, run: &StoredRun) -> Result<i64, InputError> {
        let StoredRun { identity, title, name, experiment, scale, tesuji, games, agents, .. } = run;
        let sql = "INSERT INTO runs (identity, title, name, experiment, scale, tesuji, games, agents) VALUES (?,?,?,?,?,?,?,?)";
        self.connection
            .execute(sql, params![identity, title, name, experiment, scale, tesuji, games, agents])
            .map_err(|error| self.wrong(error))?;
        Ok(self.connection.last_insert_rowid())
    }

    /// Sets the file of a run that is resumed: it may ask for more pairs than the one the run began with.
    pub(crate) fn set_file(&mut self, run: &StoredRun) -> Result<(), InputError> {
        let StoredRun { id, title, name, experiment, scale, .. } = run;
        let sql = "UPDATE runs SET title = ?, name = ?, experiment = ?, scale = ? WHERE id = ?";
        let set = self.connection.execute(sql, params![title, name, experiment, scale, id]);
        set.map(drop).map_err(|error| self.wrong(error))
    }

    /// Adds a match to the current batch, committed when full or old.
    pub fn add_match(&mut self, run: i64, unit: Unit, seed: u64, played: &PlayedMatch) -> Result<(), InputError> {
        let mut row = StoredMatch::new(unit, seed, played);
        if !self.keeps_moves {
            row.moves.clear();
        }
        self.insert(run, &row)?;
        if self.batch >= BATCH {
            self.commit()?;
        }
        Ok(())
    }

    /// Adds a match as it is stored elsewhere; one that is already here stays as it is.
    pub(crate) fn insert(&mut self, run: i64, row: &StoredMatch) -> Result<(), InputError> {
        self.begin()?;
        self.batch += 1;
        rows::insert(&self.connection, run, row).map_err(|error| self.wrong(error))
    }

    /// Begins a batch if there is none.
    fn begin(&mut self) -> Result<(), InputError> {
        if self.begun.is_none() {
            self.execute_batch("BEGIN")?;
            self.begun = Some(Instant::now());
        }
        Ok(())
    }

    /// Commits a batch that is old enough.
    pub fn settle(&mut self) -> Result<(), InputError> {
        match self.begun {
            Some(begun) if begun.elapsed() >= BATCH_AGE => self.commit(),
            _ => Ok(()),
        }
    }

    /// Commits the current batch.
    pub fn commit(&mut self) -> Result<(), InputError> {
        if self.begun.take().is_some() {
            self.batch = 0;
            self.execute_batch("COMMIT")?;
        }
        Ok(())
    }

    /// How many matches of a run are here.
    pub fn count_matches(&self, run: i64) -> Result<u64, InputError> {
        let sql = "SELECT count(*) FROM matches WHERE run = ?1";
        let count = self.connection.query_row(sql, [run], |row| row.get::<_, i64>(0));
        count.map(|count| count as u64).map_err(|error| self.wrong(error))
    }

    /// Shows every match of a run, in the order of pairing, pair and seating, without moves and decisions unless asked.
    pub fn each_match(
        &self,
        run: i64,
        whole: bool,
        see: impl FnMut(StoredMatch) -> Result<(), InputError>,
    ) -> Result<(), InputError> {
        self.some_matches(run, whole, 0, u64::MAX, see)
    }

    /// Like [`each_match`](Store::each_match), but passes over `offset` matches and shows at most `count`.
    pub fn some_matches(
        &self,
        run: i64,
        whole: bool,
        offset: u64,
        count: u64,
        mut see: impl FnMut(StoredMatch) -> Result<(), InputError>,
    ) -> Result<(), InputError> {
        let sql = rows::matches(whole);
        let mut statement = self.connection.prepare(&sql).map_err(|error| self.wrong(error))?;
        let [offset, count] = [offset, count].map(|number| i64::try_from(number).unwrap_or(i64::MAX));
        let mut found = statement.query([run, count, offset]).map_err(|error| self.wrong(error))?;
        while let Some(row) = found.next().map_err(|error| self.wrong(error))? {
            see(rows::stored_match(row).map_err(|error| self.wrong(error))?)?;
        }
        Ok(())
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        // Nobody is left to report a failure to.
        let committed = self.commit();
        drop(committed);
    }
}

fn wrong(path: &Path, error: rusqlite::Error) -> InputError {
    let message = match error.sqlite_error_code() {
        Some(rusqlite::ErrorCode::DiskFull) => {
            "the disk is full; finished matches are safe, start again when there is room".to_owned()
        }
        Some(rusqlite::ErrorCode::NotADatabase) => "this is not a store of Tesuji".to_owned(),
        _ => format!("the store failed: {error}"),
    };
    InputError::new(message).in_file(path.display())
}

//! The store: every match of every run, in one SQLite file.
//!
//! | table | a row is |
//! | --- | --- |
//! | `runs` | an experiment started here: its text and identity, the versions and hashes of its games and agents |
//! | `gaps` | the exploitability of one first decision of an agent, in experiments that measure it |
//! | `labels` | what somebody thinks of one action (see [`fuzzy`](crate::fuzzy)) |
//! | `matches` | one finished match: moves, payoffs, ending, figures of decisions, a fingerprint that copies share |
//! | `answers` | which worker of a queue played which pairs; only in stores that a queue wrote |
//! | `workers` | the workers of a queue and their speeds; only there |
//! | `transcripts` | what an agent asked and was answered in a match: language models |
//! | `sums` | the number of rows of a table and run, and the sum of their checksums |
//! | `store` | the number of commits, and whether the last writer closed the store; one row |
//!
//! A match is written once and never changed. Writes come in batches; what a batch holds is committed together, so a
//! program killed at any moment leaves whole matches behind, and the missing ones are played again with the same seeds.
//!
//! Every row has a checksum, and every read compares it. Reading all rows of a run also compares their number and the
//! sum of their checksums. A store that fails is refused; [`Condition`] says what is damaged, and
//! [`repair`](crate::repair) saves the rest.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rusqlite::Connection;
use rusqlite::types::FromSql;
use tesuji_core::{ErrorKind, InputError};

mod answers;
mod damage;
mod format;
mod labels;
mod mark;
mod opening;
mod reading;
mod root_exploitability;
mod rows;
mod salvage;
mod sums;
mod table;
mod transcripts;

pub use answers::StoredAnswer;
pub(crate) use damage::Lost;
pub use damage::{Condition, Part};
pub(crate) use rows::EVENT;
pub(crate) use rows::fingerprint;
pub use rows::{StoredMatch, StoredRun, decisions_from_text, decisions_to_text};
pub(crate) use salvage::{remove_files, rename_files};
pub use transcripts::StoredTranscript;

use crate::experiment::Unit;
use crate::{PlayedMatch, WriterLock};
use mark::State;
use rows::MatchRow;
use sums::Sums;
use table::{MATCHES, RUNS, Table};

/// A batch is committed when it holds this many matches …
const BATCH: usize = 4_096;
/// … or is this old.
const BATCH_AGE: Duration = Duration::from_millis(500);

/// An open store.
pub struct Store {
    connection: Connection,
    path: PathBuf,
    batch: usize,
    begun: Option<Instant>,
    /// Whether the moves of matches are kept. Their fingerprints always are.
    keeps_moves: bool,
    /// Whether rows have checksums; those of older formats have none until the store is opened for writing.
    checked: bool,
    /// The row about the store itself.
    state: Option<State>,
    /// Changes of sums in the current batch.
    sums: Sums,
    notes: Vec<String>,
    /// Held while the store is written to.
    lock: Option<WriterLock>,
}

impl Store {
    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What opening the store found or changed, for people: checksums that were added, commits that are lost.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    fn query<T: FromSql>(&self, sql: &str) -> Result<T, InputError> {
        self.connection.query_row(sql, [], |row| row.get(0)).map_err(|error| self.wrong(error))
    }

    fn execute_batch(&self, sql: &str) -> Result<(), InputError> {
        self.connection.execute_batch(sql).map_err(|error| self.wrong(error))
    }

    fn wrong(&self, error: rusqlite::Error) -> InputError {
        match damage::in_words(&error) {
            Some(what) => self.damaged(what),
            None => wrong(&self.path, error),
        }
    }

    /// The run with that identity, if the store has it.
    pub(crate) fn find_run(&self, identity: &str) -> Result<Option<StoredRun>, InputError> {
        Ok(self.runs()?.into_iter().find(|run| run.identity == identity))
    }

    /// All runs, in the order they were started.
    pub fn runs(&self) -> Result<Vec<StoredRun>, InputError> {
        self.all_rows(&RUNS, 0, rows::run)
    }

    /// Adds a run; its number is ignored and a new one returned.
    pub(crate) fn add_run(&mut self, run: &StoredRun) -> Result<i64, InputError> {
        self.commit()?;
        let id: i64 = self.query("SELECT coalesce(max(id), 0) + 1 FROM runs")?;
        self.all_or_nothing(|store| {
            let written = RUNS.write(&store.connection, "INSERT", &rows::run_values(run, id));
            store.count(&RUNS, 0, written)
        })?;
        Ok(id)
    }

    /// Sets the file of a run that is resumed: it may ask for more pairs than the one the run began with.
    pub(crate) fn set_file(&mut self, run: &StoredRun) -> Result<(), InputError> {
        self.commit()?;
        let before = self.runs()?.into_iter().find(|known| known.id == run.id);
        self.all_or_nothing(|store| {
            if let Some(before) = &before {
                store.sums.of(&RUNS, 0).remove(RUNS.checksum(rows::run_values(before, run.id)));
            }
            let written = RUNS.write(&store.connection, "INSERT OR REPLACE", &rows::run_values(run, run.id));
            store.count(&RUNS, 0, written)
        })
    }

    /// Adds a match to the current batch, which [`settle`](Store::settle) commits when it is full or old.
    pub fn add_match(&mut self, run: i64, unit: Unit, seed: u64, played: &PlayedMatch) -> Result<(), InputError> {
        let row = MatchRow::of(unit, seed, played, self.keeps_moves);
        self.insert_row(run, &row)?;
        let transcripts = played.transcripts.iter();
        let mut transcripts = transcripts.map(|(player, text)| (player.index(), text.as_str()));
        transcripts.try_for_each(|(seat, text)| self.add_transcript(run, (unit, played.seating, seat), text))
    }

    /// Adds a match as it is stored elsewhere; one that is already here stays as it is.
    pub(crate) fn insert(&mut self, run: i64, row: &StoredMatch) -> Result<(), InputError> {
        self.insert_row(run, &row.lent())
    }

    fn insert_row(&mut self, run: i64, row: &MatchRow<'_>) -> Result<(), InputError> {
        self.begin()?;
        self.batch += 1;
        let written = rows::insert(&self.connection, run, row);
        self.count(&MATCHES, run, written)
    }

    /// Counts a row that was written, if it was.
    fn count(&mut self, table: &Table, run: i64, written: rusqlite::Result<Option<i64>>) -> Result<(), InputError> {
        if let Some(checksum) = written.map_err(|error| self.wrong(error))? {
            self.sums.of(table, run).add(checksum);
        }
        Ok(())
    }

    /// Makes some changes in a transaction of their own.
    fn all_or_nothing(&mut self, change: impl FnOnce(&mut Store) -> Result<(), InputError>) -> Result<(), InputError> {
        self.commit()?;
        self.begin()?;
        match change(self) {
            Ok(()) => self.commit(),
            Err(error) => {
                self.roll_back()?;
                Err(error)
            }
        }
    }

    /// Begins a batch if there is none.
    fn begin(&mut self) -> Result<(), InputError> {
        if self.begun.is_none() {
            self.execute_batch("BEGIN")?;
            self.begun = Some(Instant::now());
        }
        Ok(())
    }

    /// Is the current batch full or old?
    pub(crate) fn is_due(&self) -> bool {
        self.batch >= BATCH || self.begun.is_some_and(|begun| begun.elapsed() >= BATCH_AGE)
    }

    /// Commits a batch that is full or old.
    pub fn settle(&mut self) -> Result<(), InputError> {
        if self.is_due() { self.commit() } else { Ok(()) }
    }

    /// Commits the current batch.
    pub fn commit(&mut self) -> Result<(), InputError> {
        if self.begun.take().is_none() {
            return Ok(());
        }
        self.batch = 0;
        let mut sums = std::mem::take(&mut self.sums);
        sums.write(&self.connection).map_err(|error| self.wrong(error))?;
        if let Some(state) = &mut self.state {
            state.commits += 1;
            state.write(&self.connection).map_err(|error| wrong(&self.path, error))?;
        }
        self.execute_batch("COMMIT")?;
        if let (Some(lock), Some(state)) = (&mut self.lock, self.state) {
            // The note is a second witness; the store is whole without it.
            let noted = lock.note(&state.mark());
            drop(noted);
        }
        Ok(())
    }

    /// Takes back the current batch.
    pub(crate) fn roll_back(&mut self) -> Result<(), InputError> {
        self.sums.forget();
        self.batch = 0;
        if self.begun.take().is_some() { self.execute_batch("ROLLBACK") } else { Ok(()) }
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        // Nobody is left to report a failure to.
        let committed = self.commit();
        drop(committed);
        if let (Some(_), Some(state)) = (&self.lock, &mut self.state) {
            state.closed = true;
            let closed = self.begin().and_then(|()| self.commit());
            drop(closed);
        }
    }
}

fn wrong(path: &Path, error: rusqlite::Error) -> InputError {
    let message = match error.sqlite_error_code() {
        Some(rusqlite::ErrorCode::DiskFull) => {
            "the disk is full; finished matches are safe, start again when there is room".to_owned()
        }
        Some(rusqlite::ErrorCode::NotADatabase) => {
            let error = InputError::new("this is not a store of Tesuji").of_kind(ErrorKind::Incompatible);
            return error.in_file(path.display());
        }
        _ => format!("the store failed: {error}"),
    };
    InputError::new(message).in_file(path.display())
}

//! The format of a store: is a file a store, of which format, and is it all there? Older formats are brought up to date
//! when a store is opened for writing.

use std::path::Path;

use rusqlite::Connection;
use rusqlite::types::ValueRef;
use tesuji_core::{ErrorKind, InputError};

use super::mark::{self, State};
use super::sums::Sums;
use super::table::{GAPS, LABELS, MATCHES, RUNS, STORE, SUMS, TRANSCRIPTS, Table};
use super::{Store, rows};

/// Marks the file as ours ("TSJI").
const APPLICATION: i32 = 0x5453_4a49;
/// Grows when the tables change.
pub(super) const FORMAT: i32 = 6;
/// The oldest format that can be read.
const OLDEST: i32 = 2;
/// The format that brought checksums, and the tables `sums` and `store`.
pub(super) const WITH_CHECKSUMS: i32 = 5;

/// The format that brought the table `transcripts`.
const WITH_TRANSCRIPTS: i32 = 6;

/// The tables whose rows are results or labels, each with the format that brought it.
pub(super) const KEPT: [(&Table, i32); 5] =
    [(&RUNS, OLDEST), (&MATCHES, OLDEST), (&LABELS, 3), (&GAPS, 4), (&TRANSCRIPTS, WITH_TRANSCRIPTS)];

/// What was beside a store before it was opened.
pub(super) struct Beside {
    /// The number and the commits that the lock file names.
    mark: Option<(i64, i64)>,
    /// Was there a write-ahead log with something in it?
    log: bool,
    /// Is the file there, without anything in it, though somebody wrote a store?
    emptied: bool,
}

impl Beside {
    pub(super) fn look(path: &Path) -> Beside {
        let mark = mark::read(path);
        let emptied = mark.is_some() && std::fs::metadata(path).is_ok_and(|file| file.len() == 0);
        let log = std::fs::metadata(mark::log_path(path)).is_ok_and(|log| log.len() > 0);
        Beside { mark, log, emptied }
    }

    /// Is there a log to be read?
    pub(super) fn has_log(&self) -> bool {
        self.log
    }

    /// What a store in this state has lost, in words.
    fn lost(&self, state: State, path: &Path) -> Option<String> {
        let log = mark::log_path(path);
        match self.mark {
            Some((number, commits)) if number == state.number => {
                let lost = commits.saturating_sub(state.commits);
                let what = "commit(s) of this store are lost: its write-ahead log was deleted or shortened";
                (lost > 0).then(|| format!("the last {lost} {what} (`{}`)", log.display()))
            }
            _ => (!state.closed && !self.log && !is_being_written(path)).then(|| {
                format!("the write-ahead log of this store is missing (`{}`): its last commits are lost", log.display())
            }),
        }
    }
}

/// Does a process hold the lock?
fn is_being_written(path: &Path) -> bool {
    std::fs::File::open(mark::lock_path(path)).is_ok_and(|file| file.try_lock_shared().is_err())
}

impl Store {
    /// The format of the file; refuses what is not a store, and formats that cannot be read.
    pub(super) fn format(&self) -> Result<i32, InputError> {
        let application: i32 = self.query("PRAGMA application_id")?;
        if application != APPLICATION {
            let error = InputError::new("this is not a store of Tesuji").of_kind(ErrorKind::Incompatible);
            return Err(error.in_file(self.path.display()));
        }
        let format: i32 = self.query("PRAGMA user_version")?;
        if !(OLDEST..=FORMAT).contains(&format) {
            let message = format!("this store has format {format}, expected {FORMAT}");
            return Err(InputError::new(message)
                .of_kind(ErrorKind::Incompatible)
                .with_help(
                    "it was written by another version of Tesuji; read it with that version or start a new store",
                )
                .in_file(self.path.display()));
        }
        Ok(format)
    }

    /// Checks an existing store. Returns what it has lost, in words.
    pub(super) fn check(&mut self, beside: &Beside) -> Result<Option<String>, InputError> {
        let format = self.format()?;
        // The number of the format alone is not trusted: one wrong bit in it would switch the checks off.
        let columns: i64 = self.query("SELECT count(*) FROM pragma_table_info('matches') WHERE name = 'checksum'")?;
        let tables: i64 = self.query("SELECT count(*) FROM sqlite_master WHERE name IN ('sums', 'store')")?;
        match (format >= WITH_CHECKSUMS, columns, tables) {
            (false, 0, 0) => {
                self.checked = false;
                return Ok(None);
            }
            (true, 1, 2) if self.has(&TRANSCRIPTS) == (format >= WITH_TRANSCRIPTS) => {}
            _ => return Err(self.damaged(format!("its tables are not those of format {format}"))),
        }
        let state = State::read(&self.connection).map_err(|error| self.wrong(error))?;
        let state = state.ok_or_else(|| self.damaged("the row about the store itself is damaged"))?;
        Ok(beside.lost(state, &self.path))
    }

    /// Makes the tables of an empty file, or brings an older store up to date.
    pub(super) fn prepare(&mut self, beside: &Beside) -> Result<(), InputError> {
        let objects: i64 = self.query("SELECT count(*) FROM sqlite_master")?;
        if objects == 0 && beside.emptied {
            return Err(self.damaged("the file is empty, but it was a store"));
        }
        let lost = if objects > 0 { self.check(beside)? } else { None };
        let settings = "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -65536; \
                        PRAGMA foreign_keys = OFF;";
        self.execute_batch(settings)?;
        if objects > 0 {
            let structure: String = self.query("PRAGMA quick_check(1)")?;
            if structure != "ok" {
                return Err(self.damaged(format!("its structure is damaged ({structure})")));
            }
        }
        if let Some(lost) = lost {
            self.notes.push(format!("{lost}; running its experiments again plays the lost matches"));
        }
        let format = if objects == 0 { 0 } else { self.format()? };
        if format < FORMAT {
            self.execute_batch("BEGIN")?;
            self.upgrade(format).inspect_err(|_| {
                let undone = self.connection.execute_batch("ROLLBACK");
                drop(undone);
            })?;
            self.execute_batch("COMMIT")?;
            if format > 0 && format < WITH_CHECKSUMS {
                self.notes.push(format!(
                    "this store had format {format}, without checksums: its rows got them as they are, so damage is \
                     noticed from now on"
                ));
            }
        }
        self.checked = true;
        Ok(())
    }

    /// Does the store have this table? A file that cannot be read has none.
    pub(super) fn has(&self, table: &Table) -> bool {
        let sql = "SELECT count(*) FROM sqlite_master WHERE name = ?1";
        self.connection.query_row(sql, [table.name], |row| row.get::<_, i64>(0)).is_ok_and(|count| count > 0)
    }

    /// Adds what a store of this format lacks; 0 is an empty file.
    fn upgrade(&self, format: i32) -> Result<(), InputError> {
        let wrong = |error| self.wrong(error);
        for (table, since) in KEPT {
            if format < since {
                self.execute_batch(&table.create(table.name))?;
            }
        }
        if format < WITH_CHECKSUMS {
            self.execute_batch(&format!("{}{}", SUMS.create(SUMS.name), STORE.create(STORE.name)))?;
            let mut sums = Sums::default();
            for (table, since) in KEPT {
                if format >= since {
                    self.add_checksums(table, &mut sums)?;
                }
            }
            sums.write(&self.connection).map_err(wrong)?;
            State::new(&self.path).write(&self.connection).map_err(wrong)?;
        }
        self.execute_batch(&format!("PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {FORMAT};"))
    }

    /// Copies a table of an older format into one with checksums. Rows that make no sense are refused: a checksum would
    /// vouch for them.
    fn add_checksums(&self, table: &Table, sums: &mut Sums) -> Result<(), InputError> {
        let old = format!("old_{}", table.name);
        let copy = |sums: &mut Sums, connection: &Connection| -> rusqlite::Result<()> {
            let sql = format!("SELECT {} FROM {old}", table.columns);
            let mut statement = connection.prepare(&sql)?;
            let mut found = statement.query([])?;
            while let Some(row) = found.next()? {
                if table.name == MATCHES.name {
                    rows::stored_match(row, true)?;
                }
                let values: Vec<ValueRef<'_>> =
                    (0..table.width).map(|column| row.get_ref(column)).collect::<Result<_, _>>()?;
                let run = if table.key.starts_with("run") { row.get(0)? } else { 0 };
                if let Some(checksum) = table.write(connection, "INSERT", &values)? {
                    sums.of(table, run).add(checksum);
                }
            }
            Ok(())
        };
        // The references of other tables stay with the name.
        self.execute_batch(&format!("PRAGMA legacy_alter_table = ON; ALTER TABLE {} RENAME TO {old};", table.name))?;
        self.execute_batch(&table.create(table.name))?;
        copy(sums, &self.connection).map_err(|error| self.wrong(error))?;
        self.execute_batch(&format!("DROP TABLE {old}; PRAGMA legacy_alter_table = OFF;"))
    }
}

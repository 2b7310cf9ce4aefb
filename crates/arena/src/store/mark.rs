//! Notices a store that lost its last commits: a deleted or shortened write-ahead log leaves an older store behind,
//! which is whole in itself.
//!
//! Two witnesses are kept:
//! - The row of the table `store` counts commits, and says whether the last writer closed the store. The writer puts
//!   "not closed" into the file itself, so a store that is not closed needs its log beside it.
//! - The lock file names the store's number and the last commit. It is written after each commit, so the store can have
//!   more commits than the lock file says, but never fewer.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension};
use sha2::{Digest, Sha256};

use super::table::STORE;

/// The row about the store itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct State {
    /// Tells stores apart, also those that replace each other under one name.
    pub number: i64,
    /// Transactions that were committed.
    pub commits: i64,
    /// Did the last writer close it?
    pub closed: bool,
}

impl State {
    /// The state of a new store.
    pub(super) fn new(path: &Path) -> State {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos());
        let hash = Sha256::digest(format!("{} {now} {}", path.display(), std::process::id()));
        let number = hash.iter().take(8).fold(0u64, |sum, &byte| sum << 8 | u64::from(byte)) as i64;
        State { number, commits: 0, closed: false }
    }

    /// The stored state; `None` if it is missing or damaged.
    pub(super) fn read(connection: &Connection) -> rusqlite::Result<Option<State>> {
        let sql = STORE.select(true, "WHERE id = 1");
        let read = |row: &rusqlite::Row<'_>| match STORE.whole(row) {
            Some(_) => {
                Ok(Some(State { number: row.get(1)?, commits: row.get(2)?, closed: row.get::<_, i64>(3)? != 0 }))
            }
            None => Ok(None),
        };
        Ok(connection.query_row(&sql, [], read).optional()?.flatten())
    }

    /// Writes the state.
    pub(super) fn write(self, connection: &Connection) -> rusqlite::Result<()> {
        let values = [1, self.number, self.commits, i64::from(self.closed)].map(ValueRef::Integer);
        STORE.write(connection, "INSERT OR REPLACE", &values).map(drop)
    }

    /// The line of the lock file.
    pub(super) fn mark(self) -> String {
        let line = format!("{:016x} {}", self.number, self.commits);
        let check = check(&line);
        format!("{line} {check}\n")
    }
}

/// What the lock file of a store says: the store's number and its commits. A line that is not whole says nothing.
pub(super) fn read(path: &Path) -> Option<(i64, i64)> {
    let text = fs::read_to_string(lock_path(path)).ok()?;
    let (line, given) = text.trim_end().rsplit_once(' ')?;
    let (number, commits) = line.split_once(' ')?;
    let number = u64::from_str_radix(number, 16).ok()? as i64;
    (given == check(line)).then_some((number, commits.parse().ok()?))
}

fn check(line: &str) -> String {
    Sha256::digest(line).iter().take(4).map(|byte| format!("{byte:02x}")).collect()
}

/// The lock file of a store.
pub(super) fn lock_path(path: &Path) -> PathBuf {
    crate::writer_lock::lock_file(path)
}

/// The write-ahead log of a store.
pub(super) fn log_path(path: &Path) -> PathBuf {
    let mut name = crate::writer_lock::resolved(path).into_os_string();
    name.push("-wal");
    name.into()
}

//! Opens stores: for writing, for reading, and for a series that nobody keeps.

use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags};
use tesuji_core::{ErrorKind, InputError};

use super::format::Beside;
use super::mark::State;
use super::sums::Sums;
use super::{Store, wrong};
use crate::WriterLock;

impl Store {
    /// Opens a store for writing, made if it is not there. Refuses one that another run is writing to, and one that is
    /// damaged. A store of an older format gets checksums for the rows it has, and a [note](Store::notes).
    pub fn open(path: &Path) -> Result<Store, InputError> {
        let lock = WriterLock::take(path, "the store", || {
            InputError::new("another run is writing to this store")
                .of_kind(ErrorKind::Locked)
                .with_help("wait for it, or give this run a store of its own and merge them later")
        })?;
        let beside = Beside::look(path);
        let connection = Connection::open(path).map_err(|error| wrong(path, error))?;
        let mut store = Store::of(connection, path);
        store.lock = Some(lock);
        store.prepare(&beside)?;
        store.take_over()?;
        Ok(store)
    }

    /// A new store for one series, gone when it is dropped. It keeps all figures of a match but not its moves.
    ///
    /// It lives in memory. SQLite moves what exceeds a small cache to an unnamed temporary file, so the memory of a
    /// long series stays flat: besides it, a series remembers a few bytes of each match.
    pub fn temporary() -> Result<Store, InputError> {
        let path = PathBuf::from("the temporary store");
        let connection = Connection::open("").map_err(|error| wrong(&path, error))?;
        let mut store = Store::of(connection, &path);
        store.keeps_moves = false;
        store.prepare(&Beside::look(&path))?;
        store.execute_batch("PRAGMA cache_size = -8192")?;
        Ok(store)
    }

    /// Opens an existing store for reading, even while a run writes to it, and even in a folder that cannot be written.
    /// Refuses a store that lost commits.
    pub fn read(path: &Path) -> Result<Store, InputError> {
        let (mut store, beside) = Store::connect(path)?;
        match store.check(&beside)? {
            None => Ok(store),
            Some(lost) => Err(InputError::new(lost)
                .of_kind(ErrorKind::Damaged)
                .with_help(format!(
                    "running its experiment again plays the lost matches; `tesuji store repair {}` accepts what is \
                     left",
                    path.display()
                ))
                .in_file(path.display())),
        }
    }

    /// A connection for reading, unchecked.
    pub(super) fn connect(path: &Path) -> Result<(Store, Beside), InputError> {
        if !path.exists() {
            let error = InputError::new("there is no such store").of_kind(ErrorKind::Unreadable);
            return Err(error.in_file(path.display()));
        }
        let beside = Beside::look(path);
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags).map_err(|error| wrong(path, error))?;
        // SQLite puts the index of its log beside a store, also for reading. Where that is not possible and there is no
        // log, the file is read as it is: in a folder that cannot be written to, it does not change.
        let connection = match connection
            .query_row("SELECT count(*) FROM sqlite_master", [], |row| row.get::<_, i64>(0))
        {
            Err(error) if cannot_open(&error) && beside.has_log() => {
                return Err(InputError::new("the log of this store cannot be read in a folder that cannot be written")
                    .of_kind(ErrorKind::Unreadable)
                    .with_help("copy the store and its `-wal` file to another folder and read it there")
                    .in_file(path.display()));
            }
            Err(error) if cannot_open(&error) => immutable(path, flags).map_err(|error| wrong(path, error))?,
            // Other errors are met again by whoever reads.
            _ => connection,
        };
        Ok((Store::of(connection, path), beside))
    }

    fn of(connection: Connection, path: &Path) -> Store {
        Store {
            connection,
            path: path.to_owned(),
            batch: 0,
            begun: None,
            keeps_moves: true,
            checked: true,
            state: None,
            sums: Sums::default(),
            notes: Vec::new(),
            lock: None,
        }
    }

    /// Writes into the file itself that the store is open, so that its log is missed when it is lost.
    fn take_over(&mut self) -> Result<(), InputError> {
        let state = State::read(&self.connection).map_err(|error| self.wrong(error))?;
        let state = state.ok_or_else(|| self.damaged("the row about the store itself is damaged"))?;
        self.state = Some(State { closed: false, ..state });
        self.begin()?;
        self.commit()?;
        // Readers may keep a part of the log from being moved: it is moved later.
        self.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)")
    }
}

fn cannot_open(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(rusqlite::ErrorCode::CannotOpen | rusqlite::ErrorCode::ReadOnly))
}

/// A connection that reads the file alone, without locks and log.
fn immutable(path: &Path, flags: OpenFlags) -> rusqlite::Result<Connection> {
    let path = crate::writer_lock::resolved(path);
    let mut address = String::from("file:");
    for &byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' => address.push(char::from(byte)),
            _ => address.push_str(&format!("%{byte:02x}")),
        }
    }
    Connection::open_with_flags(address + "?immutable=1", flags | OpenFlags::SQLITE_OPEN_URI)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_tell_missing_locked_and_foreign_stores_apart() {
        let folder = std::env::temp_dir().join(format!("tesuji-kinds-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("a.db");
        let kind = |store: Result<Store, InputError>| store.err().map(|error| error.kind());
        assert_eq!(kind(Store::read(&path)), Some(ErrorKind::Unreadable));
        let open = Store::open(&path).unwrap();
        assert_eq!(kind(Store::open(&path)), Some(ErrorKind::Locked));
        drop(open);
        assert_eq!(kind(Store::open(&path)), None);
        let text = folder.join("b.db");
        std::fs::write(&text, "This is a text and no database, and long enough to have the length of a header.")
            .unwrap();
        assert_eq!(kind(Store::read(&text)), Some(ErrorKind::Incompatible));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}

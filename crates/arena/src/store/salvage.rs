//! Reaches what can be read of a damaged store, and saves it into another one.

use std::path::Path;

use rusqlite::Row;
use rusqlite::types::ValueRef;
use tesuji_core::InputError;

use super::damage::run_of;
use super::table::{MATCHES, RUNS, Table};
use super::{Store, rows};

/// The most rows that are looked for one by one where the structure of the file is damaged.
const LOOKUPS: u64 = 20_000_000;

impl Store {
    /// Copies every whole row that can be reached into another store, which must be new. Matches of runs that cannot be
    /// saved are left out.
    pub(crate) fn save_into(&self, target: &mut Store) -> Result<(), InputError> {
        let mut runs: Vec<i64> = Vec::new();
        let format = self.connection.query_row("PRAGMA user_version", [], |row| row.get(0)).unwrap_or_default();
        for (table, _) in self.tables(format) {
            let mut failed = None;
            let trouble = self.reach(table, |row, whole| {
                let run = run_of(table, row);
                let belongs = run == 0 || runs.contains(&run);
                if whole.is_none() || !belongs || failed.is_some() {
                    return;
                }
                let values: Option<Vec<ValueRef<'_>>> =
                    (0..table.width).map(|column| row.get_ref(column).ok()).collect();
                if let (true, Ok(id)) = (table.name == RUNS.name, row.get(0)) {
                    runs.push(id);
                }
                failed = target.copy_row(table, run, &values.unwrap_or_default()).err();
            });
            // What could not be reached is lost, as the condition says.
            drop(trouble);
            failed.map_or(Ok(()), Err)?;
        }
        target.commit()
    }

    fn copy_row(&mut self, table: &Table, run: i64, values: &[ValueRef<'_>]) -> Result<(), InputError> {
        self.begin()?;
        let written = table.write(&self.connection, "INSERT OR IGNORE", values);
        self.count(table, run, written)?;
        self.settle()
    }

    /// Shows every row of a table that can be reached, with its checksum if it is whole: from the front as far as
    /// possible, from the back as far as possible, and what lies between by key. Returns what stopped it, in words.
    pub(super) fn reach(&self, table: &Table, mut see: impl FnMut(&Row<'_>, Option<i64>)) -> Option<String> {
        let mut judge = |row: &Row<'_>| {
            let whole = match self.checked {
                true => table.whole(row),
                // Without checksums a row is taken for whole if it makes sense.
                false => (table.name != MATCHES.name || rows::stored_match(row, true).is_ok()).then_some(0),
            };
            see(row, whole);
        };
        let mut most = vec![0; table.key_width];
        let mut note = |key: &[i64]| most.iter_mut().zip(key).for_each(|(most, &part)| *most = part.max(*most));
        let mut front: Option<Vec<i64>> = None;
        let trouble = self.scan(table, "ASC", |row| {
            let key = key(table, row);
            // Rows out of order would be seen again from the back.
            let next = key.is_some() && key > front;
            if next {
                note(key.as_deref().unwrap_or_default());
                front = key;
                judge(row);
            }
            next
        })?;
        let mut back: Option<Vec<i64>> = None;
        self.scan(table, "DESC", |row| {
            let key = key(table, row);
            let next = key.is_some() && key > front && back.as_ref().is_none_or(|back| key.as_ref() < Some(back));
            if next {
                note(key.as_deref().unwrap_or_default());
                back = key;
                judge(row);
            }
            next
        });
        self.look_up(table, &most, |row| {
            let key = key(table, row);
            if key.is_some() && key > front && back.as_ref().is_none_or(|back| key.as_ref() < Some(back)) {
                judge(row);
            }
        });
        Some(trouble)
    }

    /// Reads a table in an order until `see` says that a row is out of order or something goes wrong; says what.
    fn scan(&self, table: &Table, order: &str, mut see: impl FnMut(&Row<'_>) -> bool) -> Option<String> {
        let key: Vec<String> = table.key.split(", ").map(|column| format!("{column} {order}")).collect();
        let sql = table.select(self.checked, &format!("ORDER BY {}", key.join(", ")));
        let mut read = || -> rusqlite::Result<bool> {
            let mut statement = self.connection.prepare(&sql)?;
            let mut found = statement.query([])?;
            while let Some(row) = found.next()? {
                if !see(row) {
                    return Ok(false);
                }
            }
            Ok(true)
        };
        match read() {
            Ok(true) => None,
            Ok(false) => Some("its rows are not in order".to_owned()),
            Err(error) => Some(error.to_string()),
        }
    }

    /// Looks for rows one by one, by the first three columns of the key at most, up to these values.
    fn look_up(&self, table: &Table, most: &[i64], mut see: impl FnMut(&Row<'_>)) {
        let columns: Vec<&str> = table.key.split(", ").take(3).collect();
        let most = &most[..columns.len()];
        let lookups = most.iter().try_fold(1u64, |product, &most| product.checked_mul(most.max(0) as u64 + 1));
        if lookups.is_none_or(|lookups| lookups > LOOKUPS) {
            return;
        }
        let places: Vec<String> = columns.iter().map(|column| format!("{column} = ?")).collect();
        let sql = table.select(self.checked, &format!("WHERE {} ORDER BY {}", places.join(" AND "), table.key));
        let Ok(mut statement) = self.connection.prepare(&sql) else { return };
        let mut key = vec![0; columns.len()];
        loop {
            if let Ok(mut found) = statement.query(rusqlite::params_from_iter(&key)) {
                while let Ok(Some(row)) = found.next() {
                    see(row);
                }
            }
            // The next key: the last part counts fastest.
            let Some(place) = (0..key.len()).rev().find(|&place| key[place] < most[place]) else { return };
            key[place] += 1;
            key[place + 1..].fill(0);
        }
    }
}

/// The key of a row; `None` if it cannot be read.
fn key(table: &Table, row: &Row<'_>) -> Option<Vec<i64>> {
    (0..table.key_width).map(|column| row.get(column).ok()).collect()
}

/// Every file of a store: the store itself, its log, and the index of the log.
const FILES: [&str; 3] = ["", "-wal", "-shm"];

fn with_suffix(path: &Path, suffix: &str) -> std::path::PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// Removes a store, if it is there.
pub(crate) fn remove_files(path: &Path) {
    for suffix in FILES {
        let removed = std::fs::remove_file(with_suffix(path, suffix));
        drop(removed);
    }
}

/// Renames a store with its log.
pub(crate) fn rename_files(from: &Path, to: &Path) -> Result<(), InputError> {
    remove_files(to);
    for suffix in FILES {
        let (from, to) = (with_suffix(from, suffix), with_suffix(to, suffix));
        if from.exists() {
            std::fs::rename(&from, &to).map_err(|error| {
                InputError::new(format!("cannot be renamed to {}: {error}", to.display())).in_file(from.display())
            })?;
        }
    }
    Ok(())
}

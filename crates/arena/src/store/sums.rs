//! How many rows a table has, and the sum of their checksums: a row that disappears is noticed like one that changes.
//!
//! Sums are kept for each table and run, and written in the same transaction as the rows.

use std::collections::BTreeMap;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension};

use super::table::{SUMS, Table, text};

/// A number of rows and the sum of their checksums, modulo 2⁶⁴.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Sum {
    pub rows: i64,
    pub checksums: i64,
}

impl Sum {
    /// Adds a row.
    pub(super) fn add(&mut self, checksum: i64) {
        self.rows = self.rows.wrapping_add(1);
        self.checksums = self.checksums.wrapping_add(checksum);
    }

    /// Removes a row.
    pub(super) fn remove(&mut self, checksum: i64) {
        self.rows = self.rows.wrapping_sub(1);
        self.checksums = self.checksums.wrapping_sub(checksum);
    }

    fn plus(self, other: Sum) -> Sum {
        Sum { rows: self.rows.wrapping_add(other.rows), checksums: self.checksums.wrapping_add(other.checksums) }
    }
}

/// The changes of sums that are not written yet, by table and run. Tables that belong to no run have run 0.
#[derive(Debug, Default)]
pub(super) struct Sums(BTreeMap<(&'static str, i64), Sum>);

impl Sums {
    /// The change of a sum.
    pub(super) fn of(&mut self, table: &Table, run: i64) -> &mut Sum {
        self.0.entry((table.name, run)).or_default()
    }

    /// What the sum of a table should be: as stored, with the changes. An error text if the stored one is damaged.
    pub(super) fn expected(
        &self,
        connection: &Connection,
        table: &Table,
        run: i64,
    ) -> rusqlite::Result<Result<Sum, String>> {
        let change = self.0.get(&(table.name, run)).copied().unwrap_or_default();
        Ok(stored(connection, table.name, run)?.map(|sum| sum.plus(change)))
    }

    /// Writes the changes.
    pub(super) fn write(&mut self, connection: &Connection) -> rusqlite::Result<()> {
        for ((name, run), change) in std::mem::take(&mut self.0) {
            // A damaged sum stays damaged: nobody knows what it was.
            if let Ok(sum) = stored(connection, name, run)? {
                let Sum { rows, checksums } = sum.plus(change);
                let row = [text(name), ValueRef::Integer(run), ValueRef::Integer(rows), ValueRef::Integer(checksums)];
                SUMS.write(connection, "INSERT OR REPLACE", &row)?;
            }
        }
        Ok(())
    }

    /// Forgets the changes.
    pub(super) fn forget(&mut self) {
        self.0.clear();
    }
}

/// The stored sum of a table; nothing was added yet if there is none.
fn stored(connection: &Connection, name: &str, run: i64) -> rusqlite::Result<Result<Sum, String>> {
    let sql = SUMS.select(true, "WHERE name = ?1 AND run = ?2");
    let found = connection.prepare_cached(&sql)?.query_row((name, run), |row| match SUMS.whole(row) {
        Some(_) => Ok(Some(Sum { rows: row.get(2)?, checksums: row.get(3)? })),
        None => Ok(None),
    });
    Ok(match found.optional()? {
        None => Ok(Sum::default()),
        Some(Some(sum)) => Ok(sum),
        Some(None) => Err(match run {
            0 => format!("the count of {name} is damaged"),
            _ => format!("the count of {name} of run {run} is damaged"),
        }),
    })
}

//! The tables of the store, and the checksums of their rows.
//!
//! The last column of every table is a checksum over all the others, with their types and lengths and the name of the
//! table: the first eight bytes of SHA-256. SHA-256 is here already, for identities, and a processor with instructions
//! for it hashes a row of a match in less than a microsecond.

use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, Row, params_from_iter};
use sha2::{Digest, Sha256};

/// A table: its columns are listed without the checksum.
pub(super) struct Table {
    pub name: &'static str,
    pub columns: &'static str,
    /// The number of columns.
    pub width: usize,
    /// The columns that identify a row, which are the first ones.
    pub key: &'static str,
    /// The number of those columns.
    pub key_width: usize,
    definition: &'static str,
    /// What follows the columns.
    options: &'static str,
}

/// Experiments that were started.
pub(super) const RUNS: Table = Table {
    name: "runs",
    columns: "id, identity, title, name, experiment, scale, tesuji, games, agents",
    width: 9,
    key: "id",
    key_width: 1,
    definition: "id INTEGER PRIMARY KEY, identity TEXT NOT NULL UNIQUE, title TEXT NOT NULL, name TEXT NOT NULL, \
                 experiment TEXT NOT NULL, scale TEXT NOT NULL, tesuji TEXT NOT NULL, games TEXT NOT NULL, \
                 agents TEXT NOT NULL, checksum INTEGER NOT NULL",
    options: "",
};

/// Finished matches.
pub(super) const MATCHES: Table = Table {
    name: "matches",
    columns: "run, pairing, pair, seating, seed, payoffs, foul, steps, fingerprint, moves, decisions",
    width: 11,
    key: "run, pairing, pair, seating",
    key_width: 4,
    definition: "run INTEGER NOT NULL REFERENCES runs(id), pairing INTEGER NOT NULL, pair INTEGER NOT NULL, \
                 seating INTEGER NOT NULL, seed INTEGER NOT NULL, payoffs TEXT NOT NULL, foul TEXT, \
                 steps INTEGER NOT NULL, fingerprint INTEGER NOT NULL, moves TEXT NOT NULL, decisions TEXT, \
                 checksum INTEGER NOT NULL, PRIMARY KEY (run, pairing, pair, seating)",
    options: " WITHOUT ROWID",
};

/// Measured decisions.
pub(super) const GAPS: Table = Table {
    name: "gaps",
    columns: "run, game, agent, playouts, player, repeat, value, gap, seconds",
    width: 9,
    key: "run, game, agent, playouts, player, repeat",
    key_width: 6,
    definition: "run INTEGER NOT NULL REFERENCES runs(id), game INTEGER NOT NULL, agent INTEGER NOT NULL, \
                 playouts INTEGER NOT NULL, player INTEGER NOT NULL, repeat INTEGER NOT NULL, value REAL NOT NULL, \
                 gap REAL NOT NULL, seconds REAL NOT NULL, checksum INTEGER NOT NULL, \
                 PRIMARY KEY (run, game, agent, playouts, player, repeat)",
    options: " WITHOUT ROWID",
};

/// What agents asked and were answered, by match and seat.
pub(super) const TRANSCRIPTS: Table = Table {
    name: "transcripts",
    columns: "run, pairing, pair, seating, seat, transcript",
    width: 6,
    key: "run, pairing, pair, seating, seat",
    key_width: 5,
    definition: "run INTEGER NOT NULL REFERENCES runs(id), pairing INTEGER NOT NULL, pair INTEGER NOT NULL, \
                 seating INTEGER NOT NULL, seat INTEGER NOT NULL, transcript TEXT NOT NULL, \
                 checksum INTEGER NOT NULL, PRIMARY KEY (run, pairing, pair, seating, seat)",
    options: " WITHOUT ROWID",
};

/// Labels of actions.
pub(super) const LABELS: Table = Table {
    name: "labels",
    columns: "id, game, state, action, labeller, played, features, label",
    width: 8,
    key: "id",
    key_width: 1,
    definition: "id INTEGER PRIMARY KEY, game TEXT NOT NULL, state TEXT NOT NULL, action TEXT NOT NULL, \
                 labeller TEXT NOT NULL, played TEXT NOT NULL, features TEXT NOT NULL, label REAL NOT NULL, \
                 checksum INTEGER NOT NULL",
    options: "",
};

/// Answers of workers that played a part of a run on another machine. The table is made when the first one is stored.
pub(super) const ANSWERS: Table = Table {
    name: "answers",
    columns: "run, number, worker, pieces",
    width: 4,
    key: "run, number",
    key_width: 2,
    definition: "run INTEGER NOT NULL REFERENCES runs(id), number INTEGER NOT NULL, worker TEXT NOT NULL, \
                 pieces TEXT NOT NULL, checksum INTEGER NOT NULL, PRIMARY KEY (run, number)",
    options: " WITHOUT ROWID",
};

/// The workers of a run. The table is made with `answers`.
pub(super) const WORKERS: Table = Table {
    name: "workers",
    columns: "run, name, speed",
    width: 3,
    key: "run, name",
    key_width: 1,
    definition: "run INTEGER NOT NULL REFERENCES runs(id), name TEXT NOT NULL, speed REAL NOT NULL, \
                 checksum INTEGER NOT NULL, PRIMARY KEY (run, name)",
    options: " WITHOUT ROWID",
};

/// For each table and run, the number of its rows and the sum of their checksums (see `sums`).
pub(super) const SUMS: Table = Table {
    name: "sums",
    columns: "name, run, rows, checksums",
    width: 4,
    key: "name, run",
    key_width: 2,
    definition: "name TEXT NOT NULL, run INTEGER NOT NULL, rows INTEGER NOT NULL, checksums INTEGER NOT NULL, \
                 checksum INTEGER NOT NULL, PRIMARY KEY (name, run)",
    options: " WITHOUT ROWID",
};

/// One row about the store itself (see `mark`).
pub(super) const STORE: Table = Table {
    name: "store",
    columns: "id, number, commits, closed",
    width: 4,
    key: "id",
    key_width: 1,
    definition: "id INTEGER PRIMARY KEY, number INTEGER NOT NULL, commits INTEGER NOT NULL, closed INTEGER NOT NULL, \
                 checksum INTEGER NOT NULL",
    options: "",
};

impl Table {
    /// The statement that creates the table under a name.
    pub(super) fn create(&self, name: &str) -> String {
        format!("CREATE TABLE {name} ({}){};", self.definition, self.options)
    }

    /// A query for whole rows; without checksums in the store their place is empty. `rest` follows the table's name.
    pub(super) fn select(&self, checked: bool, rest: &str) -> String {
        let checksum = if checked { "checksum" } else { "NULL" };
        format!("SELECT {}, {checksum} FROM {} {rest}", self.columns, self.name)
    }

    /// The checksum of a row's columns.
    pub(super) fn checksum<'a>(&self, values: impl IntoIterator<Item = ValueRef<'a>>) -> i64 {
        let mut hash = Sha256::new();
        hash.update(self.name);
        for value in values {
            let (kind, number, bytes): (u8, u64, &[u8]) = match value {
                ValueRef::Null => (0, 0, &[]),
                ValueRef::Integer(number) => (1, number as u64, &[]),
                // SQLite keeps no sign of zero.
                ValueRef::Real(number) => (2, (number + 0.0).to_bits(), &[]),
                ValueRef::Text(bytes) => (3, bytes.len() as u64, bytes),
                ValueRef::Blob(bytes) => (4, bytes.len() as u64, bytes),
            };
            hash.update([kind]);
            hash.update(number.to_le_bytes());
            hash.update(bytes);
        }
        hash.finalize().iter().take(8).fold(0u64, |sum, &byte| sum << 8 | u64::from(byte)) as i64
    }

    /// The checksum of a row of [`select`](Table::select), if the row is as it was written.
    pub(super) fn whole(&self, row: &Row<'_>) -> Option<i64> {
        let values: Option<Vec<ValueRef<'_>>> = (0..self.width).map(|column| row.get_ref(column).ok()).collect();
        let written: i64 = row.get(self.width).ok()?;
        (self.checksum(values?) == written).then_some(written)
    }

    /// Writes a row by a verb such as `INSERT OR IGNORE`. Returns its checksum, or nothing if the row was not written.
    pub(super) fn write(
        &self,
        connection: &Connection,
        verb: &str,
        values: &[ValueRef<'_>],
    ) -> rusqlite::Result<Option<i64>> {
        debug_assert_eq!(values.len(), self.width, "{}", self.name);
        let checksum = self.checksum(values.iter().copied());
        let places = "?,".repeat(self.width);
        let sql = format!("{verb} INTO {} ({}, checksum) VALUES ({places}?)", self.name, self.columns);
        let all = values.iter().copied().chain([ValueRef::Integer(checksum)]).map(ToSqlOutput::Borrowed);
        let written = connection.prepare_cached(&sql)?.execute(params_from_iter(all))?;
        Ok((written > 0).then_some(checksum))
    }
}

/// A text as a value.
pub(super) fn text(text: &str) -> ValueRef<'_> {
    ValueRef::Text(text.as_bytes())
}

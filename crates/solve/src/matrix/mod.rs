//! Matrix games: two players choose at once, and a table gives their payoffs.
//!
//! * [`MatrixSolver`]: exact equilibria of zero-sum games by linear programming, verified, with warm starts while the
//!   table changes;
//! * [`exact_equilibrium`]: the same in fractions;
//! * [`RegretMatching`]: regret matching and regret matching+, for large or changing tables, zero-sum or not;
//! * [`QuickSolver`]: approximate equilibria of many small zero-sum tables, in microseconds;
//! * [`support_equilibria`] and [`lemke_howson`]: equilibria of bimatrix games;
//! * [`guarantee`], [`exploitability`] and [`regrets`]: how good a strategy is against its worst opponent.
//!
//! All work on a [`PayoffMatrix`]: one number per cell, a row for each action of the first player.

mod bimatrix;
mod exact;
mod fraction;
mod lemke_howson;
mod quick;
mod regret;
mod simplex;
mod solver;
mod strategy;

#[cfg(test)]
mod tests;

pub use bimatrix::{BimatrixEquilibrium, support_count, support_equilibria};
pub(crate) use exact::exact_mix;
pub use exact::{ExactEquilibrium, exact_equilibrium};
pub use fraction::Fraction;
pub use lemke_howson::lemke_howson;
pub use quick::QuickSolver;
pub use regret::{RegretMatching, RegretRule};
pub use solver::{Equilibrium, MatrixSolver};
pub use strategy::{column_payoffs, exploitability, first_greatest, greatest, guarantee, regrets, row_payoffs};

/// A table of one player's payoffs, row by row. It is not empty, and every entry is finite.
#[derive(Clone, PartialEq, Debug)]
pub struct PayoffMatrix {
    rows: usize,
    columns: usize,
    entries: Vec<f64>,
}

/// Why numbers are not a [`PayoffMatrix`].
#[derive(Clone, PartialEq, Debug)]
pub enum MatrixFault {
    /// No rows, or no columns.
    Empty,
    /// A row has another length than the first.
    Ragged {
        /// The row, counted from 0.
        row: usize,
        /// Its length.
        found: usize,
        /// The first row's length.
        expected: usize,
    },
    /// An entry that is infinite or not a number.
    NotFinite {
        /// Its row, counted from 0.
        row: usize,
        /// Its column, counted from 0.
        column: usize,
    },
}

impl std::fmt::Display for MatrixFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            MatrixFault::Empty => f.write_str("a matrix needs at least one row and one column"),
            MatrixFault::Ragged { row, found, expected } => {
                write!(f, "row {} has {found} entries, expected {expected} as in the first", row + 1)
            }
            MatrixFault::NotFinite { row, column } => {
                write!(f, "the entry in row {}, column {} is not a finite number", row + 1, column + 1)
            }
        }
    }
}

impl std::error::Error for MatrixFault {}

impl PayoffMatrix {
    /// A table from its rows.
    pub fn from_rows<R: AsRef<[f64]>>(rows: &[R]) -> Result<PayoffMatrix, MatrixFault> {
        let columns = rows.first().map_or(0, |row| row.as_ref().len());
        if columns == 0 {
            return Err(MatrixFault::Empty);
        }
        let mut entries = Vec::with_capacity(rows.len() * columns);
        for (index, row) in rows.iter().enumerate() {
            let row = row.as_ref();
            if row.len() != columns {
                return Err(MatrixFault::Ragged { row: index, found: row.len(), expected: columns });
            }
            if let Some(column) = row.iter().position(|entry| !entry.is_finite()) {
                return Err(MatrixFault::NotFinite { row: index, column });
            }
            entries.extend_from_slice(row);
        }
        Ok(PayoffMatrix { rows: rows.len(), columns, entries })
    }

    /// A table of `rows` times `columns` equal entries.
    ///
    /// # Panics
    /// If a dimension is 0 or the entry is not finite.
    pub fn filled(rows: usize, columns: usize, entry: f64) -> PayoffMatrix {
        assert!(rows > 0 && columns > 0 && entry.is_finite(), "{rows} × {columns} entries of {entry}");
        PayoffMatrix { rows, columns, entries: vec![entry; rows * columns] }
    }

    /// Replaces the table by one of `rows` times `columns` with the given entries, row by row, reusing its memory.
    ///
    /// # Panics
    /// If the number of entries is not `rows` × `columns`, or 0.
    pub fn refill(&mut self, rows: usize, columns: usize, entries: impl IntoIterator<Item = f64>) {
        self.entries.clear();
        self.entries.extend(entries);
        assert!(!self.entries.is_empty() && self.entries.len() == rows * columns, "{rows} × {columns}");
        debug_assert!(self.entries.iter().all(|entry| entry.is_finite()));
        (self.rows, self.columns) = (rows, columns);
    }

    /// The number of actions of the first player.
    #[inline]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of actions of the second player.
    #[inline]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// All entries, row by row.
    #[inline]
    pub fn entries(&self) -> &[f64] {
        &self.entries
    }

    /// The entries of a row.
    #[inline]
    pub fn row(&self, row: usize) -> &[f64] {
        &self.entries[row * self.columns..][..self.columns]
    }

    /// One entry.
    #[inline]
    pub fn get(&self, row: usize, column: usize) -> f64 {
        self.entries[row * self.columns + column]
    }

    /// Changes one entry, which must stay finite.
    #[inline]
    pub fn set(&mut self, row: usize, column: usize, entry: f64) {
        debug_assert!(entry.is_finite());
        self.entries[row * self.columns + column] = entry;
    }

    /// The least and the greatest entry.
    pub fn range(&self) -> (f64, f64) {
        self.entries.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(least, greatest), &entry| {
            (if entry < least { entry } else { least }, if entry > greatest { entry } else { greatest })
        })
    }

    /// The transposed table.
    #[must_use]
    pub fn transposed(&self) -> PayoffMatrix {
        let entry = |index: usize| self.get(index % self.rows, index / self.rows);
        let entries = (0..self.entries.len()).map(entry).collect();
        PayoffMatrix { rows: self.columns, columns: self.rows, entries }
    }

    /// The negated table: the payoffs of the second player of a zero-sum game.
    #[must_use]
    pub fn negated(&self) -> PayoffMatrix {
        PayoffMatrix { entries: self.entries.iter().map(|entry| -entry).collect(), ..*self }
    }
}

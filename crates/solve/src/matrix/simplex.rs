//! The simplex method on a dense condensed tableau.
//!
//! With all entries made positive, the zero-sum game is the linear program: maximise the sum of y subject to B y ≤ 1, y
//! ≥ 0. Its value is 1 / sum, the column player's mixed strategy is y normalised, and the row player's is the dual
//! solution, which the last row of the tableau holds. The condensed tableau has no unit columns: a pivot exchanges the
//! labels of a row and a column, so a step touches (m + 1)(n + 1) numbers in adjacent rows.
//!
//! Tables of wins, draws and losses are highly degenerate. The entering column is the one with the steepest gain; among
//! equal ratios the largest pivot leaves, for accuracy. If there is no progress for long, Bland's rule (the lowest
//! labels), which cannot cycle, takes over until there is some.

/// Numbers closer to 0 count as 0; entries of the tableau start between 1 and 2.
const TINY: f64 = 1e-11;
/// Ratios this close are equal.
const EQUAL: f64 = 1e-12;

/// A tableau with its labels; memory is reused between solutions.
#[derive(Clone, Debug, Default)]
pub(super) struct Tableau {
    rows: usize,
    columns: usize,
    /// The distance between rows: columns and the right side, rounded up for alignment.
    stride: usize,
    cells: Vec<f64>,
    /// The basic variable of a row: y of column `j` is `j`, the slack of row `i` is `columns + i`.
    row_labels: Vec<u32>,
    column_labels: Vec<u32>,
    pivot_row: Vec<f64>,
    pub pivots: usize,
}

impl Tableau {
    /// Sets up the program for the table of `entries`, shifted and scaled to lie between 1 and 2.
    pub(super) fn set(&mut self, rows: usize, columns: usize, entries: &[f64], least: f64, scale: f64) {
        (self.rows, self.columns) = (rows, columns);
        self.stride = (columns + 2) & !1;
        self.cells.clear();
        self.cells.resize((rows + 1) * self.stride, 0.0);
        for (cells, row) in self.cells.chunks_exact_mut(self.stride).zip(entries.chunks_exact(columns)) {
            for (cell, entry) in cells.iter_mut().zip(row) {
                *cell = (entry - least) * scale + 1.0;
            }
            cells[columns] = 1.0;
        }
        self.cells[rows * self.stride..][..columns].fill(-1.0);
        self.row_labels.clear();
        self.row_labels.extend((0..rows as u32).map(|row| columns as u32 + row));
        self.column_labels.clear();
        self.column_labels.extend(0..columns as u32);
        self.pivots = 0;
    }

    /// Pivots until the program is solved; false if that takes more than `limit` steps or the numbers break down.
    pub(super) fn run(&mut self, limit: usize, always_bland: bool) -> bool {
        let patience = self.rows + self.columns;
        let mut stalled = 0;
        let mut objective = 0.0;
        while self.pivots < limit {
            let bland = always_bland || stalled > patience;
            let Some(column) = self.entering(bland) else { return true };
            let Some(row) = self.leaving(column, bland) else { return false };
            self.pivot(row, column);
            self.pivots += 1;
            let now = self.cells[self.rows * self.stride + self.columns];
            if now > objective + EQUAL {
                (objective, stalled) = (now, 0);
            } else {
                stalled += 1;
            }
        }
        false
    }

    fn entering(&self, bland: bool) -> Option<usize> {
        let gains = &self.cells[self.rows * self.stride..][..self.columns];
        if bland {
            return (0..self.columns)
                .filter(|&column| gains[column] < -TINY)
                .min_by_key(|&column| self.column_labels[column]);
        }
        let mut best = -TINY;
        let mut found = None;
        for (column, &gain) in gains.iter().enumerate() {
            if gain < best {
                best = gain;
                found = Some(column);
            }
        }
        found
    }

    fn leaving(&self, column: usize, bland: bool) -> Option<usize> {
        let mut found = None;
        let (mut least, mut pivot) = (f64::INFINITY, 0.0);
        for (row, cells) in self.cells.chunks_exact(self.stride).take(self.rows).enumerate() {
            let cell = cells[column];
            if cell <= TINY {
                continue;
            }
            let ratio = cells[self.columns] / cell;
            let margin = EQUAL * (1.0 + least);
            let better = match found {
                None => true,
                Some(_) if ratio < least - margin => true,
                Some(_) if ratio > least + margin => false,
                Some(best) if bland => self.row_labels[row] < self.row_labels[best],
                Some(_) => cell > pivot,
            };
            if better {
                (found, least, pivot) = (Some(row), ratio.min(least), cell);
            }
        }
        found
    }

    fn pivot(&mut self, row: usize, column: usize) {
        let stride = self.stride;
        let inverse = 1.0 / self.cells[row * stride + column];
        let cells = &mut self.cells[row * stride..][..stride];
        cells.iter_mut().for_each(|cell| *cell *= inverse);
        cells[column] = inverse;
        self.pivot_row.clear();
        self.pivot_row.extend_from_slice(cells);
        for (index, cells) in self.cells.chunks_exact_mut(stride).enumerate() {
            let factor = cells[column];
            if index == row || factor == 0.0 {
                continue;
            }
            cells.iter_mut().zip(&self.pivot_row).for_each(|(cell, pivot)| *cell -= factor * pivot);
            cells[column] = -factor * inverse;
            // Rounding residue would otherwise push a ratio below 0.
            let right = &mut cells[self.columns];
            if *right < 0.0 && index < self.rows {
                *right = 0.0;
            }
        }
        std::mem::swap(&mut self.row_labels[row], &mut self.column_labels[column]);
    }

    /// Reads the solution: both mixed strategies, not yet normalised. Unused actions are 0.
    pub(super) fn read(&self, rows: &mut Vec<f64>, columns: &mut Vec<f64>) {
        rows.clear();
        rows.resize(self.rows, 0.0);
        columns.clear();
        columns.resize(self.columns, 0.0);
        for (row, &label) in self.row_labels.iter().enumerate() {
            if let Some(share) = columns.get_mut(label as usize) {
                *share = self.cells[row * self.stride + self.columns].max(0.0);
            }
        }
        let prices = &self.cells[self.rows * self.stride..];
        for (&label, price) in self.column_labels.iter().zip(prices) {
            if label as usize >= self.columns {
                rows[label as usize - self.columns] = price.max(0.0);
            }
        }
    }

    /// The basis: the rows whose constraint is tight, and equally many columns in use.
    pub(super) fn basis(&self, rows: &mut Vec<usize>, columns: &mut Vec<usize>) {
        let width = self.columns as u32;
        rows.clear();
        rows.extend(self.column_labels.iter().filter(|&&label| label >= width).map(|&label| (label - width) as usize));
        rows.sort_unstable();
        columns.clear();
        columns.extend(self.row_labels.iter().filter(|&&label| label < width).map(|&label| label as usize));
        columns.sort_unstable();
    }
}

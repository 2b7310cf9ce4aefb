//! One equilibrium of a bimatrix game by complementary pivoting (Lemke and Howson, "Equilibrium points of bimatrix
//! games", 1964).
//!
//! Each player's polytope has a label for every action of both players. A path of pivots from the artificial
//! equilibrium drops one label, picks up another, and ends where all labels are present again. Ties in the ratio test,
//! which degenerate games have, are broken by comparing whole rows (the lexicographic rule), so the path cannot cycle.

use super::{BimatrixEquilibrium, PayoffMatrix};

/// Numbers closer to 0 count as 0; tables are scaled to lie between 1 and 2.
const TINY: f64 = 1e-10;

/// The equilibrium at the end of the path that first drops `label`: a row if it is below the number of rows, otherwise
/// a column.
///
/// `None` only if rounding spoils the path.
///
/// # Panics
/// If the tables differ in shape or there is no such label.
pub fn lemke_howson(first: &PayoffMatrix, second: &PayoffMatrix, label: usize) -> Option<BimatrixEquilibrium> {
    let (rows, columns) = (first.rows(), first.columns());
    assert_eq!((rows, columns), (second.rows(), second.columns()), "tables of one game");
    let labels = rows + columns;
    assert!(label < labels, "label {label} of {labels}");
    // The first tableau holds the second player's mix: A y ≤ 1. The second holds the first player's: Bᵗ x ≤ 1.
    let mut tableaus = [
        Polytope::new(&scaled(first), rows, columns, 0),
        Polytope::new(&scaled(&second.transposed()), columns, rows, 1),
    ];
    // A row's label enters as x, in the second tableau; a column's as y, in the first.
    let (mut entering, mut side) = (label, usize::from(label < rows));
    let limit = 1000 + 50 * labels * labels;
    for _ in 0..limit {
        let left = tableaus[side].enter(entering)?;
        if left == label {
            let columns_mix = tableaus[0].mix(rows..labels)?;
            let rows_mix = tableaus[1].mix(0..rows)?;
            return Some(BimatrixEquilibrium::measured(first, second, rows_mix, columns_mix));
        }
        entering = left;
        side = 1 - side;
    }
    None
}

/// The entries shifted and scaled to lie between 1 and 2, row by row.
fn scaled(matrix: &PayoffMatrix) -> Vec<f64> {
    let (least, greatest) = matrix.range();
    let scale = if greatest > least { 1.0 / (greatest - least) } else { 1.0 };
    matrix.entries().iter().map(|entry| (entry - least) * scale + 1.0).collect()
}

/// One player's inequalities with slacks. Variables are numbered by label: 0 to rows − 1 belong to the first player's
/// actions, the rest to the second's. Each is a slack in one tableau and a probability in the other.
struct Polytope {
    width: usize,
    /// Each row: a coefficient for every label, then the right side.
    rows: Vec<Vec<f64>>,
    basic: Vec<usize>,
}

impl Polytope {
    /// `size` inequalities in `unknowns` probabilities. In the tableau of side 0 the slacks have the first labels, in
    /// that of side 1 the last.
    fn new(entries: &[f64], size: usize, unknowns: usize, side: usize) -> Polytope {
        let labels = size + unknowns;
        let (slack_start, share_start) = if side == 0 { (0, size) } else { (unknowns, 0) };
        let rows = (0..size)
            .map(|row| {
                let mut cells = vec![0.0; labels + 1];
                cells[share_start..share_start + unknowns].copy_from_slice(&entries[row * unknowns..][..unknowns]);
                cells[slack_start + row] = 1.0;
                cells[labels] = 1.0;
                cells
            })
            .collect();
        Polytope { width: labels, rows, basic: (slack_start..slack_start + size).collect() }
    }

    /// Brings a variable into the basis; returns the one that left it.
    fn enter(&mut self, variable: usize) -> Option<usize> {
        let ratio_of = |row: &Vec<f64>, place: usize| row[place] / row[variable];
        let candidates = (0..self.rows.len()).filter(|&row| self.rows[row][variable] > TINY);
        let leaving = candidates.min_by(|&one, &two| {
            let places = std::iter::once(self.width).chain(0..self.width);
            for place in places {
                let (a, b) = (ratio_of(&self.rows[one], place), ratio_of(&self.rows[two], place));
                if (a - b).abs() > TINY * (1.0 + a.abs()) {
                    return a.total_cmp(&b);
                }
            }
            std::cmp::Ordering::Equal
        })?;
        let pivot = self.rows[leaving][variable];
        self.rows[leaving].iter_mut().for_each(|cell| *cell /= pivot);
        let pivot_cells = self.rows[leaving].clone();
        for (index, cells) in self.rows.iter_mut().enumerate() {
            let factor = cells[variable];
            if index != leaving && factor != 0.0 {
                cells.iter_mut().zip(&pivot_cells).for_each(|(cell, pivot)| *cell -= factor * pivot);
            }
        }
        Some(std::mem::replace(&mut self.basic[leaving], variable))
    }

    /// The normalised values of the variables `labels`.
    fn mix(&self, labels: std::ops::Range<usize>) -> Option<Vec<f64>> {
        let mut shares = vec![0.0; labels.len()];
        for (row, &variable) in self.rows.iter().zip(&self.basic) {
            if labels.contains(&variable) {
                shares[variable - labels.start] = row[self.width].max(0.0);
            }
        }
        let total: f64 = shares.iter().sum();
        (total > 0.0).then(|| {
            shares.iter_mut().for_each(|share| *share /= total);
            shares
        })
    }
}

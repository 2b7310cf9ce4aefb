//! Equilibria of zero-sum matrix games: exact up to rounding, verified, with warm starts.
//!
//! A solution is verified by what best responses gain against it ([`Equilibrium::gap`]). If rounding has spoiled a
//! tableau, the basis is solved again and, if necessary, the whole game by Bland's rule.
//!
//! Timings on random tables (`tesuji nash --bench 20,100`): see `docs/solutions.md`. For comparison, the general LP
//! crate microlp 0.7 takes 520 µs at 20 × 20 and 23 ms at 100 × 100, including the construction of its program, on a
//! busy machine; that is why the simplex method is implemented here.

use super::PayoffMatrix;
use super::simplex::Tableau;
use super::strategy::{column_payoffs, greatest, least, row_payoffs};

/// A pair of optimal mixed strategies of a zero-sum game.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Equilibrium {
    /// The value to the row player: the midpoint between what its strategy secures and what the other's concedes.
    pub value: f64,
    /// The row player's mixed strategy.
    pub rows: Vec<f64>,
    /// The column player's mixed strategy.
    pub columns: Vec<f64>,
    /// The exploitability: what best responses to both strategies gain together. The value is certain to half of it.
    pub gap: f64,
}

/// Gaps up to this fraction of the table's range are rounding.
const ROUNDING: f64 = 1e-9;

/// Solves matrix games one after the other, reusing its memory and its last solution.
///
/// ```
/// use tesuji_solve::matrix::{MatrixSolver, PayoffMatrix};
///
/// // Matching pennies, with a prize of 3 for two heads: an equilibrium of the zero-sum game.
/// let matrix = PayoffMatrix::from_rows(&[[3.0, -1.0], [-1.0, 1.0]])?;
/// let mut solver = MatrixSolver::new();
/// let equilibrium = solver.solve(&matrix);
/// assert!((equilibrium.value - 1.0 / 3.0).abs() < 1e-9);
/// assert!((equilibrium.rows[0] - 1.0 / 3.0).abs() < 1e-9);
/// # Ok::<(), tesuji_solve::matrix::MatrixFault>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct MatrixSolver {
    tableau: Tableau,
    solution: Equilibrium,
    /// The rows and columns of the last basis; equally many.
    basis: [Vec<usize>; 2],
    row_payoffs: Vec<f64>,
    column_payoffs: Vec<f64>,
    system: Vec<f64>,
    spare: [Vec<f64>; 2],
    solved: u64,
}

impl MatrixSolver {
    /// A solver that has not solved anything yet.
    pub fn new() -> MatrixSolver {
        MatrixSolver::default()
    }

    /// The number of programs solved from scratch, which [`refresh`](MatrixSolver::refresh) avoids.
    pub fn programs(&self) -> u64 {
        self.solved
    }

    /// The last solution.
    pub fn solution(&self) -> &Equilibrium {
        &self.solution
    }

    /// The last basis: equally many rows and columns that carry the solution. A strategy may give one of them
    /// probability 0.
    pub fn basis(&self) -> [&[usize]; 2] {
        [&self.basis[0], &self.basis[1]]
    }

    /// Solves the game in which the row player gets the entries and the column player pays them.
    pub fn solve(&mut self, matrix: &PayoffMatrix) -> &Equilibrium {
        self.solved += 1;
        if let Some((row, column)) = saddle_point(matrix, &mut self.column_payoffs) {
            self.set_pure(matrix, row, column);
            return &self.solution;
        }
        let (least, greatest) = matrix.range();
        let range = greatest - least;
        let (rows, columns) = (matrix.rows(), matrix.columns());
        // Far above what any table needed; only broken numbers reach it.
        let limit = 50 * (rows + columns) + 1000;
        for always_bland in [false, true] {
            self.tableau.set(rows, columns, matrix.entries(), least, 1.0 / range);
            let finished = self.tableau.run(limit, always_bland);
            let [basis_rows, basis_columns] = &mut self.basis;
            self.tableau.basis(basis_rows, basis_columns);
            self.tableau.read(&mut self.solution.rows, &mut self.solution.columns);
            self.measure(matrix);
            if finished && self.solution.gap <= ROUNDING * range {
                break;
            }
            let before = self.solution.clone();
            if !self.solve_basis(matrix) || self.solution.gap > before.gap {
                self.solution = before;
            }
            if self.solution.gap <= ROUNDING * range {
                break;
            }
        }
        &self.solution
    }

    /// Solves a game that differs little from the last one. The strategies stay as they are while their gap is at most
    /// `tolerance`. Otherwise the last basis is solved with the new entries, or else the game from scratch. The gap of
    /// the solution is at most `tolerance` (or rounding, if that is more).
    pub fn refresh(&mut self, matrix: &PayoffMatrix, tolerance: f64) -> &Equilibrium {
        if self.solution.rows.len() != matrix.rows() || self.solution.columns.len() != matrix.columns() {
            return self.solve(matrix);
        }
        self.measure(matrix);
        if self.solution.gap <= tolerance {
            return &self.solution;
        }
        if self.solve_basis(matrix) && self.solution.gap <= tolerance {
            return &self.solution;
        }
        self.solve(matrix)
    }

    fn set_pure(&mut self, matrix: &PayoffMatrix, row: usize, column: usize) {
        let pure = |mix: &mut Vec<f64>, length: usize, index: usize| {
            mix.clear();
            mix.resize(length, 0.0);
            mix[index] = 1.0;
        };
        pure(&mut self.solution.rows, matrix.rows(), row);
        pure(&mut self.solution.columns, matrix.columns(), column);
        self.solution.value = matrix.get(row, column);
        self.solution.gap = 0.0;
        for (basis, index) in self.basis.iter_mut().zip([row, column]) {
            basis.clear();
            basis.push(index);
        }
    }

    /// Normalises the strategies of the solution and computes value and gap; an empty strategy has an infinite gap.
    fn measure(&mut self, matrix: &PayoffMatrix) {
        let Equilibrium { value, rows, columns, gap } = &mut self.solution;
        for mix in [&mut *rows, &mut *columns] {
            let total: f64 = mix.iter().sum();
            if !(total > 0.0 && total.is_finite()) {
                *gap = f64::INFINITY;
                return;
            }
            let scale = 1.0 / total;
            mix.iter_mut().for_each(|share| *share *= scale);
        }
        row_payoffs(matrix, columns, &mut self.row_payoffs);
        column_payoffs(matrix, rows, &mut self.column_payoffs);
        let (at_least, at_most) = (least(&self.column_payoffs), greatest(&self.row_payoffs));
        *value = 0.5 * (at_least + at_most);
        *gap = (at_most - at_least).max(0.0);
    }

    /// Computes the strategies on the basis that make the other side indifferent; false, with the solution unchanged,
    /// if there are none.
    fn solve_basis(&mut self, matrix: &PayoffMatrix) -> bool {
        let [rows, columns] = &self.basis;
        let size = rows.len();
        if size == 0 || size != columns.len() {
            return false;
        }
        for side in 0..2 {
            // Unknowns: a probability for each of the `size` actions of this side, and the value. Equations: equal
            // payoff for each action of the other side, probabilities adding up to 1.
            let width = size + 2;
            self.system.clear();
            self.system.resize((size + 1) * width, 0.0);
            for (equation, cells) in self.system.chunks_exact_mut(width).enumerate() {
                for (unknown, cell) in cells[..size].iter_mut().enumerate() {
                    *cell = match (equation < size, side) {
                        (false, _) => 1.0,
                        (true, 0) => matrix.get(rows[unknown], columns[equation]),
                        (true, _) => matrix.get(rows[equation], columns[unknown]),
                    };
                }
                cells[size] = if equation < size { -1.0 } else { 0.0 };
                cells[size + 1] = if equation < size { 0.0 } else { 1.0 };
            }
            if !eliminate(&mut self.system, size + 1) {
                return false;
            }
            let (length, indices) = if side == 0 { (matrix.rows(), rows) } else { (matrix.columns(), columns) };
            let mix = &mut self.spare[side];
            mix.clear();
            mix.resize(length, 0.0);
            for (&index, cells) in indices.iter().zip(self.system.chunks_exact(width)) {
                let share = cells[size + 1];
                // A clearly negative probability: another basis is optimal.
                if share < -1e-7 || !share.is_finite() {
                    return false;
                }
                mix[index] = share.max(0.0);
            }
        }
        let [spare_rows, spare_columns] = &mut self.spare;
        std::mem::swap(&mut self.solution.rows, spare_rows);
        std::mem::swap(&mut self.solution.columns, spare_columns);
        self.measure(matrix);
        true
    }
}

/// A saddle point: a cell that is the least of its row and the greatest of its column.
fn saddle_point(matrix: &PayoffMatrix, column_greatest: &mut Vec<f64>) -> Option<(usize, usize)> {
    column_greatest.clear();
    column_greatest.resize(matrix.columns(), f64::NEG_INFINITY);
    let (mut best, mut best_row) = (f64::NEG_INFINITY, 0);
    for row in 0..matrix.rows() {
        let mut row_least = f64::INFINITY;
        for (&entry, most) in matrix.row(row).iter().zip(&mut *column_greatest) {
            row_least = if entry < row_least { entry } else { row_least };
            *most = if entry > *most { entry } else { *most };
        }
        if row_least > best {
            (best, best_row) = (row_least, row);
        }
    }
    let column = column_greatest.iter().position(|&most| most == best)?;
    Some((best_row, column))
}

/// Solves `size` linear equations (a row of `size` coefficients and the right side each) in place by Gauss-Jordan
/// elimination with row pivoting. False if they are singular.
fn eliminate(system: &mut [f64], size: usize) -> bool {
    let width = size + 1;
    for step in 0..size {
        let entry = |row: usize| system[row * width + step].abs();
        let Some(pivot_row) = (step..size).max_by(|&a, &b| entry(a).total_cmp(&entry(b))) else { return false };
        let pivot = system[pivot_row * width + step];
        if pivot.is_nan() || pivot.abs() < 1e-12 {
            return false;
        }
        for column in 0..width {
            system.swap(pivot_row * width + column, step * width + column);
        }
        let inverse = 1.0 / pivot;
        system[step * width..][..width].iter_mut().for_each(|cell| *cell *= inverse);
        let (before, rest) = system.split_at_mut(step * width);
        let (pivot_cells, after) = rest.split_at_mut(width);
        for cells in before.chunks_exact_mut(width).chain(after.chunks_exact_mut(width)) {
            let factor = cells[step];
            if factor != 0.0 {
                cells[step..].iter_mut().zip(&pivot_cells[step..]).for_each(|(cell, pivot)| *cell -= factor * pivot);
            }
        }
    }
    true
}

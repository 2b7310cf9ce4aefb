//! Equilibria as exact fractions.
//!
//! Floating point finds the basis of an optimal solution. Its equations are then solved in fractions, and the result is
//! proved: no negative probability, no action of either player better than the value. So the value is exact, however
//! the basis was found. `None` means that 128-bit fractions overflow, or that rounding led to a wrong basis.

use super::{Fraction, MatrixSolver, PayoffMatrix};

/// An equilibrium of a zero-sum game without rounding.
#[derive(Clone, PartialEq, Debug)]
pub struct ExactEquilibrium {
    /// The value to the row player.
    pub value: Fraction,
    /// The row player's mixed strategy.
    pub rows: Vec<Fraction>,
    /// The column player's mixed strategy.
    pub columns: Vec<Fraction>,
}

/// Solves a zero-sum game of `rows` × `columns` fractions, given row by row.
///
/// `solver` finds the basis; it is left with the solution in floating point.
pub fn exact_equilibrium(
    solver: &mut MatrixSolver,
    rows: usize,
    columns: usize,
    entries: &[Fraction],
) -> Option<ExactEquilibrium> {
    let mut matrix = PayoffMatrix::filled(rows, columns, 0.0);
    matrix.refill(rows, columns, entries.iter().map(|entry| entry.to_f64()));
    solver.solve(&matrix);
    let [basis_rows, basis_columns] = solver.basis().map(<[usize]>::to_vec);
    let at = |row: usize, column: usize| entries[row * columns + column];
    let (row_mix, value) = exact_mix(&basis_rows, &basis_columns, at)?;
    let (column_mix, _) = exact_mix(&basis_columns, &basis_rows, |column, row| at(row, column))?;
    let spread = |basis: &[usize], mix: Vec<Fraction>, length: usize| {
        let mut all = vec![Fraction::ZERO; length];
        basis.iter().zip(mix).for_each(|(&index, share)| all[index] = share);
        all
    };
    let rows_all = spread(&basis_rows, row_mix, rows);
    let columns_all = spread(&basis_columns, column_mix, columns);
    for column in 0..columns {
        if Fraction::dot((0..rows).map(|row| (&rows_all[row], &entries[row * columns + column])))? < value {
            return None;
        }
    }
    for row in 0..rows {
        if Fraction::dot(columns_all.iter().zip(&entries[row * columns..]))? > value {
            return None;
        }
    }
    Some(ExactEquilibrium { value, rows: rows_all, columns: columns_all })
}

/// The mixed strategy over the actions `own` against which all of `others` have the same payoff, with that payoff.
/// `None` if there is none, more than one, or an overflow.
///
/// `at` returns the payoff for one of `own` and one of `others`; there must be equally many of both.
pub(crate) fn exact_mix(
    own: &[usize],
    others: &[usize],
    at: impl Fn(usize, usize) -> Fraction,
) -> Option<(Vec<Fraction>, Fraction)> {
    let size = own.len();
    if size == 0 || size != others.len() {
        return None;
    }
    // Subtracting the first equation from the others removes the payoff from them: `size` equations remain.
    let mut system: Vec<Vec<Fraction>> = Vec::with_capacity(size);
    for &other in &others[1..] {
        let mut equation = Vec::with_capacity(size + 1);
        for &action in own {
            equation.push(at(action, other).minus(&at(action, others[0]))?);
        }
        equation.push(Fraction::ZERO);
        system.push(equation);
    }
    system.push(vec![Fraction::ONE; size + 1]);
    for step in 0..size {
        let pivot_row = (step..size).find(|&row| !system[row][step].is_zero())?;
        system.swap(step, pivot_row);
        let pivot = system[step][step];
        for cell in &mut system[step][step..] {
            *cell = cell.over(&pivot)?;
        }
        let pivot_cells = system[step].clone();
        for (index, cells) in system.iter_mut().enumerate() {
            let factor = cells[step];
            if index == step || factor.is_zero() {
                continue;
            }
            for (cell, pivot) in cells[step..].iter_mut().zip(&pivot_cells[step..]) {
                *cell = cell.minus(&factor.times(pivot)?)?;
            }
        }
    }
    let mix: Vec<Fraction> = system.iter().map(|equation| equation[size]).collect();
    if mix.iter().any(Fraction::is_negative) {
        return None;
    }
    let payoffs: Vec<Fraction> = own.iter().map(|&action| at(action, others[0])).collect();
    let payoff = Fraction::dot(mix.iter().zip(&payoffs))?;
    Some((mix, payoff))
}

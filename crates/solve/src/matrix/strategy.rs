//! How good strategies are against their worst opponents.

use super::PayoffMatrix;

/// The payoff of each row against the column player's mixed strategy, written to `out`.
pub fn row_payoffs(matrix: &PayoffMatrix, columns: &[f64], out: &mut Vec<f64>) {
    debug_assert_eq!(columns.len(), matrix.columns());
    out.clear();
    out.extend((0..matrix.rows()).map(|row| dot(matrix.row(row), columns)));
}

/// The payoff of each column against the row player's mixed strategy, written to `out`.
pub fn column_payoffs(matrix: &PayoffMatrix, rows: &[f64], out: &mut Vec<f64>) {
    debug_assert_eq!(rows.len(), matrix.rows());
    out.clear();
    out.resize(matrix.columns(), 0.0);
    for (row, &share) in rows.iter().enumerate() {
        if share != 0.0 {
            out.iter_mut().zip(matrix.row(row)).for_each(|(sum, entry)| *sum += share * entry);
        }
    }
}

/// Four sums at once, because a single chain of additions would have to wait for each result.
#[inline]
fn dot(one: &[f64], two: &[f64]) -> f64 {
    let (one_chunks, two_chunks) = (one.chunks_exact(4), two.chunks_exact(4));
    let rest: f64 = one_chunks.remainder().iter().zip(two_chunks.remainder()).map(|(a, b)| a * b).sum();
    let mut sums = [0.0; 4];
    for (a, b) in one_chunks.zip(two_chunks) {
        for lane in 0..4 {
            sums[lane] += a[lane] * b[lane];
        }
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
}

/// The greatest of the values, four at once; −∞ for none.
pub fn greatest(values: &[f64]) -> f64 {
    let larger = |one: f64, two: f64| if two > one { two } else { one };
    let chunks = values.chunks_exact(4);
    let rest = chunks.remainder().iter().fold(f64::NEG_INFINITY, |best, &value| larger(best, value));
    let mut best = [rest; 4];
    for chunk in chunks {
        for lane in 0..4 {
            best[lane] = larger(best[lane], chunk[lane]);
        }
    }
    larger(larger(best[0], best[1]), larger(best[2], best[3]))
}

/// The index of the first of the greatest values.
pub fn first_greatest(values: &[f64]) -> usize {
    let most = greatest(values);
    values.iter().position(|&value| value == most).unwrap_or(0)
}

pub(super) fn least(values: &[f64]) -> f64 {
    values.iter().fold(f64::INFINITY, |best, &value| if value < best { value } else { best })
}

/// The least payoff of the row player in a zero-sum game with the strategy `rows`, and the greatest against the
/// strategy `columns`.
///
/// The value of the game lies between the two, whatever the strategies.
pub fn guarantee(matrix: &PayoffMatrix, rows: &[f64], columns: &[f64]) -> (f64, f64) {
    let mut payoffs = Vec::new();
    column_payoffs(matrix, rows, &mut payoffs);
    let at_least = least(&payoffs);
    row_payoffs(matrix, columns, &mut payoffs);
    (at_least, greatest(&payoffs))
}

/// The exploitability of two mixed strategies of a zero-sum game: what best responses to both gain together.
///
/// It is 0 in an equilibrium. Each strategy alone is at most this far from the value.
pub fn exploitability(matrix: &PayoffMatrix, rows: &[f64], columns: &[f64]) -> f64 {
    let (at_least, at_most) = guarantee(matrix, rows, columns);
    (at_most - at_least).max(0.0)
}

/// What each player of a bimatrix game could gain by the best response to the other's strategy; both 0 in an
/// equilibrium.
pub fn regrets(first: &PayoffMatrix, second: &PayoffMatrix, rows: &[f64], columns: &[f64]) -> [f64; 2] {
    let mut payoffs = Vec::new();
    row_payoffs(first, columns, &mut payoffs);
    let first_regret = greatest(&payoffs) - dot(&payoffs, rows);
    column_payoffs(second, rows, &mut payoffs);
    let second_regret = greatest(&payoffs) - dot(&payoffs, columns);
    [first_regret.max(0.0), second_regret.max(0.0)]
}

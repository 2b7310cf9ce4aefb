//! A plain solver of zero-sum matrix games, the reference for this crate's tests of simultaneous games.

use std::collections::HashMap;

use tesuji_core::{Actor, Game, Player, Turn, legal_actions};

/// The solution of a matrix game: its value to the row player, and an optimal mixed strategy of each player.
pub(crate) struct Solution {
    pub(crate) value: f64,
    pub(crate) rows: Vec<f64>,
    pub(crate) columns: Vec<f64>,
}

/// Solves the game in which the row player gets `matrix[row][column]` and the column player pays it.
///
/// It uses the simplex method: with all entries made positive, the maximum sum of y with A y ≤ 1 is 1 / value, and y
/// normalised is the column player's mixed strategy. Bland's rule prevents cycling.
pub(crate) fn solve(matrix: &[Vec<f64>]) -> Solution {
    const TINY: f64 = 1e-11;
    let (m, n) = (matrix.len(), matrix[0].len());
    let least = matrix.iter().flatten().copied().fold(f64::INFINITY, f64::min);
    let shift = 1.0 - least;
    // Columns: n variables, m slacks, the right side. The last row holds the objective.
    let mut tableau: Vec<Vec<f64>> = (0..=m)
        .map(|row| {
            (0..=n + m)
                .map(|column| match () {
                    () if row < m && column < n => matrix[row][column] + shift,
                    () if row < m && column < n + m => f64::from(u8::from(column - n == row)),
                    () if row < m => 1.0,
                    () => -f64::from(u8::from(column < n)),
                })
                .collect()
        })
        .collect();
    let mut basis: Vec<usize> = (n..n + m).collect();
    while let Some(entering) = (0..n + m).find(|&column| tableau[m][column] < -TINY) {
        let ratio = |row: &usize| tableau[*row][n + m] / tableau[*row][entering];
        let leaving = (0..m)
            .filter(|&row| tableau[row][entering] > TINY)
            .min_by(|a, b| ratio(a).total_cmp(&ratio(b)).then(basis[*a].cmp(&basis[*b])))
            .expect("a positive matrix bounds the objective");
        let pivot = tableau[leaving][entering];
        tableau[leaving].iter_mut().for_each(|entry| *entry /= pivot);
        let pivot_row = tableau[leaving].clone();
        for (row, entries) in tableau.iter_mut().enumerate() {
            let factor = entries[entering];
            if row != leaving && factor != 0.0 {
                entries.iter_mut().zip(&pivot_row).for_each(|(entry, pivot)| *entry -= factor * pivot);
            }
        }
        basis[leaving] = entering;
    }
    let scale = 1.0 / tableau[m][n + m];
    let mut columns = vec![0.0; n];
    for (row, &variable) in basis.iter().enumerate() {
        if variable < n {
            columns[variable] = tableau[row][n + m] * scale;
        }
    }
    let rows = (n..n + m).map(|column| tableau[m][column] * scale).collect();
    Solution { value: scale - shift, rows, columns }
}

/// The least payoff of the row player with the mixed strategy `rows`.
pub(crate) fn guaranteed(matrix: &[Vec<f64>], rows: &[f64]) -> f64 {
    let against = |column: usize| matrix.iter().zip(rows).map(|(row, share)| row[column] * share).sum::<f64>();
    (0..matrix[0].len()).map(against).fold(f64::INFINITY, f64::min)
}

#[test]
fn known_games_are_solved() {
    let cases: [(&[&[f64]], f64); 4] = [
        (&[&[1.0, -1.0], &[-1.0, 1.0]], 0.0),
        (&[&[0.0, -1.0, 1.0], &[1.0, 0.0, -1.0], &[-1.0, 1.0, 0.0]], 0.0),
        (&[&[3.0, 1.0], &[0.0, 2.0]], 1.5),
        (&[&[0.5, 0.5, 1.0], &[0.5, 0.0, 1.0]], 0.5),
    ];
    for (matrix, value) in cases {
        let matrix: Vec<Vec<f64>> = matrix.iter().map(|row| row.to_vec()).collect();
        let solution = solve(&matrix);
        assert!((solution.value - value).abs() < 1e-12, "{matrix:?}: {}", solution.value);
        assert!((guaranteed(&matrix, &solution.rows) - value).abs() < 1e-12, "{matrix:?}: {:?}", solution.rows);
        assert!((solution.columns.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    }
}

/// The matrix of a state in which both players choose at once: the first player's values by backward induction.
pub(crate) fn matrix_of<G: Game>(game: &G, state: &G::State, known: &mut HashMap<G::State, f64>) -> Vec<Vec<f64>> {
    let actions = [0, 1].map(|seat| legal_actions(game, state, Actor::Player(Player(seat))));
    let entry = |joint: [G::Action; 2], known: &mut _| {
        let mut next = state.clone();
        game.apply(&mut next, &joint);
        value_of(game, &next, known)
    };
    actions[0].iter().map(|&a| actions[1].iter().map(|&b| entry([a, b], known)).collect()).collect()
}

/// The first player's value of a state, by backward induction over joint moves.
pub(crate) fn value_of<G: Game>(game: &G, state: &G::State, known: &mut HashMap<G::State, f64>) -> f64 {
    if game.turn(state) == Turn::Over {
        return game.payoff(state, Player(0));
    }
    if let Some(&value) = known.get(state) {
        return value;
    }
    let value = solve(&matrix_of(game, state, known)).value;
    known.insert(state.clone(), value);
    value
}

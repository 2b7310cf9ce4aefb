//! Equilibria of small bimatrix games by support enumeration.
//!
//! In a nondegenerate game both players of an equilibrium use equally many actions and are indifferent among them
//! (Porter, Nudelman and Shoham, "Simple search methods for finding a Nash equilibrium", 2008, prune the same
//! enumeration). So all equilibria of such games are found. Degenerate games may have infinitely many equilibria, of
//! which those on supports of equal size are found.

use super::strategy::regrets;
use super::{Fraction, lemke_howson};
use super::{PayoffMatrix, exact_mix};

/// A Nash equilibrium: mixed strategies that are best responses to each other.
#[derive(Clone, PartialEq, Debug)]
pub struct BimatrixEquilibrium {
    /// The payoff of each player.
    pub values: [f64; 2],
    /// The first player's mixed strategy.
    pub rows: Vec<f64>,
    /// The second player's mixed strategy.
    pub columns: Vec<f64>,
    /// What each player could gain by another action: 0 except for rounding.
    pub regrets: [f64; 2],
    /// The mixed strategies as fractions, if these fit 128 bits.
    pub exact: Option<[Vec<Fraction>; 2]>,
}

impl BimatrixEquilibrium {
    /// Measures mixes of a game.
    pub(super) fn measured(
        first: &PayoffMatrix,
        second: &PayoffMatrix,
        rows: Vec<f64>,
        columns: Vec<f64>,
    ) -> BimatrixEquilibrium {
        let value = |matrix: &PayoffMatrix| {
            let of_row = |row: usize| matrix.row(row).iter().zip(&columns).map(|(a, b)| a * b).sum::<f64>();
            rows.iter().enumerate().map(|(row, share)| share * of_row(row)).sum()
        };
        let values = [value(first), value(second)];
        let regrets = regrets(first, second, &rows, &columns);
        BimatrixEquilibrium { values, rows, columns, regrets, exact: None }
    }
}

/// The number of support pairs that [`support_equilibria`] would try: the ways to choose equally many rows and columns.
pub fn support_count(rows: usize, columns: usize) -> f64 {
    let choose = |all: usize, chosen: usize| {
        (0..chosen).fold(1.0, |product, index| product * (all - index) as f64 / (index + 1) as f64)
    };
    (1..=rows.min(columns)).map(|size| choose(rows, size) * choose(columns, size)).sum()
}

/// All equilibria on supports of equal size, small supports first; if a degenerate game has none, one by
/// [`lemke_howson`].
///
/// Entries are interpreted as simple fractions ([`Fraction::near`]), so that ties are recognised as ties. A pair of
/// supports whose fractions overflow is skipped.
pub fn support_equilibria(first: &PayoffMatrix, second: &PayoffMatrix) -> Vec<BimatrixEquilibrium> {
    let mut found = Vec::new();
    let fractions = |matrix: &PayoffMatrix| matrix.entries().iter().map(|&entry| Fraction::near(entry)).collect();
    let tables: [Option<Vec<Fraction>>; 2] = [fractions(first), fractions(second)];
    if let [Some(one), Some(two)] = &tables {
        let (height, width) = (first.rows(), first.columns());
        for size in 1..=height.min(width) {
            each_subset(height, size, &mut |rows| {
                each_subset(width, size, &mut |columns| {
                    found.extend(on_supports([one, two], (height, width), rows, columns));
                });
            });
        }
    }
    let mut equilibria: Vec<BimatrixEquilibrium> = found
        .into_iter()
        .map(|mixes: [Vec<Fraction>; 2]| {
            let [rows, columns] = [0, 1].map(|side| mixes[side].iter().map(|share| share.to_f64()).collect());
            BimatrixEquilibrium { exact: Some(mixes), ..BimatrixEquilibrium::measured(first, second, rows, columns) }
        })
        .collect();
    if equilibria.is_empty() {
        equilibria.extend(lemke_howson(first, second, 0));
    }
    equilibria
}

/// The equilibrium that uses exactly the actions `rows` and `columns`.
fn on_supports(
    [first, second]: [&[Fraction]; 2],
    (height, width): (usize, usize),
    rows: &[usize],
    columns: &[usize],
) -> Option<[Vec<Fraction>; 2]> {
    let (row_mix, second_value) = exact_mix(rows, columns, |row, column| second[row * width + column])?;
    let (column_mix, first_value) = exact_mix(columns, rows, |column, row| first[row * width + column])?;
    if row_mix.iter().chain(&column_mix).any(Fraction::is_zero) {
        return None;
    }
    for row in 0..height {
        if Fraction::dot(columns.iter().zip(&column_mix).map(|(&column, share)| (share, &first[row * width + column])))?
            > first_value
        {
            return None;
        }
    }
    for column in 0..width {
        if Fraction::dot(rows.iter().zip(&row_mix).map(|(&row, share)| (share, &second[row * width + column])))?
            > second_value
        {
            return None;
        }
    }
    let mut mixes = [vec![Fraction::ZERO; height], vec![Fraction::ZERO; width]];
    rows.iter().zip(row_mix).for_each(|(&row, share)| mixes[0][row] = share);
    columns.iter().zip(column_mix).for_each(|(&column, share)| mixes[1][column] = share);
    Some(mixes)
}

/// Visits the subsets of `0..all` with `size` members, in lexicographic order.
fn each_subset(all: usize, size: usize, visit: &mut dyn FnMut(&[usize])) {
    let mut members: Vec<usize> = (0..size).collect();
    loop {
        visit(&members);
        let Some(place) = (0..size).rev().find(|&place| members[place] < all - size + place) else { return };
        members[place] += 1;
        for later in place + 1..size {
            members[later] = members[later - 1] + 1;
        }
    }
}

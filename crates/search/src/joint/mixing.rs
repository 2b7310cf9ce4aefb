//! Mixed strategies of a pair of tables, computed from scratch or from those of slightly different tables.

use super::figure3::Figure3;
use crate::matrix::{MatrixSolver, PayoffMatrix, RegretMatching, RegretRule};
#[cfg(test)]
use crate::matrix::{guarantee, regrets};

/// How mixed strategies are computed in a pair of tables of estimates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NashMethod {
    /// The approximation of paper 004, figure 3: an equilibrium of both players' tables.
    Figure3,
    /// A linear program for each player: it secures the most that its own table allows, whatever the other wants. In
    /// constant-sum tables that is an equilibrium; with optimistic tables each player plays the equilibrium of its own
    /// (O'Donoghue, Lattimore and Osband, "Matrix games with bandit feedback", 2021).
    Program,
    /// Regret matching+ on both players' tables.
    Regret,
}

/// The most rounds of figure 3 and of regret matching: on a table of a new shape, and on a slightly changed one. After
/// the last round the mixes are used as they are; on a table that keeps changing, the rounds of many small changes add
/// up.
const MOST_ROUNDS: [u32; 2] = [4_096, 16];

/// Maintains the mixed strategies of two tables.
#[derive(Clone, Debug)]
pub(super) struct Mixer {
    method: NashMethod,
    tolerance: f64,
    /// The payoffs of each player, in rows of the first player.
    tables: [PayoffMatrix; 2],
    /// The negated table of the second player, for the linear programs.
    negated: PayoffMatrix,
    figure3: Figure3,
    solvers: [MatrixSolver; 2],
    regret: Option<RegretMatching>,
    mixes: [Vec<f64>; 2],
}

impl Mixer {
    /// A mixer without tables. `tolerance` is what a player may gain by deviating from a mix.
    pub(super) fn new(method: NashMethod, tolerance: f64) -> Mixer {
        Mixer {
            method,
            tolerance,
            tables: [PayoffMatrix::filled(1, 1, 0.0), PayoffMatrix::filled(1, 1, 0.0)],
            negated: PayoffMatrix::filled(1, 1, 0.0),
            figure3: Figure3::default(),
            solvers: [MatrixSolver::new(), MatrixSolver::new()],
            regret: None,
            mixes: [vec![1.0], vec![1.0]],
        }
    }

    /// The mixes of both players.
    #[inline]
    pub(super) fn mixes(&self) -> [&[f64]; 2] {
        [&self.mixes[0], &self.mixes[1]]
    }

    /// How mixes are computed.
    pub(super) fn method(&self) -> NashMethod {
        self.method
    }

    /// The rows' and the columns' mix by which the table of `player` is judged. A linear program has an opponent of its
    /// own.
    #[inline]
    pub(super) fn judged(&self, player: usize) -> [&[f64]; 2] {
        match self.method {
            NashMethod::Program => {
                let solution = self.solvers[player].solution();
                [&solution.rows, &solution.columns]
            }
            _ => self.mixes(),
        }
    }

    /// Computes the mixes of tables with these entries, row by row. Nobody can then gain more than half the tolerance,
    /// so that the tables may change a little while the mixes are used.
    pub(super) fn refresh(&mut self, rows: usize, columns: usize, entries: [impl Iterator<Item = f64>; 2]) {
        for (table, entries) in self.tables.iter_mut().zip(entries) {
            table.refill(rows, columns, entries);
        }
        let tolerance = 0.5 * self.tolerance;
        match self.method {
            NashMethod::Figure3 => {
                self.figure3.run([&self.tables[0], &self.tables[1]], tolerance, MOST_ROUNDS);
                for (mix, average) in self.mixes.iter_mut().zip(self.figure3.averages()) {
                    copy(mix, average);
                }
            }
            NashMethod::Program => {
                self.negated.refill(rows, columns, self.tables[1].entries().iter().map(|entry| -entry));
                copy(&mut self.mixes[0], &self.solvers[0].refresh(&self.tables[0], tolerance).rows);
                copy(&mut self.mixes[1], &self.solvers[1].refresh(&self.negated, tolerance).columns);
            }
            NashMethod::Regret => self.learn(tolerance),
        }
    }

    fn learn(&mut self, tolerance: f64) {
        let shape = |table: &PayoffMatrix| (table.rows(), table.columns());
        let (learner, rounds) = match &mut self.regret {
            Some(known) if shape(known.tables()[0]) == shape(&self.tables[0]) => {
                let columns = self.tables[0].columns();
                for place in 0..self.tables[0].entries().len() {
                    let payoffs = [0, 1].map(|player| self.tables[player].entries()[place]);
                    known.set(place / columns, place % columns, payoffs);
                }
                // What was learned on the old table is a starting point, not the truth.
                known.forget(0.5);
                (known, MOST_ROUNDS[1])
            }
            slot => {
                let [first, second] = self.tables.clone();
                (slot.insert(RegretMatching::bimatrix(RegretRule::Plus, first, second)), MOST_ROUNDS[0])
            }
        };
        for _ in 0..rounds / 8 {
            learner.iterate(8);
            let [first, second] = learner.regrets();
            if first.max(second) <= tolerance {
                break;
            }
        }
        for (mix, average) in self.mixes.iter_mut().zip(learner.averages()) {
            copy(mix, average);
        }
    }

    /// The most that a player could gain by another mix in tables with these entries, row by row: against the other's
    /// mix, or for linear programs against the worst case.
    #[cfg(test)]
    pub(super) fn distance(&self, tables: [&PayoffMatrix; 2]) -> f64 {
        match self.method {
            NashMethod::Program => {
                let value = |table: &PayoffMatrix| MatrixSolver::new().solve(table).value;
                let negated = tables[1].negated();
                let least = guarantee(tables[0], &self.mixes[0], &self.mixes[1]).0;
                let most = guarantee(&negated, &self.mixes[0], &self.mixes[1]).1;
                (value(tables[0]) - least).max(most - value(&negated))
            }
            _ => {
                let [first, second] = regrets(tables[0], tables[1], &self.mixes[0], &self.mixes[1]);
                first.max(second)
            }
        }
    }

    /// The expected payoff of each player, in the tables for which the mixes were computed.
    pub(super) fn values(&self) -> [f64; 2] {
        [0, 1].map(|player| {
            let table = &self.tables[player];
            let row = |row: usize| table.row(row).iter().zip(&self.mixes[1]).map(|(entry, share)| entry * share);
            self.mixes[0].iter().enumerate().map(|(index, share)| share * row(index).sum::<f64>()).sum()
        })
    }
}

fn copy(to: &mut Vec<f64>, from: &[f64]) {
    to.clear();
    to.extend_from_slice(from);
}

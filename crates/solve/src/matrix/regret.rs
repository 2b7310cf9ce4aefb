//! Regret matching: plays each action in proportion to its positive regret.
//!
//! Hart and Mas-Colell ("A simple adaptive procedure leading to correlated equilibrium", 2000). Regret matching+
//! (Tammelin, "Solving large imperfect information games using CFR+", 2014) never lets a regret fall below 0, updates
//! the players in turn, and weights later strategies more. In zero-sum games the average strategies converge to an
//! equilibrium: at the rate 1 / √iterations guaranteed, and about 1 / iterations in practice for the second rule. In
//! other games they approach the set of correlated equilibria and need not be an equilibrium.
//!
//! Entries may change at any time ([`RegretMatching::set`]). What was learned stays, so a few iterations follow a table
//! that changes slowly. [`RegretMatching::forget`] reduces the weight of old experience.

use super::PayoffMatrix;
use super::strategy::{column_payoffs, regrets, row_payoffs};

/// How regrets are accumulated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RegretRule {
    /// Unchanged; all strategies have equal weight.
    Plain,
    /// Never below 0; strategy number t has weight t.
    Plus,
}

/// Two players who learn by regret matching, each with its own table of payoffs.
#[derive(Clone, Debug)]
pub struct RegretMatching {
    rule: RegretRule,
    /// The first player's payoffs, one row for each of its actions.
    first: PayoffMatrix,
    /// The second player's payoffs, in the same order.
    second: PayoffMatrix,
    regrets: [Vec<f64>; 2],
    current: [Vec<f64>; 2],
    /// Sums of weighted strategies.
    sums: [Vec<f64>; 2],
    averages: [Vec<f64>; 2],
    iterations: u64,
    payoffs: Vec<f64>,
}

impl RegretMatching {
    /// Players without experience on a zero-sum table of the row player's payoffs.
    pub fn zero_sum(rule: RegretRule, matrix: PayoffMatrix) -> RegretMatching {
        let second = matrix.negated();
        RegretMatching::bimatrix(rule, matrix, second)
    }

    /// Players without experience, each with its own table.
    ///
    /// # Panics
    /// If the tables differ in shape.
    pub fn bimatrix(rule: RegretRule, first: PayoffMatrix, second: PayoffMatrix) -> RegretMatching {
        assert_eq!((first.rows(), first.columns()), (second.rows(), second.columns()), "tables of one game");
        let sizes = [first.rows(), first.columns()];
        let zeros = || sizes.map(|size| vec![0.0; size]);
        let even = || sizes.map(|size| vec![1.0 / size as f64; size]);
        RegretMatching {
            rule,
            first,
            second,
            regrets: zeros(),
            current: even(),
            sums: zeros(),
            averages: even(),
            iterations: 0,
            payoffs: Vec::new(),
        }
    }

    /// Changes both players' payoffs in one cell.
    #[inline]
    pub fn set(&mut self, row: usize, column: usize, payoffs: [f64; 2]) {
        self.first.set(row, column, payoffs[0]);
        self.second.set(row, column, payoffs[1]);
    }

    /// The tables of the two players.
    pub fn tables(&self) -> [&PayoffMatrix; 2] {
        [&self.first, &self.second]
    }

    /// The number of iterations so far.
    pub fn iterations(&self) -> u64 {
        self.iterations
    }

    /// Runs `count` more iterations.
    pub fn iterate(&mut self, count: u32) {
        for _ in 0..count {
            self.iterations += 1;
            // In regret matching+ the second player responds to the first one's new strategy, in plain regret matching
            // to the old one.
            let [mut rows, columns] = self.current.clone();
            self.learn(0, &columns);
            if self.rule == RegretRule::Plus {
                rows.copy_from_slice(&self.current[0]);
            }
            self.learn(1, &rows);
        }
        for (average, sum) in self.averages.iter_mut().zip(&self.sums) {
            proportion(sum, average);
        }
    }

    /// Updates one player against the other's strategy.
    fn learn(&mut self, side: usize, other: &[f64]) {
        let mut payoffs = std::mem::take(&mut self.payoffs);
        if side == 0 {
            row_payoffs(&self.first, other, &mut payoffs);
        } else {
            column_payoffs(&self.second, other, &mut payoffs);
        }
        let mean: f64 = payoffs.iter().zip(&self.current[side]).map(|(payoff, share)| payoff * share).sum();
        for (regret, payoff) in self.regrets[side].iter_mut().zip(&payoffs) {
            *regret += payoff - mean;
            if self.rule == RegretRule::Plus && *regret < 0.0 {
                *regret = 0.0;
            }
        }
        proportion(&self.regrets[side], &mut self.current[side]);
        let weight = if self.rule == RegretRule::Plus { self.iterations as f64 } else { 1.0 };
        for (sum, share) in self.sums[side].iter_mut().zip(&self.current[side]) {
            *sum += weight * share;
        }
        self.payoffs = payoffs;
    }

    /// Multiplies the weight of all experience so far by `share` (0 to 1).
    pub fn forget(&mut self, share: f64) {
        for list in self.regrets.iter_mut().chain(&mut self.sums) {
            list.iter_mut().for_each(|entry| *entry *= share);
        }
    }

    /// The average strategies, which converge to an equilibrium.
    pub fn averages(&self) -> [&[f64]; 2] {
        [&self.averages[0], &self.averages[1]]
    }

    /// The current strategies.
    pub fn current(&self) -> [&[f64]; 2] {
        [&self.current[0], &self.current[1]]
    }

    /// What each player could gain by the best response to the other's average: both 0 in an equilibrium.
    pub fn regrets(&self) -> [f64; 2] {
        regrets(&self.first, &self.second, &self.averages[0], &self.averages[1])
    }
}

/// The positive parts, normalised; uniform if there are none.
fn proportion(weights: &[f64], shares: &mut [f64]) {
    let total: f64 = weights.iter().map(|weight| weight.max(0.0)).sum();
    if total > 0.0 {
        let scale = 1.0 / total;
        shares.iter_mut().zip(weights).for_each(|(share, weight)| *share = weight.max(0.0) * scale);
    } else {
        shares.fill(1.0 / weights.len() as f64);
    }
}

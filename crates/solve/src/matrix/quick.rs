//! Approximate equilibria of many small zero-sum tables, as fast as possible.
//!
//! Predictive regret matching+ (Farina, Kroer and Sandholm, "Faster game solving via predictive Blackwell
//! approachability", 2021): regret matching+ in which each player expects the other to repeat itself. Players learn in
//! turn, and the average weights strategy number t by t². Numbers are 32-bit floats, actions that are not played cost
//! nothing, and nothing is allocated once the buffers have grown. The result is the same on every machine.

/// The width to which rows are padded with zeros.
const LANES: usize = 8;
/// Iterations between two tests of the tolerance.
const TEST_EVERY: u32 = 20;

/// Finds approximate equilibria of zero-sum tables, and reuses its memory.
#[derive(Clone, Debug, Default)]
pub struct QuickSolver {
    /// The sides: the first player's payoffs seen from its rows, and the second player's seen from its columns.
    sides: [Side; 2],
    value: f32,
    gap: f32,
}

/// One player.
#[derive(Clone, Debug, Default)]
struct Side {
    /// The number of actions.
    count: usize,
    /// The number of actions, padded.
    width: usize,
    /// For each action of the other player a row with the payoffs of one's own actions, padded.
    payoffs: Vec<f32>,
    regrets: Vec<f32>,
    current: Vec<f32>,
    sums: Vec<f32>,
    average: Vec<f32>,
    /// Payoffs against the other's strategy.
    faced: Vec<f32>,
}

impl QuickSolver {
    /// A solver without memory.
    pub fn new() -> QuickSolver {
        QuickSolver::default()
    }

    /// Solves a table of the first player's payoffs, row by row, and returns the first player's expected payoff. It
    /// stops when no player could gain more than `tolerance` by deviating, or after `iterations`.
    ///
    /// # Panics
    /// If the number of entries is not `rows` × `columns`, or 0.
    pub fn solve(&mut self, rows: usize, columns: usize, entries: &[f32], tolerance: f32, iterations: u32) -> f32 {
        assert!(!entries.is_empty() && entries.len() == rows * columns, "{rows} × {columns}");
        self.fill(rows, columns, entries);
        if rows == 1 || columns == 1 || !(rows == 2 && columns == 2 && self.solve_four(entries)) {
            self.learn(tolerance, if rows == 1 || columns == 1 { 1 } else { iterations });
        }
        self.value
    }

    /// The strategies that the last call of [`solve`](QuickSolver::solve) found.
    pub fn strategies(&self) -> [&[f32]; 2] {
        [&self.sides[0].average[..self.sides[0].count], &self.sides[1].average[..self.sides[1].count]]
    }

    /// The sum of what both players could gain by deviating from these strategies.
    pub fn gap(&self) -> f32 {
        self.gap
    }

    fn fill(&mut self, rows: usize, columns: usize, entries: &[f32]) {
        let [first, second] = &mut self.sides;
        first.reset(rows, columns);
        second.reset(columns, rows);
        for (row, line) in entries.chunks_exact(columns).enumerate() {
            for (column, &entry) in line.iter().enumerate() {
                first.payoffs[column * first.width + row] = entry;
                second.payoffs[row * second.width + column] = -entry;
            }
        }
    }

    /// Two actions each without a saddle point: both make the other indifferent.
    fn solve_four(&mut self, entries: &[f32]) -> bool {
        let &[a, b, c, d] = entries else { return false };
        let saddle = (a.min(b)).max(c.min(d)) >= (a.max(c)).min(b.max(d));
        if saddle {
            return false;
        }
        let sum = (a - b) + (d - c);
        let (row, column) = ((d - c) / sum, (d - b) / sum);
        self.sides[0].average[..2].copy_from_slice(&[row, 1.0 - row]);
        self.sides[1].average[..2].copy_from_slice(&[column, 1.0 - column]);
        self.value = row * a + (1.0 - row) * c;
        self.gap = 0.0;
        true
    }

    fn learn(&mut self, tolerance: f32, iterations: u32) {
        // A player without a choice: the other takes its best action.
        if let Some(lone) = (0..2).find(|&side| self.sides[side].count == 1) {
            let [side, other] = [lone, 1 - lone];
            self.sides[side].average[0] = 1.0;
            let chooser = &mut self.sides[other];
            let (best, payoff) = greatest(&chooser.payoffs[..chooser.count]);
            chooser.average.fill(0.0);
            chooser.average[best] = 1.0;
            (self.value, self.gap) = (if other == 0 { payoff } else { -payoff }, 0.0);
            return;
        }
        for iteration in 1..=iterations.max(1) {
            let weight = (iteration * iteration) as f32;
            let [first, second] = &mut self.sides;
            first.step(second, weight);
            second.step(first, weight);
            if (iteration % TEST_EVERY == 0 || iteration == iterations) && self.test() <= tolerance {
                break;
            }
        }
    }

    /// Computes averages, value and gap.
    fn test(&mut self) -> f32 {
        for side in &mut self.sides {
            let total: f32 = side.sums[..side.count].iter().sum();
            let scale = 1.0 / total;
            side.average.iter_mut().zip(&side.sums).for_each(|(average, sum)| *average = sum * scale);
        }
        let [first, second] = &mut self.sides;
        first.face(&second.average);
        second.face(&first.average);
        let bests = self.sides.each_ref().map(|side| greatest(&side.faced[..side.count]).1);
        self.value = dot(&self.sides[0].average, &self.sides[0].faced);
        self.gap = bests[0] + bests[1];
        self.gap
    }
}

impl Side {
    fn reset(&mut self, count: usize, others: usize) {
        (self.count, self.width) = (count, count.next_multiple_of(LANES));
        for (list, length) in [(&mut self.payoffs, others * self.width)].into_iter().chain(
            [&mut self.regrets, &mut self.sums, &mut self.average, &mut self.faced].map(|list| (list, self.width)),
        ) {
            list.clear();
            list.resize(length, 0.0);
        }
        self.current.clear();
        self.current.resize(self.width, 0.0);
        self.current[..count].fill(1.0 / count as f32);
    }

    /// The payoffs of all actions against a strategy of the other player.
    #[inline]
    fn face(&mut self, other: &[f32]) {
        self.faced.fill(0.0);
        for (share, row) in other.iter().zip(self.payoffs.chunks_exact(self.width)) {
            if *share > 0.0 {
                for (sum, payoff) in self.faced.as_chunks_mut::<LANES>().0.iter_mut().zip(row.as_chunks::<LANES>().0) {
                    for lane in 0..LANES {
                        sum[lane] += share * payoff[lane];
                    }
                }
            }
        }
    }

    /// Learns from the other player's strategy and changes one's own.
    fn step(&mut self, other: &Side, weight: f32) {
        self.face(&other.current);
        let mean = dot(&self.current, &self.faced);
        let mut total = 0.0;
        for index in 0..self.count {
            let gain = self.faced[index] - mean;
            let regret = (self.regrets[index] + gain).max(0.0);
            self.regrets[index] = regret;
            // The prediction: the next payoffs are those of this step.
            let predicted = (regret + gain).max(0.0);
            self.current[index] = predicted;
            total += predicted;
        }
        let even = 1.0 / self.count as f32;
        let scale = if total > 0.0 { 1.0 / total } else { 0.0 };
        for (share, sum) in self.current[..self.count].iter_mut().zip(&mut self.sums) {
            *share = if total > 0.0 { *share * scale } else { even };
            *sum += weight * *share;
        }
    }
}

/// The sum of products of two padded lists, in a fixed order.
#[inline]
fn dot(one: &[f32], other: &[f32]) -> f32 {
    let mut lanes = [0.0; LANES];
    for (one, other) in one.as_chunks::<LANES>().0.iter().zip(other.as_chunks::<LANES>().0) {
        for lane in 0..LANES {
            lanes[lane] += one[lane] * other[lane];
        }
    }
    ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]))
}

/// The first of the greatest entries, and its place.
fn greatest(list: &[f32]) -> (usize, f32) {
    let better =
        |best: (usize, f32), (index, &entry): (usize, &f32)| if entry > best.1 { (index, entry) } else { best };
    list.iter().enumerate().fold((0, f32::NEG_INFINITY), better)
}

#[cfg(test)]
mod tests {
    use tesuji_core::Rng;

    use super::*;
    use crate::matrix::{MatrixSolver, PayoffMatrix};

    #[test]
    fn values_and_strategies_agree_with_linear_programs() {
        let (mut rng, mut solver) = (Rng::new(7), QuickSolver::new());
        for (rows, columns) in [(1, 1), (1, 4), (5, 1), (2, 2), (2, 3), (3, 3), (8, 8), (13, 13), (9, 20), (51, 51)] {
            for _ in 0..10 {
                let entries: Vec<f32> = (0..rows * columns).map(|_| rng.below(101) as f32 / 100.0).collect();
                let value = solver.solve(rows, columns, &entries, 0.002, 5_000);
                let table: Vec<Vec<f64>> = entries
                    .chunks_exact(columns)
                    .map(|row| row.iter().map(|&entry| f64::from(entry)).collect())
                    .collect();
                let matrix = PayoffMatrix::from_rows(&table).unwrap();
                let exact = MatrixSolver::new().solve(&matrix).value;
                assert!((f64::from(value) - exact).abs() < 0.003, "{rows} × {columns}: {value}, exactly {exact}");
                let strategies = solver.strategies().map(|mix| mix.iter().map(|&share| f64::from(share)).collect());
                let [rows_mix, columns_mix]: [Vec<f64>; 2] = strategies;
                let (least, most) = crate::matrix::guarantee(&matrix, &rows_mix, &columns_mix);
                assert!(most - least < 0.003, "{rows} × {columns}: {least} to {most}");
                assert!((rows_mix.iter().sum::<f64>() - 1.0).abs() < 1e-5);
            }
        }
    }
}

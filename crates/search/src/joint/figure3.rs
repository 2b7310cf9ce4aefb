//! The approximation of an equilibrium in paper 004, §3.1 and figure 3.
//!
//! Both players start from uniform mixes. A player's *coefficient* of an action is its payoff against the other's mix.
//! The action with the greatest coefficient gets more probability, all others proportionally less; the mixes are
//! averaged; then it is the other player's turn. The averages are the result. The method belongs to the family of
//! fictitious play and accepts tables of any sum, one table per player.
//!
//! Choices where the paper is silent: the best action gains a tenth of what it lacks to 1 ([`STEP`]); "the averages
//! change no more" is judged by what a player could still gain by another strategy, checked every [`LOOK_EVERY`]
//! rounds. On a slightly changed table it continues from the previous mixes.
//!
//! A round touches a row or column of each table, not all of it. With the step a and the mixes m₀, m₁, …, mₜ, where m
//! changes by a·(e − m) towards the best action e, the sum m₁ + … + mₜ is the number of times each action was best plus
//! (m₀ − mₜ)·(1 − a) / a: no sum of mixes need be kept. Sums of coefficients give what actions bring against the
//! averages.

use crate::matrix::{PayoffMatrix, column_payoffs, first_greatest, greatest, row_payoffs};

/// How far a mix moves towards the best action in one round.
const STEP: f64 = 0.1;
/// Rounds between two checks of the possible gain.
const LOOK_EVERY: u32 = 8;
/// The weight of the old averages on a changed table, in rounds. With this and 16 rounds at most (see `mixing`) the
/// distance kept in the searches of MSUCB1 on 6×6 was within a tenth of that with 64 rounds, at a quarter of their
/// cost; longer memories lag behind the table.
const OLD_ROUNDS: u32 = 8;

/// One player's part of the approximation.
#[derive(Clone, Debug, Default)]
struct Side {
    mix: Vec<f64>,
    average: Vec<f64>,
    /// The mix and the average when the run began.
    old: [Vec<f64>; 2],
    /// The payoff of each action against the other's mix.
    coefficients: Vec<f64>,
    /// The payoff of each action against the other's average, times the number of rounds in the average.
    sums: Vec<f64>,
    /// How often each action was best.
    best: Vec<f64>,
}

/// The state of the approximation.
#[derive(Clone, Debug, Default)]
pub(super) struct Figure3 {
    sides: [Side; 2],
}

impl Side {
    fn begin(&mut self, size: usize) {
        self.old[0].clone_from(&self.mix);
        self.old[1].clone_from(&self.average);
        self.best.clear();
        self.best.resize(size, 0.0);
    }

    /// Moves the mix towards the action with the greatest coefficient; returns that action.
    fn step(&mut self) -> usize {
        let best = first_greatest(&self.coefficients);
        self.mix.iter_mut().for_each(|share| *share *= 1.0 - STEP);
        self.mix[best] += STEP;
        self.best[best] += 1.0;
        best
    }

    /// Updates the coefficients after the other side's mix moved towards an action with these payoffs.
    fn answer(&mut self, entries: impl Iterator<Item = f64>) {
        let known = self.coefficients.iter_mut().zip(&mut self.sums);
        for ((coefficient, sum), entry) in known.zip(entries) {
            *coefficient += STEP * (entry - *coefficient);
            *sum += *coefficient;
        }
    }

    /// Computes the average of the old one, which counts `old` rounds, and the mixes of `rounds` rounds since then.
    fn settle(&mut self, old: f64, rounds: f64) {
        let [old_mix, old_average] = &self.old;
        let part = 1.0 / (old + rounds);
        let lists = self.best.iter().zip(old_mix).zip(&self.mix).zip(old_average);
        for (average, (((best, before), after), old_average)) in self.average.iter_mut().zip(lists) {
            *average = part * (old * old_average + best + (before - after) * ((1.0 - STEP) / STEP));
        }
    }

    /// What could be gained by another strategy than the average.
    fn gain(&self, rounds: f64) -> f64 {
        let expected: f64 = self.sums.iter().zip(&self.average).map(|(sum, share)| sum * share).sum();
        (greatest(&self.sums) - expected) / rounds
    }
}

impl Figure3 {
    /// Approximates an equilibrium until no player can gain more than `tolerance`, or for a number of rounds, starting
    /// from uniform mixes or from those of the last tables. Returns what could still be gained. `tables` are the
    /// payoffs of each player, in rows of the first player.
    pub(super) fn run(&mut self, tables: [&PayoffMatrix; 2], tolerance: f64, [at_first, later]: [u32; 2]) -> f64 {
        let sizes = [tables[0].rows(), tables[0].columns()];
        let fresh = [0, 1].iter().any(|&side| self.sides[side].mix.len() != sizes[side]);
        if fresh {
            for (side, size) in self.sides.iter_mut().zip(sizes) {
                for list in [&mut side.mix, &mut side.average] {
                    list.clear();
                    list.resize(size, 1.0 / size as f64);
                }
            }
        }
        let (old, limit) = if fresh { (0.0, at_first) } else { (f64::from(OLD_ROUNDS), later) };
        let [first, second] = &mut self.sides;
        first.begin(sizes[0]);
        second.begin(sizes[1]);
        row_payoffs(tables[0], &second.average, &mut first.sums);
        column_payoffs(tables[1], &first.average, &mut second.sums);
        first.sums.iter_mut().chain(&mut second.sums).for_each(|sum| *sum *= old);
        row_payoffs(tables[0], &second.mix, &mut first.coefficients);
        column_payoffs(tables[1], &first.mix, &mut second.coefficients);
        let mut rounds = 0;
        loop {
            for _ in 0..LOOK_EVERY {
                let row = first.step();
                second.answer(tables[1].row(row).iter().copied());
                let column = second.step();
                first.answer(tables[0].entries().chunks_exact(sizes[1]).map(|row| row[column]));
            }
            rounds += LOOK_EVERY;
            let new = f64::from(rounds);
            first.settle(old, new);
            second.settle(old, new);
            let left = first.gain(old + new).max(second.gain(old + new));
            if left <= tolerance || rounds >= limit {
                return left;
            }
        }
    }

    /// The averages; empty before the first run.
    pub(super) fn averages(&self) -> [&[f64]; 2] {
        [&self.sides[0].average, &self.sides[1].average]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::regrets;
    use tesuji_core::Rng;

    /// Figure 3 as written: every coefficient from the whole table, every average from the last.
    fn plain(
        tables: [&PayoffMatrix; 2],
        mixes: &mut [Vec<f64>; 2],
        averages: &mut [Vec<f64>; 2],
        old: u32,
        rounds: u32,
    ) {
        let mut coefficients = Vec::new();
        for round in 1..=rounds {
            for side in 0..2 {
                match side {
                    0 => row_payoffs(tables[0], &mixes[1], &mut coefficients),
                    _ => column_payoffs(tables[1], &mixes[0], &mut coefficients),
                }
                let best = first_greatest(&coefficients);
                for (action, share) in mixes[side].iter_mut().enumerate() {
                    *share += STEP * (f64::from(u8::from(action == best)) - *share);
                }
                for (average, share) in averages[side].iter_mut().zip(&mixes[side]) {
                    *average += (share - *average) / f64::from(old + round);
                }
            }
        }
    }

    #[test]
    fn sums_kept_from_round_to_round_are_what_the_figure_says() {
        let mut rng = Rng::new(2);
        let (rows, columns) = (5, 8);
        let mut table = || {
            let row = |rng: &mut Rng| (0..columns).map(|_| rng.unit()).collect::<Vec<f64>>();
            PayoffMatrix::from_rows(&(0..rows).map(|_| row(&mut rng)).collect::<Vec<_>>()).unwrap()
        };
        let even = || [rows, columns].map(|size| vec![1.0 / size as f64; size]);
        let (mut mixes, mut averages) = (even(), even());
        let mut figure3 = Figure3::default();
        for (old, rounds) in [(0, 48), (OLD_ROUNDS, 16), (OLD_ROUNDS, 24)] {
            let (first, second) = (table(), table());
            let left = figure3.run([&first, &second], 0.0, [rounds; 2]);
            plain([&first, &second], &mut mixes, &mut averages, old, rounds);
            for (found, expected) in figure3.averages().into_iter().zip(&averages) {
                assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{found:?} {expected:?}");
            }
            let expected = regrets(&first, &second, &averages[0], &averages[1]);
            assert!((left - expected[0].max(expected[1])).abs() < 1e-12, "{left} {expected:?}");
        }
    }
}

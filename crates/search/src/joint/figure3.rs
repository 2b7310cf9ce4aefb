//! The approximation of an equilibrium by paper 004, §3.1 and figure 3.
//!
//! Both players start from even mixes. A player's *coefficient* of an action is what it brings against the other's mix;
//! the action with the greatest gets more probability, all others less in proportion; the mixes are averaged; then it is
//! the other player's turn. The averages are the answer. It is of the family of fictitious play and takes tables of any
//! sum, a table for each player.
//!
//! What the paper leaves open and what is done here: the best action gains a tenth of what is missing to 1
//! ([`STEP`]); "the averages change no more" is judged by what a player could still gain by another strategy, which is
//! looked at every [`LOOK_EVERY`] rounds. On a table that has changed a little it goes on from the mixes of the last.

use crate::matrix::{PayoffMatrix, column_payoffs, regrets, row_payoffs};

/// How far a mix moves towards the best action in one round.
const STEP: f64 = 0.1;
/// Rounds between two looks at what could be gained.
const LOOK_EVERY: u32 = 16;
/// On a changed table the old averages weigh as much as this many rounds.
const OLD_ROUNDS: u32 = 16;

/// The state of the approximation.
#[derive(Clone, Debug, Default)]
pub(super) struct Figure3 {
    mixes: [Vec<f64>; 2],
    averages: [Vec<f64>; 2],
    coefficients: [Vec<f64>; 2],
}

impl Figure3 {
    /// Approximates an equilibrium of the tables until no player can gain more than `tolerance`, or for so many rounds
    /// from even mixes or from the mixes of the last tables; returns what could still be gained. `tables` hold what each
    /// player gets, in rows of the first player.
    pub fn run(&mut self, tables: [&PayoffMatrix; 2], tolerance: f64, [at_first, later]: [u32; 2]) -> f64 {
        let sizes = [tables[0].rows(), tables[0].columns()];
        let fresh = [0, 1].iter().any(|&side| self.mixes[side].len() != sizes[side]);
        if fresh {
            for (side, size) in sizes.into_iter().enumerate() {
                for list in [&mut self.mixes[side], &mut self.averages[side]] {
                    list.clear();
                    list.resize(size, 1.0 / size as f64);
                }
            }
        }
        let gain = |averages: &[Vec<f64>; 2]| {
            let [first, second] = regrets(tables[0], tables[1], &averages[0], &averages[1]);
            first.max(second)
        };
        let (mut weight, limit) = if fresh { (0, at_first) } else { (OLD_ROUNDS, later) };
        let mut rounds = 0;
        loop {
            let [rows, columns] = &mut self.coefficients;
            row_payoffs(tables[0], &self.mixes[1], rows);
            column_payoffs(tables[1], &self.mixes[0], columns);
            for _ in 0..LOOK_EVERY {
                weight += 1;
                rounds += 1;
                for side in 0..2 {
                    let best = first_greatest(&self.coefficients[side]);
                    let (mix, average) = (&mut self.mixes[side], &mut self.averages[side]);
                    mix.iter_mut().for_each(|share| *share *= 1.0 - STEP);
                    mix[best] += STEP;
                    let part = 1.0 / f64::from(weight);
                    average.iter_mut().zip(&*mix).for_each(|(average, share)| *average += part * (share - *average));
                    let other = &mut self.coefficients[1 - side];
                    if side == 0 {
                        let entries = tables[1].row(best);
                        other.iter_mut().zip(entries).for_each(|(sum, entry)| *sum += STEP * (entry - *sum));
                    } else {
                        let entries = tables[0].entries()[best..].iter().step_by(sizes[1]);
                        other.iter_mut().zip(entries).for_each(|(sum, entry)| *sum += STEP * (entry - *sum));
                    }
                }
            }
            let left = gain(&self.averages);
            if left <= tolerance || rounds >= limit {
                return left;
            }
        }
    }

    /// The averages, or nothing before the first run.
    pub fn averages(&self) -> [&[f64]; 2] {
        [&self.averages[0], &self.averages[1]]
    }
}

fn first_greatest(values: &[f64]) -> usize {
    let mut best = 0;
    for (index, value) in values.iter().enumerate() {
        if *value > values[best] {
            best = index;
        }
    }
    best
}

//! Keeps mixed strategies while they are good enough.
//!
//! A playout changes one cell of a table of UCB1 values and, because ln N grows, every other cell by almost nothing.
//! Recomputing the mixes each time would take most of a search's time and change almost nothing. So [`KeptMix`] keeps
//! them and always knows exactly what a player could gain by deviating: it tracks the payoff of every action against
//! the other's mix. An entry is a mean plus the common factor c·√(2·ln N) times a bonus 1/√n. The sums over both parts
//! are stored separately, so a change of one cell changes one number in each of them, and a change of the factor
//! changes none.
//!
//! When a player could gain more than the tolerance, the mixes are recomputed, starting from the old ones, until nobody
//! can gain more than half of it.

use tesuji_core::Rng;

use super::mixing::{Mixer, NashMethod};
use crate::matrix::{PayoffMatrix, column_payoffs, row_payoffs};

/// The mixes of two players whose tables change cell by cell.
#[derive(Clone, Debug)]
pub(super) struct KeptMix {
    mixer: Mixer,
    tolerance: f64,
    /// The mean payoff of each player, in rows of the first player.
    means: [PayoffMatrix; 2],
    bonuses: PayoffMatrix,
    /// For each player, in its own table.
    brought: [Brought; 2],
    /// Whether each player's table also tracks the payoffs of the other's actions. Linear programs need both.
    both_sides: bool,
    /// Cumulative sums of the mixes.
    running: [Vec<f64>; 2],
    /// The part of the tolerance that is certainly left since the gain was last computed, at `factor`; until it is used
    /// up, no check is needed. A change of cell (i, j) by Δ changes the gain by at most |Δ|·(p(i) + q(j)), where p and
    /// q are the mixes, and a change of the factor by at most its own size.
    slack: f64,
    factor: f64,
    found: u64,
}

/// The payoffs of either side's actions in one table, against the mix of the other side.
#[derive(Clone, Debug, Default)]
struct Brought {
    rows: Parts,
    columns: Parts,
}

/// Payoffs of actions, split into means and bonuses.
#[derive(Clone, Debug, Default)]
struct Parts {
    means: Vec<f64>,
    bonuses: Vec<f64>,
}

impl Parts {
    /// The payoff of each when the bonuses count `factor`.
    fn under(&self, factor: f64) -> impl Iterator<Item = f64> {
        self.means.iter().zip(&self.bonuses).map(move |(mean, bonus)| mean + factor * bonus)
    }

    fn greatest(&self, factor: f64) -> f64 {
        self.under(factor).fold(f64::NEG_INFINITY, |most, brought| if brought > most { brought } else { most })
    }

    fn least(&self, factor: f64) -> f64 {
        self.under(factor).fold(f64::INFINITY, |least, brought| if brought < least { brought } else { least })
    }

    fn expected(&self, factor: f64, mix: &[f64]) -> f64 {
        self.under(factor).zip(mix).map(|(brought, share)| brought * share).sum()
    }

    fn change(&mut self, action: usize, mean: f64, bonus: f64) {
        self.means[action] += mean;
        self.bonuses[action] += bonus;
    }
}

impl KeptMix {
    /// Tables of this size with all means and bonuses 0.
    pub(super) fn new(method: NashMethod, tolerance: f64, [rows, columns]: [usize; 2]) -> KeptMix {
        let zeros = || PayoffMatrix::filled(rows, columns, 0.0);
        KeptMix {
            mixer: Mixer::new(method, tolerance),
            tolerance,
            means: [zeros(), zeros()],
            bonuses: zeros(),
            brought: Default::default(),
            both_sides: method == NashMethod::Program,
            running: Default::default(),
            slack: f64::NEG_INFINITY,
            factor: 0.0,
            found: 0,
        }
    }

    /// Updates a cell.
    #[inline]
    pub(super) fn set(&mut self, [row, column]: [usize; 2], means: [f64; 2], bonus: f64) {
        let bonus_change = bonus - self.bonuses.get(row, column);
        self.bonuses.set(row, column, bonus);
        let mut most = 0.0f64;
        for (player, mean) in means.into_iter().enumerate() {
            let change = mean - self.means[player].get(row, column);
            self.means[player].set(row, column, mean);
            if self.found == 0 {
                continue;
            }
            let [rows, columns] = self.mixer.judged(player);
            let brought = &mut self.brought[player];
            if player == 0 || self.both_sides {
                brought.rows.change(row, columns[column] * change, columns[column] * bonus_change);
            }
            if player == 1 || self.both_sides {
                brought.columns.change(column, rows[row] * change, rows[row] * bonus_change);
            }
            most = most.max((rows[row] + columns[column]) * (change + self.factor * bonus_change).abs());
        }
        self.slack -= most;
    }

    /// The most that a player could gain by another mix when the bonuses count `factor`.
    fn gain(&self, factor: f64) -> f64 {
        let [first, second] = &self.brought;
        let [rows, columns] = self.mixer.mixes();
        match self.mixer.method() {
            // The gap between what the two mixes of a linear program secure.
            NashMethod::Program => {
                let first = first.rows.greatest(factor) - first.columns.least(factor);
                let second = second.columns.greatest(factor) - second.rows.least(factor);
                first.max(second)
            }
            _ => {
                let first = first.rows.greatest(factor) - first.rows.expected(factor, rows);
                let second = second.columns.greatest(factor) - second.columns.expected(factor, columns);
                first.max(second)
            }
        }
    }

    /// The mixes when the bonuses count `factor`, recomputed if needed.
    #[inline]
    fn refresh(&mut self, factor: f64) {
        if self.slack - (factor - self.factor) >= 0.0 {
            return;
        }
        let mut gain = if self.found == 0 { f64::INFINITY } else { self.gain(factor) };
        if gain > self.tolerance {
            self.find(factor);
            gain = self.gain(factor);
        }
        self.slack = self.tolerance - gain;
        self.factor = factor;
    }

    /// A cell drawn from the mixes when the bonuses count `factor`, which never decreases.
    #[inline]
    pub(super) fn draw(&mut self, factor: f64, rng: &mut Rng) -> [usize; 2] {
        self.refresh(factor);
        self.running.each_ref().map(|sums| {
            let point = rng.unit() * sums[sums.len() - 1];
            sums.iter().map(|&sum| usize::from(sum <= point)).sum::<usize>().min(sums.len() - 1)
        })
    }

    /// The mixes as [`draw`](KeptMix::draw) would use them.
    #[cfg(test)]
    pub(super) fn mixer(&mut self, factor: f64) -> &Mixer {
        self.refresh(factor);
        &self.mixer
    }

    /// How often the mixes were computed.
    #[cfg(test)]
    pub(super) fn found(&self) -> u64 {
        self.found
    }

    fn find(&mut self, factor: f64) {
        self.found += 1;
        let bonuses = self.bonuses.entries();
        let entries = self
            .means
            .each_ref()
            .map(|means| means.entries().iter().zip(bonuses).map(move |(mean, bonus)| mean + factor * bonus));
        self.mixer.refresh(self.bonuses.rows(), self.bonuses.columns(), entries);
        for (running, mix) in self.running.iter_mut().zip(self.mixer.mixes()) {
            let mut sum = 0.0;
            running.clear();
            running.extend(mix.iter().map(|share| {
                sum += share;
                sum
            }));
        }
        for (player, brought) in self.brought.iter_mut().enumerate() {
            let [rows, columns] = self.mixer.judged(player);
            if player == 0 || self.both_sides {
                row_payoffs(&self.means[player], columns, &mut brought.rows.means);
                row_payoffs(&self.bonuses, columns, &mut brought.rows.bonuses);
            }
            if player == 1 || self.both_sides {
                column_payoffs(&self.means[player], rows, &mut brought.columns.means);
                column_payoffs(&self.bonuses, rows, &mut brought.columns.bonuses);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::{exploitability, regrets};

    /// The tracked payoffs equal those computed from the whole tables.
    #[test]
    fn the_gain_is_known_exactly_while_cells_change() {
        for method in [NashMethod::Figure3, NashMethod::Regret, NashMethod::Program] {
            let mut rng = Rng::new(11);
            let (rows, columns) = (4, 7);
            // Never stale: the first mixes stay.
            let mut kept = KeptMix::new(method, 1e9, [rows, columns]);
            for place in 0..rows * columns {
                kept.set([place / columns, place % columns], [rng.unit(), rng.unit()], rng.unit());
            }
            kept.draw(0.5, &mut rng);
            for change in 0..200 {
                kept.set([rng.below(rows), rng.below(columns)], [rng.unit(), rng.unit()], rng.unit());
                let factor = 0.5 + 0.01 * f64::from(change);
                let bonuses = kept.bonuses.entries();
                let [first, second] = kept.means.each_ref().map(|means| {
                    let entries = means.entries().iter().zip(bonuses).map(|(mean, bonus)| mean + factor * bonus);
                    let entries: Vec<f64> = entries.collect();
                    PayoffMatrix::from_rows(&entries.chunks(columns).collect::<Vec<_>>()).unwrap()
                });
                let expected = if method == NashMethod::Program {
                    let gap = |player: usize, table: &PayoffMatrix| {
                        let [rows, columns] = kept.mixer.judged(player);
                        exploitability(table, rows, columns)
                    };
                    gap(0, &first).max(gap(1, &second.negated()))
                } else {
                    let [rows, columns] = kept.mixer.mixes();
                    regrets(&first, &second, rows, columns).into_iter().fold(0.0, f64::max)
                };
                assert!((kept.gain(factor) - expected).abs() < 1e-12, "{method:?}: {} {expected}", kept.gain(factor));
            }
            assert_eq!(kept.found, 1);
        }
    }

    #[test]
    fn cells_are_drawn_as_often_as_the_mixes_say() {
        // All three must be mixed, and nobody plays the fourth.
        let table = [[0.5, 0.0, 1.0, 0.9], [1.0, 0.5, 0.25, 0.9], [0.0, 0.75, 0.5, 0.9], [0.0; 4]];
        let mut kept = KeptMix::new(NashMethod::Program, 0.01, [4, 4]);
        for (row, entries) in table.iter().enumerate() {
            for (column, &entry) in entries.iter().enumerate() {
                kept.set([row, column], [entry, 1.0 - entry], 0.0);
            }
        }
        let mut rng = Rng::new(6);
        let mut counts = [[0u32; 4]; 2];
        for _ in 0..40_000 {
            let cell = kept.draw(0.0, &mut rng);
            (0..2).for_each(|side| counts[side][cell[side]] += 1);
        }
        for (counts, mix) in counts.iter().zip(kept.mixer.mixes()) {
            assert_eq!((counts[3], mix.iter().filter(|&&share| share > 0.1).count()), (0, 3));
            // A standard deviation is at most 100.
            let close =
                counts.iter().zip(mix).all(|(&count, share)| (f64::from(count) - 40_000.0 * share).abs() < 500.0);
            assert!(close, "{counts:?} {mix:?}");
        }
    }
}

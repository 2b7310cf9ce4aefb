//! Selection at joint moves: which joint action a node tries next, and how a playout updates its two players.
//!
//! Each player uses only its own statistics, as in the methods that Lanctot, Lisý and Winands compare ("Monte Carlo
//! tree search in simultaneous move games with applications to Goofspiel", 2013), except where both play the
//! equilibrium of one table.

use tesuji_core::{Knowledge, Rng};

use super::mixing::Mixer;
use super::settings::JointBackup;
use super::sides::scale;
use super::tree::{Arm, Tree, seen};
use crate::arithmetic::exp;

/// How a node selects a joint action.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum JointSelection {
    /// Decoupled UCT: each player maximises mean + c·√(2·ln N / n), untried actions first and in random order. Among
    /// actions whose bounds are close to the greatest, one is drawn.
    ///
    /// Without the draw both players are deterministic and can move in lock-step: where the game looks the same to
    /// both, they only ever try equal actions against each other, so a dominated action looks as good as the one that
    /// dominates it.
    Decoupled {
        /// The exploration constant.
        c: f64,
        /// How far below the greatest a bound may be to take part in the draw; 0 for ties only.
        near: f64,
    },
    /// Exp3 (Auer and others 2002): proportional to exp(γ·G / K), where G is the sum of rewards divided by their
    /// probabilities and K the number of actions, mixed with a fraction γ of uniform play.
    Exp3 {
        /// γ.
        exploration: f64,
    },
    /// Regret matching: proportional to positive regrets, mixed with a fraction of uniform play. The regret of an
    /// action is its cell's mean minus the actual result.
    Regret {
        /// The fraction of uniform play.
        exploration: f64,
    },
    /// Regret matching+ on the estimated table: proportional to positive regrets, which never fall below 0, mixed with
    /// a fraction of uniform play. In the average strategy the n-th playout through a node has weight n.
    ///
    /// Regrets compare estimates of two joint actions, not an estimate with the result of one playout. Most joint
    /// actions of a large table are rarely tried; their estimates lean on the means of the two actions.
    RegretPlus {
        /// The fraction of uniform play.
        exploration: f64,
        /// A joint action counts as tried this many more times, with the result that the means of its two actions let
        /// expect.
        shrink: f64,
    },
    /// Both draw from the equilibrium of the UCB1 values of all joint actions: MSUCB at every node, which paper 004
    /// calls MSUCT and leaves for later (§7). Untried joint actions count as tried once, with the node's mean.
    Equilibrium {
        /// The exploration constant.
        c: f64,
    },
}

impl<G: Knowledge> Tree<G> {
    /// The joint action that `node`, which has a table, tries next.
    pub(super) fn select(&mut self, node: u32, selection: JointSelection, rng: &mut Rng) -> [usize; 2] {
        let visits = u64::from(self.nodes[node as usize].visits);
        let table = &self.tables[self.nodes[node as usize].table as usize];
        [0, 1].map(|side| {
            let arms = &mut self.arms[table.arms(side)];
            if let [_] = arms {
                arms[0].sum += 1.0;
                return 0;
            }
            match selection {
                JointSelection::Decoupled { c, near } => return greatest(arms, scale(c, visits), near, rng),
                JointSelection::Exp3 { exploration } => exp3_mix(arms, exploration),
                JointSelection::Regret { exploration } => regret_mix(arms, exploration),
                JointSelection::RegretPlus { exploration, .. } => {
                    regret_mix(arms, exploration);
                    let weight = (visits + 1) as f64;
                    arms.iter_mut().for_each(|arm| arm.sum += weight * arm.mix);
                    return rng.weighted(arms.iter().map(|arm| arm.mix));
                }
                JointSelection::Equilibrium { .. } => {}
            }
            arms.iter_mut().for_each(|arm| arm.sum += arm.mix);
            rng.weighted(arms.iter().map(|arm| arm.mix))
        })
    }

    /// Records the result of a playout through `cell` of `node`.
    pub(super) fn learn(&mut self, node: u32, cell: [usize; 2], shares: [f64; 2], selection: JointSelection) {
        let table = &self.tables[self.nodes[node as usize].table as usize];
        for side in 0..2 {
            let first = table.arms(side).start;
            let chosen = first + cell[side];
            self.arms[chosen].visits += 1;
            self.arms[chosen].total += shares[side];
            match selection {
                JointSelection::Exp3 { .. } => {
                    let arm = &mut self.arms[chosen];
                    arm.score += shares[side] / arm.mix.max(f64::MIN_POSITIVE);
                }
                JointSelection::Regret { .. } => {
                    for index in 0..table.counts[side] {
                        let mut other = cell;
                        other[side] = index;
                        let brought = self.cells[table.place(other)].mean();
                        if index != cell[side] {
                            self.arms[first + index].score += brought.map_or(0.5, |mean| mean[side]) - shares[side];
                        }
                    }
                }
                _ => {}
            }
        }
        let place = table.place(cell);
        self.cells[place].note(shares);
        if let JointSelection::RegretPlus { shrink, .. } = selection {
            self.learn_regrets(node, cell, shrink);
        }
    }

    /// Adds the regrets of both players after a playout through `cell`, for [`JointSelection::RegretPlus`].
    ///
    /// A joint action (i, j) with n visits and mean x is worth (n·x + k·e)/(n + k) to a player, where k is `shrink` and
    /// e = x(i) + x(j) − x: the player's mean shares with i, against j, and in all playouts. Exact values stay.
    fn learn_regrets(&mut self, node: u32, cell: [usize; 2], shrink: f64) {
        let (all, number) = (&self.nodes[node as usize], self.nodes[node as usize].table as usize);
        let table = &self.tables[number];
        let visits = f64::from(all.visits.max(1));
        for side in 0..2 {
            let (mean, other) = (all.totals[side] / visits, all.totals[1 - side] / visits);
            let faced = self.arms[table.arms(1 - side).start + cell[1 - side]];
            // The other player's results tell one's own only in games with a constant sum; if the sum varies, this is
            // still how much better or worse the other's action is than its mean.
            let offset = other - faced.total / f64::from(faced.visits.max(1));
            let stride = if side == 0 { table.counts[1] } else { 1 };
            let mut place = if side == 0 { table.place([0, cell[1]]) } else { table.place([cell[0], 0]) };
            let arms = &mut self.arms[table.arms(side)];
            for arm in &mut *arms {
                let expected = (arm.total + mean) / f64::from(arm.visits + 1) + offset;
                arm.worth = self.cells[place].leaning(side, expected, shrink);
                place += stride;
            }
            let chosen = arms[cell[side]].worth;
            arms.iter_mut().for_each(|arm| arm.score = (arm.score + arm.worth - chosen).max(0.0));
        }
    }

    /// The estimated value of a cell: exact, or by its table, or by its playouts; `prior` if it was never tried.
    pub(super) fn estimate(&self, place: usize, prior: [f64; 2], backup: JointBackup) -> [f64; 2] {
        let cell = &self.cells[place];
        let Some(mean) = cell.mean() else { return prior };
        let Some((child, exchanged)) = cell.child() else { return mean };
        let child = &self.nodes[child as usize];
        match (child.exact, child.value, backup) {
            (Some(exact), _, _) => seen(exact, exchanged),
            (None, Some(value), JointBackup::Value) => seen(value, exchanged),
            (None, None, JointBackup::Value) if child.visits > cell.visits => seen(child.mean(), exchanged),
            _ => mean,
        }
    }

    /// Computes the mixes of a node for [`JointSelection::Equilibrium`].
    pub(super) fn mix(&mut self, node: u32, c: f64, backup: JointBackup, mixer: &mut Mixer) {
        let known = &self.nodes[node as usize];
        let (scale, prior) = (scale(c, u64::from(known.visits)), known.mean());
        let table = &self.tables[known.table as usize];
        let bound = |place: usize, player: usize| {
            let bonus = scale / f64::from(self.cells[place].visits.max(1)).sqrt();
            self.estimate(place, prior, backup)[player] + bonus
        };
        let entries = [0, 1].map(|player| table.cells().map(move |place| bound(place, player)));
        mixer.refresh(table.counts[0], table.counts[1], entries);
        for side in 0..2 {
            let arms = self.tables[self.nodes[node as usize].table as usize].arms(side);
            for (arm, &share) in self.arms[arms].iter_mut().zip(mixer.mixes()[side]) {
                arm.mix = share;
            }
        }
    }
}

/// An action whose upper bound is at most `near` below the greatest; an untried one if there is any.
fn greatest(arms: &mut [Arm], scale: f64, near: f64, rng: &mut Rng) -> usize {
    let untried = arms.iter().filter(|arm| arm.visits == 0).count();
    if untried > 0 {
        return nth(arms, rng.below(untried), |arm| arm.visits == 0);
    }
    let mut greatest = f64::NEG_INFINITY;
    for arm in &mut *arms {
        let visits = f64::from(arm.visits);
        // The mix is not used otherwise here.
        arm.mix = arm.total / visits + scale / visits.sqrt();
        greatest = greatest.max(arm.mix);
    }
    let is_near = |arm: &Arm| arm.mix >= greatest - near;
    let count = arms.iter().filter(|arm| is_near(arm)).count();
    nth(arms, if count > 1 { rng.below(count) } else { 0 }, is_near)
}

/// The index of the action number `wanted`, counted from 0, of those that are `open`.
fn nth(arms: &[Arm], wanted: usize, open: impl Fn(&Arm) -> bool) -> usize {
    (0..arms.len()).filter(|&index| open(&arms[index])).nth(wanted).unwrap_or(0)
}

fn exp3_mix(arms: &mut [Arm], exploration: f64) {
    let count = arms.len() as f64;
    let rate = exploration / count;
    // Only differences matter; the greatest is 0 so that nothing overflows.
    let most = arms.iter().fold(f64::NEG_INFINITY, |most, arm| most.max(arm.score));
    let mut sum = 0.0;
    for arm in &mut *arms {
        arm.mix = exp(rate * (arm.score - most));
        sum += arm.mix;
    }
    for arm in arms {
        arm.mix = (1.0 - exploration) * arm.mix / sum + exploration / count;
    }
}

fn regret_mix(arms: &mut [Arm], exploration: f64) {
    let count = arms.len() as f64;
    let sum: f64 = arms.iter().map(|arm| arm.score.max(0.0)).sum();
    for arm in arms {
        let share = if sum > 0.0 { arm.score.max(0.0) / sum } else { 1.0 / count };
        arm.mix = (1.0 - exploration) * share + exploration / count;
    }
}

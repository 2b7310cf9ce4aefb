//! Chance nodes: plain, with the windows of Star1, and with the probes of Star2.
//!
//! Exact results of probes are reused, so no leaf is evaluated twice because of a probe.

use std::ops::Range;

use tesuji_core::{Game, Turn};

use super::Pruning;
use super::search::{Best, GREATEST, LEAST, Search};
use super::table::Bound;
use crate::cold_sort::short_sort_descending;

/// An action that a probe has searched: its index in the game's order, and its exact share.
#[derive(Clone, Copy)]
pub(super) struct Probed {
    pub action: u16,
    pub share: f64,
}

/// What a probe found out about a state.
#[derive(Clone, Copy)]
pub(super) struct Known {
    least: f64,
    most: f64,
    probed: Option<Probed>,
}

impl Known {
    const NOTHING: Known = Known { least: LEAST, most: GREATEST, probed: None };
}

impl<G: Game> Search<'_, '_, G> {
    /// The expectation of `read` over the outcomes of chance.
    pub(super) fn expectation(&mut self, state: &G::State, mut read: impl FnMut(&mut Self, &G::State) -> f64) -> f64 {
        let first = self.outcomes.len();
        self.game.chance(state, &mut self.outcomes);
        let mut sum = 0.0;
        for index in first..self.outcomes.len() {
            let (outcome, probability) = self.outcomes[index];
            let mut next = state.clone();
            self.game.apply(&mut next, &[outcome]);
            sum += probability * read(self, &next);
        }
        self.outcomes.truncate(first);
        sum
    }

    /// Star1, preceded by Star2's probes.
    pub(super) fn chance(&mut self, state: &G::State, depth: u32, alpha: f64, beta: f64) -> f64 {
        let first = self.outcomes.len();
        self.game.chance(state, &mut self.outcomes);
        // The most probable first: it narrows the window of the others most.
        short_sort_descending(&mut self.outcomes[first..], |outcome| outcome.1);
        let outcomes = first..self.outcomes.len();
        // One for each outcome, at the same index.
        self.known.resize(first, Known::NOTHING);
        self.known.resize(outcomes.end, Known::NOTHING);
        let value = self.bounded_chance(state, depth, alpha, beta, outcomes);
        self.outcomes.truncate(first);
        value
    }

    fn bounded_chance(&mut self, state: &G::State, depth: u32, alpha: f64, beta: f64, outcomes: Range<usize>) -> f64 {
        let total: f64 = outcomes.clone().map(|index| self.outcomes[index].1).sum();
        let (mut rest_low, mut rest_high) = (total * LEAST, total * GREATEST);
        // A probe of the only outcome would search it completely.
        if self.agent.pruning == Pruning::Star2 && depth > 0 && outcomes.len() > 1 {
            for index in outcomes.clone() {
                let (outcome, probability) = self.outcomes[index];
                let mut next = state.clone();
                self.game.apply(&mut next, &[outcome]);
                // The window that would settle this chance node.
                let low = alpha - (rest_high - probability * GREATEST);
                let high = beta - (rest_low - probability * LEAST);
                let found =
                    self.probe(&next, depth, (low / probability).max(LEAST), (high / probability).min(GREATEST));
                rest_low += probability * (found.least - LEAST);
                rest_high -= probability * (GREATEST - found.most);
                self.known[index] = found;
                if rest_low >= beta {
                    return rest_low;
                }
                if rest_high <= alpha {
                    return rest_high;
                }
            }
        }
        let mut sum = 0.0;
        for index in outcomes {
            let (outcome, probability) = self.outcomes[index];
            let known = self.known[index];
            rest_low -= probability * known.least;
            rest_high -= probability * known.most;
            // Rounding must not close an open window.
            let low = (alpha - sum - rest_high) / probability;
            let high = (beta - sum - rest_low) / probability;
            let mut next = state.clone();
            self.game.apply(&mut next, &[outcome]);
            let window = ((low - SLACK).max(LEAST), (high + SLACK).min(GREATEST));
            let share = match self.game.turn(&next) {
                Turn::Player(mover) if depth > 0 => self.choice(&next, mover, depth, window.0, window.1, known.probed),
                _ => self.value(&next, depth, window.0, window.1),
            };
            sum += probability * share;
            if share <= low - SLACK {
                return sum + rest_high;
            }
            if share >= high + SLACK {
                return sum + rest_low;
            }
        }
        sum
    }

    /// Lower and upper bounds on `state` from one action of its mover.
    fn probe(&mut self, state: &G::State, depth: u32, alpha: f64, beta: f64) -> Known {
        let Turn::Player(mover) = self.game.turn(state) else {
            return match self.game.turn(state) {
                Turn::Over => {
                    let share = self.game.spec().normalise(self.game.payoff(state, self.searcher));
                    Known { least: share, most: share, probed: None }
                }
                _ => Known::NOTHING,
            };
        };
        let mut table_move = None;
        if let Some(entry) = self.table.get(state) {
            table_move = Some(entry.best);
            if entry.depth == depth {
                return match entry.bound {
                    Bound::Exact => Known { least: entry.share, most: entry.share, probed: None },
                    Bound::Lower => Known { least: entry.share, ..Known::NOTHING },
                    Bound::Upper => Known { most: entry.share, ..Known::NOTHING },
                };
            }
        }
        if self.is_stopped() {
            return Known::NOTHING;
        }
        let (first, ordered) = (self.actions.len(), self.order.len());
        self.list_first(state, mover, depth, table_move);
        let index = self.order[ordered].index();
        let mut best = Best::new(mover == self.searcher, true, (alpha, beta));
        let share = if depth == 1 && self.read_last(state, first, ordered..ordered + 1, &mut best) {
            best.share
        } else {
            self.behind(state, self.actions[first + usize::from(index)], depth, alpha, beta)
        };
        self.actions.truncate(first);
        self.order.truncate(ordered);
        if self.stopped {
            return Known::NOTHING;
        }
        let probed = (alpha < share && share < beta).then_some(Probed { action: index, share });
        // Outside the window the share is a bound on the action itself, which bounds the state on one side only.
        match mover == self.searcher {
            true if share > alpha => Known { least: share, most: GREATEST, probed },
            false if share < beta => Known { least: LEAST, most: share, probed },
            _ => Known::NOTHING,
        }
    }
}

/// Windows at chance nodes are this much wider than necessary, so that rounding cannot turn a value into a bound.
const SLACK: f64 = 1e-12;

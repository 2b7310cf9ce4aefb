//! Expectiminimax with one value: the searcher's share.

use std::hash::BuildHasher;
use std::time::Duration;

use rustc_hash::FxBuildHasher;
use tesuji_core::{Game, Player, Prospect, Turn};

use super::chance::Probed;
use super::table::{Bound, Table};
use super::{Expectimax, Pruning, RootMove};
use crate::pace::Pace;
use crate::{Thought, Watcher};

/// Nothing is worth less or more.
pub(super) const LEAST: f64 = 0.0;
pub(super) const GREATEST: f64 = 1.0;

/// Places of the history of cuts, for each player of two.
const HISTORY: usize = 1 << 12;

/// One decision's search.
pub(super) struct Search<'a, 'w, G: Game> {
    pub agent: &'a Expectimax<G>,
    pub game: &'a G,
    pub searcher: Player,
    pub pace: Pace,
    watcher: Option<&'w mut dyn Watcher<G::Action>>,
    pub table: Table<G::State>,
    /// By mover and action: how often, and how deep, it was best.
    history: Vec<u32>,
    /// By side: the places in the history of the two actions that were best last where history orders, most likely in
    /// sibling states.
    last_best: [[usize; 2]; 2],
    pub actions: Vec<G::Action>,
    pub order: Vec<(f64, u16)>,
    pub outcomes: Vec<(G::Action, f64)>,
    prospects: Vec<Prospect>,
    pub leaves: u64,
    pub nodes: u64,
    /// Did the depth end any line?
    pub horizon_met: bool,
    pub stopped: bool,
}

impl<'a, 'w, G: Game> Search<'a, 'w, G> {
    pub fn new(
        agent: &'a Expectimax<G>,
        game: &'a G,
        searcher: Player,
        pace: Pace,
        watcher: Option<&'w mut dyn Watcher<G::Action>>,
        table: Table<G::State>,
    ) -> Search<'a, 'w, G> {
        Search {
            agent,
            game,
            searcher,
            pace,
            watcher,
            table,
            history: vec![0; 2 * HISTORY],
            last_best: [[usize::MAX; 2]; 2],
            actions: Vec::new(),
            order: Vec::new(),
            outcomes: Vec::new(),
            prospects: Vec::new(),
            leaves: 0,
            nodes: 0,
            horizon_met: false,
            stopped: false,
        }
    }

    /// The table, for the next search.
    pub fn into_table(self) -> Table<G::State> {
        self.table
    }

    /// Reads the actions of the root to `depth`, in the order of `moves`, and puts the best first. Returns how many were read
    /// before the budget ended; if not all, the others keep what was known of them.
    pub fn root(&mut self, state: &G::State, depth: u32, moves: &mut [RootMove<G::Action>]) -> usize {
        let mut best = LEAST;
        let mut read = 0;
        for index in 0..moves.len() {
            let before = self.leaves;
            let mut next = state.clone();
            self.game.apply(&mut next, &[moves[index].action]);
            let floor = if self.agent.pruning == Pruning::Off || index == 0 { LEAST } else { best };
            let share = self.value(&next, depth - 1, floor, GREATEST);
            if self.stopped {
                break;
            }
            // The first of equal actions stays first: a bound that only reaches the best is no better.
            let improves = index == 0 || share > best;
            moves[index] =
                RootMove { share, leaves: moves[index].leaves + self.leaves - before, depth, ..moves[index] };
            read += 1;
            if improves {
                best = share;
                moves[..=index].rotate_right(1);
            }
        }
        read
    }

    /// The searcher's share in `state`, so many choices to read; exact if it lies between `alpha` and `beta`, else a bound.
    pub fn value(&mut self, state: &G::State, depth: u32, alpha: f64, beta: f64) -> f64 {
        match self.game.turn(state) {
            Turn::Over => {
                self.leaves += 1;
                self.game.spec().normalise(self.game.payoff(state, self.searcher))
            }
            Turn::Player(_) if depth == 0 => {
                self.leaves += 1;
                self.horizon_met = true;
                self.agent.share(self.game, state, self.searcher)
            }
            Turn::Player(mover) => self.choice(state, mover, depth, alpha, beta, None),
            Turn::Chance => match self.agent.pruning {
                Pruning::Off => self.plain_chance(state, depth),
                _ => self.chance(state, depth, alpha, beta),
            },
            Turn::Simultaneous(_) => unreachable!("several act at once in {state:?}"),
        }
    }

    /// As [`value`](Search::value), where `mover` chooses; an action that a probe has read is not read again.
    pub(super) fn choice(
        &mut self,
        state: &G::State,
        mover: Player,
        depth: u32,
        mut alpha: f64,
        mut beta: f64,
        probed: Option<Probed>,
    ) -> f64 {
        if self.is_stopped() {
            return 0.5;
        }
        let pruning = self.agent.pruning != Pruning::Off;
        let mut table_move = probed.map(|probed| probed.action);
        if pruning && let Some(entry) = self.table.get(state) {
            table_move = table_move.or(Some(entry.best));
            if entry.depth == depth {
                match entry.bound {
                    Bound::Exact => return entry.share,
                    Bound::Lower if entry.share >= beta => return entry.share,
                    Bound::Upper if entry.share <= alpha => return entry.share,
                    _ => {}
                }
            }
        }
        self.nodes += 1;
        let maximises = mover == self.searcher;
        let (first, ordered) = (self.actions.len(), self.order.len());
        self.list(state, mover, depth, table_move);
        let window = (alpha, beta);
        let mut best = if maximises { f64::NEG_INFINITY } else { f64::INFINITY };
        let mut best_index = 0;
        for place in ordered..self.order.len() {
            let index = self.order[place].1;
            let action = self.actions[first + usize::from(index)];
            let share = match probed {
                Some(probed) if probed.action == index => probed.share,
                _ => self.behind(state, action, depth, alpha, beta),
            };
            if maximises && share > best || !maximises && share < best {
                (best, best_index) = (share, index);
            }
            if pruning {
                if maximises {
                    alpha = alpha.max(best)
                } else {
                    beta = beta.min(best)
                }
                if alpha >= beta {
                    break;
                }
            }
        }
        if pruning && !self.stopped {
            let slot = self.history_place(mover, self.actions[first + usize::from(best_index)]);
            self.history[slot] = self.history[slot].saturating_add(depth * depth);
            let last = &mut self.last_best[usize::from(!maximises)];
            if depth < LOOK_FROM && last[0] != slot {
                *last = [slot, last[0]];
            }
        }
        self.actions.truncate(first);
        self.order.truncate(ordered);
        if pruning && !self.stopped {
            let bound = match best {
                best if best <= window.0 => Bound::Upper,
                best if best >= window.1 => Bound::Lower,
                _ => Bound::Exact,
            };
            self.table.put(state, depth, bound, best, best_index);
        }
        best
    }

    /// The searcher's share right behind an action; as for [`value`](Search::value), the action being one of the choices.
    pub(super) fn behind(&mut self, state: &G::State, action: G::Action, depth: u32, alpha: f64, beta: f64) -> f64 {
        // Pruning may be content with some of the outcomes; without it all are wanted.
        if depth == 1
            && self.agent.pruning == Pruning::Off
            && let Some(expected) = self.prospects(state, action)
        {
            self.leaves += self.prospects.len() as u64;
            self.horizon_met |= self.prospects.iter().any(|prospect| !prospect.over);
            return expected;
        }
        let mut next = state.clone();
        self.game.apply(&mut next, &[action]);
        self.value(&next, depth - 1, alpha, beta)
    }

    /// Appends the actions of `mover`, and the order in which they are to be read.
    pub(super) fn list(&mut self, state: &G::State, mover: Player, depth: u32, table_move: Option<u16>) {
        let (first, ordered) = (self.actions.len(), self.order.len());
        self.game.legal(state, mover, &mut self.actions);
        let count = self.actions.len() - first;
        let sign = if mover == self.searcher { 1.0 } else { -1.0 };
        for index in 0..count {
            let action = self.actions[first + index];
            let rank = match self.agent.pruning {
                Pruning::Off => 0.0,
                _ if table_move == Some(index as u16) => f64::INFINITY,
                _ if depth >= LOOK_FROM => sign * self.glance(state, action),
                _ => {
                    let slot = self.history_place(mover, action);
                    let last = self.last_best[usize::from(mover != self.searcher)];
                    match last.iter().position(|&best| best == slot) {
                        Some(place) => f64::MAX / (1.0 + place as f64),
                        None => f64::from(self.history[slot]),
                    }
                }
            };
            self.order.push((rank, index as u16));
        }
        if self.agent.pruning != Pruning::Off {
            self.order[ordered..].sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        }
    }

    /// The expected share right behind an action, by the evaluation. It only orders; what it evaluates counts as nodes.
    fn glance(&mut self, state: &G::State, action: G::Action) -> f64 {
        if let Some(expected) = self.prospects(state, action) {
            self.nodes += self.prospects.len() as u64;
            return expected;
        }
        let mut next = state.clone();
        self.game.apply(&mut next, &[action]);
        self.glance_at(&next)
    }

    /// The expected share right behind an action, where the evaluation can tell it without making the states.
    fn prospects(&mut self, state: &G::State, action: G::Action) -> Option<f64> {
        self.prospects.clear();
        let evaluation = self.agent.evaluation.as_ref()?;
        if !evaluation.prospects(self.game, state, action, self.searcher, &mut self.prospects) {
            return None;
        }
        let share = |prospect: &Prospect| match prospect.over {
            true => self.game.spec().normalise(prospect.value),
            false => self.agent.as_share(prospect.value),
        };
        Some(self.prospects.iter().fold(0.0, |sum, prospect| sum + prospect.probability * share(prospect)))
    }

    fn glance_at(&mut self, state: &G::State) -> f64 {
        match self.game.turn(state) {
            Turn::Over => self.game.spec().normalise(self.game.payoff(state, self.searcher)),
            Turn::Chance => {
                let first = self.outcomes.len();
                self.game.chance(state, &mut self.outcomes);
                let mut sum = 0.0;
                for index in first..self.outcomes.len() {
                    let (outcome, probability) = self.outcomes[index];
                    let mut next = state.clone();
                    self.game.apply(&mut next, &[outcome]);
                    sum += probability * self.glance_at(&next);
                }
                self.outcomes.truncate(first);
                sum
            }
            _ => {
                self.nodes += 1;
                self.agent.share(self.game, state, self.searcher)
            }
        }
    }

    pub fn is_stopped(&mut self) -> bool {
        let think = |time: Duration| Thought { time, ..Thought::default() };
        self.stopped = self.stopped || !self.pace.allows(self.leaves, self.nodes, &mut self.watcher, think);
        self.stopped
    }

    #[inline]
    fn history_place(&self, mover: Player, action: G::Action) -> usize {
        let side = usize::from(mover != self.searcher);
        side * HISTORY + (FxBuildHasher.hash_one(action) >> 52) as usize
    }
}

/// From this depth on actions are ordered by a look behind them; below, reading them costs less than looking.
const LOOK_FROM: u32 = 2;

//! Expectiminimax with one value: the searcher's share.

use std::time::Duration;

use tesuji_core::{Game, Player, Turn};

use super::chance::{Known, Probed};
use super::order::{History, Place};
use super::table::{Bound, Table};
use super::{Expectimax, Pruning, RootMove};
use crate::pace::Pace;
use crate::{Thought, Watcher};

/// The least and the greatest share.
pub(super) const LEAST: f64 = 0.0;
pub(super) const GREATEST: f64 = 1.0;

/// The search of one decision.
pub(super) struct Search<'a, 'w, G: Game> {
    pub agent: &'a Expectimax<G>,
    pub game: &'a G,
    pub searcher: Player,
    pub pace: Pace,
    watcher: Option<&'w mut dyn Watcher<G::Action>>,
    pub table: Table<G::State>,
    pub history: History,
    pub actions: Vec<G::Action>,
    pub order: Vec<Place>,
    pub outcomes: Vec<(G::Action, f64)>,
    /// What probes found out about the states after the outcomes, by index.
    pub known: Vec<Known>,
    /// The last choices in the order in which they are searched.
    pub line_up: Vec<G::Action>,
    pub leaves: u64,
    pub nodes: u64,
    /// Whether states in which chance acts are leaves at the depth limit.
    pub cuts_at_chance: bool,
    /// Whether the depth limit cut any line.
    pub horizon_met: bool,
    pub stopped: bool,
}

impl<'a, 'w, G: Game> Search<'a, 'w, G> {
    pub(super) fn new(
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
            history: History::default(),
            actions: Vec::new(),
            order: Vec::new(),
            outcomes: Vec::new(),
            known: Vec::new(),
            line_up: Vec::new(),
            leaves: 0,
            nodes: 0,
            cuts_at_chance: agent.evaluation.as_ref().is_some_and(|evaluation| evaluation.covers_chance()),
            horizon_met: false,
            stopped: false,
        }
    }

    /// The table, for the next search.
    pub(super) fn into_table(self) -> Table<G::State> {
        self.table
    }

    /// Searches the actions of the root to `depth`, in the order of `moves`, and puts the best first. Returns how many
    /// were searched before the budget ended; the others keep their earlier results.
    pub(super) fn root(&mut self, state: &G::State, depth: u32, moves: &mut [RootMove<G::Action>]) -> usize {
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

    /// The searcher's share in `state` with `depth` choices left; exact if it lies between `alpha` and `beta`,
    /// otherwise a bound.
    pub(super) fn value(&mut self, state: &G::State, depth: u32, alpha: f64, beta: f64) -> f64 {
        match self.game.turn(state) {
            Turn::Over => {
                self.leaves += 1;
                self.game.spec().normalise(self.game.payoff(state, self.searcher))
            }
            Turn::Player(_) | Turn::Chance if depth == 0 && self.is_leaf(state) => {
                self.leaves += 1;
                self.horizon_met = true;
                self.agent.share(self.game, state, self.searcher)
            }
            Turn::Player(mover) => self.choice(state, mover, depth, alpha, beta, None),
            Turn::Chance => match self.agent.pruning {
                Pruning::Off => self.expectation(state, |search, next| search.value(next, depth, LEAST, GREATEST)),
                _ => self.chance(state, depth, alpha, beta),
            },
            Turn::Simultaneous(_) => unreachable!("several act at once in {state:?}"),
        }
    }

    /// Whether the depth limit cuts at `state`, in which a player or chance acts.
    #[inline]
    fn is_leaf(&self, state: &G::State) -> bool {
        self.cuts_at_chance || self.game.turn(state) != Turn::Chance
    }

    /// Like [`value`](Search::value), where `mover` chooses; an action that a probe has searched is not searched again.
    pub(super) fn choice(
        &mut self,
        state: &G::State,
        mover: Player,
        depth: u32,
        alpha: f64,
        beta: f64,
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
        let mut best = Best::new(maximises, pruning, window);
        let mut places = ordered..self.order.len();
        // The action of a probe comes first.
        let settled = probed.is_some_and(|probed| {
            places.start += 1;
            best.is_settled_by(probed.share, probed.action)
        });
        let done = settled || depth == 1 && self.read_last(state, first, places.clone(), &mut best);
        if !done {
            for place in places {
                let index = self.order[place].index();
                let action = self.actions[first + usize::from(index)];
                let share = self.behind(state, action, depth, best.alpha, best.beta);
                if best.is_settled_by(share, index) {
                    break;
                }
            }
        }
        let Best { share: best, index: best_index, .. } = best;
        if pruning && !self.stopped {
            self.history.best(mover == self.searcher, self.actions[first + usize::from(best_index)], depth);
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

    /// The searcher's share right after an action; like [`value`](Search::value), where the action is one of the
    /// choices.
    pub(super) fn behind(&mut self, state: &G::State, action: G::Action, depth: u32, alpha: f64, beta: f64) -> f64 {
        let mut next = state.clone();
        self.game.apply(&mut next, &[action]);
        self.value(&next, depth - 1, alpha, beta)
    }

    pub(super) fn is_stopped(&mut self) -> bool {
        let think = |time: Duration| Thought { time, ..Thought::default() };
        self.stopped = self.stopped || !self.pace.allows(self.leaves, self.nodes, &mut self.watcher, think);
        self.stopped
    }
}

/// The best of the actions searched so far, and what the next ones must reach.
pub(super) struct Best {
    maximises: bool,
    pruning: bool,
    pub alpha: f64,
    pub beta: f64,
    pub share: f64,
    pub index: u16,
}

impl Best {
    pub(super) fn new(maximises: bool, pruning: bool, (alpha, beta): (f64, f64)) -> Best {
        let share = if maximises { f64::NEG_INFINITY } else { f64::INFINITY };
        Best { maximises, pruning, alpha, beta, share, index: 0 }
    }

    /// Records an action. `true` if no other can matter.
    #[inline]
    pub(super) fn is_settled_by(&mut self, share: f64, index: u16) -> bool {
        if self.maximises && share > self.share || !self.maximises && share < self.share {
            (self.share, self.index) = (share, index);
        }
        if !self.pruning {
            return false;
        }
        match self.maximises {
            true => self.alpha = self.alpha.max(self.share),
            false => self.beta = self.beta.min(self.share),
        }
        self.alpha >= self.beta
    }
}

//! Move ordering: actions that are likely to settle a state cheaply come first.
//!
//! First comes the move of the table or of a probe. Where searching an action is expensive, the others follow by a
//! one-choice lookahead: the expected share right after them, minus a little for each outcome of chance, since each is
//! a state to search, plus a bonus if the action was best elsewhere. Before the last choice, where searching costs no
//! more than looking ahead: the two actions that were best most recently, probably in a sibling state, then by how
//! often they were best.

use std::hash::{BuildHasher, Hash};

use rustc_hash::FxBuildHasher;
use tesuji_core::{Game, Player, Successors, Turn, Visit};

use super::Pruning;
use super::search::Search;

/// From this depth on, actions are ordered by a lookahead; below, searching them costs less.
const LOOK_FROM: u32 = 2;

/// What each outcome of chance subtracts from an action's share for ordering, and what the logarithm of its history
/// adds. Tuned on 150 positions of the dice game: from 0.03 to 0.1 and from 0.01 to 0.05 the number of leaves hardly
/// changes.
const OUTCOME_COSTS: f64 = 0.03;
const HISTORY_ADDS: f64 = 0.02;

/// An action's index in the game's order, preceded by its rank: sorting puts the greatest rank first, ties in the
/// game's order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Place(u64);

impl Place {
    #[inline]
    fn new(rank: f32, index: usize) -> Place {
        // As integers, the bits of non-negative floats have the order of the floats, and those of negative ones the
        // reverse order.
        let bits = rank.to_bits();
        let descending = if bits >> 31 == 0 { bits ^ 0x7fff_ffff } else { bits };
        Place(u64::from(descending) << 16 | index as u64)
    }

    #[inline]
    pub(super) fn index(self) -> u16 {
        self.0 as u16
    }
}

/// Which actions were best elsewhere.
pub(super) struct History {
    /// By side and action: how often, and how deep, it was best.
    counts: Vec<u32>,
    /// By side: the two actions that were best most recently at a last choice.
    last: [[usize; 2]; 2],
}

/// Entries of the history for each side; actions may share one.
const PLACES: usize = 1 << 12;

impl Default for History {
    fn default() -> Self {
        History { counts: vec![0; 2 * PLACES], last: [[usize::MAX; 2]; 2] }
    }
}

impl History {
    #[inline]
    fn place(maximises: bool, action: impl Hash) -> usize {
        usize::from(!maximises) * PLACES + (FxBuildHasher.hash_one(action) >> 52) as usize
    }

    /// Records that an action was the best of its state.
    #[inline]
    pub(super) fn best(&mut self, maximises: bool, action: impl Hash, depth: u32) {
        let place = History::place(maximises, action);
        self.counts[place] = self.counts[place].saturating_add(depth * depth);
        let last = &mut self.last[usize::from(!maximises)];
        if depth < LOOK_FROM && last[0] != place {
            *last = [place, last[0]];
        }
    }

    #[inline]
    fn count(&self, maximises: bool, action: impl Hash) -> f64 {
        f64::from(self.counts[History::place(maximises, action)])
    }

    /// The rank of an action at a last choice.
    #[inline]
    fn rank(&self, maximises: bool, action: impl Hash) -> f32 {
        let place = History::place(maximises, action);
        match self.last[usize::from(!maximises)].iter().position(|&best| best == place) {
            Some(age) => f32::MAX / (1 + age) as f32,
            None => self.counts[place] as f32,
        }
    }
}

impl<G: Game> Search<'_, '_, G> {
    /// Appends the actions of `mover` and the order in which to search them.
    pub(super) fn list(&mut self, state: &G::State, mover: Player, depth: u32, table_move: Option<u16>) {
        let ordered = self.order.len();
        self.rank(state, mover, depth, table_move);
        self.order[ordered..].sort_unstable();
    }

    /// Like [`list`](Search::list), with only the first of the order in its place.
    pub(super) fn list_first(&mut self, state: &G::State, mover: Player, depth: u32, table_move: Option<u16>) {
        let ordered = self.order.len();
        self.rank(state, mover, depth, table_move);
        let places = &mut self.order[ordered..];
        if let Some(first) = (0..places.len()).min_by_key(|&place| places[place]) {
            places.swap(0, first);
        }
    }

    fn rank(&mut self, state: &G::State, mover: Player, depth: u32, table_move: Option<u16>) {
        let (first, ordered) = (self.actions.len(), self.order.len());
        let maximises = mover == self.searcher;
        self.game.legal(state, mover, &mut self.actions);
        if self.agent.pruning == Pruning::Off {
            self.order.extend((0..self.actions.len() - first).map(|index| Place::new(0.0, index)));
        } else if depth >= LOOK_FROM {
            self.look(state, maximises, first);
        } else {
            let ranks = self.actions[first..].iter().map(|&action| self.history.rank(maximises, action));
            self.order.extend(ranks.enumerate().map(|(index, rank)| Place::new(rank, index)));
        }
        if let Some(index) = table_move.map(usize::from)
            && let Some(place) = self.order.get_mut(ordered + index)
        {
            *place = Place::new(f32::INFINITY, index);
        }
    }

    /// Orders the actions from `first` on by the evaluation right after them. These evaluations count as nodes, not
    /// leaves.
    fn look(&mut self, state: &G::State, maximises: bool, first: usize) {
        let (agent, spec) = (self.agent, self.game.spec());
        let sign = if maximises { 1.0 } else { -1.0 };
        let rank = |share: f64, outcomes: u64, count: f64| {
            (sign * share - OUTCOME_COSTS * outcomes as f64 + HISTORY_ADDS * count.ln_1p()) as f32
        };
        let (mut looks, order, history) = (0, &mut self.order, &self.history);
        let actions = &self.actions[first..];
        let mut visit = |successors: Successors<'_>| {
            if successors.complete {
                let outcomes = successors.states.len() as u64;
                looks += outcomes;
                let count = history.count(maximises, actions[successors.action]);
                let share = successors.states.iter().map(|successor| agent.expected(spec, successor)).sum();
                order.push(Place::new(rank(share, outcomes, count), successors.action));
            }
            Visit::NextState
        };
        let told = agent
            .evaluation
            .as_ref()
            .is_some_and(|evaluation| evaluation.successors(self.game, state, actions, self.searcher, &mut visit));
        self.nodes += looks;
        if told {
            return;
        }
        for index in 0..self.actions.len() - first {
            let action = self.actions[first + index];
            let mut next = state.clone();
            self.game.apply(&mut next, &[action]);
            let before = self.nodes;
            let share = self.estimate(&next);
            let count = self.history.count(maximises, action);
            self.order.push(Place::new(rank(share, self.nodes - before, count), index));
        }
    }

    /// The expected share of a state by the evaluation, the dice having fallen.
    fn estimate(&mut self, state: &G::State) -> f64 {
        if self.game.turn(state) == Turn::Chance && !self.cuts_at_chance {
            return self.expectation(state, Search::estimate);
        }
        self.nodes += 1;
        match self.game.turn(state) {
            Turn::Over => self.game.spec().normalise(self.game.payoff(state, self.searcher)),
            _ => self.agent.share(self.game, state, self.searcher),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Place;

    #[test]
    fn the_greatest_rank_comes_first_and_of_equals_the_first() {
        let ranks = [-0.5, 0.25, f32::INFINITY, -2.0, 0.25, 0.0, f32::MAX, -0.5];
        let mut places: Vec<Place> = ranks.iter().enumerate().map(|(index, &rank)| Place::new(rank, index)).collect();
        places.sort_unstable();
        let order: Vec<u16> = places.into_iter().map(Place::index).collect();
        assert_eq!(order, [2, 6, 1, 4, 5, 0, 7, 3]);
    }
}

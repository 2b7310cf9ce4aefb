//! Searches the tree: means over actions, expectations over chance outcomes.

use std::time::Duration;

use rustc_hash::FxHashMap;
use tesuji_core::{Game, Player, Successor, Successors, Turn, Visit};

use super::{Backup, LookAhead};
use crate::cold_sort::short_sort_descending;
use crate::pace::Pace;
use crate::{Budget, Thought, Watcher};

/// The most cached values; later ones are recomputed when met again.
const MOST_REMEMBERED: usize = 4_000_000;

/// The values of states with a number of choices left to search.
pub(crate) type Memory<G> = FxHashMap<(<G as Game>::State, u32), f64>;

/// One search of the tree.
pub(super) struct Reader<'a, 'w, G: Game> {
    game: &'a G,
    agent: &'a LookAhead<G>,
    player: Player,
    actions: Vec<G::Action>,
    outcomes: Vec<(G::Action, f64)>,
    remembered: Memory<G>,
    pub leaves: u64,
    pub nodes: u64,
    pub pace: Pace,
    watcher: Option<&'w mut dyn Watcher<G::Action>>,
    pub stopped: bool,
}

impl<'a, 'w, G: Game> Reader<'a, 'w, G> {
    pub(super) fn new(
        game: &'a G,
        agent: &'a LookAhead<G>,
        player: Player,
        budget: Budget,
        watcher: Option<&'w mut dyn Watcher<G::Action>>,
        mut remembered: Memory<G>,
    ) -> Reader<'a, 'w, G> {
        remembered.clear();
        Reader {
            game,
            agent,
            player,
            actions: Vec::new(),
            outcomes: Vec::new(),
            remembered,
            leaves: 0,
            nodes: 0,
            pace: Pace::start(budget),
            watcher,
            stopped: false,
        }
    }

    /// The cache, for the next search.
    pub(super) fn into_memory(self) -> Memory<G> {
        self.remembered
    }

    /// The value of `state` with `depth` choices left to search. The last choice was made in the state `before`.
    pub(super) fn value(&mut self, before: &G::State, state: &G::State, depth: u32) -> f64 {
        match self.game.turn(state) {
            Turn::Over => {
                self.leaves += 1;
                self.ended(self.game.payoff(state, self.player))
            }
            Turn::Chance => self.expectation(before, state, depth),
            Turn::Player(_) if depth == 0 => {
                self.leaves += 1;
                self.agent.evaluation.value_after(self.game, before, state, self.player)
            }
            Turn::Player(mover) => self.mean(state, mover, depth),
            Turn::Simultaneous(_) => unreachable!("several act at once in {state:?}"),
        }
    }

    fn expectation(&mut self, before: &G::State, state: &G::State, depth: u32) -> f64 {
        let first = self.outcomes.len();
        self.game.chance(state, &mut self.outcomes);
        // In the order of `Evaluation::successors`, so that equal actions have equal values to the last bit with and
        // without it.
        short_sort_descending(&mut self.outcomes[first..], |outcome| outcome.1);
        let scale = self.agent.backup.scale();
        let mut sum = 0.0;
        for index in first..self.outcomes.len() {
            let (outcome, probability) = self.outcomes[index];
            let mut next = state.clone();
            self.game.apply(&mut next, &[outcome]);
            sum += scale * probability * self.value(before, &next, depth);
        }
        self.outcomes.truncate(first);
        sum
    }

    fn mean(&mut self, state: &G::State, mover: Player, depth: u32) -> f64 {
        if self.stopped || !self.pace.allows(self.leaves, self.nodes, &mut self.watcher, thought_so_far) {
            self.stopped = true;
            return 0.0;
        }
        let key = self.agent.memory.then(|| (state.clone(), depth));
        if let Some(&known) = key.as_ref().and_then(|key| self.remembered.get(key)) {
            return known;
        }
        self.nodes += 1;
        let first = self.actions.len();
        self.game.legal(state, mover, &mut self.actions);
        let count = self.actions.len() - first;
        let told = if depth == 1 { self.successors(state, first) } else { None };
        let sum = told.unwrap_or_else(|| {
            let mut sum = 0.0;
            for index in first..self.actions.len() {
                let mut next = state.clone();
                self.game.apply(&mut next, &[self.actions[index]]);
                sum += self.value(state, &next, depth - 1);
            }
            sum
        });
        self.actions.truncate(first);
        let value = match self.agent.backup {
            Backup::Mean => sum / count as f64,
            Backup::Sum { .. } => sum,
        };
        if let Some(key) = key
            && !self.stopped
            && self.remembered.len() < MOST_REMEMBERED
        {
            self.remembered.insert(key, value);
        }
        value
    }

    /// The sum of the expected values right after the actions from `first` on, if the evaluation can compute them
    /// without creating states.
    fn successors(&mut self, state: &G::State, first: usize) -> Option<f64> {
        let scale = self.agent.backup.scale();
        let (mut sum, mut leaves) = (0.0, 0);
        let mut visit = |successors: Successors<'_>| {
            if successors.complete {
                let value = |successor: &Successor| match successor.over {
                    true => self.ended(successor.value),
                    false => successor.value,
                };
                let shares = successors.states.iter().map(|successor| scale * successor.probability * value(successor));
                sum += shares.fold(0.0, |sum, share| sum + share);
                leaves += successors.states.len() as u64;
            }
            Visit::NextState
        };
        let actions = &self.actions[first..];
        let told = self.agent.evaluation.successors(self.game, state, actions, self.player, &mut visit);
        self.leaves += leaves;
        told.then_some(sum)
    }

    /// The value of a match that ended with this payoff.
    fn ended(&self, payoff: f64) -> f64 {
        (2.0 * self.game.spec().normalise(payoff) - 1.0) * self.agent.end
    }
}

fn thought_so_far<A>(time: Duration) -> Thought<A> {
    Thought { time, ..Thought::default() }
}

//! Breadth-first search over the positions of a puzzle.

use std::collections::VecDeque;

use rustc_hash::FxHashSet;
use tesuji_core::{Game, Turn};

use super::Work;
use super::keys::Keys;

/// The parent of the root.
const NONE: u32 = u32::MAX;

/// A breadth-first search that can be continued.
pub(super) struct Breadth<G: Game> {
    root: G::State,
    keys: Keys<G>,
    seen: FxHashSet<u64>,
    /// By position stored: the position before it, and the action that led here.
    parents: Vec<(u32, G::Action)>,
    /// Positions to expand, their number among the stored ones, and their depth.
    waiting: VecDeque<(G::State, u32, u32)>,
    /// Whether every position met was stored or is over.
    complete: bool,
    over: bool,
    actions: Vec<G::Action>,
}

impl<G: Game> Breadth<G> {
    pub(super) fn new(root: &G::State, keys: Keys<G>) -> Breadth<G> {
        Breadth {
            root: root.clone(),
            keys,
            seen: FxHashSet::default(),
            parents: Vec::new(),
            waiting: VecDeque::from([(root.clone(), NONE, 0)]),
            complete: true,
            over: false,
            actions: Vec::new(),
        }
    }

    /// Generates about `share` states, with at most `cap` positions stored.
    pub(super) fn run(&mut self, work: &mut Work<'_, '_, G>, share: u64, cap: usize) {
        let until = work.generated + share;
        while !self.over && work.generated < until && work.continues() {
            match self.waiting.pop_front() {
                Some((state, number, depth)) => self.expand(work, &state, number, depth, cap),
                None => self.conclude(work),
            }
            if self.parents.len() >= cap {
                self.complete = false;
                self.waiting.clear();
            }
        }
    }

    /// Called when there is nothing left to expand.
    fn conclude(&mut self, work: &mut Work<'_, '_, G>) {
        let (complete, exact) = (self.complete, self.keys.are_exact());
        (self.seen, self.parents, self.waiting) = (FxHashSet::default(), Vec::new(), VecDeque::new());
        if complete && !exact {
            // Everything was seen, but some positions were taken for equal that differ in their step.
            self.keys.make_exact();
            self.waiting.push_back((self.root.clone(), NONE, 0));
            return;
        }
        work.plan.proven = complete && work.plan.share >= 0.0;
        self.over = true;
    }

    fn expand(&mut self, work: &mut Work<'_, '_, G>, state: &G::State, number: u32, depth: u32, cap: usize) {
        let game = work.game;
        work.playouts += 1;
        let Turn::Player(player) = game.turn(state) else {
            // Not a puzzle after all.
            self.complete = false;
            return;
        };
        self.actions.clear();
        game.legal(state, player, &mut self.actions);
        work.depth = work.depth.max(depth + 1);
        for index in 0..self.actions.len() {
            let action = self.actions[index];
            let mut next = state.clone();
            game.apply(&mut next, &[action]);
            work.generated += 1;
            if game.turn(&next) == Turn::Over {
                let share = work.share(&next, player);
                work.offer(share, || self.line(number, action));
                if work.plan.share >= 1.0 {
                    return;
                }
                continue;
            }
            if self.parents.len() >= cap || !self.seen.insert(self.keys.key(game, &next, player)) {
                self.complete &= self.parents.len() < cap;
                continue;
            }
            self.waiting.push_back((next, self.parents.len() as u32, depth + 1));
            self.parents.push((number, action));
            work.nodes += 1;
        }
    }

    /// The actions from the root to position `number`, then `last`.
    fn line(&self, mut number: u32, last: G::Action) -> Vec<G::Action> {
        let mut line = vec![last];
        while number != NONE {
            let (parent, action) = self.parents[number as usize];
            line.push(action);
            number = parent;
        }
        line.reverse();
        line
    }
}

//! The tree: positions, and a table of joint actions for each that was visited often enough.
//!
//! Positions of equal value share a node, if requested. A search then continues from the position for which the node
//! was created, with the players exchanged if [`SolverHints::fingerprint`](tesuji_core::SolverHints::fingerprint) says
//! so.

use rustc_hash::FxHashMap;
use tesuji_core::{Fingerprint, Knowledge, Player, Rng, Turn};

use super::endgame::has_value;
use super::sides::Sides;
use crate::simultaneous::{Memory, bounds, fingerprint, hash};

/// No node, no table.
pub(super) const NONE: u32 = u32::MAX;

/// The root is always the first node.
pub(super) const ROOT: u32 = 0;

/// A position.
pub(super) struct Node<S> {
    pub state: S,
    pub turn: Turn,
    /// Whether its key stands for the position with the players exchanged.
    exchanged: bool,
    pub visits: u32,
    /// The sums of the shares of playouts through it.
    pub totals: [f64; 2],
    /// Its exact value, if known.
    pub exact: Option<[f64; 2]>,
    /// The value of its table, as last computed.
    pub value: Option<[f64; 2]>,
    pub table: u32,
    /// The last playout that passed through, to detect a cycle.
    pub mark: u64,
}

impl<S> Node<S> {
    /// The mean share; even if nothing is known.
    #[inline]
    pub(super) fn mean(&self) -> [f64; 2] {
        if self.visits == 0 { [0.5; 2] } else { self.totals.map(|total| total / f64::from(self.visits)) }
    }
}

/// An action of one player, with its statistics.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Arm {
    pub visits: u32,
    pub total: f64,
    /// Regret, or the estimated sum of rewards of Exp3.
    pub score: f64,
    /// The probability with which it is played next.
    pub mix: f64,
    /// The sum of these probabilities so far.
    pub sum: f64,
    /// What it was worth against the other's last action, by [`Cell::leaning`].
    pub worth: f64,
}

/// A joint action, with its statistics.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    pub visits: u32,
    /// The node it leads to, and whether the players are exchanged there.
    child: u32,
    totals: [f32; 2],
}

/// In a cell's child: the players are exchanged.
const EXCHANGED: u32 = 1 << 31;

/// In a cell's child: its value is exact, and so are the totals of the cell.
const EXACT: u32 = 1 << 30;

impl Cell {
    #[inline]
    pub(super) fn child(&self) -> Option<(u32, bool)> {
        (self.child != NONE).then_some((self.child & !(EXCHANGED | EXACT), self.child & EXCHANGED != 0))
    }

    #[inline]
    pub(super) fn note(&mut self, shares: [f64; 2]) {
        self.visits += 1;
        for (total, share) in self.totals.iter_mut().zip(shares) {
            *total += share as f32;
        }
    }

    /// Before [`Cell::note`]: these shares are exact, so what was noted until now is replaced.
    pub(super) fn settle(&mut self, shares: [f64; 2]) {
        if self.child & EXACT == 0 && self.child != NONE {
            self.child |= EXACT;
            self.totals = shares.map(|share| (share * f64::from(self.visits)) as f32);
        }
    }

    /// A player's mean share, exact if it is known; otherwise as if it was tried `weight` times more with `expected`.
    #[inline]
    pub(super) fn leaning(&self, side: usize, expected: f64, weight: f64) -> f64 {
        let (visits, total) = (f64::from(self.visits), f64::from(self.totals[side]));
        if self.visits > 0 && self.child & EXACT != 0 && self.child != NONE {
            total / visits
        } else if visits + weight > 0.0 {
            (total + weight * expected) / (visits + weight)
        } else {
            expected
        }
    }

    /// The mean share, if it was ever tried.
    #[inline]
    pub(super) fn mean(&self) -> Option<[f64; 2]> {
        (self.visits > 0).then(|| self.totals.map(|total| f64::from(total) / f64::from(self.visits)))
    }
}

/// The joint actions of a node.
pub(super) struct Table<A> {
    pub sides: Sides<A>,
    pub counts: [usize; 2],
    arms: [usize; 2],
    cells: usize,
    /// The visits of the node at which mixes and value are recomputed.
    pub refresh_at: u32,
}

impl<A> Table<A> {
    #[inline]
    pub(super) fn arms(&self, side: usize) -> std::ops::Range<usize> {
        self.arms[side]..self.arms[side] + self.counts[side]
    }

    #[inline]
    pub(super) fn cells(&self) -> std::ops::Range<usize> {
        self.cells..self.cells + self.counts[0] * self.counts[1]
    }

    /// The row and column of an index into the cells.
    pub(super) fn cell(&self, place: usize) -> [usize; 2] {
        [(place - self.cells) / self.counts[1], (place - self.cells) % self.counts[1]]
    }

    /// The index of a cell.
    #[inline]
    pub(super) fn place(&self, [row, column]: [usize; 2]) -> usize {
        self.cells + row * self.counts[1] + column
    }
}

/// The memory of the search.
pub(super) struct Tree<G: Knowledge> {
    pub nodes: Vec<Node<G::State>>,
    pub tables: Vec<Table<G::Action>>,
    pub arms: Vec<Arm>,
    pub cells: Vec<Cell>,
    places: FxHashMap<u128, u32>,
    /// Whether positions of equal value share a node.
    share: bool,
    /// Whether values that are cheap to see are used.
    certain: bool,
    /// Positions that a solver knows.
    pub solved: Memory,
    joint: Vec<G::Action>,
}

impl<G: Knowledge> Tree<G> {
    /// A tree of one node, for a state that is not over.
    pub(super) fn new(game: &G, root: &G::State, share: bool, certain: bool) -> Tree<G> {
        let mut tree = Tree {
            nodes: Vec::new(),
            tables: Vec::new(),
            arms: Vec::new(),
            cells: Vec::new(),
            places: FxHashMap::default(),
            share,
            certain: certain && has_value(game),
            solved: Memory::new(),
            joint: Vec::new(),
        };
        tree.find(game, root.clone());
        tree.nodes[ROOT as usize].exact = None;
        tree
    }

    /// The node of a state, and whether the players are exchanged there.
    fn find(&mut self, game: &G, state: G::State) -> (u32, bool) {
        let constant = has_value(game);
        let print = if constant || self.share { Some(print(game, &state, constant)) } else { None };
        if let Some(print) = print.filter(|_| self.share)
            && let Some(&known) = self.places.get(&print.key)
        {
            return (known, self.nodes[known as usize].exchanged != print.exchanged);
        }
        let id = self.nodes.len() as u32;
        let turn = game.turn(&state);
        let spec = game.spec();
        let exact = if turn == Turn::Over {
            let share = |player: usize| {
                let known = player < spec.players.len();
                if known { spec.normalise(game.payoff(&state, Player(player as u8))) } else { 0.0 }
            };
            Some([share(0), share(1)])
        } else if self.certain {
            let (low, high) = bounds(game, &state);
            let even = print.is_some_and(|print| print.even);
            let seen = if even { Some(0.5) } else { (low == high).then(|| spec.normalise(low)) };
            let solved = || if self.solved.is_empty() { None } else { self.solved.known(game, &state) };
            seen.or_else(|| solved().map(|value| spec.normalise(value))).map(|first| [first, 1.0 - first])
        } else {
            None
        };
        let exchanged = print.is_some_and(|print| print.exchanged);
        let node =
            Node { state, turn, exchanged, visits: 0, totals: [0.0; 2], exact, value: None, table: NONE, mark: 0 };
        self.nodes.push(node);
        if let Some(print) = print.filter(|_| self.share) {
            self.places.insert(print.key, id);
        }
        (id, false)
    }

    /// Gives a node its table.
    pub(super) fn expand(&mut self, game: &G, node: u32) {
        let sides = Sides::of(game, &self.nodes[node as usize].state);
        let counts = [0, 1].map(|side| sides.count(side));
        let mut table = Table { sides, counts, arms: [0; 2], cells: self.cells.len(), refresh_at: 0 };
        for (side, count) in counts.into_iter().enumerate() {
            table.arms[side] = self.arms.len();
            let arm = Arm { mix: 1.0 / count as f64, ..Arm::default() };
            self.arms.extend(std::iter::repeat_n(arm, count));
        }
        let empty = Cell { visits: 0, child: NONE, totals: [0.0; 2] };
        self.cells.extend(std::iter::repeat_n(empty, counts[0] * counts[1]));
        self.nodes[node as usize].table = self.tables.len() as u32;
        self.tables.push(table);
    }

    /// The node that a joint action leads to, created if needed.
    pub(super) fn child(&mut self, game: &G, node: u32, cell: [usize; 2]) -> (u32, bool) {
        let table = &self.tables[self.nodes[node as usize].table as usize];
        let place = table.place(cell);
        if let Some(known) = self.cells[place].child() {
            return known;
        }
        table.sides.joint(cell, &mut self.joint);
        let mut state = self.nodes[node as usize].state.clone();
        game.apply(&mut state, &self.joint);
        let (id, exchanged) = self.find(game, state);
        self.cells[place].child = id | if exchanged { EXCHANGED } else { 0 };
        (id, exchanged)
    }

    /// Notes that the shares of a joint action are exact.
    pub(super) fn settle(&mut self, node: u32, cell: [usize; 2], shares: [f64; 2]) {
        let place = self.tables[self.nodes[node as usize].table as usize].place(cell);
        self.cells[place].settle(shares);
    }

    /// The node that a chance outcome leads to.
    pub(super) fn outcome(&mut self, game: &G, node: u32, rng: &mut Rng) -> (u32, bool) {
        let mut state = self.nodes[node as usize].state.clone();
        let outcome = game.random_outcome(&state, rng);
        game.apply(&mut state, &[outcome]);
        if self.share {
            return self.find(game, state);
        }
        // Outcomes have no cells: their nodes are found by their states.
        let key = hash(&state) ^ u128::from(node) << 64;
        if let Some(&known) = self.places.get(&key) {
            return (known, false);
        }
        let found = self.find(game, state);
        self.places.insert(key, found.0);
        found
    }
}

fn print<G: Knowledge>(game: &G, state: &G::State, constant: bool) -> Fingerprint {
    if constant { fingerprint(game, state) } else { Fingerprint { key: hash(state), exchanged: false, even: false } }
}

/// The shares, exchanged if the players are.
#[inline]
pub(super) fn seen(shares: [f64; 2], exchanged: bool) -> [f64; 2] {
    if exchanged { [shares[1], shares[0]] } else { shares }
}

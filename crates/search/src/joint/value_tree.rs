//! Depth-limited solving: a tree whose frontier is evaluated by a learned value.
//!
//! A node of a joint move has the table of all its joint actions. When the node is expanded, every successor is
//! evaluated, and the equilibrium of the table gives the value of the node. So the root has a strategy after one
//! expansion. While budget is left, joint actions that the strategies play, and answers to them that are nearly as
//! good, are followed to a node of the frontier, which is expanded; the tables on the way are solved again. A chance
//! node has the mean of its outcomes.
//!
//! Values come from equilibria of tables instead of means of visits, as in minimax-Q (Littman, "Markov games as a
//! framework for multi-agent reinforcement learning", 1994), and there is no learned policy: a table of all values
//! needs none. Evaluations count as playouts.

use std::time::Duration;

use tesuji_core::{Evaluation, Knowledge, Player, Rng, Turn};

use super::sides::Sides;
use crate::final_choice::{Tried, candidates, draw};
use crate::matrix::QuickSolver;
use crate::pace::Pace;
use crate::simultaneous::Memory;
use crate::{Decision, Seat, Thought};

// The numbers below were set by hand and not tuned one by one.

/// What both players together may gain by deviating, in nodes below the root and at the root.
const TOLERANCE: [f32; 2] = [0.004, 0.001];
/// The most iterations for a table, in nodes below the root and at the root.
const ITERATIONS: [u32; 2] = [200, 1_000];
/// A table is solved again when an entry has changed by more than this.
const CHANGE: f32 = 5e-4;
/// How often one player tries an action that its strategy may not play.
const DEVIATE: f64 = 0.3;
/// Actions that are worse by this much than the best answer are hardly tried.
const NEAR: f32 = 0.02;
/// After this many descents in a row that found nothing to expand, the tree is taken as complete.
const MOST_FRUITLESS: u32 = 50;

/// In a cell: its successor has no node yet.
const UNVISITED: u32 = u32::MAX;
/// In a cell: its value is exact.
const EXACT: u32 = u32::MAX - 1;

/// A tree with learned values at its frontier.
pub(super) struct ValueTree<'a, G: Knowledge> {
    game: &'a G,
    evaluation: &'a dyn Evaluation<G>,
    /// Positions that were solved exactly.
    solved: Memory,
    nodes: Vec<Node<G>>,
    solver: QuickSolver,
    joint: Vec<G::Action>,
    outcomes: Vec<(G::Action, f64)>,
    worth: Vec<f32>,
    /// Evaluations so far.
    spent: u64,
    fruitless: u32,
    depth: u32,
}

struct Node<G: Knowledge> {
    state: G::State,
    /// The first player's share.
    value: f32,
    kind: Kind<G::Action>,
}

enum Kind<A> {
    /// Not yet expanded.
    Frontier,
    /// Outcomes with their probabilities; the children follow one another.
    Chance {
        first: u32,
        shares: Vec<f32>,
        next: usize,
    },
    Joint(Box<Table<A>>),
}

struct Table<A> {
    sides: Sides<A>,
    counts: [usize; 2],
    /// The first player's shares.
    entries: Vec<f32>,
    cells: Vec<u32>,
    mixes: [Vec<f32>; 2],
}

impl<'a, G: Knowledge> ValueTree<'a, G> {
    /// A tree with the table of `root`, where somebody acts.
    pub(super) fn new(game: &'a G, evaluation: &'a dyn Evaluation<G>, solved: Memory, root: &G::State) -> Self {
        let node = Node { state: root.clone(), value: 0.5, kind: Kind::Frontier };
        let mut tree = ValueTree {
            game,
            evaluation,
            solved,
            nodes: vec![node],
            solver: QuickSolver::new(),
            joint: Vec::new(),
            outcomes: Vec::new(),
            worth: Vec::new(),
            spent: 0,
            fruitless: 0,
            depth: 0,
        };
        tree.expand(0);
        tree
    }

    /// Grows the tree until the pace ends it, and draws an action of the seat's player from the final strategy.
    /// `before` is what the decision has spent so far; for `careless` see [`mix`](ValueTree::mix).
    pub(super) fn decide(
        mut self,
        seat: &mut Seat<'_, G>,
        actions: &[G::Action],
        careless: f64,
        mut pace: Pace,
        before: u64,
        rng: &mut Rng,
    ) -> Decision<G::Action> {
        let (spec, own) = (seat.game.spec(), seat.player.index());
        let tried = vec![Tried::default(); actions.len()];
        let think = |tree: &Self, time: Duration| Thought {
            candidates: candidates(spec, actions, &tried, &tree.mix(own, careless)),
            time,
            depth: tree.depth(),
            nodes: tree.len() as u64,
            playouts: before + tree.spent(),
            ..Thought::default()
        };
        while !self.is_complete()
            && pace.allows(before + self.spent(), self.len() as u64, &mut seat.watcher, |time| think(&self, time))
        {
            self.grow(rng);
        }
        let thought = Thought { limit: pace.limit(), ..think(&self, pace.elapsed()) };
        let value = if own == 0 { self.value() } else { 1.0 - self.value() };
        draw(spec, actions, &tried, &self.mix(own, careless), Some(value), thought, rng)
    }

    /// Evaluations so far.
    pub(super) fn spent(&self) -> u64 {
        self.spent
    }

    /// The number of nodes.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The greatest depth so far.
    pub(super) fn depth(&self) -> u32 {
        self.depth
    }

    /// Whether there is nothing left to expand, as far as the strategies play.
    pub(super) fn is_complete(&self) -> bool {
        self.fruitless >= MOST_FRUITLESS
    }

    /// The strategy of a player at the root: the best one if the other chooses evenly among its actions with the
    /// probability `careless`, and else as it likes. With 0 this is the equilibrium.
    ///
    /// This is a restricted Nash response (Johanson, Zinkevich and Bowling, "Computing robust counter-strategies",
    /// 2007) to an opponent about whom nothing is known.
    pub(super) fn mix(&self, player: usize, careless: f64) -> Vec<f64> {
        let Kind::Joint(table) = &self.nodes[0].kind else { return Vec::new() };
        let plain = |strategy: &[f32]| strategy.iter().map(|&share| f64::from(share)).collect();
        if careless <= 0.0 {
            return plain(&table.mixes[player]);
        }
        let ([rows, columns], careless) = (table.counts, careless as f32);
        let mean = |own: usize| match player {
            0 => table.entries[own * columns..][..columns].iter().sum::<f32>() / columns as f32,
            _ => table.entries.iter().skip(own).step_by(columns).sum::<f32>() / rows as f32,
        };
        let means: Vec<f32> = (0..table.counts[player]).map(mean).collect();
        let expected = |(place, entry): (usize, &f32)| {
            let own = if player == 0 { place / columns } else { place % columns };
            (1.0 - careless) * entry + careless * means[own]
        };
        let entries: Vec<f32> = table.entries.iter().enumerate().map(expected).collect();
        let mut solver = QuickSolver::new();
        solver.solve(rows, columns, &entries, TOLERANCE[1], ITERATIONS[1]);
        plain(solver.strategies()[player])
    }

    /// The first player's share at the root.
    pub(super) fn value(&self) -> f64 {
        f64::from(self.nodes[0].value)
    }

    /// Expands one node of the frontier and solves the tables above it.
    pub(super) fn grow(&mut self, rng: &mut Rng) {
        let before = self.spent;
        self.descend(0, 1, rng);
        self.fruitless = if self.spent > before { 0 } else { self.fruitless + 1 };
        // Time passes even if nothing is evaluated.
        self.spent = self.spent.max(before + 1);
    }

    fn descend(&mut self, node: usize, depth: u32, rng: &mut Rng) {
        self.depth = self.depth.max(depth);
        if matches!(self.nodes[node].kind, Kind::Frontier) {
            self.expand(node);
            // A chance node passes on to one of its outcomes.
            if matches!(self.nodes[node].kind, Kind::Joint(_)) {
                return;
            }
        }
        match std::mem::replace(&mut self.nodes[node].kind, Kind::Frontier) {
            Kind::Frontier => {}
            Kind::Chance { first, shares, next } => {
                self.descend(first as usize + next, depth, rng);
                let children = &self.nodes[first as usize..][..shares.len()];
                self.nodes[node].value = children.iter().zip(&shares).map(|(child, share)| share * child.value).sum();
                let next = (next + 1) % shares.len();
                self.nodes[node].kind = Kind::Chance { first, shares, next };
            }
            Kind::Joint(mut table) => {
                let cell = self.select(&table, rng);
                let place = cell[0] * table.counts[1] + cell[1];
                if table.cells[place] == UNVISITED {
                    let mut state = self.nodes[node].state.clone();
                    table.sides.joint(cell, &mut self.joint);
                    self.game.apply(&mut state, &self.joint);
                    table.cells[place] = self.nodes.len() as u32;
                    self.nodes.push(Node { state, value: table.entries[place], kind: Kind::Frontier });
                }
                if table.cells[place] != EXACT {
                    let child = table.cells[place] as usize;
                    self.descend(child, depth + 1, rng);
                    let value = self.nodes[child].value;
                    let changed = (value - table.entries[place]).abs() > CHANGE;
                    if changed {
                        table.entries[place] = value;
                        self.nodes[node].value = self.solve(&mut table, usize::from(node == 0));
                    }
                }
                self.nodes[node].kind = Kind::Joint(table);
            }
        }
    }

    /// A joint action of the strategies; sometimes one player deviates to an action that is nearly as good.
    fn select(&mut self, table: &Table<G::Action>, rng: &mut Rng) -> [usize; 2] {
        let mut cell = [0, 1].map(|side| rng.weighted(table.mixes[side].iter().map(|&share| f64::from(share))));
        if rng.chance(DEVIATE) {
            let side = rng.below(2);
            let [rows, columns] = table.counts;
            let (count, sign) = if side == 0 { (rows, 1.0) } else { (columns, -1.0) };
            self.worth.clear();
            self.worth.resize(count, 0.0);
            for (row, line) in table.entries.chunks_exact(columns).enumerate() {
                for (column, entry) in line.iter().enumerate() {
                    let (own, other) =
                        if side == 0 { (row, table.mixes[1][column]) } else { (column, table.mixes[0][row]) };
                    self.worth[own] += sign * other * entry;
                }
            }
            let best = self.worth.iter().fold(f32::NEG_INFINITY, |best, &worth| best.max(worth));
            let weight = |worth: f32| f64::from(1.0 / (1.0 + (best - worth) / NEAR)).powi(3);
            cell[side] = rng.weighted(self.worth.iter().map(|&worth| weight(worth)));
        }
        cell
    }

    /// Expands a node of the frontier.
    fn expand(&mut self, node: usize) {
        let state = self.nodes[node].state.clone();
        if self.game.turn(&state) == Turn::Chance {
            let mut outcomes = std::mem::take(&mut self.outcomes);
            outcomes.clear();
            self.game.chance(&state, &mut outcomes);
            let first = self.nodes.len() as u32;
            for &(outcome, _) in &outcomes {
                let mut next = state.clone();
                self.game.apply(&mut next, &[outcome]);
                let (value, _) = self.evaluate(&next);
                self.nodes.push(Node { state: next, value, kind: Kind::Frontier });
            }
            let shares = outcomes.iter().map(|&(_, share)| share as f32).collect();
            self.outcomes = outcomes;
            self.nodes[node].kind = Kind::Chance { first, shares, next: 0 };
            return;
        }
        let sides = Sides::of(self.game, &state);
        let counts = [sides.count(0), sides.count(1)];
        let mut table = Table {
            sides,
            counts,
            entries: Vec::with_capacity(counts[0] * counts[1]),
            cells: Vec::with_capacity(counts[0] * counts[1]),
            mixes: [Vec::new(), Vec::new()],
        };
        for row in 0..counts[0] {
            for column in 0..counts[1] {
                let mut next = state.clone();
                table.sides.joint([row, column], &mut self.joint);
                self.game.apply(&mut next, &self.joint);
                let (value, exact) = self.evaluate(&next);
                table.entries.push(value);
                table.cells.push(if exact { EXACT } else { UNVISITED });
            }
        }
        self.nodes[node].value = self.solve(&mut table, usize::from(node == 0));
        self.nodes[node].kind = Kind::Joint(Box::new(table));
    }

    fn solve(&mut self, table: &mut Table<G::Action>, level: usize) -> f32 {
        let [rows, columns] = table.counts;
        let value = self.solver.solve(rows, columns, &table.entries, TOLERANCE[level], ITERATIONS[level]);
        for (mix, strategy) in table.mixes.iter_mut().zip(self.solver.strategies()) {
            mix.clear();
            mix.extend_from_slice(strategy);
        }
        value
    }

    /// The first player's share in a state, and whether it is exact.
    fn evaluate(&mut self, state: &G::State) -> (f32, bool) {
        self.spent += 1;
        let spec = self.game.spec();
        match self.game.turn(state) {
            Turn::Over => (spec.normalise(self.game.payoff(state, Player(0))) as f32, true),
            turn => {
                if !self.solved.is_empty()
                    && let Some(value) = self.solved.known(self.game, state)
                {
                    return (spec.normalise(value) as f32, true);
                }
                if turn == Turn::Chance && !self.evaluation.covers_chance() {
                    let first = self.outcomes.len();
                    let (game, mut sum) = (self.game, 0.0);
                    game.chance(state, &mut self.outcomes);
                    for index in first..self.outcomes.len() {
                        let (outcome, share) = self.outcomes[index];
                        let mut next = state.clone();
                        game.apply(&mut next, &[outcome]);
                        sum += share as f32 * self.evaluate(&next).0;
                    }
                    self.outcomes.truncate(first);
                    return (sum, false);
                }
                (self.evaluation.value(self.game, state, Player(0)) as f32, false)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use tesuji_core::Game;

    use super::*;
    use crate::tiny_games::{Form, Written, chance, matrix, over};

    /// A learned value that knows nothing.
    struct Even;

    impl Evaluation<Written> for Even {
        fn value(&self, _: &Written, _: &<Written as Game>::State, _: Player) -> f64 {
            0.5
        }

        fn is_share(&self) -> bool {
            true
        }

        fn covers_chance(&self) -> bool {
            true
        }
    }

    fn grown<'a>(game: &'a Written, most: u32) -> ValueTree<'a, Written> {
        let mut tree = ValueTree::new(game, &Even, Memory::new(), &game.start());
        let mut rng = Rng::new(3);
        for _ in 0..most {
            tree.grow(&mut rng);
        }
        tree
    }

    /// Joint moves below joint moves, with a coin before one of them: value 5/7, mixes (4, 3) / 7.
    fn nested() -> Written {
        let win = || over([1.0, 0.0]);
        let pennies = || matrix([[1.0, 0.0], [0.0, 1.0]]);
        let coin = chance([(0.5, pennies()), (0.5, pennies())]);
        let cells = vec![coin, win(), win(), matrix([[1.0, 0.0], [0.0, 0.5]])];
        Written::new(2, (0.0, 1.0), Form::Joint(vec![2, 2], cells))
    }

    #[test]
    fn a_tree_that_is_complete_has_the_exact_value() {
        let game = nested();
        let before = grown(&game, 0);
        assert!((before.value() - 0.75).abs() < 1e-3, "the frontier is even: {}", before.value());
        let tree = grown(&game, 300);
        assert!(tree.is_complete() && tree.depth() >= 2 && tree.len() >= 4);
        assert!((tree.value() - 5.0 / 7.0).abs() < 2e-3, "{}", tree.value());
        for player in 0..2 {
            let mix = tree.mix(player, 0.0);
            assert!((mix[0] - 4.0 / 7.0).abs() < 0.02, "{mix:?}");
        }
    }

    #[test]
    fn a_careless_opponent_is_answered_with_the_better_action() {
        let game = Written::new(2, (0.0, 1.0), matrix([[0.9, 0.4], [0.2, 0.6]]));
        let tree = grown(&game, 1);
        let equilibrium = tree.mix(0, 0.0);
        assert!((equilibrium[0] - 4.0 / 9.0).abs() < 1e-3, "{equilibrium:?}");
        // Against even play the first row brings 0.65, the second 0.4.
        assert_eq!(tree.mix(0, 1.0), [1.0, 0.0]);
        assert_eq!(tree.mix(0, 0.5), [1.0, 0.0]);
        // If even play is rare, the other still decides.
        assert!((tree.mix(0, 0.3)[0] - equilibrium[0]).abs() < 1e-3);
        // The columns bring the second player 0.45 and 0.5.
        assert_eq!(tree.mix(1, 1.0), [0.0, 1.0]);
    }
}

//! The table of a joint move: expected shares by a network, and the equilibrium of the table.
//!
//! The value of a state is that of the matrix game whose entries are the values of its successors, as in minimax-Q
//! (Littman, "Markov games as a framework for multi-agent reinforcement learning", 1994).
//!
//! Small tables are looked through, since they cost little: a successor whose own table has at most [`SMALL`] joint
//! actions is solved one joint move further instead of being evaluated. So the last moves of a match are nearly exact.

use tesuji_core::{Game, Player, Rng, Turn, mean_over_chance};
use tesuji_solve::matrix::QuickSolver;

use crate::NetworkEvaluation;

/// A table with at most this many joint actions is looked through.
const SMALL: usize = 9;
/// What both players together may gain by deviating from a solution.
const TOLERANCE: f32 = 0.002;
/// The most iterations for a table.
const ITERATIONS: u32 = 400;

/// Solves joint moves by a network, and reuses its memory.
pub struct JointTable<G: Game> {
    /// Tables of a joint move and of one further below.
    levels: [Level<G>; 2],
    outcomes: Vec<(G::Action, f64)>,
}

/// The table of one joint move.
struct Level<G: Game> {
    actions: [Vec<G::Action>; 2],
    moves: [bool; 2],
    entries: Vec<f32>,
    solver: QuickSolver,
}

impl<G: Game> Default for Level<G> {
    fn default() -> Self {
        Level { actions: [Vec::new(), Vec::new()], moves: [false; 2], entries: Vec::new(), solver: QuickSolver::new() }
    }
}

impl<G: Game> Level<G> {
    fn list(&mut self, game: &G, state: &G::State) -> [usize; 2] {
        self.moves = [false; 2];
        self.actions.iter_mut().for_each(Vec::clear);
        for mover in game.turn(state).movers() {
            self.moves[mover.index()] = true;
            game.legal(state, mover, &mut self.actions[mover.index()]);
        }
        self.actions.each_ref().map(|actions| actions.len().max(1))
    }

    fn joint(&self, cell: [usize; 2], out: &mut Vec<G::Action>) {
        out.clear();
        for ((moves, actions), place) in self.moves.iter().zip(&self.actions).zip(cell) {
            out.extend(moves.then(|| actions[place]));
        }
    }
}

impl<G: Game> Default for JointTable<G> {
    fn default() -> Self {
        JointTable::new()
    }
}

impl<G: Game> JointTable<G> {
    /// Without a table.
    pub fn new() -> JointTable<G> {
        JointTable { levels: [Level::default(), Level::default()], outcomes: Vec::new() }
    }

    /// Solves the joint move of `state`, in a game for two players with a constant sum; returns the share that the
    /// first player can expect.
    pub fn solve(&mut self, game: &G, state: &G::State, evaluation: &NetworkEvaluation<G>) -> f64 {
        self.solve_level(game, state, evaluation, 0)
    }

    /// The strategies of both players in the joint move that was solved last.
    pub fn strategies(&self) -> [&[f32]; 2] {
        self.levels[0].solver.strategies()
    }

    /// Draws the action of each mover from its strategy, or evenly where `random` says so.
    pub fn draw(&self, random: [bool; 2], rng: &mut Rng, joint: &mut Vec<G::Action>) {
        let level = &self.levels[0];
        let strategies = level.solver.strategies();
        let cell = [0, 1].map(|side| match random[side] && level.moves[side] {
            true => rng.below(level.actions[side].len()),
            false => drawn(strategies[side], rng),
        });
        level.joint(cell, joint);
    }

    fn solve_level(&mut self, game: &G, state: &G::State, evaluation: &NetworkEvaluation<G>, depth: usize) -> f64 {
        let mut level = std::mem::take(&mut self.levels[depth]);
        let [rows, columns] = level.list(game, state);
        let through = depth == 0 && rows * columns <= SMALL;
        level.entries.clear();
        let mut joint = Vec::with_capacity(2);
        for row in 0..rows {
            for column in 0..columns {
                let mut next = state.clone();
                level.joint([row, column], &mut joint);
                game.apply(&mut next, &joint);
                level.entries.push(self.expected(game, &next, evaluation, through) as f32);
            }
        }
        let value = level.solver.solve(rows, columns, &level.entries, TOLERANCE, ITERATIONS);
        self.levels[depth] = level;
        f64::from(value)
    }

    /// The share that the first player can expect in a state; if `through`, by the table of the next joint move.
    fn expected(&mut self, game: &G, state: &G::State, evaluation: &NetworkEvaluation<G>, through: bool) -> f64 {
        match game.turn(state) {
            Turn::Over => game.spec().normalise(game.payoff(state, Player(0))),
            Turn::Chance if through || !evaluation.describes_chance() => {
                let mut outcomes = std::mem::take(&mut self.outcomes);
                let value = |next: &G::State| self.expected(game, next, evaluation, through);
                let mean = mean_over_chance(game, state, &mut outcomes, value);
                self.outcomes = outcomes;
                mean
            }
            Turn::Simultaneous(_) if through => self.solve_level(game, state, evaluation, 1),
            _ => f64::from(evaluation.share(game, state, Player(0))),
        }
    }
}

/// An index drawn from a strategy.
fn drawn(strategy: &[f32], rng: &mut Rng) -> usize {
    let mut left = rng.unit();
    for (index, &share) in strategy.iter().enumerate() {
        left -= f64::from(share);
        if left < 0.0 {
            return index;
        }
    }
    // Rounding left something over: the last action that is played at all.
    strategy.iter().rposition(|&share| share > 0.0).unwrap_or(0)
}

//! Solves the root exactly before a search begins.
//!
//! Every position that the solver examines counts as a playout, so that a budget means the same with and without it.

use tesuji_core::{Features, Knowledge};

use crate::simultaneous::{ExactSolver, Limits, Memory, Solution};

/// The memory limit: room for 3.7 million positions.
const MOST_BYTES: usize = 256 << 20;

/// Whether positions of this game can be solved during a search: two players, a constant sum, and a game that knows
/// which positions have equal values. Such games use something up with each step, so play never repeats.
pub(super) fn is_solvable<G: Knowledge>(game: &G) -> bool {
    has_value(game) && game.solver_hints().is_some()
}

/// Whether the game has a value: two players and a constant sum.
pub(super) fn has_value<G: Knowledge>(game: &G) -> bool {
    game.spec().players.len() == 2 && !game.spec().features.contains(Features::GENERAL_SUM)
}

/// Tries to solve the root by examining at most `positions`. `go_on` is called before each with the number so far. Also
/// returns how many it examined.
pub(super) fn solve_root<G: Knowledge>(
    game: &G,
    state: &G::State,
    positions: u64,
    mut go_on: impl FnMut(u64) -> bool,
) -> (Option<Solution<G::Action>>, u64) {
    let limits = Limits { positions: Memory::most_within(MOST_BYTES), go_on: Some(&mut go_on) };
    let mut solver = ExactSolver::new(game, Memory::new(), limits);
    solver.allow(positions);
    (solver.solve(state).ok(), solver.nodes())
}

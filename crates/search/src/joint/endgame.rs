//! A root solved exactly before a search begins.
//!
//! Every position that the solver looks into counts as a playout, so that a budget means the same with and without it.

use tesuji_core::{Features, Knowledge};

use crate::simultaneous::{ExactSolver, Limits, Memory, Solution};

/// Positions remembered at most, about 46 bytes each.
const MOST_POSITIONS: usize = 4_000_000;

/// The first try at the root; each further one may look into twice as many.
const FIRST_TRY: u64 = 1_000;

/// A solver beside a search.
pub(super) struct Endgame<'a, G: Knowledge> {
    solver: ExactSolver<'a, G>,
}

/// Can positions of this game be solved on the way? Two players, a constant sum, and a game that knows which positions are
/// worth the same: such games use something up with each step, so that nothing goes in circles.
pub(super) fn is_solvable<G: Knowledge>(game: &G) -> bool {
    has_value(game) && game.fingerprint(&game.start()).is_some()
}

/// Has the game a value: two players and a constant sum?
pub(super) fn has_value<G: Knowledge>(game: &G) -> bool {
    game.spec().players.len() == 2 && !game.spec().features.contains(Features::GENERAL_SUM)
}

impl<'a, G: Knowledge> Endgame<'a, G> {
    /// A solver that knows nothing yet.
    pub fn new(game: &'a G) -> Endgame<'a, G> {
        Endgame { solver: ExactSolver::new(game, Memory::new(), Limits { positions: MOST_POSITIONS, stop: None }) }
    }

    /// Positions looked into so far.
    pub fn spent(&self) -> u64 {
        self.solver.nodes()
    }

    /// Tries to solve the root by looking into at most `positions`, in ever longer tries between which `go_on` is asked.
    pub fn root(
        &mut self,
        state: &G::State,
        positions: u64,
        mut go_on: impl FnMut(u64) -> bool,
    ) -> Option<Solution<G::Action>> {
        let mut length = FIRST_TRY;
        while self.spent() < positions && go_on(self.spent()) {
            self.solver.allow(length.min(positions - self.spent()));
            if let Ok(solution) = self.solver.solve(state) {
                return Some(solution);
            }
            length *= 2;
        }
        None
    }
}

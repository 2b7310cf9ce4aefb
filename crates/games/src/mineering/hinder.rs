//! The playout policy "hinder", which does not waste moves: the heuristic of section 6.1 of the paper on mixed
//! strategies.
//!
//! A bar that overlaps none of the other player's possible bars is a move in reserve; laying it early wastes the
//! reserve. Such bars are dropped while at least one other remains, and the choice is uniform among the rest.

use tesuji_core::{Game, Horizon, Player, Policy, Rng};

use super::{Alternating, Synchronized};

/// The playout policy "hinder".
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Hinder;

impl Policy<Synchronized> for Hinder {
    #[inline]
    fn pick(
        &mut self,
        game: &Synchronized,
        state: &<Synchronized as Game>::State,
        player: Player,
        rng: &mut Rng,
    ) -> u8 {
        game.board.random_hindering(&state.possible, player.index(), rng)
    }

    /// Like the default, without a list for the joint action or a state of each step: every step has two movers, so
    /// each is a turn of its own.
    fn play_out(
        &mut self,
        game: &Synchronized,
        state: &mut <Synchronized as Game>::State,
        rng: &mut Rng,
        horizon: Horizon,
    ) -> u32 {
        // The default ends a turn when the next one begins, hence never before the first step.
        let most = horizon.steps.min(horizon.turns.max(1));
        let (steps, free, possible) = game.board.play_out(state.free, &state.possible, most, rng);
        (state.free, state.possible) = (free, possible);
        steps
    }
}

impl Policy<Alternating> for Hinder {
    #[inline]
    fn pick(&mut self, game: &Alternating, state: &<Alternating as Game>::State, player: Player, rng: &mut Rng) -> u8 {
        game.board.random_hindering(&state.possible, player.index(), rng)
    }
}

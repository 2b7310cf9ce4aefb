//! The playout policy "hinder", which does not waste moves: the heuristic of section 6.1 of the paper on mixed
//! strategies.
//!
//! A bar that overlaps none of the other player's possible bars is a move in reserve; laying it early wastes the
//! reserve. Such bars are dropped while at least one other remains, and the choice is uniform among the rest.

use tesuji_core::{Game, Horizon, Player, Policy, Rng, Turn};

use super::{Alternating, Synchronized};
use crate::bits;

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
        bits::random_bit(game.hindering(state, player), rng) as u8
    }

    /// Like the default, without a list for the joint action: every step has two movers, so each is a turn of its own.
    fn play_out(
        &mut self,
        game: &Synchronized,
        state: &mut <Synchronized as Game>::State,
        rng: &mut Rng,
        horizon: Horizon,
    ) -> u32 {
        // The default ends a turn when the next one begins, hence never before the first step.
        let limit = horizon.steps.min(horizon.turns.max(1));
        let mut steps = 0;
        while steps < limit && game.turn(state) != Turn::Over {
            let joint = [Player(0), Player(1)].map(|player| self.pick(game, state, player, rng));
            game.apply(state, &joint);
            steps += 1;
        }
        steps
    }
}

impl Policy<Alternating> for Hinder {
    #[inline]
    fn pick(&mut self, game: &Alternating, state: &<Alternating as Game>::State, player: Player, rng: &mut Rng) -> u8 {
        bits::random_bit(game.hindering(state, player), rng) as u8
    }
}

//! The agent that every other must beat: any legal action, each equally likely.

use tesuji_core::{Game, Rng};

use crate::{Agent, Budget, Decision, Seat};

/// Plays each legal action with equal probability; needs no budget.
#[derive(Clone, Copy, Default, Debug)]
pub struct RandomAgent;

impl<G: Game> Agent<G> for RandomAgent {
    fn choose(&mut self, seat: Seat<'_, G>, _budget: &Budget, rng: &mut Rng) -> Decision<G::Action> {
        let mut actions = Vec::new();
        seat.game.legal(seat.state, seat.player, &mut actions);
        let share = 1.0 / actions.len() as f64;
        let action = actions[rng.below(actions.len())];
        let policy = actions.iter().map(|&action| (action, share)).collect();
        Decision { policy, ..Decision::pure(action) }
    }
}

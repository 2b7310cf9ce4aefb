//! The second step of MSUCB1.5 (paper 004, §6.3 and figure 5): only the own bounds count, the opponent follows the
//! policy.

use tesuji_core::{Game, Player, Policy, Rng};

use super::arms::Arms;
use super::sides::{is_mover, scale};

/// A state after a joint action, with the statistics of the own actions there.
pub(super) struct Second<G: Game> {
    state: G::State,
    player: Player,
    /// Empty if the player does not move.
    actions: Vec<G::Action>,
    arms: Arms,
    visits: u64,
}

impl<G: Game> Second<G> {
    /// A state in which nothing was tried yet.
    pub(super) fn new(game: &G, state: G::State, player: Player) -> Second<G> {
        let mut actions = Vec::new();
        if is_mover(game.turn(&state), player) {
            game.legal(&state, player, &mut actions);
        }
        let arms = Arms::new(actions.len());
        Second { state, player, actions, arms, visits: 0 }
    }

    /// Makes the step, if the player moves here; returns the next state and the index of its action.
    pub(super) fn step(
        &mut self,
        c: f64,
        game: &G,
        policy: &mut dyn Policy<G>,
        rng: &mut Rng,
        joint: &mut Vec<G::Action>,
    ) -> (G::State, Option<usize>) {
        let mut state = self.state.clone();
        if self.actions.is_empty() {
            return (state, None);
        }
        let arm = self.arms.greatest_bound(scale(c, self.visits));
        joint.clear();
        for mover in game.turn(&state).movers() {
            joint.push(match mover == self.player {
                true => self.actions[arm],
                false => policy.pick(game, &state, mover, rng),
            });
        }
        game.apply(&mut state, joint);
        (state, Some(arm))
    }

    /// Records a share of an action.
    pub(super) fn note(&mut self, arm: usize, share: f64) {
        self.visits += 1;
        self.arms.note(arm, share);
    }
}

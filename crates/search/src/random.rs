//! The baseline agent: a uniformly random legal action.

use tesuji_core::{Game, Rng};

use crate::{Agent, Budget, Decision, Failure, Seat};

/// Plays each legal action with equal probability; needs no budget.
#[derive(Clone, Copy, Default, Debug)]
pub struct Random;

impl<G: Game> Agent<G> for Random {
    fn choose(&mut self, seat: Seat<'_, G>, _budget: &Budget, rng: &mut Rng) -> Result<Decision<G::Action>, Failure> {
        let mut actions = Vec::new();
        seat.game.legal(seat.state, seat.player, &mut actions);
        let share = 1.0 / actions.len() as f64;
        let action = actions[rng.below(actions.len())];
        let policy = actions.iter().map(|&action| (action, share)).collect();
        Ok(Decision { policy, ..Decision::pure(action) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_core::{History, Player};

    use crate::tiny_games::{Written, matrix};

    #[test]
    fn every_action_is_equally_likely() {
        let game = Written::new(2, (0.0, 1.0), matrix([[0.5; 4]; 2]));
        let mut rng = Rng::new(1);
        let mut counts = [0u32; 4];
        for _ in 0..4000 {
            let (state, history) = (game.start(), History::default());
            let seat = Seat { game: &game, state: &state, player: Player(1), history: &history, watcher: None };
            let decision = Random.choose(seat, &Budget::default(), &mut rng).unwrap();
            assert_eq!(decision.policy, [0, 1, 2, 3].map(|action| (action, 0.25)));
            counts[decision.action as usize] += 1;
        }
        assert!(counts.iter().all(|&count| count.abs_diff(1000) < 120), "{counts:?}");
    }
}

//! Obvious moves (§4): moves that need no search.

use tesuji_core::{Game, Player, Turn};

use super::first_greatest;

/// The one of `actions` that is most likely to win at once, or the one that prevents the most danger, if the
/// probabilities reach `threshold`.
pub(super) fn find<G: Game>(
    game: &G,
    state: &G::State,
    player: Player,
    actions: &[G::Action],
    threshold: f64,
) -> Option<G::Action> {
    Eyes { game, player }.obvious(state, actions, threshold)
}

/// Looks one move of each side ahead.
struct Eyes<'a, G> {
    game: &'a G,
    player: Player,
}

impl<G: Game> Eyes<'_, G> {
    fn obvious(&self, state: &G::State, actions: &[G::Action], threshold: f64) -> Option<G::Action> {
        let after = |action: G::Action| {
            let mut next = state.clone();
            self.game.apply(&mut next, &[action]);
            next
        };
        let wins: Vec<f64> = actions.iter().map(|&action| self.chance_to_win(&after(action), self.player)).collect();
        let best = first_greatest(&wins);
        if wins[best] >= threshold {
            return Some(actions[best]);
        }
        let safety: Vec<f64> = actions.iter().map(|&action| -self.danger(&after(action))).collect();
        let mean = -safety.iter().sum::<f64>() / safety.len() as f64;
        let safest = first_greatest(&safety);
        (mean >= threshold && -safety[safest] < threshold).then(|| actions[safest])
    }

    /// The probability that `state`, right after a choice, ends at once with the greatest payoff for `player`.
    fn chance_to_win(&self, state: &G::State, player: Player) -> f64 {
        match self.game.turn(state) {
            Turn::Over => f64::from(u8::from(self.game.payoff(state, player) >= self.game.spec().payoffs.1)),
            Turn::Chance => {
                let mut outcomes = Vec::new();
                self.game.chance(state, &mut outcomes);
                let share = |(outcome, probability): (G::Action, f64)| {
                    let mut next = state.clone();
                    self.game.apply(&mut next, &[outcome]);
                    probability * self.chance_to_win(&next, player)
                };
                outcomes.into_iter().map(share).sum()
            }
            _ => 0.0,
        }
    }

    /// The probability that another player, acting next, wins at once with its best action.
    fn danger(&self, state: &G::State) -> f64 {
        match self.game.turn(state) {
            Turn::Player(other) if other != self.player => {
                let mut actions = Vec::new();
                self.game.legal(state, other, &mut actions);
                let chance = |action: G::Action| {
                    let mut next = state.clone();
                    self.game.apply(&mut next, &[action]);
                    self.chance_to_win(&next, other)
                };
                actions.into_iter().map(chance).fold(0.0, f64::max)
            }
            Turn::Chance => {
                let mut outcomes = Vec::new();
                self.game.chance(state, &mut outcomes);
                let share = |(outcome, probability): (G::Action, f64)| {
                    let mut next = state.clone();
                    self.game.apply(&mut next, &[outcome]);
                    probability * self.danger(&next)
                };
                outcomes.into_iter().map(share).sum()
            }
            _ => 0.0,
        }
    }
}

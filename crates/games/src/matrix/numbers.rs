//! Matrix games in numbers: the places of actions in the table, and what was played last.

use tesuji_core::{ActionField, ActionIndex, Actor, Observation, ObservationLayout, Player};

use super::file::UNIT;
use super::{HIGH, Matrix, State};

/// Both capabilities.
pub(super) struct Numbers;

/// The greater number of actions.
fn most_actions(game: &Matrix) -> usize {
    game.table.actions[0].len().max(game.table.actions[1].len())
}

impl ActionIndex<Matrix> for Numbers {
    fn fields(&self, game: &Matrix) -> Vec<ActionField> {
        vec![ActionField::new("action", most_actions(game))]
    }

    /// Who gets the upper end of the range: nobody, the first, the second or both.
    fn outcomes(&self, game: &Matrix) -> usize {
        if game.table.bernoulli { usize::from(HIGH[0] | HIGH[1]) + 1 } else { 0 }
    }

    fn number(&self, _game: &Matrix, _actor: Actor, action: u8) -> u32 {
        u32::from(action)
    }

    fn action(&self, game: &Matrix, actor: Actor, number: u32) -> Option<u8> {
        let count = match actor {
            Actor::Player(player) => game.table.actions[player.index()].len(),
            Actor::Chance => self.outcomes(game),
        };
        ((number as usize) < count).then_some(number as u8)
    }
}

impl Observation<Matrix> for Numbers {
    fn layout(&self, game: &Matrix) -> ObservationLayout {
        let first = ["rounds played", "own mean payoff", "other mean payoff", "second looks"].map(str::to_owned);
        let last =
            |whose: &'static str| (0..most_actions(game)).map(move |action| format!("{whose} last was {action}"));
        ObservationLayout::features(first.into_iter().chain(last("own")).chain(last("other")))
    }

    fn fill(&self, game: &Matrix, state: &State, player: Player, out: &mut [f32]) {
        out.fill(0.0);
        let (own, other) = (player.index(), 1 - player.index());
        let rounds = f64::from(game.rounds);
        out[0] = (f64::from(state.settled) / rounds) as f32;
        for (place, seat) in [own, other].into_iter().enumerate() {
            let mean = state.totals[seat] as f64 / UNIT / f64::from(state.settled.max(1));
            out[1 + place] = if state.settled == 0 { 0.5 } else { game.spec.normalise(mean).clamp(0.0, 1.0) as f32 };
        }
        out[3] = f32::from(player.0);
        if let Some(last) = state.last {
            for (place, seat) in [own, other].into_iter().enumerate() {
                out[4 + place * most_actions(game) + usize::from(last[seat])] = 1.0;
            }
        }
    }
}

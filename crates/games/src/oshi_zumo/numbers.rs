//! Oshi-Zumo in numbers: bids, purses and the wrestler's place.

use tesuji_core::{ActionField, ActionIndex, Actor, Observation, ObservationLayout, Player};

use super::{OshiZumo, State};

/// Both capabilities.
pub(super) struct Numbers;

impl ActionIndex<OshiZumo> for Numbers {
    fn fields(&self, game: &OshiZumo) -> Vec<ActionField> {
        vec![ActionField::new("bid", usize::from(game.coins) + 1)]
    }

    fn number(&self, _game: &OshiZumo, _actor: Actor, action: u8) -> u32 {
        u32::from(action)
    }

    fn action(&self, game: &OshiZumo, _actor: Actor, number: u32) -> Option<u8> {
        (number <= u32::from(game.coins)).then_some(number as u8)
    }
}

impl Observation<OshiZumo> for Numbers {
    /// Places count towards the other player's end.
    fn layout(&self, game: &OshiZumo) -> ObservationLayout {
        let edge = game.size + 1;
        let first = ["own coins", "other coins", "rounds played"].map(str::to_owned);
        ObservationLayout::features(first.into_iter().chain((-edge..=edge).map(|place| format!("wrestler at {place}"))))
    }

    fn fill(&self, game: &OshiZumo, state: &State, player: Player, out: &mut [f32]) {
        out.fill(0.0);
        let purse = |player: usize| f32::from(state.coins[player]) / f32::from(game.coins);
        out[0] = purse(player.index());
        out[1] = purse(1 - player.index());
        out[2] = f32::from(state.round) / f32::from(game.horizon);
        let place = if player == Player(0) { state.place } else { -state.place };
        out[3 + (i16::from(place) + i16::from(game.size) + 1) as usize] = 1.0;
    }
}

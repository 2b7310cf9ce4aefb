//! The card game in numbers: rock, paper and scissors, and how many of them are left.

use tesuji_core::{ActionField, ActionIndex, Actor, Observation, ObservationLayout, Player};

use super::{KINDS, NAMES, RpsCards, State, size};

/// Both capabilities.
pub(super) struct Numbers;

impl ActionIndex<RpsCards> for Numbers {
    /// Rock, paper, scissors.
    fn fields(&self, _game: &RpsCards) -> Vec<ActionField> {
        vec![ActionField::new("card", KINDS)]
    }

    fn number(&self, _game: &RpsCards, _actor: Actor, action: u8) -> u32 {
        u32::from(action)
    }

    fn action(&self, _game: &RpsCards, _actor: Actor, number: u32) -> Option<u8> {
        ((number as usize) < KINDS).then_some(number as u8)
    }
}

impl Observation<RpsCards> for Numbers {
    fn layout(&self, _game: &RpsCards) -> ObservationLayout {
        let cards = ["own", "other"].into_iter().flat_map(|whose| NAMES.map(|name| format!("{whose} {name}")));
        ObservationLayout::features(cards.chain(["own lead".to_owned()]))
    }

    fn fill(&self, game: &RpsCards, state: &State, player: Player, out: &mut [f32]) {
        let cards = f32::from(size(game.hands[0]));
        for (owner, seat) in [player.index(), 1 - player.index()].into_iter().enumerate() {
            for (kind, &count) in state.hands[seat].iter().enumerate() {
                out[KINDS * owner + kind] = f32::from(count) / cards;
            }
        }
        let ahead = if player == Player(0) { state.lead } else { -state.lead };
        let most = game.gains.iter().flatten().copied().max().unwrap_or(0).max(1);
        out[2 * KINDS] = f32::from(ahead) / (cards * f32::from(most));
    }
}

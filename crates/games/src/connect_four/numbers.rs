//! Connect Four in numbers: columns, and planes of discs.

use tesuji_core::{ActionField, ActionIndex, Actor, Observation, ObservationLayout, Planes, Player, Turn};

use super::{ConnectFour, State};
use crate::bits;

/// Both capabilities.
pub(super) struct Numbers;

impl ActionIndex<ConnectFour> for Numbers {
    fn fields(&self, game: &ConnectFour) -> Vec<ActionField> {
        vec![ActionField::new("column", game.columns as usize)]
    }

    #[inline]
    fn number(&self, _game: &ConnectFour, _actor: Actor, action: u8) -> u32 {
        u32::from(action)
    }

    #[inline]
    fn action(&self, game: &ConnectFour, _actor: Actor, number: u32) -> Option<u8> {
        (number < game.columns).then_some(number as u8)
    }
}

impl Observation<ConnectFour> for Numbers {
    /// The first row is the top of the board.
    fn layout(&self, game: &ConnectFour) -> ObservationLayout {
        ObservationLayout::planes(["own discs", "other discs", "to move"], game.rows as usize, game.columns as usize)
    }

    fn fill(&self, game: &ConnectFour, state: &State, player: Player, out: &mut [f32]) {
        let mut planes = Planes::new(out, (game.rows * game.columns) as usize);
        for (plane, side) in [player.index(), 1 - player.index()].into_iter().enumerate() {
            for place in bits::ones(state.discs[side]) {
                let (column, row) = (place / (game.rows + 1), place % (game.rows + 1));
                planes.set(plane, ((game.rows - 1 - row) * game.columns + column) as usize, 1.0);
            }
        }
        planes.fill_if(2, state.turn == Turn::Player(player));
    }
}

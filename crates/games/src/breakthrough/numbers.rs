//! Breakthrough in numbers: a pawn's cell and direction, and planes of pawns.

use tesuji_core::{ActionField, ActionIndex, Actor, Observation, ObservationLayout, Planes, Player, Turn};

use super::{Breakthrough, State, Step};
use crate::bits;

/// Both capabilities.
pub(super) struct Numbers;

/// Left, straight and right, as seen from White.
const DIRECTIONS: u32 = 3;

impl ActionIndex<Breakthrough> for Numbers {
    fn fields(&self, game: &Breakthrough) -> Vec<ActionField> {
        let cells = (game.rows * game.columns) as usize;
        vec![ActionField::new("from", cells), ActionField::new("direction", DIRECTIONS as usize)]
    }

    fn number(&self, game: &Breakthrough, _actor: Actor, action: Step) -> u32 {
        let (from, to) = (u32::from(action.from), u32::from(action.to));
        from * DIRECTIONS + (to % game.columns + 1 - from % game.columns)
    }

    fn action(&self, game: &Breakthrough, actor: Actor, number: u32) -> Option<Step> {
        let (from, direction) = (number / DIRECTIONS, number % DIRECTIONS);
        let column = (from % game.columns + direction).checked_sub(1).filter(|&column| column < game.columns)?;
        let row = match actor {
            Actor::Player(Player(0)) => from / game.columns + 1,
            _ => (from / game.columns).checked_sub(1)?,
        };
        let inside = from < game.rows * game.columns && row < game.rows;
        inside.then(|| Step { from: from as u8, to: (row * game.columns + column) as u8 })
    }
}

impl Observation<Breakthrough> for Numbers {
    /// The first row is White's own. Both players see the board the same way round, so a plane says who looks.
    fn layout(&self, game: &Breakthrough) -> ObservationLayout {
        let names = ["own pawns", "other pawns", "to move", "white looks"];
        ObservationLayout::planes(names, game.rows as usize, game.columns as usize)
    }

    fn fill(&self, game: &Breakthrough, state: &State, player: Player, out: &mut [f32]) {
        let mut planes = Planes::new(out, (game.rows * game.columns) as usize);
        for (plane, side) in [player.index(), 1 - player.index()].into_iter().enumerate() {
            bits::ones(state.pawns[side]).for_each(|cell| planes.set(plane, cell as usize, 1.0));
        }
        planes.fill_if(2, state.turn == Turn::Player(player));
        planes.fill_if(3, player == Player(0));
    }
}

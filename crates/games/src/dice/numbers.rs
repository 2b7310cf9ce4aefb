//! The dice game in numbers: a piece's cell and direction, and planes of pieces.

use tesuji_core::{ActionField, ActionIndex, Actor, Observation, ObservationLayout, Planes, Player};

use super::board::DIRECTIONS;
use super::{Action, Dice, FACES, Phase, State};
use crate::bits;

/// Both capabilities.
pub(super) struct Numbers;

/// Cells of the board count row by row; the rules count eight to a row.
fn cell_number(game: &Dice, cell: u8) -> u32 {
    u32::from(cell / 8) * u32::from(game.board.size) + u32::from(cell % 8)
}

impl ActionIndex<Dice> for Numbers {
    fn fields(&self, game: &Dice) -> Vec<ActionField> {
        let size = usize::from(game.board.size);
        vec![ActionField::new("from", size * size), ActionField::new("direction", DIRECTIONS.len())]
    }

    /// The number of cells that a piece moves, less one.
    fn outcomes(&self, _game: &Dice) -> usize {
        usize::from(FACES)
    }

    fn number(&self, game: &Dice, _actor: Actor, action: Action) -> u32 {
        match action {
            Action::Slide { from, direction } => cell_number(game, from) * 8 + u32::from(direction),
            Action::Advance(distance) => u32::from(distance) - 1,
        }
    }

    fn action(&self, game: &Dice, actor: Actor, number: u32) -> Option<Action> {
        if actor == Actor::Chance {
            return (number < u32::from(FACES)).then(|| Action::Advance(number as u8 + 1));
        }
        let (cell, direction) = (number / 8, number % 8);
        let size = u32::from(game.board.size);
        let from = (cell / size * 8 + cell % size) as u8;
        (cell < size * size).then_some(Action::Slide { from, direction: direction as u8 })
    }
}

const NAMES: [&str; 10] = [
    "own king",
    "own men",
    "other king",
    "other men",
    "walls",
    "to move",
    "moves made",
    "king may not move diagonally",
    "piece that slides",
    "direction it slides",
];

impl Observation<Dice> for Numbers {
    fn layout(&self, game: &Dice) -> ObservationLayout {
        let size = usize::from(game.board.size);
        ObservationLayout::planes(NAMES, size, size)
    }

    fn fill(&self, game: &Dice, state: &State, player: Player, out: &mut [f32]) {
        let size = usize::from(game.board.size);
        let mut planes = Planes::new(out, size * size);
        let place = |cell: u32| cell_number(game, cell as u8) as usize;
        for (plane, side) in [player.index(), 1 - player.index()].into_iter().enumerate() {
            planes.set(2 * plane, place(u32::from(state.pieces.king[side])), 1.0);
            bits::ones(state.pieces.men(side)).for_each(|cell| planes.set(2 * plane + 1, place(cell), 1.0));
        }
        for cell in (0..size * size).filter(|cell| game.board.free >> (cell / size * 8 + cell % size) & 1 == 0) {
            planes.set(4, cell, 1.0);
        }
        planes.fill_if(5, state.phase == Phase::Choose && state.mover == player.0);
        planes.fill(6, f32::from(state.moves) / f32::from(game.limit));
        planes.fill_if(7, state.ban);
        if let Phase::Roll { from, direction, .. } = state.phase {
            planes.set(8, place(u32::from(from)), 1.0);
            planes.fill(9, f32::from(direction + 1) / 8.0);
        }
    }
}

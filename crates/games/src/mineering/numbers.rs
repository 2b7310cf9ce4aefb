//! Domineering and Triomineering in numbers: the first cell of a bar, and planes of free cells and possible bars.

use tesuji_core::{ActionField, ActionIndex, Actor, Observation, ObservationLayout, Planes, Player, Turn};

use super::board::{Board, Cells};
use super::{Alternating, Synchronized, alternating, synchronized};
use crate::bits;

/// Both capabilities of both games.
pub(super) struct Numbers;

fn fields(board: &Board) -> Vec<ActionField> {
    vec![ActionField::new("cell", usize::from(board.cells()))]
}

fn action(board: &Board, number: u32) -> Option<u8> {
    (number < u32::from(board.cells())).then_some(number as u8)
}

/// Both players see the board the same way round, so a plane says who looks.
const NAMES: [&str; 5] = ["free cells", "own bars begin", "other bars begin", "vertical looks", "to move"];

fn layout(board: &Board) -> ObservationLayout {
    ObservationLayout::planes(NAMES, usize::from(board.rows), usize::from(board.columns))
}

fn fill(board: &Board, free: Cells, possible: &[Cells; 2], player: Player, moves: bool, out: &mut [f32]) {
    let mut planes = Planes::new(out, usize::from(board.cells()));
    let sets = [free, possible[player.index()], possible[1 - player.index()]];
    for (plane, set) in sets.into_iter().enumerate() {
        bits::ones(set).for_each(|cell| planes.set(plane, cell as usize, 1.0));
    }
    planes.fill_if(3, player == Player(0));
    planes.fill_if(4, moves);
}

macro_rules! numbers {
    ($game:ty, $state:ty) => {
        impl ActionIndex<$game> for Numbers {
            fn fields(&self, game: &$game) -> Vec<ActionField> {
                fields(&game.board)
            }

            fn number(&self, _game: &$game, _actor: Actor, action: u8) -> u32 {
                u32::from(action)
            }

            fn action(&self, game: &$game, _actor: Actor, number: u32) -> Option<u8> {
                action(&game.board, number)
            }
        }

        impl Observation<$game> for Numbers {
            fn layout(&self, game: &$game) -> ObservationLayout {
                layout(&game.board)
            }

            fn fill(&self, game: &$game, state: &$state, player: Player, out: &mut [f32]) {
                let moves = match tesuji_core::Game::turn(game, state) {
                    Turn::Player(mover) => mover == player,
                    Turn::Simultaneous(_) => true,
                    Turn::Chance | Turn::Over => false,
                };
                fill(&game.board, state.free, &state.possible, player, moves, out);
            }
        }
    };
}

numbers!(Alternating, alternating::State);
numbers!(Synchronized, synchronized::State);

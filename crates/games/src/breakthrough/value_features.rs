//! Features of Breakthrough for learned evaluations.
//!
//! The viewer is the player who moves; its pawns go up the board. Features:
//!
//! - each pawn on its cell;
//! - each pawn's row with the three cells before it (empty, own, enemy) and whether friends protect it from behind;
//! - each window of two rows and two columns with what stands there, if anything does.

use tesuji_core::{FeatureSet, Named, Player, ValueFeatures};

use super::{Breakthrough, State};
use crate::bits;

/// The network that comes with the game.
const NETWORK: Named = Named { name: "breakthrough", summary: "11009-64-16-1, trained on 60,032 matches of self-play" };

/// The capability.
pub(super) struct BreakthroughFeatures;

const CELLS: usize = 0;
/// By owner, row (at most 32), cells ahead and protection.
const PAWNS: usize = CELLS + 2 * 64;
const WINDOWS: usize = PAWNS + 2 * 32 * 27 * 4;
const PATTERNS: usize = 81;

impl ValueFeatures<Breakthrough> for BreakthroughFeatures {
    fn set(&self, game: &Breakthrough) -> FeatureSet {
        let windows = ((game.rows - 1) * (game.columns - 1)) as usize;
        FeatureSet {
            name: format!("breakthrough-{}x{}", game.rows, game.columns),
            version: 1,
            inputs: WINDOWS + windows * PATTERNS,
            most_active: 2 * 4 * game.columns as usize + windows,
        }
    }

    fn active(&self, game: &Breakthrough, state: &State, player: Player, out: &mut Vec<u32>) {
        let (rows, columns) = (game.rows as usize, game.columns as usize);
        let white = player.0 == 0;
        // What stands where, as the player sees it: 0 nothing, 1 own, 2 enemy. The frame around the board is empty.
        let mut board = [0u8; 34 * 18];
        let width = columns + 2;
        let turned = |cell: u32| {
            let (row, column) = (cell as usize / columns, cell as usize % columns);
            (if white { row } else { rows - 1 - row }, column)
        };
        for (owner, side) in [player.index(), 1 - player.index()].into_iter().enumerate() {
            for cell in bits::ones(state.pawns[side]) {
                let (row, column) = turned(cell);
                board[(row + 1) * width + column + 1] = owner as u8 + 1;
            }
        }
        for row in 0..rows {
            for column in 0..columns {
                let place = (row + 1) * width + column + 1;
                let here = board[place];
                if here != 0 {
                    let owner = usize::from(here) - 1;
                    let (ahead, behind) =
                        if owner == 0 { (place + width, place - width) } else { (place - width, place + width) };
                    let pattern = board[ahead - 1..=ahead + 1].iter().fold(0, |sum, &cell| 3 * sum + usize::from(cell));
                    let kept = usize::from(board[behind - 1] == here) * 2 + usize::from(board[behind + 1] == here);
                    out.push((CELLS + 64 * owner + row * columns + column) as u32);
                    out.push((PAWNS + ((owner * 32 + row) * 27 + pattern) * 4 + kept) as u32);
                }
                if row + 1 < rows && column + 1 < columns {
                    let cells = [place, place + 1, place + width, place + width + 1];
                    let pattern = cells.iter().fold(0, |sum, &cell| 3 * sum + usize::from(board[cell]));
                    if pattern != 0 {
                        out.push((WINDOWS + (row * (columns - 1) + column) * PATTERNS + pattern) as u32);
                    }
                }
            }
        }
    }

    fn networks(&self, game: &Breakthrough) -> &'static [Named] {
        if game.rows == 8 && game.columns == 8 { &[NETWORK] } else { &[] }
    }

    fn network(&self, game: &Breakthrough, name: &str) -> Option<&'static str> {
        (name == NETWORK.name && !self.networks(game).is_empty())
            .then_some(include_str!("../../../../data/networks/breakthrough.net"))
    }
}

//! Features of EinStein würfelt nicht! for learned evaluations.
//!
//! The viewer is the player who moves next, before or after the roll; the board is turned so that it moves from the
//! first cell to the last. Features, each for both sides unless said otherwise:
//!
//! - each stone on its cell;
//! - each stone's cell with the number of faces that let it move;
//! - each stone's cell with what stands on the three cells before it (nothing, an own stone, a stone of the other);
//! - the set of stones on the board;
//! - the distances of the nearest stones of both sides to their goals, together;
//! - after the roll: the cells of the viewer's stones that may move.

use tesuji_core::{FeatureSet, Named, Player, ValueFeatures};

use super::{CANDIDATES, Einstein, Phase, SIDE, STEPS, STONES, State, WAYS};
use crate::networks::NetworkText;

/// The network that comes with the game.
const NETWORK: Named = Named { name: "einstein", summary: "2128-64-16-1, trained on 747,776 matches of self-play" };
static NETWORK_TEXT: NetworkText = NetworkText::of("einstein.net");

/// The capability.
pub(super) struct EinsteinFeatures;

const CELLS: usize = 25;
const STONE_ON_CELL: usize = 0;
const FACES_ON_CELL: usize = STONE_ON_CELL + 2 * 6 * CELLS;
const PATTERNS: usize = FACES_ON_CELL + 2 * 6 * CELLS;
const SETS: usize = PATTERNS + 2 * CELLS * 27;
const DISTANCES: usize = SETS + 2 * 64;
const MAY_MOVE: usize = DISTANCES + 25;
const INPUTS: usize = MAY_MOVE + CELLS;
/// Twelve stones with three features each, two sets, a pair of distances, two stones that may move.
const MOST_ACTIVE: usize = 3 * 12 + 2 + 1 + 2;

/// By the set of stones on the board and the stone: the number of faces that let it move.
const FACES: [[u8; 6]; 64] = {
    let mut table = [[0; 6]; 64];
    let mut alive = 1;
    while alive < 64 {
        let mut face = 1;
        while face <= 6 {
            let [low, high] = CANDIDATES[alive][face];
            table[alive][low as usize] += 1;
            if high != low {
                table[alive][high as usize] += 1;
            }
            face += 1;
        }
        alive += 1;
    }
    table
};

impl ValueFeatures<Einstein> for EinsteinFeatures {
    fn set(&self, _game: &Einstein) -> FeatureSet {
        FeatureSet { name: "einstein".to_owned(), version: 1, inputs: INPUTS, most_active: MOST_ACTIVE }
    }

    fn viewer(&self, _game: &Einstein, state: &State) -> Player {
        Player(state.mover & 1)
    }

    fn covers_chance(&self) -> bool {
        true
    }

    fn active(&self, _game: &Einstein, state: &State, player: Player, out: &mut Vec<u32>) {
        let sides = [player.index() & 1, 1 - (player.index() & 1)];
        let turned = |cell: u8| if player.0 == 0 { cell } else { 24 - cell } as usize;
        // What stands on each cell: 1 for stones of the player, 2 for those of the other.
        let mut board = [0u8; 32];
        for (owner, side) in sides.into_iter().enumerate() {
            for stone in 0..STONES as u8 {
                board[usize::from(state.cell(side, stone)) & 31] = owner as u8 + 1;
            }
        }
        let mut nearest = [0; 2];
        for (owner, side) in sides.into_iter().enumerate() {
            let alive = state.stones(side);
            nearest[owner] = usize::from(SIDE) - 1;
            for stone in (0..STONES as u8).filter(|stone| alive >> stone & 1 == 1) {
                let cell = state.cell(side, stone);
                let place = turned(cell);
                let faces = usize::from(FACES[usize::from(alive)][usize::from(stone)]).max(1) - 1;
                let mut pattern = 0;
                for (way, step) in STEPS[side].into_iter().enumerate() {
                    let ahead = cell.wrapping_add_signed(step);
                    let on_board = WAYS[side][usize::from(cell)] >> way & 1 == 1;
                    let there = if on_board { board[usize::from(ahead) & 31] } else { 0 };
                    pattern = 3 * pattern + usize::from(there);
                }
                out.push((STONE_ON_CELL + (6 * owner + usize::from(stone)) * CELLS + place) as u32);
                out.push((FACES_ON_CELL + (6 * owner + faces) * CELLS + place) as u32);
                out.push((PATTERNS + (owner * CELLS + place) * 27 + pattern) as u32);
                let (row, column) = (cell / SIDE, cell % SIDE);
                let away = row.max(column).max(1);
                let to_go = if side == 0 { 4 - row.min(column) } else { away };
                nearest[owner] = nearest[owner].min(usize::from(to_go));
            }
            out.push((SETS + 64 * owner + usize::from(alive)) as u32);
        }
        out.push((DISTANCES + 5 * nearest[0] + nearest[1]) as u32);
        if let Phase::Move(face) = state.phase
            && state.mover == player.0
        {
            let side = sides[0];
            let [low, high] = CANDIDATES[usize::from(state.stones(side))][usize::from(face & 7)];
            out.push((MAY_MOVE + turned(state.cell(side, low))) as u32);
            if high != low {
                out.push((MAY_MOVE + turned(state.cell(side, high))) as u32);
            }
        }
    }

    fn networks(&self, _game: &Einstein) -> &'static [Named] {
        &[NETWORK]
    }

    fn network(&self, _game: &Einstein, name: &str) -> Option<&'static str> {
        (name == NETWORK.name).then(|| NETWORK_TEXT.get())
    }
}

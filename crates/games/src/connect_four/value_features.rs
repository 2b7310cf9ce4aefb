//! Features of Connect Four for learned evaluations.
//!
//! The viewer is the player who moves. Features:
//!
//! - each disc on its cell;
//! - each possible line with discs of one side only, by side and number of discs;
//! - each free cell where one more disc completes a line, by side, and whether the disc would land there now;
//! - the height of each column.

use tesuji_core::{FeatureSet, Named, Player, ValueFeatures};

use super::{ConnectFour, State};
use crate::bits;

/// The capability.
pub(super) struct ConnectFourFeatures;

const DISCS: usize = 0;
const COMPLETIONS: usize = DISCS + 2 * 64;
const HEIGHTS: usize = COMPLETIONS + 2 * 2 * 64;
/// By column (at most 16) and height (at most 20).
const LINES: usize = HEIGHTS + 16 * 21;
/// Discs of one side in a line without a winner: 1 to 4.
const COUNTS: usize = 4;

impl ValueFeatures<ConnectFour> for ConnectFourFeatures {
    fn set(&self, game: &ConnectFour) -> FeatureSet {
        let cells = (game.rows * game.columns) as usize;
        FeatureSet {
            name: format!("connect-four-{}x{}-{}", game.rows, game.columns, game.lines.length()),
            version: 1,
            inputs: LINES + game.possible.len() * 2 * COUNTS,
            most_active: 3 * cells + game.columns as usize + game.possible.len(),
        }
    }

    fn active(&self, game: &ConnectFour, state: &State, player: Player, out: &mut Vec<u32>) {
        let [own, other] = [state.discs[player.index()], state.discs[1 - player.index()]];
        let (free, landings) = (game.board & !(own | other), game.landings(state));
        for (owner, discs) in [own, other].into_iter().enumerate() {
            out.extend(bits::ones(discs).map(|cell| (DISCS + 64 * owner) as u32 + cell));
            for cell in bits::ones(game.lines.completions(discs) & free) {
                let lands = (landings >> cell & 1) as usize;
                out.push((COMPLETIONS + 64 * (2 * owner + lands)) as u32 + cell);
            }
        }
        let column = (1u64 << game.rows) - 1;
        for place in 0..game.columns {
            let height = ((own | other) >> (place * (game.rows + 1)) & column).count_ones();
            out.push(HEIGHTS as u32 + 21 * place + height);
        }
        for (index, &line) in game.possible.iter().enumerate() {
            let (mine, theirs) = ((line & own).count_ones() as usize, (line & other).count_ones() as usize);
            if (mine == 0) != (theirs == 0) {
                let (owner, count) = if mine > 0 { (0, mine) } else { (1, theirs) };
                out.push((LINES + (2 * index + owner) * COUNTS + (count - 1).min(COUNTS - 1)) as u32);
            }
        }
    }

    fn networks(&self, _game: &ConnectFour) -> &'static [Named] {
        &[]
    }
}

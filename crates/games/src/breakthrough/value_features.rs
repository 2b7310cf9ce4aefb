//! Features of Breakthrough for learned evaluations.
//!
//! The viewer is the player who moves; its pawns go up the board. Features:
//!
//! - each pawn on its cell;
//! - each pawn's row with the three cells before it (empty, own, enemy) and whether friends protect it from behind;
//! - each window of two rows and two columns with what stands there, if anything does.

use tesuji_core::{FeatureSet, Named, Player, ValueFeatures};

use super::{Breakthrough, State};
use crate::networks::NetworkText;

/// The network that comes with the game.
const NETWORK: Named = Named { name: "breakthrough", summary: "11009-64-16-1, trained on 60,032 matches of self-play" };
static NETWORK_TEXT: NetworkText = NetworkText::of("breakthrough.net");

/// The capability.
pub(super) struct BreakthroughFeatures;

const CELLS: usize = 0;
/// By owner, row (at most 32), cells ahead and protection.
const PAWNS: usize = CELLS + 2 * 64;
const WINDOWS: usize = PAWNS + 2 * 32 * 27 * 4;
const PATTERNS: usize = 81;
/// At most 64 cells: two features of a pawn and a window each.
const MOST_ACTIVE: usize = 3 * 64;

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
        let sides = [player.index(), 1 - player.index()].map(|side| Rows::seen(game, state.pawns[side], player));
        // Written without branches: a feature that is not there is overwritten by the next.
        let (mut found, mut count) = ([0; MOST_ACTIVE + 1], 0);
        for row in 0..rows {
            for column in 0..columns {
                for (owner, side) in sides.iter().enumerate() {
                    if side.has(row, column) {
                        // Rows in the frame's numbers.
                        let (ahead, behind) = if owner == 0 { (row + 2, row) } else { (row, row + 2) };
                        let three = sides.each_ref().map(|side| THREE[side.three(ahead, column)]);
                        let pattern = three[0] + 2 * three[1];
                        let friends = side.three(behind, column);
                        let kept = (friends & 1) * 2 + (friends >> 2);
                        found[count] = (CELLS + 64 * owner + row * columns + column) as u32;
                        found[count + 1] = (PAWNS + ((owner * 32 + row) * 27 + pattern) * 4 + kept) as u32;
                        count += 2;
                    }
                }
                if row + 1 < rows && column + 1 < columns {
                    let four = sides.each_ref().map(|side| FOUR[side.window(row, column)]);
                    let pattern = four[0] + 2 * four[1];
                    found[count] = (WINDOWS + (row * (columns - 1) + column) * PATTERNS + pattern) as u32;
                    count += usize::from(pattern != 0);
                }
            }
        }
        out.extend_from_slice(&found[..count]);
    }

    fn networks(&self, game: &Breakthrough) -> &'static [Named] {
        if game.rows == 8 && game.columns == 8 { &[NETWORK] } else { &[] }
    }

    fn network(&self, game: &Breakthrough, name: &str) -> Option<&'static str> {
        (name == NETWORK.name && !self.networks(game).is_empty()).then(|| NETWORK_TEXT.get())
    }
}

/// Digits of base 3, the first cell being the greatest digit: three cells in a row.
const THREE: [usize; 8] = digits(3);
/// The same for the four cells of a window.
const FOUR: [usize; 16] = digits(4);

/// For each set of `cells` bits, the number of base 3 that has a 1 where a bit is set; bit 0 is the greatest digit.
const fn digits<const SETS: usize>(cells: u32) -> [usize; SETS] {
    let mut numbers = [0; SETS];
    let mut set = 0;
    while set < SETS {
        let mut cell = 0;
        while cell < cells {
            numbers[set] = 3 * numbers[set] + (set >> cell & 1);
            cell += 1;
        }
        set += 1;
    }
    numbers
}

/// The pawns of one side as a player sees the board: a word for each row, with an empty frame around the board.
struct Rows([u32; 34]);

impl Rows {
    fn seen(game: &Breakthrough, pawns: u64, player: Player) -> Rows {
        let (rows, columns) = (game.rows as usize, game.columns as usize);
        let mut words = [0; 34];
        for row in 0..rows {
            let from = if player.0 == 0 { row } else { rows - 1 - row };
            words[row + 1] = ((pawns >> (from * columns)) as u32 & ((1 << columns) - 1)) << 1;
        }
        Rows(words)
    }

    #[inline]
    fn has(&self, row: usize, column: usize) -> bool {
        self.0[row + 1] >> (column + 1) & 1 == 1
    }

    /// The cells left of, in and right of a column, in a row of the frame's numbers.
    #[inline]
    fn three(&self, row: usize, column: usize) -> usize {
        (self.0[row] >> column & 7) as usize
    }

    /// The window whose first cell this is.
    #[inline]
    fn window(&self, row: usize, column: usize) -> usize {
        (self.0[row + 1] >> (column + 1) & 3 | (self.0[row + 2] >> (column + 1) & 3) << 2) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_core::{Game, Knowledge, Rng, Turn};

    /// The features by their description, from a board of numbers.
    fn plain(game: &Breakthrough, state: &State, player: Player) -> Vec<u32> {
        let (rows, columns) = (game.rows as i32, game.columns as i32);
        let own = player.index();
        let at = |row: i32, column: i32| {
            if !(0..rows).contains(&row) || !(0..columns).contains(&column) {
                return 0;
            }
            let cell = if own == 0 { row } else { rows - 1 - row } * columns + column;
            [1, 2]
                .into_iter()
                .zip([own, 1 - own])
                .find(|(_, side)| state.pawns[*side] >> cell & 1 == 1)
                .map_or(0, |found| found.0)
        };
        let mut features = Vec::new();
        for row in 0..rows {
            for column in 0..columns {
                let here = at(row, column);
                if here != 0 {
                    let (owner, ahead) = (here - 1, if here == 1 { 1 } else { -1 });
                    let pattern = (-1..=1).fold(0, |sum, side| 3 * sum + at(row + ahead, column + side));
                    let friend = |side: i32| i32::from(at(row - ahead, column + side) == here);
                    features.push(64 * owner + row * columns + column);
                    features.push(128 + ((owner * 32 + row) * 27 + pattern) * 4 + 2 * friend(-1) + friend(1));
                }
                if row + 1 < rows && column + 1 < columns {
                    let cells = [(row, column), (row, column + 1), (row + 1, column), (row + 1, column + 1)];
                    let pattern = cells.into_iter().fold(0, |sum, (row, column)| 3 * sum + at(row, column));
                    let window = row * (columns - 1) + column;
                    features.extend((pattern != 0).then_some(WINDOWS as i32 + 81 * window + pattern));
                }
            }
        }
        features.into_iter().map(|feature| feature as u32).collect()
    }

    #[test]
    fn features_are_what_their_description_says() {
        let mut rng = Rng::new(8);
        for (rows, columns) in [(8, 8), (6, 6), (4, 16), (16, 4), (5, 7)] {
            let game = Breakthrough::new(rows, columns).unwrap();
            let features = game.value_features().unwrap();
            let (mut state, mut scratch) = (game.start(), Vec::new());
            while let Turn::Player(player) = game.turn(&state) {
                for viewer in [Player(0), Player(1)] {
                    let mut active = Vec::new();
                    features.active(&game, &state, viewer, &mut active);
                    assert_eq!(active, plain(&game, &state, viewer), "{rows}×{columns}: {state:?}");
                }
                let action = game.random_action(&state, player, &mut rng, &mut scratch);
                game.apply(&mut state, &[action]);
            }
        }
    }
}

//! Features of the dice game for learned evaluations.
//!
//! The viewer is the player who chooses; the board is turned by 180° for White, so that both sides see their start in
//! the same corner. Features, each for both sides unless said otherwise:
//!
//! - the king's cell, and each man's cell;
//! - king and man: both cells together, and the way from one to the other;
//! - two men: the way from one to the other;
//! - for both sides together: the number of faces that win at once, as if it were that side's turn, and whether two
//!   pieces stand in a line whose third cell is free;
//! - whether the king's diagonal moves are still forbidden.

use tesuji_core::{FeatureSet, Named, Player, ValueFeatures};

use super::evaluation::winning_faces;
use super::{Dice, State};
use crate::bits;
use crate::networks::NetworkText;

/// The free cells of the standard board, for which the network was trained.
const STANDARD: u64 = 0x7f_7f77_6377_7f7f;

/// The network that comes with the game.
const NETWORK: Named = Named { name: "dice7", summary: "5225-64-16-1, trained on 300,032 matches of self-play" };
static NETWORK_TEXT: NetworkText = NetworkText::of("dice7.net");

/// The capability.
pub(super) struct DiceFeatures;

/// Ways from one cell to another: −7 to 7 rows and columns.
const WAYS: usize = 15 * 15;
const KINGS: usize = 0;
const MEN: usize = KINGS + 2 * 64;
const KING_TO_MAN: usize = MEN + 2 * 64;
const MAN_TO_MAN: usize = KING_TO_MAN + 2 * WAYS;
/// Faces of both sides, 0 to 6, and for each whether it has two in line.
const THREATS: usize = MAN_TO_MAN + 2 * WAYS;
const BAN: usize = THREATS + 7 * 7 * 4;
/// From here on: king's and man's cells together, numbered over the free cells.
const PAIRS: usize = BAN + 1;
/// Two kings, eight men with two features of their king, twelve pairs of men, threats and the ban.
const MOST_ACTIVE: usize = 2 + 3 * 8 + 12 + 2;

impl ValueFeatures<Dice> for DiceFeatures {
    fn set(&self, game: &Dice) -> FeatureSet {
        let free = game.board.free.count_ones() as usize;
        let name = format!("dice7-{}-{:x}", game.board.size, game.board.free);
        FeatureSet { name, version: 1, inputs: PAIRS + 2 * free * free, most_active: MOST_ACTIVE }
    }

    fn active(&self, game: &Dice, state: &State, player: Player, out: &mut Vec<u32>) {
        let last = usize::from(game.board.size - 1);
        let free = game.board.free;
        let count = free.count_ones() as usize;
        let white = player.0 == 1;
        let turned = |cell: usize| if white { 9 * last - cell } else { cell };
        let rank = |cell: usize| {
            let rank = (free & ((1 << cell) - 1)).count_ones() as usize;
            if white { count - 1 - rank } else { rank }
        };
        let own = player.index() & 1;
        let mut threats = [(0, false); 2];
        for (owner, side) in [own, 1 - own].into_iter().enumerate() {
            let king = usize::from(state.pieces.king[side]);
            out.push((KINGS + 64 * owner + turned(king)) as u32);
            let mut men = [0; 4];
            let mut found = 0;
            for man in bits::ones(state.pieces.men(side)).map(|cell| cell as usize) {
                out.push((MEN + 64 * owner + turned(man)) as u32);
                out.push((KING_TO_MAN + WAYS * owner + way(turned(king), turned(man))) as u32);
                out.push((PAIRS + (owner * count + rank(king)) * count + rank(man)) as u32);
                for &other in &men[..found] {
                    // The way of the two that does not depend on who looks.
                    let (one, two) = (turned(man), turned(other));
                    out.push((MAN_TO_MAN + WAYS * owner + way(one.min(two), one.max(two))) as u32);
                }
                men[found & 3] = man;
                found = (found + 1).min(4);
            }
            threats[owner] = winning_faces(game, &state.pieces, side);
        }
        let [(own_faces, own_weak), (faces, weak)] = threats;
        let faces = 7 * usize::from(own_faces.min(6)) + usize::from(faces.min(6));
        out.push((THREATS + 4 * faces + 2 * usize::from(own_weak) + usize::from(weak)) as u32);
        if state.ban {
            out.push(BAN as u32);
        }
    }

    fn networks(&self, game: &Dice) -> &'static [Named] {
        if game.board.size == 7 && game.board.free == STANDARD { &[NETWORK] } else { &[] }
    }

    fn network(&self, game: &Dice, name: &str) -> Option<&'static str> {
        (name == NETWORK.name && !self.networks(game).is_empty()).then(|| NETWORK_TEXT.get())
    }
}

/// The number of the way from one cell to another.
fn way(from: usize, to: usize) -> usize {
    (to / 8 + 7 - from / 8) * 15 + (to % 8 + 7 - from % 8)
}

//! What a board of the dice game is worth: the evaluations of the paper (§4), and one of chances.
//!
//! The paper gives three terms with their ranges and two examples; what it leaves open is chosen here.
//!
//! 1. *Own threat, 0 to 50.* 50 times the chance that the best own action completes a line at once, as if it were one's
//!    turn; at least 5 if two own pieces stand in a line of three whose third cell is free ("weak threat", the men on c1 and
//!    a3 at the start).
//! 2. *King and other pieces, 1 to 12.* 13 less the mean of the men's Manhattan distances to the king, which lie between 1
//!    and 12 on the paper's board.
//! 3. *The other can win by its next move, −200 or 0.* A board does not tell whether an own piece has opened the way, so any
//!    such threat counts.
//!
//! `typeA` is 1 + 2 + 3, own pieces only but for term 3; `typeB` subtracts the other side's 1 + 2; `typeAB`, the paper's
//! type(A+B), is `typeB` where the other side's 1 + 2 are greater, and `typeA` elsewhere.

use tesuji_core::{Evaluation, Named, Player};

use super::board::{Board, DIRECTIONS, Pieces};
use super::policy::weigh;
use super::{Dice, FACES, State};
use crate::bits;

pub(super) const EVALUATIONS: &[Named] = &[
    Named { name: "race", summary: "chances to win at once, own less the other's, with nearness to the king; -1 to 1" },
    Named { name: "typeA", summary: "paper 003 §4: own threats and distances, and whether the other can win next" },
    Named {
        name: "typeB",
        summary: "paper 003 §4: threats and distances of both sides, and whether the other can win next",
    },
    Named { name: "typeAB", summary: "paper 003 §4, type(A+B): typeB where one is behind, typeA elsewhere" },
];

/// The evaluation of that name.
pub(super) fn by_name(name: &str) -> Option<Box<dyn Evaluation<Dice>>> {
    Some(match name {
        "race" => Box::new(race),
        "typeA" => Box::new(|game: &Dice, state: &State, player: Player| Terms::of(game, state, player).type_a()),
        "typeB" => Box::new(|game: &Dice, state: &State, player: Player| Terms::of(game, state, player).type_b()),
        "typeAB" => Box::new(|game: &Dice, state: &State, player: Player| {
            let terms = Terms::of(game, state, player);
            if terms.own < terms.other { terms.type_b() } else { terms.type_a() }
        }),
        _ => return None,
    })
}

/// The greatest of term 1 (§4).
const STRONG_THREAT: f64 = 50.0;
/// Two in line with the third cell free: about 5 at the start (§4).
const WEAK_THREAT: f64 = 5.0;
/// Term 3 (§4).
const NEXT_MOVE_LOSES: f64 = -200.0;

struct Terms {
    /// Terms 1 and 2 for the player.
    own: f64,
    /// Terms 1 and 2 for the other side.
    other: f64,
    /// Term 3.
    danger: f64,
}

impl Terms {
    #[inline]
    fn of(game: &Dice, state: &State, player: Player) -> Terms {
        let side = player.index();
        let [own, other] = [side, 1 - side].map(|side| Threat::of(&game.board, &state.pieces, side));
        let worth = |threat: &Threat, side: usize| threat.points() + 13.0 - mean_distance(&state.pieces, side);
        Terms {
            own: worth(&own, side),
            other: worth(&other, 1 - side),
            danger: if other.faces > 0 { NEXT_MOVE_LOSES } else { 0.0 },
        }
    }

    fn type_a(&self) -> f64 {
        self.own + self.danger
    }

    fn type_b(&self) -> f64 {
        self.own - self.other + self.danger
    }
}

/// How near a side is to a line.
pub(super) struct Threat {
    /// Of the six faces, those that win at once with the best action.
    pub(super) faces: u8,
    /// Do two pieces stand in a line of three whose third cell is free?
    weak: bool,
}

impl Threat {
    #[inline]
    pub(super) fn of(board: &Board, pieces: &Pieces, side: usize) -> Threat {
        let (king, men, occupied) = (pieces.king[side], pieces.men(side), pieces.occupied());
        let open = board.free & !occupied;
        let between = board.thirds(men) & open;
        let holes = board.holes(king, men, occupied).fold(0, |holes, (hole, _)| holes | hole);
        let mut faces = 0;
        if between != 0 {
            for direction in 0..DIRECTIONS.len() {
                if board.ray(king, direction) & between != 0 {
                    let run = board.run(king, direction, occupied);
                    faces = faces.max(weigh(run & between, run, direction));
                }
            }
        }
        if holes != 0 {
            for from in bits::ones(men).map(|from| from as u8) {
                // A man that stands in the line himself leaves it when he moves.
                let mut goals = None;
                for direction in 0..DIRECTIONS.len() {
                    if board.ray(from, direction) & holes == 0 {
                        continue;
                    }
                    let goals = *goals.get_or_insert_with(|| {
                        let others = board.holes(king, men & !(1 << from), occupied);
                        others.fold(0, |holes, (hole, _)| holes | hole)
                    });
                    let run = board.run(from, direction, occupied);
                    faces = faces.max(weigh(run & goals, run, direction));
                }
            }
        }
        Threat { faces, weak: between | holes != 0 }
    }

    fn points(&self) -> f64 {
        let strong = STRONG_THREAT * f64::from(self.faces) / f64::from(FACES);
        if self.weak { strong.max(WEAK_THREAT) } else { strong }
    }
}

/// The mean of the men's Manhattan distances to their king.
#[inline]
fn mean_distance(pieces: &Pieces, side: usize) -> f64 {
    let king = pieces.king[side];
    let men = pieces.men(side);
    let distance = |man: u32| (man / 8).abs_diff(u32::from(king) / 8) + (man % 8).abs_diff(u32::from(king) % 8);
    f64::from(bits::ones(men).map(distance).sum::<u32>()) / f64::from(men.count_ones())
}

/// What a cell nearer to the king is worth beside a chance to win of 1.
const NEARNESS: f64 = 0.02;

/// The mover wins at once with the chance of its best action; if it does not, the other may with the chance of its own.
fn race(game: &Dice, state: &State, player: Player) -> f64 {
    let mover = usize::from(state.mover);
    let chance = |side: usize| f64::from(Threat::of(&game.board, &state.pieces, side).faces) / f64::from(FACES);
    let (own, other) = (chance(mover), chance(1 - mover));
    let nearness = mean_distance(&state.pieces, 1 - mover) - mean_distance(&state.pieces, mover);
    // The chances leave room for the nearness, at most 11 cells.
    let value = (1.0 - 11.0 * NEARNESS) * (own - (1.0 - own) * other) + NEARNESS * nearness;
    if player.index() == mover { value } else { -value }
}

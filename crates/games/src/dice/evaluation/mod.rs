//! Evaluations for the dice game: those of the paper (§4), and one from winning probabilities.
//!
//! The paper gives three terms with their ranges and two examples. What it leaves open is chosen here:
//!
//! 1. *Own threat, 0 to 50.* 50 times the probability that the best own action completes a line at once, as if it were
//!    that player's turn. At least 5 if two own pieces stand in a line of three whose third cell is free ("weak
//!    threat", such as the men on c1 and a3 at the start).
//! 2. *King and other pieces, 1 to 12.* 13 minus the men's mean Manhattan distance to the king, which lies between 1
//!    and 12 on the paper's board.
//! 3. *The opponent can win with its next move, −200 or 0.* A board does not show whether an own piece has opened the
//!    way, so any such threat counts.
//!
//! `typeA` is 1 + 2 + 3, with own pieces only except in term 3. `typeB` subtracts the opponent's 1 + 2. `typeAB`, the
//! paper's type(A+B), is `typeB` where the opponent's 1 + 2 are greater, and `typeA` elsewhere.

mod side;

use tesuji_core::{Evaluation, Named, Player, Successor, Successors, Visit};

use super::board::Pieces;
use super::{Action, Dice, FACES, State, probability};
use side::{Side, Standing};

pub(super) const EVALUATIONS: &[Named] = &[
    Named {
        name: "race",
        summary: "probability to win at once, own minus the opponent's, plus nearness to the king; \
        -1 to 1",
    },
    Named { name: "typeA", summary: "paper 003 §4: own threats and distances, and whether the other can win next" },
    Named {
        name: "typeB",
        summary: "paper 003 §4: threats and distances of both sides, and whether the other can win next",
    },
    Named { name: "typeAB", summary: "paper 003 §4, type(A+B): typeB where one is behind, typeA elsewhere" },
];

/// The evaluation called `name`.
pub(super) fn by_name(name: &str) -> Option<Box<dyn Evaluation<Dice>>> {
    Some(Box::new(match name {
        "race" => Judgement::Race,
        "typeA" => Judgement::TypeA,
        "typeB" => Judgement::TypeB,
        "typeAB" => Judgement::TypeAB,
        _ => return None,
    }))
}

/// The number of faces that win at once for a side with its best action, as if it were its turn, and whether two of its
/// pieces stand in a line of three whose third cell is free.
#[inline]
pub(super) fn winning_faces(game: &Dice, pieces: &Pieces, side: usize) -> (u8, bool) {
    let standing = Side::new(&game.board, pieces, side).standing();
    (standing.faces, standing.weak)
}

/// One of [`EVALUATIONS`].
#[derive(Clone, Copy)]
enum Judgement {
    Race,
    TypeA,
    TypeB,
    TypeAB,
}

impl Judgement {
    /// The value of a board for a side, by whether that side chooses next.
    #[inline]
    fn worth(self, own: &Standing, other: &Standing, chooses: bool) -> f64 {
        match self {
            Judgement::Race if chooses => race(own, other),
            Judgement::Race => -race(other, own),
            Judgement::TypeA => own.points() + other.danger(),
            Judgement::TypeB => own.points() - other.points() + other.danger(),
            Judgement::TypeAB => {
                let (mine, theirs) = (own.points(), other.points());
                if mine < theirs { mine - theirs + other.danger() } else { mine + other.danger() }
            }
        }
    }
}

impl Evaluation<Dice> for Judgement {
    fn value(&self, game: &Dice, state: &State, player: Player) -> f64 {
        let side = player.index() & 1;
        let [own, other] = [side, 1 - side].map(|side| Side::new(&game.board, &state.pieces, side).standing());
        self.worth(&own, &other, player.0 == state.mover)
    }

    /// This creates no states: one piece is moved from cell to cell, and everything that does not change is computed
    /// once.
    fn successors(
        &self,
        game: &Dice,
        state: &State,
        actions: &[Action],
        player: Player,
        visit: &mut dyn FnMut(Successors<'_>) -> Visit,
    ) -> bool {
        if actions.iter().any(|action| matches!(action, Action::Advance(_))) {
            return false;
        }
        let mover = usize::from(state.mover & 1);
        let own = player.index() == mover;
        let home = Side::new(&game.board, &state.pieces, mover);
        let mut waiting = Side::new(&game.board, &state.pieces, 1 - mover);
        let (undisturbed, concerns) = (waiting.standing(), waiting.concerns());
        let occupied = state.pieces.occupied();
        for (index, &action) in actions.iter().enumerate() {
            let Action::Slide { from, direction } = action else { continue };
            let room = game.board.room(from, usize::from(direction), occupied);
            let mut moved = home.clone();
            let piece = moved.lift(from);
            let mut behind = [Successor::default(); FACES as usize];
            // The farthest cell gets all faces that would lead beyond it.
            let farthest = (room < FACES).then_some(room);
            let nearer = 1..room + u8::from(farthest.is_none());
            for (told, distance) in farthest.into_iter().chain(nearer).enumerate() {
                let to = game.board.beyond(from, direction, distance);
                let mut pieces = state.pieces;
                pieces.go(mover, from, to);
                let end = game.payoff_after(&pieces, mover, state.moves + 1);
                let value = match end {
                    Some(payoff) if own => payoff,
                    Some(payoff) => 1.0 - payoff,
                    None => {
                        moved.put(piece, to, pieces.occupied());
                        waiting.occupied = pieces.occupied();
                        let changed = 1 << from | 1 << to;
                        let theirs = if changed & concerns == 0 { undisturbed } else { waiting.standing() };
                        match own {
                            true => self.worth(&moved.standing(), &theirs, false),
                            false => self.worth(&theirs, &moved.standing(), true),
                        }
                    }
                };
                let probability = probability(distance, room);
                behind[told] = Successor { probability, value, over: end.is_some() };
                let complete = told + 1 == usize::from(room);
                match visit(Successors { action: index, states: &behind[..=told], complete }) {
                    Visit::NextState => {}
                    Visit::NextAction => break,
                    Visit::Stop => return true,
                }
            }
        }
        true
    }
}

/// The value of being one cell nearer to the king, relative to a winning probability of 1.
const NEARNESS: f64 = 0.02;

/// By the number of faces that win at once for the mover and for the opponent: the mover wins with the probability of
/// its best action; otherwise the opponent may win with that of its own. The scale leaves room for the nearness of at
/// most 11 cells.
static CHANCES: [[f64; 8]; 8] = {
    let mut chances = [[0.0; 8]; 8];
    let mut place = 0;
    while place < 64 {
        let own = (place / 8) as f64 / FACES as f64;
        let theirs = (place % 8) as f64 / FACES as f64;
        chances[place / 8][place % 8] = (1.0 - 11.0 * NEARNESS) * (own - (1.0 - own) * theirs);
        place += 1;
    }
    chances
};

/// The value of a board for the mover, from the winning probabilities of both sides.
#[inline]
fn race(mover: &Standing, other: &Standing) -> f64 {
    let chances = CHANCES[usize::from(mover.faces & 7)][usize::from(other.faces & 7)];
    chances + NEARNESS * (other.distance - mover.distance)
}

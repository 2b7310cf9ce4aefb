//! Evaluations for the dice game: those of the paper (§4), and one from winning probabilities.
//!
//! The paper gives three terms with their ranges and two examples:
//!
//! 1. *Own threat (自分のリーチの有無), 0 to 50.* The start has a "weak threat" of two men, "about 5"; figure 6 has a
//!    "strong threat" of the king and a man, "about 50". So what counts is which threat there is: 50 if the king and a
//!    man stand in a line of three whose third cell is free, 5 if two men do, else 0.
//! 2. *King and other pieces, 1 to 12.* 13 minus the men's mean Manhattan distance to the king, which lies between 1
//!    and 12 on the paper's board.
//! 3. *A threat with which the opponent wins next and which arises by a move of one's own piece
//!    (自駒が動くことで発生する), −200 or 0.* The opponent can win with its next move, and could not have done so before
//!    one's last move.
//!
//! `typeA` is 1 + 2 + 3, with own pieces only except in term 3. `typeB` subtracts the opponent's 1 + 2. `typeAB`, the
//! paper's type(A+B), is `typeB` where the opponent's 1 + 2 are greater, and `typeA` elsewhere.
//!
//! Other readings have names of their own:
//!
//! * `-chance`: term 1 is 50 times the probability that the best own action completes a line at once, as if it were
//!   that player's turn, and at least 5 if two own pieces stand in a line of three whose third cell is free.
//! * `-any`: term 3 counts any threat of the opponent, whoever caused it. This is also what counts where the state
//!   before the last move is not known ([`Evaluation::value`]).

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
    Named {
        name: "typeA",
        summary: "paper 003 §4: own threats and distances, and threats of the other that one opens",
    },
    Named { name: "typeB", summary: "paper 003 §4: threats and distances of both sides, and threats that one opens" },
    Named { name: "typeAB", summary: "paper 003 §4, type(A+B): typeB where one is behind, typeA elsewhere" },
    Named { name: "typeA-chance", summary: "typeA, own threats counted by the probability to win at once" },
    Named { name: "typeB-chance", summary: "typeB, threats counted by the probability to win at once" },
    Named { name: "typeAB-chance", summary: "typeAB, threats counted by the probability to win at once" },
    Named { name: "typeA-any", summary: "typeA, with any threat of the other" },
    Named { name: "typeB-any", summary: "typeB, with any threat of the other" },
    Named { name: "typeAB-any", summary: "typeAB, with any threat of the other" },
    Named { name: "typeA-chance-any", summary: "typeA-chance, with any threat of the other" },
    Named { name: "typeB-chance-any", summary: "typeB-chance, with any threat of the other" },
    Named { name: "typeAB-chance-any", summary: "typeAB-chance, with any threat of the other" },
];

/// The evaluation called `name`.
pub(super) fn by_name(name: &str) -> Option<Box<dyn Evaluation<Dice>>> {
    if name == "race" {
        return Some(Box::new(Judgement::Race));
    }
    let (name, any_danger) = name.strip_suffix("-any").map_or((name, false), |name| (name, true));
    let (name, by_chance) = name.strip_suffix("-chance").map_or((name, false), |name| (name, true));
    let kind = match name {
        "typeA" => Kind::A,
        "typeB" => Kind::B,
        "typeAB" => Kind::AB,
        _ => return None,
    };
    Some(Box::new(Judgement::Paper { kind, by_chance, any_danger }))
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
    Paper {
        kind: Kind,
        /// Whether term 1 is a probability.
        by_chance: bool,
        /// Whether term 3 counts threats that one's own last move has not caused.
        any_danger: bool,
    },
}

/// The paper's types.
#[derive(Clone, Copy)]
enum Kind {
    A,
    B,
    AB,
}

/// What the last choice has done to a threat of the opponent.
#[derive(Clone, Copy)]
enum Last {
    /// It was made by the player for whom the board is evaluated, when the opponent could or could not win at once.
    Own { threatened: bool },
    /// It was the opponent's.
    Theirs,
    /// Nobody knows.
    Unknown,
}

impl Judgement {
    /// The value of a board for a side, by whether that side chooses next.
    #[inline]
    fn worth(self, own: &Standing, other: &Standing, chooses: bool, last: Last) -> f64 {
        let Judgement::Paper { kind, by_chance, any_danger } = self else {
            return if chooses { race(own, other) } else { -race(other, own) };
        };
        let counts = any_danger
            || match last {
                Last::Own { threatened } => !threatened,
                Last::Theirs => false,
                Last::Unknown => true,
            };
        let danger = if counts { other.danger() } else { 0.0 };
        let mine = own.points(by_chance);
        danger
            + match kind {
                Kind::A => mine,
                Kind::B => mine - other.points(by_chance),
                Kind::AB => {
                    let theirs = other.points(by_chance);
                    if mine < theirs { mine - theirs } else { mine }
                }
            }
    }

    fn value_with(self, game: &Dice, state: &State, player: Player, last: Last) -> f64 {
        let side = player.index() & 1;
        let [own, other] = [side, 1 - side].map(|side| Side::new(&game.board, &state.pieces, side).standing());
        self.worth(&own, &other, player.0 == state.mover, last)
    }
}

impl Evaluation<Dice> for Judgement {
    fn value(&self, game: &Dice, state: &State, player: Player) -> f64 {
        self.value_with(game, state, player, Last::Unknown)
    }

    fn value_after(&self, game: &Dice, before: &State, state: &State, player: Player) -> f64 {
        let last = match self {
            Judgement::Paper { any_danger: false, .. } if before.mover == player.0 => {
                Last::Own { threatened: winning_faces(game, &before.pieces, 1 - player.index()).0 > 0 }
            }
            Judgement::Paper { any_danger: false, .. } => Last::Theirs,
            _ => Last::Unknown,
        };
        self.value_with(game, state, player, last)
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
        let last = if own { Last::Own { threatened: undisturbed.faces > 0 } } else { Last::Theirs };
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
                            true => self.worth(&moved.standing(), &theirs, false, last),
                            false => self.worth(&theirs, &moved.standing(), true, last),
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

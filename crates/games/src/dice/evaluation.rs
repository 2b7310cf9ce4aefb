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

use tesuji_core::{Evaluation, Named, Player, Prospect};

use super::board::{Board, MOST_PIECES, Pieces};
use super::policy::weigh;
use super::{Action, Dice, FACES, State, faces};
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
    Some(Box::new(match name {
        "race" => Judgement::Race,
        "typeA" => Judgement::TypeA,
        "typeB" => Judgement::TypeB,
        "typeAB" => Judgement::TypeAB,
        _ => return None,
    }))
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
    /// What a board is worth to a side; does it choose next?
    #[inline]
    fn worth(self, own: &Side, other: &Side, chooses: bool) -> f64 {
        match self {
            Judgement::Race if chooses => race(own, other),
            Judgement::Race => -race(other, own),
            Judgement::TypeA => own.standing() + other.threat().danger(),
            Judgement::TypeB => {
                let threat = other.threat();
                own.standing() - other.standing_with(&threat) + threat.danger()
            }
            Judgement::TypeAB => {
                let threat = other.threat();
                let (mine, theirs) = (own.standing(), other.standing_with(&threat));
                if mine < theirs { mine - theirs + threat.danger() } else { mine + threat.danger() }
            }
        }
    }
}

impl Evaluation<Dice> for Judgement {
    fn value(&self, game: &Dice, state: &State, player: Player) -> f64 {
        let side = player.index() & 1;
        let own = Side::new(&game.board, &state.pieces, side);
        let other = Side::new(&game.board, &state.pieces, 1 - side);
        self.worth(&own, &other, player.0 == state.mover)
    }

    /// No state is made: one piece goes cell by cell, and what does not change is taken apart once.
    fn prospects(&self, game: &Dice, state: &State, action: Action, player: Player, out: &mut Vec<Prospect>) -> bool {
        let Action::Slide { from, direction } = action else { return false };
        let mover = usize::from(state.mover & 1);
        let room = game.board.room(from, usize::from(direction), state.pieces.occupied());
        let mut moved = Side::new(&game.board, &state.pieces, mover);
        let mut waiting = Side::new(&game.board, &state.pieces, 1 - mover);
        let piece = moved.men().iter().position(|&man| man == from);
        for distance in 1..=room {
            let to = game.board.beyond(from, direction, distance);
            let mut pieces = state.pieces;
            pieces.go(mover, from, to);
            moved.occupied = pieces.occupied();
            waiting.occupied = moved.occupied;
            match piece {
                Some(place) => moved.men[place] = to,
                None => moved.king = to,
            }
            moved.find_lines();
            let own = player.index() == mover;
            let end = game.payoff_after(&pieces, mover, state.moves + 1);
            let value = match end {
                Some(payoff) if own => payoff,
                Some(payoff) => 1.0 - payoff,
                None if own => self.worth(&moved, &waiting, false),
                None => self.worth(&waiting, &moved, true),
            };
            let probability = f64::from(faces(distance, room)) / f64::from(FACES);
            out.push(Prospect { probability, value, over: end.is_some() });
        }
        true
    }
}

/// The greatest of term 1 (§4).
const STRONG_THREAT: f64 = 50.0;
/// Two in line with the third cell free: about 5 at the start (§4).
const WEAK_THREAT: f64 = 5.0;
/// Term 1 by whether there is a weak threat and how many faces win at once; never more than six do.
static POINTS: [[f64; 8]; 2] = {
    let mut points = [[0.0; 8]; 2];
    let mut faces = 0;
    while faces < 8 {
        let strong = STRONG_THREAT * faces as f64 / FACES as f64;
        points[0][faces] = strong;
        points[1][faces] = if strong > WEAK_THREAT { strong } else { WEAK_THREAT };
        faces += 1;
    }
    points
};
/// Term 3 (§4).
const NEXT_MOVE_LOSES: f64 = -200.0;

/// The pieces of a side, one by one, and the lines of three that lack one cell.
struct Side<'a> {
    board: &'a Board,
    /// The cells taken by either side.
    occupied: u64,
    king: u8,
    /// The cells of the men; the first `count` are used.
    men: [u8; MOST_MEN],
    count: usize,
    /// The cells that complete a line with two of the men, free or not.
    with_men: u64,
    /// By man: the cells that complete a line with him and the king, free or not.
    with_king: [u64; MOST_MEN],
}

const MOST_MEN: usize = MOST_PIECES - 1;

impl Side<'_> {
    #[inline]
    fn new<'a>(board: &'a Board, pieces: &Pieces, side: usize) -> Side<'a> {
        let mut men = [0; MOST_MEN];
        let mut count = 0;
        for (place, cell) in men.iter_mut().zip(bits::ones(pieces.men(side))) {
            *place = cell as u8;
            count += 1;
        }
        let king = pieces.king[side];
        let mut side =
            Side { board, occupied: pieces.occupied(), king, men, count, with_men: 0, with_king: [0; MOST_MEN] };
        side.find_lines();
        side
    }

    #[inline]
    fn men(&self) -> &[u8] {
        &self.men[..self.count]
    }

    #[inline]
    fn find_lines(&mut self) {
        self.with_men = 0;
        for place in 0..self.count {
            let man = self.men[place];
            for other in &self.men[..place] {
                self.with_men |= self.board.thirds(man, *other);
            }
            self.with_king[place] = self.board.thirds(self.king, man);
        }
    }

    /// How near it is to a line.
    #[inline]
    fn threat(&self) -> Threat {
        let open = self.board.free & !self.occupied;
        // Where the king, and where a man, would complete a line.
        let between = self.with_men & open;
        let holes = self.with_king.iter().fold(0, |cells, with_king| cells | with_king) & open;
        let seen = between & self.board.sight(self.king);
        let mut faces = if seen == 0 { 0 } else { self.most_faces(self.king, seen, between) };
        if holes != 0 {
            for (place, &man) in self.men().iter().enumerate() {
                let seen = holes & self.board.sight(man);
                if seen != 0 {
                    // A man that stands in the line himself leaves it when he moves.
                    let others = self.with_king.iter().enumerate().filter(|&(other, _)| other != place);
                    let goals = others.fold(0, |cells, (_, &with_king)| cells | with_king) & open;
                    faces = faces.max(self.most_faces(man, seen & goals, goals));
                }
            }
        }
        Threat { faces, weak: between | holes != 0 }
    }

    /// Of the six faces, those that bring a piece to one of the `goals` when it goes the best way. Goes towards those `seen`.
    #[inline]
    fn most_faces(&self, from: u8, seen: u64, goals: u64) -> u8 {
        let mut most = 0;
        for goal in bits::ones(seen) {
            let direction = self.board.heading(from, goal as u8);
            let run = self.board.run(from, direction, self.occupied);
            most = most.max(weigh(run & goals, run, direction));
        }
        most
    }

    /// Terms 1 and 2.
    #[inline]
    fn standing(&self) -> f64 {
        self.standing_with(&self.threat())
    }

    /// Terms 1 and 2, the threat being known.
    #[inline]
    fn standing_with(&self, threat: &Threat) -> f64 {
        threat.points() + 13.0 - self.mean_distance()
    }

    /// The mean of the men's Manhattan distances to their king.
    #[inline]
    fn mean_distance(&self) -> f64 {
        let sum: usize = self.men().iter().map(|&man| usize::from(self.board.distance(self.king, man))).sum();
        MEANS[self.count % MEANS.len()][sum & 63]
    }
}

/// By the number of men and the sum of their distances, at most 4 times 14: the mean.
static MEANS: [[f64; 64]; MOST_PIECES] = {
    let mut means = [[0.0; 64]; MOST_PIECES];
    let mut count = 1;
    while count < MOST_PIECES {
        let mut sum = 0;
        while sum < 64 {
            means[count][sum] = sum as f64 / count as f64;
            sum += 1;
        }
        count += 1;
    }
    means
};

/// How near a side is to a line.
struct Threat {
    /// Of the six faces, those that win at once with the best action.
    faces: u8,
    /// Do two pieces stand in a line of three whose third cell is free?
    weak: bool,
}

impl Threat {
    /// Term 1 of the side.
    #[inline]
    fn points(&self) -> f64 {
        POINTS[usize::from(self.weak)][usize::from(self.faces & 7)]
    }

    /// Term 3 of the other side.
    #[inline]
    fn danger(&self) -> f64 {
        if self.faces > 0 { NEXT_MOVE_LOSES } else { 0.0 }
    }
}

/// What a cell nearer to the king is worth beside a chance to win of 1.
const NEARNESS: f64 = 0.02;

/// The mover wins at once with the chance of its best action; if it does not, the other may with the chance of its own.
#[inline]
fn race(mover: &Side, other: &Side) -> f64 {
    let [own, theirs] = [mover, other].map(|side| f64::from(side.threat().faces) / f64::from(FACES));
    let nearness = other.mean_distance() - mover.mean_distance();
    // The chances leave room for the nearness, at most 11 cells.
    (1.0 - 11.0 * NEARNESS) * (own - (1.0 - own) * theirs) + NEARNESS * nearness
}

//! The pieces of one side: how near they are to a line and to their king.

use super::super::board::{Board, MOST_PIECES, Pieces};
use super::super::policy::weigh;
use super::FACES;
use crate::bits;

/// The maximum of term 1, and about what the king and a man in line with the third cell free are worth (§4, figure 6).
const STRONG_THREAT: f64 = 50.0;
/// Two pieces in line with the third cell free: about 5 at the start (§4).
const WEAK_THREAT: f64 = 5.0;
/// Term 1 as a probability: by whether there is a weak threat and by the number of faces that win at once, at most six.
static CHANCE_POINTS: [[f64; 8]; 2] = {
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
#[derive(Clone)]
pub(super) struct Side<'a> {
    board: &'a Board,
    /// The cells occupied by either side.
    pub(super) occupied: u64,
    king: u8,
    /// The cells of the men; the first `count` entries are used.
    men: [u8; MOST_MEN],
    count: usize,
    /// The cells that complete a line with two of the men, occupied or not.
    with_men: u64,
    /// By man: the cells that complete a line with two of the others.
    without: [u64; MOST_MEN],
    /// By man: the cells that complete a line with him and the king, occupied or not.
    with_king: [u64; MOST_MEN],
    /// The sum of the men's Manhattan distances to the king.
    distance: usize,
}

/// A piece that is lifted off the board.
#[derive(Clone, Copy)]
pub(super) enum Piece {
    King,
    /// The man's index, and the sum of the others' distances.
    Man {
        place: usize,
        distance: usize,
    },
}

const MOST_MEN: usize = MOST_PIECES - 1;

impl Side<'_> {
    #[inline]
    pub(super) fn new<'a>(board: &'a Board, pieces: &Pieces, side: usize) -> Side<'a> {
        let mut men = [0; MOST_MEN];
        let mut count = 0;
        for (place, cell) in men.iter_mut().zip(bits::ones(pieces.men(side))) {
            *place = cell as u8;
            count += 1;
        }
        let king = pieces.king[side];
        let mut side = Side {
            board,
            occupied: pieces.occupied(),
            king,
            men,
            count,
            with_men: 0,
            without: [0; MOST_MEN],
            with_king: [0; MOST_MEN],
            distance: 0,
        };
        side.find_lines();
        side
    }

    #[inline]
    fn men(&self) -> &[u8] {
        &self.men[..self.count]
    }

    #[inline]
    fn find_lines(&mut self) {
        for place in 0..self.count {
            let man = self.men[place];
            for other in 0..place {
                let thirds = self.board.thirds(man, self.men[other]);
                self.with_men |= thirds;
                for (without, cells) in self.without.iter_mut().enumerate() {
                    *cells |= if without == place || without == other { 0 } else { thirds };
                }
            }
            self.with_king[place] = self.board.thirds(self.king, man);
            self.distance += usize::from(self.board.distance(self.king, man));
        }
    }

    /// Lifts the piece on a cell. It must be put down again before any query.
    #[inline]
    pub(super) fn lift(&mut self, from: u8) -> Piece {
        match self.men().iter().position(|&man| man == from) {
            Some(place) => {
                self.distance -= usize::from(self.board.distance(self.king, from));
                Piece::Man { place, distance: self.distance }
            }
            None => Piece::King,
        }
    }

    /// Puts a lifted piece down on a cell.
    #[inline]
    pub(super) fn put(&mut self, piece: Piece, to: u8, occupied: u64) {
        self.occupied = occupied;
        match piece {
            Piece::Man { place, distance } => {
                self.men[place] = to;
                self.with_king[place] = self.board.thirds(self.king, to);
                self.with_men = self.without[place];
                for other in (0..self.count).filter(|&other| other != place) {
                    self.with_men |= self.board.thirds(to, self.men[other]);
                }
                self.distance = distance + usize::from(self.board.distance(self.king, to));
            }
            Piece::King => {
                self.king = to;
                self.distance = 0;
                for place in 0..self.count {
                    self.with_king[place] = self.board.thirds(to, self.men[place]);
                    self.distance += usize::from(self.board.distance(to, self.men[place]));
                }
            }
        }
    }

    /// How near the side is to a line.
    #[inline]
    pub(super) fn standing(&self) -> Standing {
        let open = self.board.free & !self.occupied;
        // The cells where the king, and where a man, would complete a line.
        let between = self.with_men & open;
        let holes = self.with_king.iter().fold(0, |cells, with_king| cells | with_king) & open;
        let seen = between & self.board.sight(self.king);
        let mut faces = if seen == 0 { 0 } else { self.most_faces(self.king, seen, between) };
        if holes != 0 {
            for (place, &man) in self.men().iter().enumerate() {
                let seen = holes & self.board.sight(man);
                if seen != 0 {
                    let goals = self.with_king_but(place) & open;
                    faces = faces.max(self.most_faces(man, seen & goals, goals));
                }
            }
        }
        Standing { faces, weak: between | holes != 0, strong: holes != 0, distance: self.mean_distance() }
    }

    /// The cells on which the [`standing`](Side::standing) depends. It stays the same as long as occupation changes
    /// only elsewhere.
    #[inline]
    pub(super) fn concerns(&self) -> u64 {
        let holes = self.with_king.iter().fold(0, |cells, with_king| cells | with_king);
        let mut cells = self.with_men | holes;
        cells |= self.ways(self.king, self.with_men);
        if holes != 0 {
            for (place, &man) in self.men().iter().enumerate() {
                cells |= self.ways(man, self.with_king_but(place));
            }
        }
        cells
    }

    /// All cells that a piece may pass or reach on its way to one of the `goals`.
    #[inline]
    fn ways(&self, from: u8, goals: u64) -> u64 {
        let seen = goals & self.board.sight(from);
        bits::ones(seen).fold(0, |cells, goal| cells | self.board.ray(from, self.board.heading(from, goal as u8)))
    }

    /// The cells that complete a line with the king and a man other than the one at `place`, who would leave his own
    /// line.
    #[inline]
    fn with_king_but(&self, place: usize) -> u64 {
        let others = self.with_king.iter().enumerate().filter(|&(other, _)| other != place);
        others.fold(0, |cells, (_, &with_king)| cells | with_king)
    }

    /// The faces (as bits) that bring a piece to one of the `goals` when it moves in the best direction. Only goals in
    /// `seen` count.
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

    /// The mean of the men's Manhattan distances to their king.
    #[inline]
    fn mean_distance(&self) -> f64 {
        MEANS[self.count % MEANS.len()][self.distance & 63]
    }
}

/// The mean, by the number of men and the sum of their distances (at most 4 times 14).
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

/// How near a side is to a line, and its men to the king.
#[derive(Clone, Copy)]
pub(super) struct Standing {
    /// The faces (as bits) that win at once with the best action.
    pub(super) faces: u8,
    /// Whether two pieces stand in a line of three whose third cell is free.
    pub(super) weak: bool,
    /// Whether the king is one of two such pieces.
    pub(super) strong: bool,
    /// The mean of the men's Manhattan distances to the king.
    pub(super) distance: f64,
}

impl Standing {
    /// Terms 1 and 2 of the side, term 1 as a probability or not.
    #[inline]
    pub(super) fn points(&self, by_chance: bool) -> f64 {
        let threat = match by_chance {
            true => CHANCE_POINTS[usize::from(self.weak)][usize::from(self.faces & 7)],
            false if self.strong => STRONG_THREAT,
            false if self.weak => WEAK_THREAT,
            false => 0.0,
        };
        threat + 13.0 - self.distance
    }

    /// Term 3 for the opponent.
    #[inline]
    pub(super) fn danger(&self) -> f64 {
        if self.faces > 0 { NEXT_MOVE_LOSES } else { 0.0 }
    }
}

//! The board of the dice game: walls, how far pieces slide, and which cells form lines.
//!
//! A cell is `8·row + column` on every size of board, so that one step in a direction always adds the same number.

use std::hint::select_unpredictable;

use tesuji_core::{InputError, Source};

use crate::bits;

/// The eight directions, clockwise from the top of the board.
pub(super) const DIRECTIONS: [Direction; 8] = [
    Direction { name: "n", row: -1, column: 0 },
    Direction { name: "ne", row: -1, column: 1 },
    Direction { name: "e", row: 0, column: 1 },
    Direction { name: "se", row: 1, column: 1 },
    Direction { name: "s", row: 1, column: 0 },
    Direction { name: "sw", row: 1, column: -1 },
    Direction { name: "w", row: 0, column: -1 },
    Direction { name: "nw", row: -1, column: -1 },
];

/// By direction: what one step adds to a cell number, modulo 256.
pub(super) static STEPS: [u8; 8] = {
    let mut steps = [0; 8];
    let mut direction = 0;
    while direction < 8 {
        steps[direction] = DIRECTIONS[direction].step() as u8;
        direction += 1;
    }
    steps
};

/// The most pieces of a player: the king and four men.
pub(super) const MOST_PIECES: usize = 5;

/// The most cells a piece moves: the greatest face of the die.
pub(super) const FACES: u8 = 6;

const STRIDE: i32 = 8;

/// A direction in which pieces slide.
pub(super) struct Direction {
    pub(super) name: &'static str,
    pub(super) row: i32,
    pub(super) column: i32,
}

impl Direction {
    /// What one step adds to a cell number.
    #[inline]
    pub(super) const fn step(&self) -> i32 {
        STRIDE * self.row + self.column
    }
}

/// Whether this direction (an index into [`DIRECTIONS`]) is diagonal.
#[inline]
pub(super) const fn is_diagonal(direction: usize) -> bool {
    direction % 2 == 1
}

/// The pieces of both players, Black (seat 0) first. Men are indistinguishable, so they are a set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Pieces {
    /// The cells of king and men.
    pub(super) all: [u64; 2],
    /// The king's cell.
    pub(super) king: [u8; 2],
}

impl Pieces {
    #[inline]
    pub(super) fn occupied(&self) -> u64 {
        self.all[0] | self.all[1]
    }

    #[inline]
    pub(super) fn men(&self, side: usize) -> u64 {
        self.all[side] & !(1 << self.king[side])
    }

    /// Moves a piece of a side from one cell to another.
    #[inline]
    pub(super) fn go(&mut self, side: usize, from: u8, to: u8) {
        self.all[side] ^= 1u64 << from | 1u64 << to;
        let king = self.king[side];
        self.king[side] = select_unpredictable(king == from, to, king);
    }
}

/// A cell, a direction and the next cell that way, packed into a word: bits 0 to 5 the next cell, from bit 8 the cell,
/// from bit 16 the direction.
///
/// Where there is no next cell, the cell itself stands for it. A piece there then finds its way blocked.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way(u32);

impl Way {
    fn new(from: u8, direction: u8, next: u8) -> Way {
        Way(u32::from(next) | u32::from(from) << 8 | u32::from(direction) << 16)
    }

    /// Whether a piece on this cell, which is in `occupied`, cannot go this way.
    #[inline]
    pub(super) fn is_blocked(self, occupied: u64) -> bool {
        occupied >> (self.0 & 63) & 1 == 1
    }

    #[inline]
    pub(super) fn from(self) -> u8 {
        (self.0 >> 8) as u8
    }

    #[inline]
    pub(super) fn direction(self) -> u8 {
        (self.0 >> 16) as u8
    }
}

/// The board without the pieces, with everything that can be computed in advance.
#[derive(Debug)]
pub(super) struct Board {
    /// The number of rows, which equals that of columns.
    pub(super) size: u8,
    /// The cells that are not walls.
    pub(super) free: u64,
    /// By direction: the cells whose next cell is on the board and not a wall.
    steps: [u64; 8],
    /// By cell and direction: the next cells, at most six, up to the wall or the edge.
    rays: Vec<[u64; 8]>,
    /// By cell and direction: byte `i` is how far to rotate a board right so that the cell `i + 1` steps away moves to
    /// bit `i`. The highest byte is the number of cells of the ray.
    paths: [[u64; 8]; 64],
    /// By cell and direction: the way to the next cell.
    ways: [[Way; 8]; 64],
    /// By cell of the king: the pairs of cells that make three in line with it. Unused entries have all bits set.
    lines: Vec<[u64; LINES]>,
    /// By cell: all its rays.
    sight: [u64; 64],
    /// By cell and a cell that it sees: the direction from one to the other.
    headings: Box<[[u8; 64]; 64]>,
    /// By two cells: the cells that make an unbroken line of three with them.
    thirds: Box<[[u64; 64]; 64]>,
    /// By two cells: their Manhattan distance.
    distances: Box<[[u8; 64]; 64]>,
}

/// Four axes times the king as first, second or third of the three.
const LINES: usize = 12;

impl Board {
    pub(super) fn new(size: u8, walls: u64) -> Board {
        let side = i32::from(size);
        let exists = |row: i32, column: i32| {
            let inside = (0..side).contains(&row) && (0..side).contains(&column);
            (inside && walls >> (STRIDE * row + column) & 1 == 0).then(|| 1u64 << (STRIDE * row + column))
        };
        let mut board = Board {
            size,
            free: 0,
            steps: [0; 8],
            rays: vec![[0; 8]; 64],
            paths: [[0; 8]; 64],
            ways: [[Way(0); 8]; 64],
            lines: vec![[!0; LINES]; 64],
            sight: [0; 64],
            headings: Box::new([[0; 64]; 64]),
            thirds: Box::new([[0; 64]; 64]),
            distances: Box::new([[0; 64]; 64]),
        };
        for (row, column) in (0..side).flat_map(|row| (0..side).map(move |column| (row, column))) {
            let Some(bit) = exists(row, column) else { continue };
            let cell = bit.trailing_zeros() as usize;
            board.free |= bit;
            for (index, direction) in DIRECTIONS.iter().enumerate() {
                let reach =
                    |distance: i32| exists(row + distance * direction.row, column + distance * direction.column);
                let run = (1..=i32::from(FACES)).map_while(reach).fold(0, |ray, bit| ray | bit);
                board.rays[cell][index] = run;
                board.sight[cell] |= run;
                bits::ones(run).for_each(|other| board.headings[cell][other as usize] = index as u8);
                let cells = (1..=i32::from(FACES)).map_while(reach).map(|bit| u64::from(bit.trailing_zeros()));
                let turns = cells.zip(0..).map(|(cell, place)| (cell.wrapping_sub(place) & 63) << (8 * place));
                let path = turns.fold(0, |path, turn| path | turn);
                let next = if run == 0 { cell as u8 } else { path as u8 };
                board.ways[cell][index] = Way::new(cell as u8, index as u8, next);
                board.paths[cell][index] = path | u64::from(run.count_ones()) << 56;
                if run != 0 {
                    board.steps[index] |= bit;
                }
            }
            let axes = &DIRECTIONS[..4];
            let offsets = axes.iter().flat_map(|axis| [[1, 2], [-1, 1], [-2, -1]].map(|pair| (axis, pair)));
            let pairs = offsets.filter_map(|(axis, pair)| {
                let [one, two] = pair.map(|offset| exists(row + offset * axis.row, column + offset * axis.column));
                Some(one? | two?)
            });
            for (index, pair) in pairs.enumerate() {
                board.lines[cell][index] = pair;
                for other in bits::ones(pair) {
                    board.thirds[cell][other as usize] |= pair & !(1 << other);
                }
            }
            for (other, distance) in board.distances[cell].iter_mut().enumerate() {
                *distance = (row.abs_diff(other as i32 / STRIDE) + column.abs_diff(other as i32 % STRIDE)) as u8;
            }
        }
        board
    }

    /// The cell `distance` steps away in a direction. The ray must be at least that long.
    #[inline]
    pub(super) fn beyond(&self, from: u8, direction: u8, distance: u8) -> u8 {
        from.wrapping_add(STEPS[usize::from(direction & 7)].wrapping_mul(distance)) & 63
    }

    /// Those of `pieces` that can move at least one cell in a direction.
    #[inline]
    pub(super) fn movers(&self, direction: usize, pieces: u64, occupied: u64) -> u64 {
        let turn = DIRECTIONS[direction].step() as u32 & 63;
        pieces & self.steps[direction] & !occupied.rotate_right(turn)
    }

    /// The cells up to the wall or the edge in a direction, at most six, occupied or not.
    #[inline]
    pub(super) fn ray(&self, from: u8, direction: usize) -> u64 {
        self.rays[usize::from(from & 63)][direction & 7]
    }

    /// The cells that a piece can reach in a direction, nearest to farthest.
    #[inline]
    pub(super) fn run(&self, from: u8, direction: usize, occupied: u64) -> u64 {
        let ray = self.ray(from, direction);
        let blocked = ray & occupied;
        if DIRECTIONS[direction & 7].step() > 0 {
            // All cells below the lowest blocked one; all cells if nothing blocks.
            ray & (blocked & blocked.wrapping_neg()).wrapping_sub(1)
        } else {
            // All cells above the highest blocked one. A ray that goes down never contains the last cell, so no bit is
            // lost.
            ray & u64::MAX << (63 - (blocked << 1 | 1).leading_zeros())
        }
    }

    /// The cells up to the wall or the edge in any direction, at most six each, occupied or not.
    #[inline]
    pub(super) fn sight(&self, from: u8) -> u64 {
        self.sight[usize::from(from & 63)]
    }

    /// The direction from a cell to another one in its [`sight`](Board::sight).
    #[inline]
    pub(super) fn heading(&self, from: u8, to: u8) -> usize {
        usize::from(self.headings[usize::from(from & 63)][usize::from(to & 63)])
    }

    /// The cells that make an unbroken line of three with two others, occupied or not.
    #[inline]
    pub(super) fn thirds(&self, one: u8, two: u8) -> u64 {
        self.thirds[usize::from(one & 63)][usize::from(two & 63)]
    }

    /// The Manhattan distance of two cells.
    #[inline]
    pub(super) fn distance(&self, one: u8, two: u8) -> u8 {
        self.distances[usize::from(one & 63)][usize::from(two & 63)]
    }

    /// The ways to go from a cell, by direction.
    #[inline]
    pub(super) fn ways(&self, from: u32) -> &[Way; 8] {
        &self.ways[from as usize & 63]
    }

    /// The number of cells that a piece can slide in a direction whose first cell is free: the length of its
    /// [`run`](Board::run).
    ///
    /// It does not branch on the direction, which is unpredictable in a random playout.
    #[inline]
    pub(super) fn room(&self, from: u8, direction: usize, occupied: u64) -> u8 {
        let path = self.paths[usize::from(from & 63)][direction & 7];
        // Bit i says whether the cell i + 1 steps away is occupied. The first is free; bits beyond the ray's end are
        // arbitrary.
        let taken = |place: u32| occupied.rotate_right((path >> (8 * place)) as u32 & 63) & 1 << place;
        let blocked = taken(1) | taken(2) | taken(3) | taken(4) | taken(5) | 1 << (path >> 56);
        blocked.trailing_zeros() as u8
    }

    /// Whether three or more pieces including the king stand in an unbroken line. `all` contains the king and the other
    /// pieces.
    #[inline]
    pub(super) fn has_line(&self, king: u8, all: u64) -> bool {
        has_three(all) && self.has_king_line(king, all)
    }

    fn has_king_line(&self, king: u8, all: u64) -> bool {
        self.lines[usize::from(king)].iter().any(|&pair| pair & !all == 0)
    }

    /// The free cells on which a man would complete a line with the king, each with the man who already stands in that
    /// line. The completing man must be another one.
    pub(super) fn holes(&self, king: u8, men: u64, occupied: u64) -> impl Iterator<Item = (u64, u64)> {
        self.lines[usize::from(king)].iter().filter(|&&pair| pair != !0).filter_map(move |&pair| {
            let (partner, hole) = (pair & men, pair & !occupied);
            (partner != 0 && hole != 0).then_some((hole, partner))
        })
    }

    /// The name of a cell: column letter and row number from the top, `a1` top left.
    pub(super) fn cell_name(cell: u8) -> String {
        format!("{}{}", (b'a' + cell % 8) as char, cell / 8 + 1)
    }

    /// All cells row by row.
    pub(super) fn rows(&self) -> impl Iterator<Item = impl Iterator<Item = u8>> {
        let size = self.size;
        (0..size).map(move |row| (0..size).map(move |column| 8 * row + column))
    }

    /// The symbol of a cell in board texts.
    pub(super) fn symbol(&self, pieces: &Pieces, cell: u8) -> char {
        let holds = |set: u64| set >> cell & 1 == 1;
        match (holds(pieces.all[0]), holds(pieces.all[1])) {
            _ if !holds(self.free) => '#',
            (true, _) => ['m', 'k'][usize::from(pieces.king[0] == cell)],
            (_, true) => ['M', 'K'][usize::from(pieces.king[1] == cell)],
            _ => '.',
        }
    }

    /// The board as text: rows separated by `/`; `#` wall, `k` and `m` black's king and men, `K` and `M` white's, `.`
    /// free.
    pub(super) fn text(&self, pieces: &Pieces) -> String {
        let row = |row: &mut dyn Iterator<Item = u8>| row.map(|cell| self.symbol(pieces, cell)).collect::<String>();
        self.rows().map(|mut cells| row(&mut cells)).collect::<Vec<_>>().join("/")
    }
}

/// Whether any three cells of a set lie in an unbroken line. This is rare, so the test saves most searches for the
/// king's lines.
#[inline]
fn has_three(set: u64) -> bool {
    // The cells where a line can begin without crossing the right or the left edge.
    const RIGHTWARD: u64 = 0x3f3f_3f3f_3f3f_3f3f;
    const LEFTWARD: u64 = 0xfcfc_fcfc_fcfc_fcfc;
    let line = |step: u32| set & set >> step & set >> (2 * step);
    line(8) | (line(1) | line(9)) & RIGHTWARD | line(7) & LEFTWARD != 0
}

/// Parses the text that [`Board::text`] writes: size, walls and pieces.
pub(super) fn parse(source: &Source) -> Result<(u8, u64, Pieces), InputError> {
    let text = source.text();
    let wrong = |offset: usize, length: usize, message: String| {
        InputError::new(message)
            .with_help(
                "a board is 3 to 8 rows separated by `/`, as many cells a row: `k` `m` black, `K` `M` white, \
                `#` wall, `.` free; a king and 1 to 4 men a side",
            )
            .at(source, offset, length)
    };
    let size = text.split('/').count();
    if !(3..=8).contains(&size) {
        return Err(wrong(0, text.len(), format!("expected 3 to 8 rows, found {size}")));
    }
    let mut walls = 0;
    let mut pieces = Pieces { all: [0; 2], king: [0; 2] };
    let mut kings = [0; 2];
    let mut offset = 0;
    for (row, line) in text.split('/').enumerate() {
        let count = line.chars().count();
        if count != size {
            return Err(wrong(offset, line.len(), format!("expected {size} cells in row {}, found {count}", row + 1)));
        }
        for (column, (place, symbol)) in line.char_indices().enumerate() {
            let cell = (8 * row + column) as u8;
            let side = usize::from(symbol.is_ascii_uppercase());
            match symbol {
                '.' => continue,
                '#' => walls |= 1 << cell,
                'k' | 'K' => {
                    kings[side] += 1;
                    pieces.king[side] = cell;
                    pieces.all[side] |= 1 << cell;
                }
                'm' | 'M' => pieces.all[side] |= 1 << cell,
                other => return Err(wrong(offset + place, other.len_utf8(), format!("unknown symbol `{other}`"))),
            }
        }
        offset += line.len() + 1;
    }
    for (side, name) in ["black", "white"].into_iter().enumerate() {
        if kings[side] != 1 {
            return Err(wrong(0, text.len(), format!("expected one king of {name}, found {}", kings[side])));
        }
        let men = pieces.men(side).count_ones();
        if !(1..MOST_PIECES as u32).contains(&men) {
            return Err(wrong(0, text.len(), format!("expected 1 to 4 men of {name}, found {men}")));
        }
    }
    Ok((size as u8, walls, pieces))
}

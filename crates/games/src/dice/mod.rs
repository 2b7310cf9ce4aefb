//! The dice game of Ariga, Koizumi and Otsuki: slide pieces as far as a die says, and bring the king into a line.
//!
//! From "Study on Analytical Methods Using Game Tree for a Two-person Zero-sum Uncertainty Complete Information Game"
//! (section 2). The mover names a piece and one of eight directions. Then a die is rolled and the piece slides that
//! many cells, stopping before a wall, the edge or another piece. Three or more own pieces including the king in an
//! unbroken straight line win. The first move of the match may not be a diagonal move of the king.
//!
//! # Steps
//! A move is two steps: the choice, then chance. An outcome is the number of cells moved, so faces that end on the same
//! cell are one outcome with their probabilities added. With `d` free cells the outcomes 1 to `d − 1` have 1/6 each and
//! `d` the rest.
//!
//! # What the paper leaves open
//! - The start. The number of states (1.56·10¹³) implies 44 free cells and one king with four men per side; figure 2
//!   gives two men of each side. King and other men are placed so that the first mover has little advantage: see
//!   `standard_layout`.
//! - Length. A match of `limit` moves (choices of both players together) without a winner is a draw, so a match has at
//!   most twice as many steps.
//! - A direction whose first cell is blocked is not an action. On the paper's board some piece can always move; on
//!   other boards a player who cannot move ends the match as a draw.
//!
//! Men are indistinguishable: a state holds a set of them, and notation names pieces by their cell.

mod board;
mod drawing;
mod evaluation;
mod notation;
mod numbers;
mod policy;
mod value_features;
#[cfg(test)]
mod tests;

use std::hash::{Hash, Hasher};
use std::hint::select_unpredictable;

use tesuji_core::{Arguments, Entry, Features, Game, InputError, Parameter, Player, Rng, Source, Spec, Turn};

use crate::bits;
use board::{Board, FACES, MOST_PIECES, Pieces, is_diagonal};

/// The catalogue entry of the dice game.
pub const ENTRY: Entry<Dice> = Entry {
    name: "dice7",
    title: "The dice game",
    summary: "Slide a piece as far as the die says; three in line with the king win (7×7 board with a cross-shaped \
        wall)",
    parameters: &[
        Parameter::new("size", "7", "rows and columns of the standard layout, 4 to 8"),
        Parameter::new(
            "walls",
            "standard",
            "walls of the standard layout: standard (cross from 6×6 on, else centre), cross, centre or none",
        ),
        Parameter::new(
            "layout",
            "standard",
            "standard, or a whole board: rows separated by `/`, `k` `m` black, `K` `M` white, `#` wall, `.` free",
        ),
        Parameter::new("ban", "on", "may the first move of the match not be a diagonal king move?"),
        Parameter::new("limit", "200", "moves (choices of both players together) after which the match is a draw"),
        Parameter::new("first", "black", "who moves first: black or white"),
    ],
    examples: &[
        "dice7",
        "dice7(size=5)",
        "dice7(size=8,ban=off,first=white)",
        "dice7(layout=\"k#mM/..../.#../mM.K\",limit=30)",
    ],
    open: Dice::open,
};

/// The rules of the dice game on one board.
#[derive(Debug)]
pub struct Dice {
    spec: Spec,
    board: Board,
    start: State,
    limit: u16,
    /// Pieces times directions, by player. Pieces are never captured.
    ways: [usize; 2],
}

/// A position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State {
    pieces: Pieces,
    /// The number of completed moves.
    moves: u16,
    /// The player to move, or the one who would be next.
    mover: u8,
    /// Whether the king's diagonal move is still forbidden because nothing has moved yet.
    ban: bool,
    phase: Phase,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    /// The mover chooses a piece and a direction.
    Choose,
    /// The mover has chosen; `room` cells are free, at most six.
    Roll {
        from: u8,
        direction: u8,
        room: u8,
    },
    Over,
}

/// A choice of a player, or the number of cells that the die moves the piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// Slides a piece (its cell, `8·row + column`) in a direction (clockwise from 0, north).
    Slide {
        /// The cell of the piece.
        from: u8,
        /// The direction, 0 to 7.
        direction: u8,
    },
    /// The number of cells moved, 1 to 6.
    Advance(u8),
}

// Searches hash states and actions all the time, so each is hashed as a few words, not field by field.
impl Hash for State {
    #[inline]
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        let [black, white] = self.pieces.king;
        let phase = match self.phase {
            Phase::Choose => [0; 3],
            // The room follows from the rest.
            Phase::Roll { from, direction, .. } => [1, from, direction],
            Phase::Over => [2, 0, 0],
        };
        let [low, high] = self.moves.to_le_bytes();
        let [phase, from, direction] = phase;
        let turn = phase << 2 | self.mover << 1 | u8::from(self.ban);
        self.pieces.all.iter().for_each(|&set| hasher.write_u64(set));
        hasher.write_u64(u64::from_le_bytes([black, white, low, high, turn, from, direction, 0]));
    }
}

impl Hash for Action {
    #[inline]
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hasher.write_u32(match *self {
            Action::Slide { from, direction } => u32::from_le_bytes([0, from, direction, 0]),
            Action::Advance(distance) => u32::from_le_bytes([1, distance, 0, 0]),
        });
    }
}

const PLAYERS: [&str; 2] = ["black", "white"];

impl Dice {
    fn open(arguments: &Arguments) -> Result<Dice, InputError> {
        let layout = arguments.text("layout");
        let (source, (size, walls, pieces)) = if layout == "standard" {
            let size = arguments.integer("size", 4..=8)? as u8;
            let cross = match arguments.choice("walls", &["standard", "cross", "centre", "none"])? {
                0 => Some(size > 5),
                1 => Some(true),
                2 => Some(false),
                _ => None,
            };
            let source = Source::new("layout", standard_layout(size, cross));
            let parsed = board::parse(&source);
            (source, parsed.map_err(|_| arguments.wrong("walls", "walls that leave the pieces their cells"))?)
        } else {
            if arguments.text("walls") != "standard" {
                return Err(arguments.wrong("walls", "no walls beside a layout, which marks its own with `#`"));
            }
            let source = Source::new("layout", layout);
            let parsed = board::parse(&source)?;
            if !["7", &parsed.0.to_string()].contains(&arguments.text("size")) {
                return Err(arguments.wrong("size", format!("{} as in the layout, or nothing", parsed.0)));
            }
            (source, parsed)
        };
        let limit = arguments.integer("limit", 1..=10_000)? as u16;
        let ban = arguments.flag("ban")?;
        let mover = arguments.choice("first", &PLAYERS)? as u8;
        let board = Board::new(size, walls);
        let spec = Spec::new(arguments.canonical(), &PLAYERS, Features::CHANCE, 2 * usize::from(limit));
        let start = State { pieces, moves: 0, mover, ban, phase: Phase::Choose };
        let ways = pieces.all.map(|set| 8 * set.count_ones() as usize);
        let dice = Dice { spec, board, start, limit, ways };
        let wrong = |message: &str| InputError::new(message).at(&source, 0, source.text().len());
        if (0..2).any(|side| dice.has_line(&dice.start, side)) {
            return Err(wrong("a king stands in a line of three already"));
        }
        if dice.is_stuck(&dice.start) {
            return Err(wrong(&format!("{} has no move", PLAYERS[usize::from(mover)])));
        }
        Ok(dice)
    }

    fn has_line(&self, state: &State, side: usize) -> bool {
        self.board.has_line(state.pieces.king[side], state.pieces.all[side])
    }

    /// The cells of the mover's pieces that may move in a direction.
    #[inline]
    fn movers(&self, state: &State, direction: usize) -> u64 {
        let side = usize::from(state.mover & 1);
        let pieces = if state.ban && is_diagonal(direction) { state.pieces.men(side) } else { state.pieces.all[side] };
        self.board.movers(direction, pieces, state.pieces.occupied())
    }

    #[inline]
    fn is_stuck(&self, state: &State) -> bool {
        (0..8).all(|direction| self.movers(state, direction) == 0)
    }

    /// Ends the match if it is decided. Only the player who moved last can have made a line.
    // Always inline, like `apply`.
    #[inline(always)]
    fn settle(&self, state: &mut State) {
        let moved = usize::from(!state.mover & 1);
        let over = self.payoff_after(&state.pieces, moved, state.moves).is_some() || state.ban && self.is_stuck(state);
        state.phase = if over { Phase::Over } else { Phase::Choose };
    }

    /// The payoff of the side that moved last if the match ends after this many moves.
    #[inline(always)]
    fn payoff_after(&self, pieces: &Pieces, moved: usize, moves: u16) -> Option<f64> {
        let (next, occupied) = (pieces.all[1 - moved], pieces.occupied());
        if self.board.has_line(pieces.king[moved], pieces.all[moved]) {
            Some(1.0)
        } else if moves >= self.limit || (0..8).all(|direction| self.board.movers(direction, next, occupied) == 0) {
            Some(0.5)
        } else {
            None
        }
    }

    /// Chooses a piece and a direction.
    #[inline]
    fn slide(&self, state: &mut State, from: u8, direction: u8) {
        let room = self.board.room(from, usize::from(direction), state.pieces.occupied());
        state.phase = Phase::Roll { from, direction, room };
    }

    /// Moves the piece `distance` cells and completes the move.
    // Always inline, like `apply`.
    #[inline(always)]
    fn advance(&self, state: &mut State, distance: u8) {
        let Phase::Roll { from, direction, .. } = state.phase else { unreachable!("no die falls in {state:?}") };
        let side = usize::from(state.mover & 1);
        state.pieces.go(side, from, self.board.beyond(from, direction, distance));
        state.ban = false;
        state.moves += 1;
        state.mover ^= 1;
        self.settle(state);
    }
}

/// The number of faces that move a piece `distance` cells when it has `room`.
#[inline]
fn faces(distance: u8, room: u8) -> u8 {
    if distance < room { 1 } else { FACES + 1 - room }
}

/// The probability that a piece moves `distance` cells when it has `room`.
#[inline]
fn probability(distance: u8, room: u8) -> f64 {
    /// The probability, by the number of faces.
    static SHARES: [f64; 8] = {
        let mut shares = [0.0; 8];
        let mut faces = 0;
        while faces < 8 {
            shares[faces] = faces as f64 / FACES as f64;
            faces += 1;
        }
        shares
    };
    SHARES[usize::from(faces(distance, room) & 7)]
}

/// The start position on a board of this size, with a cross of walls (`true`), a wall in the centre only, or no walls.
///
/// On the paper's 7×7 board, White's men 3 and 4 stand on c1 and a3 (figure 2, up to symmetry). Its king (far corner)
/// and men 1 and 2 (f1 and a6) are our choice: between equally strong searchers, the first mover wins 57 ± 3 % in about
/// nine moves. Black is White turned by 180°. Other sizes keep these places relative to the corners; up to 5×5 there
/// are two men per side.
fn standard_layout(size: u8, cross: Option<bool>) -> String {
    let last = size - 1;
    // The middle row and column; two of each on boards of even size.
    let off_centre = |index: u8| index.abs_diff(last - index) / 2;
    let is_wall = |row: u8, column: u8| match (off_centre(row), off_centre(column)) {
        (0, 0) => cross.is_some(),
        (0, 1) | (1, 0) => cross == Some(true),
        _ => false,
    };
    let is_white = |row: u8, column: u8| {
        let outer = size > 5 && [(0, last - 1), (last - 1, 0)].contains(&(row, column));
        outer || [(0, 2), (2, 0)].contains(&(row, column))
    };
    let symbol = |row: u8, column: u8| match (row, column) {
        _ if (row, column) == (last, last) => 'K',
        (0, 0) => 'k',
        _ if is_wall(row, column) => '#',
        _ if is_white(row, column) => 'M',
        _ if is_white(last - row, last - column) => 'm',
        _ => '.',
    };
    let row = |row: u8| (0..size).map(|column| symbol(row, column)).collect::<String>();
    (0..size).map(row).collect::<Vec<_>>().join("/")
}

impl Game for Dice {
    type State = State;
    type Action = Action;

    const CLASS: Features = Features::CHANCE;
    const ALWAYS: Features = Features::CHANCE;
    const BATCHES: bool = false;

    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn start(&self) -> State {
        self.start.clone()
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        match state.phase {
            Phase::Choose => Turn::Player(Player(state.mover)),
            Phase::Roll { .. } => Turn::Chance,
            Phase::Over => Turn::Over,
        }
    }

    /// By direction, clockwise from north, then by cell.
    fn legal(&self, state: &State, _player: Player, out: &mut Vec<Action>) {
        for direction in 0..8 {
            let movers = bits::ones(self.movers(state, usize::from(direction)));
            out.extend(movers.map(|from| Action::Slide { from: from as u8, direction }));
        }
    }

    // Always inline: playouts know at each call which of the two it is.
    #[inline(always)]
    fn apply(&self, state: &mut State, joint: &[Action]) {
        match joint[0] {
            Action::Slide { from, direction } => self.slide(state, from, direction),
            Action::Advance(distance) => self.advance(state, distance),
        }
    }

    fn payoff(&self, state: &State, player: Player) -> f64 {
        match (self.has_line(state, player.index()), self.has_line(state, 1 - player.index())) {
            (true, _) => 1.0,
            (_, true) => 0.0,
            _ => 0.5,
        }
    }

    fn chance(&self, state: &State, out: &mut Vec<(Action, f64)>) {
        if let Phase::Roll { room, .. } = state.phase {
            out.extend((1..=room).map(|distance| (Action::Advance(distance), probability(distance, room))));
        }
    }

    /// Rejection sampling: draws any piece and direction until one can go; about half of them can.
    #[inline]
    fn random_action(&self, state: &State, _player: Player, rng: &mut Rng, _scratch: &mut Vec<Action>) -> Action {
        debug_assert!(!self.is_stuck(state), "no way to draw in {state:?}");
        let side = usize::from(state.mover & 1);
        let occupied = state.pieces.occupied();
        // By rank of the piece. Ranks beyond the last piece are never drawn.
        let mut ways = [self.board.ways(0); 8];
        let mut pieces = state.pieces.all[side];
        for ways in &mut ways[..MOST_PIECES] {
            *ways = self.board.ways((pieces | 1 << 63).trailing_zeros());
            pieces &= pieces.wrapping_sub(1);
        }
        // Four tries a round, without a branch on a single one, since it is unpredictable. All that a try needs except
        // `occupied` is known before the opponent's move, so the processor can work ahead.
        loop {
            let tries = rng.each_below(self.ways[side]).map(|index| ways[index / 8 % 8][index % 8]);
            let [first, second, third, mut way] = tries;
            for earlier in [third, second, first] {
                way = select_unpredictable(earlier.is_blocked(occupied), way, earlier);
            }
            let (from, direction) = (way.from(), way.direction());
            let banned = state.ban && is_diagonal(direction.into()) && from == state.pieces.king[side];
            if !way.is_blocked(occupied) && !banned {
                return Action::Slide { from, direction };
            }
        }
    }

    #[inline]
    fn random_outcome(&self, state: &State, rng: &mut Rng) -> Action {
        let Phase::Roll { room, .. } = state.phase else { unreachable!("no die falls in {state:?}") };
        let face = rng.below(usize::from(FACES)) as u8 + 1;
        Action::Advance(face.min(room))
    }
}

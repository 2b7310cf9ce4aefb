//! Connect Four: discs fall down the columns of an upright board; the first line of four wins. A full board is a draw.
//!
//! The board's size and the length of the line are parameters; the board must fit a 64-bit word. Papers use 6 rows of 7
//! columns (the commercial board) and 6 rows of 8. An action is a column, counted from 0 and written as a letter from
//! `a`.

mod drawing;
mod knowledge;
mod lines;
mod notation;
mod numbers;
mod value_features;
#[cfg(test)]
mod tests;

use tesuji_core::{Arguments, Entry, Features, Game, InputError, Parameter, Player, Rng, Spec, Turn};

use crate::bits;
use lines::Lines;

/// The catalogue entry of Connect Four.
pub const ENTRY: Entry<ConnectFour> = Entry {
    name: "connect-four",
    title: "Connect Four",
    summary: "Discs fall down columns; four in a line win",
    parameters: &[
        Parameter::new("rows", "6", "rows of the board"),
        Parameter::new("columns", "7", "columns of the board; columns × (rows + 1) is at most 64"),
        Parameter::new("line", "4", "how many in a line win, from 3 to 5"),
    ],
    examples: &[
        "connect-four",
        "connect-four(6,8)",
        "connect-four(3,3,3)",
        "connect-four(3,16,3)",
        "connect-four(20,3,3)",
        "connect-four(15,4)",
        "connect-four(5,10,5)",
    ],
    open: |arguments: &Arguments| {
        ConnectFour::new(
            arguments.integer("rows", 3..=20)? as u32,
            arguments.integer("columns", 3..=16)? as u32,
            arguments.integer("line", 3..=5)? as u32,
        )
    },
};

/// The rules of Connect Four on one size of board.
#[derive(Debug)]
pub struct ConnectFour {
    spec: Spec,
    rows: u32,
    columns: u32,
    lines: Lines,
    /// The cells of every line that fits the board.
    possible: Vec<u64>,
    /// The lowest cell of every column.
    floor: u64,
    /// All cells.
    board: u64,
}

impl ConnectFour {
    /// A board of `rows` × `columns` where `line` discs in a row win. Both sides must be at least `line` long, and
    /// `columns` × (`rows` + 1) at most 64.
    pub fn new(rows: u32, columns: u32, line: u32) -> Result<ConnectFour, InputError> {
        if !(3..=5).contains(&line) {
            return Err(InputError::new(format!("a line of {line}: expected 3, 4 or 5")));
        }
        if rows < line || columns < line {
            return Err(InputError::new(format!("a line of {line} needs at least {line} rows and {line} columns")));
        }
        if u64::from(columns) * (u64::from(rows) + 1) > 64 {
            return Err(InputError::new(format!("a board of {rows} rows and {columns} columns is too large"))
                .with_help("columns × (rows + 1) must not exceed 64"));
        }
        let name = match (rows, columns, line) {
            (6, 7, 4) => "connect-four".to_owned(),
            (_, _, 4) => format!("connect-four({rows},{columns})"),
            _ => format!("connect-four({rows},{columns},{line})"),
        };
        let height = rows + 1;
        let lines = Lines::new(line, height);
        let floor = (0..columns).fold(0, |floor, column| floor | 1 << (column * height));
        let board = floor * ((1 << rows) - 1);
        Ok(ConnectFour {
            spec: Spec::new(name, &["red", "blue"], Features::empty(), (rows * columns) as usize),
            rows,
            columns,
            possible: lines.within(board),
            lines,
            floor,
            board,
        })
    }

    /// The cells on which a disc would land, one for each column that is not full.
    #[inline]
    fn landings(&self, state: &State) -> u64 {
        // Discs fill a column without gaps, so adding its lowest cell carries to the first free cell.
        (state.occupied() + self.floor) & self.board
    }

    #[inline]
    fn place(&self, row: u32, column: u32) -> u32 {
        column * (self.rows + 1) + row
    }

    #[inline]
    fn column(&self, place: u32) -> u8 {
        (place / (self.rows + 1)) as u8
    }
}

impl Default for ConnectFour {
    /// The commercial board: 6 rows, 7 columns, lines of 4.
    fn default() -> Self {
        ConnectFour::new(6, 7, 4).expect("the usual board fits into a word")
    }
}

/// A position: the discs of each player as bits, and who acts.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct State {
    discs: [u64; 2],
    turn: Turn,
}

impl State {
    #[inline]
    fn occupied(&self) -> u64 {
        self.discs[0] | self.discs[1]
    }

    fn holder(&self, place: u32) -> Option<usize> {
        self.discs.iter().position(|discs| discs >> place & 1 == 1)
    }
}

impl Game for ConnectFour {
    type State = State;
    type Action = u8;

    const CLASS: Features = Features::empty();
    const BATCHES: bool = false;

    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn start(&self) -> State {
        State { discs: [0, 0], turn: Turn::Player(Player(0)) }
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        state.turn
    }

    fn legal(&self, state: &State, _player: Player, out: &mut Vec<u8>) {
        out.extend(bits::ones(self.landings(state)).map(|place| self.column(place)));
    }

    #[inline]
    fn apply(&self, state: &mut State, joint: &[u8]) {
        let Turn::Player(mover) = state.turn else { unreachable!("nobody moves in {state:?}") };
        let occupied = state.occupied();
        let landing = (occupied + (1 << self.place(0, u32::from(joint[0])))) & !occupied;
        let discs = &mut state.discs[mover.index()];
        *discs |= landing;
        let over = self.lines.any(*discs) || occupied | landing == self.board;
        state.turn = if over { Turn::Over } else { Turn::Player(Player(1 - mover.0)) };
    }

    fn payoff(&self, state: &State, player: Player) -> f64 {
        match state.discs.map(|discs| self.lines.any(discs)) {
            [false, false] => 0.5,
            winners => f64::from(u8::from(winners[player.index()])),
        }
    }

    #[inline]
    fn random_action(&self, state: &State, _player: Player, rng: &mut Rng, _scratch: &mut Vec<u8>) -> u8 {
        // Most columns are open for most of a match, so rejection sampling needs few tries: drawing until a column is
        // open takes 12 ns a step, counting the open columns first takes 21 ns.
        let occupied = state.occupied();
        loop {
            let column = rng.below(self.columns as usize) as u32;
            if occupied >> self.place(self.rows - 1, column) & 1 == 0 {
                return column as u8;
            }
        }
    }
}

//! Breakthrough: two rows of pawns each; the first to reach the far row wins. Invented by Dan Troyka, 2000.
//!
//! A pawn steps one row forward: straight or diagonally to an empty cell, or diagonally onto an enemy, which it
//! captures. The player who reaches the far row or captures every enemy wins. There is no draw, and nobody is ever
//! without a move: the most advanced pawn has no friend in front of it and, on two columns or more, a diagonal to step
//! to.
//!
//! Cells are bits, row by row from White's side, so one shift gives the targets of all pawns in one direction.

mod drawing;
mod knowledge;
mod notation;
mod numbers;
mod value_features;
#[cfg(test)]
mod tests;

use tesuji_core::{Arguments, Entry, Features, Game, InputError, Parameter, Player, Rng, Spec, Turn};

use crate::bits;

/// The catalogue entry of Breakthrough.
pub const ENTRY: Entry<Breakthrough> = Entry {
    name: "breakthrough",
    title: "Breakthrough",
    summary: "Two rows of pawns each; the first pawn on the far row wins",
    parameters: &[
        Parameter::new("rows", "8", "rows of the board, at least 4"),
        Parameter::new("columns", "8", "columns of the board, at least 2; rows × columns is at most 64"),
    ],
    examples: &[
        "breakthrough",
        "breakthrough(6,6)",
        "breakthrough(4,2)",
        "breakthrough(4,16)",
        "breakthrough(32,2)",
        "breakthrough(5,7)",
    ],
    open: |arguments: &Arguments| {
        Breakthrough::new(arguments.integer("rows", 4..=32)? as u32, arguments.integer("columns", 2..=16)? as u32)
    },
};

/// The rules of Breakthrough on one size of board.
#[derive(Debug)]
pub struct Breakthrough {
    spec: Spec,
    rows: u32,
    columns: u32,
    /// All cells.
    board: u64,
    /// All cells except the leftmost column, and all except the rightmost.
    not_left: u64,
    not_right: u64,
    /// The row that each player's pawns must reach.
    goals: [u64; 2],
}

/// A step of a pawn, from cell to cell. Cells count row by row from the bottom left.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Step {
    /// Where the pawn stands.
    pub from: u8,
    /// Where it goes.
    pub to: u8,
}

/// A position: the pawns of each player as bits, and who acts.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct State {
    pawns: [u64; 2],
    turn: Turn,
}

impl State {
    fn holder(&self, cell: u32) -> Option<usize> {
        self.pawns.iter().position(|pawns| pawns >> cell & 1 == 1)
    }
}

impl Breakthrough {
    /// A board of `rows` × `columns`: at least 4 × 2, at most 64 cells.
    pub fn new(rows: u32, columns: u32) -> Result<Breakthrough, InputError> {
        if rows < 4 || columns < 2 {
            return Err(InputError::new(format!("a board of {rows} rows and {columns} columns is too small"))
                .with_help("expected at least 4 rows and 2 columns"));
        }
        if u64::from(rows) * u64::from(columns) > 64 {
            return Err(InputError::new(format!("a board of {rows} rows and {columns} columns is too large"))
                .with_help("rows × columns must not exceed 64"));
        }
        let name = match (rows, columns) {
            (8, 8) => "breakthrough".to_owned(),
            _ => format!("breakthrough({rows},{columns})"),
        };
        let board = u64::MAX >> (64 - rows * columns);
        let row: u64 = (1 << columns) - 1;
        let left = (0..rows).fold(0, |cells, row| cells | 1u64 << (row * columns));
        // Every step moves one pawn one row ahead. Before the last step no pawn stands on its far row, so pawns of the
        // first row have made at most rows - 2 steps each, and those of the second row at most rows - 3.
        let max_steps = 2 * columns * (rows - 2 + rows - 3) + 1;
        Ok(Breakthrough {
            spec: Spec::new(name, &["white", "black"], Features::empty(), max_steps as usize),
            rows,
            columns,
            board,
            not_left: board & !left,
            not_right: board & !(left << (columns - 1)),
            goals: [row << ((rows - 1) * columns), row],
        })
    }

    /// The cells that the mover's pawns can reach by a step to the left, straight and to the right, as seen from White.
    /// [`step`](Breakthrough::step) gives the pawn of each.
    #[inline]
    fn targets(&self, state: &State, mover: Player) -> [u64; 3] {
        let own = state.pawns[mover.index()];
        let (free, empty) = (self.board & !own, self.board & !(own | state.pawns[1 - mover.index()]));
        let (lefts, rights) = (own & self.not_left, own & self.not_right);
        let columns = self.columns;
        match mover {
            Player(0) => [lefts << (columns - 1) & free, own << columns & empty, rights << (columns + 1) & free],
            _ => [lefts >> (columns + 1) & free, own >> columns & empty, rights >> (columns - 1) & free],
        }
    }

    /// The step that leads to `to` in direction 0 (left), 1 (straight) or 2 (right).
    #[inline]
    fn step(&self, mover: Player, direction: usize, to: u32) -> Step {
        let sideways = direction as u32;
        let from = match mover {
            Player(0) => to + 1 - sideways - self.columns,
            _ => to + 1 - sideways + self.columns,
        };
        Step { from: from as u8, to: to as u8 }
    }

    fn winner(&self, state: &State) -> Option<usize> {
        (0..2).find(|&player| state.pawns[player] & self.goals[player] != 0 || state.pawns[1 - player] == 0)
    }
}

impl Default for Breakthrough {
    /// The usual 8 × 8 board.
    fn default() -> Self {
        Breakthrough::new(8, 8).expect("the usual board fits into a word")
    }
}

impl Game for Breakthrough {
    type State = State;
    type Action = Step;

    const CLASS: Features = Features::empty();
    const BATCHES: bool = false;

    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn start(&self) -> State {
        let two_rows = (1 << (2 * self.columns)) - 1;
        State { pawns: [two_rows, two_rows << ((self.rows - 2) * self.columns)], turn: Turn::Player(Player(0)) }
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        state.turn
    }

    fn legal(&self, state: &State, player: Player, out: &mut Vec<Step>) {
        for (direction, targets) in self.targets(state, player).into_iter().enumerate() {
            out.extend(bits::ones(targets).map(|to| self.step(player, direction, to)));
        }
    }

    #[inline]
    fn apply(&self, state: &mut State, joint: &[Step]) {
        let Turn::Player(mover) = state.turn else { unreachable!("nobody moves in {state:?}") };
        let (from, to) = (1u64 << joint[0].from, 1u64 << joint[0].to);
        state.pawns[mover.index()] ^= from | to;
        let enemies = &mut state.pawns[1 - mover.index()];
        *enemies &= !to;
        let over = *enemies == 0 || to & self.goals[mover.index()] != 0;
        state.turn = if over { Turn::Over } else { Turn::Player(Player(1 - mover.0)) };
    }

    fn payoff(&self, state: &State, player: Player) -> f64 {
        f64::from(u8::from(self.winner(state) == Some(player.index())))
    }

    #[inline]
    fn random_action(&self, state: &State, player: Player, rng: &mut Rng, _scratch: &mut Vec<Step>) -> Step {
        let (direction, to) = bits::random_bit_of(self.targets(state, player), rng);
        self.step(player, direction, to)
    }
}

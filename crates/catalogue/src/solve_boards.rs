//! Whole tables of boards of a synchronized game, solved exactly.

use std::time::Duration;

use serde::Serialize;
use tesuji_core::{Actor, Address, Arguments, Entry, Game, InputError, Notation, Player};
use tesuji_games::mineering::{self, Synchronized};
use tesuji_solve::matrix::Fraction;
use tesuji_solve::simultaneous::{ExactSolver, GaveUp, Limits, Memory, Solution};

use crate::games::unknown;
use crate::solve::SolvePlan;
use crate::solve_simultaneous::{deep, most_positions, unsolved};
use crate::stopwatch::{Clock, Stopwatch};

/// Which boards a table has.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BoardPlan {
    /// Rows and columns add up to this at most.
    pub sum: usize,
    /// The most cells of a board.
    pub cells: usize,
    /// The processor time after which a board is left open.
    pub patience: Option<Duration>,
}

impl BoardPlan {
    /// All boards whose rows and columns add up to `sum` at most.
    pub fn up_to(sum: usize) -> BoardPlan {
        BoardPlan { sum, cells: mineering::MOST_CELLS.into(), patience: None }
    }
}

/// The solution of one board of a table.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct BoardSolution {
    /// The address of the game.
    pub game: String,
    /// Rows of the board.
    pub rows: usize,
    /// Columns of the board.
    pub columns: usize,
    /// What the first player gets.
    pub value: f64,
    /// The same as a fraction, where it is known as one.
    pub exact: Option<String>,
    /// What the players can force by pure strategies.
    pub class: String,
    /// An optimal strategy of the first step for each player: actions with their shares. Empty where nobody moves, and
    /// for a board that is another one transposed.
    pub first_step: [Vec<(String, String)>; 2],
    /// Positions looked into; 0 for a board that is another one transposed.
    pub nodes: u64,
    /// Processor time taken.
    pub seconds: f64,
    /// The size of the solver's memory after this board, shared with the boards before it.
    pub bytes: usize,
}

/// A board of a table that was not solved.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct OpenBoard {
    /// The address of the game.
    pub game: String,
    /// Rows of the board.
    pub rows: usize,
    /// Columns of the board.
    pub columns: usize,
    /// Positions looked into.
    pub nodes: u64,
    /// Processor time taken.
    pub seconds: f64,
    /// Whether memory ended before patience.
    pub lacked_memory: bool,
}

/// Solves the boards of a synchronized game that `boards` names, smallest first, one memory for all. Boards on which
/// nobody has a move are draws. `tell` hears of each board when it is solved. Returns the boards left open.
pub fn solve_boards(
    name: &str,
    boards: &BoardPlan,
    plan: &SolvePlan<'_>,
    mut tell: impl FnMut(&BoardSolution) + Send,
) -> Result<Vec<OpenBoard>, InputError> {
    let entries: [&Entry<Synchronized>; 2] = [&mineering::SYNC_TRIOMINEERING, &mineering::SYNC_DOMINEERING];
    let names = entries.map(|entry| entry.name);
    let Some(entry) = entries.into_iter().find(|entry| entry.name == name) else {
        return Err(unknown(
            "table of boards for",
            name,
            &names,
            "tables are made of sync-triomineering and sync-domineering",
        ));
    };
    deep(|| {
        let mut table = Table { entry, boards, plan, memory: Memory::new() };
        let mut open = Vec::new();
        for sum in 2..=boards.sum {
            for rows in 1..=sum / 2 {
                let columns = sum - rows;
                if rows * columns > boards.cells.min(mineering::MOST_CELLS.into()) {
                    continue;
                }
                let board = match table.solve(rows, columns)? {
                    Ok(board) => board,
                    Err(unsolved) => {
                        open.push(unsolved);
                        continue;
                    }
                };
                let other = (rows != columns).then(|| transposed(entry, &board));
                for board in [board].into_iter().chain(other) {
                    tell(&board);
                }
            }
        }
        Ok(open)
    })?
}

struct Table<'a> {
    entry: &'a Entry<Synchronized>,
    boards: &'a BoardPlan,
    plan: &'a SolvePlan<'a>,
    memory: Memory,
}

impl Table<'_> {
    /// A board, solved or left open.
    fn solve(&mut self, rows: usize, columns: usize) -> Result<Result<BoardSolution, OpenBoard>, InputError> {
        let watch = Stopwatch::start(Clock::best());
        let address: Address = format!("{}({rows},{columns})", self.entry.name).parse()?;
        let mut board = BoardSolution {
            game: address.to_string(),
            rows,
            columns,
            value: 0.5,
            exact: Fraction::new(1, 2).map(|exact| exact.to_string()),
            class: "D".to_owned(),
            first_step: [Vec::new(), Vec::new()],
            nodes: 0,
            seconds: 0.0,
            bytes: self.memory.bytes(),
        };
        let game = match (self.entry.open)(&Arguments::bind(&address, self.entry.parameters)?) {
            Ok(game) => game,
            // Nobody has a move: not a game, but a draw by the rules.
            Err(_) if rows.max(columns) < 3 => return Ok(Ok(board)),
            Err(error) => return Err(error),
        };
        let (plan, patience) = (self.plan, self.boards.patience);
        let is_impatient =
            |looked: u64| looked.is_multiple_of(1024) && patience.is_some_and(|most| watch.elapsed() > most);
        let mut go_on = |looked| !plan.is_stopped() && !is_impatient(looked);
        let limits = Limits { positions: most_positions(plan), go_on: Some(&mut go_on) };
        let mut solver = ExactSolver::new(&game, std::mem::take(&mut self.memory), limits);
        let start = game.start();
        let found = solver.solve(&start);
        (board.nodes, board.seconds) = (solver.nodes(), watch.elapsed().as_secs_f64());
        self.memory = solver.into_memory();
        board.bytes = self.memory.bytes();
        match found {
            Ok(found) => {
                board.value = found.game_value.value;
                board.exact = found.game_value.exact.map(|exact| exact.to_string());
                board.class = found.forced.class(game.spec().payoffs, LETTERS);
                board.first_step = [0, 1].map(|side| first_step(&game, &found, Player(side)));
                Ok(Ok(board))
            }
            Err(why) if plan.is_stopped() || patience.is_none() => Err(unsolved(&game.spec().name, plan, why)),
            Err(why) => {
                // What this board has filled the memory with is of little use to the others.
                self.memory = Memory::new();
                let BoardSolution { game, rows, columns, nodes, seconds, .. } = board;
                Ok(Err(OpenBoard { game, rows, columns, nodes, seconds, lacked_memory: why == GaveUp::Memory }))
            }
        }
    }
}

/// A player's strategy in words: fractions where they are known.
fn first_step(game: &Synchronized, found: &Solution<u8>, player: Player) -> Vec<(String, String)> {
    let start = game.start();
    let share = |exact: Option<Fraction>, value: f64| exact.map_or(format!("{value:.6}"), |exact| exact.to_string());
    let actions = found.strategies[player.index()].iter();
    actions
        .map(|(action, worth)| {
            (game.action_text(&start, Actor::Player(player), *action), share(worth.exact, worth.value))
        })
        .collect()
}

/// The letters of vertical and horizontal.
const LETTERS: [char; 2] = ['V', 'H'];

/// The same board with rows and columns, and so the players, exchanged.
fn transposed(entry: &Entry<Synchronized>, board: &BoardSolution) -> BoardSolution {
    let exchanged = |letter| match letter {
        'V' => 'H',
        'H' => 'V',
        other => other,
    };
    let class = if board.class == "VHD" { board.class.clone() } else { board.class.chars().map(exchanged).collect() };
    let rest = |exact: &String| Some(Fraction::ONE.minus(&exact.parse().ok()?)?.to_string());
    BoardSolution {
        game: format!("{}({},{})", entry.name, board.columns, board.rows),
        rows: board.columns,
        columns: board.rows,
        value: 1.0 - board.value,
        exact: board.exact.as_ref().and_then(rest),
        class,
        first_step: [Vec::new(), Vec::new()],
        nodes: 0,
        seconds: 0.0,
        bytes: board.bytes,
    }
}

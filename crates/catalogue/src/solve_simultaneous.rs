//! Games in which both act at once, solved exactly; alone, or a whole table of boards.

use std::thread;
use std::time::Instant;

use serde::Serialize;
use tesuji_core::laws::Complete;
use tesuji_core::{Actor, Address, Arguments, Entry, ErrorKind, Game, InputError, Player};
use tesuji_games::mineering::{self, Synchronized};
use tesuji_solve::matrix::Fraction;
use tesuji_solve::simultaneous::{ExactSolver, GaveUp, Limits, Memory, Solution as Found, check_solvable};

use crate::games::unknown;
use crate::solve::{PlayerStrategy, Solution, SolvePlan};

/// Solutions go as deep as matches are long, a few hundred bytes a step and level; only what is used is taken.
const STACK: usize = 1 << 30;

/// Runs on a stack that is deep enough.
pub(crate) fn deep<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, InputError> {
    let (mut work, mut result) = (Some(work), None);
    on_deep_stack(&mut || result = work.take().map(|work| work()))?;
    result.ok_or_else(|| InputError::new("the thread that solves ended early"))
}

/// The part of [`deep`] that is compiled once, not for each game.
fn on_deep_stack(work: &mut (dyn FnMut() + Send)) -> Result<(), InputError> {
    thread::scope(|scope| {
        let spawned = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        let worker = spawned.map_err(|error| InputError::new(format!("no thread to solve on: {error}")))?;
        worker.join().or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// The most that a solver of joint moves remembers, whatever it is allowed: 117 million positions.
const MOST_BYTES: usize = 8 << 30;

/// The positions that may be remembered.
pub(crate) fn most_positions(plan: &SolvePlan<'_>) -> usize {
    usize::try_from(plan.most_nodes).unwrap_or(usize::MAX).min(Memory::most_within(MOST_BYTES))
}

/// Why there is no solution.
pub(crate) fn unsolved(name: &str, plan: &SolvePlan<'_>, why: GaveUp) -> InputError {
    if why == GaveUp::Stopped {
        return InputError::new(format!("stopped before `{name}` was solved")).of_kind(ErrorKind::Cancelled);
    }
    let most = most_positions(plan);
    let message = format!("`{name}` has more than {most} positions to remember");
    let error = InputError::new(message).of_kind(ErrorKind::TooLarge);
    if (most as u64) < plan.most_nodes {
        return error.with_help("they take 8 GB, the most that is used; `--state` solves from a later position");
    }
    error.with_help("`--nodes` allows more, at 50 to 75 bytes each; `--state` solves from a later position")
}

/// Solves a game of two players with a constant sum, whoever acts.
pub(crate) fn solve_simultaneous<G: Complete>(
    game: &G,
    start: &G::State,
    plan: &SolvePlan<'_>,
) -> Result<Solution, InputError> {
    check_solvable(game)?;
    let spec = game.spec();
    let (found, nodes) = deep(|| {
        let mut go_on = |_| !plan.is_stopped();
        let limits = Limits { positions: most_positions(plan), go_on: Some(&mut go_on) };
        let mut solver = ExactSolver::new(game, Memory::new(), limits);
        (solver.solve(start), solver.nodes())
    })?;
    let found: Found<G::Action> = found.map_err(|why| unsolved(&spec.name, plan, why))?;
    let strategy = |player: Player| PlayerStrategy {
        player: spec.player_name(player).to_owned(),
        actions: found.strategies[player.index()]
            .iter()
            .map(|&(action, share)| (game.action_text(start, Actor::Player(player), action), share.value))
            .collect(),
    };
    Ok(Solution {
        game: spec.name.clone(),
        method: "backward induction with a double oracle",
        value: found.game_value.value,
        exact: found.game_value.exact.map(|exact| exact.to_string()),
        class: game
            .solver_hints()
            .and_then(|hints| hints.outcome_letters(game))
            .map(|letters| found.forced.class(spec.payoffs, letters)),
        error: if found.game_value.exact.is_some() { 0.0 } else { ROUNDING * (spec.payoffs.1 - spec.payoffs.0) },
        nodes,
        seconds: 0.0,
        strategy: game.turn(start).movers().map(strategy).collect(),
    })
}

/// What rounding may add up to where fractions have no room.
const ROUNDING: f64 = 1e-9;

/// The solution of one board of a table.
#[derive(Clone, Debug, Serialize)]
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
    /// Positions looked into; 0 for a board that is another one transposed.
    pub nodes: u64,
    /// Time taken.
    pub seconds: f64,
}

/// Solves all boards of a synchronized game whose rows and columns add up to `up_to` at most, smallest first, one
/// memory for all. Boards on which nobody has a move are draws. `tell` hears of each board when it is solved.
pub fn solve_boards(
    name: &str,
    up_to: usize,
    plan: &SolvePlan<'_>,
    mut tell: impl FnMut(&BoardSolution) + Send,
) -> Result<(), InputError> {
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
        let mut memory = Memory::new();
        for sum in 2..=up_to {
            for rows in 1..=sum / 2 {
                let columns = sum - rows;
                if rows * columns > MOST_CELLS {
                    continue;
                }
                let board = solve_board(entry, rows, columns, plan, &mut memory)?;
                let other = (rows != columns).then(|| transposed(entry, &board));
                for board in [board].into_iter().chain(other) {
                    tell(&board);
                }
            }
        }
        Ok(())
    })?
}

/// Larger boards do not exist in these games.
const MOST_CELLS: usize = 64;

fn solve_board(
    entry: &Entry<Synchronized>,
    rows: usize,
    columns: usize,
    plan: &SolvePlan<'_>,
    memory: &mut Memory,
) -> Result<BoardSolution, InputError> {
    let begun = Instant::now();
    let address: Address = format!("{}({rows},{columns})", entry.name).parse()?;
    let board = |value, exact: Option<Fraction>, class: &str, nodes| BoardSolution {
        game: address.to_string(),
        rows,
        columns,
        value,
        exact: exact.map(|exact| exact.to_string()),
        class: class.to_owned(),
        nodes,
        seconds: begun.elapsed().as_secs_f64(),
    };
    let game = match (entry.open)(&Arguments::bind(&address, entry.parameters)?) {
        Ok(game) => game,
        // Nobody has a move: not a game, but a draw by the rules.
        Err(_) if rows.max(columns) < 3 => return Ok(board(0.5, Fraction::new(1, 2), "D", 0)),
        Err(error) => return Err(error),
    };
    let mut go_on = |_| !plan.is_stopped();
    let limits = Limits { positions: most_positions(plan), go_on: Some(&mut go_on) };
    let mut solver = ExactSolver::new(&game, std::mem::take(memory), limits);
    let start = game.start();
    let found = solver.value(&start).and_then(|worth| Ok((worth, solver.forced(&start)?)));
    let nodes = solver.nodes();
    *memory = solver.into_memory();
    let (worth, forced) = found.map_err(|why| unsolved(&game.spec().name, plan, why))?;
    let class = forced.class(game.spec().payoffs, LETTERS);
    Ok(board(worth.value, worth.exact, &class, nodes))
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
    let rest = |exact: &String| {
        let (numerator, denominator) = exact.split_once('/').unwrap_or((exact, "1"));
        let [numerator, denominator] = [numerator, denominator].map(|part| part.parse::<i128>().ok());
        Some(Fraction::ONE.minus(&Fraction::new(numerator?, denominator?)?)?.to_string())
    };
    BoardSolution {
        game: format!("{}({},{})", entry.name, board.columns, board.rows),
        rows: board.columns,
        columns: board.rows,
        value: 1.0 - board.value,
        exact: board.exact.as_ref().and_then(rest),
        class,
        nodes: 0,
        seconds: 0.0,
    }
}

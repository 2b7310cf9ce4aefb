//! Domineering and Triomineering, alternating and synchronized.
//!
//! Two players fill a grid of m rows and n columns with bars of two cells (Domineering) or three (Triomineering):
//! *vertical* lays upright bars, *horizontal* level ones, only on free cells.
//!
//! * [`Alternating`]: Vertical begins, and a player who cannot move on its turn has lost.
//! * [`Synchronized`]: both lay a bar at the same time. Each bar must fit the board before the step, so the two may
//!   cross in one cell, which is then filled once. A player who cannot move while the other can has lost; if neither
//!   can, it is a draw. These games were proposed and solved on small boards by Cincotti and others. A study of UCB
//!   search with mixed strategies uses them (its section 4; here "the paper").
//!
//! An action is the bar's top or left cell, counted row by row, written as the column's letter and the row's number:
//! `c2`. Boards have at most 128 cells. A board on which neither player ever has a move is refused; where only one has,
//! the synchronized match is over before it begins.

mod alternating;
mod board;
mod drawing;
mod hinder;
mod notation;
mod numbers;
mod reduction;
mod synchronized;

#[cfg(test)]
mod exact;
#[cfg(test)]
mod twin;

pub use alternating::Alternating;
use hinder::Hinder;
pub use synchronized::Synchronized;

use board::Board;
use tesuji_core::{Arguments, Entry, InputError, Named, Parameter};

const PARAMETERS: &[Parameter] = &[
    Parameter::new("rows", "6", "rows of the board; rows times columns is at most 128"),
    Parameter::new("columns", "6", "columns of the board"),
];

/// The most cells of a board.
pub const MOST_CELLS: u8 = 128;

/// The number of cells of a bar in Domineering.
const DOMINO: u8 = 2;
/// The number of cells of a bar in Triomineering.
const TROMINO: u8 = 3;

/// The catalogue entry of Synchronized Domineering.
pub const SYNC_DOMINEERING: Entry<Synchronized> = Entry {
    name: "sync-domineering",
    title: "Synchronized Domineering",
    summary: "Both players lay a domino at once, vertical against horizontal; a player who alone cannot move loses",
    parameters: PARAMETERS,
    examples: &["sync-domineering", "sync-domineering(2,2)", "sync-domineering(2,32)", "sync-domineering(8,8)"],
    open: |arguments: &Arguments| Ok(Synchronized::new(arguments.canonical(), open(arguments, DOMINO)?)),
};

/// The catalogue entry of Synchronized Triomineering.
pub const SYNC_TRIOMINEERING: Entry<Synchronized> = Entry {
    name: "sync-triomineering",
    title: "Synchronized Triomineering",
    summary: "Both players lay a bar of three at once, vertical against horizontal; a player who alone cannot move \
        loses",
    parameters: PARAMETERS,
    examples: &["sync-triomineering", "sync-triomineering(3,3)", "sync-triomineering(8,4)", "sync-triomineering(3,21)"],
    open: |arguments: &Arguments| Ok(Synchronized::new(arguments.canonical(), open(arguments, TROMINO)?)),
};

/// The catalogue entry of Domineering.
pub const DOMINEERING: Entry<Alternating> = Entry {
    name: "domineering",
    title: "Domineering",
    summary: "Players lay dominoes in turn, vertical against horizontal; a player who cannot move loses",
    parameters: PARAMETERS,
    examples: &["domineering", "domineering(2,2)", "domineering(64,1)", "domineering(8,8)"],
    open: |arguments: &Arguments| Ok(Alternating::new(arguments.canonical(), open(arguments, DOMINO)?)),
};

/// The catalogue entry of Triomineering.
pub const TRIOMINEERING: Entry<Alternating> = Entry {
    name: "triomineering",
    title: "Triomineering",
    summary: "Players lay bars of three in turn, vertical against horizontal; a player who cannot move loses",
    parameters: PARAMETERS,
    examples: &["triomineering", "triomineering(3,3)", "triomineering(8,4)"],
    open: |arguments: &Arguments| Ok(Alternating::new(arguments.canonical(), open(arguments, TROMINO)?)),
};

/// The seats: the first lays vertical bars, the second horizontal ones.
const PLAYERS: [&str; 2] = ["vertical", "horizontal"];

const POLICIES: &[Named] = &[Named {
    name: "hinder",
    summary: "uniform among the bars that overlap a possible bar of the opponent, while there is one",
}];

fn open(arguments: &Arguments, length: u8) -> Result<Board, InputError> {
    let rows = arguments.integer("rows", 1..=MOST_CELLS.into())? as u8;
    let columns = arguments.integer("columns", 1..=MOST_CELLS.into())? as u8;
    if u32::from(rows) * u32::from(columns) > u32::from(MOST_CELLS) {
        return Err(InputError::new(format!("a board of {rows}×{columns} cells is too large"))
            .with_help(format!("rows times columns may be {MOST_CELLS} at most")));
    }
    if rows < length && columns < length {
        return Err(InputError::new(format!("on a board of {rows}×{columns} cells neither player has a move"))
            .with_help(format!("expected at least {length} rows or {length} columns")));
    }
    Ok(Board::new(rows, columns, length))
}

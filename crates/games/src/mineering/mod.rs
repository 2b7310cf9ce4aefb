//! Domineering and Triomineering, alternating and synchronized.
//!
//! Two players fill a grid of m rows and n columns with bars of two cells (Domineering) or three (Triomineering):
//! *vertical* lays upright bars, *horizontal* level ones, only on free cells.
//!
//! * [`Alternating`]: vertical begins, and who cannot move on his turn has lost.
//! * [`Synchronized`]: both lay a bar at the same time. Each bar is judged against the board before the step, so the two
//!   may cross in one cell, which is then filled once. Whoever cannot move while the other can has lost; if neither can,
//!   it is a draw. These games were proposed and solved on small boards by Cincotti and others; they are the ground of a
//!   study of UCB search with mixed strategies (its section 4; here "the paper").
//!
//! An action is the bar's top or left cell, counted row by row, written as the column's letter and the row's number:
//! `c2`. Any board of at most 64 cells will do. A board on which neither player ever has a move is refused; where only
//! one has, the synchronized match is over before it begins.

mod alternating;
mod board;
mod drawing;
mod hinder;
mod notation;
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
    Parameter::new("rows", "6", "rows of the board; rows times columns is at most 64"),
    Parameter::new("columns", "6", "columns of the board"),
];

/// The cells of a bar in Domineering.
const DOMINO: u8 = 2;
/// The cells of a bar in Triomineering.
const TROMINO: u8 = 3;

/// The catalogue's line for Synchronized Domineering.
pub const SYNC_DOMINEERING: Entry<Synchronized> = Entry {
    name: "sync-domineering",
    summary: "Both lay a domino at once, one upright, one level; who alone cannot move has lost",
    parameters: PARAMETERS,
    examples: &["sync-domineering", "sync-domineering(2,2)", "sync-domineering(2,32)", "sync-domineering(8,8)"],
    open: |arguments: &Arguments| Ok(Synchronized::new(arguments.canonical(), open(arguments, DOMINO)?)),
};

/// The catalogue's line for Synchronized Triomineering.
pub const SYNC_TRIOMINEERING: Entry<Synchronized> = Entry {
    name: "sync-triomineering",
    summary: "Both lay a bar of three at once, one upright, one level; who alone cannot move has lost",
    parameters: PARAMETERS,
    examples: &["sync-triomineering", "sync-triomineering(3,3)", "sync-triomineering(8,4)", "sync-triomineering(3,21)"],
    open: |arguments: &Arguments| Ok(Synchronized::new(arguments.canonical(), open(arguments, TROMINO)?)),
};

/// The catalogue's line for Domineering.
pub const DOMINEERING: Entry<Alternating> = Entry {
    name: "domineering",
    summary: "Players lay dominoes in turn, one upright, one level; who cannot move has lost",
    parameters: PARAMETERS,
    examples: &["domineering", "domineering(2,2)", "domineering(64,1)", "domineering(8,8)"],
    open: |arguments: &Arguments| Ok(Alternating::new(arguments.canonical(), open(arguments, DOMINO)?)),
};

/// The catalogue's line for Triomineering.
pub const TRIOMINEERING: Entry<Alternating> = Entry {
    name: "triomineering",
    summary: "Players lay bars of three in turn, one upright, one level; who cannot move has lost",
    parameters: PARAMETERS,
    examples: &["triomineering", "triomineering(3,3)", "triomineering(8,4)"],
    open: |arguments: &Arguments| Ok(Alternating::new(arguments.canonical(), open(arguments, TROMINO)?)),
};

/// The seats: the first lays upright bars, the second level ones.
const PLAYERS: [&str; 2] = ["vertical", "horizontal"];

const POLICIES: &[Named] = &[Named {
    name: "hinder",
    summary: "uniform among the bars that take a place from the other player, as long as there is one",
}];

fn open(arguments: &Arguments, length: u8) -> Result<Board, InputError> {
    let rows = arguments.integer("rows", 1..=64)? as u8;
    let columns = arguments.integer("columns", 1..=64)? as u8;
    if u32::from(rows) * u32::from(columns) > 64 {
        return Err(InputError::new(format!("a board of {rows}×{columns} cells is too large"))
            .with_help("rows times columns may be 64 at most"));
    }
    if rows < length && columns < length {
        return Err(InputError::new(format!("on a board of {rows}×{columns} cells neither player has a move"))
            .with_help(format!("expected at least {length} rows or {length} columns")));
    }
    Ok(Board::new(rows, columns, length))
}

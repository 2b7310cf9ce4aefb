//! Texts of boards.

use tesuji_core::InputError;

use super::board::{Board, Cells, column_name};

fn symbol(free: Cells, cell: u8) -> char {
    if free >> cell & 1 == 1 { '.' } else { '#' }
}

/// The rows separated by `/`.
pub(super) fn cells_text(board: &Board, free: Cells) -> String {
    let row = |row: u8| (0..board.columns).map(|column| symbol(free, row * board.columns + column)).collect::<String>();
    (0..board.rows).map(row).collect::<Vec<_>>().join("/")
}

/// Parses the free cells of a board from the text of [`cells_text`].
pub(super) fn parse_cells(board: &Board, text: &str) -> Result<Cells, InputError> {
    let wrong = |message: String| {
        InputError::new(format!("`{text}`: {message}"))
            .with_help("expected rows separated by `/`, with `.` for a free cell and `#` for a filled one")
    };
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != usize::from(board.rows) {
        return Err(wrong(format!("{} rows, expected {}", rows.len(), board.rows)));
    }
    let mut free = 0;
    let mut cell = 0u32;
    for (index, row) in rows.into_iter().enumerate() {
        let count = row.chars().count();
        if count != usize::from(board.columns) {
            return Err(wrong(format!("row {} has {count} cells, expected {}", index + 1, board.columns)));
        }
        for symbol in row.chars() {
            match symbol {
                '.' => free |= 1 << cell,
                '#' => {}
                other => return Err(wrong(format!("unknown symbol `{other}`"))),
            }
            cell += 1;
        }
    }
    Ok(free)
}

/// The board over several lines, with coordinates.
pub(super) fn board_text(board: &Board, free: Cells) -> String {
    let wide = if board.columns > 26 { 3 } else { 2 };
    let margin = if board.rows > 99 { 3 } else { 2 };
    let header: String = (0..board.columns).map(|column| format!("{:>wide$}", column_name(column))).collect();
    let mut text = format!("{:margin$}{header}\n", "");
    for row in 0..board.rows {
        let cells = (0..board.columns).map(|column| format!("{:>wide$}", symbol(free, row * board.columns + column)));
        text.push_str(&format!("{:>margin$}{}\n", row + 1, cells.collect::<String>()));
    }
    text
}

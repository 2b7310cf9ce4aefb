//! Texts of two-player boards: rows counted from the bottom and written from the top; columns are letters.

use std::fmt::Write as _;

use tesuji_core::{InputError, Source};

/// The symbol of a cell that neither player holds.
const EMPTY: char = '.';

/// The letter of a column: `a` is the leftmost. Boards have at most 26 columns.
pub(crate) fn column_letter(column: usize) -> char {
    debug_assert!(column < 26);
    (b'a' + column as u8) as char
}

/// A board of at most 64 cells with one symbol for each player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Grid {
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    pub(crate) symbols: [char; 2],
}

impl Grid {
    /// The whole board on one line: rows from the top, separated by `/`. `holder` returns who holds a cell (row,
    /// column).
    pub(crate) fn line(self, holder: impl Fn(usize, usize) -> Option<usize>) -> String {
        let row = |row| (0..self.columns).map(|column| self.symbol(holder(row, column))).collect::<String>();
        (0..self.rows).rev().map(row).collect::<Vec<_>>().join("/")
    }

    /// The board over several lines, with row and column names.
    pub(crate) fn block(self, holder: impl Fn(usize, usize) -> Option<usize>) -> String {
        let mut text = String::new();
        for row in (0..self.rows).rev() {
            let _ = write!(text, "{:>2}", row + 1);
            text.extend((0..self.columns).flat_map(|column| [' ', self.symbol(holder(row, column))]));
            text.push('\n');
        }
        text.push_str("  ");
        text.extend((0..self.columns).flat_map(|column| [' ', column_letter(column)]));
        text.push('\n');
        text
    }

    /// Parses a [`line`](Grid::line), the first `length` bytes of `source`. Returns each player's cells as bits, at the
    /// positions that `place` gives for (row, column).
    pub(crate) fn parse_line(
        self,
        source: &Source,
        length: usize,
        place: impl Fn(usize, usize) -> usize,
    ) -> Result<[u64; 2], InputError> {
        let Grid { rows, columns, symbols } = self;
        let wrong = |offset: usize, length: usize, message: String| {
            let help = format!(
                "expected {rows} rows from the top, separated by `/`, of {columns} cells each: `{}`, `{}` or `{EMPTY}`",
                symbols[0], symbols[1]
            );
            InputError::new(message).with_help(help).at(source, offset, length)
        };
        let board = &source.text()[..length];
        let given = board.split('/').count();
        if given != rows {
            return Err(wrong(0, length, format!("expected {rows} rows, got {given}")));
        }
        let mut cells = [0; 2];
        let mut offset = 0;
        for (index, text) in board.split('/').enumerate() {
            let given = text.chars().count();
            if given != columns {
                return Err(wrong(offset, text.len(), format!("expected {columns} cells in a row, got {given}")));
            }
            for (column, (inside, symbol)) in text.char_indices().enumerate() {
                match symbols.iter().position(|&known| known == symbol) {
                    Some(player) => cells[player] |= 1 << place(rows - 1 - index, column),
                    None if symbol == EMPTY => {}
                    None => {
                        return Err(wrong(offset + inside, symbol.len_utf8(), format!("unknown symbol `{symbol}`")));
                    }
                }
            }
            offset += text.len() + 1;
        }
        Ok(cells)
    }

    fn symbol(self, holder: Option<usize>) -> char {
        holder.map_or(EMPTY, |player| self.symbols[player])
    }
}

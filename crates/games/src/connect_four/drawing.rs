//! The picture of Connect Four: a dark wall with holes; the discs of a winning line are ringed.

use tesuji_core::drawing::{CELL, DARK, GRID, INK, LIGHT, NONE, SEATS};
use tesuji_core::{Actor, AreaId, Drawing, Picture};

use super::{ConnectFour, State};
use crate::grid_text::column_letter;

/// The room for the column letters below the wall, and the margin around it.
const LETTERS: f64 = 24.0;
const MARGIN: f64 = 8.0;

impl Drawing for ConnectFour {
    fn draw(&self, state: &State) -> Picture {
        let (width, height) = (f64::from(self.columns) * CELL, f64::from(self.rows) * CELL);
        let mut picture = Picture::new(width + 2.0 * MARGIN, height + MARGIN + LETTERS);
        let style = format_args!(r#"rx="10" fill="{DARK}" stroke="{GRID}" stroke-width="2""#);
        picture.raw(format_args!(r#"<rect x="{MARGIN}" y="{MARGIN}" width="{width}" height="{height}" {style}/>"#));
        let lines = state.discs.map(|discs| self.lines.cells(discs));
        for column in 0..self.columns {
            let left = MARGIN + f64::from(column) * CELL;
            for row in 0..self.rows {
                let place = self.place(row, column);
                let (x, y) = (left + CELL / 2.0, MARGIN + height - (f64::from(row) + 0.5) * CELL);
                match state.holder(place) {
                    None => picture.circle(x, y, CELL * 0.39, LIGHT, GRID),
                    Some(player) => {
                        picture.circle(x, y, CELL * 0.41, SEATS[player], INK);
                        if lines[player] >> place & 1 == 1 {
                            picture.circle(x, y, CELL * 0.22, NONE, LIGHT);
                        }
                    }
                }
            }
            let letter = column_letter(column as usize).to_string();
            picture.text(left + CELL / 2.0, MARGIN + height + LETTERS / 2.0, 13.0, INK, &letter);
            picture.area(column, letter, left, MARGIN, CELL, height);
        }
        picture
    }

    /// One area for each column.
    fn clicks(&self, _state: &State, _actor: Actor, action: u8) -> Vec<AreaId> {
        vec![AreaId::from(action)]
    }
}

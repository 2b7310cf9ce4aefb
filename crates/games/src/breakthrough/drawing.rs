//! The picture of Breakthrough: a chequered board, White below.

use tesuji_core::drawing::{CELL, DARK, GRID, INK, LIGHT, NONE};
use tesuji_core::{Actor, AreaId, Drawing, Phrase, Picture};

use super::{Breakthrough, State, Step};
use crate::grid_text::column_letter;

/// The room for row and column names, and the margin on the other sides.
const NAMES: f64 = 24.0;
const MARGIN: f64 = 8.0;
/// Fill and edge colours of the pawns, by seat.
const PAWNS: [(&str, &str); 2] = [("#ffffff", INK), (INK, "#000000")];

impl Drawing for Breakthrough {
    fn draw(&self, state: &State) -> Picture {
        let (width, height) = (f64::from(self.columns) * CELL, f64::from(self.rows) * CELL);
        let mut picture = Picture::new(NAMES + width + MARGIN, MARGIN + height + NAMES);
        for cell in 0..self.rows * self.columns {
            let (row, column) = (cell / self.columns, cell % self.columns);
            let (x, y) = (NAMES + f64::from(column) * CELL, MARGIN + height - f64::from(row + 1) * CELL);
            picture.rect(x, y, CELL, CELL, if (row + column) % 2 == 0 { DARK } else { LIGHT }, NONE);
            if let Some(player) = state.holder(cell) {
                pawn(&mut picture, x + CELL / 2.0, y + CELL / 2.0, PAWNS[player]);
            }
            picture.area(cell, self.cell_name(cell), x, y, CELL, CELL);
        }
        picture.rect(NAMES, MARGIN, width, height, NONE, GRID);
        for row in 0..self.rows {
            let y = MARGIN + height - (f64::from(row) + 0.5) * CELL;
            picture.text(NAMES / 2.0, y, 13.0, INK, &(row + 1).to_string());
        }
        for column in 0..self.columns {
            let x = NAMES + (f64::from(column) + 0.5) * CELL;
            picture.text(x, MARGIN + height + NAMES / 2.0, 13.0, INK, &column_letter(column as usize).to_string());
        }
        picture
    }

    /// The pawn's cell, then its target.
    fn clicks(&self, _state: &State, _actor: Actor, action: Step) -> Vec<AreaId> {
        vec![AreaId::from(action.from), AreaId::from(action.to)]
    }

    fn phrase(&self, state: &State, _actor: Actor, action: Step) -> Phrase {
        let cell = |cell: u8| self.cell_name(cell.into());
        let key = if state.holder(action.to.into()).is_some() { Phrase::TAKES } else { Phrase::MOVES };
        Phrase::new(key, [("from", cell(action.from)), ("to", cell(action.to))])
    }
}

/// Draws a pawn around a point: a head over a body with a foot.
fn pawn(picture: &mut Picture, x: f64, y: f64, (fill, edge): (&str, &str)) {
    let (head, foot) = (y - 8.0, y + 15.0);
    let style = format_args!(r#"fill="{fill}" stroke="{edge}" stroke-width="1.5" stroke-linejoin="round""#);
    picture.raw(format_args!(
        r#"<path d="M {} {foot} C {} {} {} {} {} {head} L {} {head} C {} {} {} {} {} {foot} Z" {style}/>"#,
        x - 12.0,
        x - 12.0,
        y + 7.0,
        x - 4.0,
        y + 7.0,
        x - 4.0,
        x + 4.0,
        x + 4.0,
        y + 7.0,
        x + 12.0,
        y + 7.0,
        x + 12.0,
    ));
    picture
        .raw(format_args!(r#"<circle cx="{x}" cy="{head}" r="7" fill="{fill}" stroke="{edge}" stroke-width="1.5"/>"#));
}

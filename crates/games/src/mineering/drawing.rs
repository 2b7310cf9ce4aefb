//! The picture: filled cells, free cells, and in each free cell whose bars may still cover it.

use tesuji_core::drawing::{CELL, GRID, INK, LIGHT, NONE, SEATS};
use tesuji_core::{AreaId, Picture};

use super::board::{Board, Cells, column_name};

/// The width of the strip with the coordinates.
const MARGIN: f64 = 26.0;
/// The gap between a bar and the edge of its cells.
const INSET: f64 = 4.0;
/// Filled cells: near ink, a little lighter, so that the grid stays visible.
const FILLED: &str = "#5b564c";

/// A bar that is known to lie on the board: its player, and its top or left cell.
pub(super) type Laid = (usize, u8);

/// Draws the board; bars whose owner is known have the owner's colour. A thin vertical stroke marks the free cells that
/// Vertical can still use, a horizontal stroke those of Horizontal.
pub(super) fn draw(board: &Board, free: Cells, possible: &[Cells; 2], laid: &[Laid]) -> Picture {
    let (width, height) = (f64::from(board.columns) * CELL, f64::from(board.rows) * CELL);
    let mut picture = Picture::new(width + 2.0 * MARGIN, height + 2.0 * MARGIN);
    for column in 0..board.columns {
        let x = MARGIN + (f64::from(column) + 0.5) * CELL;
        picture.text(x, MARGIN / 2.0 + 1.0, 13.0, INK, &column_name(column));
    }
    for row in 0..board.rows {
        let y = MARGIN + (f64::from(row) + 0.5) * CELL;
        picture.text(MARGIN / 2.0, y, 13.0, INK, &(row + 1).to_string());
    }
    let usable = [0, 1].map(|player| board.covered(possible[player], player));
    for cell in 0..board.cells() {
        let x = MARGIN + f64::from(cell % board.columns) * CELL;
        let y = MARGIN + f64::from(cell / board.columns) * CELL;
        let is = |set: Cells| set >> cell & 1 == 1;
        picture.rect(x, y, CELL, CELL, if is(free) { LIGHT } else { FILLED }, GRID);
        let (middle_x, middle_y, reach) = (x + CELL / 2.0, y + CELL / 2.0, CELL * 0.3);
        let mut stroke = |dx: f64, dy: f64, colour: &str| {
            let pen = r#"stroke-width="4" stroke-linecap="round" stroke-opacity="0.55""#;
            picture.raw(format_args!(
                r#"<line x1="{}" y1="{}" x2="{}" y2="{}" stroke="{colour}" {pen}/>"#,
                middle_x - dx,
                middle_y - dy,
                middle_x + dx,
                middle_y + dy
            ));
        };
        if is(usable[0]) {
            stroke(0.0, reach, SEATS[0]);
        }
        if is(usable[1]) {
            stroke(reach, 0.0, SEATS[1]);
        }
        picture.area(AreaId::from(cell), board.cell_name(cell), x, y, CELL, CELL);
    }
    for &(player, cell) in laid {
        let (x, y) = (f64::from(cell % board.columns) * CELL, f64::from(cell / board.columns) * CELL);
        let long = f64::from(board.length) * CELL - 2.0 * INSET;
        let short = CELL - 2.0 * INSET;
        let (width, height) = if player == 0 { (short, long) } else { (long, short) };
        let (x, y, colour) = (MARGIN + x + INSET, MARGIN + y + INSET, SEATS[player]);
        // Bars laid at the same time can cross: the lower one shows through.
        let style = format_args!(r##"rx="8" fill="{colour}" fill-opacity="0.82" stroke="#ffffff" stroke-width="1.5""##);
        picture.raw(format_args!(r#"<rect x="{x}" y="{y}" width="{width}" height="{height}" {style}/>"#));
    }
    picture.rect(MARGIN, MARGIN, width, height, NONE, INK);
    picture
}

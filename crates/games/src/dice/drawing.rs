//! The picture of the dice game: board, walls, pieces, and the chosen move with the faces that lead to each cell.

use tesuji_core::drawing::{CELL, DARK, GRID, INK, LIGHT, NONE, PAPER};
use tesuji_core::{Actor, AreaId, Drawing, Phrase, Picture};

use super::board::{Board, DIRECTIONS};
use super::{Action, Dice, FACES, Phase, State};
use crate::bits;

/// The room for letters and numbers at the edges.
const MARGIN: f64 = 22.0;
/// The room for the line below the board.
const FOOT: f64 = 34.0;
/// The colour of walls.
const STONE: &str = "#8a7f6b";
/// The colour of the chosen piece and of the winning line.
const ACCENT: &str = "#d55e00";
/// Fill, rim and mark of Black's and White's pieces.
const COLOURS: [[&str; 3]; 2] = [["#33312d", "#11100e", "#f7f3e8"], ["#ffffff", INK, INK]];

fn middle(cell: u8) -> (f64, f64) {
    (MARGIN + (f64::from(cell % 8) + 0.5) * CELL, MARGIN + (f64::from(cell / 8) + 0.5) * CELL)
}

/// The eight directions, clockwise from north.
const ARROWS: [&str; 8] = ["↑", "↗", "→", "↘", "↓", "↙", "←", "↖"];

impl Drawing for Dice {
    fn draw(&self, state: &State) -> Picture {
        let side = f64::from(self.board.size) * CELL;
        let mut picture = Picture::new(side + 2.0 * MARGIN, side + MARGIN + FOOT);
        for index in 0..self.board.size {
            let (x, _) = middle(index);
            picture.text(x, MARGIN / 2.0, 11.0, INK, &((b'a' + index) as char).to_string());
            picture.text(MARGIN / 2.0, x, 11.0, INK, &(index + 1).to_string());
        }
        for cell in self.board.rows().flatten() {
            let (x, y) = middle(cell);
            let (left, top) = (x - CELL / 2.0, y - CELL / 2.0);
            let wall = self.board.free >> cell & 1 == 0;
            let shade = if (cell / 8 + cell % 8) % 2 == 0 { LIGHT } else { DARK };
            let (fill, rim) = if wall { (STONE, STONE) } else { (shade, GRID) };
            picture.rect(left, top, CELL, CELL, fill, rim);
            if !wall {
                picture.area(AreaId::from(cell), Board::cell_name(cell), left, top, CELL, CELL);
            }
        }
        for side in 0..2 {
            let won = self.has_line(state, side);
            for cell in bits::ones(state.pieces.all[side]).map(|cell| cell as u8) {
                let is_king = state.pieces.king[side] == cell;
                let lit = won && (is_king || self.is_in_line(state, side, cell));
                piece(&mut picture, cell, side, is_king, lit);
            }
        }
        let mut words = MARGIN + side / 2.0;
        if let Phase::Roll { from, direction, room } = state.phase {
            draw_roll(&mut picture, from, direction, room);
            words += 16.0;
            let (x, y) = (words - 110.0, MARGIN + side + 7.0);
            picture.raw(format_args!(
                r##"<rect x="{x}" y="{y}" width="20" height="20" rx="4" fill="#ffffff" stroke="{INK}"/>"##
            ));
            picture.text(x + 10.0, y + 10.5, 13.0, INK, "?");
        }
        picture.text(words, MARGIN + side + FOOT / 2.0, 13.0, INK, &self.headline(state));
        picture
    }

    /// A piece and the neighbouring cell in the chosen direction; for chance, the cell where the piece stops.
    fn clicks(&self, state: &State, _actor: Actor, action: Action) -> Vec<AreaId> {
        let beside = |from: u8, direction: u8, distance: u8| {
            let step = DIRECTIONS[usize::from(direction)].step();
            (i32::from(from) + step * i32::from(distance)) as AreaId
        };
        match (action, state.phase) {
            (Action::Slide { from, direction }, _) => vec![AreaId::from(from), beside(from, direction, 1)],
            (Action::Advance(distance), Phase::Roll { from, direction, .. }) => vec![beside(from, direction, distance)],
            (Action::Advance(_), _) => Vec::new(),
        }
    }

    fn phrase(&self, _state: &State, _actor: Actor, action: Action) -> Phrase {
        match action {
            Action::Slide { from, direction } => {
                let arrow = ARROWS.get(usize::from(direction)).unwrap_or(&"?");
                Phrase::plain(format!("{} {arrow}", Board::cell_name(from)))
            }
            Action::Advance(distance) => Phrase::plain(distance.to_string()),
        }
    }
}

impl Dice {
    /// Whether the piece on `cell` belongs to a line of the king.
    fn is_in_line(&self, state: &State, side: usize, cell: u8) -> bool {
        let king = state.pieces.king[side];
        bits::ones(state.pieces.men(side)).any(|other| {
            let three = 1u64 << cell | 1u64 << other | 1u64 << king;
            other != u32::from(cell) && self.board.has_line(king, three)
        })
    }
}

fn piece(picture: &mut Picture, cell: u8, side: usize, is_king: bool, lit: bool) {
    let (x, y) = middle(cell);
    let [fill, rim, mark] = COLOURS[side];
    if lit {
        picture.circle(x, y, CELL * 0.43, ACCENT, NONE);
    }
    picture.circle(x, y, CELL * 0.36, fill, rim);
    if is_king {
        let (left, right, top, bottom) = (x - 10.0, x + 10.0, y - 8.0, y + 8.0);
        let (inner_left, inner_right) = (x - 5.0, x + 5.0);
        let points = format_args!("L {left} {top} L {inner_left} {y} L {x} {top} L {inner_right} {y} L {right} {top}");
        let style = format_args!(r#"fill="{mark}" stroke="{mark}" stroke-width="1.5" stroke-linejoin="round""#);
        picture.raw(format_args!(r#"<path d="M {left} {bottom} {points} L {right} {bottom} Z" {style}/>"#));
    } else {
        picture.circle(x, y, CELL * 0.2, NONE, mark);
    }
}

/// Draws the arrow from the chosen piece, and on each cell where it may stop the faces that bring it there.
fn draw_roll(picture: &mut Picture, from: u8, direction: u8, room: u8) {
    let (x, y) = middle(from);
    let Some(way) = DIRECTIONS.get(usize::from(direction)) else { return };
    let (dx, dy) = (f64::from(way.column), f64::from(way.row));
    let length = dx.hypot(dy);
    let (ux, uy) = (dx / length, dy / length);
    picture.raw(format_args!(
        r#"<circle cx="{x}" cy="{y}" r="{}" fill="none" stroke="{ACCENT}" stroke-width="4"/>"#,
        CELL * 0.4
    ));
    let far = f64::from(room) * CELL;
    let (start, tip) = (CELL * 0.4, far * length - CELL * 0.26);
    let at = |along: f64, across: f64| (x + along * ux - across * uy, y + along * uy + across * ux);
    let ((x1, y1), (x2, y2)) = (at(start, 0.0), at(tip - 6.0, 0.0));
    picture.line(x1, y1, x2, y2, ACCENT, 3.0);
    let ((ax, ay), (bx, by), (cx, cy)) = (at(tip, 0.0), at(tip - 11.0, 6.0), at(tip - 11.0, -6.0));
    picture.raw(format_args!(r#"<path d="M {ax:.1} {ay:.1} L {bx:.1} {by:.1} L {cx:.1} {cy:.1} Z" fill="{ACCENT}"/>"#));
    for distance in 1..=room {
        let (cx, cy) = (x + f64::from(distance) * CELL * dx, y + f64::from(distance) * CELL * dy);
        picture.circle(cx, cy, CELL * 0.25, PAPER, ACCENT);
        let face = if distance < room || room == FACES { distance.to_string() } else { format!("{room}–{FACES}") };
        picture.text(cx, cy, if face.len() > 1 { 10.0 } else { 13.0 }, INK, &face);
    }
}

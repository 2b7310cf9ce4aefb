//! The picture of EinStein würfelt nicht!: the board, the die, and the stones that may move.

use tesuji_core::drawing::{CELL, DARK, GRID, INK, LIGHT, NONE};
use tesuji_core::{Actor, AreaId, Drawing, Notation, Phrase, Picture};

use super::notation::headline;
use super::{Action, CORNERS, Einstein, GOALS, PERMUTATIONS, Phase, SIDE, STEPS, State};

/// The room around the board.
const MARGIN: f64 = 22.0;
/// The room below it for the die, or for the outcomes of chance.
const FOOT: f64 = 64.0;
/// The colour of stones that may move, and of the winner's.
const ACCENT: &str = "#d55e00";
/// Fill and text of black's and white's stones.
const COLOURS: [[&str; 2]; 2] = [["#33312d", "#f7f3e8"], ["#ffffff", INK]];
/// Areas below the board: die faces and stones to place, 1 to 6. Cells have their own number.
const FACE_AREA: AreaId = 100;
const STONE_AREA: AreaId = 200;
/// The side length of a button below the board.
const BUTTON: f64 = 30.0;

fn corner(cell: u8) -> (f64, f64) {
    (MARGIN + f64::from(cell % SIDE) * CELL, MARGIN + f64::from(cell / SIDE) * CELL)
}

fn cell_name(cell: u8) -> String {
    format!("{}{}", (b'a' + cell % SIDE) as char, cell / SIDE + 1)
}

/// The three ways of each side.
const ARROWS: [[&str; 3]; 2] = [["→", "↓", "↘"], ["←", "↑", "↖"]];

impl Drawing for Einstein {
    fn draw(&self, state: &State) -> Picture {
        let board = f64::from(SIDE) * CELL;
        let mut picture = Picture::new(board + 2.0 * MARGIN, board + MARGIN + FOOT);
        for index in 0..SIDE {
            let middle = MARGIN + (f64::from(index) + 0.5) * CELL;
            picture.text(middle, MARGIN / 2.0, 11.0, INK, &((b'a' + index) as char).to_string());
            picture.text(MARGIN / 2.0, middle, 11.0, INK, &(index + 1).to_string());
        }
        for cell in 0..SIDE * SIDE {
            let (x, y) = corner(cell);
            let home = CORNERS.iter().any(|corner| corner.contains(&cell));
            picture.rect(x, y, CELL, CELL, if home { DARK } else { LIGHT }, GRID);
            if GOALS.contains(&cell) {
                picture.circle(x + CELL / 2.0, y + CELL / 2.0, CELL * 0.42, NONE, GRID);
            }
            picture.area(AreaId::from(cell), cell_name(cell), x, y, CELL, CELL);
        }
        let movable = match state.phase {
            Phase::Move(face) => state.ways(face).0.to_vec(),
            _ => Vec::new(),
        };
        for (side, stone) in (0..2).flat_map(|side| (0..6).map(move |stone| (side, stone))) {
            let cell = state.cell(side, stone);
            if cell < SIDE * SIDE {
                let mover = side == usize::from(state.mover);
                let won = state.phase == Phase::Over && mover && cell == GOALS[side];
                let (x, y) = corner(cell);
                let inset = CELL * 0.14;
                draw_stone(
                    &mut picture,
                    x + inset,
                    y + inset,
                    CELL - 2.0 * inset,
                    side,
                    stone,
                    won || mover && movable.contains(&stone),
                );
            }
        }
        self.draw_foot(&mut picture, state, MARGIN + board / 2.0, MARGIN + board);
        picture
    }

    /// A stone's cell and its target; a face of the die; or the six stones in the order of placement.
    fn clicks(&self, state: &State, _actor: Actor, action: Action) -> Vec<AreaId> {
        match action {
            Action::Place(permutation) => PERMUTATIONS[usize::from(permutation)]
                .iter()
                .map(|&stone| STONE_AREA + AreaId::from(stone) + 1)
                .collect(),
            Action::Roll(face) => vec![FACE_AREA + AreaId::from(face)],
            Action::Move { stone, way } => {
                let side = usize::from(state.mover);
                let from = state.cell(side, stone);
                let to = from.wrapping_add_signed(STEPS[side][usize::from(way) % 3]);
                vec![AreaId::from(from), AreaId::from(to)]
            }
        }
    }

    fn phrase(&self, state: &State, actor: Actor, action: Action) -> Phrase {
        match action {
            Action::Move { stone, way } => {
                let arrow = ARROWS[usize::from(state.mover)][usize::from(way) % 3];
                Phrase::plain(format!("{} {arrow}", stone + 1))
            }
            Action::Place(_) | Action::Roll(_) => Phrase::plain(self.action_text(state, actor, action)),
        }
    }
}

impl Einstein {
    fn draw_foot(&self, picture: &mut Picture, state: &State, middle: f64, top: f64) {
        picture.text(middle, top + 14.0, 13.0, INK, &headline(state));
        let y = top + 27.0;
        let pitch = BUTTON + 6.0;
        for number in 1..=6u8 {
            let x = middle + pitch * (f64::from(number) - 3.5) - BUTTON / 2.0;
            match state.phase {
                Phase::Roll => {
                    picture.die(x, y, BUTTON, number);
                    picture.area(FACE_AREA + AreaId::from(number), format!("roll {number}"), x, y, BUTTON, BUTTON);
                }
                Phase::Place(colour) => {
                    draw_stone(picture, x, y, BUTTON, colour as usize, number - 1, false);
                    picture.area(STONE_AREA + AreaId::from(number), format!("stone {number}"), x, y, BUTTON, BUTTON);
                }
                Phase::Move(face) if number == 1 => picture.die(middle - BUTTON / 2.0, y, BUTTON, face),
                Phase::Move(_) | Phase::Over => {}
            }
        }
    }
}

fn draw_stone(picture: &mut Picture, x: f64, y: f64, size: f64, side: usize, stone: u8, lit: bool) {
    let [fill, ink] = COLOURS[side];
    let (rim, width) = if lit { (ACCENT, 4.0) } else { (INK, 1.5) };
    let style = format_args!(r#"rx="7" fill="{fill}" stroke="{rim}" stroke-width="{width}""#);
    picture.raw(format_args!(r#"<rect x="{x:.2}" y="{y:.2}" width="{size:.2}" height="{size:.2}" {style}/>"#));
    picture.text(x + size / 2.0, y + size / 2.0, size * 0.58, ink, &(stone + 1).to_string());
}

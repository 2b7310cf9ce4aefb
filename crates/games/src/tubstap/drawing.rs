//! The picture of TUBSTAP: terrain as on a map, units as tokens with a sign and HP.

use tesuji_core::drawing::{CELL, FONT, INK, NONE, PAPER, SEATS};
use tesuji_core::{Actor, AreaId, Drawing, Note, Phrase, Picture, Player, Turn};

use super::map::{Cell, TEAMS, Terrain, column_name};
use super::state::{Action, State, Tubstap};
use super::units::{Class, Kind, MAX_HP};
use crate::bits;

/// The height of the strip above the board.
const STRIP: f64 = 44.0;
/// The margin that holds the names of columns and rows.
const MARGIN: f64 = 20.0;
/// The minimum width of a picture in columns, so that the text of the strip fits.
const LEAST_COLUMNS: usize = 6;

impl Drawing for Tubstap {
    fn draw(&self, state: &State) -> Picture {
        let (width, height) = (self.map.width() as f64 * CELL, self.map.height() as f64 * CELL);
        let full = width.max(LEAST_COLUMNS as f64 * CELL) + 2.0 * MARGIN;
        let left = (full - width) / 2.0;
        let mut picture = Picture::new(full, STRIP + height + 2.0 * MARGIN);
        self.draw_strip(&mut picture, state, full);
        let top = STRIP + MARGIN;
        for column in 0..self.map.width() {
            let x = left + (column as f64 + 0.5) * CELL;
            for y in [top - MARGIN / 2.0, top + height + MARGIN / 2.0] {
                picture.text(x, y, 11.0, INK, &column_name(column));
            }
        }
        for row in 0..self.map.height() {
            let y = top + (row as f64 + 0.5) * CELL;
            for x in [left - MARGIN / 2.0, left + width + MARGIN / 2.0] {
                picture.text(x, y, 11.0, INK, &(row + 1).to_string());
            }
        }
        for (index, &terrain) in self.map.terrain().iter().enumerate() {
            let (column, row) = self.map.place(index as Cell);
            let (x, y) = (left + column as f64 * CELL, top + row as f64 * CELL);
            draw_terrain(&mut picture, terrain, x, y);
            if terrain == Terrain::Road {
                self.draw_road(&mut picture, index as Cell, x, y);
            }
            picture.area(index as AreaId, self.map.cell_name(index as Cell), x, y, CELL, CELL);
        }
        let style = format_args!(r#"fill="none" stroke="{INK}" stroke-width="1.5""#);
        picture.raw(format_args!(r#"<rect x="{left}" y="{top}" width="{width}" height="{height}" {style}/>"#));
        for unit in bits::ones(state.alive) {
            let (column, row) = self.map.place(state.cells[unit as usize]);
            self.draw_unit(&mut picture, state, unit as u8, left + column as f64 * CELL, top + row as f64 * CELL);
        }
        picture
    }

    /// The unit, its target cell (its own cell if it stays), then the enemy it attacks, or the target cell again.
    fn clicks(&self, state: &State, _actor: Actor, action: Action) -> Vec<AreaId> {
        let last = action.target.map_or(action.to, |target| state.cells[usize::from(target)]);
        [state.cells[usize::from(action.unit)], action.to, last].map(AreaId::from).to_vec()
    }

    /// The kinds of units on this map, then its terrains.
    fn legend(&self) -> Vec<(String, Picture)> {
        let mut legend = Vec::new();
        for kind in Kind::ALL.into_iter().filter(|kind| self.kinds.contains(kind)) {
            let mut picture = Picture::new(CELL, CELL);
            draw_token(&mut picture, kind, 0, MAX_HP, "1", (0.0, 0.0));
            legend.push((kind.name().to_owned(), picture));
        }
        for terrain in Terrain::ALL.into_iter().filter(|terrain| self.map.terrain().contains(terrain)) {
            let mut picture = Picture::new(CELL, CELL);
            draw_terrain(&mut picture, terrain, 0.0, 0.0);
            if terrain == Terrain::Road {
                picture.rect(0.0, CELL / 3.0, CELL, CELL / 3.0, "#e9dfc8", "#b5a88c");
            }
            legend.push((terrain.name().to_owned(), picture));
        }
        legend
    }

    /// The unit by its kind and cell, where it goes, and what it attacks.
    fn phrase(&self, state: &State, _actor: Actor, action: Action) -> Phrase {
        let kind = |unit: u8| self.kinds[usize::from(unit)].name().to_owned();
        let place = |cell: Cell| self.map.cell_name(cell);
        let from = state.cells[usize::from(action.unit)];
        let (unit, stays) = (("unit", kind(action.unit)), action.to == from);
        let target = action.target.map(|target| (kind(target), place(state.cells[usize::from(target)])));
        match (stays, target) {
            (true, None) => Phrase::new("unit-stays", [unit, ("at", place(from))]),
            (false, None) => Phrase::new("unit-moves", [unit, ("from", place(from)), ("to", place(action.to))]),
            (true, Some((target, at))) => {
                Phrase::new("unit-attacks", [unit, ("from", place(from)), ("target", target), ("at", at)])
            }
            (false, Some((target, at))) => {
                let way = [("from", place(from)), ("to", place(action.to)), ("target", target), ("at", at)];
                Phrase::new("unit-moves-attacks", std::iter::once(unit).chain(way))
            }
        }
    }

    /// The HP that an attack deals and takes.
    fn note(&self, state: &State, _actor: Actor, action: Action) -> Option<Note> {
        action.target?;
        let (damage, counter) = self.battle(state, action);
        Some(Note::new("damage", [("dealt", i64::from(damage)), ("taken", i64::from(counter))]))
    }
}

impl Tubstap {
    /// Draws whose turn it is and how the armies compare.
    fn draw_strip(&self, picture: &mut Picture, state: &State, width: f64) {
        let hp = [0, 1].map(|team| self.total_hp(state, Player(team)));
        let (limit, turns) = (self.map.turn_limit(), state.turns);
        let (headline, colour) = match state.turn {
            Turn::Player(player) => {
                (format!("turn {} of {limit}: {}", turns + 1, TEAMS[player.index()]), SEATS[player.index()])
            }
            _ => (format!("turn {turns} of {limit}: {}", self.result(state)), INK),
        };
        picture.text(width / 2.0, 14.0, 14.0, colour, &headline);
        let (bar, y) = (width - 2.0 * MARGIN, 26.0);
        let share = f64::from(hp[0]) / f64::from((hp[0] + hp[1]).max(1));
        picture.rect(MARGIN, y, bar * share, 14.0, SEATS[0], NONE);
        picture.rect(MARGIN + bar * share, y, bar * (1.0 - share), 14.0, SEATS[1], NONE);
        for (anchor, x, team) in [("start", MARGIN + 6.0, 0), ("end", width - MARGIN - 6.0, 1)] {
            let y = y + 11.0;
            let font = format_args!(r##"font-size="11" fill="#ffffff" text-anchor="{anchor}" font-family="{FONT}""##);
            picture.raw(format_args!(r#"<text x="{x}" y="{y}" {font}>{} {}</text>"#, TEAMS[team], hp[team]));
        }
    }

    /// Draws a road, connected to roads and fortresses beside it.
    fn draw_road(&self, picture: &mut Picture, cell: Cell, x: f64, y: f64) {
        let (middle_x, middle_y) = (x + CELL / 2.0, y + CELL / 2.0);
        let joined = |&beside: &Cell| {
            matches!(self.map.terrain()[usize::from(beside)], Terrain::Road | Terrain::Fortress) && beside != cell
        };
        let arms: Vec<(f64, f64)> = self.neighbours[usize::from(cell)]
            .iter()
            .filter(|beside| joined(beside))
            .map(|&beside| {
                let ((column, row), (here_column, here_row)) = (self.map.place(beside), self.map.place(cell));
                let half = |there: usize, here: usize| (there as f64 - here as f64) * CELL / 2.0;
                (middle_x + half(column, here_column), middle_y + half(row, here_row))
            })
            .collect();
        for (width, colour) in [(20.0, "#b5a88c"), (16.0, "#e9dfc8")] {
            picture.circle(middle_x, middle_y, width / 2.0, colour, NONE);
            for &(end_x, end_y) in &arms {
                let pen = format_args!(r#"stroke="{colour}" stroke-width="{width}""#);
                picture.raw(format_args!(r#"<line x1="{middle_x}" y1="{middle_y}" x2="{end_x}" y2="{end_y}" {pen}/>"#));
            }
        }
    }

    fn draw_unit(&self, picture: &mut Picture, state: &State, unit: u8, x: f64, y: f64) {
        let team = usize::from(self.teams[1] >> unit & 1 == 1);
        let opacity = if state.is_finished(unit) { "0.55" } else { "1" };
        draw_token(picture, self.kinds[usize::from(unit)], team, state.hp(unit), opacity, (x, y));
    }
}

/// Draws a token into the cell at a point: round for aircraft, square for ground units; with the unit's sign, its HP
/// and a bar of them. The letter of the papers is there too, hidden: pages can show it instead of the sign.
fn draw_token(picture: &mut Picture, kind: Kind, team: usize, hp: u8, opacity: &str, (x, y): (f64, f64)) {
    let (side, corner) = (CELL - 10.0, if kind.class() == Class::Air { CELL / 2.0 - 5.0 } else { 6.0 });
    let colour = SEATS[team];
    let (letter, sign) = (kind.letter(), kind.sign());
    let (x, y) = (x + 5.0, y + 5.0);
    let bar = (side - 18.0) * f64::from(hp) / 10.0;
    // Terrain must not show through a dimmed token.
    picture.raw(format_args!(r#"<rect x="{x}" y="{y}" width="{side}" height="{side}" rx="{corner}" fill="{PAPER}"/>"#));
    let (left, below, width) = (x + 9.0, y + side - 8.0, side - 18.0);
    let edge = r##"stroke="#ffffff" stroke-width="2""##;
    let frame = format_args!(r#"x="{x}" y="{y}" width="{side}" height="{side}" rx="{corner}" fill="{colour}""#);
    let font = format_args!(r##"font-weight="bold" fill="#ffffff" text-anchor="middle" font-family="{FONT}""##);
    let (sign_x, sign_y, text_y, letter_x) = (x + 3.0, y + 6.0, y + 20.0, x + 13.0);
    let sign = format_args!(
        r##"<g class="sign" transform="translate({sign_x} {sign_y}) scale(0.82)" fill="#ffffff">{sign}</g>"##
    );
    let letter = format_args!(
        r#"<text class="letter" display="none" x="{letter_x}" y="{text_y}" font-size="18" {font}>{letter}</text>"#
    );
    let points_x = x + side - 8.0;
    let points = format_args!(r#"<text x="{points_x}" y="{text_y}" font-size="11" {font}>{hp}</text>"#);
    let place = format_args!(r#"x="{left}" y="{below}""#);
    let full =
        format_args!(r##"<rect {place} width="{width}" height="4" rx="2" fill="#000000" fill-opacity="0.35"/>"##);
    let rest = format_args!(r##"<rect {place} width="{bar}" height="4" rx="2" fill="#ffffff"/>"##);
    picture.raw(format_args!(r#"<g opacity="{opacity}"><rect {frame} {edge}/>{sign}{letter}{points}{full}{rest}</g>"#));
}

/// Draws the ground of a cell and a small sign of its terrain.
fn draw_terrain(picture: &mut Picture, terrain: Terrain, x: f64, y: f64) {
    let ground = match terrain {
        Terrain::NoEntry => "#4a4742",
        Terrain::Plain => "#d7e2b0",
        Terrain::Sea => "#a9cfe6",
        Terrain::Wood => "#bcd19a",
        Terrain::Mountain => "#d8cbb0",
        Terrain::Road => "#d7e2b0",
        Terrain::Fortress => "#cfd0cc",
    };
    picture.rect(x, y, CELL, CELL, ground, "#b9bd98");
    let at = |dx: f64, dy: f64| (x + dx * CELL, y + dy * CELL);
    match terrain {
        Terrain::Road => {}
        Terrain::NoEntry => {
            for (from, to) in [((0.2, 0.2), (0.8, 0.8)), ((0.8, 0.2), (0.2, 0.8))] {
                let ((x1, y1), (x2, y2)) = (at(from.0, from.1), at(to.0, to.1));
                picture.line(x1, y1, x2, y2, "#5d5953", 3.0);
            }
        }
        Terrain::Plain => {
            for (dx, dy) in [(0.22, 0.3), (0.7, 0.2), (0.45, 0.62), (0.8, 0.78), (0.15, 0.82)] {
                let (x, y) = at(dx, dy);
                picture.line(x, y, x + 1.5, y - 4.0, "#b3c27f", 1.5);
            }
        }
        Terrain::Sea => {
            for dy in [0.25, 0.5, 0.75] {
                let (x, y) = at(0.12, dy);
                picture.raw(format_args!(
                    r##"<path d="M{x} {y} q4.5 -5 9 0 t9 0 t9 0 t9 0" fill="none" stroke="#7fb3d3" stroke-width="2"/>"##
                ));
            }
        }
        Terrain::Wood => {
            for (dx, dy) in [(0.2, 0.32), (0.52, 0.24), (0.82, 0.36), (0.14, 0.8), (0.5, 0.74), (0.84, 0.84)] {
                let (x, y) = at(dx, dy);
                picture.raw(format_args!(
                    r##"<path d="M{x} {} l6.5 13 h-13 z" fill="#5f8f4e" stroke="#4c763d"/>"##,
                    y - 8.0
                ));
            }
        }
        Terrain::Mountain => {
            for (dx, dy, size) in [(0.34, 0.86, 26.0), (0.66, 0.9, 19.0)] {
                let (x, y) = at(dx, dy);
                let (left, right, top) = (x - size * 0.6, x + size * 0.6, y - size * 1.25);
                let (snow_left, snow_right, snow) = (x - size * 0.18, x + size * 0.18, y - size * 0.88);
                let rock = format_args!(r#"d="M{left} {y} L{x} {top} L{right} {y} z""#);
                let white = format_args!(r#"d="M{snow_left} {snow} L{x} {top} L{snow_right} {snow} z""#);
                picture.raw(format_args!(
                    r##"<path {rock} fill="#a58d6f" stroke="#836d52"/><path {white} fill="#f6f3ee"/>"##
                ));
            }
        }
        Terrain::Fortress => {
            let (left, top, side) = (x + 4.0, y + 9.0, CELL - 8.0);
            let (foot, wall, gate) = (top + side - 3.0, side - 3.0, x + CELL / 2.0 - 6.0);
            let walls = format_args!(r#"d="M{left} {foot} v-{wall} h8 v6 h8 v-6 h8 v6 h8 v-6 h8 v{wall} z""#);
            let door = format_args!(r#"d="M{gate} {foot} v-9 a6 6 0 0 1 12 0 v9 z""#);
            picture
                .raw(format_args!(r##"<path {walls} fill="#a3a5a0" stroke="#7d7f7a"/><path {door} fill="#6d6f6a"/>"##));
        }
    }
}

//! The picture of a state of any sheet: a board if the facts look like one, the other facts as chips, and a button for
//! each move that no click on the board names.

use tesuji_core::drawing::{CELL, DARK, FONT, GRID, INK, LIGHT, NONE, SEATS, escape};
use tesuji_core::{Actor, AreaId, Drawing, Phrase, Picture, legal_actions};

use super::grid::{EMPTY, Grid, is_wall};
use super::{Gdl, Move, State};

/// The ids of buttons start here; lower ids are cells.
const FIRST_BUTTON: AreaId = 1 << 12;
/// The number of button ids for each role.
const BUTTONS_A_ROLE: AreaId = 1 << 25;
/// The most facts listed beside the board.
const MOST_LINES_OF_FACTS: usize = 16;
/// The width of a chip at most.
const CHIP: f64 = 180.0;
/// The height of a chip, with the gap to the next one.
const LINE: f64 = 26.0;
const BUTTON: (f64, f64) = (168.0, 26.0);
const MARGIN: f64 = 26.0;

impl Gdl {
    /// The cells to click for each legal action of an actor; empty if the action needs a button.
    fn cell_paths(&self, state: &State, actor: Actor) -> Vec<(Move, Vec<AreaId>)> {
        let role = self.role_of(actor);
        let actions = legal_actions(self, state, actor).into_iter();
        let Some(grid) = &self.grid else { return actions.map(|action| (action, Vec::new())).collect() };
        let mut paths: Vec<(Move, Vec<AreaId>)> =
            actions.map(|action| (action, grid.cells_of(&self.engine.move_text(role, action)))).collect();
        // If a path equals or continues another one, a user interface cannot tell whether the choice is complete.
        let mut sorted: Vec<Vec<AreaId>> = paths.iter().map(|(_, path)| path.clone()).collect();
        sorted.sort_unstable();
        for (_, path) in &mut paths {
            let after = sorted.partition_point(|other| other <= path);
            let equal = after - sorted.partition_point(|other| other < path);
            if equal > 1 || sorted.get(after).is_some_and(|next| next.starts_with(path)) {
                path.clear();
            }
        }
        paths
    }

    /// The names of the players, without chance.
    fn role_names_of_players(&self) -> Vec<&str> {
        self.roles.iter().map(|&role| self.role_names[role].as_str()).collect()
    }

    fn button(&self, actor: Actor, action: Move) -> AreaId {
        FIRST_BUTTON + self.role_of(actor) as AreaId * BUTTONS_A_ROLE + action.0
    }
}

impl Drawing for Gdl {
    fn draw(&self, state: &State) -> Picture {
        let facts = self.engine.fact_texts(&state.facts);
        let (board_width, board_height) = self.grid.as_ref().map_or((0.0, 0.0), |grid| {
            (grid.columns.len() as f64 * CELL + MARGIN, grid.rows.len() as f64 * CELL + MARGIN)
        });
        let others: Vec<&String> =
            facts.iter().filter(|fact| self.grid.as_ref().is_none_or(|grid| grid.cell_of(fact).is_none())).collect();
        let mut buttons = Vec::new();
        for actor in state.turn.actors() {
            for (action, path) in self.cell_paths(state, actor) {
                if path.is_empty() {
                    let text = self.engine.move_text(self.role_of(actor), action);
                    buttons.push((self.button(actor, action), self.role_of(actor), text));
                }
            }
        }
        let listed = others.len().min(MOST_LINES_OF_FACTS) + usize::from(others.len() > MOST_LINES_OF_FACTS);
        let top = board_height.max(listed as f64 * LINE) + 2.0 * MARGIN;
        let least = if buttons.is_empty() { 0.0 } else { 3.0 * (BUTTON.0 + 8.0) + MARGIN };
        let width = (board_width + CHIP + 2.0 * MARGIN).max(least);
        let a_row = (((width - MARGIN) / (BUTTON.0 + 8.0)) as usize).max(1);
        let height = top + buttons.len().div_ceil(a_row) as f64 * (BUTTON.1 + 8.0);
        let mut picture = Picture::new(width, height);
        if let Some(grid) = &self.grid {
            draw_grid(grid, &self.role_names_of_players(), &facts, &mut picture);
        }
        let left = board_width + MARGIN;
        let mut y = MARGIN;
        for fact in others.iter().take(MOST_LINES_OF_FACTS) {
            chip(&mut picture, left, y, &readable(fact));
            y += LINE;
        }
        if others.len() > MOST_LINES_OF_FACTS {
            chip(&mut picture, left, y, &format!("… and {} more", others.len() - MOST_LINES_OF_FACTS));
        }
        for (index, (id, role, text)) in buttons.iter().enumerate() {
            let (x, y) = (
                MARGIN / 2.0 + (index % a_row) as f64 * (BUTTON.0 + 8.0),
                top + (index / a_row) as f64 * (BUTTON.1 + 8.0) - MARGIN / 2.0,
            );
            let colour = self.players[*role].map_or(INK, |player| SEATS[player.index() % SEATS.len()]);
            picture.rect(x, y, BUTTON.0, BUTTON.1, LIGHT, colour);
            let size = (BUTTON.0 / (text.chars().count().max(1) as f64 * 0.62)).min(13.0);
            picture.text(x + BUTTON.0 / 2.0, y + BUTTON.1 / 2.0, size, INK, &readable(text));
            let label = format!("{}: {}", self.role_names[*role], readable(text));
            picture.area(*id, label, x, y, BUTTON.0, BUTTON.1);
        }
        picture
    }

    fn clicks(&self, state: &State, actor: Actor, action: Move) -> Vec<AreaId> {
        let paths = self.cell_paths(state, actor);
        match paths.into_iter().find(|(candidate, path)| *candidate == action && !path.is_empty()) {
            Some((_, path)) => path,
            None => vec![self.button(actor, action)],
        }
    }

    /// A move between two cells by its cells, any other one by its words.
    fn phrase(&self, _state: &State, actor: Actor, action: Move) -> Phrase {
        let text = self.engine.move_text(self.role_of(actor), action);
        let cells = self.grid.as_ref().map(|grid| (grid, grid.cells_of(&text)));
        match cells {
            Some((grid, cells)) if cells.len() == 2 => {
                Phrase::new(Phrase::MOVES, [("from", grid.cell_name(cells[0])), ("to", grid.cell_name(cells[1]))])
            }
            _ => Phrase::plain(readable(&text)),
        }
    }
}

/// A term without its parentheses: `(mark 2 (f x))` is read as `mark 2 f x`.
fn readable(text: &str) -> String {
    text.replace(['(', ')'], " ").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The colours of pieces whose owner is called after a colour: fill, and what is written on it.
const NAMED: [(&str, &str, &str); 8] = [
    ("white", "#ffffff", INK),
    ("black", "#33312d", "#f7f3e8"),
    ("red", "#c62f2f", "#ffffff"),
    ("blue", "#0072b2", "#ffffff"),
    ("green", "#1d8a5b", "#ffffff"),
    ("yellow", "#e6b800", INK),
    ("orange", "#d55e00", "#ffffff"),
    ("gray", "#8a867c", "#ffffff"),
];

/// The fill of a piece and the colour of what is written on it: by the name of its owner, or by the owner's seat.
fn colours(seat: Option<usize>, content: &str, names: &[&str]) -> (&'static str, &'static str) {
    let called = |name: &str| NAMED.iter().find(|(colour, ..)| name.eq_ignore_ascii_case(colour));
    let owner = seat.and_then(|seat| names.get(seat)).and_then(|name| called(name));
    match (owner.or_else(|| called(content)), seat) {
        (Some((_, fill, ink)), _) => (fill, ink),
        (None, Some(seat)) => (SEATS[seat % SEATS.len()], "#ffffff"),
        (None, None) => (GRID, INK),
    }
}

/// The signs of pieces that are called after those of chess.
const CHESSMEN: [(&str, &str); 6] =
    [("pawn", "♟"), ("knight", "♞"), ("bishop", "♝"), ("rook", "♜"), ("queen", "♛"), ("king", "♚")];

fn draw_grid(grid: &Grid, names: &[&str], facts: &[String], picture: &mut Picture) {
    let (columns, height) = (grid.columns.len(), grid.rows.len() as f64 * CELL);
    let place = |cell: usize| {
        let (row, column) = (cell / columns, cell % columns);
        (MARGIN + column as f64 * CELL, MARGIN / 2.0 + height - (row + 1) as f64 * CELL)
    };
    for cell in 0..columns * grid.rows.len() {
        let (x, y) = place(cell);
        picture.rect(x, y, CELL, CELL, if (cell / columns + cell % columns) % 2 == 0 { DARK } else { LIGHT }, GRID);
        let fixed = grid.fixed.iter().find(|(fixed, _)| *fixed == cell).map(|(_, name)| name.as_str());
        match fixed {
            Some(name) if is_wall(name) => picture.rect(x, y, CELL, CELL, WALL, WALL),
            Some(_) => {
                let (x, y) = (x + CELL / 2.0, y + CELL / 2.0);
                picture.circle(x, y, CELL * 0.44, NONE, TARGET);
                picture.circle(x, y, CELL * 0.12, TARGET, NONE);
            }
            None => {}
        }
        let label = grid.cell_name(cell as AreaId);
        picture.area(cell as AreaId, fixed.map_or(label.clone(), |name| format!("{label} {name}")), x, y, CELL, CELL);
    }
    for (row, name) in grid.rows.iter().enumerate() {
        let (_, y) = place(row * columns);
        picture.text(MARGIN / 2.0, y + CELL / 2.0, 12.0, INK, name);
    }
    for (column, name) in grid.columns.iter().enumerate() {
        let (x, _) = place(column);
        picture.text(x + CELL / 2.0, MARGIN / 2.0 + height + 12.0, 12.0, INK, name);
    }
    for (cell, content) in facts.iter().filter_map(|fact| grid.cell_of(fact)) {
        if !EMPTY.contains(&content.to_lowercase().as_str()) {
            let (x, y) = place(cell);
            let seat = grid.contents.get(&content).copied().flatten();
            draw_piece(picture, x + CELL / 2.0, y + CELL / 2.0, &content, colours(seat, &content, names), names);
        }
    }
}

/// Draws what a cell contains: crosses and rings, chessmen, plain stones of a player, boxes, or a disc with its name.
fn draw_piece(picture: &mut Picture, x: f64, y: f64, content: &str, (fill, ink): (&str, &str), names: &[&str]) {
    let word = content.to_lowercase();
    let reach = CELL * 0.26;
    if word == "x" {
        for side in [-reach, reach] {
            picture.line(x - reach, y - side, x + reach, y + side, fill, 6.0);
        }
        return;
    }
    if word == "o" {
        let style = format_args!(r#"fill="none" stroke="{fill}" stroke-width="6""#);
        picture.raw(format_args!(r#"<circle cx="{x}" cy="{y}" r="{reach}" {style}/>"#));
        return;
    }
    if word == "box" || word == "crate" {
        let (left, top, side) = (x - CELL * 0.34, y - CELL * 0.34, CELL * 0.68);
        let style = r##"rx="3" fill="#b9854a" stroke="#6f4a1f" stroke-width="2""##;
        picture.raw(format_args!(r#"<rect x="{left}" y="{top}" width="{side}" height="{side}" {style}/>"#));
        picture.line(left + 4.0, top + 4.0, left + side - 4.0, top + side - 4.0, "#6f4a1f", 2.0);
        picture.line(left + side - 4.0, top + 4.0, left + 4.0, top + side - 4.0, "#6f4a1f", 2.0);
        return;
    }
    picture.circle(x, y, CELL * 0.4, fill, if fill == "#ffffff" { INK } else { "#00000033" });
    if let Some((_, sign)) = CHESSMEN.iter().find(|(name, _)| word.contains(name)) {
        picture.text(x, y, CELL * 0.58, ink, sign);
        return;
    }
    // A stone that is called like its owner needs no name on it.
    let plain = names.iter().any(|name| name.to_lowercase().starts_with(&word)) && word.len() > 1
        || NAMED.iter().any(|(name, ..)| *name == word)
        || word.len() == 1 && names.iter().filter(|name| name.to_lowercase().starts_with(&word)).count() == 1;
    let size = (CELL * 0.75 / (content.chars().count().max(1) as f64 * 0.62)).min(17.0);
    let hidden = if plain { r#"class="letter" display="none""# } else { "" };
    let font = format_args!(r#"text-anchor="middle" dominant-baseline="central" font-family="{FONT}""#);
    let text = escape(content);
    picture.raw(format_args!(r#"<text {hidden} x="{x}" y="{y}" font-size="{size}" fill="{ink}" {font}>{text}</text>"#));
}

/// Walls, and the rings of other facts about a cell that never change.
const WALL: &str = "#6b6459";
const TARGET: &str = "#b5179e";

/// Draws a fact that is no part of the board, as a chip whose middle is at a height.
fn chip(picture: &mut Picture, x: f64, y: f64, text: &str) {
    let letters = text.chars().count().max(1) as f64;
    let width = (16.0 + 7.4 * letters).min(CHIP);
    let size = ((width - 14.0) / (0.6 * letters)).min(12.0);
    let top = y - 10.0;
    picture.raw(format_args!(
        r#"<rect x="{x}" y="{top}" width="{width}" height="20" rx="10" fill="{DARK}" stroke="{GRID}"/>"#
    ));
    picture.text(x + width / 2.0, y, size, INK, text);
}

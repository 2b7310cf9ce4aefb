//! The picture of a state of any sheet: a board if the facts look like one, the other facts as lines, and a button for
//! each move that no click on the board names.

use std::collections::{BTreeMap, BTreeSet};

use tesuji_core::drawing::{CELL, DARK, GRID, INK, LIGHT, NONE, SEATS};
use tesuji_core::{Actor, AreaId, Drawing, Picture, Source, legal_actions};

use super::{Gdl, Move, State};
use crate::kif::{self, Expression};

/// A relation whose facts make up a board: `(cell x y content)`, one content per cell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Grid {
    /// The name of the relation, in lower case.
    relation: String,
    /// The number of arguments: two coordinates and the content.
    arguments: usize,
    /// The columns from left to right.
    columns: Vec<String>,
    /// The rows from bottom to top.
    rows: Vec<String>,
    /// The possible contents of a cell, with the seat that each seems to belong to.
    contents: BTreeMap<String, Option<usize>>,
}

/// The most columns or rows of a board.
const MOST_LINES: usize = 30;

/// Words for an empty cell.
const EMPTY: [&str; 7] = ["b", "blank", "empty", "e", "dirt", "none", "free"];

/// The name and the arguments of a term, in normalised spelling. A location written as a term, `(cell 1 2)`, counts as
/// its coordinates.
fn parts(text: &str) -> Option<(String, Vec<String>)> {
    let expressions = kif::read(&Source::new("term", text)).ok()?;
    let [Expression::List(items, _)] = expressions.as_slice() else { return None };
    let spelled = |item: &Expression| match item {
        Expression::Word(text, _) => text.clone(),
        Expression::List(_, place) => text[place.start as usize..place.end as usize].to_owned(),
    };
    let (name, items) = items.split_first()?;
    let mut words = Vec::new();
    for item in items {
        match item {
            Expression::List(inner, _)
                if inner.len() > 2 && inner.iter().all(|part| matches!(part, Expression::Word(..))) =>
            {
                words.extend(inner[1..].iter().map(spelled));
            }
            _ => words.push(spelled(item)),
        }
    }
    Some((spelled(name).to_lowercase(), words))
}

/// Sorts numbers by value and words by their text.
fn sort_key(text: &str) -> (bool, i64, String) {
    match text.parse::<i64>() {
        Ok(number) => (false, number, String::new()),
        Err(_) => (true, 0, text.to_lowercase()),
    }
}

impl Grid {
    /// Looks for a board in sample states, each given as the texts of its facts.
    pub(super) fn find(states: &[Vec<String>], role_names: &[String]) -> Option<Grid> {
        #[derive(Default)]
        struct Candidate {
            columns: BTreeSet<String>,
            rows: BTreeSet<String>,
            contents: BTreeSet<String>,
            cells: BTreeSet<(String, String)>,
            twice: bool,
        }
        let mut candidates: BTreeMap<(String, usize), Candidate> = BTreeMap::new();
        for state in states {
            let mut seen: BTreeSet<(String, String, String)> = BTreeSet::new();
            for (name, arguments) in state.iter().filter_map(|fact| parts(fact)) {
                let [column, row, content @ ..] = arguments.as_slice() else { continue };
                if content.is_empty() {
                    continue;
                }
                let candidate = candidates.entry((name.clone(), arguments.len())).or_default();
                candidate.twice |= !seen.insert((name, column.clone(), row.clone()));
                candidate.columns.insert(column.clone());
                candidate.rows.insert(row.clone());
                candidate.contents.insert(content.join(" "));
                candidate.cells.insert((column.clone(), row.clone()));
            }
        }
        let fits = |candidate: &Candidate| {
            let (columns, rows) = (candidate.columns.len(), candidate.rows.len());
            let lines = 2..=MOST_LINES;
            !candidate.twice
                && lines.contains(&columns)
                && lines.contains(&rows)
                && candidate.cells.len() * 4 >= columns * rows
        };
        let best = candidates.into_iter().filter(|(_, candidate)| fits(candidate));
        let ((relation, arguments), found) = best.max_by_key(|(_, candidate)| candidate.cells.len())?;
        let ordered = |names: BTreeSet<String>| {
            let mut names: Vec<String> = names.into_iter().collect();
            names.sort_by_key(|name| sort_key(name));
            names
        };
        let contents = found.contents.into_iter().map(|content| {
            let seat = seat_of(&content, role_names);
            (content, seat)
        });
        let contents = contents.collect();
        Some(Grid { relation, arguments, columns: ordered(found.columns), rows: ordered(found.rows), contents })
    }

    fn index(&self, column: &str, row: &str) -> Option<usize> {
        let place = |names: &[String], name: &str| names.iter().position(|known| known.eq_ignore_ascii_case(name));
        Some(place(&self.rows, row)? * self.columns.len() + place(&self.columns, column)?)
    }

    /// The cell that a fact is about, and its content.
    pub(super) fn cell_of(&self, fact: &str) -> Option<(usize, String)> {
        let (name, arguments) = parts(fact)?;
        if name != self.relation || arguments.len() != self.arguments {
            return None;
        }
        Some((self.index(&arguments[0], &arguments[1])?, arguments[2..].join(" ")))
    }

    /// The cells that the arguments of a move name, in order, two arguments per cell; a single column is its top cell.
    fn cells_of(&self, text: &str) -> Vec<AreaId> {
        let Some((_, arguments)) = parts(text) else { return Vec::new() };
        if let [column] = arguments.as_slice() {
            let top = self.rows.last().and_then(|row| self.index(column, row));
            return top.into_iter().map(|cell| cell as AreaId).collect();
        }
        let mut cells = Vec::new();
        let mut rest = arguments.as_slice();
        while let [column, row, ..] = rest {
            match self.index(column, row) {
                Some(cell) => {
                    cells.push(cell as AreaId);
                    rest = &rest[2..];
                }
                None => rest = &rest[1..],
            }
        }
        cells
    }

    /// The board as lines of text.
    pub(super) fn write(&self, facts: &[String], text: &mut String) {
        let mut cells = vec![".".to_owned(); self.columns.len() * self.rows.len()];
        for (cell, content) in facts.iter().filter_map(|fact| self.cell_of(fact)) {
            if !EMPTY.contains(&content.to_lowercase().as_str()) {
                cells[cell] = content;
            }
        }
        let label = self.rows.iter().map(|row| row.chars().count()).max().unwrap_or(0);
        let width = cells.iter().chain(&self.columns).map(|cell| cell.chars().count()).max().unwrap_or(1);
        for (row, cells) in self.rows.iter().zip(cells.chunks(self.columns.len())).rev() {
            text.push_str(&format!("{row:>label$}"));
            for cell in cells {
                text.push_str(&format!(" {cell:>width$}"));
            }
            text.push('\n');
        }
        text.push_str(&" ".repeat(label));
        for column in &self.columns {
            text.push_str(&format!(" {column:>width$}"));
        }
        text.push('\n');
    }
}

/// The seat that a piece seems to belong to: the role whose name equals the content or begins like it.
fn seat_of(content: &str, role_names: &[String]) -> Option<usize> {
    let content = content.to_lowercase();
    let name = |role: &String| role.to_lowercase();
    role_names.iter().position(|role| name(role) == content).or_else(|| {
        let initial = content.chars().next()?;
        let mut fitting = (0..role_names.len()).filter(|&seat| name(&role_names[seat]).starts_with(initial));
        let seat = fitting.next()?;
        fitting.next().is_none().then_some(seat)
    })
}

/// The ids of buttons start here; lower ids are cells.
const FIRST_BUTTON: AreaId = 1 << 12;
/// The number of button ids for each role.
const BUTTONS_A_ROLE: AreaId = 1 << 25;
/// The most facts listed beside the board.
const MOST_LINES_OF_FACTS: usize = 24;
const LINE: f64 = 18.0;
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
        let width = (board_width + 260.0 + MARGIN).max(3.0 * (BUTTON.0 + 8.0) + 2.0 * MARGIN);
        let a_row = (((width - MARGIN) / (BUTTON.0 + 8.0)) as usize).max(1);
        let height = top + buttons.len().div_ceil(a_row) as f64 * (BUTTON.1 + 8.0);
        let mut picture = Picture::new(width, height);
        if let Some(grid) = &self.grid {
            grid.draw(&facts, &mut picture);
        }
        let left = board_width + MARGIN;
        let mut y = MARGIN;
        for fact in others.iter().take(MOST_LINES_OF_FACTS) {
            line_of_text(&mut picture, left, y, fact);
            y += LINE;
        }
        if others.len() > MOST_LINES_OF_FACTS {
            line_of_text(&mut picture, left, y, &format!("… and {} more", others.len() - MOST_LINES_OF_FACTS));
        }
        for (index, (id, role, text)) in buttons.iter().enumerate() {
            let (x, y) = (
                MARGIN / 2.0 + (index % a_row) as f64 * (BUTTON.0 + 8.0),
                top + (index / a_row) as f64 * (BUTTON.1 + 8.0) - MARGIN / 2.0,
            );
            let colour = self.players[*role].map_or(INK, |player| SEATS[player.index() % SEATS.len()]);
            picture.rect(x, y, BUTTON.0, BUTTON.1, LIGHT, colour);
            let size = (BUTTON.0 / (text.chars().count().max(1) as f64 * 0.62)).min(13.0);
            picture.text(x + BUTTON.0 / 2.0, y + BUTTON.1 / 2.0, size, INK, text);
            let label = format!("{}: {text}", self.role_names[*role]);
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
}

impl Grid {
    fn draw(&self, facts: &[String], picture: &mut Picture) {
        let height = self.rows.len() as f64 * CELL;
        let place = |cell: usize| {
            let (row, column) = (cell / self.columns.len(), cell % self.columns.len());
            (MARGIN + column as f64 * CELL, MARGIN / 2.0 + height - (row + 1) as f64 * CELL)
        };
        for (row, row_name) in self.rows.iter().enumerate() {
            for (column, column_name) in self.columns.iter().enumerate() {
                let cell = row * self.columns.len() + column;
                let (x, y) = place(cell);
                picture.rect(x, y, CELL, CELL, if (row + column) % 2 == 0 { DARK } else { LIGHT }, GRID);
                picture.area(cell as AreaId, format!("{column_name} {row_name}"), x, y, CELL, CELL);
            }
        }
        for (row, name) in self.rows.iter().enumerate() {
            let (_, y) = place(row * self.columns.len());
            picture.text(MARGIN / 2.0, y + CELL / 2.0, 12.0, INK, name);
        }
        for (column, name) in self.columns.iter().enumerate() {
            let (x, _) = place(column);
            picture.text(x + CELL / 2.0, MARGIN / 2.0 + height + 12.0, 12.0, INK, name);
        }
        for (cell, content) in facts.iter().filter_map(|fact| self.cell_of(fact)) {
            if EMPTY.contains(&content.to_lowercase().as_str()) {
                continue;
            }
            let (x, y) = place(cell);
            let seat = self.contents.get(&content).copied().flatten();
            let colour = seat.map_or(GRID, |seat| SEATS[seat % SEATS.len()]);
            picture.circle(x + CELL / 2.0, y + CELL / 2.0, CELL * 0.4, colour, NONE);
            let size = (CELL * 0.75 / (content.chars().count().max(1) as f64 * 0.62)).min(17.0);
            picture.text(x + CELL / 2.0, y + CELL / 2.0, size, if seat.is_some() { LIGHT } else { INK }, &content);
        }
    }
}

/// Draws a line of text that starts at a point.
fn line_of_text(picture: &mut Picture, x: f64, y: f64, text: &str) {
    let text = tesuji_core::drawing::escape(text);
    let font = tesuji_core::drawing::FONT;
    let style = format_args!(r#"dominant-baseline="central" font-family="{font}""#);
    picture.raw(format_args!(r#"<text x="{x}" y="{y}" font-size="13" fill="{INK}" {style}>{text}</text>"#));
}

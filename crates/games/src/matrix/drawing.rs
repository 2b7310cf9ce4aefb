//! The picture of a matrix game: the table, with the last joint choice marked.

use tesuji_core::drawing::{DARK, GRID, INK, LIGHT, NONE, SEATS};
use tesuji_core::{Actor, AreaId, Drawing, Picture, Player};

use super::notation::amount_text;
use super::{Matrix, State};

const MARGIN: f64 = 18.0;
/// The height of the lines above and below the table.
const LINE: f64 = 28.0;
/// The height of the column names above the table.
const HEADER: f64 = 34.0;
/// With more actions than this, cells are small squares without numbers, shaded by the first player's payoff.
const MOST_WRITTEN: usize = 16;
const SMALL_CELL: f64 = 16.0;
/// The width of a letter relative to the font size.
const LETTER: f64 = 0.62;
/// Rows are areas 0 to 199; columns and outcomes of chance are offset.
const COLUMN_AREAS: AreaId = 1000;
const CHANCE_AREAS: AreaId = 2000;
const OUTCOMES: [&str; 4] = ["low, low", "high, low", "low, high", "high, high"];
const OUTCOME_WIDTH: f64 = 96.0;

/// The estimated width of a text.
fn width_of(text: &str, size: f64) -> f64 {
    text.chars().count() as f64 * size * LETTER
}

/// A text cut to the width `room`.
fn fitted(text: &str, size: f64, room: f64) -> String {
    if width_of(text, size) <= room {
        return text.to_owned();
    }
    let letters = (room / (size * LETTER)) as usize;
    text.chars().take(letters.saturating_sub(1)).chain(['…']).collect()
}

impl Matrix {
    fn draw_cell(&self, picture: &mut Picture, state: &State, joint: [u8; 2], place: (f64, f64), size: (f64, f64)) {
        let cell = self.table.cell(joint);
        let chosen = state.last == Some(joint);
        let (x, y) = place;
        if size.0 == SMALL_CELL {
            let amount = self.table.payoffs[0][cell] as f64 / super::UNIT;
            let shade = 0.05 + 0.85 * self.spec.normalise(amount);
            picture.raw(format_args!(
                r#"<rect x="{x}" y="{y}" width="{}" height="{}" fill="{}" fill-opacity="{shade:.3}"/>"#,
                size.0, size.1, SEATS[0]
            ));
        } else {
            picture.rect(x, y, size.0, size.1, if chosen { "#ffe9a8" } else { LIGHT }, GRID);
            let [first, second] = [0, 1].map(|player| amount_text(self.table.payoffs[player][cell]));
            let font = 15.0;
            picture.text(x + size.0 * 0.3, y + size.1 * 0.64, font, SEATS[0], &fitted(&first, font, size.0 * 0.48));
            picture.text(x + size.0 * 0.7, y + size.1 * 0.36, font, SEATS[1], &fitted(&second, font, size.0 * 0.48));
        }
    }
}

impl Drawing for Matrix {
    fn draw(&self, state: &State) -> Picture {
        let [rows, columns] = &self.table.actions;
        let small = rows.len().max(columns.len()) > MOST_WRITTEN;
        let longest = |names: &[String]| names.iter().map(|name| width_of(name, 13.0)).fold(0.0, f64::max);
        let cell_width = if small { SMALL_CELL } else { longest(columns).clamp(62.0, 120.0) + 20.0 };
        let cell_height = if small { SMALL_CELL } else { 52.0 };
        let names_width = longest(rows).max(width_of(&self.table.players[0], 13.0)).clamp(50.0, 160.0) + 20.0;
        let chance = self.table.bernoulli;
        let caption = match (&self.table.title, self.rounds) {
            (title, 1) => title.clone().unwrap_or_default(),
            (title, rounds) => {
                let title = title.as_deref().unwrap_or("Matrix game");
                format!("{title}: {} of {rounds} rounds", state.settled)
            }
        };
        let sums = state.totals.map(amount_text);
        let footer = if self.rounds == 1 && state.settled == 0 {
            String::new()
        } else {
            let [first, second] = &self.table.players;
            format!("{first}: {}  ·  {second}: {}", sums[0], sums[1])
        };
        let table_width = names_width + columns.len() as f64 * cell_width;
        let strip_width = if chance { 4.0 * (OUTCOME_WIDTH + 8.0) - 8.0 } else { 0.0 };
        let inner = [table_width, strip_width, width_of(&caption, 16.0), width_of(&footer, 14.0)];
        let width = inner.into_iter().fold(0.0, f64::max) + 2.0 * MARGIN;
        let top = MARGIN + LINE + LINE + HEADER;
        let bottom = top + rows.len() as f64 * cell_height;
        let strip = if chance { LINE + 14.0 } else { 0.0 };
        let mut picture = Picture::new(width, bottom + strip + LINE + MARGIN);

        picture.text(width / 2.0, MARGIN + 8.0, 16.0, INK, &caption);
        let left = (width - table_width) / 2.0 + names_width;
        let middle = left + columns.len() as f64 * cell_width / 2.0;
        picture.text(middle, MARGIN + LINE + 12.0, 14.0, SEATS[1], &self.table.players[1]);
        let first_name = fitted(&self.table.players[0], 14.0, names_width - 8.0);
        picture.text(left - names_width / 2.0, top - HEADER / 2.0, 14.0, SEATS[0], &first_name);
        for (column, name) in columns.iter().enumerate() {
            let x = left + column as f64 * cell_width;
            if !small {
                picture.text(
                    x + cell_width / 2.0,
                    top - HEADER / 2.0,
                    13.0,
                    INK,
                    &fitted(name, 13.0, cell_width - 6.0),
                );
            } else {
                picture.rect(x + 1.0, top - HEADER + 4.0, cell_width - 2.0, HEADER - 8.0, DARK, NONE);
            }
            picture.area(COLUMN_AREAS + column as AreaId, name.as_str(), x, top - HEADER, cell_width, HEADER);
        }
        for (row, name) in rows.iter().enumerate() {
            let y = top + row as f64 * cell_height;
            let font = if small { 11.0 } else { 13.0 };
            let text = fitted(name, font, names_width - 8.0);
            picture.text(left - names_width / 2.0, y + cell_height / 2.0, font, INK, &text);
            picture.area(row as AreaId, name.as_str(), left - names_width, y, names_width, cell_height);
            for column in 0..columns.len() {
                let place = (left + column as f64 * cell_width, y);
                self.draw_cell(&mut picture, state, [row as u8, column as u8], place, (cell_width, cell_height));
            }
        }
        picture.rect(left, top, table_width - names_width, bottom - top, NONE, INK);
        if let Some([row, column]) = state.last {
            let (x, y) = (left + f64::from(column) * cell_width, top + f64::from(row) * cell_height);
            let style = format_args!(r#"fill="{NONE}" stroke="{INK}" stroke-width="2.5""#);
            picture.raw(format_args!(r#"<rect x="{x}" y="{y}" width="{cell_width}" height="{cell_height}" {style}/>"#));
        }
        if chance {
            let start = (width - strip_width) / 2.0;
            for (outcome, name) in OUTCOMES.into_iter().enumerate() {
                let x = start + outcome as f64 * (OUTCOME_WIDTH + 8.0);
                let (fill, ink) = if state.open { ("#ffffff", INK) } else { (LIGHT, GRID) };
                let style = format_args!(r#"rx="6" fill="{fill}" stroke="{ink}""#);
                picture.raw(format_args!(
                    r#"<rect x="{x}" y="{}" width="{OUTCOME_WIDTH}" height="{LINE}" {style}/>"#,
                    bottom + 14.0
                ));
                picture.text(x + OUTCOME_WIDTH / 2.0, bottom + 14.0 + LINE / 2.0, 12.0, ink, name);
                picture.area(CHANCE_AREAS + outcome as AreaId, name, x, bottom + 14.0, OUTCOME_WIDTH, LINE);
            }
        }
        let low = picture.height - MARGIN;
        picture.text(width / 2.0, low - 4.0, 14.0, INK, &footer);
        picture
    }

    fn clicks(&self, _state: &State, actor: Actor, action: u8) -> Vec<AreaId> {
        let areas = match actor {
            Actor::Player(Player(0)) => 0,
            Actor::Player(_) => COLUMN_AREAS,
            Actor::Chance => CHANCE_AREAS,
        };
        vec![areas + AreaId::from(action)]
    }
}

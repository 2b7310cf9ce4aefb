//! Tables: boxes for people, CSV for programs.

use std::fmt;

use comfy_table::presets::UTF8_FULL_CONDENSED;
use comfy_table::{Attribute, CellAlignment, ColumnConstraint, ContentArrangement, Table, Width};
use tesuji_arena::grouped;

use crate::output::percent;
use crate::times;

/// The width of a table that is not printed on a terminal.
pub(crate) const PIPED_WIDTH: u16 = 100;

/// What stands for a figure that the results do not determine.
pub(crate) const UNKNOWN: &str = "not determinable";

/// A cell of a table: as people read it, and as programs do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cell {
    shown: String,
    /// Without thousands separators, units and words for missing figures; an interval has two fields.
    plain: Vec<String>,
    is_number: bool,
}

impl Cell {
    /// A whole number.
    pub(crate) fn count(number: u64) -> Cell {
        Cell::number(grouped(number), number.to_string())
    }

    /// A number with this many decimals.
    pub(crate) fn decimal(number: f64, decimals: usize) -> Cell {
        let shown = format!("{number:.decimals$}");
        Cell::number(shown.clone(), shown)
    }

    /// A share: a percentage for people, a number from 0 to 1 for programs.
    pub(crate) fn share(share: Option<f64>) -> Cell {
        let plain = share.map_or(String::new(), |share| plain(share, 6));
        Cell::number(share.map_or(UNKNOWN.to_owned(), percent), plain)
    }

    /// An interval of shares. For programs it is two columns, which [`Grid::new`] names.
    pub(crate) fn shares(interval: Option<(f64, f64)>) -> Cell {
        let shown = interval.map(|(low, high)| format!("{:.1} to {}", low * 100.0, percent(high)));
        let plain = interval.map(|(low, high)| vec![plain(low, 6), plain(high, 6)]);
        Cell {
            shown: shown.unwrap_or_else(|| UNKNOWN.to_owned()),
            plain: plain.unwrap_or_else(|| vec![String::new(); 2]),
            is_number: true,
        }
    }

    /// An interval of Elo differences, whose ends may be open. For programs it is two columns.
    pub(crate) fn elos(low: Option<f64>, high: Option<f64>) -> Cell {
        let end = |elo: Option<f64>, open: &str| elo.map_or(open.to_owned(), |elo| format!("{elo:+.0}"));
        let plain = [low, high].map(|elo| elo.map_or(String::new(), |elo| format!("{elo:.2}")));
        let shown = format!("{} to {}", end(low, "-∞"), end(high, "+∞"));
        Cell { shown, plain: plain.to_vec(), is_number: true }
    }

    /// A difference in Elo.
    pub(crate) fn elo(elo: Option<f64>) -> Cell {
        let shown = elo.map_or(UNKNOWN.to_owned(), |elo| format!("{elo:+.0}"));
        Cell::number(shown, elo.map_or(String::new(), |elo| format!("{elo:.2}")))
    }

    /// A time, in seconds for programs.
    pub(crate) fn time(seconds: f64) -> Cell {
        Cell::number(times::seconds(seconds), plain(seconds, 9))
    }

    fn number(shown: String, plain: String) -> Cell {
        Cell { shown, plain: vec![plain], is_number: true }
    }
}

impl<T: Into<String>> From<T> for Cell {
    fn from(text: T) -> Cell {
        let shown = text.into();
        Cell { plain: vec![shown.clone()], shown, is_number: false }
    }
}

/// A table to be printed.
#[derive(Clone, Debug)]
pub(crate) struct Grid {
    header: Vec<String>,
    rows: Vec<Vec<Cell>>,
}

impl Grid {
    /// A table with these columns and no rows. A column whose name for programs differs, or which is several columns
    /// for them, has the names after bars: `95 % over pairs|low|high`.
    pub(crate) fn new<T: AsRef<str>>(header: &[T]) -> Grid {
        Grid { header: header.iter().map(|name| name.as_ref().to_owned()).collect(), rows: Vec::new() }
    }

    /// Adds a row.
    pub(crate) fn add_row<T: Into<Cell>>(&mut self, row: impl IntoIterator<Item = T>) {
        self.rows.push(row.into_iter().map(Into::into).collect());
    }

    /// A box as wide as the terminal; where there is none, of at most 100 columns, or tab-separated if words would have
    /// to be broken for that. `color` makes the header bold.
    pub(crate) fn boxed(&self, terminal: bool, color: bool) -> String {
        if !terminal && self.least_width() > PIPED_WIDTH.into() {
            return self.tab_separated();
        }
        let mut table = Table::new();
        table.load_style(UTF8_FULL_CONDENSED).set_content_arrangement(ContentArrangement::Dynamic);
        if !terminal {
            table.set_width(PIPED_WIDTH);
        }
        if color {
            table.enforce_styling();
        }
        table.set_header(self.header.iter().map(|name| {
            let cell = comfy_table::Cell::new(title(name));
            if color { cell.add_attribute(Attribute::Bold) } else { cell }
        }));
        for row in &self.rows {
            table.add_row(row.iter().map(|cell| {
                let alignment = if cell.is_number { CellAlignment::Right } else { CellAlignment::Left };
                comfy_table::Cell::new(&cell.shown).set_alignment(alignment)
            }));
        }
        // Numbers are never broken, and words only where the terminal is too narrow.
        for (place, column) in table.column_iter_mut().enumerate() {
            if let Ok(width) = u16::try_from(self.column_width(place) + 2) {
                column.set_constraint(ColumnConstraint::LowerBoundary(Width::Fixed(width)));
            }
        }
        table.to_string()
    }

    /// The width of a column that breaks no word and no number.
    fn column_width(&self, column: usize) -> usize {
        let longest_word = |text: &str| text.split(' ').map(|word| word.chars().count()).max().unwrap_or(0);
        let cells = self.rows.iter().filter_map(|row| row.get(column));
        let widths = cells.map(|cell| match cell.is_number {
            true => cell.shown.chars().count(),
            false => longest_word(&cell.shown),
        });
        widths.max().unwrap_or(0).max(self.header.get(column).map_or(0, |name| longest_word(title(name))))
    }

    /// The width of the narrowest box that breaks no word and no number: each column has a blank on both sides and a
    /// line.
    fn least_width(&self) -> usize {
        (0..self.header.len()).map(|column| self.column_width(column) + 3).sum::<usize>() + 1
    }

    /// A line for the titles and each row, with tabs between the cells.
    fn tab_separated(&self) -> String {
        let titles: Vec<&str> = self.header.iter().map(|name| title(name)).collect();
        let rows = self.rows.iter().map(|row| row.iter().map(|cell| cell.shown.as_str()).collect::<Vec<_>>());
        [titles].into_iter().chain(rows).map(|line| line.join("\t")).collect::<Vec<_>>().join("\n")
    }

    /// The table as CSV (RFC 4180), with a header.
    pub(crate) fn csv(&self) -> String {
        let mut text = String::new();
        let names = |name: &String| -> Vec<String> {
            let (_, plain) = name.split_once('|').unwrap_or((name, name));
            plain.split('|').map(str::to_owned).collect()
        };
        let header: Vec<String> = self.header.iter().flat_map(names).collect();
        let rows = self.rows.iter().map(|row| row.iter().flat_map(|cell| cell.plain.clone()).collect());
        for line in [header].into_iter().chain(rows) {
            let fields: Vec<String> = line.iter().map(|field| quoted(field)).collect();
            text.push_str(&fields.join(","));
            text.push('\n');
        }
        text
    }
}

/// As a box of at most 100 columns.
impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.boxed(false, false))
    }
}

/// The part of a column's name that people see.
fn title(name: &str) -> &str {
    name.split('|').next().unwrap_or(name)
}

/// A number for programs: at most this many decimals, without zeros at the end.
fn plain(number: f64, decimals: usize) -> String {
    let text = format!("{number:.decimals$}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A field of CSV, in quotes if it needs them.
fn quoted(field: &str) -> String {
    match field.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", field.replace('"', "\"\"")),
        false => field.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_and_programs_get_the_same_table_in_their_own_forms() {
        let mut grid = Grid::new(&["agent", "matches", "win rate", "95 %|low|high"]);
        let interval = Cell::shares(Some((0.5, 0.75)));
        grid.add_row([Cell::from("uct(c=0.5,playouts=9)"), Cell::count(12_000), Cell::share(Some(0.625)), interval]);
        grid.add_row([Cell::from("the \"other\""), Cell::count(1), Cell::share(None), Cell::shares(None)]);
        let expected = "agent,matches,win rate,low,high\n\"uct(c=0.5,playouts=9)\",12000,0.625,0.5,0.75\n\
            \"the \"\"other\"\"\",1,,,\n";
        assert_eq!(grid.csv(), expected);
        let shown = grid.to_string();
        assert!(
            shown.contains("12,000")
                && shown.contains("62.5 %")
                && shown.contains("50.0 to 75.0 %")
                && shown.contains(UNKNOWN),
            "{shown}"
        );
    }

    #[test]
    fn a_table_that_is_not_on_a_terminal_has_at_most_100_columns() {
        let mut grid = Grid::new(&["one", "two", "three"]);
        grid.add_row(["a long text ".repeat(30), "word".repeat(9), "short".to_owned()]);
        let shown = grid.to_string();
        assert!(shown.contains(&"word".repeat(9)), "{shown}");
        assert!(shown.lines().all(|line| line.chars().count() <= usize::from(PIPED_WIDTH)), "{shown}");
        // Where a word would be broken, the table is tab-separated.
        grid.add_row(["x".to_owned(), "word".repeat(30), "y".to_owned()]);
        assert!(grid.to_string().ends_with(&format!("\nx\t{}\ty", "word".repeat(30))), "{grid}");
    }
}

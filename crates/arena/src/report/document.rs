//! The contents of a report, independent of its format.

use super::plots::Plot;
use crate::statistics::Verdict;

/// A report on some runs.
pub(super) struct Document {
    /// The title of the whole if there is not exactly one chapter.
    pub title: String,
    /// One for each run.
    pub chapters: Vec<Chapter>,
}

/// The report on one run.
pub(super) struct Chapter {
    /// Its title.
    pub title: String,
    /// Its contents.
    pub blocks: Vec<Block>,
}

/// A piece of a chapter.
pub(super) enum Block {
    /// The heading of a section.
    Section(String),
    /// The heading of a part of a section.
    Part(String),
    /// A paragraph of text.
    Paragraph(String),
    /// An unordered list.
    List(Vec<String>),
    /// Short facts with their names.
    Facts(Vec<(&'static str, String)>),
    /// A table.
    Table(Table),
    /// A plot. Only formats with pictures show it, so it shows nothing that no table has.
    Plot(Box<dyn Plot>),
}

/// A table; all rows have one cell for each column.
pub(super) struct Table {
    /// A description for screen readers.
    pub name: String,
    /// Headings.
    pub columns: Vec<Column>,
    /// Cells by row.
    pub rows: Vec<Vec<Cell>>,
}

/// The heading of a column.
pub(super) struct Column {
    /// The heading.
    pub title: String,
    /// Whether its cells are right-aligned.
    pub right: bool,
}

/// A cell of a table.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Cell {
    /// Words or numbers.
    Text(String),
    /// Machine-readable text: an address, a hash.
    Code(String),
    /// Whether two results agree.
    Verdict(Verdict),
    /// A value that the results do not determine.
    Unknown,
}

/// The text for values that the results do not determine.
pub(super) const UNKNOWN: &str = "not determinable";

impl Table {
    /// A table without rows.
    pub(super) fn new(name: impl Into<String>) -> Table {
        Table { name: name.into(), columns: Vec::new(), rows: Vec::new() }
    }

    /// Adds a left-aligned column.
    pub(super) fn left(mut self, title: impl Into<String>) -> Table {
        self.columns.push(Column { title: title.into(), right: false });
        self
    }

    /// Adds a right-aligned column.
    pub(super) fn right(mut self, title: impl Into<String>) -> Table {
        self.columns.push(Column { title: title.into(), right: true });
        self
    }

    /// Adds a right-aligned column if there is something to show in it.
    pub(super) fn right_if(self, shown: bool, title: &str) -> Table {
        if shown { self.right(title) } else { self }
    }
}

impl Cell {
    /// A cell of text.
    pub(super) fn text(text: impl Into<String>) -> Cell {
        Cell::Text(text.into())
    }

    /// A known value, or "not determinable".
    pub(super) fn known(text: Option<String>) -> Cell {
        text.map_or(Cell::Unknown, Cell::Text)
    }
}

/// A verdict in words.
pub(super) fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Agrees => "agrees",
        Verdict::Differs => "differs",
        Verdict::NotEnoughMatches => "not enough games",
    }
}

/// The text on one line, without characters that XML forbids.
pub(super) fn one_line(text: &str) -> String {
    let seen = |c: char| match c {
        c if c.is_control() || c == '\u{2028}' || c == '\u{2029}' => ' ',
        '\u{fffe}' | '\u{ffff}' => '\u{fffd}',
        c => c,
    };
    text.chars().map(seen).collect::<String>().trim().to_owned()
}

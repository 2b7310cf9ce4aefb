//! What a report says, before it has a form.

use super::plots::Plot;
use crate::statistics::Verdict;

/// A report on some runs.
pub struct Document {
    /// The title of the whole where there is not exactly one chapter.
    pub title: String,
    /// One for each run.
    pub chapters: Vec<Chapter>,
}

/// The report on one run.
pub struct Chapter {
    /// Its title.
    pub title: String,
    /// What it says.
    pub blocks: Vec<Block>,
}

/// A piece of a chapter.
pub enum Block {
    /// The heading of a section.
    Section(String),
    /// The heading of a part of a section.
    Part(String),
    /// A paragraph.
    Paragraph(String),
    /// Things that have no order among each other.
    List(Vec<String>),
    /// Short facts with their names.
    Facts(Vec<(&'static str, String)>),
    /// A table.
    Table(Table),
    /// A plot; only forms with pictures show it, so it says nothing that no table says.
    Plot(Box<dyn Plot>),
}

/// A table; all rows have a cell for each column.
pub struct Table {
    /// What it shows, for those who do not see it.
    pub name: String,
    /// Headings.
    pub columns: Vec<Column>,
    /// Cells by row.
    pub rows: Vec<Vec<Cell>>,
}

/// The heading of a column.
pub struct Column {
    /// The heading.
    pub title: String,
    /// Are its cells set to the right?
    pub right: bool,
}

/// A cell of a table.
#[derive(Clone, PartialEq, Debug)]
pub enum Cell {
    /// Words or figures.
    Text(String),
    /// What a program could read: an address, a hash.
    Code(String),
    /// Whether two results agree.
    Verdict(Verdict),
    /// What the results do not determine.
    Unknown,
}

/// What stands where the results determine nothing.
pub const UNKNOWN: &str = "not determinable";

impl Table {
    /// A table without rows.
    pub fn new(name: impl Into<String>) -> Table {
        Table { name: name.into(), columns: Vec::new(), rows: Vec::new() }
    }

    /// Adds a column of words.
    pub fn left(mut self, title: impl Into<String>) -> Table {
        self.columns.push(Column { title: title.into(), right: false });
        self
    }

    /// Adds a column of figures.
    pub fn right(mut self, title: impl Into<String>) -> Table {
        self.columns.push(Column { title: title.into(), right: true });
        self
    }

    /// Adds a column of figures if there is something to show in it.
    pub fn right_if(self, shown: bool, title: &str) -> Table {
        if shown { self.right(title) } else { self }
    }
}

impl Cell {
    /// A cell of words.
    pub fn text(text: impl Into<String>) -> Cell {
        Cell::Text(text.into())
    }

    /// What is known, or that it is not determinable.
    pub fn known(text: Option<String>) -> Cell {
        text.map_or(Cell::Unknown, Cell::Text)
    }
}

/// A verdict in words.
pub fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Agrees => "agrees",
        Verdict::Differs => "differs",
        Verdict::NotEnoughMatches => "not enough games",
    }
}

/// The text in one line, with nothing that XML forbids.
pub fn one_line(text: &str) -> String {
    let seen = |c: char| match c {
        c if c.is_control() || c == '\u{2028}' || c == '\u{2029}' => ' ',
        '\u{fffe}' | '\u{ffff}' => '\u{fffd}',
        c => c,
    };
    text.chars().map(seen).collect::<String>().trim().to_owned()
}

//! Boards as SVG, with the areas that can be clicked.
//!
//! One drawing serves the web page, the reports and the documents. It has its own colours and background, so it looks
//! the same on light and dark pages.

use std::fmt::{self, Write as _};

use crate::{Actor, History, Notation, text_picture};

/// The number of an area of a [`Picture`]: unique within the picture and the same in every state of a match.
pub type AreaId = u32;

/// A clickable rectangle: a cell, a card in the hand, a die.
#[derive(Clone, PartialEq, Debug)]
pub struct Area {
    /// The number by which programs refer to it.
    pub id: AreaId,
    /// The label shown to people and screen readers, such as `b3`.
    pub label: String,
    /// Left edge.
    pub x: f64,
    /// Top edge.
    pub y: f64,
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
}

/// A drawing of a state.
#[derive(Clone, PartialEq, Debug)]
pub struct Picture {
    /// Width of the drawing, in its own units.
    pub width: f64,
    /// Height of the drawing, in its own units.
    pub height: f64,
    /// Well-formed SVG elements.
    pub body: String,
    /// The areas that can be clicked.
    pub areas: Vec<Area>,
}

/// What an action would do, as data: a key and numbers by name. Surfaces write it in words, in the reader's language.
///
/// ```
/// use tesuji_core::Note;
///
/// let note = Note::new("damage", [("dealt", 5), ("taken", 2)]);
/// assert_eq!(note.to_string(), "damage: dealt 5, taken 2");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    /// What kind of note this is, such as `damage`. Surfaces look up their wording by it.
    pub key: &'static str,
    /// The numbers of the note, each with its name.
    pub values: Vec<(&'static str, i64)>,
}

impl Note {
    /// A note with these numbers.
    pub fn new(key: &'static str, values: impl IntoIterator<Item = (&'static str, i64)>) -> Note {
        Note { key, values: values.into_iter().collect() }
    }
}

impl fmt::Display for Note {
    /// The note in plain words, for surfaces that have no wording of their own for its key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.key)?;
        for (index, (name, value)) in self.values.iter().enumerate() {
            write!(f, "{} {name} {value}", if index == 0 { ":" } else { "," })?;
        }
        Ok(())
    }
}

/// An action in parts that surfaces put into words, in the reader's language: a key and texts by name.
///
/// ```
/// use tesuji_core::Phrase;
///
/// let phrase = Phrase::new("moves", [("from", "b2"), ("to", "c3")]);
/// assert_eq!(phrase.to_string(), "b2→c3");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Phrase {
    /// What kind of action it is, such as `moves`. Surfaces look up their wording by it.
    pub key: &'static str,
    /// The parts, each with its name: cells, kinds of units, or the whole text (`text`).
    pub parts: Vec<(&'static str, String)>,
}

impl Phrase {
    /// The key of an action that is written out: its part `text` is all there is to say.
    pub const PLAIN: &'static str = "plain";
    /// The key of a piece that goes from one cell (`from`) to another (`to`).
    pub const MOVES: &'static str = "moves";
    /// The key of a piece that goes from one cell (`from`) to another (`to`) and captures there.
    pub const TAKES: &'static str = "takes";

    /// A phrase with these parts.
    pub fn new<T: Into<String>>(key: &'static str, parts: impl IntoIterator<Item = (&'static str, T)>) -> Phrase {
        Phrase { key, parts: parts.into_iter().map(|(name, part)| (name, part.into())).collect() }
    }

    /// An action that is written out.
    pub fn plain(text: impl Into<String>) -> Phrase {
        Phrase::new(Phrase::PLAIN, [("text", text.into())])
    }
}

impl fmt::Display for Phrase {
    /// The phrase in plain signs, for surfaces that have no wording of their own for its key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.key, &self.parts[..]) {
            (Phrase::MOVES, [(_, from), (_, to)]) => write!(f, "{from}→{to}"),
            (Phrase::TAKES, [(_, from), (_, to)]) => write!(f, "{from}×{to}"),
            (_, parts) => {
                let texts: Vec<&str> = parts.iter().map(|(_, text)| text.as_str()).collect();
                f.write_str(&texts.join(" "))
            }
        }
    }
}

/// How a game looks.
///
/// Everything has a default, so `impl Drawing for MyGame {}` is a drawing: the board as text, and a chip to click for
/// each legal action. A game that implements one of `draw` and `clicks` implements both.
pub trait Drawing: Notation {
    /// Draws a state.
    fn draw(&self, state: &Self::State) -> Picture {
        text_picture::draw(self, state)
    }

    /// The areas to click, in order, to choose `action`: a cell; or a piece, its target and what it attacks.
    ///
    /// - At least one area, all of them among the picture's areas.
    /// - A different path for each legal action of one actor.
    /// - No path is a prefix of another path of the same actor, so that a user interface knows when a choice is
    ///   complete.
    fn clicks(&self, state: &Self::State, actor: Actor, action: Self::Action) -> Vec<AreaId> {
        text_picture::chip(self, state, actor, action).into_iter().collect()
    }

    /// Draws a state with what is known of the way to it: the steps of the match so far. The default ignores them.
    ///
    /// For games whose states forget what people want to see, such as whose pieces cover a cell.
    fn draw_after(&self, state: &Self::State, _steps: &History<Self::Action>) -> Picture {
        self.draw(state)
    }

    /// What the signs of the pictures mean: small pictures with names, for the rules beside a board. The default has
    /// none.
    fn legend(&self) -> Vec<(String, Picture)> {
        Vec::new()
    }

    /// A legal action as people would say it. The default is its text.
    fn phrase(&self, state: &Self::State, actor: Actor, action: Self::Action) -> Phrase {
        Phrase::plain(self.action_text(state, actor, action))
    }

    /// What a legal action would do, for people who are about to choose; `None` if its text says everything.
    fn note(&self, _state: &Self::State, _actor: Actor, _action: Self::Action) -> Option<Note> {
        None
    }
}

impl Picture {
    /// A picture with a background.
    pub fn new(width: f64, height: f64) -> Picture {
        let mut picture = Picture { width, height, body: String::new(), areas: Vec::new() };
        picture.rect(0.0, 0.0, width, height, PAPER, NONE);
        picture
    }

    /// Adds an area.
    pub fn area(&mut self, id: AreaId, label: impl Into<String>, x: f64, y: f64, width: f64, height: f64) {
        self.areas.push(Area { id, label: label.into(), x, y, width, height });
    }

    /// Adds raw SVG. The caller must pass well-formed elements.
    pub fn raw(&mut self, element: fmt::Arguments<'_>) {
        let written = self.body.write_fmt(element);
        debug_assert!(written.is_ok(), "writing to a string cannot fail");
        self.body.push('\n');
    }

    /// A rectangle.
    pub fn rect(&mut self, x: f64, y: f64, width: f64, height: f64, fill: &str, stroke: &str) {
        self.raw(format_args!(
            r#"<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="{fill}" stroke="{stroke}"/>"#
        ));
    }

    /// A circle.
    pub fn circle(&mut self, x: f64, y: f64, radius: f64, fill: &str, stroke: &str) {
        self.raw(format_args!(
            r#"<circle cx="{x}" cy="{y}" r="{radius}" fill="{fill}" stroke="{stroke}" stroke-width="2"/>"#
        ));
    }

    /// A line.
    pub fn line(&mut self, x1: f64, y1: f64, x2: f64, y2: f64, stroke: &str, width: f64) {
        let pen = format_args!(r#"stroke="{stroke}" stroke-width="{width}" stroke-linecap="round""#);
        self.raw(format_args!(r#"<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" {pen}/>"#));
    }

    /// Text centred on a point.
    pub fn text(&mut self, x: f64, y: f64, size: f64, fill: &str, text: &str) {
        let text = escape(text);
        let font = format_args!(r#"text-anchor="middle" dominant-baseline="central" font-family="{FONT}""#);
        self.raw(format_args!(r#"<text x="{x}" y="{y}" font-size="{size}" fill="{fill}" {font}>{text}</text>"#));
    }

    /// A die showing `face`, from 1 to 6, in a square of side `size`.
    pub fn die(&mut self, x: f64, y: f64, size: f64, face: u8) {
        let radius = size / 6.0;
        self.raw(format_args!(
            r##"<rect x="{x}" y="{y}" width="{size}" height="{size}" rx="{radius}" fill="#ffffff" stroke="{INK}"/>"##
        ));
        let pip = |column: i32, row: i32| {
            (x + size * (0.5 + 0.26 * f64::from(column)), y + size * (0.5 + 0.26 * f64::from(row)))
        };
        let pips: &[(i32, i32)] = match face {
            1 => &[(0, 0)],
            2 => &[(-1, -1), (1, 1)],
            3 => &[(-1, -1), (0, 0), (1, 1)],
            4 => &[(-1, -1), (1, -1), (-1, 1), (1, 1)],
            5 => &[(-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)],
            _ => &[(-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)],
        };
        for &(column, row) in pips {
            let (cx, cy) = pip(column, row);
            self.circle(cx, cy, size / 11.0, INK, NONE);
        }
    }

    /// The whole SVG document.
    pub fn svg(&self) -> String {
        let Picture { width, height, body, .. } = self;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
             height=\"{height}\">\n{body}</svg>\n"
        )
    }
}

/// Escapes text for use inside SVG and HTML.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            c if c.is_control() => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}

/// The side of a board cell.
pub const CELL: f64 = 48.0;
/// No fill, or no stroke.
pub const NONE: &str = "none";
/// The background of every picture.
pub const PAPER: &str = "#f7f3e8";
/// Lines and text.
pub const INK: &str = "#2b2a27";
/// Light squares.
pub const LIGHT: &str = "#fbf8f0";
/// Dark squares.
pub const DARK: &str = "#e3dac3";
/// Grid lines.
pub const GRID: &str = "#b8ad94";
/// The colours of players by seat, distinguishable with colour blindness (palette of Okabe and Ito).
pub const SEATS: [&str; 6] = ["#d55e00", "#0072b2", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"];
/// The fonts of labels.
pub const FONT: &str = "DejaVu Sans, Noto Sans, Noto Sans JP, sans-serif";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped() {
        let mut picture = Picture::new(10.0, 10.0);
        picture.text(1.0, 1.0, 8.0, INK, "<a & \"b\">\u{1}");
        assert!(picture.svg().contains("&lt;a &amp; &quot;b&quot;&gt; </text>"));
    }
}

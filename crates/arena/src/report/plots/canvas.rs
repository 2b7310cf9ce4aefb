//! Colours, text, legends and axes of all plots.

use std::io;

use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use tesuji_core::drawing;

use crate::report::document::one_line;

/// The width of all plots, in their own units.
pub(super) const WIDTH: i32 = 520;
/// The space at the left and right edge.
pub(super) const MARGIN: i32 = 16;
/// The font size.
pub(super) const LETTERS: f64 = 14.0;
/// The small font size, such as that of axes.
pub(super) const SMALL: f64 = 12.5;

/// The SVG backend divides font sizes by this.
const BACKEND_SCALE: f64 = 1.24;
/// The mean width of a letter relative to the font size, a little too wide for a sans-serif font.
const LETTER_WIDTH: f64 = 0.6;
/// The height of a line of a legend.
const KEY_LINE: i32 = 22;

/// The area of a plot.
pub(super) type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
/// A plot with two axes.
pub(super) type Chart<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;
/// The result of drawing.
pub(super) type Drawn = Result<(), DrawingAreaErrorKind<io::Error>>;

/// Draws an SVG element of the given height, with a description for screen readers.
pub(super) fn draw(height: i32, name: &str, paint: impl FnOnce(&Area<'_>) -> Drawn) -> String {
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, (WIDTH as u32, height as u32)).into_drawing_area();
        let painted = area.fill(&colour(drawing::PAPER)).and_then(|()| paint(&area)).and_then(|()| area.present());
        painted.unwrap_or_else(|error| panic!("drawing into a string cannot fail: {error}"));
    }
    svg.replacen("<svg ", &format!("<svg role=\"img\" aria-label=\"{}\" ", drawing::escape(&one_line(name))), 1)
}

/// A colour written as `#rrggbb`.
pub(super) fn colour(text: &str) -> RGBColor {
    let number = u32::from_str_radix(text.trim_start_matches('#'), 16).unwrap_or(0);
    let [_, red, green, blue] = number.to_be_bytes();
    RGBColor(red, green, blue)
}

/// The colour of the agent with this number.
pub(super) fn agent_colour(agent: usize) -> RGBColor {
    colour(drawing::SEATS[agent % drawing::SEATS.len()])
}

/// A mixture of two colours, with the fraction `share` of the second.
pub(super) fn mixed(first: RGBColor, second: RGBColor, share: f64) -> RGBColor {
    let part = |one: u8, two: u8| (f64::from(one) + (f64::from(two) - f64::from(one)) * share).round() as u8;
    RGBColor(part(first.0, second.0), part(first.1, second.1), part(first.2, second.2))
}

/// The style of text with a size and an anchor.
pub(super) fn letters(size: f64, colour: RGBColor, horizontal: HPos, vertical: VPos) -> TextStyle<'static> {
    let style = TextStyle::from((drawing::FONT, size * BACKEND_SCALE).into_font());
    TextStyle { color: colour.to_backend_color(), pos: Pos::new(horizontal, vertical), ..style }
}

/// The estimated width of a text.
pub(super) fn width_of(text: &str, size: f64) -> i32 {
    // Chinese, Japanese and Korean characters are twice as wide as Latin ones.
    let widths = text.chars().map(|c| if c >= '\u{1100}' { 1.0 } else { LETTER_WIDTH });
    (widths.sum::<f64>() * size).ceil() as i32
}

/// The text on one line, cut to a width.
pub(super) fn fitted(text: &str, size: f64, width: i32) -> String {
    let mut text = one_line(text);
    if width_of(&text, size) > width {
        while !text.is_empty() && width_of(&text, size) + size as i32 > width {
            text.pop();
        }
        text.push('…');
    }
    text
}

/// The legend of a plot, in lines from the top.
pub(super) struct Key {
    /// The position of each entry.
    places: Vec<(i32, i32)>,
    labels: Vec<String>,
}

impl Key {
    /// Entries with these labels.
    pub(super) fn new(labels: impl IntoIterator<Item = impl AsRef<str>>) -> Key {
        let labels: Vec<String> =
            labels.into_iter().map(|label| fitted(label.as_ref(), SMALL, WIDTH - 2 * MARGIN - 30)).collect();
        let mut places = Vec::new();
        let (mut x, mut y) = (MARGIN, 18);
        for label in &labels {
            let width = 30 + width_of(label, SMALL);
            if x > MARGIN && x + width > WIDTH - MARGIN {
                (x, y) = (MARGIN, y + KEY_LINE);
            }
            places.push((x, y));
            x += width + 14;
        }
        Key { places, labels }
    }

    /// The height that it takes from the top of the plot.
    pub(super) fn height(&self) -> i32 {
        self.places.last().map_or(8, |(_, y)| y + 16)
    }

    /// Draws the label of each entry, and its symbol by `sign` (entry, left end, right end).
    pub(super) fn draw(&self, area: &Area<'_>, sign: impl Fn(usize, (i32, i32), (i32, i32)) -> Drawn) -> Drawn {
        for (index, (&(x, y), label)) in self.places.iter().zip(&self.labels).enumerate() {
            sign(index, (x, y), (x + 22, y))?;
            let style = letters(SMALL, colour(drawing::INK), HPos::Left, VPos::Center);
            area.draw(&Text::new(label.clone(), (x + 28, y), style))?;
        }
        Ok(())
    }
}

//! Plots as SVG, drawn with plotters.
//!
//! Each brings its own light background, as the drawings of boards do, so it reads the same on light and dark pages. They
//! are as wide as a column of a page and as a telephone: labels stand above what they name, never beside it.

mod canvas;
mod rows;
mod win_rates;
mod ladder;
mod heat_map;
mod lengths;
mod lines;
mod membership_map;

pub use heat_map::HeatMap;
pub use ladder::Ladder;
pub use lengths::Lengths;
pub use lines::{Line, Lines};
pub use membership_map::membership_map;
pub use win_rates::WinRates;

/// A plot.
pub trait Plot {
    /// What it shows, in a line.
    fn caption(&self) -> &str;

    /// The plot as an SVG element.
    fn svg(&self) -> String;
}

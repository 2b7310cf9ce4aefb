//! Plots as SVG, drawn with plotters.
//!
//! Each has its own light background, like the drawings of boards, so it looks the same on light and dark pages. Plots
//! are as wide as a column of a page or a phone: labels stand above what they name, never beside it.

mod canvas;
mod rows;
mod win_rates;
mod ladder;
mod heat_map;
mod lengths;
mod lines;
mod membership_map;

pub(super) use heat_map::HeatMap;
pub(super) use ladder::Ladder;
pub(crate) use ladder::RatedLabel;
pub(super) use lengths::Lengths;
pub(crate) use lines::Line;
pub(super) use lines::Lines;
pub(crate) use membership_map::membership_map;
pub(super) use win_rates::WinRates;

/// A plot.
pub(super) trait Plot {
    /// What it shows, in one line.
    fn caption(&self) -> &str;

    /// The plot as an SVG element.
    fn svg(&self) -> String;
}

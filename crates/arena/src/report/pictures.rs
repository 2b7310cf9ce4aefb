//! The plots of reports one by one, for surfaces that show them beside tables of their own.

use serde::Serialize;

use super::content;
use super::document::Block;
use super::plots::{HeatMap, Ladder, Line, Lines, Plot, RatedLabel};
use crate::Summary;

/// A plot of a report.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PlotPicture {
    /// What it shows, with the game if a report has several.
    pub caption: String,
    /// The plot as an SVG element.
    pub svg: String,
}

impl PlotPicture {
    fn of(section: &str, plot: &dyn Plot) -> PlotPicture {
        let caption = plot.caption();
        let named = matches!(section, "" | "Results") || caption.starts_with(section);
        let caption = if named { caption.to_owned() } else { format!("{section}: {caption}") };
        PlotPicture { caption, svg: plot.svg() }
    }
}

/// The plots of the report on some runs, in its order.
pub fn report_plots(summaries: &[Summary]) -> Vec<PlotPicture> {
    let mut plots = Vec::new();
    for chapter in content::report(summaries).chapters {
        let mut section = String::new();
        for block in chapter.blocks {
            match block {
                Block::Section(title) => section = title.trim_start_matches("Results in ").to_owned(),
                Block::Plot(plot) => plots.push(PlotPicture::of(&section, plot.as_ref())),
                _ => {}
            }
        }
    }
    plots
}

/// Ratings with their intervals, in the given order; `None` if there are none.
pub(crate) fn ladder(section: &str, rated: &[RatedLabel]) -> Option<PlotPicture> {
    Ladder::rated(rated.iter().cloned()).map(|plot| PlotPicture::of(section, &plot))
}

/// Win rates of agents against each other, by row and column.
pub(crate) fn heat_map(section: &str, labels: &[&str], rates: Vec<Vec<Option<f64>>>) -> PlotPicture {
    PlotPicture::of(section, &HeatMap::of_rates(labels, rates))
}

/// Values by the number of the decision in its match; `None` if there is nothing to see.
pub(crate) fn lines_by_move(section: &str, caption: &str, unit: &str, lines: Vec<Line>) -> Option<PlotPicture> {
    Lines::by_move(caption, unit, lines).map(|plot| PlotPicture::of(section, &plot))
}

/// Root exploitability in a game over the base-10 logarithm of playouts.
pub(crate) fn exploitability_lines(game: &str, lines: Vec<Line>) -> Option<PlotPicture> {
    Lines::gaps(game, lines).map(|plot| PlotPicture::of(game, &plot))
}

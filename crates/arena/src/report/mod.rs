//! Reports of results: the same contents as Markdown and as a web page with plots.
//!
//! A report is made in two steps. `content` decides the contents, as a [`document`] of paragraphs, tables and plots;
//! `markdown` and `html` format it, so the two cannot disagree. Equal summaries give equal bytes: no dates, no machine
//! names, no random order.
//!
//! Values that the results do not determine are marked as such; no cell is empty and none shows NaN or an infinity.

mod document;
mod numbers;
mod content;
mod head;
mod results;
mod standings;
mod thinking;
mod exploitability;
mod root_exploitability;
mod workers;
mod models;
mod markdown;
mod html;
mod plots;
mod pictures;
mod page;

pub use models::{ModelPage, model_pages};
pub use numbers::count as grouped;
pub use page::ReportPage;
pub use pictures::{PlotPicture, report_plots};
pub(crate) use pictures::{exploitability_lines, heat_map, ladder, lines_by_move};
pub(crate) use plots::{Line, RatedLabel, membership_map};

use crate::{ExploitabilityReport, Summary, WholeGameReport};
use plots::Plot;

/// The results of some runs as Markdown (GitHub's dialect: tables).
pub fn markdown(summaries: &[Summary]) -> String {
    markdown::render(&content::report(summaries), None)
}

/// The results of some runs as Markdown below an introduction, Markdown with a title of its own.
pub fn markdown_page(introduction: &str, summaries: &[Summary]) -> String {
    markdown::render(&content::report(summaries), Some(introduction))
}

/// The results of some runs as one web page with plots, without network access or scripts.
pub fn html(summaries: &[Summary]) -> String {
    html::render(&content::report(summaries))
}

/// What agents give away by playouts, as an SVG element; `None` if there is nothing to draw.
pub fn exploitability_plot(reports: &[ExploitabilityReport]) -> Option<String> {
    plots::Lines::root_exploitability(&reports.iter().collect::<Vec<_>>()).map(|plot| plot.svg())
}

/// NashConv of agents by playouts, as an SVG element; `None` if there is nothing to draw.
pub fn whole_game_plot(reports: &[WholeGameReport]) -> Option<String> {
    plots::Lines::whole_game(&reports.iter().collect::<Vec<_>>()).map(|plot| plot.svg())
}

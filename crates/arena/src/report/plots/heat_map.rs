//! The cross table as a heat map.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};
use tesuji_core::drawing;

use super::Plot;
use super::canvas::{LETTERS, MARGIN, SMALL, WIDTH, agent_colour, colour, draw, fitted, letters, width_of};
use crate::report::document::one_line;
use crate::report::numbers::decimals;
use crate::statistics::Tally;

/// The minimum width of row labels.
const LEAST_LABELS: i32 = 150;
/// Row labels may take more width as long as cells are at least this wide.
const WIDE_CELL: i32 = 48;
/// The maximum height of a cell.
const HIGHEST_CELL: i32 = 44;
/// Smaller numbers are omitted: the colours show them, and so does the table.
const SMALLEST_FIGURE: f64 = 7.0;
/// The maximum strength of a colour: text must be readable on it.
const STRONGEST: f64 = 0.7;

/// Win rates of agents against each other.
pub(crate) struct HeatMap {
    labels: Vec<String>,
    /// By row and column.
    rates: Vec<Vec<Option<f64>>>,
}

impl HeatMap {
    /// The map of a square table of tallies.
    pub(crate) fn new(labels: &[&str], tallies: &[Vec<Tally>]) -> HeatMap {
        HeatMap::of_rates(labels, tallies.iter().map(|row| row.iter().map(Tally::rate).collect()).collect())
    }

    /// The map of a square table of win rates; `None` where two agents have not met.
    pub(crate) fn of_rates(labels: &[&str], rates: Vec<Vec<Option<f64>>>) -> HeatMap {
        HeatMap { labels: labels.iter().map(|&label| label.to_owned()).collect(), rates }
    }
}

impl Plot for HeatMap {
    fn caption(&self) -> &str {
        "Win rate of the row's agent against the column's, %"
    }

    fn svg(&self) -> String {
        let count = self.labels.len().max(1) as i32;
        let longest = self.labels.iter().map(|label| width_of(&one_line(label), LETTERS) + 40).max().unwrap_or(0);
        let labels = longest.min(WIDTH - 2 * MARGIN - WIDE_CELL * count).max(LEAST_LABELS);
        let side = ((WIDTH - 2 * MARGIN - labels) / count).max(1);
        let high = side.clamp(20, HIGHEST_CELL);
        let top = 34;
        let (ink, paper) = (colour(drawing::INK), colour(drawing::PAPER));
        let size = SMALL.min(f64::from(side) * 0.4);
        draw(top + high * count + MARGIN, self.caption(), |area| {
            for (index, label) in self.labels.iter().enumerate() {
                let number = (index + 1).to_string();
                let (x, y) = (MARGIN + labels + side * index as i32, top + high * index as i32);
                let column = letters(LETTERS.min(f64::from(side) * 0.6), ink, HPos::Center, VPos::Center);
                area.draw(&Text::new(number.clone(), (x + side / 2, top - 14), column))?;
                let row = letters(LETTERS, ink, HPos::Left, VPos::Center);
                let label = fitted(&format!("{number}  {label}"), LETTERS, labels - 8);
                area.draw(&Text::new(label, (MARGIN, y + high / 2), row))?;
            }
            for (row, rates) in self.rates.iter().enumerate() {
                for (column, rate) in rates.iter().enumerate() {
                    let (x, y) = (MARGIN + labels + side * column as i32, top + high * row as i32);
                    let fill = match rate {
                        _ if row == column => colour(drawing::DARK),
                        Some(rate) if *rate >= 0.5 => mixed_with_white(agent_colour(1), rate * 2.0 - 1.0),
                        Some(rate) => mixed_with_white(agent_colour(0), 1.0 - rate * 2.0),
                        None => paper,
                    };
                    let gap = i32::from(side > 8);
                    area.draw(&Rectangle::new([(x, y), (x + side - gap, y + high - gap)], fill.filled()))?;
                    let text = match rate {
                        _ if row == column || size < SMALLEST_FIGURE => continue,
                        Some(rate) => decimals(rate * 100.0, 0).unwrap_or_default(),
                        None => "·".to_owned(),
                    };
                    let style = letters(size, ink, HPos::Center, VPos::Center);
                    area.draw(&Text::new(text, (x + side / 2, y + high / 2), style))?;
                }
            }
            Ok(())
        })
    }
}

fn mixed_with_white(full: RGBColor, share: f64) -> RGBColor {
    super::canvas::mixed(WHITE, full, share.clamp(0.0, 1.0) * STRONGEST)
}

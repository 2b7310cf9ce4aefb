//! A figure of each agent as matches go on.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};
use tesuji_core::drawing;

use super::Plot;
use super::canvas::{Key, MARGIN, SMALL, agent_colour, colour, draw, letters};

/// More lines than this make no picture.
const MOST_LINES: usize = 18;
/// The height of the part with the lines and their axes.
const HEIGHT: i32 = 300;

/// One agent's figures.
pub struct Line {
    /// The agent.
    pub label: String,
    /// The mean at its first, second, … decision of a match.
    pub values: Vec<f64>,
}

/// Figures by the number of the decision in its match.
pub struct ByMove {
    caption: String,
    unit: String,
    lines: Vec<Line>,
}

impl ByMove {
    /// The plot, unless all is 0. Keeps the order of lines, so that an agent has one colour in all plots of a report.
    pub fn new(caption: &str, unit: &str, mut lines: Vec<Line>) -> Option<ByMove> {
        lines.truncate(MOST_LINES);
        let all = || lines.iter().flat_map(|line| &line.values);
        let drawable = all().all(|value| value.is_finite()) && all().any(|&value| value > 0.0);
        drawable.then(|| ByMove { caption: caption.to_owned(), unit: unit.to_owned(), lines })
    }
}

impl Plot for ByMove {
    fn caption(&self) -> &str {
        &self.caption
    }

    fn svg(&self) -> String {
        let key = Key::new(self.lines.iter().map(|line| &line.label));
        let moves = self.lines.iter().map(|line| line.values.len()).max().unwrap_or(0).max(2);
        let highest = self.lines.iter().flat_map(|line| &line.values).fold(0.0, |high: f64, &value| high.max(value));
        let ink = colour(drawing::INK);
        draw(key.height() + HEIGHT, &self.caption, |area| {
            key.draw(area, |line, from, to| {
                area.draw(&PathElement::new([from, to], agent_colour(line).stroke_width(3)))?;
                marked(line, [((from.0 + to.0) / 2, from.1)]).try_for_each(|mark| area.draw(&mark))
            })?;
            let mut chart = ChartBuilder::on(area)
                .margin_top(key.height())
                .margin_left(4)
                .margin_right(MARGIN)
                .margin_bottom(4)
                .x_label_area_size(48)
                .y_label_area_size(72)
                .build_cartesian_2d(1.0..moves as f64, 0.0..highest * 1.08)?;
            let style = |horizontal, vertical| letters(SMALL, ink, horizontal, vertical);
            chart
                .configure_mesh()
                .x_labels(8)
                .y_labels(6)
                .max_light_lines(0)
                .bold_line_style(colour(drawing::DARK))
                .axis_style(colour(drawing::GRID))
                .x_label_formatter(&|place| if place.fract() == 0.0 { format!("{place:.0}") } else { String::new() })
                .y_label_formatter(&|value| short(*value, highest))
                .x_desc("decision of the agent in the match")
                .y_desc(self.unit.as_str())
                .x_label_style(style(HPos::Center, VPos::Top))
                .y_label_style(style(HPos::Right, VPos::Center))
                .axis_desc_style(style(HPos::Center, VPos::Top))
                .draw()?;
            for (index, line) in self.lines.iter().enumerate() {
                let points: Vec<(f64, f64)> =
                    line.values.iter().enumerate().map(|(place, &value)| (place as f64 + 1.0, value)).collect();
                let colour = agent_colour(index);
                match points[..] {
                    [point] => chart.draw_series([Circle::new(point, 3, colour.filled())])?,
                    _ => chart.draw_series(LineSeries::new(points.iter().copied(), colour.stroke_width(2)))?,
                };
                chart.draw_series(marked(index, points))?;
            }
            Ok(())
        })
    }
}

/// Agents past the last colour share one with another agent; circles, small or large, tell them apart.
fn marked<T: Clone>(agent: usize, points: impl IntoIterator<Item = T>) -> impl Iterator<Item = Circle<T, i32>> {
    let round = agent / drawing::SEATS.len();
    let circle = move |point| Circle::new(point, 2 + 2 * round as i32, agent_colour(agent).stroke_width(1));
    points.into_iter().filter(move |_| round > 0).map(circle)
}

/// A mark on an axis that ends near `highest`.
fn short(value: f64, highest: f64) -> String {
    let places = match highest {
        high if high >= 10.0 => 0,
        high if high >= 1.0 => 1,
        high if high >= 0.1 => 2,
        high if high >= 0.01 => 3,
        _ => 5,
    };
    format!("{value:.places$}")
}

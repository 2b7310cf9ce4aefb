//! Line plots: a number for each agent over the moves of a match or over playouts.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};
use tesuji_core::drawing;

use super::Plot;
use super::canvas::{Key, MARGIN, SMALL, agent_colour, colour, draw, letters};
use crate::{ExploitabilityReport, WholeGameReport};

/// With more lines the plot is unreadable and omitted.
const MOST_LINES: usize = 18;
/// The height of the lines with their axes.
const HEIGHT: i32 = 300;

/// The line of one agent.
pub(crate) struct Line {
    /// The agent.
    pub label: String,
    /// Positions on the axis, and the value at each.
    pub points: Vec<(f64, f64)>,
}

impl Line {
    /// Means at the first, second, … decision of a match.
    pub(crate) fn by_move(label: &str, means: impl Iterator<Item = f64>) -> Line {
        Line { label: label.to_owned(), points: (1u32..).map(f64::from).zip(means).collect() }
    }
}

/// What the horizontal axis counts.
#[derive(Clone, Copy)]
enum Axis {
    /// Decisions of an agent in its match, counted from 1.
    Moves,
    /// Playouts per decision, on a base-10 logarithmic scale.
    Playouts,
    /// Something else, on a base-10 logarithmic scale.
    Logarithmic(&'static str),
}

impl Axis {
    fn description(self) -> &'static str {
        match self {
            Axis::Moves => "decision of the agent in the match",
            Axis::Playouts => "playouts a decision",
            Axis::Logarithmic(name) => name,
        }
    }

    fn mark(self, place: f64) -> String {
        match self {
            _ if place.fract() != 0.0 => String::new(),
            Axis::Moves => format!("{place:.0}"),
            Axis::Playouts | Axis::Logarithmic(_) => format!("{:.0}", 10f64.powf(place)),
        }
    }
}

/// Lines over one axis.
pub(crate) struct Lines {
    caption: String,
    axis: Axis,
    unit: String,
    lines: Vec<Line>,
}

impl Lines {
    /// Values by the number of the decision in its match.
    pub(crate) fn by_move(caption: &str, unit: &str, lines: Vec<Line>) -> Option<Lines> {
        Lines { caption: caption.to_owned(), axis: Axis::Moves, unit: unit.to_owned(), lines }.if_drawable()
    }

    /// Values over the base-10 logarithm of something.
    pub(crate) fn logarithmic(caption: &str, axis: &'static str, unit: &str, lines: Vec<Line>) -> Option<Lines> {
        let axis = Axis::Logarithmic(axis);
        Lines { caption: caption.to_owned(), axis, unit: unit.to_owned(), lines }.if_drawable()
    }

    /// Root exploitability in a game by playouts, averaged over the players.
    pub(crate) fn root_exploitability(reports: &[&ExploitabilityReport]) -> Option<Lines> {
        let line = |report: &&ExploitabilityReport| {
            let mut points: Vec<(u64, f64, f64)> = Vec::new();
            for point in &report.points {
                match points.iter_mut().find(|(playouts, ..)| *playouts == point.playouts) {
                    Some((_, sum, count)) => (*sum, *count) = (*sum + point.gap, *count + 1.0),
                    None => points.push((point.playouts, point.gap, 1.0)),
                }
            }
            points.sort_unstable_by_key(|(playouts, ..)| *playouts);
            let places = points.into_iter().map(|(playouts, sum, count)| ((playouts as f64).log10(), sum / count));
            Line { label: report.agent.clone(), points: places.collect() }
        };
        let game = reports.first().map(|report| report.game.as_str()).unwrap_or_default();
        Lines::gaps(game, reports.iter().map(line).collect())
    }

    /// Root exploitability in a game over the base-10 logarithm of playouts.
    pub(crate) fn gaps(game: &str, lines: Vec<Line>) -> Option<Lines> {
        let caption = format!("{game}: root exploitability by playouts");
        Lines { caption, axis: Axis::Playouts, unit: "root exploitability".to_owned(), lines }.if_drawable()
    }

    /// NashConv in a whole game by playouts.
    pub(crate) fn whole_game(reports: &[&WholeGameReport]) -> Option<Lines> {
        let line = |report: &&WholeGameReport| {
            let known = report.points.iter().filter_map(|point| Some((point.playouts? as f64, point.nash_conv)));
            let mut points: Vec<(f64, f64)> = known.map(|(playouts, found)| (playouts.log10(), found)).collect();
            points.sort_unstable_by(|one, two| one.0.total_cmp(&two.0));
            Line { label: report.agent.clone(), points }
        };
        let game = reports.first().map(|report| report.game.as_str()).unwrap_or_default();
        let caption = format!("{game}: NashConv by playouts");
        let lines = reports.iter().map(line).collect();
        Lines { caption, axis: Axis::Playouts, unit: "NashConv".to_owned(), lines }.if_drawable()
    }

    /// The plot, unless there is nothing to see. Keeps the order of lines, so that an agent has the same colour in all
    /// plots of a report.
    fn if_drawable(mut self) -> Option<Lines> {
        self.lines.truncate(MOST_LINES);
        let all = || self.lines.iter().flat_map(|line| &line.points);
        // An exploitability of 0 is informative; agents whose values are all 0 do not search.
        let seen = |value: f64| value > 0.0 || matches!(self.axis, Axis::Playouts);
        let drawable = all().all(|(_, value)| value.is_finite()) && all().any(|&(_, value)| seen(value));
        drawable.then_some(self)
    }
}

impl Plot for Lines {
    fn caption(&self) -> &str {
        &self.caption
    }

    fn svg(&self) -> String {
        let key = Key::new(self.lines.iter().map(|line| &line.label));
        let all = || self.lines.iter().flat_map(|line| &line.points);
        let left = all().fold(f64::INFINITY, |least, point| least.min(point.0)).floor();
        let right = all().fold(f64::NEG_INFINITY, |most, point| most.max(point.0)).max(left + 1.0);
        // Values of 0 lie on the axis of a scale that is not empty.
        let highest = match all().fold(0.0, |high: f64, point| high.max(point.1)) {
            0.0 => 1e-3,
            high => high,
        };
        let ink = colour(drawing::INK);
        draw(key.height() + HEIGHT, &self.caption, |area| {
            key.draw(area, |line, from, to| {
                area.draw(&PathElement::new([from, to], agent_colour(line).stroke_width(3)))?;
                marked(line, [((from.0 + to.0) / 2, from.1)]).try_for_each(|mark| area.draw(&mark))
            })?;
            let mut chart = ChartBuilder::on(area)
                .margin_top(key.height())
                .margin_left(4)
                .margin_right(2 * MARGIN)
                .margin_bottom(4)
                .x_label_area_size(48)
                .y_label_area_size(72)
                .build_cartesian_2d(left..right, 0.0..highest * 1.08)?;
            let style = |horizontal, vertical| letters(SMALL, ink, horizontal, vertical);
            chart
                .configure_mesh()
                .x_labels(8)
                .y_labels(6)
                .max_light_lines(0)
                .bold_line_style(colour(drawing::DARK))
                .axis_style(colour(drawing::GRID))
                .x_label_formatter(&|place| self.axis.mark(*place))
                .y_label_formatter(&|value| short(*value, highest))
                .x_desc(self.axis.description())
                .y_desc(self.unit.as_str())
                .x_label_style(style(HPos::Center, VPos::Top))
                .y_label_style(style(HPos::Right, VPos::Center))
                .axis_desc_style(style(HPos::Center, VPos::Top))
                .draw()?;
            for (index, Line { points, .. }) in self.lines.iter().enumerate() {
                let colour = agent_colour(index);
                if points.len() > 1 {
                    chart.draw_series(LineSeries::new(points.iter().copied(), colour.stroke_width(2)))?;
                }
                // Single measurements are shown as points, and so is a line of one point.
                if matches!(self.axis, Axis::Playouts | Axis::Logarithmic(_)) || points.len() == 1 {
                    chart.draw_series(points.iter().map(|&point| Circle::new(point, 3, colour.filled())))?;
                }
                chart.draw_series(marked(index, points.iter().copied()))?;
            }
            Ok(())
        })
    }
}

/// Agents beyond the last colour share one with another agent; circles of different size distinguish them.
fn marked<T: Clone>(agent: usize, points: impl IntoIterator<Item = T>) -> impl Iterator<Item = Circle<T, i32>> {
    let round = agent / drawing::SEATS.len();
    let circle = move |point| Circle::new(point, 2 + 2 * round as i32, agent_colour(agent).stroke_width(1));
    points.into_iter().filter(move |_| round > 0).map(circle)
}

/// The label of a tick on an axis that ends near `highest`.
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

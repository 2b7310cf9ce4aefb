//! What agents give away as playouts grow.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};
use tesuji_core::drawing;

use super::Plot;
use super::canvas::{Key, MARGIN, SMALL, agent_colour, colour, draw, letters};
use crate::GapReport;

/// More lines than this make no picture.
const MOST_LINES: usize = 12;
/// The height of the part with the lines and their axes.
const HEIGHT: i32 = 320;

/// Gaps over playouts, a line for each agent; a player's gaps are averaged with the other's.
pub struct Gaps {
    caption: String,
    lines: Vec<(String, Vec<(f64, f64)>)>,
}

impl Gaps {
    /// The plot, unless there is nothing to draw.
    pub fn of(reports: &[GapReport]) -> Option<Gaps> {
        let line = |report: &GapReport| {
            let mut points: Vec<(u64, f64, f64)> = Vec::new();
            for point in &report.points {
                match points.iter_mut().find(|(playouts, ..)| *playouts == point.playouts) {
                    Some((_, sum, count)) => (*sum, *count) = (*sum + point.gap, *count + 1.0),
                    None => points.push((point.playouts, point.gap, 1.0)),
                }
            }
            points.sort_unstable_by_key(|(playouts, ..)| *playouts);
            let places = points.into_iter().map(|(playouts, sum, count)| ((playouts as f64).log10(), sum / count));
            (report.agent.clone(), places.collect::<Vec<_>>())
        };
        let lines: Vec<_> =
            reports.iter().take(MOST_LINES).map(line).filter(|(_, points)| !points.is_empty()).collect();
        let game = reports.first().map(|report| report.game.as_str()).unwrap_or_default();
        let caption = format!("{game}: what a best reply takes from the first move, by playouts");
        (!lines.is_empty()).then_some(Gaps { caption, lines })
    }
}

impl Plot for Gaps {
    fn caption(&self) -> &str {
        &self.caption
    }

    fn svg(&self) -> String {
        let key = Key::new(self.lines.iter().map(|(label, _)| label));
        let all = || self.lines.iter().flat_map(|(_, points)| points);
        let left = all().fold(f64::INFINITY, |least, point| least.min(point.0)).floor();
        let right = all().fold(f64::NEG_INFINITY, |most, point| most.max(point.0)).max(left + 1.0);
        let highest = all().fold(0.0, |high: f64, point| high.max(point.1)).max(1e-3);
        let ink = colour(drawing::INK);
        draw(key.height() + HEIGHT, &self.caption, |area| {
            key.draw(area, |line, from, to| {
                area.draw(&PathElement::new([from, to], agent_colour(line).stroke_width(3)))
            })?;
            let mut chart = ChartBuilder::on(area)
                .margin_top(key.height())
                .margin_left(4)
                .margin_right(MARGIN)
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
                .x_label_formatter(&|place| {
                    if place.fract() == 0.0 { format!("{:.0}", 10f64.powf(*place)) } else { String::new() }
                })
                .y_label_formatter(&|value| format!("{value:.3}"))
                .x_desc("playouts a decision")
                .y_desc("gap")
                .x_label_style(style(HPos::Center, VPos::Top))
                .y_label_style(style(HPos::Right, VPos::Center))
                .axis_desc_style(style(HPos::Center, VPos::Top))
                .draw()?;
            for (index, (_, points)) in self.lines.iter().enumerate() {
                let colour = agent_colour(index);
                chart.draw_series(LineSeries::new(points.iter().copied(), colour.stroke_width(2)))?;
                chart.draw_series(points.iter().map(|&point| Circle::new(point, 3, colour.filled())))?;
            }
            Ok(())
        })
    }
}

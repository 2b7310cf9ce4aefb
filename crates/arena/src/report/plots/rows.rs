//! Plots with one row per item: its label and number above, and a mark on a common scale below.

use std::ops::Range;

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};
use tesuji_core::drawing;

use super::canvas::{Area, Chart, Drawn, Key, LETTERS, MARGIN, SMALL, WIDTH, colour, draw, fitted, letters, width_of};

/// With more rows the plot is unreadable and omitted.
pub(super) const MOST_ROWS: usize = 60;

/// The height of a row.
const ROW: i32 = 44;
/// The height of the scale with its title.
const SCALE: i32 = 52;

/// A row's label and number.
pub(super) struct Row {
    /// At the left.
    pub label: String,
    /// At the right.
    pub figure: String,
}

/// The frame of a plot in rows.
pub(super) struct Frame<'a> {
    /// A description for screen readers.
    pub name: &'a str,
    /// The legend.
    pub key: Key,
    /// The rows, from the top.
    pub rows: Vec<Row>,
    /// The ends of the scale, finite and in order.
    pub scale: Range<f64>,
    /// What the scale measures.
    pub unit: &'a str,
    /// How its ticks are labelled.
    pub mark: &'a dyn Fn(&f64) -> String,
}

/// The position of a row's mark, in the chart's coordinates.
#[derive(Clone, Copy)]
pub(super) struct Place {
    /// Its upper edge.
    pub top: f64,
    /// Its middle.
    pub middle: f64,
    /// Its lower edge.
    pub bottom: f64,
}

impl Frame<'_> {
    /// Draws the frame, each row's mark by `sign` (row, place), and the marks of the legend by `entry`.
    pub(super) fn svg(
        &self,
        entry: impl Fn(&Area<'_>, usize, (i32, i32), (i32, i32)) -> Drawn,
        sign: impl Fn(&mut Chart<'_, '_>, usize, Place) -> Drawn,
    ) -> String {
        let count = self.rows.len();
        let height = self.key.height() + ROW * count as i32 + SCALE;
        draw(height, self.name, |area| {
            let ink = colour(drawing::INK);
            self.key.draw(area, |index, from, to| entry(area, index, from, to))?;
            let mut chart = ChartBuilder::on(area)
                .margin_top(self.key.height())
                .margin_left(MARGIN)
                .margin_right(MARGIN)
                .margin_bottom(4)
                .x_label_area_size(SCALE - 4)
                .build_cartesian_2d(self.scale.clone(), 0.0..count as f64)?;
            chart
                .configure_mesh()
                .disable_y_mesh()
                .disable_y_axis()
                .x_labels(6)
                .x_max_light_lines(0)
                .bold_line_style(colour(drawing::DARK))
                .axis_style(colour(drawing::GRID))
                .x_label_formatter(self.mark)
                .x_desc(self.unit)
                .label_style(letters(SMALL, ink, HPos::Center, VPos::Top))
                .axis_desc_style(letters(SMALL, ink, HPos::Center, VPos::Top))
                .draw()?;
            for (index, row) in self.rows.iter().enumerate() {
                let base = (count - 1 - index) as f64;
                let (figure, room) = (&row.figure, WIDTH - 2 * MARGIN - width_of(&row.figure, LETTERS) - 12);
                let left = letters(LETTERS, ink, HPos::Left, VPos::Center);
                let right = letters(LETTERS, ink, HPos::Right, VPos::Center);
                let label = fitted(&row.label, LETTERS, room);
                chart.draw_series([Text::new(label, (self.scale.start, base + 0.74), left)])?;
                chart.draw_series([Text::new(figure.clone(), (self.scale.end, base + 0.74), right)])?;
                sign(&mut chart, index, Place { top: base + 0.48, middle: base + 0.3, bottom: base + 0.12 })?;
            }
            Ok(())
        })
    }
}

/// Draws a horizontal bar with ends, as for an interval.
pub(super) fn whisker(chart: &mut Chart<'_, '_>, place: Place, low: f64, high: f64, colour: RGBColor) -> Drawn {
    let reach = (place.top - place.bottom) / 3.0;
    let (up, down) = (place.middle + reach, place.middle - reach);
    let style = colour.stroke_width(2);
    chart.draw_series([
        PathElement::new([(low, place.middle), (high, place.middle)], style),
        PathElement::new([(low, up), (low, down)], style),
        PathElement::new([(high, up), (high, down)], style),
    ])?;
    Ok(())
}

/// The same bar in a legend.
pub(super) fn whisker_sign(area: &Area<'_>, (x1, y): (i32, i32), (x2, _): (i32, i32), colour: RGBColor) -> Drawn {
    let style = colour.stroke_width(2);
    for line in [[(x1, y), (x2, y)], [(x1, y - 4), (x1, y + 4)], [(x2, y - 4), (x2, y + 4)]] {
        area.draw(&PathElement::new(line, style))?;
    }
    Ok(())
}

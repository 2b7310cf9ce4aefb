//! The lengths of matches.

use plotters::prelude::*;
use tesuji_core::drawing;

use super::Plot;
use super::canvas::{Key, agent_colour, colour, mixed};
use super::rows::{Frame, MOST_ROWS, Row, whisker, whisker_sign};
use crate::PairingSummary;
use crate::report::numbers::mean;

/// Lengths of matches by pairing: range, quartiles and mean.
pub(crate) struct Lengths {
    caption: String,
    pairings: Vec<Pairing>,
}

struct Pairing {
    label: String,
    quantiles: [f64; 5],
    mean: f64,
}

impl Lengths {
    /// The plot; `None` if no match is finished.
    pub(crate) fn of(results: &[&PairingSummary]) -> Option<Lengths> {
        let known = results.iter().filter_map(|result| {
            Some(Pairing {
                label: format!("{} – {}", result.first, result.second),
                quantiles: result.step_quantiles?.map(f64::from),
                mean: result.mean_steps.filter(|mean| mean.is_finite())?,
            })
        });
        let pairings: Vec<Pairing> = known.take(MOST_ROWS).collect();
        let caption = "Length of matches: shortest to longest, middle half, median and mean".to_owned();
        (!pairings.is_empty()).then_some(Lengths { caption, pairings })
    }
}

impl Plot for Lengths {
    fn caption(&self) -> &str {
        &self.caption
    }

    fn svg(&self) -> String {
        let green = agent_colour(2);
        let (pale, ink) = (mixed(colour(drawing::PAPER), green, 0.55), colour(drawing::INK));
        let longest = self.pairings.iter().map(|pairing| pairing.quantiles[4]).fold(1.0, f64::max);
        let rows = self
            .pairings
            .iter()
            .map(|pairing| Row { label: pairing.label.clone(), figure: mean(pairing.mean).unwrap_or_default() });
        let frame = Frame {
            name: &self.caption,
            key: Key::new(["range", "middle half", "median", "mean"]),
            rows: rows.collect(),
            scale: 0.0..longest * 1.05,
            unit: "steps",
            mark: &|steps| {
                mean(*steps)
                    .map(|text| text.trim_end_matches(".00").trim_end_matches(".0").to_owned())
                    .unwrap_or_default()
            },
        };
        frame.svg(
            |area, entry, from, to| {
                let middle = (from.0 + to.0) / 2;
                match entry {
                    0 => whisker_sign(area, from, to, ink),
                    1 => area.draw(&Rectangle::new([(from.0, from.1 - 6), (to.0, to.1 + 6)], pale.filled())),
                    2 => area.draw(&PathElement::new([(middle, from.1 - 7), (middle, to.1 + 7)], ink.stroke_width(3))),
                    _ => area.draw(&Circle::new((middle, from.1), 4, agent_colour(0).filled())),
                }
            },
            |chart, row, place| {
                let Pairing { quantiles: [shortest, lower, median, upper, longest], mean, .. } = self.pairings[row];
                whisker(chart, place, shortest, longest, ink)?;
                chart.draw_series([Rectangle::new([(lower, place.bottom), (upper, place.top)], pale.filled())])?;
                let line = [(median, place.bottom), (median, place.top)];
                chart.draw_series([PathElement::new(line, ink.stroke_width(3))])?;
                chart.draw_series([Circle::new((mean, place.middle), 4, agent_colour(0).filled())])?;
                Ok(())
            },
        )
    }
}

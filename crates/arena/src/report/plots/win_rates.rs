//! Win rates with their intervals, next to the published ones.

use plotters::prelude::*;
use tesuji_core::drawing;

use super::Plot;
use super::canvas::{Key, agent_colour, colour, mixed};
use super::rows::{Frame, MOST_ROWS, Row, whisker, whisker_sign};
use crate::PairingSummary;
use crate::report::document::UNKNOWN;
use crate::report::numbers::percent;

/// Win rates of pairings, in percent.
pub(crate) struct WinRates {
    caption: String,
    pairings: Vec<Pairing>,
}

struct Pairing {
    label: String,
    rate: Option<f64>,
    interval: Option<(f64, f64)>,
    published: Option<f64>,
}

impl WinRates {
    /// The plot; `None` if no match is finished.
    pub(crate) fn of(results: &[&PairingSummary]) -> Option<WinRates> {
        results.iter().any(|result| result.win_rate.is_some()).then(|| {
            let mut caption = "Win rate of the first agent, with 95 % interval".to_owned();
            if results.len() > MOST_ROWS {
                caption.push_str(&format!(" (the first {MOST_ROWS} of {} pairings)", results.len()));
            }
            let pairings = results.iter().take(MOST_ROWS).map(|result| Pairing {
                label: format!("{} – {}", result.first, result.second),
                rate: result.win_rate,
                interval: result.interval,
                published: result.published.as_ref().map(|published| published.result.win_rate),
            });
            WinRates { caption, pairings: pairings.collect() }
        })
    }
}

impl Plot for WinRates {
    fn caption(&self) -> &str {
        &self.caption
    }

    fn svg(&self) -> String {
        let [ours, theirs] = [agent_colour(1), agent_colour(0)];
        let (pale, ink) = (mixed(colour(drawing::PAPER), ours, 0.55), colour(drawing::INK));
        let compared = self.pairings.iter().any(|pairing| pairing.published.is_some());
        let key = Key::new(["ours", "95 %", "published"].into_iter().take(if compared { 3 } else { 2 }));
        let rows = self.pairings.iter().map(|pairing| Row {
            label: pairing.label.clone(),
            figure: pairing.rate.and_then(percent).unwrap_or_else(|| UNKNOWN.to_owned()),
        });
        let frame = Frame {
            name: &self.caption,
            key,
            rows: rows.collect(),
            scale: 0.0..100.0,
            unit: "wins and half the draws, %",
            mark: &|share| format!("{share:.0}"),
        };
        frame.svg(
            |area, entry, from, to| match entry {
                0 => area.draw(&Rectangle::new([(from.0, from.1 - 6), (to.0, to.1 + 6)], pale.filled())),
                1 => whisker_sign(area, from, to, ink),
                _ => area.draw(&Circle::new((to.0 - 8, to.1), 6, theirs.filled())),
            },
            |chart, row, place| {
                let pairing = &self.pairings[row];
                chart.draw_series([Rectangle::new(
                    [(0.0, place.bottom), (100.0, place.top)],
                    colour(drawing::DARK).mix(0.4).filled(),
                )])?;
                if let Some(rate) = pairing.rate {
                    let bar = [(0.0, place.bottom), (rate * 100.0, place.top)];
                    chart.draw_series([Rectangle::new(bar, pale.filled())])?;
                }
                let half = [(50.0, place.bottom), (50.0, place.top)];
                chart.draw_series([PathElement::new(half, ink.mix(0.4))])?;
                if let Some((low, high)) = pairing.interval {
                    whisker(chart, place, low * 100.0, high * 100.0, ink)?;
                }
                if let Some(rate) = pairing.published {
                    chart.draw_series([
                        Circle::new((rate * 100.0, place.middle), 7, colour(drawing::PAPER).filled()),
                        Circle::new((rate * 100.0, place.middle), 6, theirs.filled()),
                    ])?;
                }
                Ok(())
            },
        )
    }
}

//! Ratings from the strongest to the weakest agent.

use plotters::prelude::*;
use tesuji_core::drawing;

use super::Plot;
use super::canvas::{Key, agent_colour, colour};
use super::rows::{Frame, MOST_ROWS, Row, whisker, whisker_sign};
use crate::report::numbers::signed;
use crate::statistics::Ratings;

/// The scale extends at least this much Elo beyond the ratings.
const LEAST_ROOM: f64 = 25.0;

/// An agent's label, its rating and the interval of that.
pub(crate) type RatedLabel = (String, f64, Option<(f64, f64)>);

/// Ratings with their intervals.
pub(crate) struct Ladder {
    caption: String,
    agents: Vec<Rated>,
}

struct Rated {
    label: String,
    elo: f64,
    interval: Option<(f64, f64)>,
}

impl Ladder {
    /// The agents that have a rating, in the given order; `None` if there are none.
    pub(crate) fn of(labels: &[&str], ratings: &Ratings, order: &[usize]) -> Option<Ladder> {
        let rated = order.iter().filter_map(|&agent| {
            let rated = ratings.agents.get(agent)?;
            Some(((*labels.get(agent)?).to_owned(), rated.elo?, rated.interval))
        });
        Ladder::rated(rated)
    }

    /// Labels with ratings and intervals, in the given order; `None` if none is finite.
    pub(crate) fn rated(rated: impl Iterator<Item = RatedLabel>) -> Option<Ladder> {
        let rated = rated.filter(|(_, elo, _)| elo.is_finite()).map(|(label, elo, interval)| {
            let interval = interval.filter(|(low, high)| low.is_finite() && high.is_finite());
            Rated { label, elo, interval }
        });
        let agents: Vec<Rated> = rated.take(MOST_ROWS).collect();
        (!agents.is_empty()).then(|| Ladder { caption: "Ratings with 95 % intervals".to_owned(), agents })
    }
}

impl Plot for Ladder {
    fn caption(&self) -> &str {
        &self.caption
    }

    fn svg(&self) -> String {
        let ends =
            || self.agents.iter().map(|agent| agent.interval.map_or((agent.elo, agent.elo), |interval| interval));
        let low = ends().map(|(low, _)| low).fold(0.0, f64::min);
        let high = ends().map(|(_, high)| high).fold(0.0, f64::max);
        let room = ((high - low) * 0.05).max(LEAST_ROOM);
        let (point, ink) = (agent_colour(1), colour(drawing::INK));
        let rows = self
            .agents
            .iter()
            .map(|agent| Row { label: agent.label.clone(), figure: signed(agent.elo, 0).unwrap_or_default() });
        let frame = Frame {
            name: &self.caption,
            key: Key::new(["rating", "95 %"]),
            rows: rows.collect(),
            scale: low - room..high + room,
            unit: "Elo, relative to the mean",
            mark: &|elo| signed(*elo, 0).unwrap_or_default(),
        };
        frame.svg(
            |area, entry, from, to| match entry {
                0 => area.draw(&Circle::new((to.0 - 8, to.1), 6, point.filled())),
                _ => whisker_sign(area, from, to, ink),
            },
            |chart, row, place| {
                let agent = &self.agents[row];
                if let Some((low, high)) = agent.interval {
                    whisker(chart, place, low, high, ink)?;
                }
                chart.draw_series([Circle::new((agent.elo, place.middle), 6, point.filled())])?;
                Ok(())
            },
        )
    }
}

//! Values computed backwards from the ends.

use tesuji_core::Player;

use super::components::Component;
use super::graph::{Graph, Place};

/// The most sweeps over one component: a difference that shrinks by a ten-thousandth per sweep is below 10⁻⁹ by then.
const MOST_SWEEPS: u32 = 300_000;

/// Bounds on shares by state and dimension. A constant-sum game has one dimension, the first player's; others have one
/// per player.
pub(super) struct Values {
    low: Vec<f64>,
    high: Vec<f64>,
    dimensions: usize,
    players: usize,
    /// By end and dimension.
    ends: Vec<f64>,
    /// Whether play can avoid an end forever somewhere.
    pub endless: bool,
}

impl Values {
    fn new(graph: &Graph, dimensions: usize, end_count: usize) -> Values {
        let count = graph.len() * dimensions;
        let ends = (0..end_count as u32).flat_map(|end| (0..dimensions).map(move |player| graph.share(end, player)));
        Values {
            low: vec![0.0; count],
            high: vec![1.0; count],
            dimensions,
            players: graph.players,
            ends: ends.collect(),
            endless: false,
        }
    }

    #[inline]
    fn at(&self, place: Place, dimension: usize) -> (f64, f64) {
        match place {
            Place::State(state) => {
                let index = state as usize * self.dimensions + dimension;
                (self.low[index], self.high[index])
            }
            Place::End(end) => {
                let share = self.ends[end as usize * self.dimensions + dimension];
                (share, share)
            }
        }
    }

    /// The bounds on the value of a distribution.
    pub(super) fn mean(&self, distribution: &[(Place, f64)], dimension: usize) -> (f64, f64) {
        self.sum(distribution.iter().copied(), dimension)
    }

    #[inline]
    fn sum(&self, distribution: impl Iterator<Item = (Place, f64)>, dimension: usize) -> (f64, f64) {
        distribution.fold((0.0, 0.0), |(low, high), (place, probability)| {
            let (least, most) = self.at(place, dimension);
            (low + probability * least, high + probability * most)
        })
    }

    /// The bounds on a player's share, from those of the dimensions.
    pub(super) fn of_player(&self, player: Player, mean: impl Fn(usize) -> (f64, f64)) -> (f64, f64) {
        if self.dimensions == self.players {
            return mean(player.index());
        }
        let (low, high) = mean(0);
        if player.index() == 0 { (low, high) } else { (1.0 - high, 1.0 - low) }
    }
}

/// Two players with a constant sum, or one player: lower and upper bounds within `tolerance` of each other where play
/// must end.
pub(super) fn bounded(graph: &Graph, order: &[Component], tolerance: f64) -> Values {
    let mut values = Values::new(graph, 1, graph.end_count());
    for component in order {
        for _ in 0..MOST_SWEEPS {
            let (mut gap, mut change) = (0.0f64, 0.0f64);
            for &state in &component.states {
                let (low, high) = best(graph, &values, state);
                let index = state as usize;
                // Bounds only ever move together; rounding must not push them apart again.
                let (low, high) = (low.max(values.low[index]), high.min(values.high[index]));
                change = change.max(low - values.low[index]).max(values.high[index] - high);
                (values.low[index], values.high[index]) = (low, high);
                gap = gap.max(high - low);
            }
            if !component.is_circle || gap <= tolerance {
                break;
            }
            if change <= tolerance * 1e-3 {
                values.endless = true;
                values.settle_endless(graph, component, tolerance);
                break;
            }
        }
    }
    values
}

impl Values {
    /// Values of a component whose bounds do not meet, with endless play as a draw: those of matches with a length
    /// limit, for growing limits.
    fn settle_endless(&mut self, graph: &Graph, component: &Component, tolerance: f64) {
        let mut next: Vec<f64> = vec![0.5; component.states.len()];
        for _ in 0..MOST_SWEEPS {
            let mut change = 0.0f64;
            for (&state, &share) in component.states.iter().zip(&next) {
                (self.low[state as usize], self.high[state as usize]) = (share, share);
            }
            for (&state, share) in component.states.iter().zip(&mut next) {
                let (worth, _) = best(graph, self, state);
                change = change.max((worth - *share).abs());
                *share = worth;
            }
            if change <= tolerance * 1e-2 {
                break;
            }
        }
    }
}

/// The bounds on the value that the mover of `state` can reach.
#[inline]
fn best(graph: &Graph, values: &Values, state: u32) -> (f64, f64) {
    let worths = graph.actions(state).map(|action| values.sum(graph.outcomes(action), 0));
    if graph.mover(state).index() == 0 {
        worths.fold((f64::NEG_INFINITY, f64::NEG_INFINITY), |best, worth| (best.0.max(worth.0), best.1.max(worth.1)))
    } else {
        worths.fold((f64::INFINITY, f64::INFINITY), |best, worth| (best.0.min(worth.0), best.1.min(worth.1)))
    }
}

/// Any number of players, any payoffs, no cycles: each player maximises its own share; ties go to the first action.
pub(super) fn inducted(graph: &Graph, order: &[Component]) -> Values {
    let players = graph.players;
    let mut values = Values::new(graph, players, graph.end_count());
    for &state in order.iter().flat_map(|component| &component.states) {
        let own = graph.mover(state).index();
        let worth = |action: usize| values.sum(graph.outcomes(action), own).0;
        let first = graph.actions(state).start;
        let best =
            graph.actions(state).fold(first, |best, action| if worth(action) > worth(best) { action } else { best });
        for player in 0..players {
            let (share, _) = values.sum(graph.outcomes(best), player);
            let index = state as usize * players + player;
            (values.low[index], values.high[index]) = (share, share);
        }
    }
    values
}

//! Double progressive widening: nodes begin with few edges and get more as they are visited.
//!
//! After n visits a node may have tried ⌈factor · n^exponent⌉ of its actions, and nature as many outcomes; another is added,
//! at random, only when that number has grown (Couëtoux and others, "Continuous Upper Confidence Trees", 2011). Where there
//! are many actions or outcomes the tree grows deep instead of broad. Outcomes are drawn by their probabilities, once the
//! number is reached among those drawn before.

use tesuji_core::Rng;

use super::selection::Selection;
use super::tree::Edge;
use crate::arithmetic::power;

/// How fast nodes get more edges.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Widening {
    /// The factor before the power.
    pub factor: f64,
    /// The exponent where players choose; `None`: all actions at once.
    pub actions: Option<f64>,
    /// The exponent where nature draws; `None`: all outcomes at once.
    pub outcomes: Option<f64>,
}

impl Widening {
    /// Has a node visited so often room for another edge beside those tried?
    fn has_room<A>(&self, edges: &[Edge<A>], visits: u32, exponent: f64) -> bool {
        let tried = edges.iter().filter(|edge| edge.visits > 0).count();
        tried == 0 || tried < edges.len() && (tried as f64) < self.factor * power(f64::from(visits.max(1)), exponent)
    }

    /// The action to take.
    pub(super) fn pick_action<A>(
        &self,
        selection: &Selection,
        edges: &[Edge<A>],
        visits: (u32, u32),
        lot: u32,
        rng: &mut Rng,
    ) -> usize {
        match self.actions {
            None => selection.pick(edges, visits.0, visits.1, lot, rng),
            Some(exponent) if self.has_room(edges, visits.0, exponent) => selection.pick_untried(edges, rng),
            Some(_) => selection.pick_tried(edges, visits, rng),
        }
    }

    /// The outcome to take.
    pub(super) fn pick_outcome<A>(&self, edges: &[Edge<A>], visits: u32, rng: &mut Rng) -> usize {
        let all = self.outcomes.is_none_or(|exponent| self.has_room(edges, visits, exponent));
        rng.weighted(edges.iter().map(|edge| if all || edge.visits > 0 { f64::from(edge.weight) } else { 0.0 }))
    }
}

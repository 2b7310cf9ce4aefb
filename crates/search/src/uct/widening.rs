//! Double progressive widening: nodes start with few edges and get more as they are visited.
//!
//! After n visits a node may have tried ⌈factor · n^exponent⌉ of its actions, and a chance node as many outcomes;
//! another is added at random only when that number has grown (Couëtoux and others, "Continuous Upper Confidence
//! Trees", 2011). With many actions or outcomes the tree grows deep instead of broad. Outcomes are drawn by their
//! probabilities; once the number is reached, among those drawn before.

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
    /// The exponent at chance nodes; `None`: all outcomes at once.
    pub outcomes: Option<f64>,
}

impl Widening {
    /// Whether a node with this many visits has room for another edge besides those tried.
    fn has_room<A>(&self, edges: &[Edge<A>], visits: u32, exponent: f64) -> bool {
        let tried = edges.iter().filter(|edge| edge.visits > 0).count();
        tried == 0 || tried < edges.len() && (tried as f64) < self.factor * power(f64::from(visits.max(1)), exponent)
    }

    /// The action to take at a node where one was taken `taken` times.
    pub(super) fn pick_action<A>(
        &self,
        selection: &Selection,
        edges: &[Edge<A>],
        visits: (u32, u32),
        taken: u32,
        rng: &mut Rng,
    ) -> usize {
        match self.actions {
            None => selection.pick(edges, visits.0, visits.1, taken, rng),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tiny_games::{Form, Written, choice, first_decision, over};
    use crate::{Settings, Simulation, Uct};

    fn uct(widening: Option<Widening>) -> Uct<Written> {
        Uct::new(Settings { widening, ..Settings::default() }, Simulation::default())
    }

    fn tried(game: &Written, widening: Option<Widening>, playouts: u64) -> usize {
        let decision = first_decision(game, &mut uct(widening), 0, playouts, 1);
        decision.thought.candidates.iter().filter(|candidate| candidate.visits > 0).count()
    }

    /// Forty actions, one of them better.
    fn many() -> Form {
        let end = |index: usize| if index == 23 { over([0.9, 0.1]) } else { over([0.5, 0.5]) };
        Form::Choice(0, (0..40).map(end).collect())
    }

    #[test]
    fn actions_are_added_with_the_root_of_the_visits() {
        let game = Written::new(2, (0.0, 1.0), many());
        let widening = Some(Widening { factor: 1.0, actions: Some(0.5), outcomes: None });
        assert_eq!([1, 4, 25, 100, 400].map(|playouts| tried(&game, widening, playouts)), [1, 2, 5, 10, 20]);
        assert_eq!(tried(&game, None, 100), 40);
        let decision = first_decision(&game, &mut uct(widening), 0, 3_000, 1);
        assert_eq!(decision.action, 23, "all are tried in the end");
    }

    #[test]
    fn outcomes_keep_their_proportions_among_those_drawn() {
        let share = 1.0 / 60.0;
        let outcomes = (0..60).map(|index| (share, over([f64::from(index % 2), f64::from(1 - index % 2)])));
        let game = Written::new(2, (0.0, 1.0), choice(0, [Form::Chance(outcomes.collect()), over([0.4, 0.6])]));
        for exponent in [0.5, 1.0] {
            let widening = Widening { factor: 2.0, actions: Some(0.5), outcomes: Some(exponent) };
            let decision = first_decision(&game, &mut uct(Some(widening)), 0, 4_000, 3);
            assert_eq!(decision.action, 0);
            assert!((decision.value.unwrap() - 0.5).abs() < 0.1, "{exponent}: {:?}", decision.value);
        }
    }
}

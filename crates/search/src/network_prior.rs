//! The value that a learned evaluation gives to each action, where a search expands a node, or the probability of the
//! action that follows from these values.

use tesuji_core::{Evaluation, Game, Player, Turn, mean_over_chance};

use crate::arithmetic::exp;

/// A learned evaluation of the states that actions lead to.
pub struct NetworkPrior<G: Game> {
    evaluation: Box<dyn Evaluation<G>>,
    /// Whether values become probabilities, and at which temperature.
    temperature: Option<f64>,
    outcomes: Vec<(G::Action, f64)>,
}

impl<G: Game> NetworkPrior<G> {
    /// A prior by an evaluation whose values are shares.
    pub fn new(evaluation: Box<dyn Evaluation<G>>) -> NetworkPrior<G> {
        NetworkPrior { evaluation, temperature: None, outcomes: Vec::new() }
    }

    /// The same prior, which gives each action a probability in proportion to exp(value / `temperature`).
    #[must_use]
    pub fn as_probabilities(mut self, temperature: f64) -> NetworkPrior<G> {
        self.temperature = Some(temperature);
        self
    }

    /// Clears `out` and writes the expected share of `player`, the only mover in `state`, after each of `actions`, or
    /// the probabilities that follow from these shares.
    pub(crate) fn judge(
        &mut self,
        game: &G,
        state: &G::State,
        player: Player,
        actions: &[G::Action],
        out: &mut Vec<f32>,
    ) {
        out.clear();
        for &action in actions {
            let mut next = state.clone();
            game.apply(&mut next, &[action]);
            out.push(self.expected(game, &next, player) as f32);
        }
        if let Some(temperature) = self.temperature {
            softmax(out, temperature as f32);
        }
    }

    /// The prior of each of `count` actions at a joint move, where no single mover's values are known.
    pub(crate) fn of_one_among(&self, count: usize) -> f32 {
        if self.temperature.is_some() { 1.0 / count as f32 } else { 1.0 }
    }

    fn expected(&mut self, game: &G, state: &G::State, player: Player) -> f64 {
        match game.turn(state) {
            Turn::Over => game.spec().normalise(game.payoff(state, player)),
            Turn::Chance if !self.evaluation.covers_chance() => {
                let mut outcomes = std::mem::take(&mut self.outcomes);
                let mean = mean_over_chance(game, state, &mut outcomes, |next| self.expected(game, next, player));
                self.outcomes = outcomes;
                mean
            }
            _ => self.evaluation.value(game, state, player),
        }
    }
}

/// Turns values into probabilities in proportion to exp(value / `temperature`).
fn softmax(values: &mut [f32], temperature: f32) {
    let most = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    for value in &mut *values {
        *value = exp(f64::from((*value - most) / temperature)) as f32;
    }
    let sum: f32 = values.iter().sum();
    values.iter_mut().for_each(|value| *value /= sum);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_become_probabilities() {
        let mut values = [0.5, 0.6, 0.5];
        softmax(&mut values, 0.1);
        let e = std::f32::consts::E;
        for (value, expected) in values.into_iter().zip([1.0 / (2.0 + e), e / (2.0 + e), 1.0 / (2.0 + e)]) {
            assert!((value - expected).abs() < 1e-6, "{values:?}");
        }
        let mut far = [0.0, 1.0];
        softmax(&mut far, 1e-3);
        assert_eq!(far, [0.0, 1.0]);
    }
}

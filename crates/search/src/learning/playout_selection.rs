//! Selection in playouts by score: ε-greedy or Gibbs.

use tesuji_core::Rng;

use crate::arithmetic::exp;

/// How a playout chooses an action by its score, a share in [0, 1].
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum PlayoutSelection {
    /// The best score, ties at random; with probability ε, the choice of the playout policy.
    Greedy {
        /// The probability.
        epsilon: f64,
    },
    /// Proportional to exp(score / temperature).
    Gibbs {
        /// Near 0 only the best counts, far above 1 all count alike.
        temperature: f64,
    },
}

/// Scores are rounded to 1 / this number, so that the Gibbs weights come from a table.
const GRAINS: usize = 1024;

/// Chooses by a [`PlayoutSelection`].
pub(super) struct Chooser {
    epsilon: f64,
    /// The weight of each score, for Gibbs selection.
    weights: Vec<f64>,
}

impl Chooser {
    pub(super) fn new(selection: PlayoutSelection) -> Chooser {
        match selection {
            PlayoutSelection::Greedy { epsilon } => Chooser { epsilon, weights: Vec::new() },
            PlayoutSelection::Gibbs { temperature } => {
                // The greatest weight is 1; `exp` accepts no exponent below −700, where nothing is ever drawn.
                let weight = |grain: usize| exp((grain as f64 / GRAINS as f64 - 1.0) / temperature);
                Chooser { epsilon: 0.0, weights: (0..=GRAINS).map(weight).collect() }
            }
        }
    }

    /// Whether this choice is left to the playout policy.
    #[inline]
    pub(super) fn strays(&self, rng: &mut Rng) -> bool {
        self.epsilon > 0.0 && rng.chance(self.epsilon)
    }

    /// The index of the chosen score; there is at least one.
    #[inline]
    pub(super) fn choose(&self, scores: &[f32], rng: &mut Rng) -> usize {
        if !self.weights.is_empty() {
            let weight = |score: &f32| self.weights[((score * GRAINS as f32) as usize).min(GRAINS)];
            return rng.weighted(scores.iter().map(weight));
        }
        let (mut best, mut best_score, mut equal) = (0, f32::NEG_INFINITY, 1);
        for (place, &score) in scores.iter().enumerate() {
            if score > best_score {
                (best, best_score, equal) = (place, score, 1);
            } else if score == best_score {
                equal += 1;
                if rng.below(equal) == 0 {
                    best = place;
                }
            }
        }
        best
    }
}

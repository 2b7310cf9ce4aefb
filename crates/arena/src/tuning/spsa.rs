//! Simultaneous perturbation stochastic approximation (Spall, "Multivariate stochastic approximation using a
//! simultaneous perturbation gradient approximation", 1992), for numbers.
//!
//! In each step all numbers are moved at random, up or down by the same part of their range. The agent with these
//! numbers plays the agent with the opposite ones, on the same dice and from both sides; the result is the slope in
//! that direction. Numbers are shares of their range here, 0 to 1.

use tesuji_core::Rng;

/// The first perturbation and the first step, as parts of the range.
const PERTURBATION: f64 = 0.15;
const STEP: f64 = 0.06;
/// The exponents of Spall's guidelines: perturbations and steps shrink.
const PERTURBATION_DECAY: f64 = 0.101;
const STEP_DECAY: f64 = 0.602;
/// Steps before the first one, which keep it small (A in Spall's formula, as a part of all steps).
const STABILITY: f64 = 0.1;

/// A search over numbers.
pub(super) struct Spsa {
    point: Vec<f64>,
    /// The sum of the points of the second half.
    sum: Vec<f64>,
    step: u64,
    steps: u64,
}

impl Spsa {
    /// A search of `steps` steps from a point.
    pub(super) fn new(point: Vec<f64>, steps: u64) -> Spsa {
        Spsa { sum: vec![0.0; point.len()], point, step: 0, steps: steps.max(1) }
    }

    /// The two points to compare, and the direction from the second to the first.
    pub(super) fn pair(&self, rng: &mut Rng) -> ([Vec<f64>; 2], Vec<f64>) {
        let size = PERTURBATION / ((self.step + 1) as f64).powf(PERTURBATION_DECAY);
        let direction: Vec<f64> = self.point.iter().map(|_| if rng.below(2) == 0 { -size } else { size }).collect();
        let moved = |sign: f64| {
            self.point.iter().zip(&direction).map(|(value, by)| (value + sign * by).clamp(0.0, 1.0)).collect()
        };
        ([moved(1.0), moved(-1.0)], direction)
    }

    /// Enters the score of the first point against the second, 0 to 1.
    pub(super) fn enter(&mut self, direction: &[f64], score: f64) {
        let stability = STABILITY * self.steps as f64;
        // At the first step the factor is STEP, whatever the number of steps.
        let scale = STEP * (stability + 1.0).powf(STEP_DECAY);
        let step = scale / (stability + 1.0 + self.step as f64).powf(STEP_DECAY);
        for (value, by) in self.point.iter_mut().zip(direction) {
            *value = (*value + step * (2.0 * score - 1.0) * by.signum() / (2.0 * PERTURBATION)).clamp(0.0, 1.0);
        }
        self.step += 1;
        if 2 * self.step > self.steps {
            self.sum.iter_mut().zip(&self.point).for_each(|(sum, value)| *sum += value);
        }
    }

    /// The mean of the points of the second half.
    pub(super) fn mean(&self) -> Vec<f64> {
        let count = self.step.saturating_sub(self.steps / 2);
        if count == 0 { self.point.clone() } else { self.sum.iter().map(|sum| sum / count as f64).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_planted_optimum_is_found_under_noise() {
        let optimum = [0.7, 0.25];
        let strength = |point: &[f64]| -> f64 {
            -point.iter().zip(optimum).map(|(value, best)| (value - best).powi(2)).sum::<f64>()
        };
        let mut misses = 0;
        for seed in 0..20 {
            let mut rng = Rng::new(seed);
            let mut search = Spsa::new(vec![0.5, 0.5], 800);
            for _ in 0..800 {
                let ([one, two], direction) = search.pair(&mut rng);
                let chance = 1.0 / (1.0 + (-12.0 * (strength(&one) - strength(&two))).exp());
                search.enter(&direction, f64::from(u8::from(rng.chance(chance))));
            }
            let off = search.mean().iter().zip(optimum).map(|(value, best)| (value - best).abs()).fold(0.0, f64::max);
            misses += usize::from(off > 0.15);
        }
        assert!(misses <= 3, "{misses} of 20 are off");
    }
}

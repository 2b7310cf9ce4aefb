//! The n-tuple bandit evolutionary algorithm (Lucas, Liu and Perez-Liebana, "The N-Tuple Bandit Evolutionary Algorithm
//! for Game Agent Optimisation", 2018): a search over combinations of values whose results are noisy.
//!
//! A model keeps the mean result of every single value, every pair of values and every whole combination. In each step
//! the neighbours of the current combination are compared by the mean of their upper confidence bounds over these
//! tuples, and the best is tried next.

use std::collections::BTreeMap;

use tesuji_core::Rng;

/// The exploration constant: results lie between 0 and 1.
const EXPLORATION: f64 = 0.5;
/// The number of neighbours compared in a step.
const NEIGHBOURS: usize = 50;
/// Added to the visits of a tuple that was never seen, so that its bound is finite.
const UNSEEN: f64 = 0.5;

/// Visits and the sum of results, by the values of a tuple.
type Statistics = BTreeMap<Vec<usize>, (u64, f64)>;

/// The model of a search over `sizes.len()` parameters with so many values each.
pub(super) struct Ntbea {
    sizes: Vec<usize>,
    /// The parameters of each tuple, and its statistics.
    tuples: Vec<(Vec<usize>, Statistics)>,
    tried: u64,
}

impl Ntbea {
    pub(super) fn new(sizes: Vec<usize>) -> Ntbea {
        let count = sizes.len();
        let singles = (0..count).map(|one| vec![one]);
        let pairs = (0..count).flat_map(|one| (one + 1..count).map(move |two| vec![one, two]));
        let whole = (count > 2).then(|| (0..count).collect());
        let tuples = singles.chain(pairs).chain(whole).map(|places| (places, Statistics::new())).collect();
        Ntbea { sizes, tuples, tried: 0 }
    }

    /// Enters a result from 0 to 1.
    pub(super) fn enter(&mut self, point: &[usize], result: f64) {
        self.tried += 1;
        for (places, statistics) in &mut self.tuples {
            let (visits, sum) = statistics.entry(values(places, point)).or_default();
            (*visits, *sum) = (*visits + 1, *sum + result);
        }
    }

    /// The combination to try after `point`.
    pub(super) fn next(&self, point: &[usize], rng: &mut Rng) -> Vec<usize> {
        let mut best = (f64::NEG_INFINITY, point.to_vec());
        for _ in 0..NEIGHBOURS {
            let mut neighbour = point.to_vec();
            // One value changes for sure, each other one with the probability of one in all.
            let first = rng.below(point.len());
            for (place, (value, &size)) in neighbour.iter_mut().zip(&self.sizes).enumerate() {
                if place == first || rng.below(point.len()) == 0 {
                    *value = rng.below(size);
                }
            }
            // A small random number decides between equals.
            let bound = self.score(&neighbour, EXPLORATION) + 1e-6 * rng.unit();
            if bound > best.0 {
                best = (bound, neighbour);
            }
        }
        best.1
    }

    /// The combination with the best mean by the model, among those tried.
    pub(super) fn best(&self) -> Option<Vec<usize>> {
        // The last tuple is the whole combination, if there is more than one parameter.
        let (places, statistics) = self.tuples.last()?;
        let tried = statistics.keys().filter(|_| places.len() == self.sizes.len());
        tried.max_by(|a, b| self.score(a, 0.0).total_cmp(&self.score(b, 0.0))).cloned()
    }

    /// The mean over all tuples of the mean result plus the confidence bound.
    fn score(&self, point: &[usize], exploration: f64) -> f64 {
        let log = ((1 + self.tried) as f64).ln();
        let score = |(places, statistics): &(Vec<usize>, Statistics)| {
            let (visits, sum) = statistics.get(&values(places, point)).copied().unwrap_or_default();
            let mean = if visits == 0 { 0.5 } else { sum / visits as f64 };
            // Few visits pull the mean to a half, so that a lucky combination is not taken for the best.
            let visits = visits as f64 + UNSEEN;
            (mean * (visits - UNSEEN) + 0.5 * UNSEEN) / visits + exploration * (log / visits).sqrt()
        };
        self.tuples.iter().map(score).sum::<f64>() / self.tuples.len() as f64
    }
}

fn values(places: &[usize], point: &[usize]) -> Vec<usize> {
    places.iter().map(|&place| point[place]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_planted_optimum_is_found_under_noise() {
        let optimum = [2, 0, 4];
        let mut found = 0;
        for seed in 0..20 {
            let mut rng = Rng::new(seed);
            let mut model = Ntbea::new(vec![5, 3, 6]);
            let mut point = vec![0, 2, 0];
            for _ in 0..1_200 {
                let right = point.iter().zip(optimum).filter(|(value, best)| **value == *best).count();
                let result = f64::from(u8::from(rng.chance(0.3 + 0.15 * right as f64)));
                model.enter(&point, result);
                point = model.next(&point, &mut rng);
            }
            found += usize::from(model.best().unwrap() == optimum);
        }
        assert!(found >= 15, "{found} of 20");
    }

    #[test]
    fn one_parameter_is_a_bandit() {
        let mut rng = Rng::new(3);
        let mut model = Ntbea::new(vec![4]);
        let mut point = vec![0];
        for _ in 0..300 {
            model.enter(&point, f64::from(u8::from(rng.chance([0.3, 0.4, 0.7, 0.2][point[0]]))));
            point = model.next(&point, &mut rng);
        }
        assert_eq!(model.best(), Some(vec![2]));
    }
}

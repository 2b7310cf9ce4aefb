//! Pairs of matches with seats swapped, counted by their points: the pentanomial model.
//!
//! The two matches of a pair share dice or opening, so their results are correlated; the pairs are independent.
//! Variances over pairs are correct whatever that correlation is. The Stockfish testing framework (fishtest) and the
//! match runner fastchess use this model.

use serde::Serialize;

use super::evidence::Moments;

/// The number of pairs with 0, 1/2, 1, 1 1/2 and 2 points.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize)]
pub struct Pairs {
    /// Indexed by points times two.
    pub counts: [u64; 5],
}

impl Pairs {
    /// Pairs with the given counts of 0, 1/2, 1, 1 1/2 and 2 points.
    pub fn new(counts: [u64; 5]) -> Pairs {
        Pairs { counts }
    }

    /// From the scores of single matches, each 0, 1/2 or 1, where matches 0 and 1 are a pair, 2 and 3 are, and so on.
    ///
    /// A last match without a partner is ignored.
    pub fn from_scores(scores: &[f64]) -> Pairs {
        Pairs::from_points(scores.chunks_exact(2).map(|pair| pair[0] + pair[1]))
    }

    /// From the points of pairs, each 0, 1/2, 1, 1 1/2 or 2.
    pub fn from_points(points: impl IntoIterator<Item = f64>) -> Pairs {
        let mut pairs = Pairs::default();
        points.into_iter().for_each(|points| pairs.count(points));
        pairs
    }

    /// Counts a pair by its points, rounded to the nearest half point from 0 to 2.
    pub fn count(&mut self, points: f64) {
        // The cast maps NaN to 0, and the clamp bounds the index.
        let slot = &mut self.counts[(points * 2.0).round().clamp(0.0, 4.0) as usize];
        *slot = slot.saturating_add(1);
    }

    /// Adds other pairs.
    pub fn add(&mut self, other: Pairs) {
        for (own, other) in self.counts.iter_mut().zip(other.counts) {
            *own = own.saturating_add(other);
        }
    }

    /// The same pairs from the opponent's view.
    pub fn reversed(&self) -> Pairs {
        let mut counts = self.counts;
        counts.reverse();
        Pairs { counts }
    }

    /// The number of pairs.
    pub fn pairs(&self) -> u64 {
        self.counts.iter().fold(0, |sum, &count| sum.saturating_add(count))
    }

    /// Matches counted: two a pair.
    pub fn matches(&self) -> u64 {
        self.pairs().saturating_mul(2)
    }

    /// The total points.
    pub fn score(&self) -> f64 {
        self.counts.iter().enumerate().map(|(halves, &count)| halves as f64 / 2.0 * count as f64).sum()
    }

    /// Points per match; `None` without pairs.
    pub fn rate(&self) -> Option<f64> {
        Moments::of(&(*self).into()).map(|moments| moments.mean)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_counted_by_their_points() {
        let pairs = Pairs::from_scores(&[1.0, 1.0, 1.0, 0.5, 0.0, 1.0, 0.5, 0.5, 0.0, 0.5, 0.0, 0.0, 1.0]);
        assert_eq!(pairs.counts, [1, 1, 2, 1, 1]);
        assert_eq!((pairs.pairs(), pairs.matches(), pairs.score(), pairs.rate()), (6, 12, 6.0, Some(0.5)));
        assert_eq!(Pairs::from_points([0.0, 0.5, 2.0, 2.0]).counts, [1, 1, 0, 0, 2]);
        assert_eq!(Pairs::from_points([f64::NAN, f64::INFINITY, -3.0]).counts, [2, 0, 0, 0, 1]);
        assert_eq!(Pairs::new([1, 2, 3, 4, 5]).reversed().counts, [5, 4, 3, 2, 1]);
        let mut sum = pairs;
        sum.add(Pairs::new([1, 2, 3, 4, u64::MAX]));
        assert_eq!(sum.counts, [2, 3, 5, 5, u64::MAX]);
        assert_eq!(Pairs::default().rate(), None);
    }
}

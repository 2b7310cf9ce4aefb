//! What a result is worth: counts of matches or pairs, and how many independent ones they stand for.

use serde::Serialize;

use super::pairs::Pairs;
use super::tally::Tally;

/// Independent results of one kind: single matches, or pairs of matches.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Counts {
    /// Matches taken to be independent: the trinomial model.
    #[serde(rename = "games")]
    Matches(Tally),
    /// Pairs of matches: the pentanomial model.
    Pairs(Pairs),
}

impl From<Tally> for Counts {
    fn from(tally: Tally) -> Counts {
        Counts::Matches(tally)
    }
}

impl From<Pairs> for Counts {
    fn from(pairs: Pairs) -> Counts {
        Counts::Pairs(pairs)
    }
}

impl Counts {
    /// The number of units (matches or pairs) with each result, worst first; the results are equally spaced from 0 to
    /// 1.
    pub(super) fn by_result(&self) -> Vec<u64> {
        match self {
            Counts::Matches(tally) => vec![tally.losses, tally.draws, tally.wins],
            Counts::Pairs(pairs) => pairs.counts.to_vec(),
        }
    }

    /// Matches in a unit.
    fn matches_per_unit(&self) -> f64 {
        match self {
            Counts::Matches(_) => 1.0,
            Counts::Pairs(_) => 2.0,
        }
    }
}

/// Counts, and the weight of each unit: below 1 where units are copies of others (see
/// [`duplicates`](super::duplicates())).
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Evidence {
    counts: Counts,
    weight: f64,
}

impl From<Counts> for Evidence {
    fn from(counts: Counts) -> Evidence {
        Evidence { counts, weight: 1.0 }
    }
}

impl From<Tally> for Evidence {
    fn from(tally: Tally) -> Evidence {
        Counts::from(tally).into()
    }
}

impl From<Pairs> for Evidence {
    fn from(pairs: Pairs) -> Evidence {
        Counts::from(pairs).into()
    }
}

impl Evidence {
    /// Counts that are worth as much as `units` independent units: at most their number.
    ///
    /// ```
    /// use tesuji_arena::statistics::{Evidence, Pairs, pair_interval};
    ///
    /// // A hundred copies of one pair that was won are one pair that was won.
    /// let copies = Evidence::worth(Pairs::new([0, 0, 0, 0, 100]), 1.0);
    /// assert_eq!(pair_interval(copies, 0.95), pair_interval(Pairs::new([0, 0, 0, 0, 1]), 0.95));
    /// ```
    pub fn worth(counts: impl Into<Counts>, units: f64) -> Evidence {
        let counts = counts.into();
        let total: f64 = counts.by_result().iter().map(|&count| count as f64).sum();
        let weight = if total > 0.0 && units >= 0.0 { (units / total).min(1.0) } else { 1.0 };
        Evidence { counts, weight }
    }

    /// The counts without their weight.
    pub(super) fn counts(&self) -> &Counts {
        &self.counts
    }

    /// Whether every unit counts in full.
    pub(super) fn is_full(&self) -> bool {
        self.weight == 1.0
    }

    /// The weight of each result, worst first; the results are equally spaced from 0 to 1.
    pub(super) fn weights(&self) -> Vec<f64> {
        self.counts.by_result().iter().map(|&count| count as f64 * self.weight).collect()
    }

    /// The results from 0 to 1 that occurred, with their weights.
    pub(super) fn weighted(&self) -> Vec<(f64, f64)> {
        let weights = self.weights();
        let step = 1.0 / (weights.len() - 1) as f64;
        let places = weights.iter().enumerate().filter(|(_, weight)| **weight > 0.0);
        places.map(|(index, &weight)| (index as f64 * step, weight)).collect()
    }

    /// Matches in a unit.
    pub(super) fn matches_per_unit(&self) -> f64 {
        self.counts.matches_per_unit()
    }
}

/// Number, mean and variance of units, each with a result from 0 to 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moments {
    /// The number of independent units, above 0.
    pub(super) units: f64,
    /// The mean result, from 0 to 1.
    pub(super) mean: f64,
    /// The mean squared distance from the mean (divided by the number of units, not by one less).
    pub(super) variance: f64,
}

impl Moments {
    /// `None` without units.
    pub(super) fn of(evidence: &Evidence) -> Option<Moments> {
        let results = evidence.weighted();
        let units: f64 = results.iter().map(|(_, weight)| weight).sum();
        if units <= 0.0 {
            return None;
        }
        let values = || results.iter().map(|&(value, weight)| (value, weight / units));
        // A single kind of unit is its own mean, and its variance is exactly 0, whatever rounding does.
        if let [(value, _)] = results[..] {
            return Some(Moments { units, mean: value, variance: 0.0 });
        }
        let mean = values().map(|(value, share)| value * share).sum::<f64>().clamp(0.0, 1.0);
        let variance = values().map(|(value, share)| share * (value - mean) * (value - mean)).sum();
        Some(Moments { units, mean, variance })
    }

    /// The standard error of the mean, with the variance divided by the number of units minus one; 0 for equal units.
    pub(super) fn student_error(&self) -> f64 {
        if self.variance == 0.0 { 0.0 } else { (self.variance / (self.units - 1.0).max(1.0)).sqrt() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Four pairs 0, 1, 1, 2 points: mean 1/2, squared distances 1/4, 0, 0, 1/4.
    #[test]
    fn moments_by_hand() {
        let moments = Moments::of(&Pairs::new([1, 0, 2, 0, 1]).into()).unwrap();
        assert_eq!((moments.units, moments.mean, moments.variance), (4.0, 0.5, 0.125));
        assert!((moments.student_error() - (0.125f64 / 3.0).sqrt()).abs() < 1e-15);
        assert!(Moments::of(&Tally::default().into()).is_none());
    }

    #[test]
    fn copies_keep_the_mean_and_lose_weight() {
        let half = Evidence::worth(Pairs::new([2, 0, 4, 0, 2]), 4.0);
        let moments = Moments::of(&half).unwrap();
        assert_eq!((moments.units, moments.mean, moments.variance), (4.0, 0.5, 0.125));
        // Nothing is worth more than it is.
        assert!(Evidence::worth(Pairs::new([1, 0, 0, 0, 1]), 9.0).is_full());
        assert!(Evidence::worth(Pairs::default(), 0.0).is_full());
    }
}

//! Comparison of our result with a published one: an equivalence test.
//!
//! Two results agree if they cannot differ by more than a tolerance, not if no difference was found: with few matches
//! hardly any difference is found. So the whole interval of the difference must lie within the tolerance (D. J.
//! Schuirmann, "A comparison of the two one-sided tests procedure and the power approach for assessing the equivalence
//! of average bioavailability", 1987; the interval at 95 % makes it stricter than his at 90 %).
//!
//! Publications give a win rate and a number of matches, but hardly ever the pairs. Their interval is Wilson's over
//! independent matches; ours is the one over pairs. The interval of the difference combines the two as R. G. Newcombe
//! does, "Interval estimation for the difference between independent proportions: comparison of eleven methods",
//! Statistics in Medicine 17 (1998), 873-890, method 10; for intervals of any kind: G. Y. Zou and A. Donner, Statistics
//! in Medicine 27 (2008).

use serde::Serialize;

use super::interval::wilson_effective;
use super::tally::Tally;

/// The greatest difference that still counts as agreement: ten percentage points of win rate. Agents of equal strength
/// show it with 800 matches on either side in 19 of 20 comparisons, with 200 only if the results come out equal.
pub const DEFAULT_TOLERANCE: f64 = 0.1;

/// The confidence of the interval of the difference.
const CONFIDENCE: f64 = 0.95;

/// A win rate and the number of independent matches behind it.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Sample {
    /// Score per match, draws counted as halves.
    pub rate: f64,
    /// Matches, or as many independent matches as they are worth.
    #[serde(rename = "games")]
    pub matches: f64,
}

impl Sample {
    /// A published win rate (0 to 1) over this many matches.
    pub fn of_rate(rate: f64, matches: u64) -> Sample {
        Sample { rate, matches: matches as f64 }
    }

    /// The rate with Wilson's interval; `None` without matches or for a rate outside [0, 1].
    pub fn estimate(self, confidence: f64) -> Option<Estimate> {
        let interval = wilson_effective(self.rate, self.matches, confidence)?;
        Some(Estimate { rate: self.rate, interval })
    }
}

impl From<Tally> for Sample {
    /// Without matches the rate is 1/2, which no function uses.
    fn from(tally: Tally) -> Sample {
        Sample { rate: tally.rate().unwrap_or(0.5), matches: tally.matches() as f64 }
    }
}

/// A win rate with its interval at 95 %.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Estimate {
    /// Score per match, draws counted as halves.
    pub rate: f64,
    /// The interval, which contains the rate.
    pub interval: (f64, f64),
}

/// Whether two results agree.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The whole interval of the difference lies within the tolerance.
    Agrees,
    /// The interval of the difference excludes 0 and leaves the tolerance.
    Differs,
    /// The interval includes 0 and leaves the tolerance: it is too wide to say more.
    #[serde(rename = "not_enough_games")]
    NotEnoughMatches,
}

/// A verdict with its evidence.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Agreement {
    /// What follows.
    pub verdict: Verdict,
    /// Our rate minus the published one; `None` without matches on both sides.
    pub difference: Option<f64>,
    /// The 95 % interval of the difference.
    pub interval: Option<(f64, f64)>,
    /// The greatest difference that still counts as agreement.
    pub tolerance: f64,
}

/// Compares our result with a published one; see [`Verdict`] and [`DEFAULT_TOLERANCE`].
pub fn agrees(published: impl Into<Sample>, ours: Option<Estimate>, tolerance: f64) -> Agreement {
    let compared = ours.zip(published.into().estimate(CONFIDENCE));
    let interval = compared.map(|(ours, published)| difference_interval(ours, published));
    let verdict = match interval {
        Some((low, high)) if low >= -tolerance && high <= tolerance => Verdict::Agrees,
        Some((low, high)) if low > 0.0 || high < 0.0 => Verdict::Differs,
        _ => Verdict::NotEnoughMatches,
    };
    Agreement { verdict, difference: compared.map(|(ours, published)| ours.rate - published.rate), interval, tolerance }
}

/// Newcombe's hybrid score interval (method 10) for the first rate minus the second; `None` if either side has no
/// matches or a rate outside [0, 1].
pub fn newcombe(first: Sample, second: Sample, confidence: f64) -> Option<(f64, f64)> {
    Some(difference_interval(first.estimate(confidence)?, second.estimate(confidence)?))
}

/// The interval of the first rate minus the second, from the intervals of both.
fn difference_interval(first: Estimate, second: Estimate) -> (f64, f64) {
    let difference = first.rate - second.rate;
    let below = (first.rate - first.interval.0).hypot(second.interval.1 - second.rate);
    let above = (first.interval.1 - first.rate).hypot(second.rate - second.interval.0);
    ((difference - below).max(-1.0), (difference + above).min(1.0))
}

#[cfg(test)]
mod tests {
    use tesuji_core::Rng;

    use super::*;

    /// The worked contrasts (a) to (h) of Newcombe 1998, table II, method 10.
    #[test]
    fn newcombe_agrees_with_published_examples() {
        for (wins1, matches1, wins2, matches2, low, high) in [
            (56.0, 70, 48.0, 80, 0.0524, 0.3339),
            (9.0, 10, 3.0, 10, 0.1705, 0.8090),
            (6.0, 7, 2.0, 7, 0.0582, 0.8062),
            (5.0, 56, 0.0, 29, -0.0381, 0.1926),
            (0.0, 10, 0.0, 20, -0.1611, 0.2775),
            (0.0, 10, 0.0, 10, -0.2775, 0.2775),
            (10.0, 10, 0.0, 20, 0.6791, 1.0),
            (10.0, 10, 0.0, 10, 0.6075, 1.0),
        ] {
            let sample = |wins: f64, matches: u64| Sample::of_rate(wins / matches as f64, matches);
            let given = newcombe(sample(wins1, matches1), sample(wins2, matches2), 0.95).unwrap();
            assert!((given.0 - low).abs() < 5.1e-5 && (given.1 - high).abs() < 5.1e-5, "{given:?} {low} {high}");
        }
    }

    #[test]
    fn verdicts() {
        let verdict =
            |ours: Sample, published: Sample| agrees(published, ours.estimate(CONFIDENCE), DEFAULT_TOLERANCE).verdict;
        // Newcombe's first contrast excludes 0.
        assert_eq!(verdict(Sample::of_rate(0.8, 70), Sample::of_rate(0.6, 80)), Verdict::Differs);
        assert_eq!(verdict(Sample::of_rate(0.6, 80), Sample::of_rate(0.8, 70)), Verdict::Differs);
        assert_eq!(verdict(Sample::of_rate(0.5, 20), Sample::of_rate(0.5, 20)), Verdict::NotEnoughMatches);
        assert_eq!(verdict(Sample::of_rate(0.52, 1000), Sample::of_rate(0.5, 1000)), Verdict::Agrees);
        // Certainly different, and certainly within ten points.
        assert_eq!(verdict(Sample::of_rate(0.53, 100_000), Sample::of_rate(0.5, 100_000)), Verdict::Agrees);
        // No difference is seen, but one of twelve points would not be either.
        assert_eq!(verdict(Sample::of_rate(0.53, 200), Sample::of_rate(0.5, 200)), Verdict::NotEnoughMatches);
        let none = agrees(Sample::of_rate(0.5, 100), None, DEFAULT_TOLERANCE);
        assert_eq!((none.verdict, none.difference, none.interval), (Verdict::NotEnoughMatches, None, None));
        let tally = Tally { wins: 400, draws: 200, losses: 400 };
        let ours = Sample::from(tally).estimate(CONFIDENCE);
        assert_eq!(agrees(tally, ours, 0.05).verdict, Verdict::Agrees);
        assert_eq!(agrees(tally, ours, 0.01).verdict, Verdict::NotEnoughMatches);
    }

    /// Results whose true difference is exactly the tolerance are called equal in at most 2.5 % of comparisons; the
    /// rule "no difference found, and the interval is narrow" called them equal in about half.
    #[test]
    fn a_difference_of_the_tolerance_is_hardly_ever_agreement() {
        let mut rng = Rng::new(3);
        let mut wins = |rate: f64, matches: u64| (0..matches).filter(|_| rng.chance(rate)).count() as f64;
        for matches in [200, 1000] {
            let agreed = (0..2000)
                .filter(|_| {
                    let sample = |wins: f64| Sample { rate: wins / matches as f64, matches: matches as f64 };
                    let (ours, published) = (sample(wins(0.6, matches)), sample(wins(0.5, matches)));
                    agrees(published, ours.estimate(CONFIDENCE), DEFAULT_TOLERANCE).verdict == Verdict::Agrees
                })
                .count();
            // 2.5 % of 2,000 are 50; three standard errors more.
            assert!(agreed <= 71, "{matches}: {agreed}");
        }
    }
}

//! Comparison of our result with a published one.
//!
//! Publications give a win rate and a number of matches, but hardly ever the pairs, so both sides are compared as
//! independent matches: R. G. Newcombe's hybrid score interval for the difference of two rates, "Interval estimation
//! for the difference between independent proportions: comparison of eleven methods", Statistics in Medicine 17 (1998),
//! 873-890, method 10. Draws counted as halves only shrink the variance, so the interval is conservative (too wide).

use serde::Serialize;

use super::interval::wilson_effective;
use super::tally::Tally;

/// The greatest half-width of the difference's interval for which "no difference seen" means agreement: ten percentage
/// points of win rate, which takes about 200 matches on either side.
pub const DEFAULT_TOLERANCE: f64 = 0.1;

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
    /// A published win rate (0 to 1) over so many matches.
    pub fn of_rate(rate: f64, matches: u64) -> Sample {
        Sample { rate, matches: matches as f64 }
    }

    /// The same rate with the evidence of fewer matches, where matches repeat others.
    pub fn with_effective_matches(self, matches: f64) -> Sample {
        Sample { matches, ..self }
    }
}

impl From<Tally> for Sample {
    /// Without matches the rate is 1/2, which no function uses.
    fn from(tally: Tally) -> Sample {
        Sample { rate: tally.rate().unwrap_or(0.5), matches: tally.matches() as f64 }
    }
}

/// Whether two results agree.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// No difference is seen, and one above the tolerance would have been.
    Agrees,
    /// The interval of the difference excludes 0.
    Differs,
    /// No difference is seen, but the interval is too wide to say more.
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
    /// Newcombe's 95 % interval of the difference.
    pub interval: Option<(f64, f64)>,
    /// The half-width above which the interval decides nothing.
    pub tolerance: f64,
}

/// Compares our result with a published one at 95 %; see [`Verdict`] and [`DEFAULT_TOLERANCE`].
pub fn agrees(published: impl Into<Sample>, ours: impl Into<Sample>, tolerance: f64) -> Agreement {
    let (published, ours) = (published.into(), ours.into());
    let interval = newcombe(ours, published, 0.95);
    let verdict = match interval {
        Some((low, high)) if low > 0.0 || high < 0.0 => Verdict::Differs,
        Some((low, high)) if (high - low) / 2.0 <= tolerance => Verdict::Agrees,
        _ => Verdict::NotEnoughMatches,
    };
    Agreement { verdict, difference: interval.map(|_| ours.rate - published.rate), interval, tolerance }
}

/// Newcombe's hybrid score interval (method 10) for the first rate minus the second; `None` if either side has no
/// matches or a rate outside [0, 1].
pub fn newcombe(first: Sample, second: Sample, confidence: f64) -> Option<(f64, f64)> {
    let (low1, high1) = wilson_effective(first.rate, first.matches, confidence)?;
    let (low2, high2) = wilson_effective(second.rate, second.matches, confidence)?;
    let difference = first.rate - second.rate;
    let below = (first.rate - low1).hypot(high2 - second.rate);
    let above = (high1 - first.rate).hypot(second.rate - low2);
    Some(((difference - below).max(-1.0), (difference + above).min(1.0)))
}

#[cfg(test)]
mod tests {
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
        let verdict = |ours: Sample, published: Sample| agrees(published, ours, DEFAULT_TOLERANCE).verdict;
        // Newcombe's first contrast excludes 0.
        assert_eq!(verdict(Sample::of_rate(0.8, 70), Sample::of_rate(0.6, 80)), Verdict::Differs);
        assert_eq!(verdict(Sample::of_rate(0.6, 80), Sample::of_rate(0.8, 70)), Verdict::Differs);
        assert_eq!(verdict(Sample::of_rate(0.5, 20), Sample::of_rate(0.5, 20)), Verdict::NotEnoughMatches);
        assert_eq!(verdict(Sample::of_rate(0.52, 1000), Sample::of_rate(0.5, 1000)), Verdict::Agrees);
        let none = agrees(Sample::of_rate(0.5, 100), Tally::default(), DEFAULT_TOLERANCE);
        assert_eq!((none.verdict, none.difference, none.interval), (Verdict::NotEnoughMatches, None, None));
        // A thousand copies of ten matches are ten matches.
        let copies = Sample::of_rate(0.52, 1000).with_effective_matches(10.0);
        assert_eq!(verdict(copies, Sample::of_rate(0.5, 1000)), Verdict::NotEnoughMatches);
        let tally = Tally { wins: 400, draws: 200, losses: 400 };
        assert_eq!(agrees(tally, tally, 0.05).verdict, Verdict::Agrees);
        assert_eq!(agrees(tally, tally, 0.01).verdict, Verdict::NotEnoughMatches);
    }
}

//! Strength differences: Elo difference, normalised Elo and likelihood of superiority.
//!
//! *Logistic Elo* is the difference at which the expected score 1 / (1 + 10^(-d/400)) equals the observed one (A. Elo,
//! "The Rating of Chessplayers", 1978). *Normalised Elo* (M. Van den Bergh, `normalized_elo_practical`,
//! www.cantate.be/Fishtest) divides the distance of the score from 1/2 by the standard deviation of a match: unlike
//! logistic Elo it does not shrink when draws or balanced openings become more common, and the number of matches a test
//! needs depends on it alone. Both use the variance of matches or of pairs, depending on the counts.

use serde::Serialize;
use statrs::distribution::{ContinuousCDF, Normal};

use super::evidence::{Evidence, Moments};
use super::interval::{normal_quantile, pair_interval};
use super::likelihood::Likelihood;

/// Normalised Elo of a score one standard deviation (of a match) above 1/2: 800 / ln 10, so that it equals logistic
/// Elo for small differences without draws.
pub(super) const NORMALISED_UNIT: f64 = 800.0 / std::f64::consts::LN_10;

/// The expected score of an agent that is `elo` stronger.
pub fn rate_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The logistic Elo difference of an expected score; `None` unless it is strictly between 0 and 1.
pub fn elo_of_rate(rate: f64) -> Option<f64> {
    (rate > 0.0 && rate < 1.0).then(|| 400.0 * (rate / (1.0 - rate)).log10())
}

/// A logistic Elo difference with its interval. `None` means not determinable: there is no bound on that side.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct EloDifference {
    /// The estimate; `None` after only wins or only losses.
    pub elo: Option<f64>,
    /// The lower end of the interval.
    pub low: Option<f64>,
    /// The upper end of the interval.
    pub high: Option<f64>,
}

impl EloDifference {
    /// Half the width of the interval: the "plus or minus"; `None` if an end is missing.
    pub fn error(&self) -> Option<f64> {
        Some((self.high? - self.low?) / 2.0)
    }
}

/// The Elo difference with a two-sided interval at `confidence`: the ends of
/// [`pair_interval`](super::pair_interval()), converted.
///
/// After only wins (losses) there is only a lower (upper) end. `None` without units.
pub fn elo_difference(counts: impl Into<Evidence>, confidence: f64) -> Option<EloDifference> {
    let evidence = counts.into();
    let (low, high) = pair_interval(evidence, confidence)?;
    let rate = Moments::of(&evidence)?.mean;
    Some(EloDifference { elo: elo_of_rate(rate), low: elo_of_rate(low), high: elo_of_rate(high) })
}

/// Normalised Elo with its error.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct NormalisedElo {
    /// The estimate.
    pub elo: f64,
    /// The "plus or minus" at the requested confidence: z / √games in units of 800 / ln 10, the error for differences
    /// that are small compared with the deviation.
    pub error: f64,
}

/// Normalised Elo at `confidence`: (mean - 1/2) / deviation of a match, times 800 / ln 10.
///
/// Over pairs the deviation of a match is √2 times that of a pair's mean. `None` without units or if all are equal.
pub fn normalised_elo(counts: impl Into<Evidence>, confidence: f64) -> Option<NormalisedElo> {
    let evidence = counts.into();
    let moments = Moments::of(&evidence)?;
    let z = normal_quantile(confidence)?;
    if moments.variance == 0.0 {
        return None;
    }
    let per_unit = evidence.matches_per_unit();
    let elo = (moments.mean - 0.5) / (per_unit * moments.variance).sqrt() * NORMALISED_UNIT;
    let error = z * NORMALISED_UNIT / (per_unit * moments.units).sqrt();
    elo.is_finite().then_some(NormalisedElo { elo, error })
}

/// The likelihood of superiority: the probability that the true score is above 1/2.
///
/// It is the normal distribution function of the signed root of the likelihood ratio against 1/2, the statistic of
/// [`pair_interval`](super::pair_interval()): above 97.5 % exactly if the interval at 95 % lies above 1/2. `None`
/// without units.
pub fn superiority(counts: impl Into<Evidence>) -> Option<f64> {
    let evidence = counts.into();
    let lead = Moments::of(&evidence)?.mean - 0.5;
    let likelihood = Likelihood::adjusted(&evidence.weighted())?;
    let root = (2.0 * likelihood.ratio(0.5) / likelihood.bartlett()).sqrt();
    Some(Normal::standard().cdf(if lead < 0.0 { -root } else { root })).filter(|chance| chance.is_finite())
}

#[cfg(test)]
mod tests {
    use super::super::pairs::Pairs;
    use super::super::tally::Tally;
    use super::*;

    fn near(given: f64, expected: f64, tolerance: f64) {
        assert!((given - expected).abs() <= tolerance, "{given} instead of {expected}");
    }

    /// Closed forms: 10 to 1 is 400 points and 3 to 1 is 400 log10 3; and the scores that tables of the logistic curve
    /// give for 100 and -200 points, 64.0 % and 24.0 %.
    #[test]
    fn rates_and_differences_convert() {
        near(elo_of_rate(10.0 / 11.0).unwrap(), 400.0, 1e-9);
        near(elo_of_rate(0.75).unwrap(), 190.8485, 1e-4);
        near(rate_of_elo(100.0), 0.640065, 1e-6);
        near(rate_of_elo(-200.0), 0.240253, 1e-6);
        assert_eq!(
            (elo_of_rate(0.5), elo_of_rate(1.0), elo_of_rate(0.0), elo_of_rate(f64::NAN)),
            (Some(0.0), None, None, None)
        );
    }

    /// The published expectations of the match runner fastchess (its test suite, `elo_test.cpp`), trinomial: wins,
    /// losses, draws, then normalised Elo, its error, Elo, its error, likelihood of superiority. The errors of Elo and
    /// the superiority there are those of the normal distribution, which ours approach.
    #[test]
    fn matches_agree_with_fastchess() {
        let tally = |wins, losses, draws| Tally { wins, draws, losses };
        let first = tally(76, 89, 123);
        let normalised = normalised_elo(first, 0.95).unwrap();
        near(normalised.elo, -20.76, 0.006);
        near(normalised.error, 40.13, 0.006);
        near(superiority(first).unwrap(), 0.1553, 1e-3);
        let second = tally(136, 96, 111);
        let normalised = normalised_elo(second, 0.95).unwrap();
        near(normalised.elo, 49.77, 0.006);
        near(normalised.error, 36.77, 0.006);
        let elo = elo_difference(second, 0.95).unwrap();
        near(elo.elo.unwrap(), 40.70, 0.006);
        near(elo.error().unwrap(), 30.43, 0.3);
        near(superiority(second).unwrap(), 0.9960, 1e-3);
        let third = normalised_elo(tally(34, 356, 0), 0.95).unwrap();
        near(third.elo, -508.44, 0.006);
        near(third.error, 34.48, 0.006);
    }

    /// The same source, pentanomial.
    #[test]
    fn pairs_agree_with_fastchess() {
        let cases = [
            ([34, 54, 63, 64, 75], 57.94, 28.28, 55.58, 27.65, 1.0),
            ([332, 433, 498, 333, 334], -9.17, 10.96, -8.64, 10.33, 0.0505),
            ([7895, 8757, 5685, 568, 9999], -19.01, 2.65, -21.04, 2.95, 0.0),
        ];
        for (counts, normalised, normalised_error, elo, error, sure) in cases {
            let pairs = Pairs::new(counts);
            let given = normalised_elo(pairs, 0.95).unwrap();
            near(given.elo, normalised, 0.006);
            near(given.error, normalised_error, 0.006);
            let given = elo_difference(pairs, 0.95).unwrap();
            near(given.elo.unwrap(), elo, 0.006);
            near(given.error().unwrap(), error, 0.01 * error);
            near(superiority(pairs).unwrap(), sure, 1e-3);
        }
    }

    /// Without draws and near equality normalised Elo is logistic Elo.
    #[test]
    fn normalised_elo_is_elo_for_small_differences() {
        let tally = Tally { wins: 50_100, draws: 0, losses: 49_900 };
        let logistic = elo_difference(tally, 0.95).unwrap().elo.unwrap();
        near(normalised_elo(tally, 0.95).unwrap().elo, logistic, 1e-4);
    }

    /// Ten wins bound the difference on one side only.
    #[test]
    fn a_clean_sweep_has_only_a_bound() {
        let sweep = Tally { wins: 10, draws: 0, losses: 0 };
        let won = elo_difference(sweep, 0.95).unwrap();
        assert_eq!((won.elo, won.high, won.error()), (None, None, None));
        let (low, _) = pair_interval(sweep, 0.95).unwrap();
        near(won.low.unwrap(), 400.0 * (low / (1.0 - low)).log10(), 1e-9);
        let lost = elo_difference(sweep.reversed(), 0.95).unwrap();
        assert_eq!((lost.elo, lost.low), (None, None));
        near(lost.high.unwrap(), -won.low.unwrap(), 1e-9);
        assert_eq!(normalised_elo(sweep, 0.95), None);
        let sure = superiority(sweep).unwrap();
        assert!(sure > 0.999 && sure < 1.0, "{sure}");
        near(superiority(sweep.reversed()).unwrap(), 1.0 - sure, 1e-12);
    }

    #[test]
    fn draws_alone_are_equality_without_certainty() {
        let drawn = elo_difference(Tally { wins: 0, draws: 20, losses: 0 }, 0.95).unwrap();
        assert_eq!(drawn.elo, Some(0.0));
        assert!(drawn.low.unwrap() < -25.0 && drawn.high.unwrap() > 25.0);
        assert_eq!(superiority(Pairs::new([0, 0, 9, 0, 0])), Some(0.5));
        assert_eq!(elo_difference(Tally::default(), 0.95), None);
        assert_eq!(superiority(Tally::default()), None);
    }
}

//! Confidence intervals of a win rate.

use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

use super::pairs::{Moments, Pairs};

/// From this many degrees of freedom on, Student's distribution is treated as normal: the relevant quantiles differ by
/// less than one part in 10⁵.
const NORMAL_FROM: f64 = 1e5;

/// Wilson's score interval for a share of `score` in `matches`, at `confidence` (such as 0.95).
///
/// Draws counted as halves only shrink the variance, so for matches with draws it errs on the wide side. `None` without
/// matches, for a score that is not between 0 and `matches`, or a confidence that is not between 0 and 1. E. B. Wilson,
/// "Probable inference", JASA 22 (1927), 209-212.
pub fn wilson(score: f64, matches: u64, confidence: f64) -> Option<(f64, f64)> {
    if matches == 0 { None } else { wilson_effective(score / matches as f64, matches as f64, confidence) }
}

/// Wilson's score interval for a `rate` seen in as much evidence as `matches` independent matches, which need not be a
/// whole number: the effective number of matches where some repeat others ([`duplicates`](super::duplicates())).
///
/// `None` where [`wilson`] is.
pub fn wilson_effective(rate: f64, matches: f64, confidence: f64) -> Option<(f64, f64)> {
    let z = normal_quantile(confidence)?;
    if !(matches > 0.0 && matches.is_finite() && (0.0..=1.0).contains(&rate)) {
        return None;
    }
    let z2n = z * z / matches;
    let centre = (rate + z2n / 2.0) / (1.0 + z2n);
    let reach = z / (1.0 + z2n) * (rate * (1.0 - rate) / matches + z2n / (4.0 * matches)).sqrt();
    let low = if rate == 0.0 { 0.0 } else { (centre - reach).clamp(0.0, rate) };
    let high = if rate == 1.0 { 1.0 } else { (centre + reach).clamp(rate, 1.0) };
    (low.is_finite() && high.is_finite()).then_some((low, high))
}

/// Student's interval for the mean of independent `samples`. Its width is 0 if they are all equal, which says little
/// about rare results: see [`pair_interval`]. `None` with fewer than two samples, or if one is not finite.
pub fn mean_interval(samples: &[f64], confidence: f64) -> Option<(f64, f64)> {
    if samples.len() < 2 {
        return None;
    }
    let n = samples.len() as f64;
    let mean = samples.iter().sum::<f64>() / n;
    let variance = samples.iter().map(|sample| (sample - mean).powi(2)).sum::<f64>() / (n - 1.0);
    let reach = student_quantile(confidence, n - 1.0)? * (variance / n).sqrt();
    (mean.is_finite() && reach.is_finite()).then_some((mean - reach, mean + reach))
}

/// Student's interval for the win rate over pairs, clipped to [0, 1].
///
/// If all pairs are equal their variance is 0, which says nothing about the precision of the rate. It then falls back
/// on Wilson's interval with each pair as one trial, which is wider than necessary but never of width zero. `None`
/// without pairs.
pub fn pair_interval(pairs: Pairs, confidence: f64) -> Option<(f64, f64)> {
    let moments = Moments::of(&pairs.into())?;
    if moments.variance == 0.0 {
        return wilson_effective(moments.mean, moments.units, confidence);
    }
    let reach = student_quantile(confidence, moments.units - 1.0)? * moments.student_error();
    Some(((moments.mean - reach).max(0.0), (moments.mean + reach).min(1.0)))
}

/// Student's interval for the win rate over rounds of matches, cut to [0, 1], from the win rate of each round.
///
/// It is [`pair_interval`] for rounds of any number of matches, and falls back on Wilson's interval in the same way where
/// all rounds are equal. `None` without rounds.
pub fn round_interval(rates: &[f64], confidence: f64) -> Option<(f64, f64)> {
    let first = *rates.first()?;
    if rates.iter().all(|rate| *rate == first) {
        return wilson_effective(first, rates.len() as f64, confidence);
    }
    mean_interval(rates, confidence).map(|(low, high)| (low.max(0.0), high.min(1.0)))
}

/// The normal quantile that leaves (1 - confidence) / 2 on either side. `None` unless 0 < confidence < 1.
pub(super) fn normal_quantile(confidence: f64) -> Option<f64> {
    let quantile =
        (confidence > 0.0 && confidence < 1.0).then(|| Normal::standard().inverse_cdf(0.5 + confidence / 2.0));
    quantile.filter(|quantile| quantile.is_finite())
}

/// Like [`normal_quantile`], for Student's distribution.
fn student_quantile(confidence: f64, freedom: f64) -> Option<f64> {
    let normal = normal_quantile(confidence)?;
    if freedom > NORMAL_FROM {
        return Some(normal);
    }
    let student = StudentsT::new(0.0, 1.0, freedom).ok()?;
    Some(student.inverse_cdf(0.5 + confidence / 2.0)).filter(|quantile| quantile.is_finite())
}

/// The probability of |T| above `statistic` under Student's distribution.
pub(super) fn student_two_sided(statistic: f64, freedom: f64) -> Option<f64> {
    let distance = -statistic.abs();
    let tail = if freedom > NORMAL_FROM {
        Normal::standard().cdf(distance)
    } else {
        StudentsT::new(0.0, 1.0, freedom).ok()?.cdf(distance)
    };
    Some((2.0 * tail).clamp(0.0, 1.0)).filter(|tail| tail.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(given: (f64, f64), expected: (f64, f64)) {
        assert!(
            (given.0 - expected.0).abs() < 5.1e-5 && (given.1 - expected.1).abs() < 5.1e-5,
            "{given:?} {expected:?}"
        );
    }

    /// Worked examples of R. G. Newcombe, "Two-sided confidence intervals for the single proportion", Statistics in
    /// Medicine 17 (1998), table I, method 3 (81/263, 15/148, 0/20, 1/29).
    #[test]
    fn wilson_agrees_with_published_examples() {
        close(wilson(81.0, 263, 0.95).unwrap(), (0.2553, 0.3662));
        close(wilson(15.0, 148, 0.95).unwrap(), (0.0624, 0.1605));
        close(wilson(0.0, 20, 0.95).unwrap(), (0.0, 0.1611));
        close(wilson(1.0, 29, 0.95).unwrap(), (0.0061, 0.1718));
        assert_eq!(wilson(0.0, 0, 0.95), None);
        assert_eq!(wilson(3.0, 2, 0.95), None);
        assert_eq!(wilson(1.0, 2, 1.0), None);
        assert_eq!(wilson(f64::NAN, 2, 0.9), None);
    }

    /// Two samples: t(1) = 12.7062 at 95 %, mean 2, standard error 1.
    #[test]
    fn mean_interval_agrees_with_the_t_table() {
        let (low, high) = mean_interval(&[1.0, 3.0], 0.95).unwrap();
        assert!((low - (2.0 - 12.7062)).abs() < 1e-3 && (high - (2.0 + 12.7062)).abs() < 1e-3);
        assert_eq!(mean_interval(&[1.0], 0.95), None);
    }

    /// Ten pairs of 0, 1, 2 points (2, 4, 4 times): mean 0.6, sum of squares 1.4, error (1.4 / 90)^(1/2) = 0.124722,
    /// t(9) = 2.262157 by the tables.
    #[test]
    fn pair_interval_agrees_with_the_t_table() {
        let reach = 2.262157 * (1.4f64 / 90.0).sqrt();
        close(pair_interval(Pairs::new([2, 0, 4, 0, 4]), 0.95).unwrap(), (0.6 - reach, 0.6 + reach));
        assert_eq!(pair_interval(Pairs::new([1, 0, 0, 0, 1]), 0.95), Some((0.0, 1.0)));
    }

    #[test]
    fn equal_pairs_do_not_claim_certainty() {
        assert_eq!(pair_interval(Pairs::new([0, 0, 0, 0, 20]), 0.95), wilson(20.0, 20, 0.95));
        assert_eq!(pair_interval(Pairs::new([0, 0, 20, 0, 0]), 0.95), wilson(10.0, 20, 0.95));
        assert_eq!(pair_interval(Pairs::default(), 0.95), None);
    }

    #[test]
    fn rounds_of_two_matches_are_pairs() {
        let rates = [0.0, 0.0, 0.5, 0.5, 0.5, 0.5, 1.0, 1.0, 1.0, 1.0];
        let pairs = Pairs::from_points(rates.map(|rate| 2.0 * rate));
        close(round_interval(&rates, 0.95).unwrap(), pair_interval(pairs, 0.95).unwrap());
        assert_eq!(round_interval(&[1.0; 20], 0.95), wilson(20.0, 20, 0.95));
        assert_eq!(round_interval(&[], 0.95), None);
    }

    /// For a game without luck of the draw between pairs: chance that the true rate lies inside, by full enumeration of
    /// the binomial law of pairs that are won or lost whole (12 pairs, rates 0.3 to 0.7), is near 95 %.
    #[test]
    fn pair_interval_covers_by_enumeration() {
        let choose = |n: u64, k: u64| (0..k).map(|i| (n - i) as f64 / (i + 1) as f64).product::<f64>();
        for rate in [0.3f64, 0.5, 0.7] {
            let covered: f64 = (0..=12u64)
                .filter(|&won| {
                    let (low, high) = pair_interval(Pairs::new([12 - won, 0, 0, 0, won]), 0.95).unwrap();
                    low <= rate && rate <= high
                })
                .map(|won| choose(12, won) * rate.powi(won as i32) * (1.0 - rate).powi(12 - won as i32))
                .sum();
            assert!((0.90..=0.99).contains(&covered), "{rate}: {covered}");
        }
    }
}

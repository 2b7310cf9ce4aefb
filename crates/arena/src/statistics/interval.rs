//! Confidence intervals of a win rate.

use statrs::distribution::{ContinuousCDF, Normal, StudentsT};
use statrs::function::gamma::ln_gamma;

use super::evidence::Evidence;
use super::likelihood::Likelihood;

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
/// about rare results: see [`round_interval`]. `None` with fewer than two samples, or if one is not finite.
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

/// The interval for the win rate over pairs: the adjusted empirical likelihood of results from 0 to 1.
///
/// The likelihood ratio is compared with the quantile of χ² with one degree of freedom, after
/// Bartlett's correction. With few pairs it covers the true rate in 93 to 99 % of series where Student's interval
/// covers 88 to 100 % (`tesuji laws statistics` repeats the simulation, `docs/statistics.md` has its table). A better
/// pair in place of a worse one never lowers a bound, and the width is never 0. `None` without pairs.
pub fn pair_interval(pairs: impl Into<Evidence>, confidence: f64) -> Option<(f64, f64)> {
    likelihood_interval(&pairs.into().weighted(), confidence)
}

/// [`pair_interval`] for rounds of any number of matches, from the win rate of each round, which are worth as much as
/// `effective` independent rounds. `None` without rounds.
pub fn round_interval(rates: &[f64], effective: f64, confidence: f64) -> Option<(f64, f64)> {
    let weight = (effective / rates.len() as f64).min(1.0);
    let mut sorted = rates.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let equal = sorted.chunk_by(|one, two| one == two);
    let results: Vec<(f64, f64)> = equal.map(|rates| (rates[0], rates.len() as f64 * weight)).collect();
    likelihood_interval(&results, confidence)
}

fn likelihood_interval(results: &[(f64, f64)], confidence: f64) -> Option<(f64, f64)> {
    let z = normal_quantile(confidence)?;
    let likelihood = Likelihood::adjusted(results)?;
    Some(likelihood.interval(z * z / 2.0 * likelihood.bartlett()))
}

/// An interval for the win rate over pairs that stays valid whenever and for whatever reason the series stopped.
///
/// Stopping when a sequential test decides favours extreme results, so [`pair_interval`] covers too rarely then. This
/// one is a confidence sequence: with probability `confidence` it contains the true rate after every pair at once. It
/// inverts a bet against each rate, with Cover's universal portfolio as the bettor (F. Orabona and K.-S. Jun, "Tight
/// concentrations and confidence sequences from the regret of universal portfolio", IEEE Transactions on Information
/// Theory 70 (2024)): the likelihood ratio may reach ln(1 / (1 - confidence)) plus the portfolio's greatest regret,
/// ln(√π Γ(n + 1) / Γ(n + 1/2)). The price is an interval that is about 1.7 times as wide. `None` without pairs.
pub fn anytime_interval(pairs: impl Into<Evidence>, confidence: f64) -> Option<(f64, f64)> {
    normal_quantile(confidence)?;
    let likelihood = Likelihood::plain(&pairs.into().weighted())?;
    let units = likelihood.units();
    // Stirling's series beyond the range in which the logarithms of Γ keep their digits.
    let regret = if units > 1e8 {
        (std::f64::consts::PI * units).ln() / 2.0
    } else {
        std::f64::consts::PI.ln() / 2.0 + ln_gamma(units + 1.0) - ln_gamma(units + 0.5)
    };
    Some(likelihood.interval(regret - (1.0 - confidence).ln()))
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
    use proptest::prelude::*;

    use super::super::pairs::Pairs;
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

    /// One pair won: 2 (1.1 ln(1.1/1.2/μ) + 0.1 ln(0.1/1.2/(1 - μ))) = 3.8415 · 1.5 at the lower bound.
    #[test]
    fn a_single_pair_says_little() {
        let (low, high) = pair_interval(Pairs::new([0, 0, 0, 0, 1]), 0.95).unwrap();
        let ratio = 2.0 * (1.1 * (1.1 / 1.2 / low).ln() + 0.1 * (0.1 / 1.2 / (1.0 - low)).ln());
        assert!((ratio - 3.841459 * 1.5).abs() < 1e-5 && high == 1.0, "{low} {ratio}");
        assert!(low < 0.1);
        assert_eq!(pair_interval(Pairs::default(), 0.95), None);
        assert_eq!(pair_interval(Pairs::new([1, 0, 0, 0, 1]), 1.0), None);
    }

    #[test]
    fn rounds_of_two_matches_are_pairs() {
        let rates = [0.0, 0.0, 0.5, 0.5, 0.5, 0.5, 1.0, 1.0, 1.0, 1.0];
        let pairs = Pairs::from_points(rates.map(|rate| 2.0 * rate));
        assert_eq!(round_interval(&rates, 10.0, 0.95), pair_interval(pairs, 0.95));
        assert_eq!(round_interval(&rates, 5.0, 0.95), pair_interval(Evidence::worth(pairs, 5.0), 0.95));
        assert_eq!(round_interval(&[], 0.0, 0.95), None);
    }

    /// Large samples: the interval approaches the normal one.
    #[test]
    fn many_pairs_give_the_normal_interval() {
        let pairs = Pairs::new([1000, 2000, 4000, 2000, 1000]);
        let reach = 1.959964 * (0.075f64 / 10_000.0).sqrt();
        let (low, high) = pair_interval(pairs, 0.95).unwrap();
        assert!((low - (0.5 - reach)).abs() < 2e-5 && (high - (0.5 + reach)).abs() < 2e-5, "{low} {high} {reach}");
    }

    /// 300-0-0 against 299-0-1, the example that Student's interval with Wilson's for equal pairs got wrong.
    #[test]
    fn a_clean_sweep_is_better_than_a_loss() {
        let sweep = pair_interval(Pairs::new([0, 0, 0, 0, 150]), 0.95).unwrap();
        let one_loss = pair_interval(Pairs::new([0, 0, 1, 0, 149]), 0.95).unwrap();
        assert!(sweep.0 > one_loss.0 && sweep.1 >= one_loss.1, "{sweep:?} {one_loss:?}");
        assert!(sweep.0 < 0.999, "never 100 % to 100 %");
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

        /// A better pair in place of a worse one lowers neither bound, in both intervals.
        #[test]
        fn better_pairs_never_lower_a_bound(
            counts in prop::array::uniform5(0u64..40), from in 0usize..5, up in 1usize..5
        ) {
            let to = from + up;
            prop_assume!(to < 5 && counts[from] > 0);
            let mut better = counts;
            better[from] -= 1;
            better[to] += 1;
            let both = [|pairs: Pairs, confidence| pair_interval(pairs, confidence), |pairs, confidence| {
                anytime_interval(pairs, confidence)
            }];
            for interval in both {
                let (low, high) = interval(Pairs::new(counts), 0.95).unwrap();
                let (better_low, better_high) = interval(Pairs::new(better), 0.95).unwrap();
                prop_assert!(better_low >= low - 1e-12 && better_high >= high - 1e-12);
                prop_assert!(low < high && better_low < better_high);
            }
        }
    }
}

//! When a series may stop: the generalised sequential probability ratio test (GSPRT).
//!
//! A. Wald, "Sequential tests of statistical hypotheses" (1945); generalised to unknown nuisance parameters (the number
//! of draws, the correlation of the matches of a pair) by maximum likelihood under each hypothesis: X. Li, J. Liu, Z.
//! Ying, "Generalized sequential probability ratio test for separate families of hypotheses", Sequential Analysis 33
//! (2014), and M. Van den Bergh's notes for the Stockfish testing framework (www.cantate.be/Fishtest). After each unit
//! the log-likelihood ratio (LLR) of "elo1 stronger" against "elo0 stronger" is compared with ln(β / (1 - α)) and ln((1
//! - β) / α).
//!
//! Results not yet seen would have likelihood 0 under every hypothesis and make the ratio undefined; each such count is
//! replaced by 10⁻³, as fishtest does.

use serde::Serialize;

use super::elo::{NORMALISED_UNIT, rate_of_elo};
use super::evidence::Evidence;
use super::multinomial;
use super::pairs::Pairs;

/// The count of a result that never occurred (fishtest's choice).
const UNSEEN: f64 = 1e-3;

/// Hypotheses further apart than this are refused: the scores would be 0 or 1 to the last digit.
const MOST_ELO: f64 = 2000.0;

/// The Elo scale of the hypotheses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum EloScale {
    /// Logistic Elo: by the expected score.
    #[default]
    Logistic,
    /// Normalised Elo: by the expected score in standard deviations of a match (see
    /// [`normalised_elo`](super::normalised_elo)).
    Normalised,
}

/// The two hypotheses and the error rates.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct SprtSettings {
    /// The difference under H0.
    pub elo0: f64,
    /// The difference under H1, above `elo0`.
    pub elo1: f64,
    /// The probability of accepting H1 although H0 holds.
    pub alpha: f64,
    /// The probability of accepting H0 although H1 holds.
    pub beta: f64,
    /// The scale of the differences.
    pub scale: EloScale,
}

impl SprtSettings {
    /// `elo0` against `elo1` in logistic Elo with both error rates 5 %.
    pub fn new(elo0: f64, elo1: f64) -> SprtSettings {
        SprtSettings { elo0, elo1, alpha: 0.05, beta: 0.05, scale: EloScale::Logistic }
    }

    /// The LLR at which H0 and H1 are accepted; `None` for invalid settings: differences out of order or beyond ±2000,
    /// error rates that are not positive or add up to 1 or more.
    pub fn bounds(&self) -> Option<(f64, f64)> {
        let apart = self.elo0 < self.elo1 && self.elo0 >= -MOST_ELO && self.elo1 <= MOST_ELO;
        let fallible = self.alpha > 0.0 && self.beta > 0.0 && self.alpha + self.beta < 1.0;
        let bounds = ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln());
        (apart && fallible && bounds.0.is_finite() && bounds.1.is_finite()).then_some(bounds)
    }
}

/// The decision of the test.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SprtDecision {
    /// Neither hypothesis is rejected yet.
    Continue,
    /// H0 is accepted.
    AcceptH0,
    /// H1 is accepted.
    AcceptH1,
}

/// The state of a test.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct SprtReport {
    /// The log-likelihood ratio.
    pub llr: f64,
    /// H0 is accepted at or below it.
    pub lower: f64,
    /// H1 is accepted at or above it.
    pub upper: f64,
    /// The decision.
    pub decision: SprtDecision,
}

/// The state of the test after `counts`; `None` for settings without [bounds](SprtSettings::bounds).
pub fn sprt(counts: impl Into<Evidence>, settings: &SprtSettings) -> Option<SprtReport> {
    let (lower, upper) = settings.bounds()?;
    let llr = log_likelihood_ratio(&counts.into(), settings);
    let decision = if llr >= upper {
        SprtDecision::AcceptH1
    } else if llr <= lower {
        SprtDecision::AcceptH0
    } else {
        SprtDecision::Continue
    };
    Some(SprtReport { llr, lower, upper, decision })
}

/// The index of the pair at which the test first stops, given the points of all pairs in the order of their numbers.
///
/// With this rule, a series that ran ahead on many threads has the same result as one on a single thread. `None` if the
/// test never stops or the settings are invalid.
pub fn first_decision(points: impl IntoIterator<Item = f64>, settings: &SprtSettings) -> Option<usize> {
    let mut pairs = Pairs::default();
    points.into_iter().position(|points| {
        pairs.count(points);
        sprt(pairs, settings).is_some_and(|report| report.decision != SprtDecision::Continue)
    })
}

/// The log-likelihood ratio; 0 without units.
fn log_likelihood_ratio(evidence: &Evidence, settings: &SprtSettings) -> f64 {
    let mut weights = evidence.weights();
    if weights.iter().all(|&weight| weight == 0.0) {
        return 0.0;
    }
    weights.iter_mut().filter(|weight| **weight == 0.0).for_each(|weight| *weight = UNSEEN);
    match settings.scale {
        EloScale::Logistic => multinomial::mean_ratio(&weights, rate_of_elo(settings.elo0), rate_of_elo(settings.elo1)),
        EloScale::Normalised => {
            // A unit's mean deviates √(matches in it) times less than a match, so its t-value is that much greater.
            let unit = NORMALISED_UNIT / evidence.matches_per_unit().sqrt();
            multinomial::t_value_ratio(&weights, settings.elo0 / unit, settings.elo1 / unit)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tally::Tally;
    use super::*;
    use tesuji_core::Rng;

    fn llr(counts: impl Into<Evidence>, elo0: f64, elo1: f64, scale: EloScale) -> f64 {
        sprt(counts, &SprtSettings { scale, ..SprtSettings::new(elo0, elo1) }).unwrap().llr
    }

    /// Within one per cent, the tolerance of the source.
    fn near(given: f64, expected: f64) {
        assert!((given - expected).abs() <= 0.01 * expected.abs().max(0.5), "{given} instead of {expected}");
    }

    /// The published expectations of the match runner fastchess (its test suite, `sprt_test.cpp`), trinomial.
    #[test]
    fn matches_agree_with_fastchess() {
        let tally = |wins, losses, draws| Tally { wins, draws, losses };
        near(llr(tally(36433, 36027, 68692), 0.0, 2.0, EloScale::Normalised), 0.92);
        near(llr(tally(10871, 10650, 20431), -1.75, 0.25, EloScale::Normalised), 2.30);
        near(llr(tally(4250, 0, 0), 0.0, 10.0, EloScale::Normalised), 120.56);
        near(llr(tally(21404, 21184, 40708), 0.5, 2.5, EloScale::Logistic), -1.57);
        near(llr(tally(57433, 57030, 106593), 0.0, 2.0, EloScale::Logistic), -2.59);
    }

    /// The same source, pentanomial.
    #[test]
    fn pairs_agree_with_fastchess() {
        near(llr(Pairs::new([365, 16618, 36229, 16974, 390]), 0.0, 2.0, EloScale::Normalised), 2.25);
        near(llr(Pairs::new([127, 4883, 10712, 5150, 104]), -1.75, 0.25, EloScale::Normalised), 3.01);
        near(llr(Pairs::new([0, 0, 0, 0, 5550]), 0.0, 5.0, EloScale::Normalised), 111.82);
        near(llr(Pairs::new([223, 9863, 21279, 10037, 246]), 0.5, 2.5, EloScale::Logistic), -3.07);
        near(llr(Pairs::new([871, 26175, 55983, 26678, 821]), 0.0, 2.0, EloScale::Logistic), -4.98);
    }

    #[test]
    fn bounds_are_walds() {
        let (lower, upper) = SprtSettings::new(0.0, 5.0).bounds().unwrap();
        assert!((upper - 19f64.ln()).abs() < 1e-12 && (lower + 19f64.ln()).abs() < 1e-12);
        let odd = SprtSettings { alpha: 0.05, beta: 0.1, ..SprtSettings::new(0.0, 5.0) }.bounds().unwrap();
        assert!((odd.1 - 18f64.ln()).abs() < 1e-12 && (odd.0 - (2.0f64 / 19.0).ln()).abs() < 1e-12);
        for settings in [
            SprtSettings::new(5.0, 5.0),
            SprtSettings::new(f64::NAN, 5.0),
            SprtSettings::new(0.0, 1e9),
            SprtSettings { alpha: 0.0, ..SprtSettings::new(0.0, 5.0) },
            SprtSettings { alpha: 0.6, beta: 0.4, ..SprtSettings::new(0.0, 5.0) },
        ] {
            assert_eq!(sprt(Pairs::new([1, 2, 3, 4, 5]), &settings), None);
        }
    }

    #[test]
    fn nothing_played_decides_nothing() {
        let report = sprt(Pairs::default(), &SprtSettings::new(0.0, 5.0)).unwrap();
        assert_eq!((report.llr, report.decision), (0.0, SprtDecision::Continue));
    }

    /// The first stop is that of a plain loop over prefixes, and nothing after it matters.
    #[test]
    fn the_first_decision_depends_on_its_prefix_only() {
        let settings = SprtSettings::new(0.0, 60.0);
        let mut rng = Rng::new(11);
        let points: Vec<f64> =
            (0..2000).map(|_| rng.weighted([1.0, 2.0, 4.0, 3.0, 2.0].into_iter()) as f64 / 2.0).collect();
        let index = first_decision(points.iter().copied(), &settings).unwrap();
        let decided = |len: usize| {
            sprt(Pairs::from_points(points[..len].iter().copied()), &settings).unwrap().decision
                != SprtDecision::Continue
        };
        assert!(decided(index + 1) && (0..=index).all(|len| !decided(len)));
        assert_eq!(first_decision(points[..=index].iter().copied(), &settings), Some(index));
        assert_eq!(first_decision(points[..index].iter().copied(), &settings), None);
    }

    /// Simulated error rates under either hypothesis respect Wald's α and β: 400 series each at 5 %; more than 8 %
    /// would occur with probability below 1 %.
    #[test]
    fn error_rates_are_kept() {
        for scale in [EloScale::Logistic, EloScale::Normalised] {
            // 120 Elo apart, a few dozen pairs decide.
            let settings = SprtSettings { scale, ..SprtSettings::new(-60.0, 60.0) };
            for (truth, right) in [(-60.0, SprtDecision::AcceptH0), (60.0, SprtDecision::AcceptH1)] {
                // The probabilities of the five results, tilted until they match the hypothesis.
                let shares = |tilt: f64| -> Vec<f64> {
                    let level = [1.0, 2.0, 3.0, 2.0, 1.0].iter().enumerate();
                    level.map(|(index, share)| share * (tilt * (index as f64 - 2.0)).exp()).collect()
                };
                let effect = |shares: &[f64]| {
                    let total: f64 = shares.iter().sum();
                    let mean: f64 = shares.iter().enumerate().map(|(i, s)| i as f64 / 4.0 * s / total).sum();
                    let variance: f64 =
                        shares.iter().enumerate().map(|(i, s)| (i as f64 / 4.0 - mean).powi(2) * s / total).sum();
                    match scale {
                        EloScale::Logistic => 400.0 * (mean / (1.0 - mean)).log10(),
                        EloScale::Normalised => (mean - 0.5) / (2.0 * variance).sqrt() * 800.0 / 10f64.ln(),
                    }
                };
                let (mut low, mut high) = (-2.0, 2.0);
                for _ in 0..60 {
                    let middle = (low + high) / 2.0;
                    if effect(&shares(middle)) < truth { low = middle } else { high = middle }
                }
                let shares = shares(low);
                let mut rng = Rng::new(5);
                let mut wrong = 0;
                for _ in 0..400 {
                    let mut pairs = Pairs::default();
                    let decision = loop {
                        pairs.count(rng.weighted(shares.iter().copied()) as f64 / 2.0);
                        let decision = sprt(pairs, &settings).unwrap().decision;
                        if decision != SprtDecision::Continue {
                            break decision;
                        }
                    };
                    wrong += usize::from(decision != right);
                }
                assert!(wrong <= 32, "{scale:?} {truth}: {wrong} of 400 wrong");
            }
        }
    }
}

//! The empirical likelihood of the mean of bounded results, with both ends of the range in its support.
//!
//! A. B. Owen, "Empirical likelihood ratio confidence intervals for a single functional", Biometrika 75 (1988). Results
//! lie from 0 to 1, and 0 and 1 are possible even if they were not seen. Then the likelihood ratio of the best
//! distribution against the best one with mean μ is, by duality, the maximum of Σ wᵢ ln(1 + x (vᵢ - μ)) over x between
//! -1/(1 - μ) and 1/μ (O. Cappé, A. Garivier, O.-A. Maillard, R. Munos, G. Stoltz, "Kullback-Leibler upper confidence
//! bounds for optimal sequential allocation", Annals of Statistics 41 (2013), section 6). For the five results of pairs
//! it is the profile likelihood of the pentanomial that the sequential test uses (J. B. Lang, "Score and profile
//! likelihood confidence intervals for contingency table parameters", Statistics in Medicine 27 (2008)).
//!
//! **Monotone.** For μ below the mean the best x is positive, and each term grows with its vᵢ: a better result in place
//! of a worse one never lowers the ratio, so it never lowers the lower bound. The same holds for the upper bound.

/// The weight of one result that is added at either end of the range: the adjustment that lets a sample without
/// variance, or with a rare result unseen, keep its doubt (J. Chen, A. M. Variyath, B. Abraham, "Adjusted empirical
/// likelihood and its properties", JCGS 17 (2008), add one result for the same purpose). Chosen, with [`BARTLETT`], by
/// exact coverage over the pairs of `docs/statistics.md`.
const END_WEIGHT: f64 = 0.1;

/// The ratio's distribution approaches χ² faster if it is divided by 1 + b / n (T. DiCiccio, P. Hall, J. Romano,
/// "Empirical likelihood is Bartlett-correctable", Annals of Statistics 19 (1991)). Their b is kurtosis / 2 - skewness²
/// / 3, which is at least 1/2 for every distribution and 1/2 for a fair coin.
const BARTLETT: f64 = 0.5;

/// The bracket of a bound is halved this often: to the last digit.
const HALVINGS: usize = 60;

/// Weighted results from 0 to 1 as a likelihood of their mean.
pub(super) struct Likelihood {
    /// Value and weight.
    results: Vec<(f64, f64)>,
    /// The weight of all results, without additions.
    units: f64,
    /// The mean with the additions.
    centre: f64,
    /// The mean without them.
    mean: f64,
}

impl Likelihood {
    /// As the results are; `None` without results, or for one outside the range.
    pub(super) fn plain(results: &[(f64, f64)]) -> Option<Likelihood> {
        let valid = |&(value, weight): &(f64, f64)| (0.0..=1.0).contains(&value) && weight > 0.0 && weight.is_finite();
        let units: f64 = results.iter().map(|(_, weight)| weight).sum();
        if results.is_empty() || !results.iter().all(valid) || !units.is_finite() {
            return None;
        }
        let mean = match results {
            [(value, _)] => *value,
            _ => (results.iter().map(|(value, weight)| value * weight / units).sum::<f64>()).clamp(0.0, 1.0),
        };
        Some(Likelihood { results: results.to_vec(), units, centre: mean, mean })
    }

    /// With [`END_WEIGHT`] at either end.
    pub(super) fn adjusted(results: &[(f64, f64)]) -> Option<Likelihood> {
        let mut likelihood = Likelihood::plain(results)?;
        likelihood.results.extend([(0.0, END_WEIGHT), (1.0, END_WEIGHT)]);
        let total = likelihood.units + 2.0 * END_WEIGHT;
        likelihood.centre = (likelihood.mean * likelihood.units + END_WEIGHT) / total;
        Some(likelihood)
    }

    /// The weight of all results.
    pub(super) fn units(&self) -> f64 {
        self.units
    }

    /// Bartlett's factor.
    pub(super) fn bartlett(&self) -> f64 {
        1.0 + BARTLETT / self.units
    }

    /// The log-likelihood ratio of the best distribution against the best one with this mean, which is strictly between
    /// 0 and 1.
    pub(super) fn ratio(&self, mean: f64) -> f64 {
        let above = self.centre > mean;
        if self.centre == mean {
            return 0.0;
        }
        // The slope falls from x = 0 to the end of the range; Newton's steps, with bisection where they leave it.
        let end = if above { 1.0 / mean } else { -1.0 / (1.0 - mean) };
        let (mut inner, mut outer) = (0.0, end);
        let mut x = 0.0;
        for _ in 0..100 {
            let (mut slope, mut bend) = (0.0, 0.0);
            for (value, weight) in &self.results {
                let distance = value - mean;
                let term = distance / (1.0 + x * distance).max(f64::MIN_POSITIVE);
                slope += weight * term;
                bend += weight * term * term;
            }
            if (slope > 0.0) == above {
                inner = x;
            } else {
                outer = x;
            }
            let newton = x + slope / bend;
            let within = newton > f64::min(inner, outer) && newton < f64::max(inner, outer);
            let next = if within { newton } else { inner + (outer - inner) / 2.0 };
            let step = (next - x).abs();
            x = next;
            if step <= 1e-14 * x.abs() {
                break;
            }
        }
        let term = |(value, weight): &(f64, f64)| weight * (x * (value - mean)).max(-1.0 + f64::EPSILON).ln_1p();
        self.results.iter().map(term).sum::<f64>().max(0.0)
    }

    /// The means whose ratio is at most `bound`, from the least to the greatest. The observed mean always belongs to
    /// them.
    pub(super) fn interval(&self, bound: f64) -> (f64, f64) {
        let search = |mut outside: f64| {
            let mut inside = self.centre;
            for _ in 0..HALVINGS {
                let middle = outside + (inside - outside) / 2.0;
                if !(middle > 0.0 && middle < 1.0) || middle == inside || middle == outside {
                    break;
                }
                if self.ratio(middle) <= bound { inside = middle } else { outside = middle }
            }
            inside
        };
        let low = if self.mean <= 0.0 { 0.0 } else { search(0.0).min(self.mean) };
        let high = if self.mean >= 1.0 { 1.0 } else { search(1.0).max(self.mean) };
        (low, high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With two values the ratio is the binomial one: 7 of 10 against 1/2.
    #[test]
    fn two_values_give_the_binomial_ratio() {
        let likelihood = Likelihood::plain(&[(0.0, 3.0), (1.0, 7.0)]).unwrap();
        let expected = 7.0 * (0.7f64 / 0.5).ln() + 3.0 * (0.3f64 / 0.5).ln();
        assert!((likelihood.ratio(0.5) - expected).abs() < 1e-12);
    }

    /// Only wins: the best distribution with mean μ wins with probability μ and else gets 0.
    #[test]
    fn a_clean_sweep_can_hide_losses() {
        let likelihood = Likelihood::plain(&[(1.0, 8.0)]).unwrap();
        assert!((likelihood.ratio(0.6) + 8.0 * 0.6f64.ln()).abs() < 1e-12);
        let (low, high) = likelihood.interval(2.0);
        assert!((low - (-2.0f64 / 8.0).exp()).abs() < 1e-12 && high == 1.0, "{low}");
    }

    /// The best of all distributions over five values with a given mean, by a search over a grid of three free shares.
    #[test]
    fn the_dual_agrees_with_a_grid_search() {
        let weights = [(0.5, 2.0), (0.75, 3.0), (1.0, 5.0)];
        let likelihood = Likelihood::plain(&weights).unwrap();
        for mean in [0.7, 0.8, 0.88] {
            let mut best = f64::NEG_INFINITY;
            let steps = 400;
            for half in 1..steps {
                for most in 1..steps - half {
                    let (half, most) = (f64::from(half) / f64::from(steps), f64::from(most) / f64::from(steps));
                    // The rest lies at 0, 1/4 or 3/4: the shares of 0 and 3/4 that give the mean, and none at 1/4.
                    let rest = 1.0 - half - most;
                    let upper = (mean - half / 2.0 - most) / 0.75;
                    if upper > 0.0 && upper <= rest {
                        best = best.max(2.0 * half.ln() + 3.0 * upper.ln() + 5.0 * most.ln());
                    }
                }
            }
            let top = 2.0 * 0.2f64.ln() + 3.0 * 0.3f64.ln() + 5.0 * 0.5f64.ln();
            assert!((likelihood.ratio(mean) - (top - best)).abs() < 2e-3, "{mean}");
        }
    }

    #[test]
    fn what_is_not_a_result_has_no_likelihood() {
        for results in [&[][..], &[(f64::NAN, 1.0)], &[(2.0, 1.0)], &[(0.5, 0.0)], &[(0.5, f64::INFINITY)]] {
            assert!(Likelihood::plain(results).is_none());
        }
    }
}

//! Maximum likelihood for a distribution over a few fixed values, under a hypothesis about its mean or its t-value.
//!
//! M. Van den Bergh's notes for the Stockfish testing framework (www.cantate.be/Fishtest): `support_MLE_multinomial`,
//! proposition 1.1, and `normalized_elo_practical`, sections 4.1 and 4.2. The estimate under a linear constraint Σ pᵢ
//! aᵢ = 0 is pᵢ = p̂ᵢ / (1 + x aᵢ), with x the one root of Σ p̂ᵢ aᵢ / (1 + x aᵢ) = 0 that keeps all pᵢ positive. The
//! t-value (mean - 1/2) / deviation is not linear; its constraint is linearised at the last estimate and solved again
//! until it converges.
//!
//! Only the denominators 1 + x aᵢ matter: the log-likelihood ratio of two hypotheses is Σ nᵢ ln(denominator₀ᵢ /
//! denominator₁ᵢ), so p̂ᵢ cancels.

/// The value below which a denominator counts as 0: rounding of 1 + x aᵢ near the pole is of this size.
const LEAST_DENOMINATOR: f64 = 1e-15;

/// The linearised constraint has converged when no probability moves by more than this.
const SETTLED: f64 = 1e-10;

/// The most rounds for convergence; ordinary counts need five to ten, hypotheses far from the counts a hundred.
const MOST_ROUNDS: usize = 500;

/// The log-likelihood ratio of "the mean is `mean1`" against "the mean is `mean0`", both strictly between 0 and 1.
///
/// `weights` are positive counts of values equally spaced from 0 to 1.
pub(super) fn mean_ratio(weights: &[f64], mean0: f64, mean1: f64) -> f64 {
    let denominators = |mean: f64| {
        let distances: Vec<f64> = values(weights.len()).map(|value| value - mean).collect();
        solve(weights, &distances)
    };
    match (denominators(mean0), denominators(mean1)) {
        (Some(first), Some(second)) => ratio(weights, &first, &second),
        // Unreachable for means inside (0, 1); equal likelihoods decide nothing.
        _ => 0.0,
    }
}

/// The log-likelihood ratio of "(mean - 1/2) / deviation is `t1`" against "… is `t0`".
///
/// If the linearised constraint does not converge (hypotheses very far from the counts), it is the closed form of a
/// normal distribution of unknown variance, n/2 · ln((1 + (t - t0)²) / (1 + (t - t1)²)), which the exact one
/// approaches.
pub(super) fn t_value_ratio(weights: &[f64], t0: f64, t1: f64) -> f64 {
    match (under_t_value(weights, t0), under_t_value(weights, t1)) {
        (Some(first), Some(second)) => ratio(weights, &first, &second),
        _ => {
            let total: f64 = weights.iter().sum();
            let shares: Vec<f64> = weights.iter().map(|weight| weight / total).collect();
            let (mean, deviation) = moments(&shares);
            let t = (mean - 0.5) / deviation.max(f64::MIN_POSITIVE);
            if t.abs() > 1e100 {
                // The ratio of the squares, which would overflow, tends to 1.
                return 0.0;
            }
            total / 2.0 * ((1.0 + (t - t0) * (t - t0)) / (1.0 + (t - t1) * (t - t1))).ln()
        }
    }
}

fn values(len: usize) -> impl Iterator<Item = f64> {
    let step = 1.0 / (len - 1) as f64;
    (0..len).map(move |index| index as f64 * step)
}

fn ratio(weights: &[f64], first: &[f64], second: &[f64]) -> f64 {
    let terms = weights.iter().zip(first.iter().zip(second));
    terms.map(|(weight, (first, second))| weight * (first / second).ln()).sum()
}

/// Mean and deviation of a distribution over the values.
fn moments(shares: &[f64]) -> (f64, f64) {
    let mean: f64 = values(shares.len()).zip(shares).map(|(value, share)| value * share).sum();
    let variance: f64 = values(shares.len()).zip(shares).map(|(value, share)| share * (value - mean).powi(2)).sum();
    (mean, variance.sqrt())
}

fn under_t_value(weights: &[f64], t: f64) -> Option<Vec<f64>> {
    let total: f64 = weights.iter().sum();
    let mut shares = vec![1.0 / weights.len() as f64; weights.len()];
    for _ in 0..MOST_ROUNDS {
        let (mean, deviation) = moments(&shares);
        let linearised = |value: f64| value - 0.5 - t * deviation * (1.0 + ((mean - value) / deviation).powi(2)) / 2.0;
        let distances: Vec<f64> = values(weights.len()).map(linearised).collect();
        let denominators = solve(weights, &distances)?;
        let next: Vec<f64> =
            weights.iter().zip(&denominators).map(|(weight, denominator)| weight / total / denominator).collect();
        let moved = next.iter().zip(&shares).map(|(next, last)| (next - last).abs()).fold(0.0, f64::max);
        if moved < SETTLED {
            return Some(denominators);
        }
        shares = next;
    }
    None
}

/// The denominators 1 + x aᵢ at the root; `None` unless some distance aᵢ is below 0 and some above.
///
/// Between its poles the function falls from +∞ to -∞; uses Newton's steps, with bisection where they leave the
/// bracket.
fn solve(weights: &[f64], distances: &[f64]) -> Option<Vec<f64>> {
    let least = distances.iter().copied().fold(f64::INFINITY, f64::min);
    let most = distances.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if !(least < 0.0 && most > 0.0 && least.is_finite() && most.is_finite()) {
        return None;
    }
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    let total: f64 = weights.iter().sum();
    let mut x = 0.0;
    for _ in 0..200 {
        let (mut value, mut slope) = (0.0, 0.0);
        for (weight, distance) in weights.iter().zip(distances) {
            let term = distance / (1.0 + x * distance).max(LEAST_DENOMINATOR);
            value += weight / total * term;
            slope -= weight / total * term * term;
        }
        if value > 0.0 {
            low = x;
        } else {
            high = x;
        }
        let newton = x - value / slope;
        let next = if newton > low && newton < high { newton } else { low + (high - low) / 2.0 };
        let step = (next - x).abs();
        x = next;
        if step <= 1e-15 * x.abs().max(1e-3) || high - low <= 0.0 {
            break;
        }
    }
    Some(distances.iter().map(|distance| (1.0 + x * distance).max(LEAST_DENOMINATOR)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two values: the estimate with a given mean is that mean, so the ratio is the binomial one.
    #[test]
    fn two_values_give_the_binomial_ratio() {
        let expected = 30.0 * (0.6f64 / 0.5).ln() + 20.0 * (0.4f64 / 0.5).ln();
        assert!((mean_ratio(&[20.0, 30.0], 0.5, 0.6) - expected).abs() < 1e-9);
    }

    /// The highest log-likelihood of three shares under a constraint, by a search over a fine grid of one free share.
    fn by_grid(weights: [f64; 3], shares: impl Fn(f64) -> Option<[f64; 3]>) -> f64 {
        (1..200_000)
            .filter_map(|step| shares(f64::from(step) / 200_000.0))
            .filter(|shares| shares.iter().all(|&share| share > 0.0))
            .map(|shares| weights.iter().zip(shares).map(|(weight, share)| weight * share.ln()).sum())
            .fold(f64::NEG_INFINITY, f64::max)
    }

    #[test]
    fn the_mean_ratio_agrees_with_a_grid_search() {
        let weights = [20.0, 35.0, 45.0];
        // win + draw / 2 = mean leaves the draw free.
        let best = |mean: f64| by_grid(weights, |draw| Some([1.0 - mean - draw / 2.0, draw, mean - draw / 2.0]));
        assert!((mean_ratio(&weights, 0.5, 0.55) - (best(0.55) - best(0.5))).abs() < 1e-6);
    }

    #[test]
    fn the_t_value_ratio_agrees_with_a_grid_search() {
        let weights = [20.0, 35.0, 45.0];
        // With m = mean - 1/2: variance = (1 - draw) / 4 - m² and m = t √variance, so m² (1 + 1/t²) = (1 - draw) / 4.
        let best = |t: f64| {
            by_grid(weights, |draw| {
                let lead = t.signum() * ((1.0 - draw) / 4.0 / (1.0 + 1.0 / (t * t))).sqrt();
                Some([(1.0 - draw) / 2.0 - lead, draw, (1.0 - draw) / 2.0 + lead])
            })
        };
        assert!((t_value_ratio(&weights, -0.1, 0.2) - (best(0.2) - best(-0.1))).abs() < 1e-6);
    }
}

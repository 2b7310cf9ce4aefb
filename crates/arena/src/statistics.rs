//! Figures one can trust: counts, rates and intervals.

use serde::Serialize;
use statrs::distribution::{ContinuousCDF, Normal, StudentsT};
use tesuji_core::Spec;

/// Wins, draws and losses from one agent's view.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Tally {
    /// Matches won.
    pub wins: u64,
    /// Matches drawn.
    pub draws: u64,
    /// Matches lost.
    pub losses: u64,
}

impl Tally {
    /// Counts a match by its score: 1, 1/2 or 0.
    pub fn count(&mut self, score: f64) {
        if score > 0.5 {
            self.wins += 1;
        } else if score < 0.5 {
            self.losses += 1;
        } else {
            self.draws += 1;
        }
    }

    /// Adds another tally.
    pub fn add(&mut self, other: Tally) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
    }

    /// Matches counted.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Wins plus half the draws.
    pub fn score(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// The share of the score; `None` without matches.
    pub fn rate(&self) -> Option<f64> {
        (self.games() > 0).then(|| self.score() / self.games() as f64)
    }
}

/// The score of a player in a finished match: 1 if nobody got as much, 1/2 if it shares the first place, else 0.
///
/// A lone player competes with the game: 1 for the greatest payoff there is, 0 for the least, 1/2 between.
pub fn score(spec: &Spec, payoffs: &[f64], player: usize) -> f64 {
    let own = payoffs[player];
    if let [alone] = *payoffs {
        let share = spec.normalise(alone);
        return if share >= 1.0 {
            1.0
        } else if share <= 0.0 {
            0.0
        } else {
            0.5
        };
    }
    let others = payoffs.iter().enumerate().filter(|&(index, _)| index != player).map(|(_, &payoff)| payoff);
    let best = others.fold(f64::NEG_INFINITY, f64::max);
    if own > best {
        1.0
    } else if own == best {
        0.5
    } else {
        0.0
    }
}

/// Wilson's score interval for a share of `score` in `games`, at `confidence` (such as 0.95).
///
/// Draws counted as halves only shrink the variance, so for matches with draws it errs on the wide side. `None` without
/// games. E. B. Wilson, "Probable inference", JASA 22 (1927), 209-212.
pub fn wilson(score: f64, games: u64, confidence: f64) -> Option<(f64, f64)> {
    if games == 0 {
        return None;
    }
    let n = games as f64;
    let z = Normal::standard().inverse_cdf(0.5 + confidence / 2.0);
    let share = score / n;
    let centre = (share + z * z / (2.0 * n)) / (1.0 + z * z / n);
    let reach = z / (1.0 + z * z / n) * (share * (1.0 - share) / n + z * z / (4.0 * n * n)).sqrt();
    Some(((centre - reach).max(0.0), (centre + reach).min(1.0)))
}

/// Student's interval for the mean of independent `samples`. `None` below two samples.
pub fn mean_interval(samples: &[f64], confidence: f64) -> Option<(f64, f64)> {
    if samples.len() < 2 {
        return None;
    }
    let n = samples.len() as f64;
    let mean = samples.iter().sum::<f64>() / n;
    let variance = samples.iter().map(|sample| (sample - mean).powi(2)).sum::<f64>() / (n - 1.0);
    let student = StudentsT::new(0.0, 1.0, n - 1.0).ok()?;
    let reach = student.inverse_cdf(0.5 + confidence / 2.0) * (variance / n).sqrt();
    Some((mean - reach, mean + reach))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_core::Features;

    fn close(given: (f64, f64), expected: (f64, f64)) {
        assert!((given.0 - expected.0).abs() < 5e-5 && (given.1 - expected.1).abs() < 5e-5, "{given:?} {expected:?}");
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
    }

    /// Two samples: t(1) = 12.7062 at 95 %, mean 2, standard error 1.
    #[test]
    fn mean_interval_agrees_with_the_t_table() {
        let (low, high) = mean_interval(&[1.0, 3.0], 0.95).unwrap();
        assert!((low - (2.0 - 12.7062)).abs() < 1e-3 && (high - (2.0 + 12.7062)).abs() < 1e-3);
        assert_eq!(mean_interval(&[1.0], 0.95), None);
    }

    #[test]
    fn a_shared_first_place_is_a_draw() {
        let spec = Spec::new("", &["a"], Features::empty(), 1);
        assert_eq!([0, 1, 2].map(|player| score(&spec, &[3.0, 3.0, 1.0], player)), [0.5, 0.5, 0.0]);
        assert_eq!([0, 1].map(|player| score(&spec, &[-1.0, 1.0], player)), [0.0, 1.0]);
        assert_eq!([0.0, 0.3, 1.0].map(|payoff| score(&spec, &[payoff], 0)), [0.0, 0.5, 1.0]);
    }
}

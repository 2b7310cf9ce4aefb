//! Confidence intervals of joint ratings by the bootstrap.
//!
//! B. Efron, "Bootstrap methods: another look at the jackknife" (1979). For each two agents, as many pairs (and single
//! matches) as were played are drawn with replacement, the ratings are fitted again, and the percentiles of the fits
//! are the interval. Pairs are drawn as a whole, so the correlation of their matches is kept.
//!
//! Results that are all equal (ten wins of ten) would always be resampled to themselves and claim certainty. So if two
//! agents had only one kind of unit, one more unit, spread evenly over all kinds, takes part in the drawing.

use serde::Serialize;
use tesuji_core::Rng;

use super::bradley_terry::{ELO, Likelihood};
use super::cross_table::{CrossTable, MATCH_KINDS, Meeting, PAIR_KINDS};
use super::interval::normal_quantile;
use super::rating::{DEFAULT_PRIOR, RatingFit, fit_ratings};

/// Up to this many units are drawn one by one; more are drawn by (nearly) equivalent binomial numbers.
const ONE_BY_ONE: u64 = 4096;

/// Binomial numbers with a variance above this are drawn from the normal distribution, rounded.
const NORMAL_VARIANCE: f64 = 100.0;

/// Ratings closer than this are equal: a rounding error between agents with the same results.
const EQUAL_ELO: f64 = 1e-6;

/// How ratings are resampled.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct BootstrapSettings {
    /// Strength of the prior (see [`fit_ratings`]).
    pub prior: f64,
    /// The number of resamples.
    pub resamples: u32,
    /// The confidence of the intervals, such as 0.95.
    pub confidence: f64,
}

impl Default for BootstrapSettings {
    /// The default prior, 1,000 resamples, 95 %.
    fn default() -> BootstrapSettings {
        BootstrapSettings { prior: DEFAULT_PRIOR, resamples: 1000, confidence: 0.95 }
    }
}

/// One agent's rating.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct RatedAgent {
    /// In Elo, relative to the mean of all agents; `None` if the agent has not played.
    pub elo: Option<f64>,
    /// The percentile interval; `None` if the rating is, or if more than half of the resamples had no fit.
    pub interval: Option<(f64, f64)>,
    /// Matches played.
    #[serde(rename = "games")]
    pub matches: u64,
    /// Score per match.
    pub rate: Option<f64>,
}

/// Joint ratings with intervals.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Ratings {
    /// By index of the agent.
    pub agents: Vec<RatedAgent>,
    /// The probability that the agent of the row is stronger than that of the column: the fraction of resamples in
    /// which it is rated higher, where equal ratings count half. `None` on the diagonal, for agents that have not
    /// played, and where no matches connect the two.
    pub superiority: Vec<Vec<Option<f64>>>,
    /// The fit to the actual results.
    pub fit: RatingFit,
    /// Resamples that had a fit (all of them, with a prior).
    pub fitted: u32,
    /// The settings used.
    pub settings: BootstrapSettings,
}

/// Fits joint ratings and bootstraps them; the same `rng` gives the same intervals.
///
/// `None` if [`fit_ratings`] is, or for a confidence that is not between 0 and 1.
pub fn bootstrap_ratings(table: &CrossTable, settings: &BootstrapSettings, rng: &mut Rng) -> Option<Ratings> {
    normal_quantile(settings.confidence)?;
    let fit = fit_ratings(table, settings.prior)?;
    let count = table.agents();
    let mut samples: Vec<Vec<f64>> = vec![Vec::new(); count];
    for _ in 0..settings.resamples {
        if let Some(elo) = refit(&table.resampled(rng), settings.prior, &fit) {
            samples.iter_mut().zip(elo).for_each(|(sample, elo)| sample.push(elo));
        }
    }
    let fitted = samples[0].len() as u32;
    let enough = fitted > 0 && fitted >= settings.resamples.div_ceil(2);
    let played: Vec<bool> = (0..count).map(|agent| table.total(agent).matches() > 0).collect();
    let stronger = |first: usize, second: usize| {
        let comparable = first != second && played[first] && played[second] && fit.group[first] == fit.group[second];
        (enough && comparable).then(|| {
            let points = samples[first].iter().zip(&samples[second]).map(|(a, b)| {
                if a - b > EQUAL_ELO {
                    1.0
                } else if b - a > EQUAL_ELO {
                    0.0
                } else {
                    0.5
                }
            });
            points.sum::<f64>() / f64::from(fitted)
        })
    };
    let superiority = (0..count).map(|first| (0..count).map(|second| stronger(first, second)).collect()).collect();
    for sample in &mut samples {
        sample.sort_unstable_by(f64::total_cmp);
    }
    let rated = |agent: usize| {
        let total = table.total(agent);
        let tail = (1.0 - settings.confidence) / 2.0;
        let ends = || (percentile(&samples[agent], tail), percentile(&samples[agent], 1.0 - tail));
        RatedAgent {
            elo: played[agent].then(|| fit.elo[agent]),
            interval: (played[agent] && enough).then(ends),
            matches: total.matches(),
            rate: total.rate(),
        }
    };
    Some(Ratings { agents: (0..count).map(rated).collect(), superiority, fitted, settings: *settings, fit })
}

/// The ratings of a resampled table, by Newton's method starting at the ratings of the original one.
fn refit(table: &CrossTable, prior: f64, original: &RatingFit) -> Option<Vec<f64>> {
    let likelihood = Likelihood::held(table, prior)?;
    let start: Vec<f64> = original.elo.iter().map(|elo| elo / ELO).collect();
    Some(likelihood.in_elo(&likelihood.maximise(&start)?))
}

/// The quantile of a sorted sample, interpolated between neighbours.
fn percentile(sorted: &[f64], share: f64) -> f64 {
    let place = share * (sorted.len() - 1) as f64;
    let below = place.floor() as usize;
    let above = (below + 1).min(sorted.len() - 1);
    sorted[below] + (sorted[above] - sorted[below]) * (place - below as f64)
}

impl CrossTable {
    /// As many units for each two agents, drawn with replacement.
    fn resampled(&self, rng: &mut Rng) -> CrossTable {
        self.mapped(|meeting| Meeting {
            pairs: draw::<{ PAIR_KINDS.len() }>(&meeting.pairs, rng),
            matches: draw::<{ MATCH_KINDS.len() }>(&meeting.matches, rng),
        })
    }
}

/// As many units as `counts` has, each of a kind drawn in proportion to `counts`; or with one more unit spread evenly
/// over all kinds if only one kind occurred.
fn draw<const N: usize>(counts: &[u64; N], rng: &mut Rng) -> [u64; N] {
    let mut drawn = [0; N];
    let total = counts.iter().fold(0u64, |sum, &count| sum.saturating_add(count));
    let uniform = counts.iter().filter(|&&count| count > 0).count() == 1;
    if total <= ONE_BY_ONE {
        let weights = if uniform { counts.map(|count| count * N as u64 + 1) } else { *counts };
        let sum: u64 = weights.iter().sum();
        for _ in 0..total {
            let mut index = rng.below(sum as usize) as u64;
            let mut kind = 0;
            while index >= weights[kind] {
                index -= weights[kind];
                kind += 1;
            }
            drawn[kind] += 1;
        }
        return drawn;
    }
    let weights = counts.map(|count| count as f64 + if uniform { 1.0 / N as f64 } else { 0.0 });
    let (mut units, mut rest) = (total, weights.iter().sum::<f64>());
    for (drawn, weight) in drawn.iter_mut().zip(weights) {
        let share = if rest > 0.0 { (weight / rest).min(1.0) } else { 0.0 };
        *drawn = binomial(units, share, rng).min(units);
        units -= *drawn;
        rest -= weight;
    }
    drawn
}

/// A binomial random number: the successes among `trials`.
fn binomial(trials: u64, chance: f64, rng: &mut Rng) -> u64 {
    if chance > 0.5 {
        return trials - binomial(trials, 1.0 - chance, rng);
    }
    if chance <= 0.0 {
        return 0;
    }
    let mean = trials as f64 * chance;
    let variance = mean * (1.0 - chance);
    if variance > NORMAL_VARIANCE {
        // A normal random number (Box and Muller).
        let radius = (-2.0 * (1.0 - rng.unit()).ln()).sqrt();
        let normal = radius * (std::f64::consts::TAU * rng.unit()).cos();
        return ((mean + variance.sqrt() * normal).round().max(0.0) as u64).min(trials);
    }
    // From success to success: the gaps are geometric.
    let (mut successes, mut passed) = (0, 0.0);
    loop {
        passed += ((1.0 - rng.unit()).ln() / (-chance).ln_1p()).floor() + 1.0;
        if passed > trials as f64 {
            return successes;
        }
        successes += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::super::tally::Tally;
    use super::*;

    fn table_of(agents: usize, results: &[(usize, usize, u64, u64, u64)]) -> CrossTable {
        let mut table = CrossTable::new(agents);
        for &(first, second, wins, draws, losses) in results {
            table.add_matches(first, second, Tally { wins, draws, losses });
        }
        table
    }

    /// Two agents without draws: ratings are ±200 log10 of the odds, whose standard error by the delta method is 400 /
    /// ln 10 / √(n p q), halved for each agent; the percentiles lie 1.96 of them away.
    #[test]
    fn intervals_agree_with_the_delta_method() {
        let table = table_of(2, &[(0, 1, 600, 0, 400)]);
        let settings = BootstrapSettings { prior: 0.0, resamples: 4000, ..BootstrapSettings::default() };
        let ratings = bootstrap_ratings(&table, &settings, &mut Rng::new(1)).unwrap();
        let elo = 200.0 * 1.5f64.log10();
        let error = 1.959964 * 200.0 / 10f64.ln() / 240f64.sqrt();
        let (low, high) = ratings.agents[0].interval.unwrap();
        assert!((ratings.agents[0].elo.unwrap() - elo).abs() < 1e-6);
        assert!((low - (elo - error)).abs() < 0.8 && (high - (elo + error)).abs() < 0.8, "{low} {high} {elo} {error}");
        assert_eq!(ratings.fitted, 4000);
    }

    /// Pairs that always split have no randomness; the same matches one by one do.
    #[test]
    fn pairs_are_drawn_whole() {
        let mut paired = CrossTable::new(2);
        (0..40).for_each(|_| paired.add_pair(0, 1, [1.0, 0.0]));
        (0..10).for_each(|_| paired.add_pair(0, 1, [0.5, 0.5]));
        let settings = BootstrapSettings { resamples: 200, ..BootstrapSettings::default() };
        let ratings = bootstrap_ratings(&paired, &settings, &mut Rng::new(2)).unwrap();
        let (low, high) = ratings.agents[0].interval.unwrap();
        assert!(low.abs() < 1e-6 && high.abs() < 1e-6);
        let single = bootstrap_ratings(&table_of(2, &[(0, 1, 40, 20, 40)]), &settings, &mut Rng::new(2)).unwrap();
        let (low, high) = single.agents[0].interval.unwrap();
        assert!(low < -15.0 && high > 15.0);
    }

    /// Ten wins of ten leave a doubt: with one more match spread over three kinds, a drawn match is won with
    /// probability (10 + 1/3) / 11, and another number than ten wins occurs with probability 1 minus its tenth power.
    #[test]
    fn a_clean_sweep_is_not_certain() {
        let settings = BootstrapSettings::default();
        let ratings = bootstrap_ratings(&table_of(2, &[(0, 1, 10, 0, 0)]), &settings, &mut Rng::new(5)).unwrap();
        let (low, high) = ratings.agents[0].interval.unwrap();
        let elo = ratings.agents[0].elo.unwrap();
        assert!(low < elo - 30.0 && (high - elo).abs() < 1e-6, "{low} {elo} {high}");
        let mut rng = Rng::new(6);
        let swept = (0..10_000).filter(|_| draw(&[0, 0, 10], &mut rng) == [0, 0, 10]).count();
        let expected = ((10.0 + 1.0 / 3.0) / 11.0f64).powi(10);
        assert!((swept as f64 / 1e4 - expected).abs() < 0.02, "{swept} {expected}");
        let many: u64 = (0..2000).map(|_| draw(&[0, 0, 10_000], &mut rng)[0]).sum();
        // One third of a unit each time, on average; five standard errors.
        assert!((many as f64 / 2000.0 - 1.0 / 3.0).abs() < 5.0 * (1.0 / 3.0 / 2000.0f64).sqrt(), "{many}");
    }

    /// For two agents the probability of a higher rating is that of more wins than losses, a binomial tail: with 30 of
    /// 50 drawn at 0.6 each, P(X > 25) + P(X = 25) / 2, summed here.
    #[test]
    fn superiority_agrees_with_the_binomial_tail() {
        let settings = BootstrapSettings { resamples: 8000, ..BootstrapSettings::default() };
        let ratings = bootstrap_ratings(&table_of(3, &[(0, 1, 30, 0, 20)]), &settings, &mut Rng::new(3)).unwrap();
        let choose = |k: u64| (0..k).map(|i| (50 - i) as f64 / (i + 1) as f64).product::<f64>();
        let chance = |k: u64| choose(k) * 0.6f64.powi(k as i32) * 0.4f64.powi(50 - k as i32);
        let expected = (26..=50).map(chance).sum::<f64>() + chance(25) / 2.0;
        let given = ratings.superiority[0][1].unwrap();
        assert!((given - expected).abs() < 0.01, "{given} {expected}");
        assert!((ratings.superiority[1][0].unwrap() - (1.0 - given)).abs() < 1e-12);
        assert_eq!((ratings.superiority[0][0], ratings.superiority[0][2], ratings.agents[2].elo), (None, None, None));
    }

    #[test]
    fn the_seed_fixes_everything() {
        let table = table_of(3, &[(0, 1, 9, 3, 5), (1, 2, 6, 6, 6), (2, 0, 4, 1, 7)]);
        let run = |seed| bootstrap_ratings(&table, &BootstrapSettings::default(), &mut Rng::new(seed)).unwrap();
        assert_eq!(run(1), run(1));
        assert_ne!(run(1), run(2));
    }

    #[test]
    fn what_has_no_fit() {
        let sweep = table_of(2, &[(0, 1, 9, 0, 0)]);
        let plain = BootstrapSettings { prior: 0.0, ..BootstrapSettings::default() };
        assert_eq!(bootstrap_ratings(&sweep, &plain, &mut Rng::new(1)), None);
        assert!(bootstrap_ratings(&sweep, &BootstrapSettings::default(), &mut Rng::new(1)).is_some());
        let certain = BootstrapSettings { confidence: 1.0, ..BootstrapSettings::default() };
        assert_eq!(bootstrap_ratings(&sweep, &certain, &mut Rng::new(1)), None);
        let none = BootstrapSettings { resamples: 0, ..BootstrapSettings::default() };
        let ratings = bootstrap_ratings(&sweep, &none, &mut Rng::new(1)).unwrap();
        assert_eq!((ratings.agents[0].interval, ratings.superiority[0][1], ratings.fitted), (None, None, 0));
    }

    /// The means and variances of the three ways to draw are those of the binomial distribution.
    #[test]
    fn resampled_counts_have_the_binomial_moments() {
        let mut rng = Rng::new(4);
        for counts in [[40u64, 60, 0], [3000, 7000, 0], [5, 99_995, 0]] {
            let total: u64 = counts.iter().sum();
            let draws: Vec<f64> = (0..4000)
                .map(|_| draw(&counts, &mut rng))
                .map(|drawn| {
                    assert_eq!((drawn.iter().sum::<u64>(), drawn[2]), (total, 0));
                    drawn[0] as f64
                })
                .collect();
            let mean = draws.iter().sum::<f64>() / 4000.0;
            let variance = draws.iter().map(|drawn| (drawn - mean).powi(2)).sum::<f64>() / 3999.0;
            let share = counts[0] as f64 / total as f64;
            let expected = counts[0] as f64 * (1.0 - share);
            // Five standard errors of either.
            assert!((mean - counts[0] as f64).abs() < 5.0 * (expected / 4000.0).sqrt(), "{counts:?} {mean}");
            assert!((variance / expected - 1.0).abs() < 0.13, "{counts:?} {variance} {expected}");
        }
    }
}

//! Joint ratings of many agents: Bradley and Terry's model on scores, by maximum likelihood.
//!
//! R. A. Bradley and M. E. Terry, Biometrika 39 (1952). Agent i of strength πᵢ = exp θᵢ has the expected score πᵢ /
//! (πᵢ + πⱼ) against j. A draw is half a win and half a loss.
//!
//! **Scale.** A rating is 400 log₁₀ πᵢ, with mean 0. The expected score of a rating difference d is 1 / (1 +
//! 10^(-d/400)): the scale of [`elo_difference`](super::elo_difference()), so the ratings of two agents who met only
//! each other differ by exactly the Elo of their result. Models with a draw term (Rao and Kupper's, Davidson's) put the
//! same results on a scale of their own, which stretches as draws become common.
//!
//! **Prior.** An agent that only won has no finite maximum likelihood rating, and groups that never met have no common
//! scale. Only for such tables a prior of strength s adds, for each agent, s/2 wins and s/2 losses against an imagined
//! agent (as the R package PlackettLuce does, with s = 1).
//!
//! **Fit.** One number an agent need not explain every pairing. [`FitQuality`] compares the scores of the pairings with
//! the expected ones.

use statrs::distribution::{ChiSquared, ContinuousCDF};

use super::bradley_terry::{ELO, Likelihood, expected_score};
use super::cross_table::{CrossTable, Meeting};

/// The default strength of the prior: half a win and half a loss for each agent.
pub const DEFAULT_PRIOR: f64 = 1.0;

/// Joint ratings that fit a cross table best.
#[derive(Clone, PartialEq, Debug, serde::Serialize)]
pub struct RatingFit {
    /// The ratings in Elo, with mean 0.
    pub elo: Vec<f64>,
    /// The share of drawn matches.
    pub draws: f64,
    /// Whether the table alone determines the ratings; false if some rating is finite, or comparable with the others,
    /// only because of the prior.
    pub determined: bool,
    /// The group of each agent: no matches connect agents in different groups, so only the prior compares them.
    pub group: Vec<usize>,
    /// How well the ratings explain the scores of the pairings.
    pub quality: FitQuality,
}

/// How well ratings explain the scores of pairings: Pearson's statistic, and the pairing that fits worst.
#[derive(Clone, Copy, PartialEq, Debug, Default, serde::Serialize)]
pub struct FitQuality {
    /// The sum of squared distances between actual and expected score, each in standard errors of its pairing.
    pub chi_square: f64,
    /// Pairings beyond those that any ratings would explain; with 0 the fit is always exact.
    pub freedom: usize,
    /// The probability of a misfit at least as large if the model holds; `None` without freedom.
    pub p_value: Option<f64>,
    /// The two agents whose score is furthest from the expected one, and actual minus expected score of the first.
    pub worst: Option<(usize, usize, f64)>,
}

impl RatingFit {
    /// The expected score of `first` against `second`.
    pub fn expected(&self, first: usize, second: usize) -> f64 {
        expected_score((self.elo[first] - self.elo[second]) / ELO)
    }
}

/// The ratings that make the table most likely. Where the table has no maximum, a prior of the given strength holds
/// them (0 for none).
///
/// `None` without agents, if the prior is negative or not finite, or if it is 0 and needed: see
/// [`RatingFit::determined`].
pub fn fit_ratings(table: &CrossTable, prior: f64) -> Option<RatingFit> {
    let likelihood = Likelihood::held(table, prior)?;
    let point = likelihood.maximise(&vec![0.0; table.agents()])?;
    let elo = likelihood.in_elo(&point);
    let group = likelihood.groups();
    let [won, drawn, lost] = table.meetings().fold([0.0; 3], |sum, (_, _, meeting)| {
        let results = meeting.results();
        [0, 1, 2].map(|result| sum[result] + results[result])
    });
    let matches: f64 = won + drawn + lost;
    let mut fit = RatingFit {
        elo,
        draws: if matches > 0.0 { drawn / matches } else { 0.0 },
        determined: likelihood.has_maximum(),
        quality: FitQuality::default(),
        group,
    };
    fit.quality = FitQuality::of(&fit, table);
    Some(fit)
}

impl FitQuality {
    fn of(fit: &RatingFit, table: &CrossTable) -> FitQuality {
        let mut quality = FitQuality::default();
        let (mut pairings, mut met) = (0usize, vec![false; fit.elo.len()]);
        for (first, second, meeting) in table.meetings() {
            let Some((units, score, spread)) = spread(meeting, fit.expected(first, second)) else { continue };
            let distance = score - fit.expected(first, second);
            pairings += 1;
            (met[first], met[second]) = (true, true);
            if spread > 0.0 {
                quality.chi_square += units * distance * distance / spread;
            }
            if quality.worst.is_none_or(|(_, _, worst)| distance.abs() > worst.abs()) {
                quality.worst = Some((first, second, distance));
            }
        }
        let mut groups: Vec<usize> =
            fit.group.iter().zip(&met).filter(|(_, met)| **met).map(|(group, _)| *group).collect();
        let agents = groups.len();
        groups.sort_unstable();
        groups.dedup();
        quality.freedom = (pairings + groups.len()).saturating_sub(agents);
        let law = ChiSquared::new(quality.freedom as f64).ok().filter(|_| quality.freedom > 0);
        quality.p_value = law.map(|law| law.sf(quality.chi_square)).filter(|p_value| p_value.is_finite());
        quality
    }
}

/// The number of units of a meeting, their mean score, and their mean squared distance from the expected score.
fn spread(meeting: &Meeting, expected: f64) -> Option<(f64, f64, f64)> {
    let units: f64 = meeting.scores().map(|(_, count)| count).sum();
    let mean =
        |value: &dyn Fn(f64) -> f64| meeting.scores().map(|(score, count)| value(score) * count).sum::<f64>() / units;
    (units > 0.0).then(|| (units, mean(&|score| score), mean(&|score| (score - expected).powi(2))))
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

    fn wins_of<const N: usize>(wins: [[u64; N]; N]) -> CrossTable {
        let mut table = CrossTable::new(N);
        for (first, row) in wins.iter().enumerate() {
            for (second, &won) in row.iter().enumerate().filter(|&(second, _)| second != first) {
                table.add_matches(first, second, Tally { wins: won, draws: 0, losses: 0 });
            }
        }
        table
    }

    /// Log-odds against the first agent, as R prints them.
    fn log_odds(fit: &RatingFit, reference: usize) -> Vec<f64> {
        fit.elo.iter().map(|elo| (elo - fit.elo[reference]) * std::f64::consts::LN_10 / 400.0).collect()
    }

    fn all_near(given: &[f64], expected: &[f64], tolerance: f64) {
        assert!(
            given.len() == expected.len() && given.iter().zip(expected).all(|(a, b)| (a - b).abs() < tolerance),
            "{given:?} instead of {expected:?}"
        );
    }

    /// Stigler's citations among four statistics journals (Statistical Science 9 (1994)) with the coefficients printed
    /// by H. Turner and D. Firth, "Bradley-Terry models in R: the BradleyTerry2 package", J. Stat. Software 48 (2012).
    #[test]
    fn citations_agree_with_the_published_fit() {
        let table = wins_of([[0, 730, 498, 221], [33, 0, 68, 17], [320, 813, 0, 142], [284, 276, 325, 0]]);
        let fit = fit_ratings(&table, 0.0).unwrap();
        assert!(fit.determined && fit.draws == 0.0);
        all_near(&log_odds(&fit, 0), &[0.0, -2.9491, -0.4796, 0.2690], 5.1e-5);
    }

    /// The American League of 1987 (A. Agresti, "Categorical Data Analysis", 2nd edition 2002, p. 438) with the
    /// coefficients against Baltimore printed in the same paper: Milwaukee, Detroit, Toronto, New York, Boston,
    /// Cleveland.
    #[test]
    fn baseball_agrees_with_the_published_fit() {
        let table = wins_of([
            [0, 7, 9, 7, 7, 9, 11],
            [6, 0, 7, 5, 11, 9, 9],
            [4, 6, 0, 7, 7, 8, 12],
            [6, 8, 6, 0, 6, 7, 10],
            [6, 2, 6, 7, 0, 7, 12],
            [4, 4, 5, 6, 6, 0, 6],
            [2, 4, 1, 3, 1, 7, 0],
        ]);
        let fit = fit_ratings(&table, 0.0).unwrap();
        all_near(&log_odds(&fit, 6), &[1.5814, 1.4364, 1.2945, 1.2476, 1.1077, 0.6839, 0.0], 5.1e-5);
        assert!(fit.elo.iter().sum::<f64>().abs() < 1e-9);
    }

    /// The ratings of two agents differ by exactly the Elo of their result, however many draws there are.
    #[test]
    fn two_agents_have_the_elo_of_their_result() {
        for (wins, draws, losses) in [(60, 100, 40), (30, 960, 10), (60, 0, 40), (180, 10, 10)] {
            let tally = Tally { wins, draws, losses };
            let fit = fit_ratings(&table_of(2, &[(0, 1, wins, draws, losses)]), DEFAULT_PRIOR).unwrap();
            let elo = super::super::elo_difference(tally, 0.95).unwrap().elo.unwrap();
            all_near(&fit.elo, &[elo / 2.0, -elo / 2.0], 1e-6);
            assert!((fit.expected(0, 1) - tally.rate().unwrap()).abs() < 1e-9);
            assert!((fit.draws - draws as f64 / tally.matches() as f64).abs() < 1e-12);
            assert_eq!((fit.quality.freedom, fit.quality.p_value), (0, None));
        }
    }

    /// At the maximum each agent's expected score is its actual one (the likelihood equations).
    #[test]
    fn expected_and_actual_scores_agree_at_the_maximum() {
        let results = [(0, 1, 10, 5, 4), (1, 2, 8, 8, 8), (0, 3, 3, 1, 9), (2, 3, 7, 2, 6), (1, 3, 5, 5, 1)];
        let table = table_of(4, &results);
        let fit = fit_ratings(&table, 0.0).unwrap();
        for agent in 0..4 {
            let expected: f64 = (0..4)
                .filter(|&other| other != agent)
                .map(|other| table.tally(agent, other).matches() as f64 * fit.expected(agent, other))
                .sum();
            assert!((expected - table.total(agent).score()).abs() < 1e-6);
        }
        assert_eq!(fit.quality.freedom, 2);
        assert!(fit.quality.p_value.is_some());
    }

    /// Rock, paper, scissors: equal ratings explain none of the scores; results that follow the model are explained.
    #[test]
    fn a_circle_does_not_fit() {
        let circle =
            fit_ratings(&table_of(3, &[(0, 1, 90, 0, 10), (1, 2, 90, 0, 10), (2, 0, 90, 0, 10)]), 0.0).unwrap();
        let quality = circle.quality;
        // Expected 1/2 each: the squared distance 0.16 over a spread of 0.25, a hundred times, for three pairings.
        assert!((quality.chi_square - 3.0 * 64.0).abs() < 1e-6 && quality.freedom == 1, "{quality:?}");
        assert!(quality.p_value.unwrap() < 1e-12 && (quality.worst.unwrap().2.abs() - 0.4).abs() < 1e-9);
        let line = fit_ratings(&table_of(3, &[(0, 1, 60, 0, 40), (1, 2, 60, 0, 40), (0, 2, 69, 0, 31)]), 0.0).unwrap();
        assert!(line.quality.p_value.unwrap() > 0.8, "{:?}", line.quality);
    }

    #[test]
    fn tables_without_a_maximum_need_the_prior() {
        for (results, determined) in [
            (vec![(0, 1, 5, 0, 0), (1, 2, 3, 0, 2)], false),
            (vec![(0, 1, 5, 0, 1)], false),
            (vec![(0, 1, 5, 0, 1), (1, 2, 3, 0, 2)], true),
            // A draw is half a loss.
            (vec![(0, 1, 5, 2, 0), (1, 2, 3, 0, 2)], true),
            (vec![(0, 1, 5, 2, 0), (1, 2, 3, 2, 0)], true),
            (vec![(0, 1, 0, 5, 0), (1, 2, 0, 5, 0)], true),
            (vec![(0, 1, 0, 5, 0), (1, 2, 1, 0, 1)], true),
            (vec![(0, 1, 1, 0, 0), (1, 2, 1, 0, 0), (2, 0, 1, 0, 0)], true),
            (vec![], false),
        ] {
            let table = table_of(3, &results);
            let plain = fit_ratings(&table, 0.0);
            assert_eq!(plain.is_some(), determined, "{results:?}");
            let held = fit_ratings(&table, DEFAULT_PRIOR).unwrap();
            assert_eq!(held.determined, determined);
            assert!(held.elo.iter().all(|elo| elo.is_finite()));
            // No prior changes a determined fit.
            if let Some(plain) = plain {
                assert_eq!(plain, held);
            }
        }
    }

    #[test]
    fn groups_are_those_who_met() {
        let fit = fit_ratings(&table_of(5, &[(0, 3, 2, 0, 1), (4, 2, 1, 1, 1)]), DEFAULT_PRIOR).unwrap();
        assert_eq!(fit.group, [0, 1, 2, 0, 2]);
        assert!(!fit.determined);
        assert!(fit.elo[1].abs() < 50.0 && fit.elo[0] > fit.elo[3]);
        assert_eq!(fit_ratings(&CrossTable::new(0), 1.0), None);
        assert_eq!(fit_ratings(&CrossTable::new(2), f64::NAN), None);
        assert_eq!(fit_ratings(&CrossTable::new(1), 1.0).unwrap().elo, [0.0]);
    }

    /// An all-win agent, prior 1: the fit solves 10.5 = 10 p + q for its expected scores p against the other and q
    /// against the imagined agent, found here by bisection over θ = ±x.
    #[test]
    fn a_clean_sweep_is_held_by_the_prior() {
        let fit = fit_ratings(&table_of(2, &[(0, 1, 10, 0, 0)]), 1.0).unwrap();
        let chance = |apart: f64| 1.0 / (1.0 + (-apart).exp());
        let (mut low, mut high) = (0.0, 20.0);
        for _ in 0..100 {
            let x: f64 = (low + high) / 2.0;
            if 10.0 * chance(2.0 * x) + chance(x) < 10.5 { low = x } else { high = x }
        }
        assert!((fit.elo[0] - low * 400.0 / 10f64.ln()).abs() < 1e-6, "{:?} {low}", fit.elo);
    }
}

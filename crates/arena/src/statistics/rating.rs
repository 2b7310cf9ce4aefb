//! Joint ratings of many agents: the Bradley-Terry model with Davidson's draw term, by maximum likelihood.
//!
//! R. A. Bradley and M. E. Terry, Biometrika 39 (1952); R. R. Davidson, "On extending the Bradley-Terry model to
//! accommodate ties in paired comparison experiments", JASA 65 (1970). Agent i of strength πᵢ = exp θᵢ wins, draws and
//! loses against j in the proportions πᵢ : ν √(πᵢ πⱼ) : πⱼ.
//!
//! **Scale.** A rating is 400 log₁₀ πᵢ · 2 / (2 + ν), with mean 0. The second factor makes a small rating difference
//! predict the same score as ordinary Elo does; without it ratings would grow with the fraction of draws. (Without
//! draws ν = 0 and it is 1.)
//!
//! **Prior.** An agent that only won has no finite maximum likelihood rating, and groups that never met have no common
//! scale. A prior of strength s adds, for each agent, s/2 wins and s/2 losses against an imagined agent (as the R
//! package PlackettLuce does, with s = 1), and s decisive matches between imagined equals, which keep ν finite. With s
//! = 0 the plain maximum likelihood is used if it exists.

use super::cross_table::CrossTable;
use super::davidson::{Likelihood, outcome_chances};

/// The default strength of the prior: half a win and half a loss for each agent.
pub const DEFAULT_PRIOR: f64 = 1.0;

/// Joint ratings that fit a cross table best.
#[derive(Clone, PartialEq, Debug, serde::Serialize)]
pub struct RatingFit {
    /// The ratings in Elo, with mean 0.
    pub elo: Vec<f64>,
    /// Davidson's ν: between equals, draws are this many times as frequent as wins of one side.
    pub draw: f64,
    /// Whether the table alone determines the ratings; false if some rating is finite, or comparable with the others,
    /// only because of the prior.
    pub determined: bool,
    /// The group of each agent: no matches connect agents in different groups, so only the prior compares them.
    pub group: Vec<usize>,
}

impl RatingFit {
    /// The expected score of `first` against `second`.
    pub fn expected(&self, first: usize, second: usize) -> f64 {
        let apart = (self.elo[first] - self.elo[second]) * std::f64::consts::LN_10 / 400.0 * (2.0 + self.draw) / 2.0;
        let [win, draw, _] = outcome_chances(apart, self.draw);
        win + draw / 2.0
    }
}

/// The ratings that make the table most likely, with a prior of the given strength (0 for none).
///
/// `None` without agents, if the prior is negative or not finite, or if it is 0 and the table has no maximum: see
/// [`RatingFit::determined`].
pub fn fit_ratings(table: &CrossTable, prior: f64) -> Option<RatingFit> {
    let likelihood = Likelihood::new(table, prior)?;
    let determined = likelihood.has_maximum();
    if !(determined || prior > 0.0) {
        return None;
    }
    let point = likelihood.maximise(&vec![0.0; likelihood.dimensions()])?;
    let (elo, draw) = likelihood.in_elo(&point);
    Some(RatingFit { elo, draw, determined, group: likelihood.groups() })
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
        assert!(fit.determined && fit.draw == 0.0);
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

    /// Two agents: three proportions and two parameters that fit them exactly, π₁/π₂ = W/L and ν = D / √(W L).
    #[test]
    fn two_agents_have_a_closed_form() {
        let fit = fit_ratings(&table_of(2, &[(0, 1, 60, 100, 40)]), 0.0).unwrap();
        let draw = 100.0 / 2400f64.sqrt();
        assert!((fit.draw - draw).abs() < 1e-9);
        let elo = 400.0 * 1.5f64.log10() * 2.0 / (2.0 + draw);
        all_near(&fit.elo, &[elo / 2.0, -elo / 2.0], 1e-6);
        assert!((fit.expected(0, 1) - 0.55).abs() < 1e-9);
        // The scale makes it comparable with ordinary Elo of a 55 % score.
        assert!((elo - super::super::elo::elo_of_rate(0.55).unwrap()).abs() < 0.5);
    }

    /// The simple iteration that Davidson's paper gives for its likelihood equations, from a level start: slow, and
    /// different from Newton's method.
    #[test]
    fn newton_agrees_with_davidsons_iteration() {
        let results = [(0, 1, 19, 16, 22), (0, 2, 16, 12, 19), (1, 2, 19, 10, 19), (0, 3, 5, 9, 30), (2, 3, 21, 7, 8)];
        let (mut strength, mut draw) = ([0.25f64; 4], 1.0f64);
        for _ in 0..5000 {
            let (mut points, mut shares, mut drawn, mut chances) = ([0.0; 4], [0.0; 4], 0.0, 0.0);
            for (first, second, wins, draws, losses) in results {
                let matches = (wins + draws + losses) as f64;
                let middle = (strength[first] * strength[second]).sqrt();
                let sum = strength[first] + strength[second] + draw * middle;
                points[first] += (2 * wins + draws) as f64;
                points[second] += (2 * losses + draws) as f64;
                shares[first] += matches * (2.0 + draw * middle / strength[first]) / sum;
                shares[second] += matches * (2.0 + draw * middle / strength[second]) / sum;
                drawn += draws as f64;
                chances += matches * middle / sum;
            }
            strength = std::array::from_fn(|agent| points[agent] / shares[agent]);
            draw = drawn / chances;
        }
        let fit = fit_ratings(&table_of(4, &results), 0.0).unwrap();
        assert!((fit.draw - draw).abs() < 1e-6, "{} {draw}", fit.draw);
        let scale = 400.0 * 2.0 / (2.0 + draw);
        let mean = strength.iter().map(|strength| strength.log10()).sum::<f64>() / 4.0;
        let expected = strength.map(|strength| (strength.log10() - mean) * scale);
        all_near(&fit.elo, &expected, 1e-4);
    }

    /// At the maximum each agent's expected score is its actual one, and so is the number of draws (Davidson's
    /// likelihood equations).
    #[test]
    fn expected_and_actual_scores_agree_at_the_maximum() {
        let results = [(0, 1, 10, 5, 4), (1, 2, 8, 8, 8), (0, 3, 3, 1, 9), (2, 3, 7, 2, 6), (1, 3, 5, 5, 1)];
        let table = table_of(4, &results);
        let fit = fit_ratings(&table, 0.0).unwrap();
        let mut drawn = 0.0;
        for agent in 0..4 {
            let expected: f64 = (0..4)
                .filter(|&other| other != agent)
                .map(|other| table.tally(agent, other).matches() as f64 * fit.expected(agent, other))
                .sum();
            assert!((expected - table.total(agent).score()).abs() < 1e-6);
        }
        for (first, second, wins, draws, losses) in results {
            let apart = (fit.elo[first] - fit.elo[second]) * 10f64.ln() / 400.0 * (2.0 + fit.draw) / 2.0;
            let (strong, weak) = (apart.exp(), 1.0);
            let tie = fit.draw * (strong * weak).sqrt();
            drawn += (wins + draws + losses) as f64 * tie / (strong + weak + tie);
        }
        assert!((drawn - 21.0).abs() < 1e-6);
    }

    #[test]
    fn tables_without_a_maximum_need_the_prior() {
        for (results, determined) in [
            (vec![(0, 1, 5, 0, 0), (1, 2, 3, 0, 2)], false),
            (vec![(0, 1, 5, 0, 1)], false),
            (vec![(0, 1, 5, 0, 1), (1, 2, 3, 0, 2)], true),
            // One agent is above the others by wins and draws alone.
            (vec![(0, 1, 5, 2, 0), (1, 2, 3, 0, 2)], true),
            (vec![(0, 1, 5, 2, 0), (1, 2, 3, 2, 0)], false),
            (vec![(0, 1, 0, 5, 0), (1, 2, 0, 5, 0)], false),
            (vec![(0, 1, 0, 5, 0), (1, 2, 1, 0, 1)], true),
            (vec![(0, 1, 1, 0, 0), (1, 2, 1, 0, 0), (2, 0, 1, 0, 0)], true),
            (vec![], false),
        ] {
            let table = table_of(3, &results);
            let plain = fit_ratings(&table, 0.0);
            assert_eq!(plain.is_some(), determined, "{results:?}");
            let held = fit_ratings(&table, DEFAULT_PRIOR).unwrap();
            assert_eq!(held.determined, determined);
            assert!(held.elo.iter().all(|elo| elo.is_finite()) && held.draw.is_finite());
            // A vanishing prior does not change a determined fit.
            if let (Some(plain), Some(weak)) = (plain, fit_ratings(&table, 1e-9)) {
                all_near(&weak.elo, &plain.elo, 1e-3);
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

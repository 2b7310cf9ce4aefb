//! The log-likelihood of Davidson's model, and its maximum.
//!
//! It is concave in (θ, ln ν), where agent i has strength πᵢ = exp θᵢ and wins, draws and loses against j in the
//! proportions πᵢ : ν √(πᵢ πⱼ) : πⱼ. So Newton's method with halved steps finds the only maximum, and whether one
//! exists follows from who won and drew against whom.

use super::cross_table::CrossTable;

/// Newton's method stops when no coordinate moves by more than this (about 2·10⁻⁸ Elo).
const SETTLED: f64 = 1e-10;

/// The most steps; ordinary tables need five to ten.
const MOST_STEPS: usize = 200;

/// Steps are limited to this length, about 1,700 Elo, so that a flat start does not push them out of range.
const LONGEST_STEP: f64 = 10.0;

/// The probabilities of a win, a draw and a loss at a distance θᵢ - θⱼ.
pub(super) fn outcome_chances(apart: f64, draw: f64) -> [f64; 3] {
    // Divided by the greater strength, so that nothing overflows.
    let half = (-apart.abs() / 2.0).exp();
    let (better, worse, drawn) = (1.0, half * half, draw * half);
    let sum = better + worse + drawn;
    if apart >= 0.0 { [better / sum, drawn / sum, worse / sum] } else { [worse / sum, drawn / sum, better / sum] }
}

/// The log-likelihood of (θ, ln ν) given a table; ln ν is omitted if nothing was drawn, since then ν = 0.
pub(super) struct Likelihood {
    agents: usize,
    prior: f64,
    /// (first, second, won, drawn and lost by the first) of agents who met.
    meetings: Vec<(usize, usize, [f64; 3])>,
    draws: bool,
}

impl Likelihood {
    pub(super) fn new(table: &CrossTable, prior: f64) -> Option<Likelihood> {
        if table.agents() == 0 || !(prior >= 0.0 && prior.is_finite()) {
            return None;
        }
        let meetings: Vec<(usize, usize, [f64; 3])> = table
            .meetings()
            .map(|(first, second, meeting)| (first, second, meeting.results()))
            .filter(|(_, _, results)| results.iter().any(|&matches| matches > 0.0))
            .collect();
        let draws = meetings.iter().any(|(_, _, results)| results[1] > 0.0);
        Some(Likelihood { agents: table.agents(), prior, meetings, draws })
    }

    pub(super) fn dimensions(&self) -> usize {
        self.agents + usize::from(self.draws)
    }

    /// Whether the likelihood without prior has a maximum, unique up to a common shift.
    ///
    /// It has none if and only if the likelihood never decreases along some direction (u, c) of (θ, ln ν): each result
    /// that occurred must be among the most favoured of its three. For a win of i over j that means uᵢ - uⱼ ≥ max(0,
    /// 2c), for a draw |uᵢ - uⱼ| ≤ 2c. With c = 0 there is only a common shift if and only if wins, with draws as wins
    /// of both, connect everybody with everybody (L. R. Ford's condition, 1957). With c = 1 these are difference
    /// constraints, which are feasible if and only if no cycle of them adds up to less than 0. c < 0 needs a table
    /// without draws.
    pub(super) fn has_maximum(&self) -> bool {
        let n = self.agents;
        let mut reach = vec![vec![false; n]; n];
        // bound[i][j]: the least upper bound of uⱼ - uᵢ.
        let mut bound = vec![vec![f64::INFINITY; n]; n];
        for agent in 0..n {
            reach[agent][agent] = true;
            bound[agent][agent] = 0.0;
        }
        for &(first, second, [won, drawn, lost]) in &self.meetings {
            for (winner, loser, times) in [(first, second, won), (second, first, lost)] {
                reach[winner][loser] |= times > 0.0 || drawn > 0.0;
                if drawn > 0.0 {
                    bound[winner][loser] = bound[winner][loser].min(2.0);
                }
                if times > 0.0 {
                    bound[winner][loser] = -2.0;
                }
            }
        }
        for middle in 0..n {
            for from in 0..n {
                for to in 0..n {
                    reach[from][to] |= reach[from][middle] && reach[middle][to];
                    // Bounded below, so that repeated passes around a negative cycle do not overflow.
                    let through = (bound[from][middle] + bound[middle][to]).max(-1e9);
                    bound[from][to] = bound[from][to].min(through);
                }
            }
        }
        let connected = reach.iter().flatten().all(|&reached| reached);
        let contradiction = (0..n).any(|agent| bound[agent][agent] < 0.0);
        connected && (contradiction || !self.draws)
    }

    /// The connected components of agents who met, numbered by their first members.
    pub(super) fn groups(&self) -> Vec<usize> {
        let mut group: Vec<usize> = (0..self.agents).collect();
        for &(first, second, _) in &self.meetings {
            let (kept, dropped) = (group[first].min(group[second]), group[first].max(group[second]));
            group.iter_mut().filter(|group| **group == dropped).for_each(|group| *group = kept);
        }
        let mut numbers: Vec<usize> = group.clone();
        numbers.sort_unstable();
        numbers.dedup();
        group.iter().map(|group| numbers.partition_point(|number| number < group)).collect()
    }

    /// Ratings with mean 0 and ν at a point.
    pub(super) fn in_elo(&self, point: &[f64]) -> (Vec<f64>, f64) {
        let draw = if self.draws { point[self.agents].exp() } else { 0.0 };
        let strengths = &point[..self.agents];
        let mean = strengths.iter().sum::<f64>() / self.agents as f64;
        let scale = 400.0 / std::f64::consts::LN_10 * 2.0 / (2.0 + draw);
        (strengths.iter().map(|strength| (strength - mean) * scale).collect(), draw)
    }

    /// The maximum, by Newton's method from `start`; `None` if rounding spoils it.
    pub(super) fn maximise(&self, start: &[f64]) -> Option<Vec<f64>> {
        let n = self.dimensions();
        let mut point = start.to_vec();
        let mut value = self.value(&point);
        let (mut gradient, mut curvature) = (vec![0.0; n], vec![0.0; n * n]);
        for _ in 0..MOST_STEPS {
            self.derivatives(&point, &mut gradient, &mut curvature);
            let mut step = solve_positive(&mut curvature, &gradient)?;
            let longest = step.iter().fold(0.0f64, |longest, part| longest.max(part.abs()));
            if longest > LONGEST_STEP {
                step.iter_mut().for_each(|part| *part *= LONGEST_STEP / longest);
            }
            let mut moved: Vec<f64> = point.iter().zip(&step).map(|(at, part)| at + part).collect();
            let mut reached = self.value(&moved);
            let mut halvings = 0;
            // Near the maximum rounding hides the gain; a loss of that size does not count.
            while (reached.is_nan() || reached < value - 1e-12 * value.abs()) && halvings < 40 {
                step.iter_mut().for_each(|part| *part /= 2.0);
                moved = point.iter().zip(&step).map(|(at, part)| at + part).collect();
                reached = self.value(&moved);
                halvings += 1;
            }
            point = moved;
            value = reached;
            if step.iter().all(|part| part.abs() < SETTLED) {
                break;
            }
        }
        point.iter().all(|at| at.is_finite()).then_some(point)
    }

    /// How strongly the sum of θ is pulled to 0. Without a prior only differences of θ are determined, and fixing their
    /// sum changes none of them; a prior fixes it by itself.
    fn hold(&self) -> f64 {
        if self.prior > 0.0 { 0.0 } else { 1.0 }
    }

    fn draw_at(&self, point: &[f64]) -> f64 {
        if self.draws { point[self.agents].exp() } else { 0.0 }
    }

    fn value(&self, point: &[f64]) -> f64 {
        let draw = self.draw_at(point);
        let mut value = 0.0;
        for &(first, second, [won, drawn, lost]) in &self.meetings {
            let apart = point[first] - point[second];
            // Logarithms of the three proportions, divided by √(πᵢ πⱼ).
            let sum = ln_sum(apart, draw);
            value += won * apart / 2.0 - lost * apart / 2.0 - (won + drawn + lost) * sum;
            if drawn > 0.0 {
                value += drawn * point[self.agents];
            }
        }
        for strength in &point[..self.agents] {
            value -= self.prior * ln_sum(*strength, 0.0);
        }
        if self.draws {
            value -= self.prior * (2.0 + draw).ln();
        }
        value - self.hold() * point[..self.agents].iter().sum::<f64>().powi(2) / 2.0
    }

    /// The gradient and the negative Hessian, which is symmetric positive definite.
    fn derivatives(&self, point: &[f64], gradient: &mut [f64], curvature: &mut [f64]) {
        let n = self.dimensions();
        let draw = self.draw_at(point);
        gradient.fill(0.0);
        curvature.fill(0.0);
        for &(first, second, [won, drawn, lost]) in &self.meetings {
            let matches = won + drawn + lost;
            let [win, tie, loss] = outcome_chances(point[first] - point[second], draw);
            // In θᵢ - θⱼ the three results have slopes 1/2, 0, -1/2; in ln ν they have 0, 1, 0.
            let expected = (win - loss) / 2.0;
            let slope = (won - lost) / 2.0 - matches * expected;
            let bend = matches * ((win + loss) / 4.0 - expected * expected);
            gradient[first] += slope;
            gradient[second] -= slope;
            curvature[first * n + first] += bend;
            curvature[second * n + second] += bend;
            curvature[first * n + second] -= bend;
            curvature[second * n + first] -= bend;
            if self.draws {
                let last = self.agents;
                gradient[last] += drawn - matches * tie;
                curvature[last * n + last] += matches * tie * (1.0 - tie);
                let mixed = -matches * tie * expected;
                for (agent, mixed) in [(first, mixed), (second, -mixed)] {
                    curvature[agent * n + last] += mixed;
                    curvature[last * n + agent] += mixed;
                }
            }
        }
        for agent in 0..self.agents {
            let [win, _, loss] = outcome_chances(point[agent], 0.0);
            gradient[agent] -= self.prior * (win - loss) / 2.0;
            curvature[agent * n + agent] += self.prior * win * loss;
        }
        if self.draws {
            let last = self.agents;
            let share = draw / (2.0 + draw);
            gradient[last] -= self.prior * share;
            curvature[last * n + last] += self.prior * share * (1.0 - share);
        }
        let total: f64 = point[..self.agents].iter().sum();
        for row in 0..self.agents {
            gradient[row] -= self.hold() * total;
            for column in 0..self.agents {
                curvature[row * n + column] += self.hold();
            }
        }
    }
}

/// ln(e^(d/2) + e^(-d/2) + ν), without overflow.
fn ln_sum(apart: f64, draw: f64) -> f64 {
    let half = apart.abs() / 2.0;
    half + ((-apart.abs()).exp() + draw * (-half).exp()).ln_1p()
}

/// Solves a symmetric positive definite system by Cholesky decomposition, in place; `None` if it is not one.
fn solve_positive(matrix: &mut [f64], right: &[f64]) -> Option<Vec<f64>> {
    let n = right.len();
    for column in 0..n {
        for row in column..n {
            let inner: f64 = (0..column).map(|k| matrix[row * n + k] * matrix[column * n + k]).sum();
            let rest = matrix[row * n + column] - inner;
            if row == column {
                if !(rest > 0.0 && rest.is_finite()) {
                    return None;
                }
                matrix[row * n + column] = rest.sqrt();
            } else {
                matrix[row * n + column] = rest / matrix[column * n + column];
            }
        }
    }
    let mut solution = right.to_vec();
    for row in 0..n {
        let inner: f64 = (0..row).map(|k| matrix[row * n + k] * solution[k]).sum();
        solution[row] = (solution[row] - inner) / matrix[row * n + row];
    }
    for row in (0..n).rev() {
        let inner: f64 = (row + 1..n).map(|k| matrix[k * n + row] * solution[k]).sum();
        solution[row] = (solution[row] - inner) / matrix[row * n + row];
    }
    solution.iter().all(|part| part.is_finite()).then_some(solution)
}

#[cfg(test)]
mod tests {
    use super::super::tally::Tally;
    use super::*;

    fn table_of(results: &[(usize, usize, [u64; 3])]) -> CrossTable {
        let mut table = CrossTable::new(3);
        for &(first, second, [wins, draws, losses]) in results {
            table.add_matches(first, second, Tally { wins, draws, losses });
        }
        table
    }

    /// All 512 tables of three agents by which results occurred, each compared with the definition: a direction in
    /// which every result that occurred stays among the most favoured of its three. Integer steps up to twice the
    /// number of agents minus one suffice for such constraints.
    #[test]
    fn whether_there_is_a_maximum_agrees_with_a_search_over_directions() {
        let couples = [(0usize, 1usize), (0, 2), (1, 2)];
        for occurred in 0u32..512 {
            let seen = |couple: usize, result: usize| (occurred >> (3 * couple + result)) & 1 == 1;
            let results: Vec<_> = (0..3)
                .map(|c| (couples[c].0, couples[c].1, [0, 1, 2].map(|result| u64::from(seen(c, result)))))
                .collect();
            let draws = (0..3).any(|couple| seen(couple, 1));
            let stays = |u: [i32; 3], c: i32| {
                (0..3).all(|couple| {
                    let (first, second) = couples[couple];
                    // Twice the exponents of win, draw and loss; without draws in the table there is no ν.
                    let favour = [2 * u[first], 2 * c + u[first] + u[second], 2 * u[second]];
                    let most = if draws { favour.into_iter().max() } else { Some(favour[0].max(favour[2])) };
                    (0..3).all(|result| !seen(couple, result) || Some(favour[result]) == most)
                })
            };
            let mut runs_away = false;
            for c in if draws { -1..=1 } else { 0..=0 } {
                for second in -4..=4 {
                    for third in -4..=4 {
                        runs_away |= (second, third, c) != (0, 0, 0) && stays([0, second, third], c);
                    }
                }
            }
            let likelihood = Likelihood::new(&table_of(&results), 0.0).unwrap();
            assert_eq!(likelihood.has_maximum(), !runs_away, "{results:?}");
        }
    }

    /// The gradient compared with finite differences.
    #[test]
    fn derivatives_agree_with_differences() {
        let table = table_of(&[(0, 1, [5, 3, 2]), (1, 2, [4, 4, 1]), (0, 2, [0, 2, 6])]);
        for prior in [0.0, 0.7] {
            let likelihood = Likelihood::new(&table, prior).unwrap();
            let point = [0.3, -0.2, 0.4, -0.5];
            let (mut gradient, mut curvature) = (vec![0.0; 4], vec![0.0; 16]);
            likelihood.derivatives(&point, &mut gradient, &mut curvature);
            let shifted = |axis: usize, by: f64| {
                let mut moved = point;
                moved[axis] += by;
                moved
            };
            for axis in 0..4 {
                let slope = (likelihood.value(&shifted(axis, 1e-5)) - likelihood.value(&shifted(axis, -1e-5))) / 2e-5;
                assert!((slope - gradient[axis]).abs() < 1e-6);
                let (mut ahead, mut behind, mut unused) = (vec![0.0; 4], vec![0.0; 4], vec![0.0; 16]);
                likelihood.derivatives(&shifted(axis, 1e-5), &mut ahead, &mut unused);
                likelihood.derivatives(&shifted(axis, -1e-5), &mut behind, &mut unused);
                for other in 0..4 {
                    let bend = (behind[other] - ahead[other]) / 2e-5;
                    assert!((bend - curvature[axis * 4 + other]).abs() < 1e-6);
                }
            }
        }
    }

    /// Hilbert's 3 × 3 matrix with the solution 1, 1, 1; and a matrix that is not positive.
    #[test]
    fn linear_systems_are_solved() {
        let mut hilbert: Vec<f64> = (0..9).map(|cell| 1.0 / (cell / 3 + cell % 3 + 1) as f64).collect();
        let right = [11.0 / 6.0, 13.0 / 12.0, 47.0 / 60.0];
        let solution = solve_positive(&mut hilbert, &right).unwrap();
        assert!(solution.iter().all(|part| (part - 1.0).abs() < 1e-12));
        assert_eq!(solve_positive(&mut [1.0, 2.0, 2.0, 1.0], &[1.0, 1.0]), None);
    }
}

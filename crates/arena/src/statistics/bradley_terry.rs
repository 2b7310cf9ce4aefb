//! The log-likelihood of Bradley and Terry's model, and its maximum.
//!
//! It is concave in θ, where agent i has strength exp θᵢ and the expected score exp θᵢ / (exp θᵢ + exp θⱼ) against j; a
//! draw counts as half a win and half a loss. So Newton's method with halved steps finds the only maximum, and whether
//! one exists follows from who scored against whom.

use super::cross_table::CrossTable;

/// Newton's method stops when no coordinate moves by more than this (about 2·10⁻⁸ Elo).
const SETTLED: f64 = 1e-10;

/// The most steps; ordinary tables need five to ten.
const MOST_STEPS: usize = 200;

/// Elo for each unit of θ.
pub(super) const ELO: f64 = 400.0 / std::f64::consts::LN_10;

/// Steps are limited to this length, about 1,700 Elo, so that a flat start does not push them out of range.
const LONGEST_STEP: f64 = 10.0;

/// The expected score at a distance θᵢ - θⱼ.
pub(super) fn expected_score(apart: f64) -> f64 {
    // Divided by the greater strength, so that nothing overflows.
    let weaker = (-apart.abs()).exp();
    if apart >= 0.0 { 1.0 / (1.0 + weaker) } else { weaker / (1.0 + weaker) }
}

/// The log-likelihood of θ given a table.
pub(super) struct Likelihood {
    agents: usize,
    prior: f64,
    /// (first, second, points of the first and of the second) of agents who met.
    meetings: Vec<(usize, usize, [f64; 2])>,
}

impl Likelihood {
    /// With `prior` / 2 wins and as many losses of each agent against an imagined one.
    pub(super) fn new(table: &CrossTable, prior: f64) -> Option<Likelihood> {
        if table.agents() == 0 || !(prior >= 0.0 && prior.is_finite()) {
            return None;
        }
        let points = |[won, drawn, lost]: [f64; 3]| [won + drawn / 2.0, lost + drawn / 2.0];
        let meetings: Vec<(usize, usize, [f64; 2])> = table
            .meetings()
            .map(|(first, second, meeting)| (first, second, points(meeting.results())))
            .filter(|(_, _, points)| points.iter().any(|&points| points > 0.0))
            .collect();
        Some(Likelihood { agents: table.agents(), prior, meetings })
    }

    /// With the prior only if the table alone has no maximum; `None` if it is needed and 0.
    pub(super) fn held(table: &CrossTable, prior: f64) -> Option<Likelihood> {
        let held = Likelihood::new(table, prior)?;
        if held.has_maximum() { Likelihood::new(table, 0.0) } else { Some(held).filter(|_| prior > 0.0) }
    }

    /// Whether the likelihood without prior has a maximum, unique up to a common shift: if and only if points connect
    /// everybody with everybody (L. R. Ford, "Solution of a ranking problem from binary comparisons", 1957).
    pub(super) fn has_maximum(&self) -> bool {
        let n = self.agents;
        let mut reach = vec![vec![false; n]; n];
        for (agent, row) in reach.iter_mut().enumerate() {
            row[agent] = true;
        }
        for &(first, second, [own, others]) in &self.meetings {
            reach[first][second] |= own > 0.0;
            reach[second][first] |= others > 0.0;
        }
        for middle in 0..n {
            for from in 0..n {
                for to in 0..n {
                    reach[from][to] |= reach[from][middle] && reach[middle][to];
                }
            }
        }
        reach.iter().flatten().all(|&reached| reached)
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

    /// Ratings with mean 0 at a point.
    pub(super) fn in_elo(&self, point: &[f64]) -> Vec<f64> {
        let mean = point.iter().sum::<f64>() / self.agents as f64;
        point.iter().map(|strength| (strength - mean) * ELO).collect()
    }

    /// The maximum, by Newton's method from `start`; `None` if rounding spoils it.
    pub(super) fn maximise(&self, start: &[f64]) -> Option<Vec<f64>> {
        let n = self.agents;
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

    fn value(&self, point: &[f64]) -> f64 {
        let mut value = 0.0;
        for &(first, second, [own, others]) in &self.meetings {
            let apart = point[first] - point[second];
            value += (own - others) * apart / 2.0 - (own + others) * ln_sum(apart);
        }
        value -= point.iter().map(|strength| self.prior * ln_sum(*strength)).sum::<f64>();
        value - self.hold() * point.iter().sum::<f64>().powi(2) / 2.0
    }

    /// The gradient and the negative Hessian, which is symmetric positive definite.
    fn derivatives(&self, point: &[f64], gradient: &mut [f64], curvature: &mut [f64]) {
        let n = self.agents;
        gradient.fill(0.0);
        curvature.fill(0.0);
        for &(first, second, [own, others]) in &self.meetings {
            let matches = own + others;
            let expected = expected_score(point[first] - point[second]);
            let slope = own - matches * expected;
            let bend = matches * expected * (1.0 - expected);
            gradient[first] += slope;
            gradient[second] -= slope;
            curvature[first * n + first] += bend;
            curvature[second * n + second] += bend;
            curvature[first * n + second] -= bend;
            curvature[second * n + first] -= bend;
        }
        for agent in 0..n {
            let expected = expected_score(point[agent]);
            gradient[agent] -= self.prior * (expected - 0.5);
            curvature[agent * n + agent] += self.prior * expected * (1.0 - expected);
        }
        let total: f64 = point.iter().sum();
        for row in 0..n {
            gradient[row] -= self.hold() * total;
            for column in 0..n {
                curvature[row * n + column] += self.hold();
            }
        }
    }
}

/// ln(e^(d/2) + e^(-d/2)), without overflow.
fn ln_sum(apart: f64) -> f64 {
    apart.abs() / 2.0 + (-apart.abs()).exp().ln_1p()
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
    /// which every agent that scored stays among the favoured.
    #[test]
    fn whether_there_is_a_maximum_agrees_with_a_search_over_directions() {
        let couples = [(0usize, 1usize), (0, 2), (1, 2)];
        for occurred in 0u32..512 {
            let seen = |couple: usize, result: usize| (occurred >> (3 * couple + result)) & 1 == 1;
            let results: Vec<_> = (0..3)
                .map(|c| (couples[c].0, couples[c].1, [0, 1, 2].map(|result| u64::from(seen(c, result)))))
                .collect();
            let stays = |u: [i32; 3]| {
                (0..3).all(|couple| {
                    let (first, second) = couples[couple];
                    let (scored, conceded) = (seen(couple, 0) || seen(couple, 1), seen(couple, 2) || seen(couple, 1));
                    (!scored || u[first] >= u[second]) && (!conceded || u[second] >= u[first])
                })
            };
            let mut runs_away = false;
            for second in -2..=2 {
                for third in -2..=2 {
                    runs_away |= (second, third) != (0, 0) && stays([0, second, third]);
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
            let point = [0.3, -0.2, 0.4];
            let (mut gradient, mut curvature) = (vec![0.0; 3], vec![0.0; 9]);
            likelihood.derivatives(&point, &mut gradient, &mut curvature);
            let shifted = |axis: usize, by: f64| {
                let mut moved = point;
                moved[axis] += by;
                moved
            };
            for axis in 0..3 {
                let slope = (likelihood.value(&shifted(axis, 1e-5)) - likelihood.value(&shifted(axis, -1e-5))) / 2e-5;
                assert!((slope - gradient[axis]).abs() < 1e-6);
                let (mut ahead, mut behind, mut unused) = (vec![0.0; 3], vec![0.0; 3], vec![0.0; 9]);
                likelihood.derivatives(&shifted(axis, 1e-5), &mut ahead, &mut unused);
                likelihood.derivatives(&shifted(axis, -1e-5), &mut behind, &mut unused);
                for other in 0..3 {
                    let bend = (behind[other] - ahead[other]) / 2e-5;
                    assert!((bend - curvature[axis * 3 + other]).abs() < 1e-6);
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

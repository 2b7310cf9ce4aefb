//! Two-sided tests of equal win rates, including draws.

use serde::Serialize;
use statrs::function::gamma::ln_gamma;

use super::evidence::{Evidence, Moments};
use super::interval::student_two_sided;

/// The most units (matches or pairs, both results together) for the exact test; above it Welch's test is as good, and
/// cheaper.
const EXACT_LIMIT: u64 = 100;

/// How a p-value was computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DifferenceMethod {
    /// Exact: over all ways to divide the units between the two results.
    Exact,
    /// Welch's t-test.
    Welch,
}

/// The difference of two win rates and its p-value.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct DifferenceTest {
    /// The first rate minus the second.
    pub difference: f64,
    /// The probability of a difference at least as large, in either direction, if the rates were equal.
    pub p_value: f64,
    /// How it was computed.
    pub method: DifferenceMethod,
}

/// The exact test for small samples, otherwise Welch's. Both results must be of one kind: matches or pairs.
pub fn difference_test(first: impl Into<Evidence>, second: impl Into<Evidence>) -> Option<DifferenceTest> {
    let (first, second) = (first.into(), second.into());
    exact_test(first, second).or_else(|| welch_test(first, second))
}

/// Welch's t-test on the means of units (B. L. Welch, Biometrika 34 (1947), 28-35), which need neither equal variances
/// nor the same kind.
///
/// `None` with fewer than two units on a side, or if both sides' units are all equal (there is no variance).
pub fn welch_test(first: impl Into<Evidence>, second: impl Into<Evidence>) -> Option<DifferenceTest> {
    let (first, second) = (Moments::of(&first.into())?, Moments::of(&second.into())?);
    if first.units < 2.0 || second.units < 2.0 {
        return None;
    }
    let (error1, error2) = (first.student_error().powi(2), second.student_error().powi(2));
    let error = error1 + error2;
    if error <= 0.0 {
        return None;
    }
    // Welch and Satterthwaite's degrees of freedom, computed from ratios so that nothing under- or overflows.
    let share = error1 / error;
    let freedom = 1.0 / (share * share / (first.units - 1.0) + (1.0 - share).powi(2) / (second.units - 1.0));
    let difference = first.mean - second.mean;
    let p_value = student_two_sided(difference / error.sqrt(), freedom)?;
    Some(DifferenceTest { difference, p_value, method: DifferenceMethod::Welch })
}

/// The exact permutation test: among all ways to divide the pooled units into two results of the given sizes, the
/// fraction whose difference of means is at least as large as the observed one, in either direction.
///
/// Without draws it is R. A. Fisher's exact test ("The Design of Experiments", 1935), with extremity by difference.
/// `None` if a side is empty, the kinds differ, there are more than 100 units (any number is accepted if
/// each side's units are all equal, which no other test can handle), or some units are copies of others.
pub fn exact_test(first: impl Into<Evidence>, second: impl Into<Evidence>) -> Option<DifferenceTest> {
    let (first, second) = (first.into(), second.into());
    let (moments1, moments2) = (Moments::of(&first)?, Moments::of(&second)?);
    let difference = moments1.mean - moments2.mean;
    let full = first.is_full() && second.is_full();
    let (first, second) = (first.counts().by_result(), second.counts().by_result());
    let size = |counts: &[u64]| counts.iter().fold(0u64, |sum, &count| sum.saturating_add(count));
    let (size1, size2) = (size(&first), size(&second));
    if first.len() != second.len() {
        return None;
    }
    if let (Some(worth1), Some(worth2)) = (only_result(&first), only_result(&second)) {
        let p_value = if worth1 == worth2 { 1.0 } else { between_constants(moments1.units, moments2.units) };
        return Some(DifferenceTest { difference, p_value, method: DifferenceMethod::Exact });
    }
    if !full || size1.saturating_add(size2) > EXACT_LIMIT {
        return None;
    }
    let pooled: Vec<usize> = first.iter().zip(&second).map(|(a, b)| (a + b) as usize).collect();
    let (size1, size2) = (size1 as usize, size2 as usize);
    let most = size1 * (pooled.len() - 1);
    // ways[chosen][points]: in how many ways the results so far can give the first side this many units and points. At
    // most C(100, 50) < 2^97; in floating point, exact to 16 digits.
    let mut ways = vec![vec![0.0f64; most + 1]; size1 + 1];
    ways[0][0] = 1.0;
    for (worth, &available) in pooled.iter().enumerate() {
        let mut next = vec![vec![0.0f64; most + 1]; size1 + 1];
        for chosen in 0..=size1 {
            for points in 0..=most {
                if ways[chosen][points] == 0.0 {
                    continue;
                }
                let mut choices = 1.0;
                for taken in 0..=available.min(size1 - chosen) {
                    next[chosen + taken][points + taken * worth] += ways[chosen][points] * choices;
                    choices *= (available - taken) as f64 / (taken + 1) as f64;
                }
            }
        }
        ways = next;
    }
    // The difference of means without fractions: points1 / size1 - (all - points1) / size2.
    let points_of =
        |counts: &[u64]| counts.iter().enumerate().map(|(worth, &count)| worth * count as usize).sum::<usize>();
    let all = points_of(&first) + points_of(&second);
    let distance = |points: usize| ((points * (size1 + size2)) as i64 - (all * size1) as i64).abs();
    let observed = distance(points_of(&first));
    let (mut extreme, mut total) = (0.0, 0.0);
    for (points, &ways) in ways[size1].iter().enumerate() {
        total += ways;
        if distance(points) >= observed {
            extreme += ways;
        }
    }
    Some(DifferenceTest { difference, p_value: (extreme / total).clamp(0.0, 1.0), method: DifferenceMethod::Exact })
}

/// The result of all units, if it is the same for all.
fn only_result(counts: &[u64]) -> Option<usize> {
    let mut seen = counts.iter().enumerate().filter(|&(_, &count)| count > 0).map(|(worth, _)| worth);
    seen.next().filter(|_| seen.next().is_none())
}

/// The exact p-value if one side has only one result and the other only another: of all C(n, n1) ways to divide the
/// units none is more extreme, and only the reversed one is as extreme, which exists for sides of equal size.
fn between_constants(size1: f64, size2: f64) -> f64 {
    let ways = ln_gamma(size1 + size2 + 1.0) - ln_gamma(size1 + 1.0) - ln_gamma(size2 + 1.0);
    let extreme = if size1 == size2 { 2.0 } else { 1.0 };
    (extreme * (-ways).exp()).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::super::pairs::Pairs;
    use super::super::tally::Tally;
    use super::*;

    fn tally(wins: u64, draws: u64, losses: u64) -> Tally {
        Tally { wins, draws, losses }
    }

    fn near(given: f64, expected: f64) {
        assert!((given - expected).abs() < 1e-9, "{given} instead of {expected}");
    }

    /// Fisher's lady tasting tea: three of four cups right on either side, two-sided p = 34/70; all right, p = 2/70.
    #[test]
    fn the_exact_test_is_fishers_without_draws() {
        near(exact_test(tally(3, 0, 1), tally(1, 0, 3)).unwrap().p_value, 34.0 / 70.0);
        near(exact_test(tally(4, 0, 0), tally(0, 0, 4)).unwrap().p_value, 2.0 / 70.0);
    }

    /// Sides without variance: two of C(6, 3) = 20 ways, one of C(7, 3) = 35, and the same result is no difference.
    #[test]
    fn constant_sides_are_counted() {
        near(exact_test(tally(3, 0, 0), tally(0, 0, 3)).unwrap().p_value, 0.1);
        near(exact_test(tally(3, 0, 0), tally(0, 4, 0)).unwrap().p_value, 1.0 / 35.0);
        assert_eq!(by_enumeration(&[2, 2, 2], &[1, 1, 1, 1]), 1.0 / 35.0);
        near(exact_test(tally(0, 9, 0), tally(0, 300, 0)).unwrap().p_value, 1.0);
        assert!(difference_test(tally(200, 0, 0), tally(0, 0, 200)).unwrap().p_value < 1e-100);
    }

    /// Every way to divide the units, one by one.
    fn by_enumeration(first: &[u32], second: &[u32]) -> f64 {
        let pool: Vec<u32> = first.iter().chain(second).copied().collect();
        let mean = |side: &[u32]| f64::from(side.iter().sum::<u32>()) / side.len() as f64;
        let observed = (mean(first) - mean(second)).abs();
        let (mut extreme, mut total) = (0u32, 0u32);
        for mask in 0u32..1 << pool.len() {
            if mask.count_ones() as usize != first.len() {
                continue;
            }
            let side = |wanted: u32| -> Vec<u32> {
                pool.iter()
                    .enumerate()
                    .filter(|(index, _)| (mask >> index) & 1 == wanted)
                    .map(|(_, &unit)| unit)
                    .collect()
            };
            total += 1;
            extreme += u32::from((mean(&side(1)) - mean(&side(0))).abs() >= observed - 1e-12);
        }
        f64::from(extreme) / f64::from(total)
    }

    #[test]
    fn the_exact_test_agrees_with_enumeration() {
        for (first, second) in [
            (vec![4, 4, 3, 2, 4], vec![0, 1, 2, 2, 3, 1, 0]),
            (vec![2, 2, 1], vec![2, 2, 2, 3]),
            (vec![4; 6], vec![0, 0, 1, 4, 2, 2, 3, 3]),
        ] {
            let pairs = |units: &[u32]| Pairs::from_points(units.iter().map(|&unit| f64::from(unit) / 2.0));
            near(exact_test(pairs(&first), pairs(&second)).unwrap().p_value, by_enumeration(&first, &second));
        }
    }

    /// Two units a side with equal variances have two degrees of freedom, where p = 1 - t / (2 + t²)^(1/2); scores 1,
    /// 1/2 against 1/2, 0 give t = 2^(1/2).
    #[test]
    fn welch_agrees_with_the_closed_form_for_two_degrees_of_freedom() {
        let test = welch_test(tally(1, 1, 0), tally(0, 1, 1)).unwrap();
        near(test.p_value, 1.0 - 2f64.sqrt() / 2.0);
        near(test.difference, 0.5);
    }

    /// One side's units are all equal: the degrees of freedom are the other side's. Three units 1, 1, 0 against 1/2:
    /// mean 2/3, error 1/3, t = 1/2, two degrees of freedom.
    #[test]
    fn welch_with_one_constant_side() {
        let test = welch_test(tally(2, 0, 1), tally(0, 5, 0)).unwrap();
        near(test.p_value, 1.0 - 0.5 / 2.25f64.sqrt());
    }

    /// Large samples: the normal distribution. 5100 and 4900 of 10,000: z = 0.02 / (2 · 0.2499 / 9999)^(1/2) = 2.82885,
    /// two-sided 0.004671.
    #[test]
    fn large_samples_go_to_welch() {
        let test = difference_test(tally(5100, 0, 4900), tally(4900, 0, 5100)).unwrap();
        assert_eq!(test.method, DifferenceMethod::Welch);
        assert!((test.p_value - 0.00467).abs() < 2e-5, "{}", test.p_value);
        assert_eq!(difference_test(tally(5, 0, 4), tally(4, 0, 5)).unwrap().method, DifferenceMethod::Exact);
    }

    #[test]
    fn what_cannot_be_tested() {
        assert_eq!(welch_test(tally(1, 0, 0), tally(5, 0, 5)), None);
        assert_eq!(welch_test(tally(9, 0, 0), tally(0, 0, 9)), None);
        assert_eq!(exact_test(tally(0, 0, 0), tally(5, 0, 5)), None);
        assert_eq!(exact_test(tally(60, 0, 1), tally(0, 0, 60)), None);
        assert_eq!(exact_test(tally(1, 0, 0), Pairs::new([1, 0, 0, 0, 1])), None);
    }
}

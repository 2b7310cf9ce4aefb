//! The least coverage that an interval over few pairs can have.
//!
//! With few pairs no interval covers every truth in 93 to 99 % of series. An interval may exclude the true rate after
//! an outcome only if it rarely does so under *every* distribution of pairs with that rate. And a monotone interval
//! that excludes it as too low after an outcome also does so after every better outcome. So an outcome stays inside if,
//! under some distribution with the same rate, it and the better ones are more frequent than the permitted errors. The
//! other outcomes are all that any interval can exclude.
//!
//! Only some distributions are tried. More of them could exclude fewer outcomes, so the result is a lower bound.

use statrs::function::factorial::ln_factorial;

use super::coverage::NoisyMatch;

/// How often an interval may lie above the true rate, and how often below: half of what a coverage of 93 % leaves.
const TAIL: f64 = 0.035;

/// The tables of longer series would be too large.
const MOST_PAIRS: usize = 20;

/// The probabilities of the middle three results of a pair that are tried are multiples of one by this number.
const PARTS: u32 = 5;

/// The least coverage that any monotone interval can have for series of `pairs` pairs of such matches, if under every
/// distribution of pairs it is too high in at most 3.5 % of series and too low in at most 3.5 %.
///
/// `None` for no pairs and for more than 20.
pub(crate) fn least_coverage(noisy: &NoisyMatch, pairs: usize) -> Option<f64> {
    if !(1..=MOST_PAIRS).contains(&pairs) {
        return None;
    }
    let [lost, drawn, won] = noisy.chances;
    let reversed = NoisyMatch { name: String::new(), chances: [won, drawn, lost] };
    Some(1.0 - Outcomes { pairs }.excluded(noisy) - Outcomes { pairs }.excluded(&reversed))
}

/// The outcomes of a number of pairs. An outcome is four counts: the pairs with at least 1/2, 1, 1 1/2 and 2 points.
#[derive(Clone, Copy)]
struct Outcomes {
    pairs: usize,
}

impl Outcomes {
    /// The probability of the outcomes after which an interval can lie above the true rate.
    fn excluded(self, noisy: &NoisyMatch) -> f64 {
        let mut greatest = vec![0.0f64; (self.pairs + 1).pow(4)];
        for distribution in distributions_with_mean(noisy.rate()) {
            for (greatest, tail) in greatest.iter_mut().zip(self.or_better(&distribution)) {
                *greatest = greatest.max(tail);
            }
        }
        let [lost, drawn, won] = noisy.chances;
        let own = [lost * lost, 2.0 * lost * drawn, 2.0 * lost * won + drawn * drawn, 2.0 * drawn * won, won * won];
        self.all()
            .filter(|counts| greatest[self.place(counts)] <= TAIL)
            .map(|counts| self.probability(&counts, &own))
            .sum()
    }

    /// By place: the probability of the outcome or a better one.
    fn or_better(self, distribution: &[f64; 5]) -> Vec<f64> {
        let mut table = vec![0.0; (self.pairs + 1).pow(4)];
        for counts in self.all() {
            table[self.place(&counts)] = self.probability(&counts, distribution);
        }
        // Sums along one count after the other, from the best on.
        for axis in 0..4 {
            let stride = (self.pairs + 1).pow(axis);
            for place in (0..table.len()).rev() {
                if place / stride % (self.pairs + 1) < self.pairs {
                    table[place] += table[place + stride];
                }
            }
        }
        table
    }

    fn all(self) -> impl Iterator<Item = [usize; 4]> {
        (0..=self.pairs).flat_map(move |half| {
            (0..=half)
                .flat_map(move |one| (0..=one).flat_map(move |more| (0..=more).map(move |two| [half, one, more, two])))
        })
    }

    fn place(self, counts: &[usize; 4]) -> usize {
        counts.iter().fold(0, |place, count| place * (self.pairs + 1) + count)
    }

    fn probability(self, [half, one, more, two]: &[usize; 4], distribution: &[f64; 5]) -> f64 {
        let counts = [self.pairs - half, half - one, one - more, more - two, *two];
        let mut logarithm = ln_factorial(self.pairs as u64);
        for (&count, probability) in counts.iter().zip(distribution) {
            if count > 0 {
                logarithm += count as f64 * probability.ln() - ln_factorial(count as u64);
            }
        }
        logarithm.exp()
    }
}

/// Distributions of a pair's result, from 0 to 1, with this mean: multiples of 1/5 for the middle three results.
fn distributions_with_mean(mean: f64) -> Vec<[f64; 5]> {
    let mut all = Vec::new();
    for quarter in 0..=PARTS {
        for half in 0..=PARTS - quarter {
            for most in 0..=PARTS - quarter - half {
                let [quarter, half, most] = [quarter, half, most].map(|part| f64::from(part) / f64::from(PARTS));
                let best = mean - quarter / 4.0 - half / 2.0 - most * 0.75;
                let worst = 1.0 - quarter - half - most - best;
                if best >= 0.0 && worst >= 0.0 {
                    all.push([worst, quarter, half, most, best]);
                }
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn least(chances: [f64; 3], pairs: usize) -> f64 {
        least_coverage(&NoisyMatch { name: String::new(), chances }, pairs).unwrap()
    }

    /// The four cells of `docs/statistics.md` above 99 %, in its order.
    #[test]
    fn few_pairs_with_many_draws_cannot_be_covered_less() {
        assert!(least([0.25, 0.5, 0.25], 5) > 0.9999);
        assert!((least([0.43 * 0.43, 2.0 * 0.43 * 0.57, 0.57 * 0.57], 5) - 0.9969).abs() < 1e-4);
        assert!((least([0.0, 0.86, 0.14], 5) - 1.0).abs() < 1e-9);
        assert!(least([0.0, 0.86, 0.14], 10) > 0.9996);
    }

    /// Elsewhere the bound leaves room: it does not forbid what the interval does.
    #[test]
    fn decisive_matches_can_be_covered_less() {
        assert!(least([0.5, 0.0, 0.5], 10) < 0.97);
        assert!(least([0.1, 0.0, 0.9], 10) < 0.98);
    }

    /// Two pairs of fair matches that are won or lost.
    #[test]
    fn probabilities_by_hand() {
        let outcomes = Outcomes { pairs: 2 };
        let fair = [0.25, 0.0, 0.5, 0.0, 0.25];
        let tails = outcomes.or_better(&fair);
        // Both pairs bring at least one point: (3/4)².
        assert!((tails[outcomes.place(&[2, 2, 0, 0])] - 0.5625).abs() < 1e-12);
        // Both bring two points.
        assert!((tails[outcomes.place(&[2, 2, 2, 2])] - 0.0625).abs() < 1e-12);
        assert!((tails[0] - 1.0).abs() < 1e-12);
        assert_eq!(least_coverage(&NoisyMatch { name: String::new(), chances: [0.5, 0.0, 0.5] }, 21), None);
        for distribution in distributions_with_mean(0.57) {
            let mean: f64 =
                distribution.iter().zip([0.0, 0.25, 0.5, 0.75, 1.0]).map(|(share, value)| share * value).sum();
            assert!((mean - 0.57).abs() < 1e-12 && (distribution.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        }
    }
}

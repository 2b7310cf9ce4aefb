//! Finds machines whose results deviate from those of all others.
//!
//! The idea is fishtest's residual test: under the hypothesis that all machines play the same agents, the outcomes of
//! pairs are spread alike over machines. For each machine and pairing, the outcomes of its pairs are compared with
//! those of all other machines by Pearson's χ² test of homogeneity; the statistics of all pairings are added up.

use serde::Serialize;
use statrs::distribution::{ChiSquared, ContinuousCDF};

/// The outcomes of a pair: 0, 1/2, 1, 1 1/2 and 2 points.
const OUTCOMES: usize = 5;
/// The least expected number of pairs in a cell; neighbouring outcomes are joined until they have it.
const LEAST_EXPECTED: f64 = 5.0;
/// The probability that any machine is named by mistake, over all machines.
pub const RESIDUAL_ERROR: f64 = 0.001;

/// How often each outcome of a pair occurred, by pairing.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PairOutcomes(Vec<[u64; OUTCOMES]>);

impl PairOutcomes {
    /// Counts a pair with these points, 0 to 2.
    pub fn count(&mut self, pairing: u32, points: f64) {
        let place = pairing as usize;
        if self.0.len() <= place {
            self.0.resize(place + 1, [0; OUTCOMES]);
        }
        self.0[place][((points * 2.0).round() as usize).min(OUTCOMES - 1)] += 1;
    }

    /// All pairs.
    pub fn pairs(&self) -> u64 {
        self.0.iter().flatten().sum()
    }
}

/// How far a machine's results deviate.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Residual {
    /// Pairs of the machine.
    pub pairs: u64,
    /// Pearson's statistic, over all pairings.
    pub chi_square: f64,
    /// Its degrees of freedom; 0 if there are too few pairs to compare.
    pub freedom: u64,
    /// The probability of such a deviation if the machine plays like all others.
    pub p_value: f64,
    /// Is it too improbable, given the number of machines?
    pub deviates: bool,
}

/// The residuals of all machines.
///
/// ```
/// use tesuji_arena::statistics::{PairOutcomes, residuals};
///
/// let machine = |wins: u32| {
///     let mut outcomes = PairOutcomes::default();
///     (0..400).for_each(|pair| outcomes.count(0, if pair < wins { 2.0 } else { 0.0 }));
///     outcomes
/// };
/// let machines = [200, 205, 210, 200, 205, 300].map(machine);
/// let found: Vec<bool> = residuals(&machines.each_ref()).iter().map(|residual| residual.deviates).collect();
/// assert_eq!(found, [false, false, false, false, false, true]);
/// ```
pub fn residuals(machines: &[&PairOutcomes]) -> Vec<Residual> {
    let pairings = machines.iter().map(|outcomes| outcomes.0.len()).max().unwrap_or(0);
    let own = |machine: &PairOutcomes, pairing: usize| machine.0.get(pairing).copied().unwrap_or_default();
    let totals: Vec<[u64; OUTCOMES]> = (0..pairings)
        .map(|pairing| {
            let mut total = [0; OUTCOMES];
            for machine in machines {
                own(machine, pairing).iter().zip(&mut total).for_each(|(count, total)| *total += count);
            }
            total
        })
        .collect();
    let residual = |machine: &&PairOutcomes| {
        let (mut chi_square, mut freedom) = (0.0, 0);
        for (pairing, total) in totals.iter().enumerate() {
            let (statistic, degrees) = homogeneity(&own(machine, pairing), total);
            chi_square += statistic;
            freedom += degrees;
        }
        let p_value = match ChiSquared::new(freedom as f64) {
            Ok(distribution) if freedom > 0 => distribution.sf(chi_square),
            _ => 1.0,
        };
        let deviates = p_value < RESIDUAL_ERROR / machines.len().max(1) as f64;
        Residual { pairs: machine.pairs(), chi_square, freedom, p_value, deviates }
    };
    machines.iter().map(residual).collect()
}

/// Pearson's statistic of one machine against the rest, and its degrees of freedom.
fn homogeneity(own: &[u64; OUTCOMES], total: &[u64; OUTCOMES]) -> (f64, u64) {
    let (mine, all) = (own.iter().sum::<u64>() as f64, total.iter().sum::<u64>() as f64);
    if mine == 0.0 || mine == all {
        return (0.0, 0);
    }
    let share = mine / all;
    let least = share.min(1.0 - share);
    let mut cells: Vec<(f64, f64)> = Vec::new();
    let mut open = (0.0, 0.0);
    for (&own, &total) in own.iter().zip(total) {
        open = (open.0 + own as f64, open.1 + total as f64);
        if open.1 * least >= LEAST_EXPECTED {
            cells.push(std::mem::take(&mut open));
        }
    }
    if let Some(last) = cells.last_mut() {
        *last = (last.0 + open.0, last.1 + open.1);
    }
    let statistic = |&(own, total): &(f64, f64)| {
        let (mine, rest) = (total * share, total * (1.0 - share));
        (own - mine).powi(2) * (1.0 / mine + 1.0 / rest)
    };
    (cells.iter().map(statistic).sum(), (cells.len() as u64).saturating_sub(1))
}

#[cfg(test)]
mod tests {
    use tesuji_core::Rng;

    use super::*;

    /// Outcomes with these chances of 0, 1 and 2 points.
    fn machine(pairs: u32, chances: [f64; 2], rng: &mut Rng) -> PairOutcomes {
        let mut outcomes = PairOutcomes::default();
        for pair in 0..pairs {
            let drawn = rng.unit();
            let points = f64::from(u8::from(drawn > chances[0]) + u8::from(drawn > chances[0] + chances[1]));
            outcomes.count(pair % 3, points);
        }
        outcomes
    }

    #[test]
    fn equal_machines_are_hardly_ever_named_and_a_biased_one_is() {
        let mut rng = Rng::new(5);
        let (mut named, mut small) = (0, 0);
        for _ in 0..200 {
            let machines: Vec<PairOutcomes> =
                (0..20).map(|place| machine(100 + 30 * place, [0.3, 0.4], &mut rng)).collect();
            let found = residuals(&machines.iter().collect::<Vec<_>>());
            named += found.iter().filter(|residual| residual.deviates).count();
            small += found.iter().filter(|residual| residual.p_value < 0.05).count();
        }
        assert!(named <= 2, "{named} of 4,000 machines were named");
        assert!((120..=280).contains(&small), "{small} of 4,000 p-values are below 5 %");
        let mut machines: Vec<PairOutcomes> = (0..19).map(|_| machine(600, [0.3, 0.4], &mut rng)).collect();
        machines.push(machine(600, [0.15, 0.4], &mut rng));
        let found = residuals(&machines.iter().collect::<Vec<_>>());
        assert!(found[19].deviates && !found[..19].iter().any(|residual| residual.deviates), "{found:?}");
    }

    #[test]
    fn too_few_pairs_say_nothing() {
        let mut one = PairOutcomes::default();
        one.count(0, 2.0);
        let mut many = PairOutcomes::default();
        (0..1000).for_each(|_| many.count(0, 0.0));
        let found = residuals(&[&one, &many]);
        assert_eq!((found[0].freedom, found[0].deviates), (0, false));
    }
}

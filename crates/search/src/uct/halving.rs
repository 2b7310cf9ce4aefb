//! Sequential halving at the root, with priors: few playouts go to few actions.
//!
//! Danihelka and others 2022, *Policy improvement by planning with Gumbel*, section 2 and appendix. With the prior
//! probability P(a), the mean share q(a) and the visits n(a) of an action a:
//!
//! - The `considered` actions with the greatest g(a) + ln P(a) take part; g(a) is Gumbel noise times `noise`.
//! - The budget has ⌈log₂ of their number⌉ equal phases. In a phase the remaining actions get playouts in turn. After
//!   it the worse half drops out, by g(a) + ln P(a) + (50 + max n) · q(a).
//! - The best of the last phase is played.
//!
//! Where the search deviates: phases end by the share of the budget that is spent, whatever limits it, because under a
//! time limit the number of playouts is not known in advance; an action that no playout has reached is worse than any
//! other; and values are shares of the payoff range, not rescaled by the least and the greatest of the tree.
//!
//! It covers single movers at the root. At joint moves and below the root the search selects as without it.

use std::time::Duration;

use tesuji_core::Rng;

use super::tree::Edge;
use crate::Budget;
use crate::arithmetic::ln;

/// Sequential halving at the root.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RootHalving {
    /// The number of actions that take part at first.
    pub considered: u32,
    /// The scale of the Gumbel noise: 1 as in the paper, 0 for the same actions every time.
    pub noise: f64,
}

/// c_visit of the paper; its c_scale is 1.
const VISITS_BESIDE: f64 = 50.0;

/// What an action of the root has got: visits and the sum of its shares.
pub(super) type Got<'a> = &'a dyn Fn(usize) -> (u32, f64);

/// The halving of one decision.
pub(super) struct Halving {
    /// The remaining actions by index, with g + ln P, the best first.
    alive: Vec<(usize, f64)>,
    phases: u32,
    phase: u32,
}

impl Halving {
    /// Begins with the most promising of these edges; never with more than the budget has playouts.
    pub(super) fn start<A>(settings: RootHalving, edges: &[Edge<A>], budget: &Budget, rng: &mut Rng) -> Halving {
        let priors: Vec<f32> = edges.iter().map(|edge| edge.weight).collect();
        let most = budget.playouts.unwrap_or(u64::MAX).min(u64::from(settings.considered)).max(1);
        Halving::of(&priors, settings.noise, most as usize, rng)
    }

    fn of(priors: &[f32], noise: f64, most: usize, rng: &mut Rng) -> Halving {
        let mut alive: Vec<(usize, f64)> = (priors.iter().enumerate())
            .map(|(index, &prior)| {
                let logit = ln(f64::from(prior.max(f32::MIN_POSITIVE)));
                let gumbel = if noise == 0.0 { 0.0 } else { -ln(-ln(rng.unit().clamp(1e-300, 1.0 - 1e-16))) };
                (index, logit + noise * gumbel)
            })
            .collect();
        alive.sort_by(|(_, a), (_, b)| b.total_cmp(a));
        alive.truncate(most);
        let phases = alive.len().next_power_of_two().trailing_zeros().max(1);
        Halving { alive, phases, phase: 0 }
    }

    /// The action that gets the next playout, after `spent`, from 0 to 1, of the budget.
    pub(super) fn next(&mut self, spent: f64, got: Got<'_>) -> usize {
        while self.phase + 1 < self.phases && spent >= f64::from(self.phase + 1) / f64::from(self.phases) {
            self.rank(got);
            self.alive.truncate(self.alive.len().div_ceil(2));
            self.phase += 1;
        }
        let fewest = self.alive.iter().min_by_key(|(index, _)| got(*index).0);
        fewest.map_or(0, |&(index, _)| index)
    }

    /// The action to play.
    pub(super) fn best(mut self, got: Got<'_>) -> usize {
        self.rank(got);
        self.alive[0].0
    }

    /// Sorts what remains, the best first.
    fn rank(&mut self, got: Got<'_>) {
        let most = self.alive.iter().map(|(index, _)| got(*index).0).max().unwrap_or(0);
        let score = |&(index, promise): &(usize, f64)| match got(index) {
            (0, _) => f64::NEG_INFINITY,
            (visits, total) => promise + (VISITS_BESIDE + f64::from(most)) * total / f64::from(visits),
        };
        self.alive.sort_by(|a, b| score(b).total_cmp(&score(a)));
    }
}

/// The share of the budget that is spent.
pub(super) fn spent(budget: &Budget, playouts: u64, nodes: u64, elapsed: impl FnOnce() -> Duration) -> f64 {
    let part = |spent: u64, most: Option<u64>| most.map_or(0.0, |most| spent as f64 / most.max(1) as f64);
    let counted = part(playouts, budget.playouts).max(part(nodes, budget.nodes));
    match budget.time {
        Some(time) if !time.is_zero() => counted.max(elapsed().as_secs_f64() / time.as_secs_f64()),
        _ => counted,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Halves by 64 playouts among actions with these priors and shares; returns the visits and the choice.
    fn run(priors: &[f32], shares: &[f64], most: usize) -> (Vec<u32>, usize) {
        let mut halving = Halving::of(priors, 0.0, most, &mut Rng::new(1));
        let mut visits = vec![0u32; priors.len()];
        for playout in 0..64 {
            let got = |index: usize| (visits[index], shares[index] * f64::from(visits[index]));
            let next = halving.next(f64::from(playout) / 64.0, &got);
            visits[next] += 1;
        }
        let best = halving.best(&|index| (visits[index], shares[index] * f64::from(visits[index])));
        (visits, best)
    }

    #[test]
    fn each_phase_discards_the_worse_half() {
        // Two phases of 32: four actions get 8 each, the better two 16 more.
        let (visits, best) = run(&[0.1, 0.2, 0.3, 0.4], &[0.1, 0.9, 0.2, 0.8], 4);
        assert_eq!((visits, best), (vec![8, 24, 8, 24], 1));
    }

    #[test]
    fn only_the_most_probable_take_part() {
        let (visits, best) = run(&[0.1, 0.2, 0.3, 0.4], &[1.0, 1.0, 0.2, 0.3], 2);
        assert_eq!((visits, best), (vec![0, 0, 32, 32], 3));
        let (visits, best) = run(&[0.5, 0.5, 0.0], &[0.4, 0.4, 1.0], 1);
        assert_eq!((visits, best), (vec![64, 0, 0], 0));
    }

    #[test]
    fn an_action_without_a_playout_is_not_played() {
        let mut halving = Halving::of(&[0.9, 0.1], 0.0, 2, &mut Rng::new(1));
        assert_eq!(halving.next(0.0, &|_| (0, 0.0)), 0);
        assert_eq!(halving.best(&|index| if index == 1 { (1, 0.0) } else { (0, 0.0) }), 1);
    }

    #[test]
    fn noise_draws_actions_by_their_probability() {
        let (mut rng, mut first) = (Rng::new(7), [0u32; 3]);
        for _ in 0..30_000 {
            first[Halving::of(&[0.6, 0.3, 0.1], 1.0, 1, &mut rng).alive[0].0] += 1;
        }
        // Five standard deviations of a share of 30,000 draws are below 0.015.
        for (count, expected) in first.into_iter().zip([0.6, 0.3, 0.1]) {
            assert!((f64::from(count) / 30_000.0 - expected).abs() < 0.015, "{first:?}");
        }
    }

    #[test]
    fn the_limit_that_is_nearest_counts() {
        let budget = Budget { playouts: Some(100), nodes: Some(10), time: Some(Duration::from_secs(2)) };
        assert_eq!(spent(&budget, 20, 1, || Duration::from_secs(1)), 0.5);
        assert_eq!(spent(&budget, 20, 8, || Duration::from_secs(1)), 0.8);
        assert_eq!(spent(&Budget::default(), 20, 8, || unreachable!("no time is limited")), 0.0);
    }
}

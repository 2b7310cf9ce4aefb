//! The actions of one player as bandit arms, laid out for a fast maximum of UCB1.

use crate::matrix::first_greatest;

/// The actions of one player.
#[derive(Clone, Debug)]
pub(super) struct Arms {
    visits: Vec<u64>,
    totals: Vec<f64>,
    /// The means; infinite for actions never tried.
    means: Vec<f64>,
    /// 1/√visits.
    roots: Vec<f64>,
    bounds: Vec<f64>,
}

impl Arms {
    /// `count` actions, none tried.
    pub(super) fn new(count: usize) -> Arms {
        let filled = |value: f64| vec![value; count];
        Arms {
            visits: vec![0; count],
            totals: filled(0.0),
            means: filled(f64::INFINITY),
            roots: filled(0.0),
            bounds: filled(0.0),
        }
    }

    /// Records a share of an action.
    #[inline]
    pub(super) fn note(&mut self, arm: usize, share: f64) {
        self.visits[arm] += 1;
        self.totals[arm] += share;
        let visits = self.visits[arm] as f64;
        self.means[arm] = self.totals[arm] / visits;
        self.roots[arm] = 1.0 / visits.sqrt();
    }

    /// The action with the greatest mean + `scale`/√visits; untried actions come first, in order.
    #[inline]
    pub(super) fn greatest_bound(&mut self, scale: f64) -> usize {
        for ((bound, mean), root) in self.bounds.iter_mut().zip(&self.means).zip(&self.roots) {
            *bound = mean + scale * root;
        }
        first_greatest(&self.bounds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn untried_actions_come_first_and_then_the_greatest_bound() {
        let mut arms = Arms::new(3);
        for (expected, share) in [(0, 0.25), (1, 1.0), (2, 0.5)] {
            // Even without an exploration term.
            assert_eq!(arms.greatest_bound(0.0), expected);
            arms.note(expected, share);
        }
        assert_eq!(arms.greatest_bound(0.0), 1);
        (0..8).for_each(|_| arms.note(1, 1.0));
        // 1 + 0.6/3 against 0.5 + 0.6 and 0.25 + 0.6; at 1.2 the second is behind.
        assert_eq!(arms.greatest_bound(0.6), 1);
        assert_eq!(arms.greatest_bound(1.2), 2);
    }
}

//! The final choice: from the statistics of a search to an action.

use tesuji_core::{Rng, Spec};

use crate::cold_sort::cold_sort;
use crate::{Candidate, Decision, Thought};

/// How the action is chosen once the search has ended. Ties go to the first in the game's order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FinalChoice {
    /// The most visited action.
    Visits,
    /// The action with the best mean.
    Mean,
    /// The best mean among actions with at least half the visits of the most visited one.
    Robust,
    /// The best lower confidence bound: mean − 1/√visits.
    Secure,
    /// Drawn with probability proportional to visits.
    Mixed,
    /// The greatest sum of shares: the most wins, however many losses.
    Sum,
}

impl FinalChoice {
    /// All of them, in the order of their words.
    pub(crate) const ALL: [FinalChoice; 6] = [
        FinalChoice::Visits,
        FinalChoice::Mean,
        FinalChoice::Robust,
        FinalChoice::Secure,
        FinalChoice::Mixed,
        FinalChoice::Sum,
    ];

    /// The probability of each action.
    pub(crate) fn policy(self, tried: &[Tried]) -> Vec<f64> {
        let visits = |tried: &Tried| if tried.refuted { 0 } else { tried.visits };
        let most = tried.iter().map(visits).max().unwrap_or(0);
        let score = |tried: &Tried| match self {
            FinalChoice::Visits => visits(tried) as f64,
            _ if visits(tried) == 0 => f64::NEG_INFINITY,
            FinalChoice::Robust if visits(tried) < most.div_ceil(2) => f64::NEG_INFINITY,
            FinalChoice::Sum => tried.total,
            FinalChoice::Secure => tried.mean() - 1.0 / (tried.visits as f64).sqrt(),
            _ => tried.mean(),
        };
        if self == FinalChoice::Mixed && most > 0 {
            let all: u64 = tried.iter().map(visits).sum();
            return tried.iter().map(|tried| visits(tried) as f64 / all as f64).collect();
        }
        let mut best = 0;
        for index in 1..tried.len() {
            if score(&tried[index]) > score(&tried[best]) {
                best = index;
            }
        }
        (0..tried.len()).map(|index| f64::from(u8::from(index == best))).collect()
    }
}

/// The statistics of one action of the searching player.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Tried {
    /// The number of visits.
    pub visits: u64,
    /// The sum of its shares.
    pub total: f64,
    /// Whether another action is proven better. Such an action is never chosen, however often it was visited.
    pub refuted: bool,
    /// Its prior value.
    pub prior: Option<f64>,
}

impl Tried {
    /// The mean share; NaN if it was never tried.
    pub(crate) fn mean(&self) -> f64 {
        self.total / self.visits as f64
    }
}

/// Makes `action`, with this value, the choice of a decision.
pub(crate) fn choose_instead<A: Copy + PartialEq>(
    spec: &Spec,
    (actions, tried): (&[A], &[Tried]),
    (action, value): (A, Option<f64>),
    decision: &mut Decision<A>,
) {
    let policy: Vec<f64> = actions.iter().map(|&other| f64::from(u8::from(other == action))).collect();
    decision.action = action;
    decision.policy = vec![(action, 1.0)];
    decision.value = value;
    decision.thought.candidates = candidates(spec, actions, tried, &policy);
}

/// The statistics of each action, best first: by probability, then visits, then mean, then the game's order.
pub(crate) fn candidates<A: Copy>(spec: &Spec, actions: &[A], tried: &[Tried], policy: &[f64]) -> Vec<Candidate<A>> {
    let mut candidates: Vec<Candidate<A>> = (actions.iter().zip(tried).zip(policy))
        .map(|((&action, tried), &probability)| Candidate {
            action,
            visits: tried.visits,
            value: (tried.visits > 0).then(|| spec.denormalise(tried.mean())),
            prior: tried.prior,
            probability,
        })
        .collect();
    let rank = |candidate: &Candidate<A>| {
        (candidate.probability, candidate.visits as f64, candidate.value.unwrap_or(f64::NEG_INFINITY))
    };
    cold_sort(&mut candidates, |a, b| {
        let (a, b) = (rank(a), rank(b));
        b.0.total_cmp(&a.0).then(b.1.total_cmp(&a.1)).then(b.2.total_cmp(&a.2))
    });
    candidates
}

/// Draws the action and reports it. Fills in `thought.candidates`; the rest of `thought` is the caller's.
pub(crate) fn decide<A: Copy>(
    spec: &Spec,
    choice: FinalChoice,
    actions: &[A],
    tried: &[Tried],
    thought: Thought<A>,
    rng: &mut Rng,
) -> Decision<A> {
    let policy = choice.policy(tried);
    let chosen = if choice == FinalChoice::Mixed {
        rng.weighted(policy.iter().copied())
    } else {
        policy.iter().position(|&probability| probability > 0.0).unwrap_or(0)
    };
    let known = tried.iter().zip(&policy).filter(|(tried, probability)| tried.visits > 0 && **probability > 0.0);
    let value = known.clone().next().is_some().then(|| {
        let share: f64 = known.map(|(tried, probability)| probability * tried.mean()).sum();
        spec.denormalise(share)
    });
    Decision {
        action: actions[chosen],
        policy: actions.iter().copied().zip(policy.iter().copied()).filter(|(_, share)| *share > 0.0).collect(),
        value,
        thought: Thought { candidates: candidates(spec, actions, tried, &policy), ..thought },
    }
}

/// Draws from a mixed strategy over `actions` and reports it. `value` is its expected share.
pub(crate) fn draw<A: Copy>(
    spec: &Spec,
    actions: &[A],
    tried: &[Tried],
    mix: &[f64],
    value: Option<f64>,
    thought: Thought<A>,
    rng: &mut Rng,
) -> Decision<A> {
    let mut used = (0..mix.len()).filter(|&index| mix[index] > 0.0);
    let chosen = match (used.next(), used.next()) {
        (Some(only), None) => only,
        _ => rng.weighted(mix.iter().copied()),
    };
    Decision {
        action: actions[chosen],
        policy: actions.iter().copied().zip(mix.iter().copied()).filter(|(_, share)| *share > 0.0).collect(),
        value: value.map(|share| spec.denormalise(share.clamp(0.0, 1.0))),
        thought: Thought { candidates: candidates(spec, actions, tried, mix), ..thought },
    }
}

/// The decision if there is only one legal action: at once, without using the budget.
pub(crate) fn forced<A: Copy>(action: A) -> Decision<A> {
    let candidate = Candidate { action, visits: 0, value: None, prior: None, probability: 1.0 };
    let thought = Thought { candidates: vec![candidate], ..Thought::default() };
    Decision { thought, ..Decision::pure(action) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_rule_has_its_own_favourite() {
        let tried = [(100, 50.0), (60, 33.0), (90, 47.0), (10, 7.0), (30, 18.6), (0, 0.0)]
            .map(|(visits, total)| Tried { visits, total, refuted: false, prior: None });
        let favourite = |choice: FinalChoice| choice.policy(&tried).iter().position(|&share| share == 1.0);
        assert_eq!(favourite(FinalChoice::Visits), Some(0));
        assert_eq!(favourite(FinalChoice::Mean), Some(3));
        assert_eq!(favourite(FinalChoice::Sum), Some(0));
        assert_eq!(favourite(FinalChoice::Robust), Some(1));
        // Lower bounds: 0.400, 0.421, 0.417, 0.384, 0.437.
        assert_eq!(favourite(FinalChoice::Secure), Some(4));
        let mixed = FinalChoice::Mixed.policy(&tried);
        assert_eq!(mixed, [100.0, 60.0, 90.0, 10.0, 30.0, 0.0].map(|visits| visits / 290.0));
    }

    #[test]
    fn ties_and_untried_actions_go_to_the_first() {
        let even = [Tried { visits: 5, total: 2.0, refuted: false, prior: None }; 3];
        let untried = [Tried::default(); 3];
        for choice in FinalChoice::ALL {
            assert_eq!(choice.policy(&untried), [1.0, 0.0, 0.0], "{choice:?}");
            if choice != FinalChoice::Mixed {
                assert_eq!(choice.policy(&even), [1.0, 0.0, 0.0], "{choice:?}");
            }
        }
    }
}

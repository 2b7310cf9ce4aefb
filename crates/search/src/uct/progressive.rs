//! Progressive widening (Coulom, "Computing Elo Ratings of Move Patterns in the Game of Go", 2007): a node starts with
//! few of its actions and gets more as its visits grow. Attacks come first, in random order, then all others, in random
//! order (paper 002, section 4.1.1).
//!
//! The number of actions after n visits is that of paper 002, equation 2, whose bases are illegible in print: log₁.₄(n
//! / 40) + 2 below 3000 visits, log₁.₂((n + 2000) / 45) − 11 from there on; at least one.

use tesuji_core::Rng;

use crate::arithmetic::{ln, ln_count};
use crate::cold_sort::cold_order;

const LN_1_4: f64 = ln(1.4);
const LN_1_2: f64 = ln(1.2);
const LN_40: f64 = ln(40.0);
const LN_45: f64 = ln(45.0);

/// How many of `count` actions are available after `visits` visits.
#[inline]
fn open(visits: u32, count: usize) -> usize {
    let open = if visits < 3000 {
        (ln_count(visits) - LN_40) / LN_1_4 + 2.0
    } else {
        (ln_count(visits.saturating_add(2000)) - LN_45) / LN_1_2 - 11.0
    };
    // A rounding error below an integer must not cost an action.
    ((open + 1e-9) as usize).clamp(1, count)
}

/// The nodes that start with few of their actions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WidenedNodes {
    /// All.
    All,
    /// The root, with two actions from its second visit on. The program that survives from paper 002's line widens so.
    Root,
}

impl WidenedNodes {
    /// How many of `count` actions are available after `visits` visits of a node.
    #[inline]
    pub(super) fn open(self, visits: u32, count: usize, is_root: bool) -> usize {
        match self {
            WidenedNodes::All => open(visits, count),
            WidenedNodes::Root if !is_root => count,
            WidenedNodes::Root => open(visits, count).max(if visits == 0 { 1 } else { 2 }).min(count),
        }
    }
}

/// Attacks first, each kind in random order.
pub(super) fn arrange<A: Copy>(actions: &mut [A], rng: &mut Rng, is_attack: impl Fn(A) -> bool) {
    rng.shuffle(actions);
    let attacks: Vec<bool> = actions.iter().map(|&action| is_attack(action)).collect();
    let order = cold_order(actions.len(), &|a, b| attacks[b].cmp(&attacks[a]));
    let sorted: Vec<A> = order.into_iter().map(|index| actions[index]).collect();
    actions.copy_from_slice(&sorted);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_actions_follows_the_equation() {
        // Computed with the printed equation and the platform's logarithm.
        for visits in 1..20_000u32 {
            let n = f64::from(visits);
            let printed = if visits < 3000 { (n / 40.0).log(1.4) + 2.0 } else { ((n + 2000.0) / 45.0).log(1.2) - 11.0 };
            let expected = printed.floor().max(1.0);
            // Where the equation yields an integer, both neighbours are accepted.
            if (printed - printed.round()).abs() > 1e-6 {
                assert_eq!(open(visits, 1000) as f64, expected, "{visits}");
            }
        }
        assert_eq!([0, 1, 39, 40, 56, 1000, 2999, 3000].map(|visits| open(visits, 1000)), [1, 1, 1, 2, 3, 11, 14, 14]);
        assert_eq!(open(100_000, 5), 5);
        let root = |visits| WidenedNodes::Root.open(visits, 1000, true);
        assert_eq!([0, 1, 39, 40, 56, 3000].map(root), [1, 2, 2, 2, 3, 14]);
        assert_eq!(WidenedNodes::Root.open(1, 1, true), 1);
        assert_eq!(WidenedNodes::Root.open(0, 1000, false), 1000);
    }

    #[test]
    fn attacks_come_first_and_every_order_is_met() {
        let mut rng = Rng::new(1);
        let mut seen = std::collections::BTreeSet::new();
        for _ in 0..300 {
            let mut actions = [0, 1, 2, 3, 4];
            arrange(&mut actions, &mut rng, |action| action >= 3);
            assert!(actions[..2].iter().all(|&action| action >= 3), "{actions:?}");
            seen.insert(actions);
        }
        assert_eq!(seen.len(), 12);
    }
}

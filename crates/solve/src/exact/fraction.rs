//! Values as fractions, for games whose play cannot return to a state.

use num_rational::Ratio;
use num_traits::{CheckedAdd, CheckedMul, CheckedSub};
use tesuji_core::Player;

use super::components::components;
use super::graph::{Distribution, Graph, Place};

/// A fraction of whole numbers.
pub type Fraction = Ratio<i128>;

/// The most states for which fractions are computed: they are slow, and overflow in long games.
const MOST_STATES: usize = 200_000;

/// Probabilities and payoffs with a greater denominator are not treated as fractions.
const GREATEST_DENOMINATOR: i128 = 100_000;

/// The simple fraction to which `number` is the nearest floating-point number, if there is one.
pub(super) fn plain(number: f64) -> Option<Fraction> {
    // Continued fractions: each step gives the nearest fraction of its size.
    let (mut before, mut last) = ((0i128, 1i128), (1i128, 0i128));
    let mut rest = number;
    for _ in 0..40 {
        let whole = rest.floor();
        if whole.abs() > 1e15 {
            return None;
        }
        let term = whole as i128;
        let next = (term.checked_mul(last.0)?.checked_add(before.0)?, term.checked_mul(last.1)?.checked_add(before.1)?);
        if next.1 > GREATEST_DENOMINATOR {
            return None;
        }
        (before, last) = (last, next);
        if (last.0 as f64 / last.1 as f64 - number).abs() <= f64::EPSILON * number.abs() {
            return Some(Ratio::new(last.0, last.1));
        }
        rest = 1.0 / (rest - whole);
    }
    None
}

/// The value for `player` of a distribution if all players maximise their own payoff, which lies between `payoffs`;
/// ties go to the first action.
pub(super) fn value(graph: &Graph, start: Distribution, player: Player, payoffs: (f64, f64)) -> Option<Fraction> {
    if graph.len() > MOST_STATES {
        return None;
    }
    let ends: Vec<Vec<Fraction>> = (0..graph.end_count() as u32)
        .map(|end| (0..graph.players).map(|player| plain(graph.share(end, player))).collect())
        .collect::<Option<_>>()?;
    let mut values: Vec<Vec<Fraction>> = vec![Vec::new(); graph.len()];
    for state in components(graph).into_iter().flat_map(|component| component.states) {
        let own = graph.mover(state).index();
        let mut best: Option<Vec<Fraction>> = None;
        for action in graph.actions(state) {
            let worth = mean(graph.outcomes(action), &values, &ends, graph.players)?;
            if best.as_ref().is_none_or(|best| worth[own] > best[own]) {
                best = Some(worth);
            }
        }
        values[state as usize] = best?;
    }
    let shares = mean(start.into_iter(), &values, &ends, graph.players)?;
    on_payoff_scale(payoffs, shares[player.index()])
}

fn mean(
    distribution: impl Iterator<Item = (Place, f64)>,
    values: &[Vec<Fraction>],
    ends: &[Vec<Fraction>],
    players: usize,
) -> Option<Vec<Fraction>> {
    let mut sums = vec![Ratio::from_integer(0); players];
    for (place, probability) in distribution {
        let probability = plain(probability)?;
        let shares = match place {
            Place::State(state) => &values[state as usize],
            Place::End(end) => &ends[end as usize],
        };
        for (sum, share) in sums.iter_mut().zip(shares) {
            *sum = sum.checked_add(&probability.checked_mul(share)?)?;
        }
    }
    Some(sums)
}

fn on_payoff_scale((least, greatest): (f64, f64), share: Fraction) -> Option<Fraction> {
    let (least, greatest) = (plain(least)?, plain(greatest)?);
    least.checked_add(&share.checked_mul(&greatest.checked_sub(&least)?)?)
}

//! The mean result of random play, computed instead of played.
//!
//! If both players bid at random, the rest of a match pairs the two hands at random, and each pair decides one prize.
//! The sum of what the prizes add to the lead has an exact mean and variance; for a win or a loss, a normal
//! distribution stands for the rest. A search that evaluates positions in this way gets what the mean of many playouts
//! would give it, without their noise.

use tesuji_core::{Evaluation, Game, Heuristics, Named, Player};

use super::{Cards, Goofspiel, State, bit, points};
use crate::bits;

/// What Goofspiel offers to searches.
pub(super) struct Offered;

const RANDOM_PLAY: Named =
    Named { name: "random-play", summary: "the mean result if both bid at random from here on, computed" };

impl Heuristics<Goofspiel> for Offered {
    fn evaluations(&self, _: &Goofspiel) -> &'static [Named] {
        &[RANDOM_PLAY]
    }

    fn evaluation(&self, _: &Goofspiel, name: &str) -> Option<Box<dyn Evaluation<Goofspiel>>> {
        (name == RANDOM_PLAY.name).then(|| Box::new(RandomPlay) as Box<dyn Evaluation<Goofspiel>>)
    }
}

struct RandomPlay;

impl Evaluation<Goofspiel> for RandomPlay {
    fn value(&self, game: &Goofspiel, state: &State, player: Player) -> f64 {
        let (mean, variance) = final_lead(state);
        let mean = if player == Player(0) { mean } else { -mean };
        if game.by_points {
            return game.spec().normalise(mean);
        }
        if variance > 0.0 { normal(mean / variance.sqrt()) } else { 0.5 + 0.5 * mean.clamp(-1.0, 1.0) }
    }

    fn is_share(&self) -> bool {
        true
    }

    fn covers_chance(&self) -> bool {
        true
    }
}

/// Mean and variance of the first player's final lead under random play.
///
/// With s(a, b) = 1, 0 or −1 for the cards of a round, the final lead is the present one plus Σ v·s over the prizes v.
/// All rounds have one mean E s, one E s², and one E ss' for two of them.
pub(super) fn final_lead(state: &State) -> (f64, f64) {
    let [first, second] = state.hands;
    let lead = f64::from(state.lead);
    let rounds = f64::from(first.count_ones());
    if rounds == 0.0 {
        return (lead, 0.0);
    }
    let (sum, rows) = outcomes(first, second);
    let (_, columns) = outcomes(second, first);
    let pairs = rounds * rounds;
    let decided = pairs - f64::from((first & second).count_ones());
    let (mean, square) = (sum / pairs, decided / pairs);
    let others = (rounds * (rounds - 1.0)).powi(2);
    let product = if others > 0.0 { (sum * sum - rows - columns + decided) / others } else { 0.0 };
    let prizes = state.prizes | bit(state.prize);
    let total = f64::from(points(prizes));
    let squares = f64::from(bits::ones(u64::from(prizes)).map(|place| (place + 1).pow(2)).sum::<u32>());
    let variance = squares * square + (total * total - squares) * product - (total * mean).powi(2);
    (lead + total * mean, variance.max(0.0))
}

/// Σ s over all pairs of cards, and the sum over the cards of `own` of the square of their Σ s.
fn outcomes(own: Cards, other: Cards) -> (f64, f64) {
    let (mut sum, mut squares) = (0, 0);
    for place in bits::ones(u64::from(own)) {
        let card: Cards = 1 << place;
        let below = (other & (card - 1)).count_ones() as i32;
        let above = (other & !(card | (card - 1))).count_ones() as i32;
        sum += below - above;
        squares += (below - above).pow(2);
    }
    (f64::from(sum), f64::from(squares))
}

/// The distribution function of the normal distribution, by Abramowitz and Stegun 26.2.19: off by 1.5e-7 at most, and
/// the same on every machine, because it only adds, multiplies and divides.
fn normal(x: f64) -> f64 {
    const D: [f64; 6] =
        [0.049_867_347_0, 0.021_141_006_1, 0.003_277_626_3, 0.000_038_003_6, 0.000_048_890_6, 0.000_005_383_0];
    let distance = x.abs();
    let polynomial = 1.0 + distance * D.iter().rev().fold(0.0, |sum, &factor| sum * distance + factor);
    let squared = |value: f64| value * value;
    let tail = 0.5 / squared(squared(squared(squared(polynomial))));
    if x < 0.0 { tail } else { 1.0 - tail }
}

#[cfg(test)]
mod tests {
    use tesuji_core::{Notation, Policy, Rng, Turn, Uniform};

    use super::*;
    use crate::goofspiel::{Order, gain};

    fn cards(all: &[u8]) -> Cards {
        all.iter().map(|&card| bit(card)).sum()
    }

    /// Mean and variance over all orders of the second hand and of the prizes, one after the other.
    fn enumerated(hands: [&[u8]; 2], prizes: &[u8], lead: i16) -> (f64, f64) {
        fn orders(left: &[u8]) -> Vec<Vec<u8>> {
            if left.is_empty() {
                return vec![Vec::new()];
            }
            let mut all = Vec::new();
            for (place, &card) in left.iter().enumerate() {
                let rest = [&left[..place], &left[place + 1..]].concat();
                all.extend(orders(&rest).into_iter().map(|order| [vec![card], order].concat()));
            }
            all
        }
        let mut leads = Vec::new();
        for second in orders(hands[1]) {
            for first in orders(hands[0]) {
                let won = prizes.iter().zip(first.iter().zip(&second)).map(|(&prize, (&a, &b))| gain(prize, a, b));
                leads.push(f64::from(lead + won.sum::<i16>()));
            }
        }
        let mean = leads.iter().sum::<f64>() / leads.len() as f64;
        (mean, leads.iter().map(|lead| (lead - mean).powi(2)).sum::<f64>() / leads.len() as f64)
    }

    /// The hands, the prizes and the lead.
    type Position = ([&'static [u8]; 2], &'static [u8], i16);

    #[test]
    fn mean_and_variance_are_those_of_all_pairings() {
        let cases: [Position; 5] = [
            ([&[1, 2, 3, 4], &[1, 2, 3, 4]], &[1, 2, 3, 4], 0),
            ([&[1, 5, 6], &[2, 4, 6]], &[1, 3, 5], -2),
            ([&[3, 4, 5, 6], &[1, 2, 3, 7]], &[2, 4, 5, 7], 3),
            ([&[2], &[1]], &[4], 1),
            ([&[], &[]], &[], -3),
        ];
        for (hands, prizes, lead) in cases {
            let (expected_mean, expected_variance) = enumerated(hands, prizes, lead);
            let state = State { hands: hands.map(cards), prizes: cards(prizes), lead, prize: 0 };
            let (mean, variance) = final_lead(&state);
            assert!((mean - expected_mean).abs() < 1e-9, "{hands:?}: {mean} instead of {expected_mean}");
            assert!((variance - expected_variance).abs() < 1e-9, "{hands:?}: {variance}, not {expected_variance}");
        }
    }

    #[test]
    fn values_are_near_the_mean_of_playouts() {
        let game = Goofspiel::new("goofspiel".to_owned(), 13, Order::Random, false);
        let (mut rng, mut uniform) = (Rng::new(5), Uniform::default());
        let mut state = game.start();
        while game.turn(&state) != Turn::Over {
            let playouts = 2_000;
            let mut total = 0.0;
            for _ in 0..playouts {
                let mut end = state.clone();
                uniform.play_out(&game, &mut end, &mut rng, tesuji_core::Horizon::END);
                total += game.spec().normalise(game.payoff(&end, Player(0)));
            }
            let value = RandomPlay.value(&game, &state, Player(0));
            let text = game.state_text(&state);
            // Near the end few sums are possible, and a normal distribution is coarse.
            let tolerance = if state.hands[0].count_ones() >= 7 { 0.03 } else { 0.1 };
            assert!((value - total / f64::from(playouts)).abs() < tolerance, "{text}: {value} against {total}");
            assert!((value + RandomPlay.value(&game, &state, Player(1)) - 1.0).abs() < 1e-9, "{text}");
            uniform.play_out(&game, &mut state, &mut rng, tesuji_core::Horizon::steps(1));
        }
    }

    #[test]
    fn the_normal_distribution_is_right() {
        for (x, expected) in [(0.0, 0.5), (1.0, 0.841_344_746), (-1.0, 0.158_655_254), (2.5, 0.993_790_335), (9.0, 1.0)]
        {
            assert!((normal(x) - expected).abs() < 2e-7, "{x}");
        }
    }
}

//! Features of Goofspiel for learned evaluations, from one player's side.
//!
//! With r for the number of cards in each hand:
//!
//! - each own card, each of the other's cards and each prize to come, by r;
//! - each own card with the number of the other's cards below it, and the same for the other's cards;
//! - the difference between the best cards of both hands, between the second best, and so on;
//! - the prize at stake, by r;
//! - the lead, the lead as a share of the points that are left, the difference in the sums of the hands, and how many
//!   standard deviations random play would end above 0, each by r.
//!
//! States in which chance turns up a prize are described too: a search need not evaluate every prize.

use tesuji_core::{FeatureSet, Named, Player, ValueFeatures};

use super::expectation::final_lead;
use super::{Cards, Goofspiel, Order, State, bit, points};
use crate::bits;
use crate::networks::NetworkText;

/// The network that comes with the game of 13 cards with prizes in random order.
const NETWORK: Named = Named { name: "goofspiel", summary: "4345-64-16-1, trained on 200,000 matches of self-play" };
static NETWORK_TEXT: NetworkText = NetworkText::of("goofspiel.net");

/// The capability.
pub(super) struct GoofspielFeatures;

/// The greatest difference of two cards that is told apart.
const MOST_DIFFERENCE: i32 = 6;
/// The greatest lead that is told apart.
const MOST_LEAD: i32 = 40;
/// Buckets for the lead as a share of the points left, on each side of 0.
const SHARES: i32 = 16;
/// The greatest difference of sums that is told apart.
const MOST_SUM: i32 = 30;
/// Buckets for deviations of random play on each side of 0; eight make one.
const DEVIATIONS: i32 = 24;

/// The number of values from −`most` to `most`.
const fn span(most: i32) -> usize {
    2 * most as usize + 1
}

/// The place of a value among those from −`most` to `most`.
fn place(value: i32, most: i32) -> usize {
    (value.clamp(-most, most) + most) as usize
}

/// The blocks of inputs, by the number of cards of the game.
struct Blocks {
    cards: usize,
}

impl Blocks {
    /// Where each block begins, and where the last one ends.
    fn starts(&self) -> [usize; 12] {
        let square = self.cards * self.cards;
        let beaten = self.cards * (self.cards + 1);
        let by_round = |values: usize| values * (self.cards + 1);
        let sizes = [
            square,
            square,
            square,
            beaten,
            beaten,
            self.cards * span(MOST_DIFFERENCE),
            square,
            by_round(span(MOST_LEAD)),
            by_round(span(SHARES)),
            by_round(span(MOST_SUM)),
            by_round(span(DEVIATIONS)),
        ];
        let mut starts = [0; 12];
        for (index, size) in sizes.into_iter().enumerate() {
            starts[index + 1] = starts[index] + size;
        }
        starts
    }
}

impl ValueFeatures<Goofspiel> for GoofspielFeatures {
    fn set(&self, game: &Goofspiel) -> FeatureSet {
        let cards = usize::from(game.cards);
        let order = match game.order {
            Order::Random => "random",
            Order::Descending => "descending",
            Order::Ascending => "ascending",
        };
        let returns = if game.by_points { "points-difference" } else { "win-loss" };
        let [.., inputs] = Blocks { cards }.starts();
        FeatureSet {
            name: format!("goofspiel-{cards}-{order}-{returns}"),
            version: 1,
            inputs,
            most_active: 6 * cards + 5,
        }
    }

    fn active(&self, game: &Goofspiel, state: &State, player: Player, out: &mut Vec<u32>) {
        let cards = usize::from(game.cards);
        let [own_at, other_at, prizes_at, own_beats, other_beats, ranks, stake, leads, shares, sums, deviations, _] =
            Blocks { cards }.starts();
        let [own, other] = [state.hands[player.index()], state.hands[1 - player.index()]];
        let round = own.count_ones() as usize;
        let mut add = |index: usize| out.push(index as u32);
        for (set, start) in [(own, own_at), (other, other_at), (state.prizes, prizes_at)] {
            bits::ones(u64::from(set)).for_each(|card| add(start + (round - 1) * cards + card as usize));
        }
        for (hand, against, start) in [(own, other, own_beats), (other, own, other_beats)] {
            for card in bits::ones(u64::from(hand)) {
                let below = (against & ((1 << card) - 1)).count_ones() as usize;
                add(start + card as usize * (cards + 1) + below);
            }
        }
        let (mut left, mut right) = (own, other);
        for rank in 0..round {
            let [best, worst] = [&mut left, &mut right].map(take_best);
            add(ranks + rank * span(MOST_DIFFERENCE) + place(best - worst, MOST_DIFFERENCE));
        }
        if state.prize > 0 {
            add(stake + (round - 1) * cards + usize::from(state.prize) - 1);
        }
        let sign = if player == Player(0) { 1 } else { -1 };
        let lead = sign * i32::from(state.lead);
        let remaining = points(state.prizes | bit(state.prize)).max(1) as i32;
        add(leads + round * span(MOST_LEAD) + place(lead, MOST_LEAD));
        let share = (f64::from(lead * SHARES) / f64::from(remaining)).round() as i32;
        add(shares + round * span(SHARES) + place(share, SHARES));
        add(sums + round * span(MOST_SUM) + place(points(own) as i32 - points(other) as i32, MOST_SUM));
        let (mean, variance) = final_lead(state);
        let deviation = (8.0 * f64::from(sign) * mean / variance.max(0.01).sqrt()).round();
        add(deviations + round * span(DEVIATIONS) + place(deviation.clamp(-1e3, 1e3) as i32, DEVIATIONS));
    }

    fn covers_chance(&self) -> bool {
        true
    }

    fn networks(&self, game: &Goofspiel) -> &'static [Named] {
        if game.cards == 13 && game.order == Order::Random && !game.by_points { &[NETWORK] } else { &[] }
    }

    fn network(&self, game: &Goofspiel, name: &str) -> Option<&'static str> {
        (name == NETWORK.name && !self.networks(game).is_empty()).then(|| NETWORK_TEXT.get())
    }
}

/// Removes the best card of a hand and returns its number; 0 if there is none.
fn take_best(hand: &mut Cards) -> i32 {
    let best = 32 - hand.leading_zeros();
    *hand &= !bit(best as u8);
    best as i32
}

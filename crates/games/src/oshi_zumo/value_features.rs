//! Features of Oshi-Zumo for learned evaluations, from one player's side.
//!
//! Each feature is told apart by the place of the wrestler: the own purse, the other's purse, their difference, both
//! purses while they are small, both in twelfths of the coins at the start, and the own share of all coins.
//!
//! The round is not described: while it is far from the horizon it hardly matters. So a network that was trained with a
//! short horizon, where waiting soon ends the match, also serves a long one.

use tesuji_core::{FeatureSet, Named, Player, ValueFeatures};

use super::{OshiZumo, State};
use crate::networks::NetworkText;

/// The network that comes with the game of 50 coins.
const NETWORK: Named = Named { name: "oshi-zumo", summary: "3787-64-16-1, trained on 50,048 matches of self-play" };
static NETWORK_TEXT: NetworkText = NetworkText::of("oshi-zumo.net");

/// The horizon of the matches on which the network was trained; shorter games end otherwise.
const TRAINED_HORIZON: u16 = 60;

/// The capability.
pub(super) struct OshiZumoFeatures;

/// Purses below this are told apart in pairs.
const SMALL: usize = 12;
/// The parts into which the coins at the start are divided, for pairs of purses.
const PARTS: usize = 12;
/// Buckets for the share of all coins.
const SHARES: usize = 24;

impl ValueFeatures<OshiZumo> for OshiZumoFeatures {
    fn set(&self, game: &OshiZumo) -> FeatureSet {
        let coins = usize::from(game.coins);
        let places = 2 * game.size as usize + 1;
        let per_place = 2 * (coins + 1) + 2 * coins + 1 + SMALL * SMALL + (PARTS + 1) * (PARTS + 1) + SHARES + 1;
        FeatureSet {
            name: format!("oshi-zumo-{coins}-{}-{}", game.size, game.minimum),
            version: 1,
            inputs: places * per_place,
            most_active: 6,
        }
    }

    fn active(&self, game: &OshiZumo, state: &State, player: Player, out: &mut Vec<u32>) {
        let coins = usize::from(game.coins);
        let places = 2 * game.size as usize + 1;
        let [own, other] = [player.index(), 1 - player.index()].map(|side| usize::from(state.coins[side]));
        let ahead = if player == Player(0) { state.place } else { -state.place };
        let place = (ahead + game.size) as usize;
        let mut start = 0;
        let mut add = |count: usize, index: Option<usize>| {
            out.extend(index.map(|index| (start + index * places + place) as u32));
            start += count * places;
        };
        add(coins + 1, Some(own));
        add(coins + 1, Some(other));
        add(2 * coins + 1, Some(coins + own - other));
        add(SMALL * SMALL, (own.max(other) < SMALL).then_some(own * SMALL + other));
        let part = |purse: usize| (purse * PARTS).div_ceil(coins);
        add((PARTS + 1) * (PARTS + 1), Some(part(own) * (PARTS + 1) + part(other)));
        add(SHARES + 1, Some(own * SHARES / (own + other).max(1)));
    }

    fn networks(&self, game: &OshiZumo) -> &'static [Named] {
        let known = (game.coins, game.size, game.minimum) == (50, 3, 0) && game.horizon >= TRAINED_HORIZON;
        if known { &[NETWORK] } else { &[] }
    }

    fn network(&self, game: &OshiZumo, name: &str) -> Option<&'static str> {
        (name == NETWORK.name && !self.networks(game).is_empty()).then(|| NETWORK_TEXT.get())
    }
}

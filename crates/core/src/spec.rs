//! The facts about a game that hold in every state.

use crate::{Features, Player};

/// What is known of a game before play.
#[derive(Clone, PartialEq, Debug)]
pub struct Spec {
    /// The address that opens this game again, such as `sync-triomineering(6,6)`.
    pub name: String,
    /// Grows when the behaviour of the rules changes, and only then: results of different versions are not comparable.
    pub version: u32,
    /// The players' names in seat order, such as `["red", "blue"]`.
    pub players: Vec<String>,
    /// What an agent must handle to play it.
    pub features: Features,
    /// The least and the greatest payoff anybody can get.
    pub payoffs: (f64, f64),
    /// No match has more steps (calls of `apply`, chance included).
    pub max_steps: usize,
}

impl Spec {
    /// A game for `players`, with payoffs from 0 (loss) to 1 (win), version 1.
    pub fn new(name: impl Into<String>, players: &[&str], features: Features, max_steps: usize) -> Spec {
        Spec {
            name: name.into(),
            version: 1,
            players: players.iter().map(|&name| name.to_owned()).collect(),
            features,
            payoffs: (0.0, 1.0),
            max_steps,
        }
    }

    /// The seats of this game.
    pub fn seats(&self) -> impl ExactSizeIterator<Item = Player> + use<> {
        (0..self.players.len() as u8).map(Player)
    }

    /// The name of a seat.
    pub fn player_name(&self, player: Player) -> &str {
        &self.players[player.index()]
    }

    /// A payoff moved to the scale 0 (the least possible) to 1 (the greatest possible).
    #[inline]
    pub fn normalise(&self, payoff: f64) -> f64 {
        let (least, greatest) = self.payoffs;
        if greatest > least { (payoff - least) / (greatest - least) } else { 0.5 }
    }

    /// The payoff that [`normalise`](Spec::normalise) would map to `share`.
    #[inline]
    pub fn denormalise(&self, share: f64) -> f64 {
        let (least, greatest) = self.payoffs;
        least + share * (greatest - least)
    }
}

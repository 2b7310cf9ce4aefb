//! The facts about a game that hold in every state.

use crate::{Features, Player};

/// The facts about a game that are known before play: players, features, payoffs, length.
#[derive(Clone, PartialEq, Debug)]
pub struct Spec {
    /// The address that opens this game again, such as `sync-triomineering(6,6)`.
    pub name: String,
    /// The version of the rules. It increases only when their behaviour changes: results of different versions are not
    /// comparable.
    pub version: u32,
    /// The players' names in seat order, such as `["red", "blue"]`.
    pub players: Vec<String>,
    /// The features that an agent must handle to play the game.
    pub features: Features,
    /// The least and the greatest payoff that a player can get.
    pub payoffs: (f64, f64),
    /// An upper bound on the steps of a match (calls of `apply`, including chance).
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

    /// A payoff rescaled to 0 (the least possible) to 1 (the greatest possible).
    #[inline]
    pub fn normalise(&self, payoff: f64) -> f64 {
        let (least, greatest) = self.payoffs;
        if greatest > least { (payoff - least) / (greatest - least) } else { 0.5 }
    }

    /// The payoff that [`normalise`](Spec::normalise) maps to `share`.
    #[inline]
    pub fn denormalise(&self, share: f64) -> f64 {
        let (least, greatest) = self.payoffs;
        least + share * (greatest - least)
    }
}

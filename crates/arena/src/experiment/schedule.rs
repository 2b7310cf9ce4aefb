//! Which matches an experiment consists of, each with its number and its seeds.

use tesuji_core::{Player, mix};

use super::Experiment;

/// The agents that meet in one game: each pairing has a result of its own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pairing {
    /// Index into the experiment's games.
    pub game: usize,
    /// Indices of the agents: two of them, or one for each player. Results are from the first one's view.
    pub agents: Vec<usize>,
}

/// One pair of matches: the same start and the same dice, sides swapped. The unit of work, of storage and of
/// statistics.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unit {
    /// Index into [`Experiment::pairings_in_games`].
    pub pairing: u32,
    /// The pair's number within its pairing.
    pub pair: u32,
}

/// One measurement of exploitability: of a decision in the first state, or of the strategy in the whole game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Measurement {
    /// Index into the experiment's games.
    pub game: u32,
    /// Index into the experiment's agents.
    pub agent: u32,
    /// Playouts of each decision.
    pub playouts: u64,
    /// For whom the first decision is measured; `None` measures the whole game for all players.
    pub player: Option<Player>,
    /// In the first state: which of the decisions for this figure. In the whole game: the searches for each state.
    pub repeat: u64,
}

impl Measurement {
    /// The player as a number of the store: -1 stands for the whole game.
    pub(crate) fn player_number(&self) -> i64 {
        self.player.map_or(-1, |player| i64::from(player.0))
    }

    /// The player with that number.
    pub(crate) fn player_of(number: i64) -> Option<Player> {
        u8::try_from(number).ok().map(Player)
    }
}

impl Experiment {
    /// Every pairing in every game, in the order of results.
    pub fn pairings_in_games(&self) -> Vec<Pairing> {
        let in_game = |game| self.pairings.iter().map(move |agents| Pairing { game, agents: agents.clone() });
        (0..self.games.len()).flat_map(in_game).collect()
    }

    /// How many pairs of matches there are; with `shard` (index, count) in the part that belongs to that machine.
    pub fn unit_count(&self, shard: Option<(u64, u64)>) -> u64 {
        let (index, count) = shard.unwrap_or((0, 1));
        (self.pairings_count() * self.pairs).saturating_sub(index).div_ceil(count.max(1))
    }

    /// A pair of matches by its place in the schedule, which goes round by round, so that all pairings progress
    /// together.
    pub(crate) fn unit(&self, shard: Option<(u64, u64)>, place: u64) -> Unit {
        let (index, count) = shard.unwrap_or((0, 1));
        let number = place * count + index;
        let pairings = self.pairings_count().max(1);
        Unit { pairing: (number % pairings) as u32, pair: (number / pairings) as u32 }
    }

    fn pairings_count(&self) -> u64 {
        (self.games.len() * self.pairings.len()) as u64
    }

    /// The seed of a pair of matches: nature's stream, which both matches share, and the agents' streams, which they do
    /// not, are derived from it. It does not depend on how many pairs are played.
    pub(crate) fn seed_of(&self, unit: Unit) -> u64 {
        let seed = if self.shared_dice { self.seed } else { mix(self.seed, u64::from(unit.pairing)) };
        mix(seed, u64::from(unit.pair))
    }
}

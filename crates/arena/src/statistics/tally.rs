//! Wins, draws and losses.

use serde::Serialize;
use tesuji_core::Spec;

/// Wins, draws and losses from one agent's view.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Tally {
    /// Matches won.
    pub wins: u64,
    /// Matches drawn.
    pub draws: u64,
    /// Matches lost.
    pub losses: u64,
}

impl Tally {
    /// Counts a match by its score: 1, 1/2 or 0.
    pub fn count(&mut self, score: f64) {
        let slot = if score > 0.5 {
            &mut self.wins
        } else if score < 0.5 {
            &mut self.losses
        } else {
            &mut self.draws
        };
        *slot = slot.saturating_add(1);
    }

    /// Adds another tally.
    pub fn add(&mut self, other: Tally) {
        self.wins = self.wins.saturating_add(other.wins);
        self.draws = self.draws.saturating_add(other.draws);
        self.losses = self.losses.saturating_add(other.losses);
    }

    /// The same matches from the opponent's view.
    pub(crate) fn reversed(&self) -> Tally {
        Tally { wins: self.losses, draws: self.draws, losses: self.wins }
    }

    /// Matches counted.
    pub fn matches(&self) -> u64 {
        self.wins.saturating_add(self.draws).saturating_add(self.losses)
    }

    /// Wins plus half the draws.
    pub fn score(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// The score per match; `None` without matches.
    pub fn rate(&self) -> Option<f64> {
        let matches = self.wins as f64 + self.draws as f64 + self.losses as f64;
        (matches > 0.0).then(|| self.score() / matches)
    }
}

/// The score of a player in a finished match: 1 if nobody got as much, 1/2 if it shares the first place, else 0.
///
/// A lone player competes with the game: 1 for the greatest payoff there is, 0 for the least, 1/2 between.
pub fn score(spec: &Spec, payoffs: &[f64], player: usize) -> f64 {
    let own = payoffs[player];
    if let [alone] = *payoffs {
        let share = spec.normalise(alone);
        return if share >= 1.0 {
            1.0
        } else if share <= 0.0 {
            0.0
        } else {
            0.5
        };
    }
    let others = payoffs.iter().enumerate().filter(|&(index, _)| index != player).map(|(_, &payoff)| payoff);
    let best = others.fold(f64::NEG_INFINITY, f64::max);
    if own > best {
        1.0
    } else if own == best {
        0.5
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_core::Features;

    #[test]
    fn a_shared_first_place_is_a_draw() {
        let spec = Spec::new("", &["a"], Features::empty(), 1);
        assert_eq!([0, 1, 2].map(|player| score(&spec, &[3.0, 3.0, 1.0], player)), [0.5, 0.5, 0.0]);
        assert_eq!([0, 1].map(|player| score(&spec, &[-1.0, 1.0], player)), [0.0, 1.0]);
        assert_eq!([0.0, 0.3, 1.0].map(|payoff| score(&spec, &[payoff], 0)), [0.0, 0.5, 1.0]);
    }

    #[test]
    fn counting_adding_and_reversing() {
        let mut tally = Tally::default();
        assert_eq!(tally.rate(), None);
        [1.0, 0.5, 0.0, 1.0].into_iter().for_each(|score| tally.count(score));
        assert_eq!(tally, Tally { wins: 2, draws: 1, losses: 1 });
        tally.add(Tally { wins: 1, draws: 2, losses: 3 });
        assert_eq!(tally.reversed(), Tally { wins: 4, draws: 3, losses: 3 });
        assert_eq!((tally.matches(), tally.score(), tally.rate()), (10, 4.5, Some(0.45)));
        tally.add(Tally { wins: u64::MAX, draws: 0, losses: 0 });
        assert_eq!(tally.matches(), u64::MAX);
    }
}

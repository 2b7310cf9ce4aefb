//! Heuristics for Breakthrough.

use tesuji_core::{
    ActionIndex, Attacks, Capabilities, Evaluation, Heuristics, Knowledge, Named, Observation, Player, ValueFeatures,
};

use super::numbers::Numbers;
use super::value_features::BreakthroughFeatures;
use super::{Breakthrough, State, Step};

const ADVANCE: Named =
    Named { name: "advance", summary: "Pawns and their advance, own minus the opponent's, from -1 (lost) to 1 (won)" };

impl Breakthrough {
    /// The strength of a player: 1 for each pawn, plus the fraction of the way to the far row that it has gone.
    fn strength(&self, state: &State, player: usize) -> f64 {
        let pawns = state.pawns[player];
        let row_mask = self.goals[1];
        let mut made = 0;
        for row in 0..self.rows {
            let advance = if player == 0 { row } else { self.rows - 1 - row };
            made += advance * (pawns >> (row * self.columns) & row_mask).count_ones();
        }
        f64::from(pawns.count_ones()) + f64::from(made) / f64::from(self.rows - 1)
    }

    /// The evaluation [`ADVANCE`]. The pawns of a side count less than 2 each.
    fn advance(&self, state: &State, player: Player) -> f64 {
        match self.winner(state) {
            Some(winner) if winner == player.index() => 1.0,
            Some(_) => -1.0,
            None => {
                let difference = self.strength(state, player.index()) - self.strength(state, 1 - player.index());
                difference / f64::from(2 * 2 * self.columns)
            }
        }
    }
}

impl Knowledge for Breakthrough {
    const OFFERS: Capabilities = Capabilities::HEURISTICS
        .union(Capabilities::ATTACKS)
        .union(Capabilities::VALUE_FEATURES)
        .union(Capabilities::NUMBERS);

    fn heuristics(&self) -> Option<&'static dyn Heuristics<Self>> {
        Some(&Advance)
    }

    fn attacks(&self) -> Option<&'static dyn Attacks<Self>> {
        Some(&Captures)
    }

    fn value_features(&self) -> Option<&'static dyn ValueFeatures<Self>> {
        Some(&BreakthroughFeatures)
    }

    fn action_index(&self) -> Option<&'static dyn ActionIndex<Self>> {
        Some(&Numbers)
    }

    fn observation(&self) -> Option<&'static dyn Observation<Self>> {
        Some(&Numbers)
    }
}

struct Advance;

impl Heuristics<Breakthrough> for Advance {
    fn evaluations(&self, _game: &Breakthrough) -> &'static [Named] {
        &[ADVANCE]
    }

    fn evaluation(&self, _game: &Breakthrough, name: &str) -> Option<Box<dyn Evaluation<Breakthrough>>> {
        (name == ADVANCE.name).then(|| Box::new(Breakthrough::advance) as Box<dyn Evaluation<Breakthrough>>)
    }
}

struct Captures;

impl Attacks<Breakthrough> for Captures {
    #[inline]
    fn is_attack(&self, _game: &Breakthrough, state: &State, action: Step) -> bool {
        state.holder(u32::from(action.to)).is_some()
    }
}

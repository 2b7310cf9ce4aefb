//! What a player of Breakthrough counts.

use tesuji_core::{Evaluation, Knowledge, Named, Player};

use super::{Breakthrough, State, Step};

const ADVANCE: Named = Named {
    name: "advance",
    summary: "Pawns and how far they have come, own less the enemy's, from -1 (lost) to 1 (won)",
};

impl Breakthrough {
    /// A pawn counts 1, and the share of its way to the far row that it has made.
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

    /// The evaluation [`ADVANCE`]. All pawns of a side together count less than 2 each.
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
    fn evaluations(&self) -> &'static [Named] {
        &[ADVANCE]
    }

    fn evaluation(&self, name: &str) -> Option<Box<dyn Evaluation<Self>>> {
        (name == ADVANCE.name).then(|| Box::new(Breakthrough::advance) as Box<dyn Evaluation<Self>>)
    }

    /// A capture.
    fn is_attack(&self, state: &State, action: Step) -> Option<bool> {
        Some(state.holder(u32::from(action.to)).is_some())
    }
}

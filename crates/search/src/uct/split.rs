//! A budget for a whole turn, shared evenly by the pieces that act in it (paper 002, section 4.1.3: 6000 playouts per
//! turn and six units are 1000 playouts for each action).

use tesuji_core::{Game, Player, Tactics};

use crate::turns::count_pieces;
use crate::{Budget, Seat};

/// The number of pieces that act in the current turn.
pub(super) struct Split<G: Game> {
    tactics: &'static dyn Tactics<G>,
    /// At the last call: the steps played, the player, and the pieces of that turn.
    last: Option<(usize, Player, u64)>,
}

impl<G: Game> Split<G> {
    pub(super) fn new(tactics: &'static dyn Tactics<G>) -> Split<G> {
        Split { tactics, last: None }
    }

    /// Called when a new match begins.
    pub(super) fn forget(&mut self) {
        self.last = None;
    }

    /// Counts the pieces of the current turn: those that can act where the turn begins. A turn continues if the
    /// previous decision was for the same player and one step ago.
    pub(super) fn note(&mut self, seat: &Seat<'_, G>) -> u64 {
        let steps = seat.history.len();
        let pieces = match self.last {
            Some((last, player, pieces)) if player == seat.player && last + 1 == steps => pieces,
            _ => count_pieces(self.tactics, seat.game, seat.state, seat.player).max(1),
        };
        self.last = Some((steps, seat.player, pieces));
        pieces
    }

    /// The part of one decision in the budget of a turn.
    pub(super) fn share(&mut self, budget: Budget, seat: &Seat<'_, G>) -> Budget {
        let pieces = self.note(seat);
        let share = |limit: u64| (limit / pieces).max(1);
        Budget {
            playouts: budget.playouts.map(share),
            nodes: budget.nodes.map(share),
            time: budget.time.map(|time| time / u32::try_from(pieces).unwrap_or(u32::MAX)),
        }
    }
}

//! The position in a match at which an agent last thought.

use tesuji_core::{Game, Player, step};

use crate::Seat;

/// The state, the player, and the number of steps of the match.
pub(crate) struct Standpoint<G: Game> {
    pub state: G::State,
    pub player: Player,
    pub steps: usize,
    /// Whether the agent has only prepared and not decided yet.
    pub prepared: bool,
}

impl<G: Game> Standpoint<G> {
    /// The standpoint of a decision or of a preparation.
    pub(crate) fn of(seat: &Seat<'_, G>, prepared: bool) -> Standpoint<G> {
        Standpoint { state: seat.state.clone(), player: seat.player, steps: seat.history.len(), prepared }
    }

    /// Whether `seat` can belong to the same match, further on. The same state again is not further on, unless it was
    /// only prepared for: equal queries have equal answers.
    pub(crate) fn comes_before(&self, seat: &Seat<'_, G>) -> bool {
        let steps = seat.history.len();
        self.player == seat.player && (steps > self.steps || steps == self.steps && self.prepared)
    }

    /// Whether the steps played since lead from here to `seat`.
    pub(crate) fn leads_to(&self, seat: &Seat<'_, G>) -> bool {
        let mut state = self.state.clone();
        self.comes_before(seat)
            && (self.steps..seat.history.len())
                .all(|index| step(seat.game, &mut state, seat.history.step(index)).is_ok())
            && state == *seat.state
    }
}

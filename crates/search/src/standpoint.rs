//! Where an agent stood in a match when it last thought.

use tesuji_core::{Game, Player, step};

use crate::Seat;

/// The state, for whom the agent thought, and after how many steps of the match.
pub(crate) struct Standpoint<G: Game> {
    pub state: G::State,
    pub player: Player,
    pub steps: usize,
    /// Was it only prepared for, and nothing decided yet?
    pub prepared: bool,
}

impl<G: Game> Standpoint<G> {
    /// The standpoint of a decision, or of a preparation for one.
    pub fn of(seat: &Seat<'_, G>, prepared: bool) -> Standpoint<G> {
        Standpoint { state: seat.state.clone(), player: seat.player, steps: seat.history.len(), prepared }
    }

    /// Can `seat` belong to the same match, further on? The same state asked about again is no step further, unless it
    /// was prepared for: equal questions have equal answers.
    pub fn comes_before(&self, seat: &Seat<'_, G>) -> bool {
        let steps = seat.history.len();
        self.player == seat.player && (steps > self.steps || steps == self.steps && self.prepared)
    }

    /// Do the steps played since lead from here to `seat`?
    pub fn leads_to(&self, seat: &Seat<'_, G>) -> bool {
        let mut state = self.state.clone();
        self.comes_before(seat)
            && (self.steps..seat.history.len())
                .all(|index| step(seat.game, &mut state, seat.history.step(index)).is_ok())
            && state == *seat.state
    }
}

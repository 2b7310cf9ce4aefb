//! Symmetry reduction of first moves (paper 004, §6.1).
//!
//! In the first move on square boards, the paper drops own actions that are mirror images of others. Here two actions
//! are images of each other if the positions they lead to have equal values according to the game
//! ([`SolverHints::fingerprint`](tesuji_core::SolverHints::fingerprint)), reply for reply in some order. The first of
//! them in the game's order stays.
//!
//! This is safe where pure play suffices, as on the paper's boards. Where a player must mix among images (matching
//! pennies), playing only one of them can be exploited; so only the presets that follow the paper use it.

use tesuji_core::{Knowledge, Player};

use super::sides::Sides;
use crate::Seat;

/// Where own actions are dropped that are symmetric images of others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Symmetry {
    /// Nowhere.
    Off,
    /// In the first move of a match, if the position is the same with the players exchanged: the square boards of the
    /// paper.
    Even,
    /// In every first move of a match.
    First,
}

impl Symmetry {
    /// The indices of the actions of `seat.player` that stay.
    pub(super) fn kept<G: Knowledge>(self, seat: &Seat<'_, G>, sides: &Sides<G::Action>) -> Vec<usize> {
        let Player(own) = seat.player;
        let own = usize::from(own);
        let all = || (0..sides.actions[own].len()).collect();
        let Some(hints) = seat.game.solver_hints() else { return all() };
        let applies = match self {
            Symmetry::Off => false,
            _ if !seat.history.is_empty() => false,
            Symmetry::Even => hints.fingerprint(seat.game, seat.state).even,
            Symmetry::First => true,
        };
        if !applies {
            return all();
        }
        let mut joint = Vec::new();
        let mut seen: Vec<Vec<(u128, bool)>> = Vec::new();
        let mut kept = Vec::new();
        for action in 0..sides.actions[own].len() {
            let mut images = Vec::with_capacity(sides.count(1 - own));
            for reply in 0..sides.count(1 - own) {
                let cell = if own == 0 { [action, reply] } else { [reply, action] };
                sides.joint(cell, &mut joint);
                let mut next = seat.state.clone();
                seat.game.apply(&mut next, &joint);
                let print = hints.fingerprint(seat.game, &next);
                images.push((print.key, print.exchanged));
            }
            images.sort_unstable();
            if !seen.contains(&images) {
                seen.push(images);
                kept.push(action);
            }
        }
        kept
    }
}

//! Symmetry reduction of first moves (paper 004, §6.1).
//!
//! In the first move on square boards, the paper drops own actions that are mirror images of others. Here two actions
//! are images of each other if the positions they lead to have equal values according to the game
//! ([`SolverHints::fingerprint`](tesuji_core::SolverHints::fingerprint)), reply for reply in some order. The first of
//! them in the game's order stays. When the search has chosen it, [`Image`] says which of the images is played.
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

/// Which of several images of a chosen action is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Image {
    /// The first in the game's order, which was searched.
    First,
    /// One drawn at random: all images are equally likely.
    Random,
}

impl Image {
    /// Maps a mix over the searched actions back to all actions.
    pub(super) fn spread(self, orbits: &[Vec<usize>], count: usize, mix: &[f64]) -> Vec<f64> {
        let mut all = vec![0.0; count];
        for (orbit, share) in orbits.iter().zip(mix) {
            let played = if self == Image::First { &orbit[..1] } else { orbit };
            played.iter().for_each(|&action| all[action] = share / played.len() as f64);
        }
        all
    }
}

impl Symmetry {
    /// The actions of `seat.player` in groups of images, by index. The first of each group is searched.
    pub(super) fn orbits<G: Knowledge>(self, seat: &Seat<'_, G>, sides: &Sides<G::Action>) -> Vec<Vec<usize>> {
        let Player(own) = seat.player;
        let own = usize::from(own);
        let all = || (0..sides.actions[own].len()).map(|action| vec![action]).collect();
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
        let mut orbits: Vec<Vec<usize>> = Vec::new();
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
            match seen.iter().position(|known| *known == images) {
                Some(orbit) => orbits[orbit].push(action),
                None => {
                    seen.push(images);
                    orbits.push(vec![action]);
                }
            }
        }
        orbits
    }
}

//! Why a match refuses a choice.

use std::fmt;

use tesuji_core::{Actor, Player};

/// Why [`Match`](crate::Match) refuses a choice. The match is unchanged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// The match is over.
    Over,
    /// The game has no such player.
    NoSuchPlayer(Player),
    /// The player has chosen already, or does not act in this step.
    NotAwaited(Player),
    /// The action is not legal for its actor.
    Illegal(Actor),
    /// The joint action has the wrong length.
    Count {
        /// The number of actors in this step.
        expected: usize,
        /// The number of actions given.
        given: usize,
    },
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Over => f.write_str("the match is over"),
            Refusal::NoSuchPlayer(_) => f.write_str("there is no such seat"),
            Refusal::NotAwaited(player) => write!(f, "player {} is not to choose now", player.index() + 1),
            Refusal::Illegal(Actor::Player(player)) => {
                write!(f, "the action is not legal for player {}", player.index() + 1)
            }
            Refusal::Illegal(Actor::Chance) => f.write_str("the outcome is not possible here"),
            Refusal::Count { expected, given } => write!(f, "expected {expected} action(s), got {given}"),
        }
    }
}

impl std::error::Error for Refusal {}

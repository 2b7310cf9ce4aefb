//! What a match waits for, and how it ended.

use crate::Failure;
use tesuji_core::{Player, Players};

/// What a match waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Waiting {
    /// These players, agents or people, have yet to choose for the next step.
    Choices(Players),
    /// Chance has to draw.
    Chance,
    /// Nothing: the match is over.
    Nothing,
}

/// How a match ended.
#[derive(Clone, PartialEq, Debug)]
pub enum Ending {
    /// By the rules.
    Natural,
    /// By the failure of an agent: its player forfeits.
    Foul {
        /// The player.
        player: Player,
        /// What went wrong.
        foul: Failure,
    },
    /// By a player who resigned.
    Resigned {
        /// The player.
        player: Player,
    },
}

impl Ending {
    /// The player who lost by a failure or by resigning.
    pub fn loser(&self) -> Option<Player> {
        match self {
            Ending::Natural => None,
            Ending::Foul { player, .. } | Ending::Resigned { player } => Some(*player),
        }
    }
}

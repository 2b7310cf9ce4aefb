//! What a server tells a player with a request for a move.

use tesuji_arena::InputError;
use tesuji_arena::sheet::SheetMatch;

use super::message::Learned;

/// What has happened since the previous request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum News {
    /// Nothing: this is the first request of the match.
    Nothing,
    /// Everyone's moves.
    Joint(Vec<String>),
    /// In a match with hidden information: the own move, and what was perceived.
    Learned(Learned),
}

impl News {
    /// The news of a request for a move by GDL-I.
    pub(super) fn of_moves(moves: Option<Vec<String>>) -> News {
        moves.map_or(News::Nothing, News::Joint)
    }

    /// The news of a request for a move by GDL-II.
    pub(super) fn of_learned(learned: Learned) -> News {
        if learned.own.is_none() { News::Nothing } else { News::Learned(learned) }
    }

    /// Advances the match of `role` by the news. Refuses what does not fit, and changes nothing then.
    pub(super) fn take_in(
        &self,
        seated: &mut SheetMatch,
        role: usize,
        stop: &dyn Fn() -> bool,
    ) -> Result<(), InputError> {
        match self {
            News::Nothing => Ok(()),
            News::Joint(joint) => seated.advance(joint),
            News::Learned(Learned { own, percepts, .. }) => {
                seated.perceive(role, own.as_deref().unwrap_or(""), percepts, stop)
            }
        }
    }
}

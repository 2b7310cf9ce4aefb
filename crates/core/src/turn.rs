//! Who acts next.

use crate::{Player, Players};

/// Who acts next in a state.
///
/// ```
/// use tesuji_core::{Actor, Player, Players, Turn};
///
/// let both = Turn::Simultaneous(Players::first(2));
/// assert_eq!(both.movers().len(), 2);
/// // A joint action has one entry for each actor, in this order.
/// let actors: Vec<Actor> = both.actors().collect();
/// assert_eq!(actors, [Actor::Player(Player(0)), Actor::Player(Player(1))]);
/// assert_eq!(Turn::Chance.actors().collect::<Vec<_>>(), [Actor::Chance]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Turn {
    /// One player chooses. It may be the player who chose last.
    Player(Player),
    /// Two or more players choose at once, without seeing the others' choices.
    Simultaneous(Players),
    /// Chance draws one of the outcomes of [`Game::chance`](crate::Game::chance).
    Chance,
    /// The match is over and the payoffs are final.
    Over,
}

impl Turn {
    /// The players who choose now: one, several, or none (at a chance node and at the end).
    #[inline]
    pub fn movers(self) -> Players {
        match self {
            Turn::Player(player) => Players::default().with(player),
            Turn::Simultaneous(players) => players,
            Turn::Chance | Turn::Over => Players::default(),
        }
    }

    /// The actors of the next joint action, in its order: the movers, or chance alone.
    pub fn actors(self) -> impl Iterator<Item = Actor> {
        let chance = (self == Turn::Chance).then_some(Actor::Chance);
        self.movers().map(Actor::Player).chain(chance)
    }
}

/// An actor: a player, or chance.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Actor {
    /// A player.
    Player(Player),
    /// Chance (nature).
    Chance,
}

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
    /// One player chooses; it may be the one who chose last.
    Player(Player),
    /// Two or more players choose, none seeing the others' choice.
    Simultaneous(Players),
    /// Nature draws one of the outcomes of [`Game::chance`](crate::Game::chance).
    Chance,
    /// Payoffs are final.
    Over,
}

impl Turn {
    /// The players who choose now: one, several, or none at a chance node and at the end.
    #[inline]
    pub fn movers(self) -> Players {
        match self {
            Turn::Player(player) => Players::default().with(player),
            Turn::Simultaneous(players) => players,
            Turn::Chance | Turn::Over => Players::default(),
        }
    }

    /// Those whose choice makes up the next joint action, in its order: the movers, or chance alone.
    pub fn actors(self) -> impl Iterator<Item = Actor> {
        let chance = (self == Turn::Chance).then_some(Actor::Chance);
        self.movers().map(Actor::Player).chain(chance)
    }
}

/// One who chooses: a player, or nature.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Actor {
    /// A player.
    Player(Player),
    /// Nature.
    Chance,
}

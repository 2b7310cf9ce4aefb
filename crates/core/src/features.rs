//! Features: the properties of a game that an agent must be able to handle.

use std::fmt;

bitflags::bitflags! {
    /// Properties of a game that an agent must know how to handle.
    ///
    /// A game *has* features, an agent *handles* features; an agent may play a game if it handles all the features that
    /// the game has.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
    pub struct Features: u8 {
        /// Some state is a chance node: [`Turn::Chance`](crate::Turn::Chance).
        const CHANCE = 1;
        /// In some state several players act at once: [`Turn::Simultaneous`](crate::Turn::Simultaneous).
        const SIMULTANEOUS = 1 << 1;
        /// A player may act several times in a row (chance in between does not count).
        const MULTI_ACTION = 1 << 2;
        /// Payoffs do not add up to a constant. Games for one player have this.
        const GENERAL_SUM = 1 << 3;
        /// Three or more players.
        const MANY_PLAYERS = 1 << 4;
        /// Players do not see everything: the game offers [`Knowledge::perception`](crate::Knowledge::perception). An
        /// agent that handles it decides by the percepts of its player, not by the state.
        const HIDDEN = 1 << 5;
        /// Every feature except hidden information: what an agent can handle that looks at the whole state.
        const OPEN = Self::HIDDEN.bits() - 1;
    }
}

impl Features {
    /// The names of the features in the set as shown to users, in a fixed order.
    pub fn names(self) -> Vec<&'static str> {
        const NAMES: [(Features, &str); 6] = [
            (Features::CHANCE, "chance"),
            (Features::SIMULTANEOUS, "simultaneous"),
            (Features::MULTI_ACTION, "multi-action"),
            (Features::GENERAL_SUM, "general-sum"),
            (Features::MANY_PLAYERS, "many-players"),
            (Features::HIDDEN, "hidden-information"),
        ];
        NAMES.iter().filter(|(feature, _)| self.contains(*feature)).map(|(_, name)| *name).collect()
    }
}

impl fmt::Display for Features {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.names().join(", "))
    }
}

//! Players (seats) and sets of players.

use std::fmt;

/// A player: a seat number, counted from 0. Its name is in [`Spec::players`](crate::Spec).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Player(pub u8);

impl Player {
    /// The seat as an index into per-player arrays.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Debug for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "p{}", self.0)
    }
}

/// A set of players, iterated in seat order. At most [`Players::MAX`] seats.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Players(u32);

impl Players {
    /// The most seats a game may have.
    pub const MAX: usize = 32;

    /// The first `count` players.
    #[inline]
    pub const fn first(count: usize) -> Players {
        assert!(count <= Players::MAX);
        Players(((1u64 << count) - 1) as u32)
    }

    /// Both players of a game for two.
    pub const BOTH: Players = Players::first(2);

    /// The set with `player` added.
    #[inline]
    #[must_use]
    pub const fn with(self, player: Player) -> Players {
        Players(self.0 | 1 << player.0)
    }

    /// Whether `player` is in the set.
    #[inline]
    pub const fn contains(self, player: Player) -> bool {
        self.0 >> player.0 & 1 == 1
    }

    /// The number of players in the set.
    #[inline]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether the set is empty.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The index of `player` in a joint action of the set.
    #[inline]
    pub const fn rank(self, player: Player) -> usize {
        (self.0 & ((1u64 << player.0) - 1) as u32).count_ones() as usize
    }
}

impl Iterator for Players {
    type Item = Player;

    #[inline]
    fn next(&mut self) -> Option<Player> {
        if self.0 == 0 {
            return None;
        }
        let lowest = self.0.trailing_zeros() as u8;
        self.0 &= self.0 - 1;
        Some(Player(lowest))
    }
}

impl FromIterator<Player> for Players {
    fn from_iter<I: IntoIterator<Item = Player>>(players: I) -> Players {
        players.into_iter().fold(Players::default(), Players::with)
    }
}

impl fmt::Debug for Players {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_iterate_in_seat_order_and_know_ranks() {
        let set: Players = [Player(5), Player(0), Player(31)].into_iter().collect();
        assert_eq!(set.collect::<Vec<_>>(), [Player(0), Player(5), Player(31)]);
        assert_eq!((set.len(), set.rank(Player(0)), set.rank(Player(5)), set.rank(Player(31))), (3, 0, 1, 2));
        assert!(set.contains(Player(31)) && !set.contains(Player(1)));
        assert_eq!(Players::first(32).len(), 32);
        assert_eq!(Players::first(0), Players::default());
    }
}

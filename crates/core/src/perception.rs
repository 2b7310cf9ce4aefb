//! Perception: what each player learns from a step, in games with hidden information.

use crate::{Game, Player};

/// What a player perceives at one moment. Percepts of one game are equal exactly if the player cannot tell them apart.
///
/// The numbers mean something to the game alone: [`Perception::texts`] is the same for people.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Percept(pub Vec<u32>);

/// Says what each player perceives, for games in which players do not see everything.
///
/// A match is a sequence of *moments*. At each moment every player perceives something, perhaps nothing new. Between
/// two moments players choose and chance draws, in one step or in several. A player knows the rules, the number of
/// moments, its own percepts and, where it has a choice (two or more legal actions), these actions and which it took.
/// It knows nothing else: not who else acts, nor whether a step without a choice was its own.
///
/// Percepts are part of the state: what a player perceives depends on the state alone.
pub trait Perception<G: Game>: Send + Sync {
    /// The number of moments so far: 0 at the start. A step adds 1 or nothing.
    fn moment(&self, game: &G, state: &G::State) -> u32;

    /// What `player` perceived at the last moment. At moment 0, and while a step waits for chance, nothing.
    fn percept(&self, game: &G, state: &G::State, player: Player) -> Percept;

    /// The same as texts, sorted.
    fn texts(&self, game: &G, state: &G::State, player: Player) -> Vec<String>;
}

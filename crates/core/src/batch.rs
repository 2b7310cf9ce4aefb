//! Running many playouts at once, for games whose rules can execute them side by side.

use crate::{Game, Horizon, Policy, Rng, Uniform};

/// Runs uniform random playouts to the end of the match in batches.
///
/// Every mover picks uniformly among its legal actions; chance follows its probabilities.
///
/// A game offers one through [`Game::batch`] when a batch costs much less than the same playouts one by one, for
/// example when rules are evaluated in the bit lanes of machine words. Agents use it when they need only the payoffs of
/// playouts.
///
/// It may keep buffers but no state that affects results: equal starts and an equal generator give equal totals.
pub trait BatchPlayouts<G: Game>: Send {
    /// How many playouts run side by side.
    ///
    /// A smaller call costs about as much as a full one. A call with several times as many playouts keeps all lanes
    /// busy until the end.
    fn width(&self) -> usize;

    /// Plays out every state of `starts` `each` times and adds the payoffs to `totals[start * players + player]`.
    /// Returns the number of steps, including chance.
    ///
    /// A start that is already over counts as `each` playouts of zero steps. `totals` has one entry per player and
    /// start.
    fn run(&mut self, game: &G, starts: &[G::State], each: u32, rng: &mut Rng, totals: &mut [f64]) -> u64;
}

/// Runs a batch one playout at a time.
///
/// The reference implementation: every batch must have the same distribution of results. It is no faster than plain
/// playouts.
pub struct OneByOne<G: Game> {
    uniform: Uniform<G>,
}

impl<G: Game> Default for OneByOne<G> {
    fn default() -> Self {
        OneByOne { uniform: Uniform::default() }
    }
}

impl<G: Game> BatchPlayouts<G> for OneByOne<G> {
    fn width(&self) -> usize {
        1
    }

    fn run(&mut self, game: &G, starts: &[G::State], each: u32, rng: &mut Rng, totals: &mut [f64]) -> u64 {
        let players = game.spec().players.len();
        let mut steps = 0;
        for (start, totals) in starts.iter().zip(totals.chunks_exact_mut(players)) {
            for _ in 0..each {
                let mut state = start.clone();
                steps += u64::from(self.uniform.play_out(game, &mut state, rng, Horizon::END));
                for (player, total) in game.spec().seats().zip(&mut *totals) {
                    *total += game.payoff(&state, player);
                }
            }
        }
        steps
    }
}

//! Many playouts at once, for games whose rules can run them side by side.

use crate::{Game, Horizon, Policy, Rng, Uniform};

/// Runs uniform playouts to the end of the match in bulk: every mover takes each legal action equally likely, nature
/// follows its probabilities.
///
/// A game offers one through [`Game::batch`] when many playouts together cost much less than one after the other, such as
/// rules evaluated in the bit lanes of machine words. Agents use it where nothing but payoffs is asked of a playout.
///
/// It may keep buffers, never memory that changes what it does: equal starts and equal generator, equal totals.
pub trait BatchPlayouts<G: Game>: Send {
    /// How many playouts run side by side. Fewer in one call cost about as much; a call with several times as many
    /// keeps the lanes busy while the last playouts end.
    fn width(&self) -> usize;

    /// Plays every state of `starts` out `each` times and adds to `totals[start * players + player]` what the player got
    /// in all playouts from that start, as payoffs of the rules. Returns the steps made, chance included.
    ///
    /// A start that is over counts as `each` playouts without a step. `totals` has a place for each player of each start.
    fn run(&mut self, game: &G, starts: &[G::State], each: u32, rng: &mut Rng, totals: &mut [f64]) -> u64;
}

/// One playout after the other: what every batch must equal in distribution, and no faster than playing out plainly.
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

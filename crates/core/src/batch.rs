//! Running many playouts at once, for games whose rules can execute them side by side.

use std::collections::HashMap;

use crate::{Game, Horizon, Player, Policy, Rng, Turn, Uniform};

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

    /// The same playouts with the actions that players took in them; `None` if only payoffs are known.
    fn counting(&mut self) -> Option<&mut dyn CountingPlayouts<G>> {
        None
    }
}

/// Runs batches of playouts and counts the actions taken in them, for statistics of all moves as first (AMAF).
///
/// Offered through [`BatchPlayouts::counting`]. It makes sense for games whose actions mean the same in many states.
pub trait CountingPlayouts<G: Game> {
    /// Like [`BatchPlayouts::run`], with the same totals for the same generator. Appends what was taken to `taken`, in
    /// the order of the starts.
    ///
    /// An action counts where its player had two or more legal ones. It counts once per playout, however often it was
    /// taken. Each action of a player is listed at most once per start. An action on which nothing depends, such as
    /// one of several ways to pass, may be missing.
    fn run_counting(
        &mut self,
        game: &G,
        starts: &[G::State],
        each: u32,
        rng: &mut Rng,
        totals: &mut [f64],
        taken: &mut Vec<TakenAction<G::Action>>,
    ) -> u64;

    /// From now on each mover draws `draws` of its legal actions, uniformly and independently, and takes one with the
    /// highest score, whichever is easiest among equals. An action that is not in `scores` scores higher than all that
    /// are. A player without scores plays uniformly, and with one draw all do. Chance is not affected.
    ///
    /// This holds for counted playouts only: [`BatchPlayouts::run`] stays uniform.
    fn prefer(&mut self, game: &G, draws: u32, scores: &[(Player, G::Action, f32)]);
}

/// An action of a player in the playouts from one start of a batch.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TakenAction<A> {
    /// The index of the start.
    pub start: usize,
    /// Who took it.
    pub player: Player,
    /// The action.
    pub action: A,
    /// The number of playouts in which it was taken.
    pub playouts: u32,
    /// The sum of the player's payoffs over these playouts.
    pub total: f64,
}

/// Runs a batch one playout at a time.
///
/// The reference implementation: every batch must have the same distribution of results. It is no faster than plain
/// playouts.
pub struct OneByOne<G: Game> {
    uniform: Uniform<G>,
    draws: u32,
    scores: HashMap<(Player, G::Action), f32>,
}

impl<G: Game> Default for OneByOne<G> {
    fn default() -> Self {
        OneByOne { uniform: Uniform::default(), draws: 1, scores: HashMap::new() }
    }
}

impl<G: Game> OneByOne<G> {
    /// Draws an action of a mover in a counted playout.
    fn draw(
        &self,
        game: &G,
        state: &G::State,
        player: Player,
        rng: &mut Rng,
        scratch: &mut Vec<G::Action>,
    ) -> G::Action {
        let score = |action: G::Action| self.scores.get(&(player, action)).copied().unwrap_or(f32::INFINITY);
        let mut best = game.random_action(state, player, rng, scratch);
        for _ in 1..self.draws {
            let other = game.random_action(state, player, rng, scratch);
            if score(other) > score(best) {
                best = other;
            }
        }
        best
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

    fn counting(&mut self) -> Option<&mut dyn CountingPlayouts<G>> {
        Some(self)
    }
}

impl<G: Game> CountingPlayouts<G> for OneByOne<G> {
    fn run_counting(
        &mut self,
        game: &G,
        starts: &[G::State],
        each: u32,
        rng: &mut Rng,
        totals: &mut [f64],
        taken: &mut Vec<TakenAction<G::Action>>,
    ) -> u64 {
        let players = game.spec().players.len();
        let (mut legal, mut scratch, mut joint, mut chosen) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut steps = 0;
        for (index, (start, totals)) in starts.iter().zip(totals.chunks_exact_mut(players)).enumerate() {
            let mut places = HashMap::new();
            for _ in 0..each {
                let mut state = start.clone();
                chosen.clear();
                loop {
                    joint.clear();
                    match game.turn(&state) {
                        Turn::Over => break,
                        Turn::Chance => joint.push(game.random_outcome(&state, rng)),
                        turn => {
                            for player in turn.movers() {
                                let action = self.draw(game, &state, player, rng, &mut scratch);
                                joint.push(action);
                                legal.clear();
                                game.legal(&state, player, &mut legal);
                                if legal.len() > 1 && !chosen.contains(&(player, action)) {
                                    chosen.push((player, action));
                                }
                            }
                        }
                    }
                    game.apply(&mut state, &joint);
                    steps += 1;
                }
                for (player, total) in game.spec().seats().zip(&mut *totals) {
                    *total += game.payoff(&state, player);
                }
                for &(player, action) in &chosen {
                    let place = *places.entry((player, action)).or_insert_with(|| {
                        taken.push(TakenAction { start: index, player, action, playouts: 0, total: 0.0 });
                        taken.len() - 1
                    });
                    taken[place].playouts += 1;
                    taken[place].total += game.payoff(&state, player);
                }
            }
        }
        steps
    }
    fn prefer(&mut self, _: &G, draws: u32, scores: &[(Player, G::Action, f32)]) {
        self.draws = draws;
        self.scores.clear();
        self.scores.extend(scores.iter().map(|&(player, action, score)| ((player, action), score)));
    }
}

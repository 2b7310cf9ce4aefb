//! Self-play: matches of a network against itself, and the targets that TD(λ) takes from them.
//!
//! Covers games for one player, or for two with a constant sum; with chance, with turns of many actions, and with joint
//! moves. A player who acts alone chooses the action after which the expected share is greatest (one choice of
//! look-ahead, chance averaged). At a joint move the table of expected shares is solved ([`joint`](crate::joint)), and
//! both draw from their equilibrium strategies. Some choices are random, to see more of the game.
//!
//! The target of a state follows Sutton ("Learning to predict by the methods of temporal differences", 1988) with the
//! value of the look-ahead in place of the next state's, since it averages chance:
//!
//! ```text
//! target(t) = (1 − λ) · best(t) + λ · target(t + 1)      if the best action was played
//! target(t) = best(t)                                    if the action was random
//! ```
//!
//! `best(t)` is the greatest expected share among the actions of t, or the value of the table of a joint move; there,
//! drawing from the equilibrium counts as playing the best action. A state in which chance acts has the target of what
//! follows. A finished match has its payoff. Around joint moves neither player is nearer to acting, so a state is a
//! sample from both sides.

use std::ops::Deref;
use std::sync::Arc;

use tesuji_core::{
    Features, Game, InputError, Knowledge, Player, Rng, Turn, ValueFeatures, final_shares, mean_over_chance,
};

use crate::evaluation::{NetworkEvaluation, value_features};
use crate::joint::JointTable;
use crate::{Network, Samples};

/// How self-play leaves the best line, and how far targets look ahead.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Exploration {
    /// The probability of a random action.
    pub explore: f64,
    /// The first choices of a match are random: a number from 0 to this one, drawn for each match.
    pub opening: u32,
    /// λ: how much of a target comes from later in the match, 0 to 1.
    pub lambda: f64,
}

/// A game that a network can play against itself, whatever its type.
pub trait SelfPlay: Send + Sync {
    /// Plays one match and returns its states with their targets.
    fn play(&self, network: &Arc<Network>, exploration: &Exploration, seed: u64) -> Samples;
}

/// Self-play of one game, held by a pointer to it.
pub struct SelfPlayOf<P> {
    game: P,
}

/// Self-play of a game; refuses games without features and those that training does not cover.
pub fn self_play<P: Deref<Target: Knowledge>>(game: P) -> Result<SelfPlayOf<P>, InputError> {
    value_features(&*game)?;
    let spec = game.spec();
    let two = spec.players.len() == 2 && !spec.features.contains(Features::GENERAL_SUM);
    if spec.features.contains(Features::HIDDEN) || spec.players.len() != 1 && !two {
        return Err(InputError::new(format!("training does not cover `{}`", spec.name))
            .with_help("it covers games for one player, and for two with a constant sum, who see everything"));
    }
    Ok(SelfPlayOf { game })
}

impl<P: Deref<Target: Knowledge> + Send + Sync> SelfPlay for SelfPlayOf<P> {
    fn play(&self, network: &Arc<Network>, exploration: &Exploration, seed: u64) -> Samples {
        let Ok(features) = value_features(&*self.game) else { return Samples::default() };
        let evaluation = NetworkEvaluation::of(Arc::clone(network), &*self.game, features);
        let both = self.game.spec().features.contains(Features::SIMULTANEOUS);
        let mut table = Table {
            game: &*self.game,
            features,
            evaluation,
            both,
            actions: Vec::new(),
            outcomes: Vec::new(),
            joint: JointTable::new(),
        };
        table.play(exploration, &mut Rng::new(seed))
    }
}

/// What is known about a state of the match for its target, as the share of the first player.
struct Step {
    /// The best expected share, where a player chose.
    best: Option<f64>,
    /// Whether the action was the best one.
    greedy: bool,
    /// The players from whose sides the state is a sample.
    viewers: &'static [Player],
}

/// The sides of two players.
const SIDES: [Player; 2] = [Player(0), Player(1)];

/// A match of self-play.
struct Table<'a, G: Game> {
    game: &'a G,
    features: &'static dyn ValueFeatures<G>,
    evaluation: NetworkEvaluation<G>,
    /// Whether states are seen from both sides, unless one player acts alone.
    both: bool,
    actions: Vec<G::Action>,
    outcomes: Vec<(G::Action, f64)>,
    joint: JointTable<G>,
}

impl<G: Game> Table<'_, G> {
    fn play(&mut self, exploration: &Exploration, rng: &mut Rng) -> Samples {
        let (mut samples, mut steps) = (Samples::default(), Vec::new());
        let mut state = self.game.start();
        let mut opening = rng.below(exploration.opening as usize + 1);
        loop {
            match self.game.turn(&state) {
                Turn::Over => break,
                Turn::Chance => {
                    let covered = self.features.covers_chance();
                    let viewers = if covered { self.sample(&state, &mut samples) } else { &[] };
                    steps.push(Step { best: None, greedy: true, viewers });
                    let outcome = self.game.random_outcome(&state, rng);
                    self.game.apply(&mut state, &[outcome]);
                }
                Turn::Player(player) => {
                    let viewers = self.sample(&state, &mut samples);
                    let (best, value) = self.best(&state, player);
                    let random = opening > 0 || rng.chance(exploration.explore);
                    opening = opening.saturating_sub(1);
                    let drawn = if random { rng.below(self.actions.len()) } else { best };
                    let first = if player == Player(0) { value } else { 1.0 - value };
                    steps.push(Step { best: Some(first), greedy: drawn == best, viewers });
                    let action = self.actions[drawn];
                    self.game.apply(&mut state, &[action]);
                }
                Turn::Simultaneous(_) => {
                    let viewers = self.sample(&state, &mut samples);
                    let value = self.joint.solve(self.game, &state, &self.evaluation);
                    let random = SIDES.map(|_| opening > 0 || rng.chance(exploration.explore));
                    opening = opening.saturating_sub(1);
                    steps.push(Step { best: Some(value), greedy: random == [false; 2], viewers });
                    self.actions.clear();
                    self.joint.draw(random, rng, &mut self.actions);
                    self.game.apply(&mut state, &self.actions);
                }
            }
        }
        let mut shares = [0.0; 2];
        final_shares(self.game, &state, &mut shares);
        set_targets(&mut samples, &steps, shares[0], exploration.lambda);
        samples
    }

    /// Adds a state to the samples and returns from whose sides it is seen.
    fn sample(&self, state: &G::State, samples: &mut Samples) -> &'static [Player] {
        let viewers = match self.game.turn(state) {
            Turn::Chance | Turn::Simultaneous(_) if self.both => &SIDES[..],
            _ => std::slice::from_ref(&SIDES[self.features.viewer(self.game, state).index()]),
        };
        for &viewer in viewers {
            samples.push(|active| self.features.active(self.game, state, viewer, active));
        }
        viewers
    }

    /// Lists the actions of `player`; the index of the best one, and its expected share. The first of equals is best.
    fn best(&mut self, state: &G::State, player: Player) -> (usize, f64) {
        self.actions.clear();
        self.game.legal(state, player, &mut self.actions);
        let mut best = (0, f64::NEG_INFINITY);
        for index in 0..self.actions.len() {
            let mut next = state.clone();
            self.game.apply(&mut next, &[self.actions[index]]);
            let share = self.expected(&next, player);
            if share > best.1 {
                best = (index, share);
            }
        }
        best
    }

    /// The expected share of `player` when chance has acted.
    fn expected(&mut self, state: &G::State, player: Player) -> f64 {
        match self.game.turn(state) {
            Turn::Over => self.game.spec().normalise(self.game.payoff(state, player)),
            Turn::Chance if !self.features.covers_chance() => {
                let mut outcomes = std::mem::take(&mut self.outcomes);
                let mean = mean_over_chance(self.game, state, &mut outcomes, |next| self.expected(next, player));
                self.outcomes = outcomes;
                mean
            }
            _ => f64::from(self.evaluation.share(self.game, state, player)),
        }
    }
}

/// Computes the targets from the end of the match to its beginning. `result` is the first player's share.
fn set_targets(samples: &mut Samples, steps: &[Step], result: f64, lambda: f64) {
    let (mut target, mut sample) = (result, samples.len());
    for step in steps.iter().rev() {
        if let Some(best) = step.best {
            target = if step.greedy { (1.0 - lambda) * best + lambda * target } else { best };
        }
        for &viewer in step.viewers.iter().rev() {
            sample -= 1;
            samples.set_target(sample, if viewer == Player(0) { target } else { 1.0 - target } as f32);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_mix_the_look_ahead_with_the_result_until_a_random_action() {
        let mut samples = Samples::default();
        let step = |best: Option<f64>, greedy: bool, viewer: usize| Step {
            best,
            greedy,
            viewers: std::slice::from_ref(&SIDES[viewer]),
        };
        let steps =
            [step(Some(0.6), true, 0), step(Some(0.2), false, 1), step(None, true, 1), step(Some(0.8), true, 0)];
        steps.iter().for_each(|_| samples.push(|_| ()));
        set_targets(&mut samples, &steps, 1.0, 0.5);
        let targets: Vec<f32> = (0..4).map(|index| samples.get(index).1).collect();
        let last = 0.5 * 0.8 + 0.5;
        // The chance state has what follows, seen by the second player; the random action cuts the trace.
        let expected = [0.5 * 0.6 + 0.5 * 0.2, 1.0 - 0.2, 1.0 - last, last];
        assert!(
            targets.iter().zip(expected).all(|(&found, expected)| (f64::from(found) - expected).abs() < 1e-6),
            "{targets:?}"
        );
    }
}

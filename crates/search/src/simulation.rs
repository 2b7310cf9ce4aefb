//! What happens below the last known node: play on by a policy, then say what everybody got.

use tesuji_core::{Evaluation, Game, Horizon, Policy, Rng, Turn, Uniform};

use crate::arithmetic::logistic;

/// How a state is judged by playing on from it.
pub struct Simulation<G: Game> {
    /// Who plays on.
    pub policy: Box<dyn Policy<G>>,
    /// How far.
    pub horizon: Horizon,
    /// Judges the state where the horizon cuts play short. Without one, everybody is taken to get the middle of the
    /// payoff range.
    pub evaluation: Option<Box<dyn Evaluation<G>>>,
    /// The distance on the evaluation's own scale that carries a share from 1/2 to 1/(1+1/e) = 0.73: shares are
    /// logistic(evaluation / scale).
    pub scale: f64,
}

impl<G: Game + 'static> Default for Simulation<G> {
    /// Uniform play to the end of the match.
    fn default() -> Self {
        Simulation { policy: Box::new(Uniform::default()), horizon: Horizon::END, evaluation: None, scale: 1.0 }
    }
}

impl<G: Game> Simulation<G> {
    /// Plays on from `state`, writes each player's share of the payoff range into `shares`, and returns the steps made.
    #[inline]
    pub(crate) fn run(&mut self, game: &G, state: &mut G::State, rng: &mut Rng, shares: &mut [f64]) -> u32 {
        let steps = self.policy.play_out(game, state, rng, self.horizon);
        if game.turn(state) == Turn::Over {
            final_shares(game, state, shares);
            return steps;
        }
        for (player, share) in game.spec().seats().zip(shares) {
            *share = match &self.evaluation {
                Some(evaluation) => logistic(evaluation.value(game, state, player) / self.scale),
                None => 0.5,
            };
        }
        steps
    }
}

/// Each player's share of the payoff range, in a state that is over.
#[inline]
pub(crate) fn final_shares<G: Game>(game: &G, state: &G::State, shares: &mut [f64]) {
    let spec = game.spec();
    for (player, share) in spec.seats().zip(shares) {
        *share = spec.normalise(game.payoff(state, player));
    }
}

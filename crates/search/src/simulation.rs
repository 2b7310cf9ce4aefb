//! Simulation: plays on from a leaf by a policy, then returns each player's share.

use tesuji_core::{BatchPlayouts, Evaluation, Game, Horizon, Policy, Rng, Tactics, Turn, Uniform, final_shares};

use crate::arithmetic::logistic;
use crate::learning::{BatchLearner, Learner};
use crate::{Budget, Seat};

/// How a state is evaluated by playouts.
pub struct Simulation<G: Game> {
    /// The playout policy.
    pub policy: Box<dyn Policy<G>>,
    /// The length of playouts.
    pub horizon: Horizon,
    /// Evaluates the state where the horizon cuts a playout. Without one, every player gets the middle of the payoff
    /// range.
    pub evaluation: Option<Box<dyn Evaluation<G>>>,
    /// The distance on the evaluation's scale that raises a share from 1/2 to 1/(1+1/e) = 0.73: shares are
    /// logistic(evaluation / scale). Not used if values are shares already.
    pub scale: f64,
    /// Learns from playouts and guides later ones.
    pub learner: Option<Learner<G>>,
    /// Runs many such playouts at once; only with the uniform policy, to the end of the match, and without learning.
    pub batch: Option<Batch<G>>,
    /// Counts a match that a limit ended as even, whatever its payoff; it must not be combined with batches.
    pub even_at_limit: Option<&'static dyn Tactics<G>>,
}

/// Batched playouts, and their number.
pub struct Batch<G: Game> {
    /// Runs the playouts.
    pub playouts: Box<dyn BatchPlayouts<G>>,
    /// States played out in one call of a tree search; `None`: as many as keep the lanes busy.
    pub leaves: Option<u32>,
    /// Playouts from each of them.
    pub each: u32,
    /// Makes playouts prefer what paid in earlier ones; only for batches that count actions, in a tree search.
    pub learner: Option<BatchLearner<G>>,
}

/// Playouts per lane in one call: lanes whose playouts end early are refilled until few are left.
const ROUNDS: usize = 4;

/// Playouts from each leaf of a tree search.
pub(crate) const PLAYOUTS_EACH: u32 = 8;

impl<G: Game> Batch<G> {
    /// Batches of the default size.
    pub fn new(playouts: Box<dyn BatchPlayouts<G>>) -> Batch<G> {
        Batch { playouts, leaves: None, each: PLAYOUTS_EACH, learner: None }
    }

    /// The number of leaves that a tree search collects for one call.
    pub(crate) fn leaves(&self) -> u32 {
        let busy = (ROUNDS * self.playouts.width()).div_ceil(self.each as usize) as u32;
        self.leaves.unwrap_or(busy).max(1)
    }

    /// The number of playouts of each action in one call of a flat search.
    pub(crate) fn of_each(&self, actions: usize) -> u32 {
        (ROUNDS * self.playouts.width()).div_ceil(actions).max(1) as u32
    }
}

impl<G: Game + 'static> Default for Simulation<G> {
    /// Uniform random playouts to the end of the match.
    fn default() -> Self {
        Simulation {
            policy: Box::new(Uniform::default()),
            horizon: Horizon::END,
            evaluation: None,
            scale: 1.0,
            learner: None,
            batch: None,
            even_at_limit: None,
        }
    }
}

impl<G: Game> Simulation<G> {
    /// Called when a new match begins: forgets what was learned.
    pub(crate) fn begin(&mut self) {
        if let Some(learner) = &mut self.learner {
            learner.forget();
        }
        if let Some(learner) = self.batch_learner() {
            learner.forget();
        }
    }

    /// Called when thinking begins at `seat`.
    pub(crate) fn follow(&mut self, seat: &Seat<'_, G>, prepared: bool) {
        if let Some(learner) = &mut self.learner {
            learner.follow(seat, prepared);
        }
        if let Some(learner) = self.batch_learner() {
            learner.follow(seat, prepared);
        }
    }

    /// Starts a playout at `state`.
    #[inline]
    pub(crate) fn start(&mut self, game: &G, state: &G::State) {
        if let Some(learner) = &mut self.learner {
            learner.start(game, state);
        }
    }

    /// Records a step above the state that is to be evaluated.
    #[inline]
    pub(crate) fn note(&mut self, turn: Turn, joint: &[G::Action], state: &G::State) {
        if let Some(learner) = &mut self.learner {
            learner.note(turn, joint, state);
        }
    }

    /// Records the final shares of a playout.
    #[inline]
    pub(crate) fn observe(&mut self, shares: &[f64]) {
        if let Some(learner) = &mut self.learner {
            learner.observe(shares);
        }
    }

    /// Writes each player's share where the match is over.
    #[inline]
    pub(crate) fn end(&self, game: &G, state: &G::State, shares: &mut [f64]) {
        match self.even_at_limit {
            Some(tactics) if tactics.ended_by_limit(game, state) => shares.fill(0.5),
            _ => final_shares(game, state, shares),
        }
    }

    /// Plays on from `state`, writes each player's share of the payoff range into `shares`, and returns the number of
    /// steps.
    #[inline]
    pub(crate) fn run(&mut self, game: &G, state: &mut G::State, rng: &mut Rng, shares: &mut [f64]) -> u32 {
        let steps = match &mut self.learner {
            None => self.policy.play_out(game, state, rng, self.horizon),
            Some(learner) => learner.play_out(game, state, &mut *self.policy, rng, self.horizon),
        };
        if game.turn(state) == Turn::Over {
            self.end(game, state, shares);
            return steps;
        }
        let calibrated = self.evaluation.as_ref().filter(|evaluation| evaluation.is_share());
        if let Some(evaluation) = calibrated {
            // A learned evaluation may not describe states in which chance acts.
            while !evaluation.covers_chance() && game.turn(state) == Turn::Chance {
                let outcome = game.random_outcome(state, rng);
                game.apply(state, &[outcome]);
            }
            if game.turn(state) == Turn::Over {
                self.end(game, state, shares);
                return steps;
            }
            for (player, share) in game.spec().seats().zip(shares) {
                *share = evaluation.value(game, state, player);
            }
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

    /// Whether playouts may run in batches. Only if nothing but time is limited: a number of playouts is met exactly,
    /// one by one.
    pub(crate) fn runs_in_batches(&self, budget: &Budget) -> bool {
        self.batch.is_some() && matches!(budget, Budget { playouts: None, nodes: None, time: Some(_) })
    }

    /// What makes batches prefer what paid.
    fn batch_learner(&mut self) -> Option<&mut BatchLearner<G>> {
        if G::BATCHES { self.batch.as_mut()?.learner.as_mut() } else { None }
    }

    /// Whether batches prefer what paid.
    pub(crate) fn learns_in_batches(&self) -> bool {
        self.batch.as_ref().is_some_and(|batch| batch.learner.is_some())
    }

    /// Whether batches count the actions of their playouts.
    pub(crate) fn counts_actions(&mut self) -> bool {
        self.batch.as_mut().is_some_and(|batch| batch.playouts.counting().is_some())
    }
}

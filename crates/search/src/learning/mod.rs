//! Playouts that learn: what paid in earlier playouts of the match is played more often in later ones.
//!
//! A [`Policy`] has no memory; a [`Learner`] does. It observes every playout from the root of the search to its end,
//! including the part inside the tree, and adds each player's share to the means of its choices. There are three ways
//! to identify a choice (paper 001, §4.1 and §5):
//! - *MAST* (Finnsson and Björnsson, 2008): the action alone. This is NST with sequences of length 1.
//! - *NST* (Tak, Winands and Björnsson, 2012): the action, and the action after the preceding one or two steps
//!   (`grams`).
//! - *pairs of consecutive states*, proposed in the outlook of paper 001 (`pairs`).
//!
//! Each player has its own means of its own share. They cover every class of game: payoffs need not have a constant
//! sum, and players may act several times in a row or at once. Chance is never guided. Between two decisions of a match
//! all visits are multiplied by a decay; a new match starts with nothing.

mod grams;
mod in_batches;
mod means;
mod pairs;
mod playout_selection;
#[cfg(test)]
mod tests;
pub(crate) mod trace;

use tesuji_core::{Game, Horizon, Player, Policy, Rng, Turn, Walker, walk};

pub(crate) use grams::LONGEST_GRAM;
pub use grams::{GramHistory, Grams};
pub use in_batches::BatchLearner;
pub use pairs::StatePairs;
pub use playout_selection::PlayoutSelection;

use crate::Seat;
use crate::standpoint::Standpoint;
use grams::Contexts;
use means::Means;
use playout_selection::Chooser;
use trace::Trace;

/// How playouts learn.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Learning {
    /// What is remembered.
    pub method: Method,
    /// How an action is chosen by its score.
    pub selection: PlayoutSelection,
    /// The score of what was never seen, as a share. The literature's 1 tries everything once.
    pub unseen: f32,
    /// The factor by which all visits are multiplied at the next decision of a match.
    pub decay: f64,
}

/// What is remembered.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Method {
    /// Actions and sequences of actions.
    Grams(Grams),
    /// Pairs of consecutive states.
    Pairs(StatePairs),
}

/// The memory of a search's playouts, and the playouts that use it.
pub struct Learner<G: Game> {
    /// `None`: playouts are traced but nothing is learned.
    learning: Option<Learning>,
    trace: Trace<G::Action>,
    means: Means,
    contexts: Contexts,
    chooser: Chooser,
    /// The hash of the current state, if pairs of states are remembered.
    state_hash: u64,
    standpoint: Option<Standpoint<G>>,
    actions: Vec<G::Action>,
    scores: Vec<f32>,
    joint: Vec<G::Action>,
}

impl<G: Game> Learner<G> {
    /// A learner without experience.
    pub fn new(learning: Learning) -> Learner<G> {
        Learner::with(Some(learning))
    }

    /// A learner that only traces playouts, for others to learn from.
    pub(crate) fn tracing() -> Learner<G> {
        Learner::with(None)
    }

    /// Whether it learns nothing itself.
    pub(crate) fn only_traces(&self) -> bool {
        self.learning.is_none()
    }

    fn with(learning: Option<Learning>) -> Learner<G> {
        Learner {
            learning,
            trace: Trace::default(),
            means: Means::default(),
            contexts: Contexts::default(),
            chooser: Chooser::new(
                learning.map_or(PlayoutSelection::Greedy { epsilon: 1.0 }, |learning| learning.selection),
            ),
            state_hash: 0,
            standpoint: None,
            actions: Vec::new(),
            scores: Vec::new(),
            joint: Vec::new(),
        }
    }

    /// Forgets everything.
    pub(crate) fn forget(&mut self) {
        self.means.clear();
        self.standpoint = None;
    }

    /// Called when thinking begins at `seat`: what was learned earlier in the match decays, and what belongs to another
    /// match is forgotten.
    pub(crate) fn follow(&mut self, seat: &Seat<'_, G>, prepared: bool) {
        let Some(learning) = self.learning else { return };
        match &self.standpoint {
            Some(before) if before.leads_to(seat) => {
                if seat.history.len() > before.steps {
                    self.means.decay(learning.decay);
                }
            }
            _ => self.means.clear(),
        }
        self.standpoint = Some(Standpoint::of(seat, prepared));
    }

    /// Starts a playout at `state`.
    #[inline]
    pub(crate) fn start(&mut self, game: &G, state: &G::State) {
        self.trace.clear();
        match self.learning.map(|learning| learning.method) {
            Some(Method::Grams(grams)) => self.contexts.clear(grams, game.spec().players.len()),
            Some(Method::Pairs(_)) => self.state_hash = trace::hash_of(state),
            None => {}
        }
    }

    /// Records a step of any actor.
    #[inline]
    pub(crate) fn note(&mut self, turn: Turn, joint: &[G::Action], state: &G::State) {
        match self.learning.map(|learning| learning.method) {
            Some(Method::Grams(grams)) => {
                self.trace.push(turn, joint, 0);
                self.contexts.step(grams, &self.trace, self.trace.steps.len() - 1);
            }
            Some(Method::Pairs(_)) => {
                let reached = trace::hash_of(state);
                self.trace.push(turn, joint, trace::join(self.state_hash, reached));
                self.state_hash = reached;
            }
            None => self.trace.push(turn, joint, 0),
        }
    }

    /// Plays on from `state` by what was learned, and by `policy` where nothing guides.
    pub(crate) fn play_out(
        &mut self,
        game: &G,
        state: &mut G::State,
        policy: &mut dyn Policy<G>,
        rng: &mut Rng,
        horizon: Horizon,
    ) -> u32 {
        let mut joint = std::mem::take(&mut self.joint);
        let steps = walk(game, state, rng, horizon, &mut joint, &mut Guided { learner: self, game, policy });
        self.joint = joint;
        steps
    }

    /// Records the final shares of a playout.
    #[inline]
    pub(crate) fn observe(&mut self, shares: &[f64]) {
        let Learner { learning, trace, means, contexts, .. } = self;
        match learning.map(|learning| learning.method) {
            Some(Method::Grams(grams)) => grams.observe(trace, shares, contexts, means),
            Some(Method::Pairs(pairs)) => pairs.observe(trace, shares, means),
            None => {}
        }
    }

    /// The trace of the current playout.
    pub(crate) fn trace(&self) -> &Trace<G::Action> {
        &self.trace
    }

    fn pick(
        &mut self,
        game: &G,
        state: &G::State,
        player: Player,
        policy: &mut dyn Policy<G>,
        rng: &mut Rng,
    ) -> G::Action {
        let Learner { learning: Some(learning), means, contexts, chooser, actions, scores, state_hash, .. } = self
        else {
            return policy.pick(game, state, player, rng);
        };
        if chooser.strays(rng) {
            return policy.pick(game, state, player, rng);
        }
        actions.clear();
        scores.clear();
        game.legal(state, player, actions);
        if let [only] = actions[..] {
            return only;
        }
        match learning.method {
            Method::Grams(grams) => {
                let context = contexts.of(grams, player);
                scores.extend(actions.iter().map(|action| {
                    grams.score(means, context, trace::choice_key(player, action)).unwrap_or(learning.unseen)
                }));
            }
            Method::Pairs(pairs) => {
                // At a joint move no single player determines the next state.
                if !matches!(game.turn(state), Turn::Player(_)) {
                    return policy.pick(game, state, player, rng);
                }
                pairs.sample(actions, rng);
                for &action in actions.iter() {
                    let mut next = state.clone();
                    game.apply(&mut next, &[action]);
                    let (visits, mean) = means.get(trace::join(*state_hash, trace::hash_of(&next)));
                    scores.push(if visits == 0 { learning.unseen } else { mean });
                }
            }
        }
        actions[chooser.choose(scores, rng)]
    }
}

/// Plays a playout and records it.
struct Guided<'a, G: Game> {
    learner: &'a mut Learner<G>,
    game: &'a G,
    policy: &'a mut dyn Policy<G>,
}

impl<G: Game> Walker<G> for Guided<'_, G> {
    #[inline]
    fn pick(&mut self, state: &G::State, player: Player, rng: &mut Rng) -> G::Action {
        self.learner.pick(self.game, state, player, self.policy, rng)
    }

    #[inline]
    fn stepped(&mut self, turn: Turn, joint: &[G::Action], state: &G::State) {
        self.learner.note(turn, joint, state);
    }
}

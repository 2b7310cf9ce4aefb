//! Playouts that learn: what paid in earlier playouts of the match is played more often in later ones.
//!
//! A [`Policy`] keeps no memory; a [`Learner`] does. It watches every playout from the root of the search to its end, the
//! part inside the tree included, and adds what each player got to the means of what it chose. Three ways to say what was
//! chosen (paper 001, §4.1 and §5):
//! - *MAST* (Finnsson and Björnsson, 2008): the action alone. It is the next with the longest gram 1.
//! - *NST* (Tak, Winands and Björnsson, 2012): the action, and the action after what was done in the one or two steps
//!   before (`grams`).
//! - *pairs of consecutive states*, which paper 001 proposes in its outlook (`pairs`).
//!
//! Each player has means of its own, of its own share. They cover every class of game: payoffs need not add up, players
//! may act several times running or at once. Nature is never guided. Between two decisions of a match all visits are
//! multiplied by a decay; a new match begins with nothing.

mod grams;
mod means;
mod pairs;
mod playout_selection;
#[cfg(test)]
mod tests;
pub(crate) mod trace;

use tesuji_core::{Game, Horizon, Player, Policy, Rng, Turn, Walker, walk};

pub(crate) use grams::LONGEST_GRAM;
pub use grams::{GramHistory, Grams};
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
    /// How an action is chosen by what is remembered.
    pub selection: PlayoutSelection,
    /// The score of what was never seen, as a share. The literature's 1 tries everything once.
    pub unseen: f32,
    /// What is left of all visits at the next decision of a match.
    pub decay: f64,
}

/// What is remembered.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Method {
    /// Actions and runs of actions.
    Grams(Grams),
    /// Pairs of consecutive states.
    Pairs(StatePairs),
}

/// The memory of a search's playouts, and the playouts that use it.
pub struct Learner<G: Game> {
    /// `None`: playouts are traced but teach nothing.
    learning: Option<Learning>,
    trace: Trace<G::Action>,
    means: Means,
    contexts: Contexts,
    chooser: Chooser,
    /// The hash of the state that was reached, where pairs of states are remembered.
    state_hash: u64,
    standpoint: Option<Standpoint<G>>,
    actions: Vec<G::Action>,
    scores: Vec<f32>,
    joint: Vec<G::Action>,
}

impl<G: Game> Learner<G> {
    /// A learner that knows nothing yet.
    pub fn new(learning: Learning) -> Learner<G> {
        Learner::with(Some(learning))
    }

    /// One who follows playouts for others to learn from.
    pub(crate) fn tracing() -> Learner<G> {
        Learner::with(None)
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

    /// Thinking begins at `seat`: what was learnt earlier in the match fades, what belongs to no earlier state of this match
    /// is forgotten.
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

    /// A playout begins at `state`.
    #[inline]
    pub(crate) fn start(&mut self, game: &G, state: &G::State) {
        self.trace.clear();
        match self.learning.map(|learning| learning.method) {
            Some(Method::Grams(grams)) => self.contexts.clear(grams, game.spec().players.len()),
            Some(Method::Pairs(_)) => self.state_hash = trace::hash_of(state),
            None => {}
        }
    }

    /// A step was made, whoever chose it.
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

    /// Plays on from `state` by what was learnt, and by `policy` where nothing guides.
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

    /// The playout has ended with these shares.
    #[inline]
    pub(crate) fn observe(&mut self, shares: &[f64]) {
        let Learner { learning, trace, means, contexts, .. } = self;
        match learning.map(|learning| learning.method) {
            Some(Method::Grams(grams)) => grams.observe(trace, shares, contexts, means),
            Some(Method::Pairs(pairs)) => pairs.observe(trace, shares, means),
            None => {}
        }
    }

    /// What happened in the playout so far.
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
                // At a joint move the next state is not one player's to choose.
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

/// Walks a playout and takes notes.
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

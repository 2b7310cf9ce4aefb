//! Guided search: a tree search whose evaluations and priors come from outside, in batches.
//!
//! The selection is PUCT (Rosin, "Multi-armed bandits with episode context", 2011, in the form of AlphaZero): the
//! action with the greatest Q + c·P·√N / (1 + n), where Q is its mean value, P its prior, n its visits and N those of
//! its node. An action that was never tried has the mean value of its node as Q.
//!
//! Evaluating one state at a time would waste a function that is fast on many states at once, such as a network. So
//! leaves are collected until a batch is full. Until their values are known they count as lost (*virtual loss*), which
//! leads the next descent elsewhere.
//!
//! Chance is sampled. Values are kept by player, so turns may have many actions and payoffs need no constant sum.
//! Simultaneous moves are not covered.

#[cfg(test)]
mod tests;
mod tree;

use std::sync::Arc;

use tesuji_core::{
    ActionIndex, Features, Game, Horizon, Observation, Player, Policy, Rng, Spec, Turn, Uniform, action_count,
};

use crate::final_choice::forced;
use crate::pace::Pace;
use crate::{Agent, Budget, Candidate, Decision, Failure, Seat, Thought};
use tree::{Leaf, Tree};

/// Evaluates states from outside, many at once.
pub trait Advisor: Send + Sync {
    /// Whether it gives values. If not, leaves are played out at random.
    fn gives_values(&self) -> bool;

    /// Whether it gives priors. If not, all actions are equally likely beforehand.
    fn gives_priors(&self) -> bool;

    /// Answers a question. An error ends the search; its text says what was wrong.
    fn advise(&self, question: &Question<'_>) -> Result<Advice, String>;
}

/// States to be evaluated.
pub struct Question<'a> {
    /// The number of states.
    pub count: usize,
    /// The shape of one observation.
    pub shape: &'a [usize],
    /// By state: what its viewer sees.
    pub observations: &'a [f32],
    /// By state: the viewer.
    pub players: &'a [i32],
    /// The number of different actions.
    pub actions: usize,
    /// By state and action: is it legal for the viewer?
    pub masks: &'a [bool],
}

/// The answer to a question; each part may be empty if it is not given.
#[derive(Clone, Debug, Default)]
pub struct Advice {
    /// By state: the payoff that its viewer can expect.
    pub values: Vec<f64>,
    /// By state and action: how likely the viewer should play it. Only legal actions count, in proportion.
    pub priors: Vec<f32>,
}

/// Settings of a guided search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct GuidedSettings {
    /// The most leaves of a batch.
    pub batch: usize,
    /// The exploration constant c.
    pub exploration: f64,
    /// Its own budget, in evaluated leaves; if it sets no limit, the seat's budget applies.
    pub budget: Budget,
}

/// The agent `guided`.
pub struct Guided<G: Game> {
    settings: GuidedSettings,
    advisor: Arc<dyn Advisor>,
    index: &'static dyn ActionIndex<G>,
    observation: &'static dyn Observation<G>,
    uniform: Uniform<G>,
    shape: Vec<usize>,
    /// The number of different actions.
    actions: usize,
}

impl<G: Game> Guided<G> {
    /// A search guided by `advisor`, in a game with these numbers.
    pub fn new(
        game: &G,
        settings: GuidedSettings,
        advisor: Arc<dyn Advisor>,
        index: &'static dyn ActionIndex<G>,
        observation: &'static dyn Observation<G>,
    ) -> Guided<G> {
        let (shape, actions) = (observation.layout(game).shape(), action_count(&index.fields(game)) as usize);
        Guided { settings, advisor, index, observation, uniform: Uniform::default(), shape, actions }
    }

    /// Evaluates leaves and adds what was learned to the tree.
    fn evaluate(&mut self, game: &G, tree: &mut Tree<G>, leaves: Vec<Leaf>, rng: &mut Rng) -> Result<(), Failure> {
        let spec = game.spec();
        let players = spec.players.len();
        // In a game for two with a constant sum, the value of one player gives that of the other.
        let views = if players == 2 && !spec.features.contains(Features::GENERAL_SUM) { 1 } else { players };
        let advice = self.ask(game, tree, &leaves, views)?;
        let actions = self.actions;
        for (place, leaf) in leaves.into_iter().enumerate() {
            let node = tree.node(leaf.node);
            let mover = mover(game, &node.state);
            let mut shares = vec![0.0; players];
            if self.advisor.gives_values() {
                let values = &advice.values[place * views..][..views];
                if views == 1 {
                    let share = spec.normalise(values[0]).clamp(0.0, 1.0);
                    shares.fill(1.0 - share);
                    shares[mover.index()] = share;
                } else {
                    shares.iter_mut().zip(values).for_each(|(share, &v)| *share = spec.normalise(v).clamp(0.0, 1.0));
                }
            } else {
                let mut state = node.state.clone();
                self.uniform.play_out(game, &mut state, rng, Horizon::END);
                tesuji_core::final_shares(game, &state, &mut shares);
            }
            let mut legal = (Vec::new(), Vec::new());
            self.index.legal(game, &node.state, mover, &mut legal.0, &mut legal.1);
            let (legal, numbers) = legal;
            // The mover's view is the first of a leaf if there is one view, else its own.
            let row = place * views + if views == 1 { 0 } else { mover.index() };
            let prior = |number: &u32| match self.advisor.gives_priors() {
                true => f64::from(advice.priors[row * actions + *number as usize]).max(0.0),
                false => 1.0,
            };
            let weights: Vec<f64> = numbers.iter().map(prior).collect();
            tree.expand(&leaf, mover, &legal, &weights, &shares);
        }
        Ok(())
    }

    /// Puts the leaves to the advisor and checks its answer.
    fn ask(&self, game: &G, tree: &Tree<G>, leaves: &[Leaf], views: usize) -> Result<Advice, Failure> {
        if !self.advisor.gives_values() && !self.advisor.gives_priors() {
            return Ok(Advice::default());
        }
        let (actions, size) = (self.actions, self.shape.iter().product::<usize>());
        let count = leaves.len() * views;
        let (mut observations, mut masks) = (vec![0.0; count * size], vec![false; count * actions]);
        let (mut viewers, mut buffers) = (vec![0; count], (Vec::new(), Vec::new()));
        for row in 0..count {
            let state = &tree.node(leaves[row / views].node).state;
            let mover = mover(game, state);
            let viewer = if views == 1 { mover } else { Player((row % views) as u8) };
            viewers[row] = i32::from(viewer.0);
            self.observation.fill(game, state, viewer, &mut observations[row * size..][..size]);
            if viewer == mover {
                self.index.legal(game, state, viewer, &mut buffers.0, &mut buffers.1);
                buffers.1.iter().for_each(|&number| masks[row * actions + number as usize] = true);
            }
        }
        let question = Question {
            count,
            shape: &self.shape,
            observations: &observations,
            players: &viewers,
            actions,
            masks: &masks,
        };
        let advice = self.advisor.advise(&question).map_err(Failure::Broken)?;
        let wrong = |what: &str, given: usize, expected: usize| {
            Failure::Broken(format!("{given} {what} were given, expected {expected}"))
        };
        let (values, priors) = (advice.values.len(), advice.priors.len());
        if self.advisor.gives_values() && values != count {
            return Err(wrong("values", values, count));
        }
        if self.advisor.gives_priors() && priors != count * actions {
            return Err(wrong("probabilities", priors, count * actions));
        }
        if advice.values.iter().any(|value| !value.is_finite()) {
            return Err(Failure::Broken("a value is not a finite number".to_owned()));
        }
        if advice.priors.iter().any(|prior| !prior.is_finite() || *prior < 0.0) {
            return Err(Failure::Broken("a probability is negative or not a finite number".to_owned()));
        }
        Ok(advice)
    }
}

/// The player who acts in a state of a game without simultaneous moves.
fn mover<G: Game>(game: &G, state: &G::State) -> Player {
    match game.turn(state) {
        Turn::Player(player) => player,
        turn => turn.movers().next().unwrap_or(Player(0)),
    }
}

impl<G: Game> Agent<G> for Guided<G> {
    fn choose(
        &mut self,
        mut seat: Seat<'_, G>,
        budget: &Budget,
        rng: &mut Rng,
    ) -> Result<Decision<G::Action>, Failure> {
        let (game, player) = (seat.game, seat.player);
        let mut actions = Vec::new();
        game.legal(seat.state, player, &mut actions);
        if let [only] = actions[..] {
            return Ok(forced(only));
        }
        let budget = if self.settings.budget.is_limited() { self.settings.budget } else { *budget };
        let mut pace = Pace::start(budget);
        let mut tree = Tree::new(seat.state.clone(), self.settings.exploration);
        let mut playouts = 0u64;
        let mut watcher = seat.watcher.take();
        while pace
            .allows(playouts, tree.len(), &mut watcher, |time| thought(game.spec(), &tree, player, playouts, time))
        {
            let granted = budget.playouts.map_or(u64::MAX, |limit| limit - playouts);
            let most = (self.settings.batch as u64).min(granted).max(1);
            let mut leaves: Vec<Leaf> = Vec::new();
            let mut found = 0;
            while found < most {
                let leaf = tree.descend(game, rng);
                found += 1;
                if leaf.over {
                    tree.finish(game, &leaf);
                } else if leaves.iter().any(|other| other.node == leaf.node) {
                    // The same leaf twice: its value is not known yet, so the batch ends here.
                    tree.abandon(&leaf);
                    found -= 1;
                    break;
                } else {
                    leaves.push(leaf);
                    if tree.is_bare() {
                        break;
                    }
                }
            }
            if !leaves.is_empty() {
                self.evaluate(game, &mut tree, leaves, rng)?;
            }
            playouts += found.max(1);
        }
        let mut thought = thought(game.spec(), &tree, player, playouts, pace.elapsed());
        thought.limit = pace.limit();
        let Some(best) = thought.candidates.first().cloned() else {
            return Ok(forced(actions[0]));
        };
        let policy = thought.candidates.iter().map(|candidate| (candidate.action, candidate.probability)).collect();
        Ok(Decision { action: best.action, policy, value: best.value, thought })
    }
}

/// What the search has found so far.
fn thought<G: Game>(
    spec: &Spec,
    tree: &Tree<G>,
    player: Player,
    playouts: u64,
    time: std::time::Duration,
) -> Thought<G::Action> {
    let root = tree.node(0);
    let total: u64 = root.edges.iter().map(|edge| edge.visits).sum();
    let mut candidates: Vec<Candidate<G::Action>> = root
        .edges
        .iter()
        .map(|edge| Candidate {
            action: edge.action,
            visits: edge.visits,
            value: (edge.visits > 0).then(|| spec.denormalise(edge.totals[player.index()] / edge.visits as f64)),
            prior: Some(edge.prior),
            probability: if total > 0 { edge.visits as f64 / total as f64 } else { 1.0 / root.edges.len() as f64 },
        })
        .collect();
    candidates.sort_by(|one, two| {
        let key = |candidate: &Candidate<G::Action>| (candidate.visits, candidate.value.unwrap_or(f64::MIN));
        key(two).partial_cmp(&key(one)).unwrap_or(std::cmp::Ordering::Equal)
    });
    Thought {
        candidates,
        line: tree.line(),
        depth: tree.depth(),
        nodes: tree.len(),
        playouts,
        time,
        ..Thought::default()
    }
}

//! The rules of one game.

use std::fmt::Debug;
use std::hash::Hash;

use crate::{Actor, BatchPlayouts, Features, Player, Rng, Spec, Turn};

/// The rules of one game: immutable, self-contained and shared by all threads.
///
/// States are copied, never undone. Copying costs at most a fifth more than undoing, even in the case most favourable
/// to undo; and undo would double the code that must be correct.
///
/// `legal`, `chance`, `apply` and `payoff` may assume that the state comes from this game and that actions are legal in
/// it. [`step`] is the checked version.
///
/// ```
/// use tesuji_core::{Drawing, Features, Game, Knowledge, Notation, Player, Spec, Turn, laws};
///
/// /// Two players take 1 to 3 from a heap in turn; the player who takes the last one wins.
/// struct Nim(Spec);
///
/// impl Game for Nim {
///     /// What is left, and who acts.
///     type State = (u8, u8);
///     type Action = u8;
///
///     fn spec(&self) -> &Spec {
///         &self.0
///     }
///
///     fn start(&self) -> (u8, u8) {
///         (7, 0)
///     }
///
///     fn turn(&self, &(heap, mover): &(u8, u8)) -> Turn {
///         if heap == 0 { Turn::Over } else { Turn::Player(Player(mover)) }
///     }
///
///     fn legal(&self, &(heap, _): &(u8, u8), _: Player, out: &mut Vec<u8>) {
///         out.extend(1..=heap.min(3));
///     }
///
///     fn apply(&self, (heap, mover): &mut (u8, u8), joint: &[u8]) {
///         *heap -= joint[0];
///         *mover = 1 - *mover;
///     }
///
///     fn payoff(&self, &(_, mover): &(u8, u8), player: Player) -> f64 {
///         if player == Player(mover) { 0.0 } else { 1.0 }
///     }
/// }
///
/// // How it is written and drawn, and what it knows of good play: the defaults.
/// impl Notation for Nim {}
/// impl Drawing for Nim {}
/// impl Knowledge for Nim {}
///
/// let nim = Nim(Spec::new("nim", &["one", "two"], Features::empty(), 7));
/// laws::check(&nim, 1).unwrap();
/// ```
pub trait Game: Send + Sync + 'static {
    /// A position: plain data without a pointer to the rules. Equal positions compare equal and have equal hashes.
    type State: Clone + Eq + Hash + Debug + Send + Sync;
    /// An action of a player, or an outcome of chance.
    type Action: Copy + Eq + Hash + Debug + Send + Sync;

    /// The features that a game of this type can have: a superset of [`Spec::features`], known at compile time.
    const CLASS: Features = Features::all();

    /// The features that every game of this type has: a subset of [`Spec::features`]. An agent that does not handle
    /// them can never play such a game and is not compiled for it.
    const ALWAYS: Features = Features::empty();

    /// Whether games of this type may run playouts in batches ([`Game::batch`]). Where they never do, searches in
    /// batches are not compiled.
    const BATCHES: bool = true;

    /// The facts about the game that hold in every state.
    fn spec(&self) -> &Spec;

    /// The name of the engine that executes the rules: `native` for games written in Rust.
    fn engine(&self) -> &'static str {
        "native"
    }

    /// The initial state.
    fn start(&self) -> Self::State;

    /// Who acts next. This must take constant time: `apply` stores the answer.
    fn turn(&self, state: &Self::State) -> Turn;

    /// Appends the legal actions of `player`, one of the movers: at least one, no duplicates, always in the same order.
    fn legal(&self, state: &Self::State, player: Player, out: &mut Vec<Self::Action>);

    /// Plays one step: the movers' actions in player order, or the one outcome of chance.
    fn apply(&self, state: &mut Self::State, joint: &[Self::Action]);

    /// The payoff of `player` in a state that is over.
    fn payoff(&self, state: &Self::State, player: Player) -> f64;

    /// Appends the outcomes of chance at [`Turn::Chance`], with positive probabilities that add up to 1.
    fn chance(&self, _state: &Self::State, _out: &mut Vec<(Self::Action, f64)>) {}

    /// A uniformly random legal action of `player`.
    ///
    /// This is the hot path of random playouts. Override it if the game can sample without listing all actions.
    /// `scratch` is a buffer: its contents mean nothing before or after the call.
    #[inline]
    fn random_action(
        &self,
        state: &Self::State,
        player: Player,
        rng: &mut Rng,
        scratch: &mut Vec<Self::Action>,
    ) -> Self::Action {
        scratch.clear();
        self.legal(state, player, scratch);
        scratch[rng.below(scratch.len())]
    }

    /// A random outcome of chance, drawn by its probability. Override it if the distribution is simple.
    #[inline]
    fn random_outcome(&self, state: &Self::State, rng: &mut Rng) -> Self::Action {
        let mut outcomes = Vec::new();
        self.chance(state, &mut outcomes);
        outcomes[rng.weighted(outcomes.iter().map(|&(_, probability)| probability))].0
    }

    /// Plays uniformly at random to the end, or for at most `limit` steps, and returns the number of steps. `None` if
    /// the game has no faster way than step by step.
    ///
    /// Override it if the game can reuse work between steps. An override must draw from `rng` exactly as playing step
    /// by step would.
    #[inline]
    fn random_play(&self, _state: &mut Self::State, _rng: &mut Rng, _limit: u32) -> Option<u32> {
        None
    }

    /// Runs many uniform playouts at once, if that is much faster than one after the other.
    fn batch(&self) -> Option<Box<dyn BatchPlayouts<Self>>>
    where
        Self: Sized,
    {
        None
    }
}

/// The legal actions of one actor, in the game's order; the outcomes of chance for [`Actor::Chance`].
pub fn legal_actions<G: Game>(game: &G, state: &G::State, actor: Actor) -> Vec<G::Action> {
    let mut actions = Vec::new();
    match actor {
        Actor::Player(player) => game.legal(state, player, &mut actions),
        Actor::Chance => {
            let mut outcomes = Vec::new();
            game.chance(state, &mut outcomes);
            actions.extend(outcomes.into_iter().map(|(outcome, _)| outcome));
        }
    }
    actions
}

/// The mean of `value` over the states that follow a chance node. `outcomes` is a buffer.
pub fn mean_over_chance<G: Game>(
    game: &G,
    state: &G::State,
    outcomes: &mut Vec<(G::Action, f64)>,
    mut value: impl FnMut(&G::State) -> f64,
) -> f64 {
    outcomes.clear();
    game.chance(state, outcomes);
    let mut sum = 0.0;
    for &(outcome, probability) in outcomes.iter() {
        let mut next = state.clone();
        game.apply(&mut next, &[outcome]);
        sum += probability * value(&next);
    }
    sum
}

/// Each player's share of the payoff range, in a state that is over.
#[inline]
pub fn final_shares<G: Game>(game: &G, state: &G::State, shares: &mut [f64]) {
    let spec = game.spec();
    for (player, share) in spec.seats().zip(shares) {
        *share = spec.normalise(game.payoff(state, player));
    }
}

/// Why [`step`] refused a joint action.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum IllegalAction {
    /// The match has ended.
    #[error("the match is over")]
    Over,
    /// The joint action has the wrong length.
    #[error("expected {expected} action(s) for this step, got {given}")]
    Count {
        /// The number of actors in this state.
        expected: usize,
        /// The number of actions given.
        given: usize,
    },
    /// An action is not legal for its actor.
    #[error("an action of {actor:?} is not legal here")]
    Action {
        /// Whose action it was.
        actor: Actor,
    },
}

/// Plays one step like [`Game::apply`], but checks the joint action and returns an error if it is not legal.
pub fn step<G: Game>(game: &G, state: &mut G::State, joint: &[G::Action]) -> Result<(), IllegalAction> {
    let turn = game.turn(state);
    if turn == Turn::Over {
        return Err(IllegalAction::Over);
    }
    let actors: Vec<Actor> = turn.actors().collect();
    if actors.len() != joint.len() {
        return Err(IllegalAction::Count { expected: actors.len(), given: joint.len() });
    }
    for (&actor, action) in actors.iter().zip(joint) {
        if !legal_actions(game, state, actor).contains(action) {
            return Err(IllegalAction::Action { actor });
        }
    }
    game.apply(state, joint);
    Ok(())
}

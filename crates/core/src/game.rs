//! The rules of one game.

use std::fmt::Debug;
use std::hash::Hash;

use crate::{Actor, BatchPlayouts, Features, Player, Rng, Spec, Turn};

/// The rules of one game: immutable, owning its data, shared by all threads, silent about history.
///
/// States are copied, never undone: copying costs at most a fifth more than undoing in the case that favours undo most,
/// and undo doubles the code that must be right.
///
/// `legal`, `chance`, `apply` and `payoff` may assume states that this game made, and actions that are legal there.
/// [`step`] is the checked door.
///
/// ```
/// use tesuji_core::{Drawing, Features, Game, Knowledge, Notation, Player, Spec, Turn, laws};
///
/// /// Two players take 1 to 3 from a heap in turn; whoever takes the last one wins.
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
    /// A position: plain data without a pointer to the rules. Equal positions are equal and hash alike.
    type State: Clone + Eq + Hash + Debug + Send + Sync;
    /// A choice of a player, or an outcome of nature.
    type Action: Copy + Eq + Hash + Debug + Send + Sync;

    /// The features that a game of this type can have: an upper bound of [`Spec::features`], known to the compiler.
    const CLASS: Features = Features::all();

    /// The features that every game of this type has: a lower bound of [`Spec::features`]. An agent that does not
    /// handle them can never play such a game, and the compiler leaves it out.
    const ALWAYS: Features = Features::empty();

    /// What holds in every state.
    fn spec(&self) -> &Spec;

    /// What executes the rules: `native` for games written in Rust, the name of an engine for rules that are data.
    fn engine(&self) -> &'static str {
        "native"
    }

    /// The first state.
    fn start(&self) -> Self::State;

    /// Who acts next. Constant time: `apply` stores the answer.
    fn turn(&self, state: &Self::State) -> Turn;

    /// Appends the actions of `player`, one of the movers: at least one, no duplicates, the same order at each call.
    fn legal(&self, state: &Self::State, player: Player, out: &mut Vec<Self::Action>);

    /// Plays one step: the movers' actions in player order, or the one outcome of nature.
    fn apply(&self, state: &mut Self::State, joint: &[Self::Action]);

    /// What `player` gets, in a state that is over.
    fn payoff(&self, state: &Self::State, player: Player) -> f64;

    /// Appends the outcomes of nature at [`Turn::Chance`], with probabilities above 0 that add up to 1.
    fn chance(&self, _state: &Self::State, _out: &mut Vec<(Self::Action, f64)>) {}

    /// One legal action of `player`, each equally likely.
    ///
    /// The hot path of random playouts: a game overrides it when it can draw without listing. `scratch` is free to use
    /// and holds nothing of meaning before or after.
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

    /// One outcome of nature, drawn by its probability. Overridden where the distribution is plain.
    #[inline]
    fn random_outcome(&self, state: &Self::State, rng: &mut Rng) -> Self::Action {
        let mut outcomes = Vec::new();
        self.chance(state, &mut outcomes);
        outcomes[rng.weighted(outcomes.iter().map(|&(_, probability)| probability))].0
    }

    /// Plays uniformly at random to the end, or until `limit` steps are made, and returns the steps; `None` if there is
    /// no faster way than step by step.
    ///
    /// Overridden by games that can keep work between steps. An override draws from `rng` as step by step would.
    #[inline]
    fn random_play(&self, _state: &mut Self::State, _rng: &mut Rng, _limit: u32) -> Option<u32> {
        None
    }

    /// A machine that runs many uniform playouts at once, where that is much faster than one after the other.
    fn batch(&self) -> Option<Box<dyn BatchPlayouts<Self>>>
    where
        Self: Sized,
    {
        None
    }
}

/// The actions of one actor, in the game's own order; the outcomes of nature for [`Actor::Chance`].
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

/// Why [`step`] refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum IllegalAction {
    /// The match has ended.
    #[error("the match is over")]
    Over,
    /// A joint action of the wrong length.
    #[error("expected {expected} action(s) for this step, got {given}")]
    Count {
        /// How many act now.
        expected: usize,
        /// How many actions were given.
        given: usize,
    },
    /// An action that its actor may not take here.
    #[error("an action of {actor:?} is not legal here")]
    Action {
        /// Whose action it was.
        actor: Actor,
    },
}

/// The checked twin of [`Game::apply`]: refuses instead of breaking the rules.
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

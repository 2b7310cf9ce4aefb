//! A game whose types are erased, for code that is generic over games but runs seldom.
//!
//! Such code (matches in text, agents that are measured or asked, agents that do not search) is compiled once, for
//! [`Erased`], instead of once for each game. What runs often (playouts, searches, tournaments, solvers) keeps the
//! game's own types. States are boxed; an action is its number in a list that grows as actions are met. An agent that
//! searches gets its own types back ([`agent::Adapted`]), one that does not search gets them taken away
//! ([`agent::Typed`]): a decision is the same with and without them.

mod agent;
mod rules;

use std::any::Any;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use tesuji_core::laws::Complete;
use tesuji_core::{
    ActionFeatures, Actor, AreaId, Capabilities, Drawing, Game, History, InputError, Knowledge, Named, Notation, Note,
    Phrase, Picture, Player, Rng, Spec, Turn,
};
use tesuji_play::Agent;

use self::rules::{Rules, TypedRules};
use crate::agents::{AgentInfo, Builder};
use crate::playable::Playable;

/// A game of any type.
pub(crate) struct Erased(Arc<dyn Rules>);

impl Erased {
    /// A game without its type.
    pub(crate) fn of<G: Complete>(game: &Arc<G>) -> Erased {
        Erased(Arc::new(TypedRules::new(Arc::clone(game))))
    }
}

/// An agent for games of type `G` from one that is compiled for erased games.
pub(crate) fn with_types<G: Complete>(
    game: &Arc<G>,
    build: impl FnOnce(&Erased) -> Result<Box<dyn Agent<Erased>>, InputError>,
) -> Result<Box<dyn Agent<G>>, InputError> {
    let rules = Arc::new(TypedRules::new(Arc::clone(game)));
    let game = Erased(Arc::clone(&rules) as Arc<dyn Rules>);
    let agent = build(&game)?;
    Ok(Box::new(agent::Typed { rules, game, agent }))
}

/// A game of type `G` and the same game erased.
pub(crate) struct ErasedGame<G: Complete> {
    typed: Arc<TypedRules<G>>,
    game: Playable<Erased>,
}

impl<G: Complete> Clone for ErasedGame<G> {
    fn clone(&self) -> Self {
        ErasedGame { typed: Arc::clone(&self.typed), game: self.game.clone() }
    }
}

impl<G: Complete> ErasedGame<G> {
    /// Erases the types of a game and of its agents.
    pub(crate) fn new(game: &Playable<G>) -> ErasedGame<G> {
        let typed = Arc::new(TypedRules::new(game.shared()));
        let agents = Arc::new(ErasedAgents { game: game.clone(), rules: Arc::clone(&typed) });
        let rules: Arc<dyn Rules> = Arc::clone(&typed) as Arc<dyn Rules>;
        ErasedGame { typed, game: Playable::new(Erased(rules), agents) }
    }

    /// The game without its types.
    pub(crate) fn game(&self) -> Playable<Erased> {
        self.game.clone()
    }

    /// A state with its type.
    pub(crate) fn state<'a>(&self, state: &'a State) -> &'a G::State {
        self.typed.state(state)
    }

    /// The number of each action of a step.
    pub(crate) fn joint(&self, joint: &[G::Action]) -> Vec<Action> {
        self.typed.numbers(joint)
    }

    /// Steps with the actions' own type.
    pub(crate) fn steps(&self, history: &History<Action>) -> Vec<Vec<G::Action>> {
        self.typed.history(history).steps().map(<[G::Action]>::to_vec).collect()
    }
}

/// A state of an erased game.
pub(crate) struct State(Box<dyn AnyState>);

impl State {
    /// A state of any game.
    pub(crate) fn new<S: AnyState>(state: S) -> State {
        State(Box::new(state))
    }
}

/// What the states of every game can do.
pub(crate) trait AnyState: Any + fmt::Debug + Send + Sync {
    fn copied(&self) -> Box<dyn AnyState>;
    fn equals(&self, other: &dyn AnyState) -> bool;
    fn hash_into(&self, hasher: &mut dyn Hasher);
}

impl<S: Clone + Eq + Hash + fmt::Debug + Send + Sync + 'static> AnyState for S {
    fn copied(&self) -> Box<dyn AnyState> {
        Box::new(self.clone())
    }

    fn equals(&self, other: &dyn AnyState) -> bool {
        (other as &dyn Any).downcast_ref() == Some(self)
    }

    fn hash_into(&self, mut hasher: &mut dyn Hasher) {
        self.hash(&mut hasher);
    }
}

impl Clone for State {
    fn clone(&self) -> Self {
        State(self.0.copied())
    }
}

impl PartialEq for State {
    fn eq(&self, other: &Self) -> bool {
        self.0.equals(&*other.0)
    }
}

impl Eq for State {}

impl Hash for State {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash_into(state);
    }
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// An action of an erased game: its number in the list of the game's actions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Action(u32);

impl Game for Erased {
    type State = State;
    type Action = Action;

    fn spec(&self) -> &Spec {
        self.0.spec()
    }

    fn engine(&self) -> &'static str {
        self.0.engine()
    }

    fn start(&self) -> State {
        self.0.start()
    }

    fn turn(&self, state: &State) -> Turn {
        self.0.turn(state)
    }

    fn legal(&self, state: &State, player: Player, out: &mut Vec<Action>) {
        self.0.legal(state, player, out);
    }

    fn apply(&self, state: &mut State, joint: &[Action]) {
        self.0.apply(state, joint);
    }

    fn payoff(&self, state: &State, player: Player) -> f64 {
        self.0.payoff(state, player)
    }

    fn chance(&self, state: &State, out: &mut Vec<(Action, f64)>) {
        self.0.chance(state, out);
    }

    fn random_action(&self, state: &State, player: Player, rng: &mut Rng, _: &mut Vec<Action>) -> Action {
        self.0.random_action(state, player, rng)
    }

    fn random_outcome(&self, state: &State, rng: &mut Rng) -> Action {
        self.0.random_outcome(state, rng)
    }
}

impl Notation for Erased {
    fn action_text(&self, state: &State, actor: Actor, action: Action) -> String {
        self.0.action_text(state, actor, action)
    }

    fn parse_action(&self, state: &State, actor: Actor, text: &str) -> Result<Action, InputError> {
        self.0.parse_action(state, actor, text)
    }

    fn state_text(&self, state: &State) -> String {
        self.0.state_text(state)
    }

    fn parse_state(&self, text: &str) -> Result<State, InputError> {
        self.0.parse_state(text)
    }

    fn end_turn(&self, state: &State, player: Player) -> Vec<Action> {
        self.0.end_turn(state, player)
    }

    fn rules_text(&self) -> Option<String> {
        self.0.rules_text()
    }

    fn rules_in_words(&self) -> Option<&'static str> {
        self.0.rules_in_words()
    }

    fn board_text(&self, state: &State) -> String {
        self.0.board_text(state)
    }
}

impl Drawing for Erased {
    fn clicks(&self, state: &State, actor: Actor, action: Action) -> Vec<AreaId> {
        self.0.clicks(state, actor, action)
    }

    fn draw_after(&self, state: &State, steps: &History<Action>) -> Picture {
        self.0.draw_after(state, steps)
    }

    fn phrase(&self, state: &State, actor: Actor, action: Action) -> Phrase {
        self.0.phrase(state, actor, action)
    }

    fn note(&self, state: &State, actor: Actor, action: Action) -> Option<Note> {
        self.0.note(state, actor, action)
    }
}

/// The features of actions are all that is asked of an erased game's knowledge.
impl Knowledge for Erased {
    const OFFERS: Capabilities = Capabilities::ACTION_FEATURES;

    fn action_features(&self) -> Option<&'static dyn ActionFeatures<Erased>> {
        self.0.names_of_features().map(|_| &ErasedFeatures as &dyn ActionFeatures<Erased>)
    }
}

struct ErasedFeatures;

impl ActionFeatures<Erased> for ErasedFeatures {
    fn names(&self, game: &Erased) -> &'static [Named] {
        game.0.names_of_features().unwrap_or(&[])
    }

    fn values(&self, game: &Erased, state: &State, action: Action, out: &mut Vec<f64>) {
        game.0.features(state, action, out);
    }
}

/// Builds agents with their types, and erases these.
struct ErasedAgents<G: Complete> {
    game: Playable<G>,
    rules: Arc<TypedRules<G>>,
}

impl<G: Complete> Builder<Erased> for ErasedAgents<G> {
    fn infos(&self) -> &[AgentInfo] {
        self.game.agent_infos()
    }

    fn build(&self, address: &str, _: &Arc<Erased>) -> Result<Box<dyn Agent<Erased>>, InputError> {
        let agent = self.game.build_agent(address)?;
        Ok(Box::new(agent::Adapted { rules: Arc::clone(&self.rules), agent }))
    }

    fn is_outside(&self, address: &str) -> bool {
        self.game.is_outside(address)
    }

    fn contents(&self, address: &str, _: &Arc<Erased>) -> Result<String, InputError> {
        self.game.agent_contents(address)
    }
}

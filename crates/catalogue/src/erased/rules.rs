//! The rules behind an erased game.

use std::any::Any;
use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use tesuji_core::laws::Complete;
use tesuji_core::{Actor, AreaId, History, InputError, Named, Note, Phrase, Picture, Player, Rng, Spec, Turn};

use super::{Action, State};

/// What is asked of an erased game: the methods of [`Game`](tesuji_core::Game), [`Notation`](tesuji_core::Notation),
/// [`Drawing`](tesuji_core::Drawing) and [`ActionFeatures`](tesuji_core::ActionFeatures) that matches in text need.
pub(super) trait Rules: Send + Sync {
    fn spec(&self) -> &Spec;
    fn engine(&self) -> &'static str;
    fn start(&self) -> State;
    fn turn(&self, state: &State) -> Turn;
    fn legal(&self, state: &State, player: Player, out: &mut Vec<Action>);
    fn apply(&self, state: &mut State, joint: &[Action]);
    fn payoff(&self, state: &State, player: Player) -> f64;
    fn chance(&self, state: &State, out: &mut Vec<(Action, f64)>);
    fn random_action(&self, state: &State, player: Player, rng: &mut Rng) -> Action;
    fn random_outcome(&self, state: &State, rng: &mut Rng) -> Action;
    fn action_text(&self, state: &State, actor: Actor, action: Action) -> String;
    fn parse_action(&self, state: &State, actor: Actor, text: &str) -> Result<Action, InputError>;
    fn state_text(&self, state: &State) -> String;
    fn parse_state(&self, text: &str) -> Result<State, InputError>;
    fn end_turn(&self, state: &State, player: Player) -> Vec<Action>;
    fn rules_text(&self) -> Option<String>;
    fn rules_in_words(&self) -> Option<&'static str>;
    fn board_text(&self, state: &State) -> String;
    fn clicks(&self, state: &State, actor: Actor, action: Action) -> Vec<AreaId>;
    fn draw_after(&self, state: &State, steps: &History<Action>) -> Picture;
    fn phrase(&self, state: &State, actor: Actor, action: Action) -> Phrase;
    fn note(&self, state: &State, actor: Actor, action: Action) -> Option<Note>;
    fn names_of_features(&self) -> Option<&'static [Named]>;
    fn features(&self, state: &State, action: Action, out: &mut Vec<f64>);
}

/// A game with its types, and the list of the actions that were met so far.
pub(super) struct TypedRules<G: Complete> {
    pub(super) game: Arc<G>,
    actions: RwLock<Numbered<G::Action>>,
}

/// Actions and their numbers, in the order in which they were met.
struct Numbered<A> {
    actions: Vec<A>,
    numbers: HashMap<A, u32>,
}

impl<G: Complete> TypedRules<G> {
    pub(super) fn new(game: Arc<G>) -> TypedRules<G> {
        TypedRules { game, actions: RwLock::new(Numbered { actions: Vec::new(), numbers: HashMap::new() }) }
    }

    /// A state with its type.
    pub(super) fn state<'a>(&self, state: &'a State) -> &'a G::State {
        let Some(state) = (&*state.0 as &dyn Any).downcast_ref() else {
            panic!("a state of another game than `{}`", self.game.spec().name)
        };
        state
    }

    /// The action that a number stands for.
    pub(super) fn action(&self, action: Action) -> G::Action {
        self.actions.read().unwrap_or_else(PoisonError::into_inner).actions[action.0 as usize]
    }

    /// The actions that some numbers stand for.
    fn actions(&self, joint: &[Action]) -> Vec<G::Action> {
        joint.iter().map(|&action| self.action(action)).collect()
    }

    /// The number of an action; a new one for an action that was never met.
    pub(super) fn number(&self, action: G::Action) -> Action {
        if let Some(&number) = self.actions.read().unwrap_or_else(PoisonError::into_inner).numbers.get(&action) {
            return Action(number);
        }
        let mut list = self.actions.write().unwrap_or_else(PoisonError::into_inner);
        let Numbered { actions, numbers } = &mut *list;
        let number = numbers.entry(action).or_insert_with(|| {
            actions.push(action);
            actions.len() as u32 - 1
        });
        Action(*number)
    }

    /// The numbers of some actions.
    pub(super) fn numbers(&self, joint: &[G::Action]) -> Vec<Action> {
        joint.iter().map(|&action| self.number(action)).collect()
    }

    /// A history with numbered actions.
    pub(super) fn numbered(&self, history: &History<G::Action>) -> History<Action> {
        let mut numbered = History::default();
        for joint in history.steps() {
            numbered.push(&self.numbers(joint));
        }
        numbered
    }

    /// A history with the actions' own type.
    pub(super) fn history(&self, history: &History<Action>) -> History<G::Action> {
        let mut typed = History::default();
        for joint in history.steps() {
            typed.push(&self.actions(joint));
        }
        typed
    }
}

impl<G: Complete> Rules for TypedRules<G> {
    fn spec(&self) -> &Spec {
        self.game.spec()
    }

    fn engine(&self) -> &'static str {
        self.game.engine()
    }

    fn start(&self) -> State {
        State::new(self.game.start())
    }

    fn turn(&self, state: &State) -> Turn {
        self.game.turn(self.state(state))
    }

    fn legal(&self, state: &State, player: Player, out: &mut Vec<Action>) {
        let mut legal = Vec::new();
        self.game.legal(self.state(state), player, &mut legal);
        for action in legal {
            out.push(self.number(action));
        }
    }

    fn apply(&self, state: &mut State, joint: &[Action]) {
        let joint = self.actions(joint);
        if let Some(state) = (&mut *state.0 as &mut dyn Any).downcast_mut() {
            self.game.apply(state, &joint);
        }
    }

    fn payoff(&self, state: &State, player: Player) -> f64 {
        self.game.payoff(self.state(state), player)
    }

    fn chance(&self, state: &State, out: &mut Vec<(Action, f64)>) {
        let mut outcomes = Vec::new();
        self.game.chance(self.state(state), &mut outcomes);
        for (outcome, probability) in outcomes {
            out.push((self.number(outcome), probability));
        }
    }

    fn random_action(&self, state: &State, player: Player, rng: &mut Rng) -> Action {
        self.number(self.game.random_action(self.state(state), player, rng, &mut Vec::new()))
    }

    fn random_outcome(&self, state: &State, rng: &mut Rng) -> Action {
        self.number(self.game.random_outcome(self.state(state), rng))
    }

    fn action_text(&self, state: &State, actor: Actor, action: Action) -> String {
        self.game.action_text(self.state(state), actor, self.action(action))
    }

    fn parse_action(&self, state: &State, actor: Actor, text: &str) -> Result<Action, InputError> {
        Ok(self.number(self.game.parse_action(self.state(state), actor, text)?))
    }

    fn state_text(&self, state: &State) -> String {
        self.game.state_text(self.state(state))
    }

    fn parse_state(&self, text: &str) -> Result<State, InputError> {
        Ok(State::new(self.game.parse_state(text)?))
    }

    fn end_turn(&self, state: &State, player: Player) -> Vec<Action> {
        self.numbers(&self.game.end_turn(self.state(state), player))
    }

    fn rules_text(&self) -> Option<String> {
        self.game.rules_text()
    }

    fn rules_in_words(&self) -> Option<&'static str> {
        self.game.rules_in_words()
    }

    fn board_text(&self, state: &State) -> String {
        self.game.board_text(self.state(state))
    }

    fn clicks(&self, state: &State, actor: Actor, action: Action) -> Vec<AreaId> {
        self.game.clicks(self.state(state), actor, self.action(action))
    }

    fn draw_after(&self, state: &State, steps: &History<Action>) -> Picture {
        self.game.draw_after(self.state(state), &self.history(steps))
    }

    fn phrase(&self, state: &State, actor: Actor, action: Action) -> Phrase {
        self.game.phrase(self.state(state), actor, self.action(action))
    }

    fn note(&self, state: &State, actor: Actor, action: Action) -> Option<Note> {
        self.game.note(self.state(state), actor, self.action(action))
    }

    fn names_of_features(&self) -> Option<&'static [Named]> {
        self.game.action_features().map(|features| features.names(&self.game))
    }

    fn features(&self, state: &State, action: Action, out: &mut Vec<f64>) {
        if let Some(features) = self.game.action_features() {
            features.values(&self.game, self.state(state), self.action(action), out);
        }
    }
}

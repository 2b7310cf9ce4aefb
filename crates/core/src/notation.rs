//! Text of actions and states, for people, records and protocols. Search never uses it.

use crate::{Actor, Game, InputError, Player, legal_actions, nearest};

/// How the actions and states of a game are written.
///
/// Every method has a default, so `impl Notation for MyGame {}` is enough: actions and states are written as their
/// debug texts.
pub trait Notation: Game + Sized {
    /// Whether [`parse_state`](Notation::parse_state) can read the output of [`state_text`](Notation::state_text). If
    /// not, matches always begin at the start.
    const READS_STATES: bool = false;

    /// The text of an action that is legal for `actor` in `state`.
    ///
    /// It is unique among the actor's legal actions, has no tabs, line breaks or surrounding blanks, and does not start
    /// with `#`.
    ///
    /// The default is the action's debug text.
    fn action_text(&self, _state: &Self::State, _actor: Actor, action: Self::Action) -> String {
        format!("{action:?}")
    }

    /// The legal action that `text` names. Surrounding white space is ignored.
    ///
    /// The default compares with the text of every legal action; a game may accept more forms.
    fn parse_action(&self, state: &Self::State, actor: Actor, text: &str) -> Result<Self::Action, InputError> {
        find_action(self, state, actor, text)
    }

    /// The whole state on one line; [`parse_state`](Notation::parse_state) reads it back if
    /// [`READS_STATES`](Notation::READS_STATES) is set.
    ///
    /// The default is the state's debug text.
    fn state_text(&self, state: &Self::State) -> String {
        format!("{state:?}")
    }

    /// Parses and checks a state.
    ///
    /// It may accept a state that play could not have reached, but not one that would break the rules' assumptions. A
    /// game that implements this sets [`READS_STATES`](Notation::READS_STATES).
    ///
    /// The default returns an error.
    fn parse_state(&self, _text: &str) -> Result<Self::State, InputError> {
        Err(InputError::new(format!("`{}` cannot read states from text", self.spec().name))
            .with_help("begin at the start, and give the actions that lead to the state"))
    }

    /// The steps that end `player`'s turn without further effect, such as letting every remaining unit stay; empty if
    /// the game has no such shortcut.
    ///
    /// A convenience for user interfaces, not an action of the rules.
    fn end_turn(&self, _state: &Self::State, _player: Player) -> Vec<Self::Action> {
        Vec::new()
    }

    /// The whole match in the game's own record format, if it has one that other programs read. The arguments are the
    /// joint actions of all steps from the start, and the agents in seat order.
    fn record(&self, _steps: &[Vec<Self::Action>], _agents: &[String]) -> Option<String> {
        None
    }

    /// The text that defines the rules, if they are data: a rule sheet or a map. Another program can play the same game
    /// from it.
    fn rules_text(&self) -> Option<String> {
        None
    }

    /// The rules in words, complete, with the notation of states and actions; Markdown in which everything that
    /// belongs to the notation stands between backquotes. For people and for language models.
    fn rules_in_words(&self) -> Option<&'static str> {
        None
    }

    /// The state as a text of several lines, for people at a terminal.
    fn board_text(&self, state: &Self::State) -> String {
        self.state_text(state)
    }
}

/// Finds the legal action with this text; the error suggests the nearest ones.
pub(crate) fn find_action<G: Notation>(
    game: &G,
    state: &G::State,
    actor: Actor,
    text: &str,
) -> Result<G::Action, InputError> {
    let text = text.trim();
    let mut texts = Vec::new();
    for action in legal_actions(game, state, actor) {
        let written = game.action_text(state, actor, action);
        if written == text {
            return Ok(action);
        }
        texts.push(written);
    }
    let near = nearest(text, texts.iter().map(String::as_str), 5);
    Err(InputError::new(format!("`{text}` is not a legal action here")).with_help(format!(
        "{} legal; nearest: {}",
        texts.len(),
        near.join("  ")
    )))
}

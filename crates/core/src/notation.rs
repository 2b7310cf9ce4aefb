//! Text in and out, for people, records and protocols. Search never sees it.

use crate::{Actor, Game, InputError, Player, legal_actions, nearest};

/// How the actions and states of a game are written.
///
/// Everything has a default, so `impl Notation for MyGame {}` is a notation: actions and states by their debug texts.
pub trait Notation: Game + Sized {
    /// Can [`parse_state`](Notation::parse_state) read what [`state_text`](Notation::state_text) writes? Where not,
    /// matches begin at the start only.
    const READS_STATES: bool = false;

    /// The text of an action that is legal for `actor` in `state`: unique among its legal actions, without tabs, line
    /// breaks or surrounding blanks, and not starting with `#`.
    ///
    /// The default is the action's debug text.
    fn action_text(&self, _state: &Self::State, _actor: Actor, action: Self::Action) -> String {
        format!("{action:?}")
    }

    /// The legal action that `text` names. White space around it is ignored.
    ///
    /// The default compares with the text of every legal action; a game with a looser notation accepts more.
    fn parse_action(&self, state: &Self::State, actor: Actor, text: &str) -> Result<Self::Action, InputError> {
        find_action(self, state, actor, text)
    }

    /// The whole state on one line; [`parse_state`](Notation::parse_state) reads it back if the game
    /// [can](Notation::READS_STATES).
    ///
    /// The default is the state's debug text.
    fn state_text(&self, state: &Self::State) -> String {
        format!("{state:?}")
    }

    /// The state that `text` describes, checked: a state that play could not have reached may be accepted, one that
    /// would break the rules' assumptions must not. A game that implements this sets
    /// [`READS_STATES`](Notation::READS_STATES).
    ///
    /// The default refuses every text.
    fn parse_state(&self, _text: &str) -> Result<Self::State, InputError> {
        Err(InputError::new(format!("`{}` cannot read states from text", self.spec().name))
            .with_help("begin at the start, and give the actions that lead to the state"))
    }

    /// The steps that end `player`'s turn without doing anything more, such as letting every remaining unit stay;
    /// empty if the game has no such convenience. A shorthand of the surfaces, never an action of the rules.
    fn end_turn(&self, _state: &Self::State, _player: Player) -> Vec<Self::Action> {
        Vec::new()
    }

    /// A whole match in the game's own record format, where it has one that other programs read: the joint actions of
    /// all steps from the start, and who played, in seat order.
    fn record(&self, _steps: &[Vec<Self::Action>], _agents: &[String]) -> Option<String> {
        None
    }

    /// The text that the rules come from, where they are data: a rule sheet, a map. Enough for another program to
    /// play the same game.
    fn rules_text(&self) -> Option<String> {
        None
    }

    /// The state for people at a terminal, over several lines.
    fn board_text(&self, state: &Self::State) -> String {
        self.state_text(state)
    }
}

/// Looks `text` up among the legal actions' texts; the error names the nearest ones.
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

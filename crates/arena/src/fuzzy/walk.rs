//! A walk through what the others did in a match, for somebody who labels it.

use serde::Serialize;
use tesuji_core::{InputError, Player, Turn};

use crate::AnyGame;

/// An action that was played.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PlayedAction {
    /// The steps before it.
    pub step: usize,
    /// Whose it was.
    pub player: u8,
    /// The state in which it was chosen.
    pub state: String,
    /// The action.
    pub action: String,
    /// Its features.
    pub features: Vec<f64>,
}

/// The actions of everybody but `own` in a match of which the steps are given as text, in order. Steps that several
/// players made at once are passed over: none of them knew the state that the others made of it.
pub fn opponent_actions(
    game: &dyn AnyGame,
    steps: &[Vec<String>],
    own: Player,
) -> Result<Vec<PlayedAction>, InputError> {
    let mut table = game.new_match(None)?;
    let mut actions = Vec::new();
    for (step, joint) in steps.iter().enumerate() {
        if let Turn::Player(player) = table.turn()
            && player != own
            && let [action] = &joint[..]
        {
            let features = table.action_features(player, action)?;
            let state = table.state_text();
            actions.push(PlayedAction { step, player: player.0, state, action: action.clone(), features });
        }
        table.step(joint)?;
    }
    Ok(actions)
}

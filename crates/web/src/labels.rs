//! Labels of actions: the protocol of paper 000, section 7.1.
//!
//! A person's own actions are positive. The opponent's are walked through one by one and marked "I would play this" (1), "not
//! sure" (0.5) or "bad" (0).

use serde::{Deserialize, Serialize};
use tesuji_arena::{LiveStep, Occupant};
use utoipa::ToSchema;

use crate::database::{LabelRow, MatchRow};
use crate::error::ApiError;
use crate::view::seats_of;

/// What somebody says of an action.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LabelRequest {
    /// 1, 0.5, 0, or null for no label.
    pub label: Option<f64>,
    /// Who says so.
    pub by: String,
    /// Whose action; may be left out where one player acted.
    #[serde(default)]
    pub player: Option<u8>,
}

/// An action with its label.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct LabelView {
    /// The step.
    pub step: usize,
    /// Whose action.
    pub player: u8,
    /// The action.
    pub action: String,
    /// Was it a person's own?
    pub own: bool,
    /// 1, 0.5, 0, or null.
    pub label: Option<f64>,
}

/// Every action of every player with its label.
pub fn views(row: &MatchRow, steps: &[LiveStep], labels: &[LabelRow]) -> Vec<LabelView> {
    let mut views = Vec::new();
    for (step, made) in steps.iter().enumerate() {
        for (player, action) in seats_of(made, &row.players).into_iter().zip(&made.joint) {
            let own = matches!(row.seats.get(usize::from(player)), Some(Occupant::Person { .. }));
            let given = labels.iter().find(|label| label.step == step && label.player == player);
            let label = given.map(|label| label.label).or(own.then_some(1.0));
            views.push(LabelView { step, player, action: action.clone(), own, label });
        }
    }
    views
}

/// Whose action is meant, if the label can be given.
pub fn checked(request: &LabelRequest, row: &MatchRow, step: Option<&LiveStep>) -> Result<u8, ApiError> {
    if !request.label.is_none_or(|label| [0.0, 0.5, 1.0].contains(&label)) {
        return Err(ApiError::bad("a label is 1, 0.5, 0 or null"));
    }
    let Some(step) = step else { return Err(ApiError::missing("the match has no such step")) };
    let players = seats_of(step, &row.players);
    match (request.player, players.as_slice()) {
        (None, &[player]) => Ok(player),
        (Some(player), players) if players.contains(&player) => Ok(player),
        (_, []) => Err(ApiError::bad("nature acted in this step")),
        _ => Err(ApiError::bad("say whose action is meant: `player`")),
    }
}

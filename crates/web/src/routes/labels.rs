//! Labels of actions.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::error::{ApiError, ErrorBody};
use crate::extract::{Body, Params, PathParams};
use crate::lab::{Lab, blocking};
use crate::labels::{LabelRequest, LabelView, checked, views};

/// Whose labels.
#[derive(Deserialize, IntoParams)]
pub(super) struct LabelQuery {
    /// Who gave them.
    #[serde(default)]
    by: String,
}

/// The actions of a match with their labels.
#[derive(Serialize, ToSchema)]
pub(super) struct LabelList {
    /// One for each action of each player.
    labels: Vec<LabelView>,
    /// Can `tesuji fuzzy learn` use them? The game tells features of actions then.
    learnable: bool,
}

/// The actions of a match with the labels that somebody gave them.
#[utoipa::path(get, path = "/api/matches/{id}/labels", tag = "labels", params(("id" = String, Path), LabelQuery),
    responses((status = 200, body = LabelList), (status = 404, body = ErrorBody)))]
pub(super) async fn list_labels(
    State(lab): State<Arc<Lab>>,
    PathParams(id): PathParams<String>,
    Params(query): Params<LabelQuery>,
) -> Result<Json<LabelList>, ApiError> {
    let room = lab.room(&id).await?;
    blocking(move || {
        let (row, steps) = room.record()?;
        let labels = lab.services.database.labels(room.id(), &query.by)?;
        let learnable = !room.game().knowledge().action_features.is_empty();
        Ok(Json(LabelList { labels: views(&row, &steps, &labels), learnable }))
    })
    .await
}

/// Labels an action.
#[utoipa::path(put, path = "/api/matches/{id}/labels/{step}", tag = "labels",
    params(("id" = String, Path), ("step" = usize, Path)), request_body = LabelRequest,
    responses((status = 200, body = LabelView), (status = 400, body = ErrorBody), (status = 404, body = ErrorBody)))]
pub(super) async fn put_label(
    State(lab): State<Arc<Lab>>,
    PathParams((id, step)): PathParams<(String, usize)>,
    Body(request): Body<LabelRequest>,
) -> Result<Json<LabelView>, ApiError> {
    if request.by.chars().count() > lab.limits().name_length {
        return Err(ApiError::bad(format!("a name has at most {} characters", lab.limits().name_length)));
    }
    let room = lab.room(&id).await?;
    blocking(move || {
        let (row, steps) = room.record()?;
        let player = checked(&request, &row, steps.get(step))?;
        lab.services.database.put_label(room.id(), step, player, &request.by, request.label)?;
        lab.labels.keep(&lab.catalogue, &room, step, &request)?;
        let labels = lab.services.database.labels(room.id(), &request.by)?;
        let mut found = views(&row, &steps, &labels).into_iter();
        let view = found.find(|view| view.step == step && view.player == player);
        view.map(Json).ok_or_else(|| ApiError::missing("the match has no such step"))
    })
    .await
}

//! Changes of a match: choices, undo, resigning, stopping a search.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::matches::{is_set, json_text};
use crate::error::{ApiError, ErrorBody};
use crate::extract::{Body, Params, PathParams};
use crate::lab::{Lab, blocking};
use crate::room::{Position, Room};
use crate::view::MatchView;

/// A key, and whatever else a change of a match needs.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct KeyRequest {
    /// The key of a seat.
    #[serde(default)]
    pub(super) key: Option<String>,
}

/// Who asks for an undo, or agrees to it.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct UndoRequest {
    /// The key of a seat.
    #[serde(default)]
    key: Option<String>,
    /// The keys of several seats.
    #[serde(default)]
    keys: Vec<String>,
}

/// The keys of the caller's seats.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct KeysRequest {
    /// The keys.
    keys: Vec<String>,
}

/// A hidden choice.
#[derive(Serialize, ToSchema)]
pub(super) struct ChoiceView {
    /// The player.
    player: u8,
    /// What was chosen.
    action: String,
}

/// The hidden choices of the caller's own seats for the next step.
#[utoipa::path(post, path = "/api/matches/{id}/choices", tag = "matches", params(("id" = String, Path)),
    request_body = KeysRequest, responses((status = 200, body = [ChoiceView]), (status = 404, body = ErrorBody)))]
pub(super) async fn own_choices(
    State(lab): State<Arc<Lab>>,
    PathParams(id): PathParams<String>,
    Body(request): Body<KeysRequest>,
) -> Result<Json<Vec<ChoiceView>>, ApiError> {
    let room = lab.room(&id).await?;
    blocking(move || {
        let keys: Vec<&str> = request.keys.iter().map(String::as_str).collect();
        let choices = room.own_choices(&keys)?.into_iter();
        Ok(Json(choices.map(|(player, action)| ChoiceView { player, action }).collect()))
    })
    .await
}

/// A player with the key of the seat.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PlayerRequest {
    /// The player.
    player: u8,
    /// The key of the seat.
    #[serde(default)]
    key: Option<String>,
}

/// A person's choice.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ActionRequest {
    /// The player.
    player: u8,
    /// The action, as `legal` writes it.
    action: String,
    /// The key of the seat.
    #[serde(default)]
    key: Option<String>,
}

/// What the answer to a change contains.
#[derive(Deserialize, IntoParams)]
pub(super) struct ChangeQuery {
    /// With any value but `0`, the view has neither picture nor history.
    brief: Option<String>,
    /// `view`, or `revision` for the number alone: for clients that get the view over the WebSocket.
    answer: Option<String>,
}

/// Changes a match and answers with its new view, or with the view's revision.
async fn change(
    lab: Arc<Lab>,
    id: &str,
    query: ChangeQuery,
    change: impl FnOnce(&Arc<Room>) -> Result<(), ApiError> + Send + 'static,
) -> Result<Response, ApiError> {
    let with_view = match query.answer.as_deref() {
        None | Some("view") => true,
        Some("revision") => false,
        Some(other) => return Err(ApiError::bad(format!("`answer={other}`: expected view or revision"))),
    };
    let room = lab.room(id).await?;
    let brief = is_set(query.brief.as_deref());
    blocking(move || {
        change(&room)?;
        if with_view {
            Ok(json_text(&room.view(&Position::default(), brief)?))
        } else {
            Ok(Json(serde_json::json!({ "revision": room.revision() })).into_response())
        }
    })
    .await
}

/// A person's choice.
#[utoipa::path(post, path = "/api/matches/{id}/actions", tag = "matches", params(("id" = String, Path), ChangeQuery),
    request_body = ActionRequest, responses((status = 200, body = MatchView), (status = 400, body = ErrorBody),
    (status = 403, body = ErrorBody), (status = 409, body = ErrorBody)))]
pub(super) async fn choose(
    State(lab): State<Arc<Lab>>,
    PathParams(id): PathParams<String>,
    Params(query): Params<ChangeQuery>,
    Body(request): Body<ActionRequest>,
) -> Result<Response, ApiError> {
    change(lab, &id, query, move |room| room.choose(request.player, &request.action, request.key.as_deref())).await
}

/// Ends a person's turn.
#[utoipa::path(post, path = "/api/matches/{id}/end-turn", tag = "matches", params(("id" = String, Path), ChangeQuery),
    request_body = PlayerRequest, responses((status = 200, body = MatchView), (status = 403, body = ErrorBody),
    (status = 409, body = ErrorBody)))]
pub(super) async fn end_turn(
    State(lab): State<Arc<Lab>>,
    PathParams(id): PathParams<String>,
    Params(query): Params<ChangeQuery>,
    Body(request): Body<PlayerRequest>,
) -> Result<Response, ApiError> {
    change(lab, &id, query, move |room| room.end_turn(request.player, request.key.as_deref())).await
}

/// Takes back a person's last choice, or agrees to that.
#[utoipa::path(post, path = "/api/matches/{id}/undo", tag = "matches", params(("id" = String, Path), ChangeQuery),
    request_body = UndoRequest, responses((status = 200, body = MatchView), (status = 403, body = ErrorBody),
    (status = 409, body = ErrorBody)))]
pub(super) async fn undo(
    State(lab): State<Arc<Lab>>,
    PathParams(id): PathParams<String>,
    Params(query): Params<ChangeQuery>,
    Body(request): Body<UndoRequest>,
) -> Result<Response, ApiError> {
    change(lab, &id, query, move |room| {
        let keys: Vec<&str> = request.key.iter().chain(&request.keys).map(String::as_str).collect();
        room.undo(&keys)
    })
    .await
}

/// Resigns.
#[utoipa::path(post, path = "/api/matches/{id}/resign", tag = "matches", params(("id" = String, Path), ChangeQuery),
    request_body = PlayerRequest, responses((status = 200, body = MatchView), (status = 403, body = ErrorBody),
    (status = 409, body = ErrorBody)))]
pub(super) async fn resign(
    State(lab): State<Arc<Lab>>,
    PathParams(id): PathParams<String>,
    Params(query): Params<ChangeQuery>,
    Body(request): Body<PlayerRequest>,
) -> Result<Response, ApiError> {
    change(lab, &id, query, move |room| room.resign(request.player, request.key.as_deref())).await
}

/// Asks the searching agent to answer at once.
#[utoipa::path(post, path = "/api/matches/{id}/stop", tag = "matches", params(("id" = String, Path), ChangeQuery),
    request_body = KeyRequest, responses((status = 200, body = MatchView), (status = 403, body = ErrorBody),
    (status = 409, body = ErrorBody)))]
pub(super) async fn stop(
    State(lab): State<Arc<Lab>>,
    PathParams(id): PathParams<String>,
    Params(query): Params<ChangeQuery>,
    Body(request): Body<KeyRequest>,
) -> Result<Response, ApiError> {
    change(lab, &id, query, move |room| room.stop(request.key.as_deref())).await
}

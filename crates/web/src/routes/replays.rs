//! Matches as files.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::{ApiError, ErrorBody};
use crate::extract::{Body, PathParams};
use crate::lab::{Lab, blocking};
use crate::replays::{self, Replay, ReplayFile};

/// A match that was opened.
#[derive(Serialize, ToSchema)]
pub(super) struct OpenedView {
    /// The match.
    pub id: String,
}

/// A match as a file.
#[utoipa::path(get, path = "/api/matches/{id}/replay", tag = "replays", params(("id" = String, Path)),
    responses((status = 200, body = ReplayFile), (status = 404, body = ErrorBody)))]
pub(super) async fn replay_file(
    State(lab): State<Arc<Lab>>,
    PathParams(id): PathParams<String>,
) -> Result<Response, ApiError> {
    let room = lab.room(&id).await?;
    blocking(move || {
        let name = format!("attachment; filename=\"tesuji-{}.json\"", room.id());
        Ok(([(CONTENT_DISPOSITION, name)], Json(replays::of(&lab, &room)?)).into_response())
    })
    .await
}

/// A match in the game's own record format.
#[utoipa::path(get, path = "/api/matches/{id}/record", tag = "replays", params(("id" = String, Path)),
    responses((status = 200, description = "text"), (status = 404, body = ErrorBody)))]
pub(super) async fn game_record(
    State(lab): State<Arc<Lab>>,
    PathParams(id): PathParams<String>,
) -> Result<Response, ApiError> {
    let room = lab.room(&id).await?;
    blocking(move || match room.game_record()? {
        Some(text) => Ok(([(CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response()),
        None => Err(ApiError::missing("this game has no record format of its own")),
    })
    .await
}

/// Opens a file as a finished match.
#[utoipa::path(post, path = "/api/replays", tag = "replays", request_body = ReplayFile,
    responses((status = 201, body = OpenedView), (status = 400, body = ErrorBody)))]
pub(super) async fn open_replay(
    State(lab): State<Arc<Lab>>,
    Body(replay): Body<Replay>,
) -> Result<(StatusCode, Json<OpenedView>), ApiError> {
    let id = replays::open(&lab, replay).await?;
    Ok((StatusCode::CREATED, Json(OpenedView { id })))
}

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
use crate::secret;

/// A match that was opened.
#[derive(Serialize, ToSchema)]
pub(super) struct OpenedView {
    /// The match.
    pub id: String,
    /// The study that came with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub study: Option<String>,
}

impl OpenedView {
    /// A match without a study.
    pub(super) fn of(id: String) -> OpenedView {
        OpenedView { id, study: None }
    }
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
    Body(mut replay): Body<Replay>,
) -> Result<(StatusCode, Json<OpenedView>), ApiError> {
    let study = replay.study.take().filter(serde_json::Value::is_object);
    let id = replays::open(&lab, replay, None).await?;
    let Some(tree) = study else { return Ok((StatusCode::CREATED, Json(OpenedView::of(id)))) };
    blocking(move || {
        let study = secret::new_id();
        lab.services.database.put_study(&study, &id, &tree)?;
        Ok((StatusCode::CREATED, Json(OpenedView { id, study: Some(study) })))
    })
    .await
}

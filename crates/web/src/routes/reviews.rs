//! Reviews and studies of matches.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::extract::ws::WebSocketUpgrade;
use axum::http::StatusCode;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::sync::watch;
use utoipa::ToSchema;

use crate::error::{ApiError, ErrorBody};
use crate::extract::{Body, PathParams};
use crate::lab::{Lab, blocking};
use crate::reviews::{self, ReviewRequest, ReviewView};
use crate::{secret, sockets};

/// Studies that a match can have.
const STUDIES: u64 = 1_000;

async fn kept(lab: &Arc<Lab>, id: String) -> Result<ReviewView, ApiError> {
    let lab = Arc::clone(lab);
    blocking(move || {
        let found = lab.services.database.find_review(&id)?;
        found.ok_or_else(|| ApiError::missing("this match was not reviewed"))
    })
    .await
}

/// The review of a match.
#[utoipa::path(get, path = "/api/matches/{id}/review", tag = "reviews", params(("id" = String, Path)),
    responses((status = 200, body = ReviewView), (status = 404, body = ErrorBody)))]
pub(super) async fn view_review(
    State(lab): State<Arc<Lab>>,
    PathParams(id): PathParams<String>,
) -> Result<Json<ReviewView>, ApiError> {
    match lab.reviews.find(&id) {
        Some(review) => Ok(Json(ReviewView::clone(&review.view.borrow()))),
        None => Ok(Json(kept(&lab, id).await?)),
    }
}

/// Lets a strong agent judge every choice of a match that is over.
#[utoipa::path(post, path = "/api/matches/{id}/review", tag = "reviews", params(("id" = String, Path)),
    request_body = ReviewRequest, responses((status = 202, body = ReviewView), (status = 409, body = ErrorBody)))]
pub(super) async fn start_review(
    State(lab): State<Arc<Lab>>,
    PathParams(id): PathParams<String>,
    Body(request): Body<ReviewRequest>,
) -> Result<(StatusCode, Json<ReviewView>), ApiError> {
    let room = lab.room(&id).await?;
    let view = blocking(move || reviews::start(&lab, &room, request)).await?;
    Ok((StatusCode::ACCEPTED, Json(ReviewView::clone(&view))))
}

/// Ends a review; what it found is not kept.
#[utoipa::path(post, path = "/api/matches/{id}/review/stop", tag = "reviews", params(("id" = String, Path)),
    responses((status = 200, body = ReviewView), (status = 404, body = ErrorBody)))]
pub(super) async fn stop_review(
    State(lab): State<Arc<Lab>>,
    PathParams(id): PathParams<String>,
) -> Result<Json<ReviewView>, ApiError> {
    match lab.reviews.find(&id) {
        Some(review) => {
            review.stop();
            Ok(Json(ReviewView::clone(&review.view.borrow())))
        }
        None => Ok(Json(kept(&lab, id).await?)),
    }
}

/// A WebSocket with the progress of a review. The review ends when its last watcher leaves.
#[utoipa::path(get, path = "/api/matches/{id}/review/live", tag = "reviews", params(("id" = String, Path)),
    responses((status = 101, description = "the review while it grows; see docs/api.md"),
    (status = 404, body = ErrorBody)))]
pub(super) async fn live_review(
    State(lab): State<Arc<Lab>>,
    PathParams(id): PathParams<String>,
    upgrade: WebSocketUpgrade,
) -> Result<Response, ApiError> {
    let (updates, keep) = match lab.reviews.find(&id) {
        Some(review) => (review.watch(), None),
        None => {
            let sender = watch::Sender::new(Arc::new(kept(&lab, id).await?));
            (sender.subscribe(), Some(sender))
        }
    };
    Ok(sockets::accept(&lab, upgrade, move |client| async move {
        let text = |view: &Arc<ReviewView>| json!({ "review": **view });
        sockets::watch_latest(client, updates, "review", text, |view| view.ended()).await;
        drop(keep);
    }))
}

/// A study: variations of a match with comments, as the page writes it.
#[derive(Serialize, Deserialize, ToSchema)]
pub(super) struct StudyView {
    /// The match.
    #[serde(rename = "match", default)]
    of: String,
    /// The variations: a tree of `{joint, comment, children}`.
    #[schema(value_type = Object)]
    tree: Value,
}

/// A study that was saved.
#[derive(Serialize, ToSchema)]
pub(super) struct SavedStudy {
    /// Its name, for links.
    id: String,
}

/// Saves a study of a match, to be shared by its name.
#[utoipa::path(post, path = "/api/matches/{id}/studies", tag = "reviews", params(("id" = String, Path)),
    request_body = StudyView, responses((status = 201, body = SavedStudy), (status = 404, body = ErrorBody)))]
pub(super) async fn save_study(
    State(lab): State<Arc<Lab>>,
    PathParams(id): PathParams<String>,
    Body(study): Body<StudyView>,
) -> Result<(StatusCode, Json<SavedStudy>), ApiError> {
    let room = lab.room(&id).await?;
    if !study.tree.is_object() {
        return Err(ApiError::bad("`tree` is the first node of the study: {\"children\": […]}"));
    }
    blocking(move || {
        let database = &lab.services.database;
        if database.count_studies(room.id())? >= STUDIES {
            return Err(ApiError::busy(format!("a match has at most {STUDIES} studies")));
        }
        let id = secret::new_id();
        database.put_study(&id, room.id(), &study.tree)?;
        Ok((StatusCode::CREATED, Json(SavedStudy { id })))
    })
    .await
}

/// A study by its name.
#[utoipa::path(get, path = "/api/studies/{id}", tag = "reviews", params(("id" = String, Path)),
    responses((status = 200, body = StudyView), (status = 404, body = ErrorBody)))]
pub(super) async fn view_study(
    State(lab): State<Arc<Lab>>,
    PathParams(id): PathParams<String>,
) -> Result<Json<StudyView>, ApiError> {
    blocking(move || {
        let found = lab.services.database.find_study(&id)?;
        let (of, tree) = found.ok_or_else(|| ApiError::missing(format!("there is no study `{id}`")))?;
        Ok(Json(StudyView { of, tree }))
    })
    .await
}

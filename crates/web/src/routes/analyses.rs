//! Analyses.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::extract::ws::WebSocketUpgrade;
use axum::http::StatusCode;
use axum::response::Response;
use serde_json::json;
use tokio::sync::watch;

use crate::analyses::{self, AnalysisRequest, AnalysisView};
use crate::error::{ApiError, ErrorBody};
use crate::extract::{Body, PathParams};
use crate::lab::{Lab, blocking};
use crate::routes::replays::OpenedView;
use crate::sockets;

/// The analyses of a match.
#[utoipa::path(get, path = "/api/matches/{id}/analyses", tag = "analyses", params(("id" = String, Path)),
    responses((status = 200, body = [AnalysisView]), (status = 404, body = ErrorBody)))]
pub(super) async fn list_analyses(
    State(lab): State<Arc<Lab>>,
    PathParams(id): PathParams<String>,
) -> Result<Json<Vec<AnalysisView>>, ApiError> {
    let room = lab.room(&id).await?;
    blocking(move || {
        let mut views: Vec<AnalysisView> = lab.services.database.analyses(room.id())?;
        for current in lab.analyses.of(room.id()) {
            if views.iter().all(|view| view.id != current.id) {
                views.push(AnalysisView::clone(&current));
            }
        }
        Ok(Json(views))
    })
    .await
}

/// Lets an agent search a position.
#[utoipa::path(post, path = "/api/matches/{id}/analyses", tag = "analyses", params(("id" = String, Path)),
    request_body = AnalysisRequest, responses((status = 201, body = OpenedView), (status = 400, body = ErrorBody),
    (status = 409, body = ErrorBody), (status = 429, body = ErrorBody)))]
pub(super) async fn new_analysis(
    State(lab): State<Arc<Lab>>,
    PathParams(id): PathParams<String>,
    Body(request): Body<AnalysisRequest>,
) -> Result<(StatusCode, Json<OpenedView>), ApiError> {
    let room = lab.room(&id).await?;
    let id = blocking(move || analyses::start(&lab, &room, request)).await?;
    Ok((StatusCode::CREATED, Json(OpenedView::of(id))))
}

async fn kept(lab: &Arc<Lab>, id: String) -> Result<AnalysisView, ApiError> {
    let lab = Arc::clone(lab);
    blocking(move || {
        let found = lab.services.database.find_analysis(&id)?;
        found.ok_or_else(|| ApiError::missing(format!("there is no analysis `{id}`")))
    })
    .await
}

/// An analysis.
#[utoipa::path(get, path = "/api/analyses/{id}", tag = "analyses", params(("id" = String, Path)),
    responses((status = 200, body = AnalysisView), (status = 404, body = ErrorBody)))]
pub(super) async fn view_analysis(
    State(lab): State<Arc<Lab>>,
    PathParams(id): PathParams<String>,
) -> Result<Json<AnalysisView>, ApiError> {
    match lab.analyses.find(&id) {
        Some(analysis) => Ok(Json(AnalysisView::clone(&analysis.view.borrow()))),
        None => Ok(Json(kept(&lab, id).await?)),
    }
}

/// Ends an analysis with the best decision so far.
#[utoipa::path(post, path = "/api/analyses/{id}/stop", tag = "analyses", params(("id" = String, Path)),
    responses((status = 200, body = AnalysisView), (status = 404, body = ErrorBody)))]
pub(super) async fn stop_analysis(
    State(lab): State<Arc<Lab>>,
    PathParams(id): PathParams<String>,
) -> Result<Json<AnalysisView>, ApiError> {
    match lab.analyses.find(&id) {
        Some(analysis) => {
            analysis.stop();
            Ok(Json(AnalysisView::clone(&analysis.view.borrow())))
        }
        None => Ok(Json(kept(&lab, id).await?)),
    }
}

/// A WebSocket with the progress of an analysis. The analysis ends with its best decision when its last watcher leaves.
#[utoipa::path(get, path = "/api/analyses/{id}/live", tag = "analyses", params(("id" = String, Path)),
    responses((status = 101, description = "the analysis while it grows; see docs/api.md"),
    (status = 404, body = ErrorBody)))]
pub(super) async fn live(
    State(lab): State<Arc<Lab>>,
    PathParams(id): PathParams<String>,
    upgrade: WebSocketUpgrade,
) -> Result<Response, ApiError> {
    let (updates, keep) = match lab.analyses.find(&id) {
        Some(analysis) => (analysis.watch(), None),
        None => {
            let sender = watch::Sender::new(Arc::new(kept(&lab, id).await?));
            (sender.subscribe(), Some(sender))
        }
    };
    Ok(sockets::accept(&lab, upgrade, move |client| async move {
        let text = |view: &Arc<AnalysisView>| json!({ "analysis": **view });
        sockets::watch_latest(client, updates, "analysis", text, |view| view.ended()).await;
        drop(keep);
    }))
}

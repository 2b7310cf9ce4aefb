//! Trainings of networks.

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::extract::ws::WebSocketUpgrade;
use axum::http::StatusCode;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use crate::database::now;
use crate::error::{ApiError, ErrorBody};
use crate::extract::Body;
use crate::lab::{Lab, blocking};
use crate::sockets;
use crate::stores::name_from;
use crate::trainings::{TrainingJob, TrainingsView};

/// What can be trained, and what was.
#[derive(Serialize, ToSchema)]
pub(super) struct TrainingPage {
    /// Games that can be trained.
    games: Vec<TrainableGame>,
    /// Minutes that a training may take.
    most_minutes: f64,
    /// The trainings.
    #[serde(flatten)]
    all: TrainingsView,
}

/// A game that can be trained.
#[derive(Serialize, ToSchema)]
pub(super) struct TrainableGame {
    /// Its address.
    game: String,
    /// What people call it.
    title: String,
}

/// Games that can be trained, and trainings.
#[utoipa::path(get, path = "/api/trainings", tag = "trainings", responses((status = 200, body = TrainingPage)))]
pub(super) async fn list_trainings(State(lab): State<Arc<Lab>>) -> Result<Json<TrainingPage>, ApiError> {
    blocking(move || {
        let game = |address: &&'static str| {
            let opened = lab.catalogue.open(address).ok()?;
            opened.self_play().ok()?;
            let title = lab.catalogue.title(address).ok()?;
            Some(TrainableGame { game: (*address).to_owned(), title })
        };
        let first = |info: &tesuji_arena::GameInfo| info.examples.first().copied();
        let games = lab.catalogue.games().iter().filter_map(first).filter_map(|address| game(&address)).collect();
        let all = TrainingsView::clone(&lab.trainings.view());
        Ok(Json(TrainingPage { games, most_minutes: lab.limits().training_minutes, all }))
    })
    .await
}

/// A training to start.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct TrainingRequest {
    /// The game's address.
    game: String,
    /// What to call the network.
    name: String,
    /// How long to train.
    minutes: f64,
}

/// Starts a training.
#[utoipa::path(post, path = "/api/trainings", tag = "trainings", request_body = TrainingRequest,
    responses((status = 201, body = TrainingsView), (status = 400, body = ErrorBody),
    (status = 409, body = ErrorBody)))]
pub(super) async fn start_training(
    State(lab): State<Arc<Lab>>,
    Body(request): Body<TrainingRequest>,
) -> Result<(StatusCode, Json<TrainingsView>), ApiError> {
    let most = lab.limits().training_minutes;
    if !(request.minutes > 0.0 && request.minutes <= most) {
        return Err(ApiError::bad(format!("a training takes more than 0 and at most {most} minutes"))
            .with_help("longer ones: `tesuji train`"));
    }
    blocking(move || {
        let inside = lab.addresses.game(&request.game)?;
        let game = lab.catalogue.open(&inside)?;
        drop(game.self_play()?);
        lab.trainings.start(TrainingJob {
            name: name_from(&request.name),
            game_title: lab.catalogue.title(&request.game).unwrap_or_else(|_| request.game.clone()),
            game: request.game,
            inside,
            time: Duration::from_secs_f64(60.0 * request.minutes),
            now: now(),
        })?;
        Ok((StatusCode::CREATED, Json(TrainingsView::clone(&lab.trainings.view()))))
    })
    .await
}

/// Which training.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct StopTraining {
    /// Its name.
    name: String,
}

/// Stops a training; its network is kept.
#[utoipa::path(post, path = "/api/trainings/stop", tag = "trainings", request_body = StopTraining,
    responses((status = 200, body = TrainingsView), (status = 404, body = ErrorBody)))]
pub(super) async fn stop_training(
    State(lab): State<Arc<Lab>>,
    Body(request): Body<StopTraining>,
) -> Result<Json<TrainingsView>, ApiError> {
    if !lab.trainings.stop(&request.name) {
        return Err(ApiError::missing(format!("`{}` is not being trained", request.name)));
    }
    Ok(Json(TrainingsView::clone(&lab.trainings.view())))
}

/// A WebSocket with the progress of trainings.
#[utoipa::path(get, path = "/api/trainings/live", tag = "trainings",
    responses((status = 101, description = "all trainings; see docs/api.md")))]
pub(super) async fn live_trainings(State(lab): State<Arc<Lab>>, upgrade: WebSocketUpgrade) -> Response {
    let updates = lab.trainings.changes();
    sockets::accept(&lab, upgrade, move |client| {
        let text = |view: &Arc<TrainingsView>| json!(**view);
        sockets::watch_latest(client, updates, "trainings", text, |_| false)
    })
}

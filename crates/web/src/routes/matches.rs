//! Matches: listed, looked at, removed, watched; open seats are taken.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::extract::ws::WebSocketUpgrade;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::changes::KeyRequest;
use super::new_match::checked_name;
use crate::database::MatchRow;
use crate::error::{ApiError, ErrorBody};
use crate::extract::{Body, Params, PathParams};
use crate::lab::{Lab, blocking};
use crate::room::{PLAYED, Position};
use crate::sockets;
use crate::view::{FullStepView, MatchView, SeatView, TranscriptView, seat_views};

/// A list of matches.
#[derive(Serialize, ToSchema)]
pub(super) struct MatchList {
    /// How many there are.
    total: u64,
    /// Some of them, the last changed first.
    matches: Vec<ListedMatch>,
}

/// A match in a list.
#[derive(Serialize, ToSchema)]
pub(super) struct ListedMatch {
    /// The match.
    id: String,
    /// The game's address.
    game: String,
    /// What people call the game.
    game_title: String,
    /// The names of the seats.
    players: Vec<String>,
    /// Who sits where.
    seats: Vec<SeatView>,
    /// Steps made.
    steps: usize,
    /// Is it over?
    over: bool,
    /// What each player got.
    payoffs: Option<Vec<f64>>,
    /// Who resigned.
    resigned: Option<u8>,
    /// `play`, `replay` or `store`.
    origin: String,
    /// What it is called.
    title: String,
    /// Seconds since 1970.
    created: i64,
    /// Seconds since 1970.
    updated: i64,
}

impl ListedMatch {
    fn of(lab: &Lab, row: MatchRow) -> ListedMatch {
        ListedMatch {
            game_title: lab.catalogue.title(&row.game).unwrap_or_else(|_| row.game.clone()),
            seats: seat_views(&row.players, &row.seats, &row.keys, row.origin == PLAYED),
            id: row.id,
            game: row.game,
            players: row.players,
            steps: row.progress.steps,
            over: row.progress.over,
            payoffs: row.progress.payoffs,
            resigned: row.progress.resigned,
            origin: row.origin,
            title: row.title,
            created: row.created,
            updated: row.updated,
        }
    }
}

/// Which matches.
#[derive(Deserialize, IntoParams)]
pub(super) struct ListQuery {
    /// Passed over.
    #[serde(default)]
    offset: u64,
    /// At most this many, and at most 200.
    limit: Option<u64>,
    /// `live`, `over` or `all`.
    state: Option<String>,
}

/// The longest list in one answer.
pub(super) const LONGEST_LIST: u64 = 200;
/// The usual length of a list.
pub(super) const USUAL_LIST: u64 = 50;

/// Matches, the last changed first.
#[utoipa::path(get, path = "/api/matches", tag = "matches", params(ListQuery),
    responses((status = 200, body = MatchList)))]
pub(super) async fn list_matches(
    State(lab): State<Arc<Lab>>,
    Params(query): Params<ListQuery>,
) -> Result<Json<MatchList>, ApiError> {
    let over = match query.state.as_deref() {
        None | Some("all") => None,
        Some("live") => Some(false),
        Some("over") => Some(true),
        Some(other) => return Err(ApiError::bad(format!("`state={other}`: expected live, over or all"))),
    };
    let limit = query.limit.unwrap_or(USUAL_LIST).min(LONGEST_LIST);
    blocking(move || {
        let (total, rows) = lab.services.database.list_matches(over, query.offset.min(i64::MAX as u64), limit)?;
        Ok(Json(MatchList { total, matches: rows.into_iter().map(|row| ListedMatch::of(&lab, row)).collect() }))
    })
    .await
}

/// Which position, and how much of it.
#[derive(Deserialize, IntoParams)]
pub(super) struct ViewQuery {
    /// After that many steps.
    step: Option<usize>,
    /// Further steps as JSON, such as `[["a1-b2"]]`.
    line: Option<String>,
    /// `1`: without picture and history.
    brief: Option<String>,
}

/// Is a switch of a query on?
pub(super) fn is_set(switch: Option<&str>) -> bool {
    switch.is_some_and(|value| value != "0")
}

pub(super) fn json_text(text: &str) -> Response {
    ([(CONTENT_TYPE, "application/json")], text.to_owned()).into_response()
}

/// A position of a match.
#[utoipa::path(get, path = "/api/matches/{id}", tag = "matches", params(("id" = String, Path), ViewQuery),
    responses((status = 200, body = MatchView), (status = 404, body = ErrorBody)))]
pub(super) async fn view_match(
    State(lab): State<Arc<Lab>>,
    PathParams(id): PathParams<String>,
    Params(query): Params<ViewQuery>,
) -> Result<Response, ApiError> {
    let line = match &query.line {
        None => Vec::new(),
        Some(text) => serde_json::from_str(text).map_err(|error| {
            ApiError::bad(format!("`line` cannot be used: {error}")).with_help("such as [[\"a1-b2\"]]")
        })?,
    };
    let brief = is_set(query.brief.as_deref());
    let room = lab.room(&id).await?;
    let position = Position { step: query.step, line };
    blocking(move || Ok(json_text(&room.view(&position, brief)?))).await
}

/// Removes a match.
#[utoipa::path(delete, path = "/api/matches/{id}", tag = "matches", params(("id" = String, Path)),
    request_body = KeyRequest, responses((status = 204), (status = 403, body = ErrorBody)))]
pub(super) async fn remove_match(
    State(lab): State<Arc<Lab>>,
    PathParams(id): PathParams<String>,
    Body(request): Body<KeyRequest>,
) -> Result<StatusCode, ApiError> {
    let room = lab.room(&id).await?;
    room.may_remove(request.key.as_deref())?;
    lab.remove(room).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// A step with the whole decisions of agents.
#[utoipa::path(get, path = "/api/matches/{id}/steps/{step}", tag = "matches",
    params(("id" = String, Path), ("step" = usize, Path)),
    responses((status = 200, body = FullStepView), (status = 404, body = ErrorBody)))]
pub(super) async fn full_step(
    State(lab): State<Arc<Lab>>,
    PathParams((id, step)): PathParams<(String, usize)>,
) -> Result<Json<FullStepView>, ApiError> {
    let room = lab.room(&id).await?;
    blocking(move || Ok(Json(room.step(step)?))).await
}

/// What language models asked and were answered in a match.
#[utoipa::path(get, path = "/api/matches/{id}/transcripts", tag = "matches", params(("id" = String, Path)),
    responses((status = 200, body = [TranscriptView]), (status = 403, body = ErrorBody)))]
pub(super) async fn transcripts(
    State(lab): State<Arc<Lab>>,
    PathParams(id): PathParams<String>,
) -> Result<Response, ApiError> {
    let room = lab.room(&id).await?;
    blocking(move || {
        let text = serde_json::to_string(&room.transcripts()?).map_err(|error| ApiError::fault(error.to_string()))?;
        Ok(json_text(&lab.addresses.shown(&text)))
    })
    .await
}

/// Who sits down.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SitRequest {
    /// By which name.
    name: String,
}

/// A seat that was taken.
#[derive(Serialize, ToSchema)]
pub(super) struct SeatTakenView {
    /// The player.
    player: u8,
    /// The key of the seat.
    key: String,
}

/// Sits down at an open seat.
#[utoipa::path(post, path = "/api/matches/{id}/seats/{player}", tag = "matches",
    params(("id" = String, Path), ("player" = u8, Path)), request_body = SitRequest,
    responses((status = 200, body = SeatTakenView), (status = 409, body = ErrorBody)))]
pub(super) async fn take_seat(
    State(lab): State<Arc<Lab>>,
    PathParams((id, player)): PathParams<(String, u8)>,
    Body(request): Body<SitRequest>,
) -> Result<Json<SeatTakenView>, ApiError> {
    let name = checked_name(&lab, request.name)?;
    let room = lab.room(&id).await?;
    blocking(move || Ok(Json(SeatTakenView { player, key: room.sit(player, &name)? }))).await
}

/// A WebSocket that tells of everything that happens in a match.
#[utoipa::path(get, path = "/api/matches/{id}/live", tag = "matches", params(("id" = String, Path)),
    responses((status = 101, description = "views and thoughts; see docs/api.md"), (status = 404, body = ErrorBody)))]
pub(super) async fn live(
    State(lab): State<Arc<Lab>>,
    PathParams(id): PathParams<String>,
    upgrade: WebSocketUpgrade,
) -> Result<Response, ApiError> {
    let room = lab.room(&id).await?;
    Ok(sockets::accept(&lab, upgrade, move |client| sockets::watch_match(client, room)))
}

//! Matches: made, looked at, played.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::extract::ws::WebSocketUpgrade;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use tesuji_arena::{AnyGame, AnyMatch, Occupant, Streams};
use utoipa::{IntoParams, ToSchema};

use super::changes::KeyRequest;
use crate::address_parts::AddressRequest;
use crate::budget::BudgetRequest;
use crate::database::{MatchProgress, MatchRow, ProtocolRow, now};
use crate::error::{ApiError, ErrorBody};
use crate::extract::{Body, Params, PathParams};
use crate::lab::{Lab, blocking};
use crate::people::{self, ProtocolRequest};
use crate::room::{PLAYED, Position};
use crate::view::{FullStepView, MatchView, SeatView, seat_views};
use crate::{secret, sockets};

/// Seeds are whole numbers that JavaScript can hold.
const LARGEST_SEED: u64 = (1 << 53) - 1;

/// A new match.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewMatch {
    /// The game's address.
    game: AddressRequest,
    /// One for each player.
    seats: Vec<SeatRequest>,
    /// The seed of nature and agents; random if absent.
    #[serde(default)]
    seed: Option<u64>,
    /// What to call the match.
    #[serde(default)]
    title: String,
    /// The table of a paper that the match is played for.
    #[serde(default)]
    protocol: Option<ProtocolRequest>,
}

/// Who takes a seat: a person, an agent, or nobody yet.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SeatRequest {
    /// The caller, by name.
    #[serde(default)]
    person: Option<String>,
    /// Somebody may sit down later.
    #[serde(default)]
    open: bool,
    /// An agent's address.
    #[serde(default)]
    agent: Option<AddressRequest>,
    /// The budget of a decision.
    #[serde(default)]
    budget: Option<BudgetRequest>,
}

/// A match that was made.
#[derive(Serialize, ToSchema)]
pub(super) struct NewMatchView {
    /// The match.
    id: String,
    /// By player: the key of each person's seat.
    keys: BTreeMap<String, String>,
}

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

/// Starts a match.
#[utoipa::path(post, path = "/api/matches", tag = "matches", request_body = NewMatch,
    responses((status = 201, body = NewMatchView), (status = 400, body = ErrorBody), (status = 429, body = ErrorBody)))]
pub(super) async fn new_match(
    State(lab): State<Arc<Lab>>,
    Body(request): Body<NewMatch>,
) -> Result<(StatusCode, Json<NewMatchView>), ApiError> {
    let seed = match request.seed {
        Some(seed) if seed > LARGEST_SEED => return Err(ApiError::bad(format!("a seed is at most {LARGEST_SEED}"))),
        Some(seed) => seed,
        // 52 bits: too many to find by trying which seed explains the dice.
        None => u64::from_str_radix(&secret::digest(&secret::new_key())[..13], 16).unwrap_or(1),
    };
    let title = checked_name(&lab, request.title)?;
    let mut seats = Vec::new();
    let mut keys = Vec::new();
    let mut given = BTreeMap::new();
    for (player, seat) in request.seats.into_iter().enumerate() {
        let (occupant, key) = match (seat.person, seat.agent, seat.open) {
            (Some(name), None, false) => {
                let key = secret::new_key();
                let kept = secret::digest(&key);
                given.insert(player.to_string(), key);
                (Occupant::Person { name: checked_name(&lab, name)? }, Some(kept))
            }
            (None, Some(agent), false) => {
                let budget = seat.budget.unwrap_or_default().checked(lab.limits())?;
                (Occupant::Agent { agent: lab.addresses.agent_text(&agent)?, budget }, None)
            }
            (None, None, true) => (Occupant::Person { name: String::new() }, None),
            _ => {
                return Err(ApiError::bad(format!("seat {player} is empty")).with_help(
                    "a seat is {\"person\": NAME}, {\"open\": true} or {\"agent\": ADDRESS, \"budget\": …}",
                ));
            }
        };
        seats.push(occupant);
        keys.push(key);
    }
    let game = lab.open_game(&lab.addresses.game_text(&request.game)?).await?;
    let players = game.spec().players.clone();
    if seats.len() != players.len() {
        return Err(ApiError::bad(format!("{} seats are filled, the game has {}", seats.len(), players.len()))
            .with_help(format!("the seats are {}", players.join(", "))));
    }
    let tested = match request.protocol {
        Some(protocol) => Some(tested(protocol, &seats)?),
        None => None,
    };
    let row = MatchRow {
        id: secret::new_id(),
        created: now(),
        updated: now(),
        game: lab.addresses.shown(&game.spec().name),
        players,
        seats,
        keys,
        seed,
        title,
        origin: PLAYED.to_owned(),
        source: None,
        progress: MatchProgress::default(),
    };
    let live = first_position(&lab, &row, &game).await?;
    let room = lab.add_match(game, row, live).await?;
    if let Some((table, mut tested)) = tested {
        tested.id = room.id().to_owned();
        let lab = Arc::clone(&lab);
        blocking(move || Ok(lab.services.database.put_protocol(&table, &tested)?)).await?;
    }
    Ok((StatusCode::CREATED, Json(NewMatchView { id: room.id().to_owned(), keys: given })))
}

/// The table that a match is played for, and what is noted of it. Refuses a match that is not what the protocol says.
fn tested(request: ProtocolRequest, seats: &[Occupant]) -> Result<(String, ProtocolRow), ApiError> {
    let protocol = people::protocol(&request.table)?;
    let Some(opponent) = protocol.opponents.get(request.opponent) else {
        return Err(ApiError::bad("the protocol has no such opponent"));
    };
    let person = |seat: &Occupant| match seat {
        Occupant::Person { name } if !name.is_empty() => Some(name.clone()),
        _ => None,
    };
    let met = |seat: &Occupant| matches!(seat, Occupant::Agent { agent, .. } if *agent == opponent.agent);
    let place = seats.iter().position(|seat| person(seat).is_some());
    match place {
        Some(seat) if seats.len() == 2 && met(&seats[1 - seat]) => {
            let name = person(&seats[seat]).unwrap_or_default();
            let row = ProtocolRow {
                id: String::new(),
                person: name,
                opponent: request.opponent,
                seat,
                over: false,
                payoffs: None,
            };
            Ok((request.table, row))
        }
        _ => Err(ApiError::bad(format!("for this table one person plays against `{}`", opponent.agent))),
    }
}

/// A match before its first step. An agent that cannot play here is refused before anything is saved.
async fn first_position(
    lab: &Arc<Lab>,
    row: &MatchRow,
    game: &Arc<dyn AnyGame>,
) -> Result<Box<dyn AnyMatch>, ApiError> {
    let (inside, game, seed) = (lab.seats_inside(&row.seats)?, Arc::clone(game), row.seed);
    blocking(move || {
        for occupant in &inside {
            if let Occupant::Agent { agent, .. } = occupant {
                game.check_agent(agent)?;
            }
        }
        let mut live = game.new_match(None)?;
        live.fill_seats(inside, Streams::by_step(seed))?;
        Ok(live)
    })
    .await
}

fn checked_name(lab: &Lab, name: String) -> Result<String, ApiError> {
    let most = lab.limits().name_length;
    let name = name.trim();
    if name.chars().count() > most {
        return Err(ApiError::bad(format!("a name has at most {most} characters")));
    }
    Ok(name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect())
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

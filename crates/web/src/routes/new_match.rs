//! New matches: a game, who sits where, and the table of a paper that they are played for.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use tesuji_arena::{AnyGame, AnyMatch, Occupant, Streams};
use utoipa::ToSchema;

use crate::address_parts::AddressRequest;
use crate::budget::BudgetRequest;
use crate::database::{MatchProgress, MatchRow, ProtocolRow, now};
use crate::error::{ApiError, ErrorBody};
use crate::extract::Body;
use crate::lab::{Lab, blocking};
use crate::people::{self, ProtocolRequest};
use crate::room::PLAYED;
use crate::secret;

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

/// A name without characters that nobody sees; refused if it is too long.
pub(super) fn checked_name(lab: &Lab, name: String) -> Result<String, ApiError> {
    let most = lab.limits().name_length;
    let name = name.trim();
    if name.chars().count() > most {
        return Err(ApiError::bad(format!("a name has at most {most} characters")));
    }
    Ok(name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect())
}

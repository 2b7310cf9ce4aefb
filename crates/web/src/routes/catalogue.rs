//! Games, agents and uploads.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use tesuji_arena::{AgentInfo, AnyGame, GameInfo, ParameterInfo, Trust};
use utoipa::{IntoParams, ToSchema};

use crate::address_parts::{AddressParts, AddressRequest};
use crate::cancellable::cancellable;
use crate::error::{ApiError, ErrorBody};
use crate::extract::{Body, Params};
use crate::lab::{Lab, blocking};
use crate::uploads::{self, UploadRequest, UploadView};
use crate::view::PictureView;

/// A game of the catalogue.
#[derive(Clone, Serialize, ToSchema)]
pub(super) struct GameView {
    /// The name before the parentheses.
    name: &'static str,
    /// What people call it.
    title: &'static str,
    /// What it is.
    summary: &'static str,
    /// The seats of the first example.
    players: Vec<String>,
    /// The features of the first example: `chance`, `simultaneous`, …
    features: Vec<&'static str>,
    /// The version of the rules.
    version: u32,
    /// What executes them.
    engine: &'static str,
    /// What may stand between the parentheses.
    parameters: Vec<ParameterView>,
    /// Addresses to try.
    examples: &'static [&'static str],
    /// The arguments of each example, by parameter.
    example_arguments: Vec<BTreeMap<String, String>>,
}

/// A parameter of a game or an agent.
#[derive(Clone, Serialize, ToSchema)]
pub(super) struct ParameterView {
    /// The key.
    name: &'static str,
    /// The default; null if it must be given.
    default: Option<String>,
    /// What it is.
    summary: &'static str,
    /// Data that come with the program.
    choices: Vec<&'static str>,
    /// The ending of uploads that can stand here.
    upload: Option<&'static str>,
}

impl From<&ParameterInfo> for ParameterView {
    fn from(info: &ParameterInfo) -> ParameterView {
        ParameterView {
            name: info.name,
            default: info.default.clone(),
            summary: info.summary,
            choices: info.bundled.clone(),
            upload: info.ending,
        }
    }
}

/// A game by its address.
#[derive(Serialize, ToSchema)]
pub(super) struct DescriptionView {
    /// The address.
    game: String,
    /// The address as a name and arguments.
    parts: AddressParts,
    /// The seats.
    players: Vec<String>,
    /// Its features: `chance`, `simultaneous`, …
    features: Vec<&'static str>,
    /// The version of the rules.
    version: u32,
    /// What executes them.
    engine: &'static str,
    /// The least and the greatest payoff.
    payoff_range: (f64, f64),
    /// No match has more steps.
    max_steps: usize,
    /// The start, drawn.
    picture: PictureView,
    /// The start on one line.
    state: String,
}

/// An agent.
#[derive(Serialize, ToSchema)]
pub(super) struct AgentView {
    /// The name before the parentheses.
    name: &'static str,
    /// What it is.
    summary: &'static str,
    /// The features it handles.
    features: Vec<&'static str>,
    /// The kind that a preset is made of.
    preset_of: Option<&'static str>,
    /// What may stand between the parentheses.
    parameters: Vec<ParameterView>,
}

impl From<&AgentInfo> for AgentView {
    fn from(info: &AgentInfo) -> AgentView {
        AgentView {
            name: info.name,
            summary: info.summary,
            features: info.handles.names(),
            preset_of: info.preset_of,
            parameters: info.parameters.iter().map(ParameterView::from).collect(),
        }
    }
}

/// The catalogue of games.
#[utoipa::path(get, path = "/api/games", tag = "catalogue", responses((status = 200, body = [GameView])))]
pub(super) async fn list_games(State(lab): State<Arc<Lab>>) -> Result<Json<Vec<GameView>>, ApiError> {
    if lab.examples.get().is_none() {
        let mut examples = Vec::new();
        for info in lab.catalogue.games() {
            examples.push(lab.open_game(info.examples.first().copied().unwrap_or(info.name)).await?);
        }
        lab.examples.get_or_init(|| examples);
    }
    let examples = lab.examples.get().into_iter().flatten();
    let view = |(info, game): (&GameInfo, &Arc<dyn AnyGame>)| GameView {
        name: info.name,
        title: info.title,
        summary: info.summary,
        players: game.spec().players.clone(),
        features: game.spec().features.names(),
        version: game.spec().version,
        engine: game.engine(),
        parameters: info.parameters.iter().map(ParameterView::from).collect(),
        examples: info.examples,
        example_arguments: info.examples.iter().map(|example| arguments_of(example, info)).collect(),
    };
    Ok(Json(lab.catalogue.games().iter().zip(examples).map(view).collect()))
}

/// The arguments of an example, which is part of the program.
fn arguments_of(example: &str, info: &GameInfo) -> BTreeMap<String, String> {
    AddressParts::of(example, &info.parameters).map(|parts| parts.arguments).unwrap_or_default()
}

/// Which game.
#[derive(Deserialize, IntoParams)]
pub(super) struct GameQuery {
    /// The game's address.
    game: Option<String>,
    /// Its name instead.
    name: Option<String>,
    /// With `name`: its arguments by parameter, as JSON such as `{"rows":"5"}`.
    arguments: Option<String>,
}

impl GameQuery {
    fn address(self) -> Result<AddressRequest, ApiError> {
        let Some(name) = self.name else {
            let missing = || ApiError::bad("expected `game`, or `name` with `arguments`");
            return self.game.map(AddressRequest::Text).ok_or_else(missing);
        };
        let arguments = self.arguments.as_deref().unwrap_or("{}");
        let arguments = serde_json::from_str(arguments).map_err(|error| {
            ApiError::bad(format!("`arguments` cannot be read: {error}")).with_help("such as {\"rows\": \"5\"}")
        })?;
        Ok(AddressRequest::Parts(AddressParts { name, arguments }))
    }
}

/// A game by its address.
#[utoipa::path(get, path = "/api/games/describe", tag = "catalogue", params(GameQuery),
    responses((status = 200, body = DescriptionView), (status = 400, body = ErrorBody)))]
pub(super) async fn describe_game(
    State(lab): State<Arc<Lab>>,
    Params(query): Params<GameQuery>,
) -> Result<Json<DescriptionView>, ApiError> {
    let address = lab.addresses.game_text(&query.address()?)?;
    let game = lab.open_game(&address).await?;
    blocking(move || {
        let spec = game.spec();
        let table = game.new_match(None)?;
        Ok(Json(DescriptionView {
            game: lab.addresses.shown(&spec.name),
            parts: lab.addresses.game_parts(&address)?,
            players: spec.players.clone(),
            features: spec.features.names(),
            version: spec.version,
            engine: game.engine(),
            payoff_range: spec.payoffs,
            max_steps: spec.max_steps,
            picture: PictureView::of(&table.picture()),
            state: table.state_text(),
        }))
    })
    .await
}

/// Which agents.
#[derive(Deserialize, IntoParams)]
pub(super) struct AgentQuery {
    /// Only those that can play this game.
    game: Option<String>,
}

/// Agents with their parameters and presets.
#[utoipa::path(get, path = "/api/agents", tag = "catalogue", params(AgentQuery),
    responses((status = 200, body = [AgentView]), (status = 400, body = ErrorBody)))]
pub(super) async fn list_agents(
    State(lab): State<Arc<Lab>>,
    Params(query): Params<AgentQuery>,
) -> Result<Json<Vec<AgentView>>, ApiError> {
    let Some(address) = query.game else {
        return Ok(Json(seated(&lab).map(AgentView::from).collect()));
    };
    let game = lab.open_game(&address).await?;
    let limit = Duration::from_secs(lab.limits().open_seconds);
    cancellable("finding the agents of the game", limit, move || {
        // Finding out builds every agent once for the game; games are asked about again and again.
        let name = game.spec().name.clone();
        let known = lab.able.lock().unwrap_or_else(PoisonError::into_inner).get(&name).cloned();
        let names = match known {
            Some(names) => names,
            None => {
                let names: Vec<&'static str> = game.able_agents().iter().map(|info| info.name).collect();
                let mut able = lab.able.lock().unwrap_or_else(PoisonError::into_inner);
                if able.len() >= REMEMBERED {
                    able.clear();
                }
                able.insert(name, names.clone());
                names
            }
        };
        // A program names its command and a model its name, so that they cannot be tried beforehand.
        let infos = seated(&lab).filter(|info| info.trust != Trust::Contained || names.contains(&info.name));
        Ok(Json(infos.map(AgentView::from).collect()))
    })
    .await
}

/// The agents that the lab allows.
fn seated(lab: &Lab) -> impl Iterator<Item = &AgentInfo> {
    lab.catalogue.agents().iter().filter(|info| lab.addresses.seats(info.trust))
}

/// Games whose able agents are remembered.
const REMEMBERED: usize = 256;

/// The uploads that are kept.
#[utoipa::path(get, path = "/api/uploads", tag = "catalogue", responses((status = 200, body = [UploadView])))]
pub(super) async fn list_uploads(State(lab): State<Arc<Lab>>) -> Result<Json<Vec<UploadView>>, ApiError> {
    blocking(move || Ok(Json(uploads::list(&lab)))).await
}

/// Checks and saves a map, a rule sheet, a tree or a matrix.
#[utoipa::path(post, path = "/api/uploads", tag = "catalogue", request_body = UploadRequest,
    responses((status = 201, body = UploadView), (status = 400, body = ErrorBody), (status = 413, body = ErrorBody)))]
pub(super) async fn add_upload(
    State(lab): State<Arc<Lab>>,
    Body(request): Body<UploadRequest>,
) -> Result<(StatusCode, Json<UploadView>), ApiError> {
    Ok((StatusCode::CREATED, Json(uploads::add(&lab, request).await?)))
}

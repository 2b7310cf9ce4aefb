//! Papers: what they claim, what came out, what people play for them, and matches that come with the program.

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use tesuji_arena::experiment::{Scale, read_experiment};
use tesuji_arena::{
    CommittedRow, Paper, Source, committed_tables, estimate, example_match, library, library_entry, papers,
};
use utoipa::ToSchema;

use crate::cancellable::cancellable;
use crate::error::{ApiError, ErrorBody};
use crate::extract::{Body, PathParams};
use crate::lab::{Lab, blocking};
use crate::people::{self, PeopleView};
use crate::replays::{self, Replay};
use crate::routes::replays::OpenedView;
use crate::submitted_experiment;

/// A paper with the results of its tables.
#[derive(Serialize, ToSchema)]
pub(super) struct PaperView {
    /// Number, title, claim and finding, in both languages; the page of results; a match that comes with the program.
    #[serde(flatten)]
    #[schema(value_type = Object)]
    paper: Paper,
    /// Its tables.
    tables: Vec<PaperTable>,
}

/// A table of a paper.
#[derive(Serialize, ToSchema)]
pub(super) struct PaperTable {
    /// Its name.
    id: String,
    /// What it shows.
    title: String,
    /// The same in Japanese.
    title_ja: String,
    /// Do people play it?
    people: bool,
    /// Files that do not come with the program, and where to get them.
    needs: String,
    /// The same in Japanese.
    needs_ja: String,
    /// How it is carried out where no program can.
    by_hand: String,
    /// The committed results.
    #[schema(value_type = Vec<Object>)]
    rows: Vec<CommittedRow>,
}

/// The papers with their committed results.
#[utoipa::path(get, path = "/api/papers", tag = "results", responses((status = 200, body = [PaperView])))]
pub(super) async fn list_papers() -> Result<Json<Vec<PaperView>>, ApiError> {
    blocking(|| {
        let (committed, entries) = (committed_tables(), library());
        let view = |paper: Paper| {
            let prefix = format!("{}/", paper.id);
            let own = entries.iter().filter(|entry| entry.id.starts_with(&prefix));
            let tables = own.map(|entry| PaperTable {
                id: entry.id.clone(),
                title: entry.title.clone(),
                title_ja: entry.title_ja.clone(),
                people: entry.people.is_some(),
                needs: entry.needs.clone(),
                needs_ja: entry.needs_ja.clone(),
                by_hand: entry.by_hand.clone(),
                rows: committed
                    .iter()
                    .filter(|table| table.id == entry.id)
                    .flat_map(|table| table.rows.clone())
                    .collect(),
            });
            PaperView { tables: tables.collect(), paper }
        };
        Ok(Json(papers().into_iter().map(view).collect()))
    })
    .await
}

/// What people play for a table, and how it went.
#[utoipa::path(get, path = "/api/people/{*id}", tag = "results", params(("id" = String, Path)),
    responses((status = 200, body = PeopleView), (status = 404, body = ErrorBody)))]
pub(super) async fn view_people(
    State(lab): State<Arc<Lab>>,
    PathParams(id): PathParams<String>,
) -> Result<Json<PeopleView>, ApiError> {
    blocking(move || Ok(Json(people::view(&lab, &id)?))).await
}

/// Opens a match that comes with the program.
#[utoipa::path(post, path = "/api/examples/{name}", tag = "results", params(("name" = String, Path)),
    responses((status = 201, body = OpenedView), (status = 404, body = ErrorBody)))]
pub(super) async fn open_example(
    State(lab): State<Arc<Lab>>,
    PathParams(name): PathParams<String>,
) -> Result<(StatusCode, Json<OpenedView>), ApiError> {
    let source = format!("example#{name}");
    let found = {
        let (lab, source) = (Arc::clone(&lab), source.clone());
        blocking(move || Ok(lab.services.database.find_source(&source)?)).await?
    };
    let id = match found {
        Some(id) => id,
        None => {
            let text = example_match(&name).ok_or_else(|| ApiError::missing(format!("there is no match `{name}`")))?;
            let replay: Replay = serde_json::from_str(&text).map_err(|error| ApiError::fault(error.to_string()))?;
            replays::open(&lab, replay, Some(source)).await?
        }
    };
    Ok((StatusCode::CREATED, Json(OpenedView::of(id))))
}

/// An experiment whose cost is asked for.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct EstimateRequest {
    /// A table of the library.
    #[serde(default)]
    name: Option<String>,
    /// An experiment's text instead.
    #[serde(default)]
    toml: Option<String>,
    /// `quick` or `full`.
    #[serde(default)]
    scale: Option<String>,
    /// Pairs of matches instead of those of the scale.
    #[serde(default)]
    pairs: Option<u64>,
}

/// The cost of an experiment, roughly.
#[derive(Serialize, ToSchema)]
pub(super) struct EstimateView {
    /// Matches in all, if no test stops it early.
    matches: u64,
    /// Seconds of one core.
    core_seconds: f64,
    /// Seconds on the threads of this lab.
    seconds: f64,
}

/// The longest time for an estimate: a decision of each agent is timed.
const TIMING: Duration = Duration::from_secs(4);

/// Estimates the cost of an experiment by timing a decision of each agent.
#[utoipa::path(post, path = "/api/experiments/estimate", tag = "experiments", request_body = EstimateRequest,
    responses((status = 200, body = EstimateView), (status = 400, body = ErrorBody)))]
pub(super) async fn estimate_experiment(
    State(lab): State<Arc<Lab>>,
    Body(request): Body<EstimateRequest>,
) -> Result<Json<EstimateView>, ApiError> {
    let limit = Duration::from_secs(lab.limits().open_seconds);
    cancellable("the estimate", limit, move || {
        let scale = if request.scale.as_deref() == Some("full") { Scale::Full } else { Scale::Quick };
        let (source, scale) = match (&request.name, &request.toml) {
            (Some(name), None) => (library_entry(name)?.source()?, scale),
            (None, Some(text)) => {
                let written = Source::new("experiment.toml", text);
                (submitted_experiment::from_outside(&lab.addresses, &written)?, Scale::Full)
            }
            _ => return Err(ApiError::bad("expected either `name` (a table of the library) or `toml`")),
        };
        let source = submitted_experiment::with_pairs(&source, request.pairs)?;
        let experiment = read_experiment(&lab.catalogue, &source, scale)
            .map_err(|error| ApiError::from(error).map_text(|text| lab.addresses.shown(text)))?;
        super::experiments::check_cost(&experiment, lab.limits())?;
        let cost = estimate(&experiment, TIMING)?;
        let core_seconds = match (experiment.core_hours, scale, request.pairs) {
            // What the same run took before is better than a guess.
            (Some(hours), Scale::Full, None) => hours * 3600.0,
            _ => cost.core_seconds,
        };
        let threads = lab.experiments.threads() as f64;
        Ok(Json(EstimateView { matches: cost.matches, core_seconds, seconds: core_seconds / threads }))
    })
    .await
}

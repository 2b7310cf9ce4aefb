//! Experiments: the library, runs, progress.

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::extract::ws::WebSocketUpgrade;
use axum::http::StatusCode;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tesuji_arena::experiment::{Experiment, Scale, read_experiment};
use tesuji_arena::{
    Availability, Catalogue, CommittedTable, InputError, LibraryEntry, Source, committed_table, committed_tables,
    library, library_entry,
};
use utoipa::ToSchema;

use crate::addresses::check_budget;
use crate::budget::budget_text;
use crate::cancellable::cancellable;
use crate::error::{ApiError, ErrorBody};
use crate::experiments::{EndedView, ExperimentJob, ExperimentsView, QueuedView, RunningView};
use crate::extract::{Body, PathParams};
use crate::lab::{Lab, blocking};
use crate::limits::Limits;
use crate::stores::{self, StoreView, name_from};
use crate::{sockets, submitted_experiment};

/// Everything about experiments.
#[derive(Serialize, ToSchema)]
pub(super) struct ExperimentList {
    /// Every table of the papers, and experiments of our own.
    library: Vec<LibraryView>,
    /// Stores in the lab's folder.
    stores: Vec<StoreView>,
    /// The run that goes on.
    running: Option<RunningView>,
    /// Those that wait.
    queue: Vec<QueuedView>,
    /// Those that ended.
    ended: Vec<EndedView>,
}

/// A table of the library.
#[derive(Serialize, ToSchema)]
pub(super) struct LibraryView {
    /// Its name.
    id: String,
    /// What it shows.
    title: String,
    /// The same in Japanese.
    title_ja: String,
    /// `ready`, `waiting` or `by-hand`.
    state: &'static str,
    /// What it waits for.
    waits_for: String,
    /// How people carry it out.
    by_hand: String,
    /// Stores that hold results of it.
    stores: Vec<String>,
    /// Do results of it come with the program?
    committed: bool,
    /// Do people play it?
    people: bool,
}

fn state_of(entry: &LibraryEntry) -> &'static str {
    match entry.availability() {
        Availability::Ready => "ready",
        // The page shows what it waits for.
        Availability::NeedsFiles | Availability::Waiting => "waiting",
        Availability::ByHand => "by-hand",
    }
}

/// What an entry waits for, missing files included.
fn waits_for(entry: &LibraryEntry) -> String {
    if entry.availability() == Availability::NeedsFiles { entry.needs.clone() } else { entry.waits_for.clone() }
}

/// The library, the stores, and what runs.
#[utoipa::path(get, path = "/api/experiments", tag = "experiments", responses((status = 200, body = ExperimentList)))]
pub(super) async fn list_experiments(State(lab): State<Arc<Lab>>) -> Result<Json<ExperimentList>, ApiError> {
    blocking(move || {
        let stores = stores::list(&lab.folder);
        let committed: Vec<String> = committed_tables().into_iter().map(|table| table.id).collect();
        let entry = |entry: LibraryEntry| LibraryView {
            state: state_of(&entry),
            waits_for: waits_for(&entry),
            stores: stores
                .iter()
                .filter(|store| store.reproduces.as_deref() == Some(entry.id.as_str()))
                .map(|store| store.name.clone())
                .collect(),
            committed: committed.contains(&entry.id),
            people: entry.people.is_some(),
            id: entry.id,
            title: entry.title,
            title_ja: entry.title_ja,
            by_hand: entry.by_hand,
        };
        let library = library().into_iter().map(entry).collect();
        let ExperimentsView { running, queue, ended } = ExperimentsView::clone(&lab.experiments.view());
        Ok(Json(ExperimentList { library, stores, running, queue, ended }))
    })
    .await
}

/// A table of the library with the paper's numbers.
#[derive(Serialize, ToSchema)]
pub(super) struct TableView {
    /// Its name.
    id: String,
    /// What it shows.
    title: String,
    /// The same in Japanese.
    title_ja: String,
    /// More about it.
    about: String,
    /// `ready`, `waiting` or `by-hand`.
    state: &'static str,
    /// What it waits for.
    waits_for: String,
    /// Missing files and where to get them, in Japanese.
    needs_ja: String,
    /// How people carry it out.
    by_hand: String,
    /// The same in Japanese.
    by_hand_ja: String,
    /// The experiment's file.
    toml: Option<String>,
    /// The games: label, address.
    games: Vec<Value>,
    /// The agents: label, address, budget.
    agents: Vec<Value>,
    /// The quick scale.
    quick: Option<ScaleView>,
    /// The published scale.
    full: Option<ScaleView>,
    /// What was published.
    published: Vec<Value>,
    /// Why it cannot be read here.
    error: Option<String>,
    /// The results that come with the program.
    #[schema(value_type = Object)]
    committed: Option<CommittedTable>,
    /// The same as HTML, with all figures.
    committed_html: Option<String>,
    /// Do people play it?
    people: bool,
    /// Hours of one core that the full scale takes, where that is known.
    core_hours: Option<f64>,
}

/// How large a scale is.
#[derive(Serialize, ToSchema)]
pub(super) struct ScaleView {
    /// Pairs of matches for each game and pairing.
    pairs: u64,
    /// Matches in all.
    matches: u64,
}

/// A table of the library with the paper's numbers.
#[utoipa::path(get, path = "/api/library/{*id}", tag = "experiments", params(("id" = String, Path)),
    responses((status = 200, body = TableView), (status = 404, body = ErrorBody)))]
pub(super) async fn library_table(
    State(lab): State<Arc<Lab>>,
    PathParams(id): PathParams<String>,
) -> Result<Json<TableView>, ApiError> {
    blocking(move || {
        let entry = library_entry(&id).map_err(|error| ApiError::from(error).with_status(StatusCode::NOT_FOUND))?;
        Ok(Json(table_view(&lab.catalogue, entry)))
    })
    .await
}

fn table_view(catalogue: &Catalogue, entry: LibraryEntry) -> TableView {
    let committed = committed_table(&entry.id);
    let mut view = TableView {
        state: state_of(&entry),
        about: String::new(),
        toml: None,
        games: Vec::new(),
        agents: Vec::new(),
        quick: None,
        full: None,
        published: Vec::new(),
        error: None,
        committed_html: committed.as_ref().map(|table| crate::rules::to_html(&table.markdown)),
        committed,
        people: entry.people.is_some(),
        core_hours: None,
        id: entry.id.clone(),
        title: entry.title.clone(),
        title_ja: entry.title_ja.clone(),
        waits_for: waits_for(&entry),
        needs_ja: entry.needs_ja.clone(),
        by_hand: entry.by_hand.clone(),
        by_hand_ja: entry.by_hand_ja.clone(),
    };
    let Ok(source) = entry.source() else { return view };
    view.toml = Some(source.text().to_owned());
    let mut fill = || -> Result<(), InputError> {
        let full = read_experiment(catalogue, &source, Scale::Full)?;
        let quick = read_experiment(catalogue, &source, Scale::Quick)?;
        let scale = |experiment: &tesuji_arena::experiment::Experiment| {
            let pairings = experiment.games.len() as u64 * experiment.pairings.len() as u64;
            ScaleView { pairs: experiment.pairs, matches: 2 * experiment.pairs * pairings }
        };
        (view.quick, view.full) = (Some(scale(&quick)), Some(scale(&full)));
        view.games = full.games.iter().map(|game| json!(game)).collect();
        let agent = |agent: &tesuji_arena::experiment::Competitor| {
            let budget = budget_text(&agent.budget);
            json!({ "label": agent.name.label, "address": agent.name.address, "budget": budget })
        };
        view.agents = full.agents.iter().map(agent).collect();
        view.core_hours = full.core_hours;
        view.about = full.about;
        view.published = full.published.iter().map(|result| json!(result)).collect();
        Ok(())
    };
    if let Err(error) = fill() {
        view.error = Some(error.to_string());
        // Maps that do not come with the program may be missing; what was published stands in the file all the same.
        let file = source.text().parse::<toml::Table>().ok();
        let published = file.as_ref().and_then(|file| file.get("published")?.as_array());
        view.published = published.into_iter().flatten().map(|result| json!(result)).collect();
    }
    view
}

/// An experiment to run.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct StartRequest {
    /// A table of the library.
    #[serde(default)]
    name: Option<String>,
    /// An experiment's text instead.
    #[serde(default)]
    toml: Option<String>,
    /// What to call the store; the experiment's title if absent.
    #[serde(default)]
    title: Option<String>,
    /// `quick` or `full`.
    #[serde(default)]
    scale: Option<String>,
    /// Pairs of matches instead of those of the scale.
    #[serde(default)]
    pairs: Option<u64>,
}

/// A run that was queued.
#[derive(Serialize, ToSchema)]
pub(super) struct StartedView {
    /// The store it fills.
    store: String,
}

/// Runs an experiment in the background.
#[utoipa::path(post, path = "/api/experiments", tag = "experiments", request_body = StartRequest,
    responses((status = 202, body = StartedView), (status = 400, body = ErrorBody), (status = 409, body = ErrorBody)))]
pub(super) async fn start_experiment(
    State(lab): State<Arc<Lab>>,
    Body(request): Body<StartRequest>,
) -> Result<(StatusCode, Json<StartedView>), ApiError> {
    let limit = Duration::from_secs(lab.limits().open_seconds);
    let store = cancellable("reading the experiment", limit, move || start(&lab, request)).await?;
    Ok((StatusCode::ACCEPTED, Json(StartedView { store })))
}

fn start(lab: &Lab, request: StartRequest) -> Result<String, ApiError> {
    let (scale, scale_name) = match request.scale.as_deref() {
        None | Some("quick") => (Scale::Quick, "quick"),
        Some("full") => (Scale::Full, "full"),
        Some(other) => return Err(ApiError::bad(format!("`scale` is quick or full, not `{other}`"))),
    };
    let (source, stem) = match (&request.name, &request.toml) {
        (Some(name), None) => {
            let source = library_entry(name)?.source()?;
            (submitted_experiment::with_pairs(&source, request.pairs)?, name_from(name))
        }
        (None, Some(text)) => {
            let source = submitted_experiment::from_outside(&lab.addresses, &Source::new("experiment.toml", text))?;
            (submitted_experiment::with_pairs(&source, request.pairs)?, String::new())
        }
        _ => return Err(ApiError::bad("expected either `name` (a table of the library) or `toml`")),
    };
    let experiment = read_experiment(&lab.catalogue, &source, scale)
        .map_err(|error| ApiError::from(error).map_text(|text| lab.addresses.shown(text)))?;
    if request.toml.is_some() || request.pairs.is_some() {
        check_cost(&experiment, lab.limits())?;
    }
    let stem = match request.title {
        Some(title) => name_from(&title),
        None if stem.is_empty() => name_from(&experiment.title),
        None => stem,
    };
    let store = format!("{stem}-{scale_name}");
    stores::checked_name(&store)?;
    let job = ExperimentJob { store: store.clone(), title: experiment.title, source, scale };
    lab.experiments.enqueue(job, lab.limits().experiments)?;
    Ok(store)
}

/// Refuses an experiment beyond the limits of the lab.
pub(super) fn check_cost(experiment: &Experiment, limits: &Limits) -> Result<(), ApiError> {
    let budgets = experiment.agents.iter().map(|agent| agent.budget).chain(experiment.start);
    for budget in budgets {
        check_budget(&budget.to_string(), limits)?;
    }
    let measured = experiment.root_exploitability.iter().chain(&experiment.exploitability);
    for playouts in measured.flat_map(|measured| &measured.playouts) {
        check_budget(&format!("playouts={playouts}"), limits)?;
    }
    let contests = (experiment.games.len() * experiment.pairings.len()) as u64;
    let pairs = experiment.pairs.saturating_mul(contests);
    if pairs > limits.pairs {
        return Err(ApiError::bad(format!(
            "the experiment has {pairs} pairs of matches; the lab plays at most {}",
            limits.pairs
        ))
        .with_help("run larger experiments with `tesuji run`"));
    }
    Ok(())
}

/// Which run.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct StopRequest {
    /// The store it fills.
    store: String,
}

/// Stops a run, or removes it from the queue.
#[utoipa::path(post, path = "/api/experiments/stop", tag = "experiments", request_body = StopRequest,
    responses((status = 200, body = ExperimentsView), (status = 404, body = ErrorBody)))]
pub(super) async fn stop_experiment(
    State(lab): State<Arc<Lab>>,
    Body(request): Body<StopRequest>,
) -> Result<Json<ExperimentsView>, ApiError> {
    if !lab.experiments.stop(&request.store) {
        return Err(ApiError::missing(format!("`{}` is neither running nor queued", request.store)));
    }
    Ok(Json(ExperimentsView::clone(&lab.experiments.view())))
}

/// A WebSocket with the progress of experiments.
#[utoipa::path(get, path = "/api/experiments/live", tag = "experiments",
    responses((status = 101, description = "what runs, waits and ended; see docs/api.md")))]
pub(super) async fn live(State(lab): State<Arc<Lab>>, upgrade: WebSocketUpgrade) -> Response {
    let updates = lab.experiments.changes();
    sockets::accept(&lab, upgrade, move |client| {
        let text = |view: &Arc<ExperimentsView>| json!(**view);
        sockets::watch_latest(client, updates, "experiments", text, |_| false)
    })
}

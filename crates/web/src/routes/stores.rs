//! Results of experiments.

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Response};
use serde::{Deserialize, Serialize};
use serde_json::json;
use tesuji_arena::{Occupant, PlotPicture, committed_table, html, report_plots};
use utoipa::{IntoParams, ToSchema};

use crate::cancellable::cancellable;
use crate::database::{MatchProgress, MatchRow, now};
use crate::error::{ApiError, ErrorBody};
use crate::extract::{Params, PathParams};
use crate::lab::{Lab, blocking};
use crate::room::STORED;
use crate::routes::matches::{LONGEST_LIST, USUAL_LIST};
use crate::routes::replays::OpenedView;
use crate::secret;
use crate::stores::{self, StoredMatchView};

/// The results of a store.
#[utoipa::path(get, path = "/api/stores/{name}", tag = "results", params(("name" = String, Path)),
    responses((status = 200, description = "name, and summaries as `tesuji report --json` prints them"),
    (status = 404, body = ErrorBody)))]
pub(super) async fn results(
    State(lab): State<Arc<Lab>>,
    PathParams(name): PathParams<String>,
) -> Result<Response, ApiError> {
    let limit = Duration::from_secs(lab.limits().open_seconds);
    cancellable("reading the results", limit, move || {
        let summaries = stores::summaries(&lab.catalogue, &lab.folder, &name)?;
        let text = json!({ "name": name, "summaries": summaries }).to_string();
        let kind = [(axum::http::header::CONTENT_TYPE, "application/json")];
        Ok((kind, lab.addresses.shown(&text)).into_response())
    })
    .await
}

/// The report of a store as a page.
#[utoipa::path(get, path = "/api/stores/{name}/report", tag = "results", params(("name" = String, Path)),
    responses((status = 200, description = "HTML"), (status = 404, body = ErrorBody)))]
pub(super) async fn report(
    State(lab): State<Arc<Lab>>,
    PathParams(name): PathParams<String>,
) -> Result<Html<String>, ApiError> {
    let limit = Duration::from_secs(lab.limits().open_seconds);
    cancellable("reading the results", limit, move || {
        Ok(Html(lab.addresses.shown(&html(&stores::summaries(&lab.catalogue, &lab.folder, &name)?))))
    })
    .await
}

/// The plots of a store's report.
#[utoipa::path(get, path = "/api/stores/{name}/plots", tag = "results", params(("name" = String, Path)),
    responses((status = 200, description = "plots, each with `caption` and `svg`"), (status = 404, body = ErrorBody)))]
pub(super) async fn plots(
    State(lab): State<Arc<Lab>>,
    PathParams(name): PathParams<String>,
) -> Result<Json<Vec<PlotPicture>>, ApiError> {
    let limit = Duration::from_secs(lab.limits().open_seconds);
    cancellable("drawing the results", limit, move || {
        let mut plots = report_plots(&stores::summaries(&lab.catalogue, &lab.folder, &name)?);
        for plot in &mut plots {
            plot.caption = lab.addresses.shown(&plot.caption);
            plot.svg = lab.addresses.shown(&plot.svg);
        }
        Ok(Json(plots))
    })
    .await
}

/// The plots of an experiment's committed results.
#[utoipa::path(get, path = "/api/plots/{*id}", tag = "results", params(("id" = String, Path)),
    responses((status = 200, description = "plots, each with `caption` and `svg`"), (status = 404, body = ErrorBody)))]
pub(super) async fn committed_plots(PathParams(id): PathParams<String>) -> Result<Json<Vec<PlotPicture>>, ApiError> {
    blocking(move || match committed_table(&id) {
        Some(table) => Ok(Json(table.plots())),
        None => Err(ApiError::missing(format!("`{id}` has no committed results"))),
    })
    .await
}

/// Which matches.
#[derive(Deserialize, IntoParams)]
pub(super) struct PageQuery {
    /// Passed over.
    #[serde(default)]
    offset: u64,
    /// At most this many, and at most 200.
    limit: Option<u64>,
}

/// Matches of a store.
#[derive(Serialize, ToSchema)]
pub(super) struct StoredList {
    /// How many there are.
    total: u64,
    /// Some of them.
    matches: Vec<StoredMatchView>,
}

/// The matches of a store.
#[utoipa::path(get, path = "/api/stores/{name}/matches", tag = "results", params(("name" = String, Path), PageQuery),
    responses((status = 200, body = StoredList), (status = 404, body = ErrorBody)))]
pub(super) async fn list_stored(
    State(lab): State<Arc<Lab>>,
    PathParams(name): PathParams<String>,
    Params(query): Params<PageQuery>,
) -> Result<Json<StoredList>, ApiError> {
    blocking(move || {
        let limit = query.limit.unwrap_or(USUAL_LIST).min(LONGEST_LIST);
        let (total, mut matches) = stores::matches(&lab.catalogue, &lab.folder, &name, query.offset, limit)?;
        for found in &mut matches {
            found.game = lab.addresses.shown(&found.game);
        }
        Ok(Json(StoredList { total, matches }))
    })
    .await
}

/// Opens a match of a store, with the agents' figures at every step.
#[utoipa::path(post, path = "/api/stores/{name}/matches/{number}", tag = "results",
    params(("name" = String, Path), ("number" = u64, Path)),
    responses((status = 201, body = OpenedView), (status = 404, body = ErrorBody)))]
pub(super) async fn open_stored(
    State(lab): State<Arc<Lab>>,
    PathParams((name, number)): PathParams<(String, u64)>,
) -> Result<(StatusCode, Json<OpenedView>), ApiError> {
    let source = format!("{name}#{number}");
    let found = {
        let (lab, name, source) = (Arc::clone(&lab), name.clone(), source.clone());
        blocking(move || match lab.services.database.find_source(&source)? {
            Some(id) => Ok(Err(id)),
            None => Ok(Ok(stores::one(&lab.catalogue, &lab.folder, &name, number)?)),
        })
        .await?
    };
    let found = match found {
        Ok(found) => found,
        Err(id) => return Ok((StatusCode::CREATED, Json(OpenedView::of(id)))),
    };
    let game = lab.open_stored_game(&found.game).await?;
    let players = game.spec().players.clone();
    let agent = |agent: &String| Occupant::Agent { agent: agent.clone(), budget: String::new() };
    let seats: Vec<Occupant> = found.agents.iter().map(agent).collect();
    let live = {
        let (game, seats, found) = (Arc::clone(&game), seats.clone(), found.clone());
        blocking(move || Ok(stores::replayed(game.as_ref(), seats, &found)?)).await?
    };
    let failed = stores::failed_decision(&found);
    let (resigned, fault) = match found.foul {
        Some((seat, what)) => (u8::try_from(seat).ok(), Some(what)),
        None => (None, None),
    };
    let row = MatchRow {
        id: secret::new_id(),
        created: now(),
        updated: now(),
        game: found.game,
        keys: vec![None; players.len()],
        players,
        seats,
        seed: found.seed,
        title: format!("{}: {} ({name} {number})", found.experiment, found.labels.join(" – ")),
        origin: STORED.to_owned(),
        source: Some(source),
        progress: MatchProgress {
            steps: live.made().len(),
            over: true,
            payoffs: Some(found.payoffs),
            resigned,
            fault,
            ..MatchProgress::default()
        },
    };
    let id = lab.add_match(game, row, live).await?.id().to_owned();
    if let Some(failed) = failed {
        let (lab, id) = (Arc::clone(&lab), id.clone());
        blocking(move || Ok(lab.services.database.put_failure(&id, Some(&failed))?)).await?;
    }
    Ok((StatusCode::CREATED, Json(OpenedView::of(id))))
}

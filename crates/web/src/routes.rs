//! The paths of the API. Each file is a part of docs/api.md; the description at `GET /api` is made from the same lines.

mod analyses;
mod catalogue;
mod experiments;
mod labels;
mod matches;
mod new_match;
mod changes;
mod queue;
mod home;
mod learn;
mod papers;
mod reviews;
mod replays;
mod server;
mod stores;
mod trainings;

use std::sync::Arc;

use axum::extract::DefaultBodyLimit;
use axum::response::Redirect;
use axum::routing::get;
use axum::{Json, Router, middleware};
use tower_http::compression::CompressionLayer;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::guard::{self, Guard};
use crate::help;
use crate::lab::Lab;
use crate::page;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Tesuji lab",
        description = "Play anything, watch the search think, label actions, look at results. Errors are \
                       `{error, help, line, column}`; WebSockets are described in docs/api.md."
    ),
    components(schemas(crate::error::ErrorBody, crate::replays::ReplayFile))
)]
struct Description;

/// A base64 text is a third longer than its bytes, and JSON escapes take room too.
const UPLOAD_ROOM: usize = 3;

/// Everything the lab answers.
pub(crate) fn router(lab: Arc<Lab>, guard: Guard) -> Router {
    let limits = lab.limits().clone();
    let uploads = OpenApiRouter::new()
        .routes(routes!(catalogue::list_uploads, catalogue::add_upload))
        .routes(routes!(learn::list_tables, learn::learn_table, learn::upload_table))
        .routes(routes!(learn::view_table))
        .layer(DefaultBodyLimit::max(limits.upload_bytes * UPLOAD_ROOM));
    let replays =
        OpenApiRouter::new().routes(routes!(replays::open_replay)).layer(DefaultBodyLimit::max(limits.replay_bytes));
    let others = OpenApiRouter::with_openapi(Description::openapi())
        .routes(routes!(server::status))
        .routes(routes!(home::cards))
        .routes(routes!(home::game_levels))
        .routes(routes!(home::game_rules))
        .routes(routes!(catalogue::list_games))
        .routes(routes!(catalogue::describe_game))
        .routes(routes!(catalogue::list_agents))
        .routes(routes!(matches::list_matches, new_match::new_match))
        .routes(routes!(matches::view_match, matches::remove_match))
        .routes(routes!(matches::full_step))
        .routes(routes!(matches::transcripts))
        .routes(routes!(matches::take_seat))
        .routes(routes!(changes::choose))
        .routes(routes!(changes::end_turn))
        .routes(routes!(changes::undo))
        .routes(routes!(changes::resign))
        .routes(routes!(changes::stop))
        .routes(routes!(matches::live))
        .routes(routes!(changes::own_choices))
        .routes(routes!(reviews::view_review, reviews::start_review))
        .routes(routes!(reviews::stop_review))
        .routes(routes!(reviews::live_review))
        .routes(routes!(reviews::save_study))
        .routes(routes!(reviews::view_study))
        .routes(routes!(learn::list_puzzles))
        .routes(routes!(learn::view_puzzle))
        .routes(routes!(learn::puzzle_solution))
        .routes(routes!(labels::list_labels))
        .routes(routes!(labels::put_label))
        .routes(routes!(replays::replay_file))
        .routes(routes!(replays::game_record))
        .routes(routes!(analyses::list_analyses, analyses::new_analysis))
        .routes(routes!(analyses::view_analysis))
        .routes(routes!(analyses::stop_analysis))
        .routes(routes!(analyses::live))
        .routes(routes!(experiments::list_experiments, experiments::start_experiment))
        .routes(routes!(experiments::stop_experiment))
        .routes(routes!(papers::estimate_experiment))
        .routes(routes!(papers::list_papers))
        .routes(routes!(papers::view_people))
        .routes(routes!(papers::open_example))
        .routes(routes!(experiments::live))
        .routes(routes!(experiments::library_table))
        .routes(routes!(queue::queue))
        .routes(routes!(trainings::list_trainings, trainings::start_training))
        .routes(routes!(trainings::stop_training))
        .routes(routes!(trainings::live_trainings))
        .routes(routes!(stores::results))
        .routes(routes!(stores::report))
        .routes(routes!(stores::plots))
        .routes(routes!(stores::committed_plots))
        .routes(routes!(stores::list_stored))
        .routes(routes!(stores::open_stored))
        .layer(DefaultBodyLimit::max(limits.body_bytes));
    let (router, description) = others.merge(uploads).merge(replays).split_for_parts();
    router
        .route("/api", get(async move || Json(description)))
        .route("/help", get(async || Redirect::permanent("/help/")))
        .route("/help/", get(help::first))
        .route("/help/search", get(help::search))
        .route("/help/ja/search", get(help::search_japanese))
        .route("/help/{*path}", get(help::page))
        .fallback(page::serve)
        .layer(CompressionLayer::new())
        .layer(middleware::from_fn_with_state(Arc::new(guard), guard::check))
        .with_state(lab)
}

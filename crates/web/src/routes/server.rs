//! How the lab does.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use tesuji_arena::VERSION;
use utoipa::ToSchema;

use crate::lab::Lab;
use crate::limits::Limits;

/// How the lab does.
#[derive(Serialize, ToSchema)]
pub struct StatusView {
    /// The version of the program.
    version: &'static str,
    /// Matches in memory.
    matches: usize,
    /// Searches that run.
    searching: usize,
    /// Searches that wait for a free core.
    queued: usize,
    /// Threads that search.
    threads: usize,
    /// What the lab takes on at most.
    limits: Limits,
}

/// How busy the lab is, and its bounds.
#[utoipa::path(get, path = "/api/status", tag = "server", responses((status = 200, body = StatusView)))]
pub async fn status(State(lab): State<Arc<Lab>>) -> Json<StatusView> {
    let load = lab.desk.pool.load();
    Json(StatusView {
        version: VERSION,
        matches: lab.room_count(),
        searching: load.searching,
        queued: load.queued,
        threads: lab.desk.pool.threads(),
        limits: lab.limits().clone(),
    })
}

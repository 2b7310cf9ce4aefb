//! The status of the lab.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use tesuji_arena::VERSION;
use utoipa::ToSchema;

use crate::lab::Lab;
use crate::limits::Limits;

/// The status of the lab.
#[derive(Serialize, ToSchema)]
pub(super) struct StatusView {
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
    /// The limits of the lab.
    limits: Limits,
}

/// The load of the lab, and its limits.
#[utoipa::path(get, path = "/api/status", tag = "server", responses((status = 200, body = StatusView)))]
pub(super) async fn status(State(lab): State<Arc<Lab>>) -> Json<StatusView> {
    let load = lab.services.pool.load();
    Json(StatusView {
        version: VERSION,
        matches: lab.room_count(),
        searching: load.searching,
        queued: load.queued,
        threads: lab.services.pool.threads(),
        limits: lab.limits().clone(),
    })
}

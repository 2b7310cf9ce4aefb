//! The queue of experiments on many machines.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};

use crate::error::ApiError;
use crate::lab::{Lab, blocking};

/// The experiments and workers of the queue that the lab watches.
#[utoipa::path(get, path = "/api/queue", tag = "results",
    responses((status = 200, description = "`watched`: whether the lab was started with `--queue`; `experiments` and \
    `workers` as `tesuji queue status --json` prints them; `error` if the server does not answer")))]
pub(super) async fn queue(State(lab): State<Arc<Lab>>) -> Result<Json<Value>, ApiError> {
    blocking(move || {
        let Some(watch) = lab.queue.get() else { return Ok(Json(json!({ "watched": false }))) };
        Ok(Json(match watch.read() {
            Ok(found) => json!({ "watched": true, "experiments": found["experiments"], "workers": found["workers"] }),
            Err(error) => json!({ "watched": true, "error": error.to_string() }),
        }))
    })
    .await
}

//! The manual under `/help`.

use axum::extract::{Path, Query};
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use tesuji_manual::Page;

use crate::error::ApiError;

/// What is looked for.
#[derive(Deserialize)]
pub(crate) struct Search {
    #[serde(default)]
    q: String,
}

/// The first page.
pub(crate) async fn first() -> Response {
    answer(tesuji_manual::open(""), "")
}

/// A page or a picture.
pub(crate) async fn page(Path(path): Path<String>) -> Response {
    answer(tesuji_manual::open(&path), &path)
}

/// A search in English.
pub(crate) async fn search(Query(Search { q }): Query<Search>) -> Response {
    answer(Some(tesuji_manual::search("en", &q)), "search")
}

/// A search in Japanese.
pub(crate) async fn search_japanese(Query(Search { q }): Query<Search>) -> Response {
    answer(Some(tesuji_manual::search("ja", &q)), "search")
}

fn answer(page: Option<Page>, path: &str) -> Response {
    match page {
        Some(Page { content_type, body }) => ([(CONTENT_TYPE, content_type)], body).into_response(),
        None => ApiError::missing(format!("the manual has no `{path}`")).into_response(),
    }
}

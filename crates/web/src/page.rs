//! The page, inside the program.

use axum::extract::Request;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
use sha2::{Digest, Sha256};
use tesuji_bundle::Bundle;

use crate::error::ApiError;

static FILES: Bundle = Bundle::new(include_bytes!(concat!(env!("OUT_DIR"), "/page")));

/// The Japanese of agents' parameters, which the manual has, too: in each line English, a tab, Japanese.
const PARAMETERS: &str = "texts/parameters.txt";
const PARAMETERS_TEXT: &str = include_str!("../../../docs/ja/parameters.txt");

/// Answers every request that is not part of the API with a file of the page.
pub(crate) async fn serve(request: Request) -> Response {
    let path = request.uri().path().trim_start_matches('/');
    if path == "api" || path.starts_with("api/") {
        return ApiError::missing(format!("the API has no `{} /{path}`", request.method()))
            .with_help("`GET /api` describes what it has")
            .into_response();
    }
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return ApiError::new(StatusCode::METHOD_NOT_ALLOWED, "this path accepts only GET").into_response();
    }
    // The page has paths of its own; those have no dot.
    let name = if path.is_empty() || !path.contains('.') { "index.html" } else { path };
    if name == PARAMETERS {
        return ([(CONTENT_TYPE, "text/plain; charset=utf-8")], PARAMETERS_TEXT).into_response();
    }
    let Some(file) = FILES.get(name) else {
        return ApiError::missing(format!("there is no `/{path}`")).into_response();
    };
    let tag: String = Sha256::digest(&file).iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    let tag = format!("\"{tag}\"");
    let known = request.headers().get(IF_NONE_MATCH).and_then(|value| value.to_str().ok());
    if known == Some(tag.as_str()) {
        return (StatusCode::NOT_MODIFIED, [(ETAG, tag)]).into_response();
    }
    let headers = [(CONTENT_TYPE, content_type(name).to_owned()), (CACHE_CONTROL, "no-cache".to_owned()), (ETAG, tag)];
    (headers, file).into_response()
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "json" => "application/json",
        "webmanifest" => "application/manifest+json",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        _ => "application/octet-stream",
    }
}

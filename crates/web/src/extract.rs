//! Extractors like axum's own, with errors in the format of the API.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;
use tokio::time::timeout;

use crate::error::ApiError;
use crate::lab::Lab;

/// A JSON body, whatever its content type. An empty one counts as `{}`.
pub(crate) struct Body<T>(pub T);

impl<T: DeserializeOwned> FromRequest<Arc<Lab>> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, lab: &Arc<Lab>) -> Result<Self, ApiError> {
        let limit = Duration::from_secs(lab.limits().body_seconds);
        let bytes = timeout(limit, Bytes::from_request(request, lab)).await;
        let bytes = bytes.map_err(|_| ApiError::new(StatusCode::REQUEST_TIMEOUT, "the body took too long"))?;
        let bytes = bytes.map_err(unread)?;
        let text = if bytes.trim_ascii().is_empty() { b"{}" } else { &bytes[..] };
        match serde_json::from_slice(text) {
            Ok(value) => Ok(Body(value)),
            Err(error) => Err(ApiError::bad(format!("the body cannot be read: {error}"))
                .with_help("expected JSON as docs/api.md describes it")
                .at(error.line(), error.column())),
        }
    }
}

fn unread(rejection: BytesRejection) -> ApiError {
    match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => {
            ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "the body is larger than the lab accepts")
        }
        _ => ApiError::bad(rejection.body_text()),
    }
}

/// The query of an address.
pub(crate) struct Params<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Params<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        match Query::<T>::from_request_parts(parts, state).await {
            Ok(Query(value)) => Ok(Params(value)),
            Err(rejection) => Err(ApiError::bad(rejection.body_text())),
        }
    }
}

/// The parts of a path.
pub(crate) struct PathParams<T>(pub T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for PathParams<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        match Path::<T>::from_request_parts(parts, state).await {
            Ok(Path(value)) => Ok(PathParams(value)),
            Err(rejection) => Err(ApiError::missing(rejection.body_text())),
        }
    }
}

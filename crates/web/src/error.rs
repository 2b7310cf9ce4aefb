//! Errors of the API.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use tesuji_arena::InputError;
use utoipa::ToSchema;

/// A refusal or a failure, with its status code.
#[derive(Clone, Debug)]
pub(crate) struct ApiError {
    status: StatusCode,
    body: ErrorBody,
}

/// The JSON of an error.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct ErrorBody {
    /// What is wrong.
    pub error: String,
    /// What was expected, or what to do.
    pub help: Option<String>,
    /// The line of the text that is wrong, from 1.
    pub line: Option<usize>,
    /// The column, from 1.
    pub column: Option<usize>,
}

impl ApiError {
    /// An error with that code.
    pub(crate) fn new(status: StatusCode, message: impl Into<String>) -> ApiError {
        ApiError { status, body: ErrorBody { error: message.into(), help: None, line: None, column: None } }
    }

    /// The request cannot be used.
    pub(crate) fn bad(message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::BAD_REQUEST, message)
    }

    /// There is no such thing.
    pub(crate) fn missing(message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::NOT_FOUND, message)
    }

    /// The request does not fit the present state.
    pub(crate) fn conflict(message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::CONFLICT, message)
    }

    /// The caller lacks the right key or token.
    pub(crate) fn forbidden(message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::FORBIDDEN, message)
    }

    /// A limit of the lab is reached.
    pub(crate) fn busy(message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::TOO_MANY_REQUESTS, message)
    }

    /// A failure of the program or the machine.
    pub(crate) fn fault(message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, message)
    }

    /// Adds what was expected.
    #[must_use]
    pub(crate) fn with_help(mut self, help: impl Into<String>) -> ApiError {
        self.body.help = Some(help.into());
        self
    }

    /// Adds the place.
    #[must_use]
    pub(crate) fn at(mut self, line: usize, column: usize) -> ApiError {
        (self.body.line, self.body.column) = (Some(line), Some(column));
        self
    }

    /// The same error with another code.
    #[must_use]
    pub(crate) fn with_status(mut self, status: StatusCode) -> ApiError {
        self.status = status;
        self
    }

    /// The same error with its texts changed.
    #[must_use]
    pub(crate) fn map_text(mut self, change: impl Fn(&str) -> String) -> ApiError {
        self.body.error = change(&self.body.error);
        self.body.help = self.body.help.map(|help| change(&help));
        self
    }

    /// What is wrong.
    pub(crate) fn message(&self) -> &str {
        &self.body.error
    }
}

impl From<InputError> for ApiError {
    fn from(error: InputError) -> ApiError {
        let position = error.position();
        ApiError {
            status: StatusCode::BAD_REQUEST,
            body: ErrorBody {
                error: error.message().to_owned(),
                help: error.help_text().map(str::to_owned),
                line: position.map(|(line, _)| line),
                column: position.map(|(_, column)| column),
            },
        }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        (self.status, Json(self.body)).into_response()
    }
}

//! Errors of Tesuji as Python exceptions, with the same texts.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use tesuji_arena::InputError;

pyo3::create_exception!(
    tesuji,
    Error,
    PyValueError,
    "An input that cannot be used: an unknown game, an action that is not legal, a state of another game.\n\nThe text \
     says what was wrong and what was expected. `kind` is a word for programs, such as `UnknownGame`."
);

/// The exception for an error.
pub(crate) fn raised(error: &InputError) -> PyErr {
    let exception = Error::new_err(text(error));
    let kind = format!("{:?}", error.kind());
    Python::attach(|py| {
        // An exception without this attribute is still an exception.
        drop(exception.value(py).setattr("kind", kind));
    });
    exception
}

/// Turns errors into exceptions.
pub(crate) trait OrRaise<T> {
    /// The value, or the exception.
    fn or_raise(self) -> PyResult<T>;
}

impl<T> OrRaise<T> for Result<T, InputError> {
    fn or_raise(self) -> PyResult<T> {
        self.map_err(|error| raised(&error))
    }
}

/// The message and the help, as the command line prints them.
fn text(error: &InputError) -> String {
    match error.help_text() {
        Some(help) => format!("{error}\n{help}"),
        None => error.to_string(),
    }
}

//! Notices panics on any thread, also those that the program catches.

use std::panic;
use std::sync::{Mutex, PoisonError};

static NOTICED: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Runs `work` with another panic hook: panics are noted instead of printed.
pub(crate) fn noticing<T>(work: impl FnOnce() -> T) -> T {
    let usual = panic::take_hook();
    panic::set_hook(Box::new(|info| {
        let message = info.payload_as_str().unwrap_or("a panic without a message");
        let place = info.location().map_or("an unknown place".to_owned(), ToString::to_string);
        let line = format!("{place}: {message}");
        NOTICED.lock().unwrap_or_else(PoisonError::into_inner).push(line);
    }));
    let result = work();
    panic::set_hook(usual);
    result
}

/// The panics since the last call.
pub(crate) fn take() -> Vec<String> {
    std::mem::take(&mut *NOTICED.lock().unwrap_or_else(PoisonError::into_inner))
}

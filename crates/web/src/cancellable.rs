//! Work on a thread of its own that is cancelled when its client leaves or when it takes too long.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::http::StatusCode;
use tesuji_arena::cancel;
use tokio::time::timeout;

use crate::error::ApiError;
use crate::lab::blocking;

/// Runs work that looks at [`cancel::requested`]. Dropping the future cancels the work: axum does that when the client
/// of a request leaves. `doing` names the work in the message of an error, such as `opening the game`.
pub(crate) async fn cancellable<T: Send + 'static>(
    doing: &str,
    limit: Duration,
    work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    let flag = Arc::new(AtomicBool::new(false));
    let cancelled_on_drop = CancelOnDrop(Arc::clone(&flag));
    let result = timeout(limit, blocking(move || cancel::with(Some(flag), work))).await;
    drop(cancelled_on_drop);
    result.unwrap_or_else(|_| {
        let message = format!("{doing} takes longer than {} seconds, the limit of this lab", limit.as_secs());
        Err(ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, message))
    })
}

struct CancelOnDrop(Arc<AtomicBool>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    /// Work that runs until it is cancelled, and says so.
    fn endless(ended: mpsc::Sender<()>) -> impl FnOnce() -> Result<(), ApiError> + Send {
        move || {
            while !cancel::requested() {
                std::thread::sleep(Duration::from_millis(1));
            }
            ended.send(()).map_err(|error| ApiError::fault(error.to_string()))
        }
    }

    #[tokio::test]
    async fn work_is_cancelled_when_it_takes_too_long_and_when_its_client_leaves() {
        let (ended, end) = mpsc::channel();
        let error = cancellable("waiting", Duration::from_millis(20), endless(ended)).await.unwrap_err();
        assert!(error.message().starts_with("waiting takes longer"), "{}", error.message());
        assert!(end.recv_timeout(Duration::from_secs(10)).is_ok());
        let (ended, end) = mpsc::channel();
        let left = timeout(Duration::from_millis(20), cancellable("waiting", Duration::from_secs(60), endless(ended)));
        assert!(left.await.is_err());
        assert!(end.recv_timeout(Duration::from_secs(10)).is_ok());
    }
}

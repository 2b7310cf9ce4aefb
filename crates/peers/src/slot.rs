//! A slot for one value that others wait for, with a deadline.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Instant;

/// A value that is set once; clones share it.
pub(crate) struct Slot<T>(Arc<(Mutex<Option<T>>, Condvar)>);

impl<T> Clone for Slot<T> {
    fn clone(&self) -> Slot<T> {
        Slot(Arc::clone(&self.0))
    }
}

impl<T: Clone> Slot<T> {
    pub(crate) fn new() -> Slot<T> {
        Slot(Arc::new((Mutex::new(None), Condvar::new())))
    }

    /// Sets the value; only the first call counts.
    pub(crate) fn put(&self, value: T) {
        let (lock, arrived) = &*self.0;
        lock.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(value);
        arrived.notify_all();
    }

    /// The value, if it is set.
    pub(crate) fn peek(&self) -> Option<T> {
        self.0.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The value as soon as it is set; `None` if that does not happen before `deadline`.
    pub(crate) fn wait(&self, deadline: Instant) -> Option<T> {
        let (lock, arrived) = &*self.0;
        let mut value = lock.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            if value.is_some() || left.is_zero() {
                return value.clone();
            }
            value = arrived.wait_timeout(value, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

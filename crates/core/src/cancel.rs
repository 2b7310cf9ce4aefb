//! Cancels long work that runs on a thread of its own.
//!
//! A caller that may lose interest (a server whose client leaves, a run that is stopped) gives the thread a flag.
//! Long work looks at the flag now and then: searches between playouts, the grounder and the interpreter of rule sheets
//! between steps. Work without a flag runs to its end.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

thread_local! {
    static FLAG: RefCell<Option<Arc<AtomicBool>>> = const { RefCell::new(None) };
}

/// The flag of this thread. Threads that help this one are given the same flag.
pub fn current() -> Option<Arc<AtomicBool>> {
    FLAG.with_borrow(Clone::clone)
}

/// Was the work of this thread cancelled?
pub fn requested() -> bool {
    FLAG.with_borrow(|flag| flag.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)))
}

/// Runs `work` so that setting `flag` cancels it; `None` runs it without a flag.
///
/// ```
/// use std::sync::{Arc, atomic::AtomicBool};
/// use tesuji_core::cancel;
///
/// let flag = Arc::new(AtomicBool::new(true));
/// assert!(cancel::with(Some(flag), cancel::requested));
/// assert!(!cancel::requested());
/// ```
pub fn with<T>(flag: Option<Arc<AtomicBool>>, work: impl FnOnce() -> T) -> T {
    let _restore = Restore(FLAG.replace(flag));
    work()
}

/// Restores the previous flag, also when the work panics.
struct Restore(Option<Arc<AtomicBool>>);

impl Drop for Restore {
    fn drop(&mut self) {
        FLAG.set(self.0.take());
    }
}

//! The only place that catches panics.

use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local! {
    static GUARDING: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread is inside a [`guard`]. Panic hooks use it: the caller reports a guarded panic, so the hook can
/// stay silent.
pub fn guarding() -> bool {
    GUARDING.get()
}

/// Runs `act` and returns its result, or the message of its panic.
///
/// `act` may leave its data half modified: after an error, do not use them again. Guards may be nested.
///
/// ```
/// assert_eq!(tesuji_play::guard(|| 1 + 1), Ok(2));
/// assert_eq!(tesuji_play::guard(|| panic!("out of ideas")), Err::<(), _>("out of ideas".to_owned()));
/// ```
pub fn guard<T>(act: impl FnOnce() -> T) -> Result<T, String> {
    let outer = GUARDING.replace(true);
    let result = catch_unwind(AssertUnwindSafe(act));
    GUARDING.set(outer);
    result.map_err(|payload| message(payload.as_ref()))
}

fn message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_guards_restore_the_flag() {
        assert!(!guarding());
        let inner = guard(|| {
            assert!(guarding());
            let caught = guard(|| panic!("{} and {}", 1, 2));
            assert_eq!(caught, Err::<(), _>("1 and 2".to_owned()));
            guarding()
        });
        assert_eq!(inner, Ok(true));
        assert!(!guarding());
        assert!(guard(|| std::panic::panic_any(7)).is_err_and(|message| message == "no message"));
        assert!(!guarding());
    }
}

//! Programs that wait for their next match, one thread's programs apart from another's.
//!
//! A thread that plays many matches calls [`keep_programs`]. While it does, agents leave their programs here after a
//! match and take them from here before one. A thread has then as many programs of a command as play at once on it,
//! whatever the number of games and pairings.

use std::cell::RefCell;

use crate::Program;

thread_local! {
    /// The programs of this thread; `None` if it keeps none.
    static KEPT: RefCell<Option<Vec<Kept>>> = const { RefCell::new(None) };
}

/// A program that has been greeted.
pub struct Kept {
    /// The program.
    pub program: Program,
    /// Its command, in words.
    pub words: Vec<String>,
    /// Whether it said that it can play one match after the other.
    pub can_stay: bool,
    /// The matches that it was told of.
    pub matches: u64,
}

impl Kept {
    /// Takes a waiting program of this command.
    pub fn take(words: &[String]) -> Option<Kept> {
        KEPT.with_borrow_mut(|kept| {
            let kept = kept.as_mut()?;
            let place = kept.iter().position(|waiting| waiting.words == words)?;
            Some(kept.swap_remove(place))
        })
    }

    /// Leaves a program for the next match, or returns it if this thread keeps none.
    pub fn leave(self) -> Option<Kept> {
        KEPT.with_borrow_mut(|kept| match kept {
            Some(kept) => {
                kept.push(self);
                None
            }
            None => Some(self),
        })
    }
}

/// Does some work, between whose matches programs are kept. They are ended after it.
pub fn keep_programs<T>(work: impl FnOnce() -> T) -> T {
    let _restore = Restore(KEPT.replace(Some(Vec::new())));
    work()
}

/// Ends the programs that were kept, also when the work panics.
struct Restore(Option<Vec<Kept>>);

impl Drop for Restore {
    fn drop(&mut self) {
        let kept = KEPT.replace(self.0.take());
        let mut kept = kept.unwrap_or_default();
        // All are told before the first is waited for.
        for waiting in &mut kept {
            waiting.program.say(crate::write(&crate::Order::Quit));
            waiting.program.close_input();
        }
        for waiting in &mut kept {
            waiting.program.end();
        }
    }
}

//! Ctrl-C, and being told to terminate: the first one asks long work to end cleanly, the second one ends the program. Work
//! that has nothing to keep says so and ends at once.

use std::process;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

static ASKED: AtomicBool = AtomicBool::new(false);
/// Is anybody looking at the flag?
static HEEDED: AtomicBool = AtomicBool::new(false);

/// What is said instead of the usual.
static WORDS: OnceLock<&'static str> = OnceLock::new();

/// The exit code of programs ended by Ctrl-C: 128 + SIGINT.
const INTERRUPTED: i32 = 130;

/// Starts to listen.
pub(crate) fn listen() {
    let heard = ctrlc::set_handler(|| {
        if !HEEDED.load(Ordering::SeqCst) {
            if let Some(words) = WORDS.get() {
                eprintln!("\n{words}");
            }
            end_now(INTERRUPTED);
        }
        if ASKED.swap(true, Ordering::SeqCst) {
            end_now(INTERRUPTED);
        }
        let words = WORDS.get().unwrap_or(&"ending after the matches in hand");
        eprintln!("\n{words}; Ctrl-C again ends at once");
    });
    // Without a handler Ctrl-C simply ends the program.
    drop(heard);
}

/// What Ctrl-C says from now on, before it ends the program or asks work to end.
pub(crate) fn say(words: &'static str) {
    // The first words stand: a program does one thing.
    let _ = WORDS.set(words);
}

/// Ends the program, and with it the programs outside that it started.
pub(crate) fn end_now(code: i32) -> ! {
    tesuji_arena::engine::end_all();
    process::exit(code)
}

/// The flag that long work watches.
pub(crate) fn flag() -> &'static AtomicBool {
    HEEDED.store(true, Ordering::SeqCst);
    &ASKED
}

//! Ctrl-C and SIGTERM: the first one asks long work to end cleanly and ends the program within two seconds in any case,
//! the second one ends it at once. Work that has nothing to keep ends at once.

use std::process;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, OnceLock};
use std::thread;
use std::time::Duration;

use serde_json::json;

use crate::failure::INTERRUPTED;

/// How long matches in hand may take to finish before their searches are cancelled.
const GRACE: Duration = Duration::from_millis(700);
/// How long cancelled work may take to end before the program ends without it. Both together stay below two seconds.
const PATIENCE: Duration = Duration::from_millis(900);

static ASKED: AtomicBool = AtomicBool::new(false);
/// Is anybody looking at the flag?
static HEEDED: AtomicBool = AtomicBool::new(false);
static CANCELLED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// What is said instead of the usual.
static WORDS: OnceLock<&'static str> = OnceLock::new();

/// Is the result of this command JSON that must be printed even if the work cannot end in time?
static AS_JSON: AtomicBool = AtomicBool::new(false);
/// Matches played so far.
static PLAYED: AtomicU64 = AtomicU64::new(0);

/// Starts to listen.
pub(crate) fn listen() {
    let heard = ctrlc::set_handler(|| {
        if !HEEDED.load(Ordering::SeqCst) {
            if let Some(words) = WORDS.get() {
                eprintln!("\n{words}");
            }
            end_now(INTERRUPTED.into());
        }
        if ASKED.swap(true, Ordering::SeqCst) {
            end_now(INTERRUPTED.into());
        }
        let words = WORDS.get().unwrap_or(&"ending; matches in hand have a moment to finish");
        eprintln!("\n{words}; Ctrl-C again ends at once");
        // Without another thread the program ends when its work does.
        drop(thread::Builder::new().spawn(end_in_time));
    });
    // Without a handler Ctrl-C simply ends the program.
    drop(heard);
}

/// Cancels the searches after a while, ends outside programs that somebody waits for, and at last the program.
fn end_in_time() {
    thread::sleep(GRACE);
    CANCELLED.store(true, Ordering::SeqCst);
    tesuji_arena::engine::end_all();
    thread::sleep(PATIENCE);
    if AS_JSON.load(Ordering::SeqCst) {
        let played = PLAYED.load(Ordering::SeqCst);
        println!("{}", json!({ "interrupted": true, "complete": false, "games": played, "matches": played }));
    } else {
        eprintln!("interrupted before the result could be summed up");
    }
    end_now(INTERRUPTED.into());
}

/// What Ctrl-C says from now on, before it ends the program or asks work to end.
pub(crate) fn say(words: &'static str) {
    // The first words stand: a program does one thing.
    let _ = WORDS.set(words);
}

/// Reports how many matches were played, which is printed if the work cannot end in time.
pub(crate) fn played(matches: u64, as_json: bool) {
    PLAYED.store(matches, Ordering::SeqCst);
    AS_JSON.store(as_json, Ordering::SeqCst);
}

/// A result is being printed: the program need not say how many matches were played.
pub(crate) fn reported() {
    AS_JSON.store(false, Ordering::SeqCst);
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

/// Was the program asked to end?
pub(crate) fn asked() -> bool {
    ASKED.load(Ordering::SeqCst)
}

/// The flag that cancels searches.
pub(crate) fn cancelled() -> Arc<AtomicBool> {
    Arc::clone(&CANCELLED)
}

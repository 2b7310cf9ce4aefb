//! A stopwatch for benches: processor time of one thread where the system has it, so that other programs on the
//! machine do not change the figures.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde::Serialize;
use tesuji_core::cancel;

/// What a bench measures time by.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Clock {
    /// Processor time of the measuring thread.
    Processor,
    /// Time as on a wall clock: for agents that are programs of their own, and where the system has no other clock.
    Wall,
}

impl Clock {
    /// Processor time, if this system measures it for single threads.
    pub fn best() -> Clock {
        match processor_time() {
            Some(_) => Clock::Processor,
            None => Clock::Wall,
        }
    }
}

/// Measures from its start on.
pub(crate) struct Stopwatch {
    wall: Instant,
    /// The processor time at the start, if that is what is measured.
    processor: Option<Duration>,
}

impl Stopwatch {
    pub(crate) fn start(clock: Clock) -> Stopwatch {
        let processor = if clock == Clock::Processor { processor_time() } else { None };
        Stopwatch { wall: Instant::now(), processor }
    }

    /// Time by the stopwatch's clock.
    pub(crate) fn elapsed(&self) -> Duration {
        match (self.processor, processor_time()) {
            (Some(start), Some(now)) => now.saturating_sub(start),
            _ => self.wall.elapsed(),
        }
    }

    /// Time as on a wall clock.
    pub(crate) fn waited(&self) -> Duration {
        self.wall.elapsed()
    }
}

/// The processor time that this thread has used.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple", target_os = "freebsd"))]
fn processor_time() -> Option<Duration> {
    nix::time::clock_gettime(nix::time::ClockId::CLOCK_THREAD_CPUTIME_ID).ok().map(Duration::from)
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple", target_os = "freebsd")))]
fn processor_time() -> Option<Duration> {
    None
}

/// Runs `work` on this thread and cancels its searches after `limit`, so that one slow decision cannot hold it up.
pub(crate) fn within<T>(limit: Duration, work: impl FnOnce() -> T) -> T {
    let (mut work, mut result) = (Some(work), None);
    cancel_after(limit, &mut || result = work.take().map(|work| work()));
    result.expect("`cancel_after` calls its argument")
}

/// The part of [`within`] that is compiled once, not for each game.
fn cancel_after(limit: Duration, work: &mut dyn FnMut()) {
    let flag = Arc::new(AtomicBool::new(false));
    thread::scope(|scope| {
        let (done, over) = channel::<()>();
        let alarm = Arc::clone(&flag);
        scope.spawn(move || {
            if over.recv_timeout(limit) == Err(RecvTimeoutError::Timeout) {
                alarm.store(true, Ordering::Relaxed);
            }
        });
        cancel::with(Some(flag), work);
        drop(done);
    });
}

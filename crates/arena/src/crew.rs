//! A crew of threads that work through numbered tasks and hand the results to one collector.
//!
//! The order in which results arrive depends on the threads; what is made of them must not.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use tesuji_core::cancel;

use crate::engine;

/// Results that may wait for the collector before the threads wait for it: memory stays flat.
const WAITING: usize = 1024;

/// The name of the threads.
const CREW: &str = "tesuji-crew";

/// How long the collector waits before it is told that nothing came.
const PATIENCE: Duration = Duration::from_millis(200);

/// How long the tasks in hand may take when the crew is stopped, before they are cancelled.
const GRACE: Duration = Duration::from_secs(1);

/// Runs `work` for every number below `tasks` on `threads` threads, each with its own `worker`, and hands what it
/// returns to `collect` on the calling thread; `None` tells `collect` that nothing came for a while. `None` from `work`
/// passes a task over. Ends early when `stop` is set or `collect` fails: tasks in hand that do not end soon are
/// [cancelled](cancel::requested). Programs that agents start are kept for each thread.
pub(crate) fn run<W, T: Send, E>(
    tasks: u64,
    threads: usize,
    stop: &AtomicBool,
    worker: impl Fn() -> W + Sync,
    work: impl Fn(&mut W, u64) -> Option<T> + Sync,
    mut collect: impl FnMut(Option<T>) -> Result<(), E>,
) -> Result<(), E> {
    let next = AtomicU64::new(0);
    let (sender, receiver) = sync_channel(WAITING);
    let cancelled = Arc::new(AtomicBool::new(false));
    thread::scope(|scope| {
        for number in 0..threads.max(1) {
            let sender = sender.clone();
            let (next, worker, work) = (&next, &worker, &work);
            let flag = Arc::clone(&cancelled);
            let work_through = move || {
                let mut own = worker();
                while !stop.load(Ordering::Relaxed) && !cancel::requested() {
                    let task = next.fetch_add(1, Ordering::Relaxed);
                    if task >= tasks {
                        break;
                    }
                    // A receiver that is gone has failed: there is nobody to work for.
                    if let Some(result) = work(&mut own, task)
                        && sender.send(result).is_err()
                    {
                        break;
                    }
                }
            };
            let labour = move || cancel::with(Some(flag), || engine::keep_programs(work_through));
            // A thread that cannot be had leaves more to the others; without any, nothing would be done.
            if let Err(error) = thread::Builder::new().name(CREW.to_owned()).spawn_scoped(scope, labour)
                && number == 0
            {
                panic!("no thread can be had: {error}");
            }
        }
        drop(sender);
        let receiver = receiver;
        let mut stopped: Option<Instant> = None;
        loop {
            if stop.load(Ordering::Relaxed) {
                stopped.get_or_insert_with(Instant::now);
            }
            if cancel::requested() || stopped.is_some_and(|stopped| stopped.elapsed() >= GRACE) {
                cancelled.store(true, Ordering::Relaxed);
            }
            let collected = match receiver.recv_timeout(PATIENCE) {
                Ok(result) => collect(Some(result)),
                Err(RecvTimeoutError::Timeout) => collect(None),
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            };
            if collected.is_err() {
                // Nobody wants what the threads are working on.
                cancelled.store(true, Ordering::Relaxed);
                return collected;
            }
        }
    })
}

/// Does some work on a thread of its own, which is [cancelled](cancel::requested) when `stop` is set.
pub(crate) fn stoppable<T: Send>(stop: &AtomicBool, work: impl FnOnce() -> T + Send) -> T {
    /// How often `stop` is looked at.
    const LOOK_EVERY: Duration = Duration::from_millis(50);
    let flag = Arc::new(AtomicBool::new(false));
    let caller = thread::current();
    thread::scope(|scope| {
        let cancelled = Arc::clone(&flag);
        let worker = scope.spawn(move || {
            let result = cancel::with(Some(cancelled), work);
            caller.unpark();
            result
        });
        while !worker.is_finished() {
            if stop.load(Ordering::Relaxed) || cancel::requested() {
                flag.store(true, Ordering::Relaxed);
            }
            thread::park_timeout(LOOK_EVERY);
        }
        worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// The number of threads to use: as asked, or one for each core.
pub fn thread_count(asked: Option<usize>) -> usize {
    asked.unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from))
}

//! A crew of threads that work through numbered tasks and hand the results to one collector.
//!
//! The order in which results arrive depends on the threads; what is made of them must not.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::sync_channel;
use std::thread;

/// Results that may wait for the collector before the threads wait for it: memory stays flat.
const WAITING: usize = 1024;

/// Runs `work` for every number below `tasks` on `threads` threads, each with its own `worker`, and hands what it returns
/// to `collect` on the calling thread. `None` from `work` passes a task over. Ends early, after the tasks in hand, when `stop` is set; returns
/// whether all tasks were offered.
pub(crate) fn run<W, T: Send>(
    tasks: u64,
    threads: usize,
    stop: &AtomicBool,
    worker: impl Fn() -> W + Sync,
    work: impl Fn(&mut W, u64) -> Option<T> + Sync,
    mut collect: impl FnMut(T),
) -> bool {
    let next = AtomicU64::new(0);
    let (sender, receiver) = sync_channel(WAITING);
    thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            let sender = sender.clone();
            let (next, worker, work) = (&next, &worker, &work);
            scope.spawn(move || {
                let mut own = worker();
                while !stop.load(Ordering::Relaxed) {
                    let task = next.fetch_add(1, Ordering::Relaxed);
                    if task >= tasks {
                        break;
                    }
                    if let Some(result) = work(&mut own, task)
                        && sender.send(result).is_err()
                    {
                        break;
                    }
                }
            });
        }
        drop(sender);
        for result in receiver {
            collect(result);
        }
    });
    next.load(Ordering::Relaxed) >= tasks
}

/// The number of threads to use: as asked, or one for each core.
pub fn thread_count(asked: Option<usize>) -> usize {
    asked.unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from))
}

//! A crew of threads that work through numbered tasks and hand the results to one collector.
//!
//! The order in which results arrive depends on the threads; what is made of them must not.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use tesuji_core::cancel;

/// Results that may wait for the collector before the threads wait for it: memory stays flat.
const WAITING: usize = 1024;

/// The name of the threads.
const CREW: &str = "tesuji-crew";

/// How long the collector waits before it is told that nothing came.
const PATIENCE: Duration = Duration::from_millis(200);

/// Runs `work` for every number below `tasks` on `threads` threads, each with its own `worker`, and hands what it returns
/// to `collect` on the calling thread; `None` tells `collect` that nothing came for a while. `None` from `work` passes a task
/// over. Ends early, after the tasks in hand, when `stop` is set or `collect` fails.
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
    let flag = cancel::current();
    thread::scope(|scope| {
        for number in 0..threads.max(1) {
            let sender = sender.clone();
            let (next, worker, work) = (&next, &worker, &work);
            let flag = flag.clone();
            let work_through = move || {
                let mut own = worker();
                while !stop.load(Ordering::Relaxed) {
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
            let labour = move || cancel::with(flag, work_through);
            // A thread that cannot be had leaves more to the others; without any, nothing would be done.
            if let Err(error) = thread::Builder::new().name(CREW.to_owned()).spawn_scoped(scope, labour)
                && number == 0
            {
                panic!("no thread can be had: {error}");
            }
        }
        drop(sender);
        let receiver = receiver;
        loop {
            match receiver.recv_timeout(PATIENCE) {
                Ok(result) => collect(Some(result))?,
                Err(RecvTimeoutError::Timeout) => collect(None)?,
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
        }
    })
}

/// The number of threads to use: as asked, or one for each core.
pub fn thread_count(asked: Option<usize>) -> usize {
    asked.unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from))
}

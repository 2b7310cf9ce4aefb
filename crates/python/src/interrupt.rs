//! Long work that Ctrl-C can stop.
//!
//! Python learns of Ctrl-C only when its main thread looks. So the work runs on a thread of its own, without the
//! interpreter lock, and the calling thread looks for signals while it waits. Threads are kept: starting one for every
//! decision would cost more than a short search, and rule sheets keep their machines by thread.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use tesuji_arena::{cancel, guard};

/// How often the calling thread looks for signals.
const LOOK_EVERY: Duration = Duration::from_millis(20);
/// How long cancelled work may take to end before its thread is left alone.
const PATIENCE: Duration = Duration::from_secs(2);

type Job = Box<dyn FnOnce() + Send>;

/// Threads that wait for work, with the process that started them: a forked child has none of them.
static IDLE: Mutex<(u32, Vec<Sender<Job>>)> = Mutex::new((0, Vec::new()));

/// Gives a job to an idle thread, or to a new one.
fn submit(job: Job) {
    let mut job = job;
    while let Some(worker) = take_idle() {
        match worker.send(job) {
            Ok(()) => return,
            Err(refused) => job = refused.0,
        }
    }
    let (sender, receiver): (Sender<Job>, Receiver<Job>) = channel();
    drop(sender.send(job));
    thread::spawn(move || {
        while let Ok(job) = receiver.recv() {
            job();
            let mut idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner);
            idle.1.push(sender.clone());
        }
    });
}

fn take_idle() -> Option<Sender<Job>> {
    let mut idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner);
    let process = std::process::id();
    if idle.0 != process {
        *idle = (process, Vec::new());
    }
    idle.1.pop()
}

/// Runs `work` without the interpreter lock; Ctrl-C cancels it and raises `KeyboardInterrupt`. `work` is given the flag
/// that cancels it.
pub(crate) fn interruptible<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce(&AtomicBool) -> T + Send + 'static,
) -> PyResult<T> {
    let flag = Arc::new(AtomicBool::new(false));
    let (sender, receiver) = channel();
    let given = Arc::clone(&flag);
    submit(Box::new(move || {
        let done = guard(|| cancel::with(Some(Arc::clone(&given)), || work(&given)));
        // Nobody listens any more if the caller lost its patience.
        drop(sender.send(done));
    }));
    // A receiver must not be shared, so the waiting closure borrows it through a mutex.
    let receiver = Mutex::new(receiver);
    let wait =
        |time: Duration| py.detach(|| receiver.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(time));
    loop {
        match wait(LOOK_EVERY) {
            Ok(done) => return done.map_err(|message| PyRuntimeError::new_err(format!("panicked: {message}"))),
            Err(RecvTimeoutError::Disconnected) => {
                return Err(PyRuntimeError::new_err("the work ended without a result"));
            }
            Err(RecvTimeoutError::Timeout) => {
                if let Err(interrupt) = py.check_signals() {
                    flag.store(true, Ordering::Relaxed);
                    drop(wait(PATIENCE));
                    return Err(interrupt);
                }
            }
        }
    }
}

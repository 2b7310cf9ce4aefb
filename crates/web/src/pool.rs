//! A pool of search threads, one a core. Jobs that find no free thread wait in a queue.
//!
//! Every match and every analysis has at most one job here at a time and a job is one decision, so first come, first
//! served is fair. Analyses use at most all threads but one (if there are several), so that long analyses never block
//! matches.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use tesuji_arena::guard;

/// What a job is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Purpose {
    /// An agent's decision in a match.
    Play,
    /// An analysis.
    Analysis,
}

type Job = Box<dyn FnOnce() + Send>;

/// The threads that search.
pub(crate) struct Pool {
    shared: Arc<Shared>,
    threads: usize,
}

struct Shared {
    queues: Mutex<Queues>,
    wake: Condvar,
    /// The greatest number of threads for analyses.
    for_analyses: usize,
}

#[derive(Default)]
struct Queues {
    play: VecDeque<Job>,
    analyses: VecDeque<Job>,
    playing: usize,
    analysing: usize,
    last: Option<Purpose>,
    closed: bool,
}

/// How busy a pool is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Load {
    /// Jobs that run.
    pub searching: usize,
    /// Jobs that wait.
    pub queued: usize,
}

impl Pool {
    /// A pool of that many threads.
    pub(crate) fn new(threads: usize) -> Pool {
        let threads = threads.max(1);
        let for_analyses = (threads - 1).max(1);
        let shared = Arc::new(Shared { queues: Mutex::default(), wake: Condvar::new(), for_analyses });
        for _ in 0..threads {
            let shared = Arc::clone(&shared);
            let spawned = thread::Builder::new().name("tesuji-search".to_owned()).spawn(move || shared.work());
            if let Err(error) = spawned {
                panic!("cannot start a search thread: {error}");
            }
        }
        Pool { shared, threads }
    }

    /// The number of threads.
    pub(crate) fn threads(&self) -> usize {
        self.threads
    }

    /// Appends a job to the queue of its purpose.
    pub(crate) fn submit(&self, purpose: Purpose, job: impl FnOnce() + Send + 'static) {
        let mut queues = self.shared.queues();
        match purpose {
            Purpose::Play => queues.play.push_back(Box::new(job)),
            Purpose::Analysis => queues.analyses.push_back(Box::new(job)),
        }
        drop(queues);
        self.shared.wake.notify_one();
    }

    /// How busy it is.
    pub(crate) fn load(&self) -> Load {
        let queues = self.shared.queues();
        Load { searching: queues.playing + queues.analysing, queued: queues.play.len() + queues.analyses.len() }
    }

    /// Discards waiting jobs and ends the threads after their current jobs.
    pub(crate) fn close(&self) {
        let mut queues = self.shared.queues();
        queues.closed = true;
        let waiting: Vec<Job> = std::mem::take(&mut queues.play).into_iter().chain(queues.analyses.drain(..)).collect();
        drop(queues);
        drop(waiting);
        self.shared.wake.notify_all();
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.close();
    }
}

impl Shared {
    fn queues(&self) -> MutexGuard<'_, Queues> {
        self.queues.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn work(&self) {
        loop {
            let mut queues = self.queues();
            let (purpose, job) = loop {
                if queues.closed {
                    return;
                }
                if let Some(found) = self.next(&mut queues) {
                    break found;
                }
                queues = self.wake.wait(queues).unwrap_or_else(PoisonError::into_inner);
            };
            *queues.running(purpose) += 1;
            queues.last = Some(purpose);
            drop(queues);
            // A job reports its own failures. A panic must not end the thread.
            if let Err(message) = guard(job) {
                eprintln!("a search of the lab panicked: {message}");
            }
            *self.queues().running(purpose) -= 1;
            self.wake.notify_one();
        }
    }

    fn next(&self, queues: &mut Queues) -> Option<(Purpose, Job)> {
        let may_analyse = queues.analysing < self.for_analyses;
        let turn_of_play = queues.last == Some(Purpose::Analysis) && !queues.play.is_empty();
        if may_analyse
            && !turn_of_play
            && let Some(job) = queues.analyses.pop_front()
        {
            return Some((Purpose::Analysis, job));
        }
        queues.play.pop_front().map(|job| (Purpose::Play, job))
    }
}

impl Queues {
    fn running(&mut self, purpose: Purpose) -> &mut usize {
        match purpose {
            Purpose::Play => &mut self.playing,
            Purpose::Analysis => &mut self.analysing,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    /// A pool of one thread that is held up until the sender sends.
    fn held_up() -> (Pool, mpsc::Sender<()>) {
        let pool = Pool::new(1);
        let (go, wait) = mpsc::channel::<()>();
        let (begun, is_begun) = mpsc::channel();
        pool.submit(Purpose::Play, move || {
            begun.send(()).unwrap();
            let _ = wait.recv();
        });
        is_begun.recv().unwrap();
        (pool, go)
    }

    #[test]
    fn jobs_are_done_in_order_and_analyses_take_turns_with_play() {
        let (pool, go) = held_up();
        let (sender, receiver) = mpsc::channel();
        for (purpose, name) in
            [(Purpose::Play, "p1"), (Purpose::Play, "p2"), (Purpose::Analysis, "a1"), (Purpose::Analysis, "a2")]
        {
            let sender = sender.clone();
            pool.submit(purpose, move || sender.send(name).unwrap());
        }
        assert_eq!(pool.load(), Load { searching: 1, queued: 4 });
        go.send(()).unwrap();
        let order: Vec<&str> = receiver.iter().take(4).collect();
        assert_eq!(order, ["a1", "p1", "a2", "p2"]);
    }

    #[test]
    fn a_job_that_panics_costs_no_thread_and_closing_drops_what_waits() {
        let (pool, go) = held_up();
        let (sender, receiver) = mpsc::channel();
        pool.submit(Purpose::Play, || panic!("a job that fails"));
        let late = sender.clone();
        pool.submit(Purpose::Play, move || late.send("alive").unwrap());
        go.send(()).unwrap();
        assert_eq!(receiver.recv().unwrap(), "alive");
        let (pool, go) = held_up();
        pool.submit(Purpose::Play, move || sender.send("never").unwrap());
        pool.close();
        go.send(()).unwrap();
        assert!(receiver.recv().is_err(), "the job and its sender are dropped");
    }
}

//! The threads that search. As many as the machine has cores; what finds no free one waits in line.
//!
//! Every match and every analysis has at most one job here at a time and a job is one decision, so first come, first served
//! is fair: nobody gets a second decision before everybody in line had one. Analyses may take all threads but one (where there are
//! several), so that long ones never hold up play.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use tesuji_arena::guard;

/// What a job is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// An agent's decision in a match.
    Play,
    /// An analysis.
    Analysis,
}

type Job = Box<dyn FnOnce() + Send>;

/// The threads that search.
pub struct Pool {
    shared: Arc<Shared>,
    threads: usize,
}

struct Shared {
    lines: Mutex<Lines>,
    news: Condvar,
    /// Threads that analyses may take.
    for_analyses: usize,
}

#[derive(Default)]
struct Lines {
    play: VecDeque<Job>,
    analyses: VecDeque<Job>,
    playing: usize,
    analysing: usize,
    last: Option<Purpose>,
    closed: bool,
}

/// How busy a pool is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Load {
    /// Jobs that run.
    pub searching: usize,
    /// Jobs that wait.
    pub queued: usize,
}

impl Pool {
    /// A pool of that many threads.
    pub fn new(threads: usize) -> Pool {
        let threads = threads.max(1);
        let for_analyses = (threads - 1).max(1);
        let shared = Arc::new(Shared { lines: Mutex::default(), news: Condvar::new(), for_analyses });
        for _ in 0..threads {
            let shared = Arc::clone(&shared);
            let spawned = thread::Builder::new().name("tesuji-search".to_owned()).spawn(move || shared.work());
            if let Err(error) = spawned {
                panic!("the system gives no thread to search on: {error}");
            }
        }
        Pool { shared, threads }
    }

    /// The number of threads.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Puts a job at the end of its line.
    pub fn submit(&self, purpose: Purpose, job: impl FnOnce() + Send + 'static) {
        let mut lines = self.shared.lines();
        match purpose {
            Purpose::Play => lines.play.push_back(Box::new(job)),
            Purpose::Analysis => lines.analyses.push_back(Box::new(job)),
        }
        drop(lines);
        self.shared.news.notify_one();
    }

    /// How busy it is.
    pub fn load(&self) -> Load {
        let lines = self.shared.lines();
        Load { searching: lines.playing + lines.analysing, queued: lines.play.len() + lines.analyses.len() }
    }

    /// Drops what waits and ends the threads after the jobs in hand.
    pub fn close(&self) {
        let mut lines = self.shared.lines();
        lines.closed = true;
        let waiting: Vec<Job> = std::mem::take(&mut lines.play).into_iter().chain(lines.analyses.drain(..)).collect();
        drop(lines);
        drop(waiting);
        self.shared.news.notify_all();
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.close();
    }
}

impl Shared {
    fn lines(&self) -> MutexGuard<'_, Lines> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn work(&self) {
        loop {
            let mut lines = self.lines();
            let (purpose, job) = loop {
                if lines.closed {
                    return;
                }
                if let Some(found) = self.next(&mut lines) {
                    break found;
                }
                lines = self.news.wait(lines).unwrap_or_else(PoisonError::into_inner);
            };
            *lines.running(purpose) += 1;
            lines.last = Some(purpose);
            drop(lines);
            // A job answers for its own faults; one that does not must not cost a thread.
            if let Err(message) = guard(job) {
                eprintln!("a search of the lab panicked: {message}");
            }
            *self.lines().running(purpose) -= 1;
            self.news.notify_one();
        }
    }

    fn next(&self, lines: &mut Lines) -> Option<(Purpose, Job)> {
        let may_analyse = lines.analysing < self.for_analyses;
        let turn_of_play = lines.last == Some(Purpose::Analysis) && !lines.play.is_empty();
        if may_analyse
            && !turn_of_play
            && let Some(job) = lines.analyses.pop_front()
        {
            return Some((Purpose::Analysis, job));
        }
        lines.play.pop_front().map(|job| (Purpose::Play, job))
    }
}

impl Lines {
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
        let (told, hear) = mpsc::channel();
        for (purpose, name) in
            [(Purpose::Play, "p1"), (Purpose::Play, "p2"), (Purpose::Analysis, "a1"), (Purpose::Analysis, "a2")]
        {
            let told = told.clone();
            pool.submit(purpose, move || told.send(name).unwrap());
        }
        assert_eq!(pool.load(), Load { searching: 1, queued: 4 });
        go.send(()).unwrap();
        let order: Vec<&str> = hear.iter().take(4).collect();
        assert_eq!(order, ["a1", "p1", "a2", "p2"]);
    }

    #[test]
    fn a_job_that_panics_costs_no_thread_and_closing_drops_what_waits() {
        let (pool, go) = held_up();
        let (told, hear) = mpsc::channel();
        pool.submit(Purpose::Play, || panic!("a job that fails"));
        let late = told.clone();
        pool.submit(Purpose::Play, move || late.send("alive").unwrap());
        go.send(()).unwrap();
        assert_eq!(hear.recv().unwrap(), "alive");
        let (pool, go) = held_up();
        pool.submit(Purpose::Play, move || told.send("never").unwrap());
        pool.close();
        go.send(()).unwrap();
        assert!(hear.recv().is_err(), "the job and its sender are dropped");
    }
}

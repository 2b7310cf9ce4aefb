//! A thread of a worker: plays the pieces of one task after the other.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tesuji_arena::{Piece, PiecePlayer, cancel, guard, on_playing_thread};
use tokio::sync::mpsc::Sender;

use crate::schedule::{LONGEST_TASK, Task};
use crate::work::opened::Opened;

/// A part of an answer is sent when it has about this many bytes …
const FULL: usize = 200_000;
/// … or is this old.
const OLD: Duration = Duration::from_secs(5);
/// What a match takes beside its moves and decisions, in bytes.
const MATCH_BYTES: usize = 100;
/// Experiments whose agents a thread keeps.
const KEPT: usize = 2;

/// A task for a thread.
pub(crate) struct Job {
    pub opened: Arc<Opened>,
    pub task: Task,
    /// The worker's own number of the task in hand.
    pub handle: u64,
    /// Set when nobody wants the task any more, or when the worker leaves.
    pub cancelled: Arc<AtomicBool>,
}

/// Something that a thread played.
pub(crate) struct Played {
    pub opened: Arc<Opened>,
    pub task: u64,
    pub handle: u64,
    pub pieces: Vec<Piece>,
    pub seconds: f64,
    pub last: bool,
    pub rest: Vec<(u64, u64)>,
    pub failure: Option<String>,
}

/// Plays jobs until there are no more.
pub(crate) fn play_jobs(jobs: &Mutex<Receiver<Job>>, played: &Sender<Played>, leaving: &AtomicBool) {
    on_playing_thread(|| {
        let mut players: HashMap<String, PiecePlayer> = HashMap::new();
        loop {
            let job = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
            let Ok(job) = job else { return };
            if !players.contains_key(&job.opened.id) && players.len() >= KEPT {
                players.clear();
            }
            if play(&job, &mut players, played, leaving).is_err() {
                return;
            }
        }
    });
}

/// Nobody takes results any more.
struct Closed;

fn play(
    job: &Job,
    players: &mut HashMap<String, PiecePlayer>,
    sender: &Sender<Played>,
    leaving: &AtomicBool,
) -> Result<(), Closed> {
    let mut part = Part { job, sender, pieces: Vec::new(), bytes: 0, begun: Instant::now() };
    let begun = Instant::now();
    let mut numbers = job.task.pieces.iter().cloned().flatten();
    let mut failure = None;
    let mut rest = Vec::new();
    for number in numbers.by_ref() {
        let left = leaving.load(Ordering::Relaxed) || job.cancelled.load(Ordering::Relaxed);
        if left || begun.elapsed().as_secs_f64() >= LONGEST_TASK {
            rest.push(number);
            break;
        }
        let player = match players.get_mut(&job.opened.id) {
            Some(player) => Ok(player),
            None => PiecePlayer::new(Arc::clone(&job.opened.experiment), Some(Arc::clone(&job.opened.files)))
                .map(|player| players.entry(job.opened.id.clone()).or_insert(player)),
        };
        let result = player.and_then(|player| {
            let cancelled = Some(Arc::clone(&job.cancelled));
            cancel::with(cancelled, || guard(|| player.play(number)))
                .unwrap_or_else(|panic| Err(tesuji_arena::InputError::new(format!("a panic: {panic}"))))
        });
        match result {
            Ok(Some(piece)) => part.add(piece)?,
            Ok(None) => {
                rest.push(number);
                break;
            }
            Err(error) => {
                // The agents may be in any state.
                players.remove(&job.opened.id);
                failure = Some(error.to_string());
                break;
            }
        }
    }
    rest.extend(numbers);
    part.send(true, ranges(&rest), failure)
}

/// Numbers as ranges.
fn ranges(numbers: &[u64]) -> Vec<(u64, u64)> {
    let mut ranges: Vec<(u64, u64)> = Vec::new();
    for &number in numbers {
        match ranges.last_mut() {
            Some(last) if last.1 == number => last.1 += 1,
            _ => ranges.push((number, number + 1)),
        }
    }
    ranges
}

/// The part of an answer that is not sent yet.
struct Part<'a> {
    job: &'a Job,
    sender: &'a Sender<Played>,
    pieces: Vec<Piece>,
    bytes: usize,
    begun: Instant,
}

impl Part<'_> {
    fn add(&mut self, piece: Piece) -> Result<(), Closed> {
        self.bytes += piece.1.iter().map(|played| played.text_bytes() + MATCH_BYTES).sum::<usize>();
        self.pieces.push(piece);
        if self.bytes >= FULL || self.begun.elapsed() >= OLD {
            self.send(false, Vec::new(), None)?;
        }
        Ok(())
    }

    fn send(&mut self, last: bool, rest: Vec<(u64, u64)>, failure: Option<String>) -> Result<(), Closed> {
        let played = Played {
            opened: Arc::clone(&self.job.opened),
            task: self.job.task.number,
            handle: self.job.handle,
            pieces: std::mem::take(&mut self.pieces),
            seconds: self.begun.elapsed().as_secs_f64(),
            last,
            rest,
            failure,
        };
        self.bytes = 0;
        let sent = self.sender.blocking_send(played).map_err(|_| Closed);
        self.begun = Instant::now();
        sent
    }
}

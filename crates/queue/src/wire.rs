//! The messages between collector and workers, and the names of what they are sent through.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tesuji_arena::Piece;
use tesuji_arena::experiment::Scale;
use tesuji_arena::files::FileSet;

use crate::schedule::Task;

/// The stream of tasks, and its subjects: one for each experiment.
pub(crate) const TASKS: &str = "TESUJI_TASKS";
/// The stream of answers.
pub(crate) const ANSWERS: &str = "TESUJI_ANSWERS";
/// The bucket of experiments: `index` lists those that are open, and each has a manifest.
pub(crate) const EXPERIMENTS: &str = "tesuji-experiments";
/// The bucket of the workers' signs of life, and of names that are banned.
pub(crate) const WORKERS: &str = "tesuji-workers";
/// The bucket of what collectors report.
pub(crate) const PROGRESS: &str = "tesuji-progress";
/// The object store of files that experiments name, by their hash.
pub(crate) const FILES: &str = "tesuji-files";
/// The key of the list of open experiments.
pub(crate) const INDEX: &str = "index";
/// Published when the list of experiments or bans changed.
pub(crate) const NEWS: &str = "tesuji.news";
/// Workers publish their signs of life here, too.
pub(crate) const ALIVE: &str = "tesuji.alive";
/// Requests to all collectors: remove what a worker played.
pub(crate) const PURGE: &str = "tesuji.purge";

/// The subject of an experiment's tasks.
pub(crate) fn tasks_subject(id: &str) -> String {
    format!("tesuji.tasks.{id}")
}

/// The subject of an experiment's answers.
pub(crate) fn answers_subject(id: &str) -> String {
    format!("tesuji.answers.{id}")
}

/// The subject of words from collectors to a worker.
pub(crate) fn word_subject(worker: &str) -> String {
    format!("tesuji.word.{worker}")
}

/// The name of an experiment in subjects and keys: the beginning of its identity.
pub(crate) fn id_of(identity: &str) -> String {
    identity.chars().take(16).collect()
}

/// The key of a banned worker.
pub(crate) fn ban_key(worker: &str) -> String {
    format!("ban.{worker}")
}

/// The key of a worker's signs of life.
pub(crate) fn worker_key(worker: &str) -> String {
    format!("worker.{worker}")
}

/// Can this be the name of a worker? It becomes a part of subjects and keys.
pub fn is_worker_name(name: &str) -> bool {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_".contains(letter);
    (1..=64).contains(&name.len()) && name.chars().all(plain)
}

/// An experiment in the list of open ones.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Listed {
    pub id: String,
    /// Greater ones come first.
    pub priority: u8,
}

/// An experiment as workers get it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Manifest {
    pub version: String,
    pub identity: String,
    pub title: String,
    /// The name of the experiment's file.
    pub name: String,
    pub text: String,
    pub quick: bool,
    /// The files that it names: path, hash and length.
    pub files: Vec<(String, String, u64)>,
    /// Pairs of matches, and decisions to be measured.
    pub pieces: u64,
    pub priority: u8,
    /// A worker that gives no sign for this many seconds loses its task.
    pub patience: f64,
    /// Which collector publishes it: a hash of its machine and store.
    pub collector: String,
}

impl Manifest {
    pub(crate) fn scale(&self) -> Scale {
        if self.quick { Scale::Quick } else { Scale::Full }
    }
}

/// A task as it is sent.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct SentTask {
    task: u64,
    pieces: Vec<(u64, u64)>,
}

/// A task as bytes.
pub(crate) fn task_bytes(task: &Task) -> Vec<u8> {
    let pieces = task.pieces.iter().map(|range| (range.start, range.end)).collect();
    json_bytes(&SentTask { task: task.number, pieces })
}

/// The task in a message.
pub(crate) fn read_task(bytes: &[u8]) -> Result<Task, String> {
    let SentTask { task, pieces } = serde_json::from_slice(bytes).map_err(|error| format!("not a task: {error}"))?;
    let pieces: Vec<Range<u64>> = pieces.into_iter().map(|(start, end)| start..end).collect();
    if pieces.iter().any(|range| range.start >= range.end) {
        return Err("not a task: an empty range of pieces".to_owned());
    }
    Ok(Task { number: task, pieces })
}

/// The head of an answer.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct AnswerHead {
    /// The version of the worker.
    pub version: String,
    /// The identity of the experiment as the worker computed it, from its own build and the files it got.
    pub identity: String,
    /// The hash of the files that the worker got with the experiment.
    pub files: String,
    pub worker: String,
    /// The measured speed of the worker.
    pub speed: f64,
    pub task: u64,
    /// How long the pieces took, on one thread.
    pub seconds: f64,
    /// Is this the last answer to the task?
    pub last: bool,
    /// Pieces that are returned.
    pub rest: Vec<(u64, u64)>,
    /// Why the worker cannot play the experiment at all.
    pub failure: Option<String>,
}

/// An answer as bytes: a hash of all that follows, the head, and the pieces, each on a line.
pub(crate) fn answer_bytes(head: &AnswerHead, pieces: &[Piece]) -> Vec<u8> {
    let mut rest = json_bytes(head);
    rest.push(b'\n');
    rest.extend(json_bytes(&pieces));
    let mut bytes = hash(&rest).into_bytes();
    bytes.push(b'\n');
    bytes.extend(rest);
    bytes
}

/// The head and the pieces of an answer, or what is wrong with it.
pub(crate) fn read_answer(bytes: &[u8]) -> Result<(AnswerHead, Vec<Piece>), String> {
    let split = |bytes: &[u8]| bytes.iter().position(|&byte| byte == b'\n');
    let (checksum, rest) = bytes.split_at(split(bytes).ok_or("not an answer: it has no checksum")?);
    let rest = &rest[1..];
    if checksum != hash(rest).as_bytes() {
        return Err("not an answer, or a damaged one: its checksum is wrong".to_owned());
    }
    let (head, body) = rest.split_at(split(rest).ok_or("not an answer: it has no head")?);
    let head: AnswerHead = serde_json::from_slice(head).map_err(|error| format!("not an answer: {error}"))?;
    if !is_worker_name(&head.worker) {
        return Err("not an answer: the name of its worker is not a name".to_owned());
    }
    let pieces = serde_json::from_slice(&body[1..]);
    let pieces = pieces.map_err(|error| format!("an answer of `{}` cannot be read: {error}", head.worker))?;
    Ok((head, pieces))
}

/// A sign of life of a worker.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct WorkerReport {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Threads that play.
    pub threads: usize,
    /// Playouts a second on one thread, in a game that all workers measure.
    pub speed: f64,
    /// The titles of the experiments it plays.
    pub playing: Vec<String>,
    /// Pairs played since it started.
    pub pairs: u64,
    /// Pairs an hour, lately.
    pub pairs_per_hour: f64,
    /// Experiments that it refuses, by title, with the reason.
    pub refused: BTreeMap<String, String>,
}

/// What a collector reports about its experiment.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct ExperimentReport {
    /// The name in the queue.
    pub id: String,
    /// The title.
    pub title: String,
    /// Greater ones come first.
    pub priority: u8,
    /// Pairs and decisions that are there.
    pub done: u64,
    /// All of them.
    pub total: u64,
    /// Matches that are there.
    pub matches: u64,
    /// Pairs an hour, lately.
    pub pairs_per_hour: f64,
    /// Seconds until the end at this rate.
    pub seconds_left: Option<f64>,
    /// Live workers.
    pub workers: usize,
    /// Their threads.
    pub threads: usize,
    /// Tasks that are published and not answered.
    pub tasks: usize,
    /// The seconds that a task should take.
    pub task_seconds: f64,
    /// Answers that were refused.
    pub refused: u64,
    /// Pairs that arrived more than once.
    pub repeated: u64,
    /// Workers whose results deviate.
    pub deviating: Vec<String>,
    /// How much faster the fastest worker is than the slowest; only under time budgets.
    pub speed_spread: Option<f64>,
    /// Is it finished?
    pub finished: bool,
}

pub(crate) fn json_bytes(value: &impl Serialize) -> Vec<u8> {
    // Keys are strings and numbers are finite or null: writing to memory does not fail.
    serde_json::to_vec(value).unwrap_or_default()
}

/// The hash of all files of an experiment, with their paths.
pub(crate) fn files_hash(files: &FileSet) -> String {
    let each: Vec<(&String, String)> = files.iter().map(|(path, bytes)| (path, hash(bytes))).collect();
    hash(&json_bytes(&each))
}

/// SHA-256 in hexadecimal digits.
pub(crate) fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head() -> AnswerHead {
        AnswerHead { worker: "w-1".to_owned(), task: 3, seconds: 1.5, last: true, ..AnswerHead::default() }
    }

    #[test]
    fn answers_read_back_and_damaged_ones_are_refused() {
        let pieces = vec![Piece(7, Vec::new(), Some(["0.1".into(), "1e-9".into(), "2".into()]))];
        let bytes = answer_bytes(&head(), &pieces);
        let (read, found) = read_answer(&bytes).unwrap();
        assert_eq!((read.task, read.seconds, found), (3, 1.5, pieces));
        for place in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[place] ^= 1;
            assert!(read_answer(&damaged).is_err(), "{place}");
        }
        for foreign in [&b""[..], b"hello", b"{}\n[]", b"\n", &bytes[..65]] {
            assert!(read_answer(foreign).is_err(), "{foreign:?}");
        }
        let named = AnswerHead { worker: "a.>".to_owned(), ..head() };
        assert!(read_answer(&answer_bytes(&named, &[])).unwrap_err().contains("not a name"));
    }

    #[test]
    fn tasks_read_back_and_foreign_messages_are_refused() {
        let task = Task { number: 5, pieces: vec![0..3, 9..10] };
        assert_eq!(read_task(&task_bytes(&task)).unwrap(), task);
        for foreign in [&b"{}"[..], b"", b"{\"task\":1,\"pieces\":[[3,3]]}", b"{\"task\":1,\"pieces\":[[4,3]]}", b"x"] {
            assert!(read_task(foreign).is_err(), "{foreign:?}");
        }
    }
}

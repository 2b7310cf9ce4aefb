//! Experiments on many machines: a queue of tasks over NATS JetStream.
//!
//! - [`collect()`] publishes an experiment, takes in the answers and is the only writer of its store.
//! - [`work()`] takes tasks, plays them and answers.
//! - [`status()`], [`purge()`] and [`remove()`] look at a queue and change it.
//! - [`schedule`] decides what is handed out. It is pure code: [`simulate`] runs it with thousands of virtual workers.
//!
//! What is played, stored and summed up is the arena's business. This crate alone knows NATS.

mod bench;
mod collect;
mod control;
mod directory;
pub mod schedule;
mod server;
pub mod simulate;
mod wire;
mod work;

use tesuji_arena::store::Store;
use tesuji_arena::{Collection, InputError, Piece};

pub use bench::{OverheadBench, OverheadTurn, QueueBench, QueueBenchPlan, Spread, bench_collector};
pub use collect::{CollectorOptions, CollectorView, Published, collect};
pub use control::{QueueStatus, WorkerStatus, allow, purge, purge_store, remove, status};
pub use server::{Notice, ServerOptions};
pub use wire::{ExperimentReport, WorkerReport, is_worker_name};
pub use work::{WorkerOptions, WorkerView, calibrate, work};

/// The pieces of an answer as bytes, as a worker sends them; [`take_any`] reads them.
pub fn answer_of(pieces: &[Piece]) -> Vec<u8> {
    wire::json_bytes(&pieces)
}

/// Takes any bytes as the pieces of an answer, as a collector does, and returns the number of pieces that it stored.
/// Messages that are no answer are refused with an error.
pub fn take_any(collection: &mut Collection, store: &mut Store, bytes: &[u8]) -> Result<u64, InputError> {
    drop(wire::read_task(bytes));
    drop(wire::read_answer(bytes));
    let pieces: Vec<Piece> = serde_json::from_slice(bytes).map_err(|error| InputError::new(error.to_string()))?;
    let taken = collection.take(store, "any", 1.0, pieces)?.map_err(InputError::new)?;
    Ok(taken.accepted)
}

/// A number that is another one each time. It comes from the system's generator, not from a clock: clocks can jump.
fn random_number() -> u64 {
    std::hash::BuildHasher::hash_one(&std::hash::RandomState::new(), std::process::id())
}

/// The name of this machine.
fn host() -> String {
    let told = std::fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let told = told.or_else(|| std::env::var("HOSTNAME").ok()).or_else(|| std::env::var("COMPUTERNAME").ok());
    told.map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).unwrap_or_else(|| "worker".to_owned())
}

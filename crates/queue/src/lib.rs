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

pub use bench::{OverheadBench, QueueBench, QueueBenchPlan, bench_collector};
pub use collect::{CollectorOptions, CollectorView, collect};
pub use control::{QueueStatus, WorkerStatus, allow, purge, purge_store, remove, status};
pub use server::{Notice, ServerOptions};
pub use wire::{ExperimentReport, WorkerReport, is_worker_name};
pub use work::{WorkerOptions, WorkerView, calibrate, work};

/// The name of this machine.
fn host() -> String {
    let told = std::fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let told = told.or_else(|| std::env::var("HOSTNAME").ok()).or_else(|| std::env::var("COMPUTERNAME").ok());
    told.map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).unwrap_or_else(|| "worker".to_owned())
}

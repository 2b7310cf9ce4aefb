//! Looks at a queue and changes it: status, purges, bans.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;
use serde::Serialize;
use tesuji_arena::store::Store;
use tesuji_arena::{Catalogue, Collection, InputError, stored_experiment};

use crate::directory;
use crate::server::{Queue, ServerOptions, failed, runtime};
use crate::wire::{ExperimentReport, PURGE, WorkerReport, ban_key, is_worker_name, worker_key};

/// How long collectors may take to answer.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long to wait for further collectors after an answer.
const MORE: Duration = Duration::from_secs(2);
/// The key by which the server is asked for its time.
const CLOCK: &str = "clock";

/// A queue at one moment.
#[derive(Clone, Debug, Default, Serialize)]
pub struct QueueStatus {
    /// Open and lately finished experiments, the greatest priority first.
    pub experiments: Vec<ExperimentReport>,
    /// The workers, the last heard of first.
    pub workers: Vec<WorkerStatus>,
}

/// A worker of a queue.
#[derive(Clone, Debug, Default, Serialize)]
pub struct WorkerStatus {
    /// What it reported last.
    #[serde(flatten)]
    pub report: WorkerReport,
    /// How many seconds ago, by the clock of the server.
    pub seconds_ago: f64,
    /// Was it banned?
    pub banned: bool,
}

/// The state of the queue on a server.
pub fn status(server: &ServerOptions) -> Result<QueueStatus, InputError> {
    let runtime = runtime()?;
    runtime.block_on(async {
        let queue = connect(server).await?;
        read_status(&queue).await
    })
}

async fn connect(server: &ServerOptions) -> Result<Queue, InputError> {
    Queue::connect(server, Arc::new(|_| ())).await
}

async fn read_status(queue: &Queue) -> Result<QueueStatus, InputError> {
    let unread = |error: &dyn std::fmt::Display| failed("the queue cannot be read", error);
    let mut experiments = BTreeMap::new();
    let mut keys = queue.progress.keys().await.map_err(|error| unread(&error))?;
    while let Some(Ok(key)) = keys.next().await {
        let value = queue.progress.get(&key).await.ok().flatten();
        if let Some(report) = value.and_then(|bytes| serde_json::from_slice::<ExperimentReport>(&bytes).ok()) {
            experiments.insert(key, report);
        }
    }
    for listed in directory::listed(&queue.experiments).await? {
        if let Some(manifest) = directory::manifest(&queue.experiments, &listed.id).await? {
            let report = experiments.entry(listed.id.clone()).or_default();
            (report.id, report.title, report.priority) = (listed.id, manifest.title, listed.priority);
            report.total = report.total.max(if report.finished { 0 } else { manifest.pieces });
            report.finished = false;
        }
    }
    // Ages are differences of the server's own times: clocks of other machines may be wrong.
    queue.workers.put(CLOCK, "".into()).await.map_err(|error| unread(&error))?;
    let clock = queue.workers.entry(CLOCK).await.map_err(|error| unread(&error))?;
    let mut workers = Vec::new();
    let mut banned = Vec::new();
    let mut keys = queue.workers.keys().await.map_err(|error| unread(&error))?;
    while let Some(Ok(key)) = keys.next().await {
        banned.extend(key.strip_prefix("ban.").map(str::to_owned));
        if !key.starts_with("worker.") {
            continue;
        }
        let Ok(Some(entry)) = queue.workers.entry(&key).await else { continue };
        let Ok(report) = serde_json::from_slice::<WorkerReport>(&entry.value) else { continue };
        let age = clock.as_ref().map_or(0.0, |clock| (clock.created - entry.created).as_seconds_f64());
        workers.push(WorkerStatus { report, seconds_ago: age.max(0.0), banned: false });
    }
    for worker in &mut workers {
        worker.banned = banned.contains(&worker.report.name);
    }
    workers.sort_by(|one, two| one.seconds_ago.total_cmp(&two.seconds_ago).then(one.report.name.cmp(&two.report.name)));
    let mut experiments: Vec<ExperimentReport> = experiments.into_values().collect();
    experiments.sort_by(|one, two| {
        one.finished.cmp(&two.finished).then(two.priority.cmp(&one.priority)).then(one.title.cmp(&two.title))
    });
    Ok(QueueStatus { experiments, workers })
}

/// Asks all collectors to remove what a worker played, and to have it played again. With `ban`, later answers of the
/// worker are refused. Returns the numbers of removed pieces, one for each collector.
pub fn purge(server: &ServerOptions, worker: &str, ban: bool) -> Result<Vec<u64>, InputError> {
    check_name(worker)?;
    let runtime = runtime()?;
    runtime.block_on(async {
        let queue = connect(server).await?;
        let inbox = queue.client.new_inbox();
        let subscribed = queue.client.subscribe(inbox.clone()).await;
        let mut answers = subscribed.map_err(|error| failed("cannot wait for an answer", error))?;
        let request = format!("{}{worker}", if ban { "!" } else { "" });
        let sent = queue.client.publish_with_reply(PURGE, inbox, request.into()).await;
        sent.map_err(|error| failed("the request cannot be sent", error))?;
        if ban {
            drop(queue.workers.put(ban_key(worker), "banned".into()).await);
            directory::news(&queue).await;
        }
        drop(queue.client.flush().await);
        let mut removed = Vec::new();
        let open = directory::listed(&queue.experiments).await?.len();
        while removed.len() < open {
            let patience = if removed.is_empty() { PATIENCE } else { MORE };
            match tokio::time::timeout(patience, answers.next()).await {
                // The server says at once that nobody listens.
                Ok(Some(message)) if message.status.is_some() => break,
                Ok(Some(message)) => removed.extend(String::from_utf8_lossy(&message.payload).parse::<u64>()),
                Ok(None) | Err(_) => break,
            }
        }
        if removed.is_empty() {
            return Err(InputError::new("no collector answered: none is running").with_help(
                "`tesuji queue purge --store STORE --worker NAME` removes the results from a store itself",
            ));
        }
        Ok(removed)
    })
}

/// Removes what a worker played from a store that no collector is writing to. Returns the number of pieces.
pub fn purge_store(catalogue: &Catalogue, path: &Path, worker: &str) -> Result<u64, InputError> {
    check_name(worker)?;
    let mut store = Store::open(path)?;
    let mut removed = 0;
    for run in store.runs()? {
        if !store.answers(run.id)?.iter().any(|answer| answer.worker == worker) {
            continue;
        }
        let experiment = Arc::new(stored_experiment(catalogue, &run)?);
        let mut collection = Collection::open(experiment, (&run.name, &run.experiment), &mut store)?;
        removed += collection.purge(&mut store, worker)?;
    }
    Ok(removed)
}

fn check_name(worker: &str) -> Result<(), InputError> {
    if is_worker_name(worker) {
        Ok(())
    } else {
        Err(InputError::new(format!("`{worker}` is not the name of a worker")))
    }
}

/// Lifts the ban of a worker.
pub fn allow(server: &ServerOptions, worker: &str) -> Result<(), InputError> {
    check_name(worker)?;
    let runtime = runtime()?;
    runtime.block_on(async {
        let queue = connect(server).await?;
        let purged = queue.workers.purge(ban_key(worker)).await;
        purged.map_err(|error| failed("the ban cannot be lifted", error))?;
        drop(queue.workers.purge(worker_key(worker)).await);
        Ok(())
    })
}

/// Removes an experiment from the queue, with its tasks and answers that were not collected. Its store is not touched.
pub fn remove(server: &ServerOptions, id: &str) -> Result<(), InputError> {
    let runtime = runtime()?;
    runtime.block_on(async {
        let queue = connect(server).await?;
        let listed = directory::listed(&queue.experiments).await?;
        let found: Vec<String> =
            listed.into_iter().map(|listed| listed.id).filter(|known| known.starts_with(id)).collect();
        match found.as_slice() {
            [one] => {
                directory::remove(&queue, one).await?;
                drop(queue.progress.purge(one).await);
                Ok(())
            }
            [] => Err(InputError::new(format!("no experiment `{id}` is in the queue"))
                .with_help("`tesuji queue status` lists them")),
            _ => Err(InputError::new(format!("several experiments begin with `{id}`"))),
        }
    })
}

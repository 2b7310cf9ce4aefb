//! The collector: publishes the tasks of an experiment, takes in the answers, and is the only writer of its store.

mod desk;
mod link;
#[cfg(test)]
mod tests;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tesuji_arena::experiment::{Experiment, Scale};
use tesuji_arena::files::FileSet;
use tesuji_arena::store::Store;
use tesuji_arena::{Collection, InputError, RunEnd, RunProgress, VERSION};

use crate::collect::desk::Desk;
use crate::collect::link::{Link, Outgoing};
use crate::server::{Notice, Queue, ServerOptions, runtime};
use crate::wire::{ExperimentReport, Manifest, files_hash, hash, id_of};

/// How long the collector waits for an answer before it looks at other things.
const PATIENCE: Duration = Duration::from_millis(100);
/// Answers are committed together, this often.
const COMMIT_EVERY: Duration = Duration::from_millis(200);
/// How often progress is shown.
const SHOW_EVERY: Duration = Duration::from_millis(250);
/// How long the last messages may take to be sent.
const CLOSING: Duration = Duration::from_secs(10);
/// The same after an interruption.
const LEAVING: Duration = Duration::from_millis(500);

/// How to collect.
#[derive(Clone, Debug)]
pub struct CollectorOptions {
    /// The server.
    pub server: ServerOptions,
    /// Experiments with a greater priority come first.
    pub priority: u8,
    /// A worker that gives no sign for this long loses its task.
    pub patience: Duration,
    /// Accept agents with time budgets.
    pub time_budgets: bool,
}

/// An experiment with what travels to workers.
pub struct Published {
    /// The experiment.
    pub experiment: Arc<Experiment>,
    /// The name of its file.
    pub name: String,
    /// The text of its file.
    pub text: String,
    /// The files that it names.
    pub files: FileSet,
}

/// What a collector shows.
pub struct CollectorView<'a> {
    /// The run, as on one machine.
    pub progress: &'a RunProgress,
    /// The queue.
    pub report: &'a ExperimentReport,
}

/// Collects an experiment until it is complete or `stop` is set.
pub fn collect(
    published: Published,
    store: &mut Store,
    options: &CollectorOptions,
    notice: Notice,
    stop: &AtomicBool,
    mut see: impl FnMut(&CollectorView<'_>),
) -> Result<RunEnd, InputError> {
    collect_watched(published, store, options, notice, stop, &mut see)
}

/// Not generic, so that the connection is compiled in this crate alone.
fn collect_watched(
    published: Published,
    store: &mut Store,
    options: &CollectorOptions,
    notice: Notice,
    stop: &AtomicBool,
    see: &mut dyn FnMut(&CollectorView<'_>),
) -> Result<RunEnd, InputError> {
    let Published { experiment, name, text, files } = published;
    refuse_time_budgets(&experiment, options)?;
    let collection = Collection::open(Arc::clone(&experiment), (&name, &text), store)?;
    let id = id_of(collection.identity());
    let manifest = Manifest {
        version: VERSION.to_owned(),
        identity: collection.identity().to_owned(),
        title: experiment.title.clone(),
        name,
        text,
        quick: experiment.scale == Scale::Quick,
        files: files.iter().map(|(path, bytes)| (path.clone(), hash(bytes), bytes.len() as u64)).collect(),
        pieces: collection.pieces().count(),
        priority: options.priority,
        patience: options.patience.as_secs_f64(),
        collector: collector_name(store.path()),
    };
    let own_files = files_hash(&files);
    let runtime = runtime()?;
    let ending = Arc::new(AtomicBool::new(false));
    let mut link = runtime.block_on(async {
        let queue = Queue::connect(&options.server, notice.clone()).await?;
        Link::open(queue, &id, manifest, files, notice.clone(), Arc::clone(&ending)).await
    })?;
    let mut desk = Desk::new(collection, &experiment, (&id, own_files), options.priority, notice, link.out.clone());
    desk.adopt(std::mem::take(&mut link.left), link.backlog);
    let (mut committed, mut shown) = (Instant::now(), None::<Instant>);
    let outcome = loop {
        let incoming = runtime.block_on(async {
            tokio::select! {
                biased;
                Some(other) = link.others.recv() => Some(other),
                Some(answer) = link.answers.recv() => Some(answer),
                () = tokio::time::sleep(PATIENCE) => None,
            }
        });
        let handled = match incoming {
            Some(incoming) => desk.handle(incoming, store),
            None => Ok(()),
        };
        let step = handled.and_then(|()| {
            if committed.elapsed() >= COMMIT_EVERY {
                committed = Instant::now();
                desk.commit(store)?;
            }
            Ok(())
        });
        if let Err(error) = step {
            break Err(error);
        }
        desk.hand_out();
        if shown.is_none_or(|shown| shown.elapsed() >= SHOW_EVERY) {
            shown = Some(Instant::now());
            desk.look();
            see(&desk.view());
        }
        if stop.load(Ordering::Relaxed) {
            break Ok(false);
        }
        if desk.is_complete() {
            break Ok(true);
        }
    };
    ending.store(true, Ordering::Relaxed);
    let committed = if outcome.is_ok() { desk.commit(store) } else { Ok(()) };
    let complete = matches!(outcome, Ok(true)) && committed.is_ok();
    desk.report(complete);
    if complete {
        drop(link.out.send(Outgoing::Finish));
    }
    see(&desk.view());
    let end = desk.into_end(complete);
    // Answers that were not taken are delivered to the next collector.
    link.answers.close();
    runtime.block_on(link.close(if complete { CLOSING } else { LEAVING }));
    runtime.shutdown_timeout(LEAVING);
    outcome.and(committed)?;
    Ok(end)
}

fn refuse_time_budgets(experiment: &Experiment, options: &CollectorOptions) -> Result<(), InputError> {
    let timed = experiment.time_budgets();
    if timed.is_empty() || options.time_budgets {
        return Ok(());
    }
    Err(InputError::new(format!("`{}` decides by the clock: its results depend on the machine", timed.join("`, `")))
        .with_help(
            "use a budget in playouts or nodes; or `--time-budgets` if all workers are equally fast: their speeds are \
             then measured and reported",
        ))
}

/// Distinguishes collectors by machine and store: only one of them collects an experiment at a time.
fn collector_name(store: &Path) -> String {
    let path = store.canonicalize().unwrap_or_else(|_| store.to_owned());
    hash(format!("{} {}", crate::host(), path.display()).as_bytes())
}

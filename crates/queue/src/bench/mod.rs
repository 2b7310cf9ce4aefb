//! What the queue costs: answers that a collector takes a second, its memory, and the overhead against one machine.
//!
//! The program starts itself: the collector, and for the overhead a worker and an ordinary run, are processes of their
//! own. The workers of the first measurement are connections of this process that answer at once, with pairs that were
//! played before.

mod overhead;
mod processor;

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use async_nats::HeaderMap;
use futures_util::StreamExt;
use serde::Serialize;
use tesuji_arena::experiment::{Experiment, Scale, read_experiment};
use tesuji_arena::files::FileSet;
use tesuji_arena::{Catalogue, InputError, PiecePlayer, Pieces, Source, VERSION, experiment_identity};

use self::overhead::measure_overhead;
pub use self::overhead::{OverheadBench, OverheadTurn, Spread};
use crate::directory;
use crate::server::{Queue, ServerOptions, failed, runtime};
use crate::wire::{ALIVE, AnswerHead, WorkerReport, answers_subject, files_hash, hash, id_of, json_bytes, read_task};

/// The bytes of an answer, about.
const FULL: usize = 200_000;
/// How long anything may take.
const PATIENCE: Duration = Duration::from_secs(300);

/// What to measure.
#[derive(Clone, Debug)]
pub struct QueueBenchPlan {
    /// The server.
    pub server: ServerOptions,
    /// Options that lead the program to the same server.
    pub arguments: Vec<String>,
    /// Pairs of the first measurement.
    pub pairs: u64,
    /// Workers that answer at once.
    pub workers: usize,
    /// About how long an ordinary run of the second measurement takes; 0 leaves it out.
    pub seconds: f64,
    /// Threads of the second measurement.
    pub threads: usize,
    /// How often each is run in the second measurement.
    pub turns: usize,
    /// The folder for stores.
    pub scratch: PathBuf,
}

/// Figures of the queue on this machine.
#[derive(Clone, Debug, Default, Serialize)]
pub struct QueueBench {
    /// Pairs that the collector took.
    pub pairs: u64,
    /// Workers that were connected.
    pub workers: usize,
    /// Pairs a second, from the first answer until all were stored.
    pub pairs_per_second: f64,
    /// The greatest memory of the collector, in megabytes; `None` where the system does not tell.
    pub collector_megabytes: Option<f64>,
    /// The second measurement.
    pub overhead: Option<OverheadBench>,
}

/// Measures.
pub fn bench_collector(catalogue: &Catalogue, plan: &QueueBenchPlan) -> Result<QueueBench, InputError> {
    let mut figures = measure_collector(catalogue, plan)?;
    if plan.seconds > 0.0 {
        figures.overhead = Some(measure_overhead(catalogue, plan)?);
    }
    Ok(figures)
}

fn program(arguments: &[&str], more: &[String], folder: &Path) -> Result<Child, InputError> {
    let own = std::env::current_exe().map_err(|error| failed("the program does not find itself", error))?;
    let mut command = Command::new(own);
    command.args(arguments).args(more).current_dir(folder).stdin(Stdio::null()).stdout(Stdio::piped());
    command.stderr(Stdio::inherit()).spawn().map_err(|error| failed("the program cannot be started", error))
}

fn written(folder: &Path, name: &str, text: &str) -> Result<(), InputError> {
    std::fs::write(folder.join(name), text).map_err(|error| failed("a file cannot be written", error).in_file(name))
}

/// A number that tells the experiments of different measurements apart.
fn fresh_seed() -> u64 {
    crate::random_number() % 1_000_000_007
}

fn measure_collector(catalogue: &Catalogue, plan: &QueueBenchPlan) -> Result<QueueBench, InputError> {
    let text = format!(
        "title = \"tiny matches\"\ngames = [\"tic-tac-toe\"]\n\
         agents = [\"random\", {{ address = \"random\", label = \"again\" }}]\n\
         seed = {}\npairs = {}\nbudget = {{ playouts = 1 }}\n",
        fresh_seed(),
        plan.pairs
    );
    written(&plan.scratch, "tiny.toml", &text)?;
    let experiment = Arc::new(read_experiment(catalogue, &Source::new("tiny.toml", &text), Scale::Full)?);
    let pieces = Arc::new(play_all(&experiment)?);
    let identity = experiment_identity(&experiment)?;
    let runtime = runtime()?;
    let mut collector =
        program(&["run", "tiny.toml", "--store", "tiny.db", "--json", "--quiet"], &plan.arguments, &plan.scratch)?;
    let process = collector.id();
    let measured = runtime.block_on(async {
        let first = Arc::new(AtomicU64::new(0));
        let begun = Instant::now();
        let quiet: crate::Notice = Arc::new(|_| ());
        let watcher = Queue::connect(&plan.server, Arc::clone(&quiet)).await?;
        let id = id_of(&identity);
        while !directory::listed(&watcher.experiments).await?.iter().any(|listed| listed.id == id) {
            late(begun)?;
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        // All workers are connected before the first one answers.
        let connect = |_| {
            let (server, quiet) = (plan.server.clone(), Arc::clone(&quiet));
            tokio::spawn(async move { Queue::connect(&server, quiet).await })
        };
        let mut connected = Vec::new();
        for connecting in (0..plan.workers).map(connect).collect::<Vec<_>>() {
            connected.push(connecting.await.map_err(|error| failed("a worker cannot connect", error))??);
        }
        let worker = |(number, queue): (usize, Queue)| {
            tokio::spawn(
                InstantWorker {
                    queue,
                    id: id.clone(),
                    identity: identity.clone(),
                    name: format!("instant-{number}"),
                    pieces: Arc::clone(&pieces),
                    first: Arc::clone(&first),
                    begun,
                }
                .run(),
            )
        };
        let tasks: Vec<_> = connected.into_iter().enumerate().map(worker).collect();
        let mut memory = None;
        while directory::listed(&watcher.experiments).await?.iter().any(|listed| listed.id == id) {
            late(begun)?;
            memory = most_memory(process).or(memory);
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        let seconds = begun.elapsed().as_secs_f64() - first.load(Ordering::Relaxed) as f64 / 1e6;
        tasks.iter().for_each(tokio::task::JoinHandle::abort);
        Ok::<_, InputError>((seconds, memory))
    });
    let ended = collector.wait();
    let (seconds, collector_megabytes) = measured?;
    if !ended.is_ok_and(|status| status.success()) {
        return Err(InputError::new("the collector of the measurement failed"));
    }
    Ok(QueueBench {
        pairs: plan.pairs,
        workers: plan.workers,
        pairs_per_second: plan.pairs as f64 / seconds,
        collector_megabytes,
        overhead: None,
    })
}

fn late(begun: Instant) -> Result<(), InputError> {
    if begun.elapsed() < PATIENCE { Ok(()) } else { Err(InputError::new("the measurement does not end")) }
}

/// All pieces of an experiment, as bytes.
fn play_all(experiment: &Arc<Experiment>) -> Result<Vec<Box<[u8]>>, InputError> {
    let mut player = PiecePlayer::new(Arc::clone(experiment), None)?;
    let mut all = Vec::new();
    for number in 0..Pieces::of(experiment)?.count() {
        let piece = player.play(number)?.ok_or_else(|| InputError::new("cancelled"))?;
        all.push(json_bytes(&piece).into_boxed_slice());
    }
    Ok(all)
}

/// The greatest memory that a process had, in megabytes.
fn most_memory(process: u32) -> Option<f64> {
    let text = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().trim_end_matches("kB").trim().parse::<f64>().ok()? / 1e3)
}

/// A worker that has played everything before.
struct InstantWorker {
    queue: Queue,
    id: String,
    identity: String,
    name: String,
    pieces: Arc<Vec<Box<[u8]>>>,
    /// Microseconds until the first answer.
    first: Arc<AtomicU64>,
    begun: Instant,
}

impl InstantWorker {
    async fn run(self) {
        let report = WorkerReport {
            name: self.name.clone(),
            version: VERSION.to_owned(),
            threads: 1,
            speed: 1.0,
            ..WorkerReport::default()
        };
        drop(self.queue.client.publish(ALIVE, json_bytes(&report).into()).await);
        let consumer: async_nats::jetstream::consumer::PullConsumer = loop {
            match self.queue.tasks.get_consumer(&self.id).await {
                Ok(consumer) => break consumer,
                Err(_) => tokio::time::sleep(Duration::from_millis(20)).await,
            }
        };
        let mut signed = Instant::now();
        loop {
            if signed.elapsed() > Duration::from_secs(10) {
                signed = Instant::now();
                drop(self.queue.client.publish(ALIVE, json_bytes(&report).into()).await);
            }
            let Ok(mut batch) = consumer.fetch().max_messages(1).messages().await else { continue };
            let mut idle = true;
            while let Ok(Some(Ok(message))) = tokio::time::timeout(Duration::from_secs(3), batch.next()).await {
                idle = false;
                if let Ok(task) = read_task(&message.payload) {
                    self.answer(&task).await;
                }
                drop(message.ack().await);
            }
            if idle {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        }
    }

    async fn answer(&self, task: &crate::schedule::Task) {
        let numbers: Vec<u64> = task.pieces.iter().cloned().flatten().collect();
        let mut rest = &numbers[..];
        while !rest.is_empty() {
            let mut body = vec![b'['];
            let mut count = 0;
            while count < rest.len() && body.len() < FULL {
                if count > 0 {
                    body.push(b',');
                }
                body.extend_from_slice(&self.pieces[rest[count] as usize]);
                count += 1;
            }
            body.push(b']');
            rest = &rest[count..];
            let head = AnswerHead {
                version: VERSION.to_owned(),
                identity: self.identity.clone(),
                files: files_hash(&FileSet::new()),
                worker: self.name.clone(),
                speed: 1.0,
                task: task.number,
                seconds: count as f64 * 1e-5,
                last: rest.is_empty(),
                ..AnswerHead::default()
            };
            let mut signed = json_bytes(&head);
            signed.push(b'\n');
            signed.extend(body);
            let mut bytes = hash(&signed).into_bytes();
            bytes.push(b'\n');
            bytes.extend(signed);
            let passed = self.begun.elapsed().as_micros() as u64;
            // The first of all answers starts the clock.
            let _ = self.first.compare_exchange(0, passed, Ordering::Relaxed, Ordering::Relaxed);
            let sent =
                self.queue.context.publish_with_headers(answers_subject(&self.id), HeaderMap::new(), bytes.into());
            if let Ok(acknowledged) = sent.await {
                drop(acknowledged.await);
            }
        }
    }
}

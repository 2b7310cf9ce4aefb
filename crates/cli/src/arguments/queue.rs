//! Options of the commands for experiments on many machines.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};

use super::TableOptions;
use super::global::duration;

/// How to log in to a NATS server. Passwords and tokens are in files or in the environment, never among the arguments.
#[derive(Args, Clone, Default)]
#[command(next_help_heading = "NATS server")]
pub(crate) struct LoginOptions {
    /// The user; `TESUJI_QUEUE_USER` if absent. The password is in `--password-file` or `TESUJI_QUEUE_PASSWORD`.
    #[arg(long, value_name = "NAME")]
    pub user: Option<String>,
    /// The file of the user's password.
    #[arg(long, value_name = "FILE")]
    pub password_file: Option<PathBuf>,
    /// The file of a token; `TESUJI_QUEUE_TOKEN` holds one, too.
    #[arg(long, value_name = "FILE")]
    pub token_file: Option<PathBuf>,
    /// A NATS credentials file.
    #[arg(long, value_name = "FILE")]
    pub credentials: Option<PathBuf>,
    /// Connect by TLS only.
    #[arg(long)]
    pub tls: bool,
    /// Trust the certificates in this file (PEM), too.
    #[arg(long, value_name = "FILE")]
    pub tls_ca: Option<PathBuf>,
    /// This client's certificate (PEM).
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    pub tls_cert: Option<PathBuf>,
    /// The key of that certificate (PEM).
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    pub tls_key: Option<PathBuf>,
}

/// Options of `run` for experiments that other machines play.
#[derive(Args, Clone)]
#[command(next_help_heading = "Many machines")]
pub(crate) struct QueueRunOptions {
    /// Let workers play (`tesuji work`): publish tasks on this NATS server and collect the results.
    #[arg(long, value_name = "URL", conflicts_with = "shard")]
    pub queue: Option<String>,
    /// Workers play experiments of greater priority first.
    #[arg(long, value_name = "0-9", default_value_t = 5, value_parser = clap::value_parser!(u8).range(0..=9),
        requires = "queue")]
    pub priority: u8,
    /// A worker that gives no sign for this long loses its task.
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = duration, requires = "queue")]
    pub patience: Duration,
    /// Accept agents with time budgets, whose strength depends on the worker.
    #[arg(long, requires = "queue")]
    pub time_budgets: bool,
    /// On how many servers of a cluster everything is kept (1, 3 or 5), when the queue is created.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=5),
        requires = "queue")]
    pub replicas: u8,
    /// How to log in.
    #[command(flatten)]
    pub login: LoginOptions,
}

/// Options of `work`.
#[derive(Args)]
pub(crate) struct WorkOptions {
    /// The NATS server, such as `nats://host:4222`; several addresses of a cluster are separated by commas.
    pub url: String,
    /// The name of this worker: letters, digits, `-` and `_`. By default the name of the machine and a number.
    #[arg(long)]
    pub name: Option<String>,
    /// Play experiments whose agents start programs on this machine, `process(cmd="…")`: whoever can publish
    /// experiments can then start any program here.
    #[arg(long)]
    pub allow_programs: bool,
    /// End when there was nothing to play for this long.
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub until_idle: Option<Duration>,
    /// How to log in.
    #[command(flatten)]
    pub login: LoginOptions,
}

/// Options of `queue`.
#[derive(Args)]
pub(crate) struct QueueOptions {
    /// What to do.
    #[command(subcommand)]
    pub command: QueueCommand,
}

/// The commands of `queue`.
#[derive(Subcommand)]
pub(crate) enum QueueCommand {
    /// Show the experiments and workers of a queue: progress, speed, last sign of life, time left.
    ///
    /// Example: `tesuji queue status nats://host:4222`
    Status(QueueStatusOptions),
    /// Remove everything that a worker played, play it again, and ban the worker.
    ///
    /// Example: `tesuji queue purge nats://host:4222 --worker lab-7`
    Purge(QueuePurgeOptions),
    /// Lift the ban of a worker.
    Allow(QueueAllowOptions),
    /// Remove an experiment from a queue. Its store keeps what was collected.
    Remove(QueueRemoveOptions),
    /// List the workers that played for a store: pairs, speeds, and whether their results deviate.
    Workers(QueueWorkersOptions),
    /// Simulate a queue with thousands of workers that come and go, by the same scheduling code.
    ///
    /// Example: `tesuji queue simulate --workers 10000 --html queue.html`
    Simulate(QueueSimulateOptions),
    /// Measure what a queue costs on this machine: pairs collected a second, memory, overhead against `tesuji run`.
    Bench(QueueBenchOptions),
}

/// Options of `queue status`.
#[derive(Args)]
pub(crate) struct QueueStatusOptions {
    /// The NATS server.
    pub url: String,
    /// The form of the tables.
    #[command(flatten)]
    pub table: TableOptions,
    /// How to log in.
    #[command(flatten)]
    pub login: LoginOptions,
}

/// Options of `queue purge`.
#[derive(Args)]
pub(crate) struct QueuePurgeOptions {
    /// The NATS server, where collectors are running.
    #[arg(required_unless_present = "store", conflicts_with = "store")]
    pub url: Option<String>,
    /// The worker.
    #[arg(long, value_name = "NAME")]
    pub worker: String,
    /// Remove its results from this store, while no collector is writing to it.
    #[arg(long, value_name = "PATH")]
    pub store: Option<PathBuf>,
    /// Do not ban the worker.
    #[arg(long, conflicts_with = "store")]
    pub keep_working: bool,
    /// How to log in.
    #[command(flatten)]
    pub login: LoginOptions,
}

/// Options of `queue allow`.
#[derive(Args)]
pub(crate) struct QueueAllowOptions {
    /// The NATS server.
    pub url: String,
    /// The worker.
    #[arg(long, value_name = "NAME")]
    pub worker: String,
    /// How to log in.
    #[command(flatten)]
    pub login: LoginOptions,
}

/// Options of `queue remove`.
#[derive(Args)]
pub(crate) struct QueueRemoveOptions {
    /// The NATS server.
    pub url: String,
    /// The id of the experiment, as `queue status` shows it, or its beginning.
    pub id: String,
    /// How to log in.
    #[command(flatten)]
    pub login: LoginOptions,
}

/// Options of `queue workers`.
#[derive(Args)]
pub(crate) struct QueueWorkersOptions {
    /// The store.
    pub store: PathBuf,
    /// The form of the table.
    #[command(flatten)]
    pub table: TableOptions,
}

/// Options of `queue simulate`.
#[derive(Args)]
pub(crate) struct QueueSimulateOptions {
    /// Numbers of workers, separated by commas.
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "10,100,1000,3000,10000")]
    pub workers: Vec<usize>,
    /// The longest times of a task, in seconds, separated by commas; the queue has 30.
    #[arg(long, value_name = "SECONDS,…", value_delimiter = ',', default_value = "5,10,30")]
    pub longest_task: Vec<f64>,
    /// How long the experiment would take if nothing were lost.
    #[arg(long, value_name = "TIME", default_value = "30min", value_parser = duration)]
    pub length: Duration,
    /// The mean time that a worker stays.
    #[arg(long, value_name = "TIME", default_value = "30min", value_parser = duration)]
    pub session: Duration,
    /// The seed of everything random.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Write a web page with plots to this file.
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Write Markdown to this file.
    #[arg(long, value_name = "FILE")]
    pub markdown: Option<PathBuf>,
    /// The form of the table.
    #[command(flatten)]
    pub table: TableOptions,
}

/// Options of `queue bench`.
#[derive(Args)]
pub(crate) struct QueueBenchOptions {
    /// The NATS server, best one without other work.
    pub url: String,
    /// Pairs of tiny matches that the collector takes.
    #[arg(long, default_value_t = 200_000)]
    pub pairs: u64,
    /// Workers that answer at once.
    #[arg(long, default_value_t = 100)]
    pub workers: usize,
    /// About how long each run takes in which the overhead is measured; 0s leaves it out.
    #[arg(long, value_name = "TIME", default_value = "40s", value_parser = zero_or_duration)]
    pub time: Duration,
    /// How often the overhead is measured: each time the same experiment is played alone and by the queue.
    #[arg(long, value_name = "TIMES", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..=100))]
    pub turns: u16,
}

fn zero_or_duration(text: &str) -> Result<Duration, String> {
    if text.trim_end_matches('s') == "0" { Ok(Duration::ZERO) } else { duration(text) }
}

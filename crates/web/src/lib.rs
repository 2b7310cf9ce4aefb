//! The lab in the browser: a page, a JSON and WebSocket API (docs/api.md), and what they need to be trusted.
//!
//! From lowest to highest:
//! - `limits`, `error`, `secret` and `extract` are about requests;
//! - `address_parts`, `addresses`, `uploads` and `submitted_experiment` check input;
//! - `database` saves everything, `pool` runs searches, a `room` is a match in memory;
//! - the `lab` holds rooms, `analyses`, `experiments`, `trainings` and `stores`;
//! - `guard`, `page`, `sockets` and `routes` answer the browser; this file starts and stops the server.
//!
//! Requests are answered by a few threads that never wait for anything but the network. What touches a match, the disk
//! or a game runs on threads that may block; searches run on the pool, one thread a core. This crate knows no rule, no
//! search and no statistic: it asks the arena.

mod limits;
mod error;
mod secret;
mod extract;
mod budget;
mod address_parts;
mod addresses;
mod submitted_experiment;
mod teach;
mod games;
mod cancellable;
mod database;
mod people;
mod pool;
mod view;
mod room;
mod analyses;
mod experiments;
mod trainings;
mod stores;
mod uploads;
mod replays;
mod reviews;
mod labels;
mod lab;
mod guard;
mod help;
mod page;
mod queue_watch;
mod sockets;
mod routes;
mod rules;
mod server;
mod bench;

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tesuji_arena::{Catalogue, InputError, thread_count};
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::watch;
use tokio::time::{MissedTickBehavior, interval};

pub use bench::{LabBench, RequestFigures, bench};
pub use limits::Limits;
pub use queue_watch::QueueWatch;

use crate::guard::Guard;
use crate::lab::Lab;

/// Ports to try, in this order, if none is given.
const USUAL_PORTS: std::ops::RangeInclusive<u16> = 7380..=7389;
/// Threads that answer requests.
const REQUEST_THREADS: usize = 4;
/// Threads that may block, at most.
const BLOCKING_THREADS: usize = 64;
/// How often idle matches are removed from memory.
const EVICTION_INTERVAL: Duration = Duration::from_secs(10);
/// How long open requests may take when the lab closes.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(3);
/// How often the lab checks whether all searches have ended.
const SHUTDOWN_POLL: Duration = Duration::from_millis(2);

/// How a lab is started.
#[derive(Clone, Debug)]
pub struct LabOptions {
    /// The games and agents it knows.
    pub catalogue: Catalogue,
    /// The address it is bound to.
    pub host: IpAddr,
    /// The port; 0 for a free one, `None` for a usual one.
    pub port: Option<u16>,
    /// The token that requests need. A lab that listens beyond this machine generates one if none is given.
    pub token: Option<String>,
    /// The folder of everything that is kept: matches, uploads, stores of experiments.
    pub folder: PathBuf,
    /// Threads that search; all cores if absent.
    pub threads: Option<usize>,
    /// The bounds.
    pub limits: Limits,
    /// Reads the queue of experiments on many machines that the lab shows.
    pub queue: Option<QueueWatch>,
}

impl LabOptions {
    /// A lab on this machine with everything in `folder`.
    pub fn new(catalogue: Catalogue, folder: impl Into<PathBuf>) -> LabOptions {
        LabOptions {
            catalogue,
            host: IpAddr::V4(Ipv4Addr::LOCALHOST),
            port: None,
            token: None,
            folder: folder.into(),
            threads: None,
            limits: Limits::default(),
            queue: None,
        }
    }
}

/// A lab that runs. Dropping it ends it.
pub struct RunningLab {
    runtime: Option<Runtime>,
    lab: Arc<Lab>,
    address: SocketAddr,
    token: Option<String>,
    stop: watch::Sender<bool>,
    served: Option<tokio::task::JoinHandle<()>>,
}

/// Starts a lab and returns when it answers.
pub fn start(options: LabOptions) -> Result<RunningLab, InputError> {
    let token = match options.token {
        Some(token) if token.trim().is_empty() => return Err(InputError::new("the token is empty")),
        Some(token) => Some(token),
        None if options.host.is_loopback() => None,
        None => Some(secret::new_key()),
    };
    let failed = |error: std::io::Error| InputError::new(format!("the lab cannot start: {error}"));
    let runtime = Builder::new_multi_thread()
        .worker_threads(thread_count(None).min(REQUEST_THREADS))
        .max_blocking_threads(BLOCKING_THREADS)
        .thread_name("lab")
        .enable_all()
        .build()
        .map_err(failed)?;
    let listener = runtime.block_on(bind(options.host, options.port))?;
    let address = listener.local_addr().map_err(failed)?;
    let limits = options.limits.clone();
    let lab = Lab::open(options.catalogue, options.folder, options.limits, thread_count(options.threads))?;
    if let Some(queue) = options.queue {
        lab.queue.get_or_init(|| queue);
    }
    let router = routes::router(Arc::clone(&lab), Guard { token: token.clone() });
    let (stop, stopped) = watch::channel(false);
    let served = runtime.spawn(async move {
        server::serve(listener, router, &limits, stopped).await;
    });
    runtime.spawn(evict_idle(Arc::clone(&lab)));
    runtime.spawn(Arc::clone(&lab).resume_unfinished());
    Ok(RunningLab { runtime: Some(runtime), lab, address, token, stop, served: Some(served) })
}

async fn bind(host: IpAddr, port: Option<u16>) -> Result<TcpListener, InputError> {
    let ports = port.map_or(USUAL_PORTS, |port| port..=port);
    let mut refusal = None;
    for port in ports {
        match TcpListener::bind((host, port)).await {
            Ok(listener) => return Ok(listener),
            Err(error) => refusal = Some((port, error)),
        }
    }
    let reason = refusal.map_or("no port was tried".to_owned(), |(port, error)| format!("{host}:{port}: {error}"));
    Err(InputError::new(format!("the lab cannot listen: {reason}"))
        .with_help("another program uses the port; `--port 0` takes a free one"))
}

async fn evict_idle(lab: Arc<Lab>) {
    let mut closing = lab.closing();
    let mut ticks = interval(EVICTION_INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            _ = ticks.tick() => lab.evict_idle(),
            _ = closing.changed() => return,
        }
    }
}

impl RunningLab {
    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The token, if requests need one.
    pub fn token(&self) -> Option<&str> {
        self.token.as_deref()
    }

    /// What to open in a browser.
    pub fn url(&self) -> String {
        match &self.token {
            Some(token) => format!("http://{}/?token={token}", self.address),
            None => format!("http://{}/", self.address),
        }
    }

    /// Stops the lab: open requests are answered, searches and experiments end, finished matches are saved.
    pub fn stop(mut self) {
        self.end();
    }

    fn end(&mut self) {
        let Some(runtime) = self.runtime.take() else { return };
        self.lab.close();
        self.stop.send_replace(true);
        if let Some(served) = self.served.take() {
            let ended = runtime.block_on(async { tokio::time::timeout(SHUTDOWN_TIMEOUT, served).await });
            drop(ended);
        }
        runtime.shutdown_timeout(SHUTDOWN_TIMEOUT);
        // Searches end at their next report. They must not outlive the lab, which may be opened again in the same
        // folder.
        let patience = Instant::now() + SHUTDOWN_TIMEOUT;
        while self.lab.is_held() && Instant::now() < patience {
            std::thread::sleep(SHUTDOWN_POLL);
        }
    }
}

impl Drop for RunningLab {
    fn drop(&mut self) {
        self.end();
    }
}

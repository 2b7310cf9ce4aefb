//! A worker: takes tasks of the experiments in the queue, plays them and answers. It joins and leaves at any time.

mod hands;
mod opened;
mod player;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver as JobReceiver, Sender as JobSender};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use async_nats::Subscriber;
use async_nats::jetstream::consumer::PullConsumer;
use futures_util::StreamExt;
use serde::Deserialize;
use tesuji_arena::{BenchPlan, Catalogue, InputError, VERSION};
use tokio::sync::Notify;

use crate::directory;
use crate::schedule::tasks_to_wait;
use crate::server::{Notice, Queue, ServerOptions, failed, runtime};
use crate::wire::{
    ALIVE, NEWS, WorkerReport, ban_key, is_worker_name, json_bytes, read_task, word_subject, worker_key,
};
use crate::work::hands::{Courier, Hands};
use crate::work::opened::{Opened, check_version, open};
use crate::work::player::{Job, play_jobs};

/// How often a worker looks at the list of experiments without news.
const LOOK_EVERY: Duration = Duration::from_secs(10);
/// How often a worker gives a sign of life.
const SIGN_EVERY: Duration = Duration::from_secs(10);
/// The shortest and the longest pause of a worker that finds no task.
const PAUSES: (Duration, Duration) = (Duration::from_millis(50), Duration::from_secs(1));
/// How long the server may take to say whether there are tasks.
const FETCHING: Duration = Duration::from_secs(3);
/// How long the pieces in hand may take when the worker leaves, before they are cancelled …
const GRACE: Duration = Duration::from_millis(400);
/// … and the last answers to be sent.
const CLOSING: Duration = Duration::from_millis(900);
/// The game by which workers measure their speed, how long, and how often: the best counts.
const CALIBRATION: (&str, Duration, usize) = ("connect-four", Duration::from_millis(60), 3);

/// How to work.
#[derive(Clone, Debug)]
pub struct WorkerOptions {
    /// The server.
    pub server: ServerOptions,
    /// The name; a new one from the name of the machine if absent.
    pub name: Option<String>,
    /// Threads that play.
    pub threads: usize,
    /// Play experiments whose agents start programs on this machine.
    pub programs: bool,
    /// End when no experiment was open for this long.
    pub idle: Option<Duration>,
}

/// What a worker shows, and what it did at the end.
#[derive(Clone, Debug, Default)]
pub struct WorkerView {
    /// Its name.
    pub name: String,
    /// Playouts a second on one thread.
    pub speed: f64,
    /// Pairs played.
    pub pairs: u64,
    /// Tasks in hand.
    pub tasks: usize,
    /// The titles of the experiments that it plays.
    pub playing: Vec<String>,
}

/// Works until `stop` is set.
pub fn work(
    catalogue: &Catalogue,
    options: &WorkerOptions,
    notice: Notice,
    stop: &AtomicBool,
    mut see: impl FnMut(&WorkerView),
) -> Result<WorkerView, InputError> {
    work_watched(catalogue, options, notice, stop, &mut see)
}

/// Not generic, so that the connection is compiled in this crate alone.
fn work_watched(
    catalogue: &Catalogue,
    options: &WorkerOptions,
    notice: Notice,
    stop: &AtomicBool,
    see: &mut dyn FnMut(&WorkerView),
) -> Result<WorkerView, InputError> {
    let name = options.name.clone().unwrap_or_else(new_name);
    if !is_worker_name(&name) {
        return Err(InputError::new(format!("`{name}` is not a name for a worker"))
            .with_help("up to 64 letters, digits, `-` and `_`"));
    }
    let threads = options.threads.max(1);
    let runtime = runtime()?;
    let (queue, speed) = thread::scope(|scope| {
        let measured = scope.spawn(|| calibrate(catalogue));
        let queue = runtime.block_on(Queue::connect(&options.server, notice.clone()));
        let speed = measured.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        queue.map(|queue| (queue, speed))
    })?;
    let speed = speed?;
    let hands = Arc::new(Hands::new(&name, speed, notice.clone()));
    let leaving = Arc::new(AtomicBool::new(false));
    let (jobs, taken): (JobSender<Job>, JobReceiver<Job>) = std::sync::mpsc::channel();
    let taken = Arc::new(Mutex::new(taken));
    let mut couriers = Vec::new();
    let mut players = Vec::new();
    for number in 0..threads {
        let (sender, played) = tokio::sync::mpsc::channel(2);
        let courier = Courier { queue: queue.clone(), hands: Arc::clone(&hands) };
        couriers.push(runtime.spawn(courier.run(played)));
        let (taken, leaving) = (Arc::clone(&taken), Arc::clone(&leaving));
        let playing = move || play_jobs(&taken, &sender, &leaving);
        let started = thread::Builder::new().name(format!("tesuji-player-{number}")).spawn(playing);
        players.push(started.map_err(|error| failed("no thread to play on", error))?);
    }
    runtime.spawn(Arc::clone(&hands).signal());
    let worker = Worker {
        catalogue: catalogue.clone(),
        queue,
        hands: Arc::clone(&hands),
        notice,
        name,
        threads,
        programs: options.programs,
        idle: options.idle,
        known: BTreeMap::new(),
        refused: BTreeMap::new(),
        jobs,
        begun: Instant::now(),
    };
    let outcome = runtime.block_on(worker.run(stop, see));
    // Pieces in hand have a moment to finish; the rest is returned to the queue.
    leaving.store(true, Ordering::Relaxed);
    let patience = Instant::now() + GRACE;
    while !hands.is_empty() && Instant::now() < patience {
        thread::sleep(Duration::from_millis(10));
    }
    hands.cancel_all();
    let patience = Instant::now() + CLOSING;
    while !hands.is_empty() && Instant::now() < patience {
        thread::sleep(Duration::from_millis(5));
    }
    hands.end();
    let view = outcome?;
    let view = WorkerView { pairs: hands.pairs(), ..view };
    see(&view);
    // Players that are still searching end with the process.
    drop((couriers, players));
    runtime.shutdown_timeout(Duration::from_millis(200));
    Ok(view)
}

/// A name that no other worker has.
fn new_name() -> String {
    let host: String =
        crate::host().chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).take(40).collect();
    format!("{host}-{:04x}", crate::random_number() & 0xffff)
}

/// Playouts a second on one thread, in a game that every worker measures.
pub fn calibrate(catalogue: &Catalogue) -> Result<f64, InputError> {
    let (game, time, times) = CALIBRATION;
    let first = catalogue.games().first().map_or(game, |info| info.name);
    let game = catalogue.open(game).or_else(|_| catalogue.open(first))?;
    let plan =
        BenchPlan { time, policy: Some("uniform".to_owned()), uct_playouts: 100, batch: false, agents: Vec::new() };
    let mut best = 0.0f64;
    for _ in 0..times {
        best = best.max(game.bench(&plan)?.playouts_per_second);
    }
    Ok(best)
}

/// A word from a collector.
#[derive(Deserialize)]
struct Word {
    experiment: String,
    text: String,
}

struct Worker {
    catalogue: Catalogue,
    queue: Queue,
    hands: Arc<Hands>,
    notice: Notice,
    name: String,
    threads: usize,
    programs: bool,
    idle: Option<Duration>,
    /// The experiments that this worker plays, in order of priority; see [`Worker::look`].
    known: BTreeMap<String, (Arc<Opened>, PullConsumer, u8)>,
    /// Experiments that it does not play: id, title and reason.
    refused: BTreeMap<String, (String, String)>,
    jobs: JobSender<Job>,
    begun: Instant,
}

impl Worker {
    async fn run(mut self, stop: &AtomicBool, see: &mut dyn FnMut(&WorkerView)) -> Result<WorkerView, InputError> {
        let subscribe = async |subject: String| -> Result<Subscriber, InputError> {
            let subscribed = self.queue.client.subscribe(subject).await;
            subscribed.map_err(|error| failed("cannot listen to collectors", error))
        };
        let mut news = subscribe(NEWS.to_owned()).await?;
        let mut words = subscribe(word_subject(&self.name)).await?;
        let freed: Arc<Notify> = self.hands.freed();
        let (mut looked, mut signed) = (None::<Instant>, None::<Instant>);
        let mut pause = PAUSES.0;
        let mut busy = Instant::now();
        while !stop.load(Ordering::Relaxed) {
            if looked.is_none_or(|looked: Instant| looked.elapsed() >= LOOK_EVERY) {
                looked = Some(Instant::now());
                if let Err(error) = self.look().await {
                    if error.kind() == tesuji_arena::ErrorKind::Refused {
                        return Err(error);
                    }
                    (self.notice)(format!("{error}; trying again"));
                    looked = Instant::now().checked_sub(LOOK_EVERY - Duration::from_secs(1));
                }
            }
            if signed.is_none_or(|signed: Instant| signed.elapsed() >= SIGN_EVERY) {
                signed = Some(Instant::now());
                self.sign();
            }
            let found = self.fetch().await;
            if found > 0 || !self.hands.is_empty() {
                busy = Instant::now();
            }
            if self.idle.is_some_and(|idle| busy.elapsed() >= idle) {
                break;
            }
            see(&self.view());
            pause = if found > 0 { PAUSES.0 } else { (pause * 2).min(PAUSES.1) };
            tokio::select! {
                () = freed.notified() => pause = PAUSES.0,
                Some(_) = news.next() => looked = None,
                Some(word) = words.next() => self.hear(&word.payload),
                () = tokio::time::sleep(pause) => {}
            }
        }
        Ok(self.view())
    }

    fn view(&self) -> WorkerView {
        WorkerView {
            name: self.name.clone(),
            speed: self.hands.speed(),
            pairs: self.hands.pairs(),
            tasks: self.hands.count(),
            playing: self.known.values().map(|(opened, _, _)| opened.title.clone()).collect(),
        }
    }

    /// Gives a sign of life, without waiting for the server.
    fn sign(&self) {
        let WorkerView { name, speed, pairs, playing, .. } = self.view();
        let hours = self.begun.elapsed().as_secs_f64() / 3600.0;
        let report = WorkerReport {
            version: VERSION.to_owned(),
            threads: self.threads,
            speed,
            playing,
            pairs,
            pairs_per_hour: if hours > 0.0 { pairs as f64 / hours } else { 0.0 },
            refused: self.refused.values().cloned().collect(),
            name,
        };
        let (client, workers) = (self.queue.client.clone(), self.queue.workers.clone());
        tokio::spawn(async move {
            let bytes = json_bytes(&report);
            drop(client.publish(ALIVE, bytes.clone().into()).await);
            drop(workers.put(worker_key(&report.name), bytes.into()).await);
        });
    }

    /// Looks at the list of experiments: opens new ones, drops those that have ended.
    async fn look(&mut self) -> Result<(), InputError> {
        if matches!(self.queue.workers.get(ban_key(&self.name)).await, Ok(Some(_))) {
            return Err(InputError::new(format!("worker `{}` is banned: its results were removed", self.name))
                .of_kind(tesuji_arena::ErrorKind::Refused)
                .with_help("`tesuji queue allow SERVER --worker NAME` lifts the ban"));
        }
        let listed = match directory::listed(&self.queue.experiments).await {
            Ok(listed) => listed,
            Err(error) => {
                // A server that lost its data has no buckets.
                self.queue = self.queue.restore().await.map_err(|_| error)?;
                return Ok(());
            }
        };
        for id in self.known.keys().cloned().collect::<Vec<_>>() {
            if !listed.iter().any(|listed| listed.id == id) {
                self.drop_experiment(&id);
            }
        }
        self.refused.retain(|id, _| listed.iter().any(|listed| listed.id == *id));
        let before = self.refused.len() + self.known.len();
        for listed in listed {
            if let Some((_, _, priority)) = self.known.get_mut(&listed.id) {
                *priority = listed.priority;
            } else if !self.refused.contains_key(&listed.id) {
                self.open(&listed.id, listed.priority).await?;
            }
        }
        if self.refused.len() + self.known.len() != before {
            self.sign();
        }
        Ok(())
    }

    async fn open(&mut self, id: &str, priority: u8) -> Result<(), InputError> {
        let Some(manifest) = directory::manifest(&self.queue.experiments, id).await? else { return Ok(()) };
        let title = manifest.title.clone();
        let opened = match check_version(&manifest) {
            Err(reason) => Err(reason),
            Ok(()) => {
                let files = directory::files(&self.queue, &manifest).await?;
                let (catalogue, programs, own_id) = (self.catalogue.clone(), self.programs, id.to_owned());
                // Rule sheets may take long to open.
                let opened = tokio::task::spawn_blocking(move || open(&catalogue, &own_id, &manifest, files, programs));
                opened.await.unwrap_or_else(|error| Err(format!("it cannot be opened: {error}")))
            }
        };
        match opened {
            Err(reason) => {
                (self.notice)(format!("`{title}` is not played here: {reason}"));
                self.refused.insert(id.to_owned(), (title, reason));
            }
            Ok(opened) => match self.queue.tasks.get_consumer(id).await {
                Ok(consumer) => {
                    (self.notice)(format!("playing `{title}`"));
                    self.known.insert(id.to_owned(), (Arc::new(opened), consumer, priority));
                }
                // Its collector has not finished publishing it, or has just ended.
                Err(error) => return Err(failed("the tasks of an experiment are not there", error)),
            },
        }
        Ok(())
    }

    fn drop_experiment(&mut self, id: &str) {
        if let Some((opened, _, _)) = self.known.remove(id) {
            (self.notice)(format!("`{}` has ended", opened.title));
            self.hands.cancel(id);
        }
    }

    /// A collector refused something: the experiment is not played here any more.
    fn hear(&mut self, bytes: &[u8]) {
        let Ok(Word { experiment, text }) = serde_json::from_slice(bytes) else { return };
        if let Some((opened, _, _)) = self.known.remove(&experiment) {
            (self.notice)(format!("the collector of `{}` says: {text}; it is not played here any more", opened.title));
            self.hands.cancel(&experiment);
            self.refused.insert(experiment, (opened.title.clone(), text));
            self.sign();
        }
    }

    /// Fetches tasks for threads that have none waiting, those of the greatest priority first.
    async fn fetch(&mut self) -> usize {
        let wanted = self.threads + tasks_to_wait(self.threads, self.hands.mean_seconds());
        let mut found = 0;
        let mut order: Vec<&(Arc<Opened>, PullConsumer, u8)> = self.known.values().collect();
        order.sort_by_key(|known| std::cmp::Reverse(known.2));
        let mut gone = Vec::new();
        for (opened, consumer, _) in order {
            let free = wanted.saturating_sub(self.hands.count());
            if free == 0 {
                break;
            }
            let Ok(mut batch) = consumer.fetch().max_messages(free).messages().await else { continue };
            // A server that was killed in between never ends the batch.
            while let Ok(Some(message)) = tokio::time::timeout(FETCHING, batch.next()).await {
                let Ok(message) = message else {
                    gone.push(opened.id.clone());
                    break;
                };
                let (message, acker) = message.split();
                match read_task(&message.payload) {
                    Ok(task) => {
                        let (handle, cancelled) = self.hands.take(&opened.id, acker, opened.patience);
                        let job = Job { opened: Arc::clone(opened), task, handle, cancelled };
                        found += usize::from(self.jobs.send(job).is_ok());
                    }
                    Err(reason) => {
                        (self.notice)(format!("a message among the tasks is ignored: {reason}"));
                        drop(acker.ack().await);
                    }
                }
            }
        }
        for id in gone {
            // The consumer may have been made anew.
            if let (Ok(consumer), Some(known)) = (self.queue.tasks.get_consumer(&id).await, self.known.get_mut(&id)) {
                known.1 = consumer;
            }
        }
        found
    }
}

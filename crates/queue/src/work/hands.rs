//! The tasks that a worker has in hand: signs of progress, answers, acknowledgements.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use async_nats::HeaderMap;
use async_nats::jetstream::AckKind;
use async_nats::jetstream::context::PublishErrorKind;
use async_nats::jetstream::message::Acker;
use tesuji_arena::VERSION;
use tokio::sync::Notify;
use tokio::sync::mpsc::Receiver;

use crate::server::{Notice, Queue};
use crate::wire::{AnswerHead, answer_bytes, answers_subject};
use crate::work::player::Played;

/// A sign of progress is given this many times before the patience of the collector ends.
const SIGNS: f64 = 3.0;
/// How often the tasks in hand are looked at.
const LOOK_EVERY: Duration = Duration::from_millis(100);
/// The pause before an answer is sent again.
const PAUSE: Duration = Duration::from_millis(250);
/// How much the last task counts in the mean time of tasks.
const RECENT: f64 = 0.3;

/// A task in hand.
struct InHand {
    experiment: String,
    acker: Arc<Acker>,
    cancelled: Arc<AtomicBool>,
    /// Time between signs of progress.
    every: Duration,
    signed: Instant,
    /// Seconds of play that were reported.
    seconds: f64,
}

/// The tasks that a worker has in hand.
pub(crate) struct Hands {
    worker: String,
    speed: f64,
    notice: Notice,
    tasks: Mutex<HashMap<u64, InHand>>,
    next: AtomicU64,
    pairs: AtomicU64,
    answers: AtomicU64,
    mean: Mutex<Option<f64>>,
    freed: Arc<Notify>,
    ended: AtomicBool,
}

impl Hands {
    pub(crate) fn new(worker: &str, speed: f64, notice: Notice) -> Hands {
        Hands {
            worker: worker.to_owned(),
            speed,
            notice,
            tasks: Mutex::default(),
            next: AtomicU64::new(0),
            pairs: AtomicU64::new(0),
            answers: AtomicU64::new(0),
            mean: Mutex::default(),
            freed: Arc::default(),
            ended: AtomicBool::new(false),
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<u64, InHand>> {
        self.tasks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a task; returns its number here, and the flag that cancels it.
    pub(crate) fn take(&self, experiment: &str, acker: Acker, patience: f64) -> (u64, Arc<AtomicBool>) {
        let handle = self.next.fetch_add(1, Ordering::Relaxed);
        let cancelled = Arc::new(AtomicBool::new(false));
        let task = InHand {
            experiment: experiment.to_owned(),
            acker: Arc::new(acker),
            cancelled: Arc::clone(&cancelled),
            every: Duration::from_secs_f64((patience / SIGNS).clamp(0.1, 600.0)),
            signed: Instant::now(),
            seconds: 0.0,
        };
        self.lock().insert(handle, task);
        (handle, cancelled)
    }

    pub(crate) fn count(&self) -> usize {
        self.lock().len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.lock().is_empty()
    }

    pub(crate) fn pairs(&self) -> u64 {
        self.pairs.load(Ordering::Relaxed)
    }

    pub(crate) fn speed(&self) -> f64 {
        self.speed
    }

    /// Notified when a task was answered.
    pub(crate) fn freed(&self) -> Arc<Notify> {
        Arc::clone(&self.freed)
    }

    /// The mean time of tasks lately, in seconds.
    pub(crate) fn mean_seconds(&self) -> Option<f64> {
        *self.mean.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Cancels the tasks of an experiment.
    pub(crate) fn cancel(&self, experiment: &str) {
        let tasks = self.lock();
        let those = tasks.values().filter(|task| task.experiment == experiment);
        those.for_each(|task| task.cancelled.store(true, Ordering::Relaxed));
    }

    /// Cancels all tasks.
    pub(crate) fn cancel_all(&self) {
        self.lock().values().for_each(|task| task.cancelled.store(true, Ordering::Relaxed));
    }

    /// Nothing is sent again from now on.
    pub(crate) fn end(&self) {
        self.ended.store(true, Ordering::Relaxed);
    }

    /// Gives signs of progress for all tasks in hand, so that they are not given to another worker.
    pub(crate) async fn signal(self: Arc<Self>) {
        while !self.ended.load(Ordering::Relaxed) {
            tokio::time::sleep(LOOK_EVERY).await;
            let mut due = Vec::new();
            for task in self.lock().values_mut().filter(|task| task.signed.elapsed() >= task.every) {
                task.signed = Instant::now();
                due.push(Arc::clone(&task.acker));
            }
            for acker in due {
                drop(acker.ack_with(AckKind::Progress).await);
            }
        }
    }

    /// A task was answered: it is not in hand any more.
    fn put_down(&self, handle: u64) -> Option<Arc<Acker>> {
        let task = self.lock().remove(&handle)?;
        let mut mean = self.mean.lock().unwrap_or_else(PoisonError::into_inner);
        *mean = Some(mean.map_or(task.seconds, |mean| mean * (1.0 - RECENT) + task.seconds * RECENT));
        Some(task.acker)
    }

    fn is_cancelled(&self, handle: u64) -> bool {
        self.lock().get(&handle).is_none_or(|task| task.cancelled.load(Ordering::Relaxed))
    }
}

/// Sends what one thread played.
pub(crate) struct Courier {
    pub queue: Queue,
    pub hands: Arc<Hands>,
}

impl Courier {
    pub(crate) async fn run(mut self, mut played: Receiver<Played>) {
        while let Some(played) = played.recv().await {
            self.deliver(played).await;
        }
    }

    async fn deliver(&mut self, played: Played) {
        let Played { opened, task, handle, pieces, seconds, last, rest, failure } = played;
        if let Some(held) = self.hands.lock().get_mut(&handle) {
            held.seconds += seconds;
        }
        let head = AnswerHead {
            version: VERSION.to_owned(),
            identity: opened.identity.clone(),
            files: opened.files_hash.clone(),
            worker: self.hands.worker.clone(),
            speed: self.hands.speed,
            task,
            seconds,
            last,
            rest,
            failure,
        };
        let bytes = answer_bytes(&head, &pieces);
        let sent = self.send(&opened.id, handle, bytes).await;
        if sent {
            self.hands.pairs.fetch_add(pieces.len() as u64, Ordering::Relaxed);
        }
        if last && let Some(acker) = self.hands.put_down(handle) {
            // A task whose answer did not arrive is given to another worker.
            drop(if sent { acker.ack().await } else { acker.ack_with(AckKind::Nak(None)).await });
            drop(self.queue.client.flush().await);
            self.hands.freed.notify_one();
        }
    }

    /// Sends an answer until the server has stored it. Gives up when nobody wants it any more.
    async fn send(&mut self, id: &str, handle: u64, bytes: Vec<u8>) -> bool {
        let number = self.hands.answers.fetch_add(1, Ordering::Relaxed);
        let message = format!("{id}-{}-{}-{number}", self.hands.worker, std::process::id());
        let mut told = false;
        loop {
            let mut headers = HeaderMap::new();
            headers.insert("Nats-Msg-Id", message.as_str());
            let published =
                self.queue.context.publish_with_headers(answers_subject(id), headers, bytes.clone().into()).await;
            let error = match published {
                Ok(acknowledged) => match acknowledged.await {
                    Ok(_) => return true,
                    Err(error) => error,
                },
                Err(error) => error,
            };
            if error.kind() == PublishErrorKind::MaxPayloadExceeded {
                let (size, most) = (bytes.len(), self.queue.client.max_payload());
                (self.hands.notice)(format!(
                    "an answer of {size} bytes is larger than the server takes ({most}): raise its `max_payload`"
                ));
                tokio::time::sleep(Duration::from_secs(5)).await;
            }
            if !told {
                (self.hands.notice)(format!("the server does not take an answer: {error}; trying again"));
                told = true;
            }
            if self.hands.ended.load(Ordering::Relaxed) || self.hands.is_cancelled(handle) {
                return false;
            }
            tokio::time::sleep(PAUSE).await;
            if error.kind() == PublishErrorKind::StreamNotFound
                && let Ok(queue) = self.queue.restore().await
            {
                self.queue = queue;
            }
        }
    }
}

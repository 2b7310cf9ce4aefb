//! The collector's side of the connection: tasks go out, answers and signs of life come in.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_nats::HeaderMap;
use async_nats::jetstream::context::PublishErrorKind;
use async_nats::jetstream::message::Acker;
use async_nats::jetstream::stream::RawMessageErrorKind;
use futures_util::StreamExt;
use tesuji_arena::InputError;
use tesuji_arena::files::FileSet;
use tokio::sync::mpsc::{Receiver, Sender, UnboundedReceiver, UnboundedSender, channel, unbounded_channel};

use crate::directory;
use crate::schedule::Task;
use crate::server::{Notice, Queue, failed};
use crate::wire::{
    ALIVE, ExperimentReport, Manifest, PURGE, WorkerReport, answers_subject, ban_key, json_bytes, read_task,
    task_bytes, tasks_subject, word_subject,
};

/// Answers that wait for the collector: each has at most a few hundred kilobytes.
const WAITING: usize = 32;
/// Answers that the server sends ahead.
const AHEAD: usize = 64;
/// The pause before a failed request is repeated.
const PAUSE: Duration = Duration::from_millis(250);

/// How often the removal of a finished experiment is tried.
const FINISHING: u32 = 15;

/// What comes in.
pub(crate) enum Incoming {
    /// An answer, and the way to acknowledge it.
    Answer(Vec<u8>, Acker),
    /// A sign of life.
    Alive(WorkerReport),
    /// A task is in the queue under this number of the server.
    Published(u64, u64),
    /// The server does not know a task any more.
    Gone(u64),
    /// Somebody wants the results of a worker removed; the second text is where the number of pieces is sent.
    Purge(String, Option<String>),
}

/// What goes out.
pub(crate) enum Outgoing {
    Publish(Task),
    Acknowledge(Vec<Acker>),
    /// Is this task, with this number of the server, still there?
    Ask(u64, u64),
    Report(Box<ExperimentReport>),
    /// Says something to a worker.
    Word(String, String),
    /// Answers a request.
    Reply(String, String),
    /// The worker is banned.
    Ban(String),
    /// Removes the experiment; the last message.
    Finish,
}

/// The two directions of the connection.
pub(crate) struct Link {
    pub answers: Receiver<Incoming>,
    pub others: UnboundedReceiver<Incoming>,
    pub out: UnboundedSender<Outgoing>,
    /// Tasks of an earlier collector that are still in the queue, with their numbers on the server.
    pub left: Vec<(Task, u64)>,
    /// Answers that were there when the collector started.
    pub backlog: u64,
    finished: tokio::task::JoinHandle<()>,
}

impl Link {
    /// Publishes an experiment and connects to its tasks and answers.
    pub(crate) async fn open(
        queue: Queue,
        id: &str,
        manifest: Manifest,
        files: FileSet,
        notice: Notice,
        stop: Arc<AtomicBool>,
    ) -> Result<Link, InputError> {
        take_lead(&queue, id, &manifest).await?;
        // Workers look for the consumer as soon as the experiment is in the list.
        queue.task_consumer(id, manifest.patience).await?;
        directory::publish(&queue, id, &manifest, &files).await?;
        let left = tasks_left(&queue, id).await?;
        let backlog = backlog(&queue, id).await?;
        let (answer_sender, answers) = channel(WAITING);
        let (other_sender, others) = unbounded_channel();
        let (out, commands) = unbounded_channel();
        let subscribe = async |subject: &str| {
            queue.client.subscribe(subject.to_owned()).await.map_err(|error| failed("cannot listen to workers", error))
        };
        let (mut alive, mut purges) = (subscribe(ALIVE).await?, subscribe(PURGE).await?);
        let mut lead = subscribe(&lead_subject(id)).await?;
        let sender = other_sender.clone();
        tokio::spawn(async move {
            while let Some(message) = alive.next().await {
                if let Ok(report) = serde_json::from_slice(&message.payload) {
                    drop(sender.send(Incoming::Alive(report)));
                }
            }
        });
        let sender = other_sender.clone();
        tokio::spawn(async move {
            while let Some(message) = purges.next().await {
                let worker = String::from_utf8_lossy(&message.payload).into_owned();
                drop(sender.send(Incoming::Purge(worker, message.reply.map(|reply| reply.to_string()))));
            }
        });
        let (client, own) = (queue.client.clone(), manifest.collector.clone());
        tokio::spawn(async move {
            while let Some(message) = lead.next().await {
                if let Some(reply) = message.reply {
                    drop(client.publish(reply, own.clone().into()).await);
                }
            }
        });
        tokio::spawn(receive(queue.clone(), id.to_owned(), answer_sender, notice.clone(), Arc::clone(&stop)));
        let courier = Courier { queue, id: id.to_owned(), manifest, files, notice, stop, epoch: epoch() };
        let finished = tokio::spawn(courier.run(commands, other_sender));
        Ok(Link { answers, others, out, left, backlog, finished })
    }

    /// Waits until everything was sent, at most so long.
    pub(crate) async fn close(self, patience: Duration) {
        let Link { out, finished, .. } = self;
        drop(out);
        drop(tokio::time::timeout(patience, finished).await);
    }
}

fn lead_subject(id: &str) -> String {
    format!("tesuji.lead.{id}")
}

/// Distinguishes the tasks of this collector from those of earlier ones.
fn epoch() -> String {
    format!("{:x}-{}", crate::random_number(), std::process::id())
}

/// Refuses to collect an experiment that another collector, with another store, is collecting.
async fn take_lead(queue: &Queue, id: &str, manifest: &Manifest) -> Result<(), InputError> {
    let request = queue.client.request(lead_subject(id), "".into());
    if let Ok(Ok(answer)) = tokio::time::timeout(Duration::from_secs(2), request).await
        && answer.payload.as_ref() != manifest.collector.as_bytes()
    {
        return Err(InputError::new("another collector with another store is collecting this experiment")
            .with_help("`tesuji queue status` shows it; end it first, or merge the stores later"));
    }
    Ok(())
}

/// The tasks in the queue.
async fn tasks_left(queue: &Queue, id: &str) -> Result<Vec<(Task, u64)>, InputError> {
    let mut left = Vec::new();
    let mut sequence = 1;
    loop {
        let found =
            queue.tasks.raw_message_builder().sequence(sequence).next_by_subject(tasks_subject(id)).send().await;
        match found {
            Ok(message) => {
                sequence = message.sequence + 1;
                if let Ok(task) = read_task(&message.payload) {
                    left.push((task, message.sequence));
                }
            }
            Err(error) if error.kind() == RawMessageErrorKind::NoMessageFound => return Ok(left),
            Err(error) => return Err(failed("the queue of tasks cannot be read", error)),
        }
    }
}

async fn backlog(queue: &Queue, id: &str) -> Result<u64, InputError> {
    let subject = answers_subject(id);
    let info = queue.answers.info_with_subjects(&subject).await;
    let mut info = info.map_err(|error| failed("the queue of answers cannot be read", error))?;
    let mut count = 0;
    while let Some(Ok((_, messages))) = info.next().await {
        count += messages as u64;
    }
    Ok(count)
}

/// Receives answers as long as the collector takes them.
async fn receive(queue: Queue, id: String, answers: Sender<Incoming>, notice: Notice, stop: Arc<AtomicBool>) {
    let mut queue = queue;
    let mut silent = false;
    while !stop.load(Ordering::Relaxed) {
        let trouble = match receive_some(&queue, &id, &answers).await {
            Ok(()) => return,
            Err(error) => error,
        };
        if stop.load(Ordering::Relaxed) {
            return;
        }
        if !silent {
            notice(format!("no answers come: {trouble}; trying again"));
            silent = true;
        }
        tokio::time::sleep(PAUSE).await;
        if let Ok(restored) = queue.restore().await {
            queue = restored;
            silent = false;
        }
    }
}

/// Receives answers until the connection fails; `Ok` if nobody takes them any more.
async fn receive_some(queue: &Queue, id: &str, answers: &Sender<Incoming>) -> Result<(), InputError> {
    let consumer = queue.answer_consumer(id).await?;
    let messages = consumer
        .stream()
        .max_messages_per_batch(AHEAD)
        .expires(Duration::from_secs(10))
        .heartbeat(Duration::from_secs(2))
        .messages()
        .await;
    let mut messages = messages.map_err(|error| failed("answers cannot be received", error))?;
    while let Some(message) = messages.next().await {
        let message = message.map_err(|error| failed("answers cannot be received", error))?;
        let (message, acker) = message.split();
        if answers.send(Incoming::Answer(message.payload.into(), acker)).await.is_err() {
            return Ok(());
        }
    }
    Err(InputError::new("the server ended the delivery"))
}

/// Sends what the collector wants sent, in order.
struct Courier {
    queue: Queue,
    id: String,
    manifest: Manifest,
    files: FileSet,
    notice: Notice,
    stop: Arc<AtomicBool>,
    epoch: String,
}

impl Courier {
    async fn run(mut self, mut commands: UnboundedReceiver<Outgoing>, back: UnboundedSender<Incoming>) {
        while let Some(command) = commands.recv().await {
            match command {
                Outgoing::Publish(task) => {
                    if let Some(sequence) = self.publish(&task).await {
                        drop(back.send(Incoming::Published(task.number, sequence)));
                    }
                }
                Outgoing::Acknowledge(ackers) => {
                    for acker in ackers {
                        // What is not acknowledged comes again and is recognised by its numbers.
                        drop(acker.ack().await);
                    }
                }
                Outgoing::Ask(task, sequence) => {
                    let found = self.queue.tasks.raw_message_builder().sequence(sequence).send().await;
                    if found.is_err_and(|error| error.kind() == RawMessageErrorKind::NoMessageFound) {
                        drop(back.send(Incoming::Gone(task)));
                    }
                }
                Outgoing::Report(report) => {
                    drop(self.queue.progress.put(&self.id, json_bytes(&report).into()).await);
                }
                Outgoing::Word(worker, text) => {
                    let words = HashMap::from([("experiment", &self.id), ("text", &text)]);
                    drop(self.queue.client.publish(word_subject(&worker), json_bytes(&words).into()).await);
                }
                Outgoing::Reply(subject, text) => drop(self.queue.client.publish(subject, text.into()).await),
                Outgoing::Ban(worker) => {
                    drop(self.queue.workers.put(ban_key(&worker), "banned".into()).await);
                    directory::news(&self.queue).await;
                }
                Outgoing::Finish => {
                    self.finish().await;
                    break;
                }
            }
        }
        // Acknowledgements are only buffered so far.
        drop(self.queue.client.flush().await);
    }

    /// Publishes a task and returns its number on the server. Tries until it succeeds or the collector ends.
    async fn publish(&mut self, task: &Task) -> Option<u64> {
        let mut told = false;
        loop {
            let mut headers = HeaderMap::new();
            headers.insert("Nats-Msg-Id", format!("{}-{}-{}", self.id, self.epoch, task.number));
            let (subject, payload) = (tasks_subject(&self.id), task_bytes(task));
            let sent = self.queue.context.publish_with_headers(subject, headers, payload.into()).await;
            let error = match sent {
                Ok(acknowledged) => match acknowledged.await {
                    Ok(acknowledged) => return Some(acknowledged.sequence),
                    Err(error) => error,
                },
                Err(error) => error,
            };
            if !told {
                (self.notice)(format!("the server does not take tasks: {error}; trying again"));
                told = true;
            }
            if self.stop.load(Ordering::Relaxed) {
                return None;
            }
            tokio::time::sleep(PAUSE).await;
            if error.kind() == PublishErrorKind::StreamNotFound {
                self.restore().await;
            }
        }
    }

    /// Removes the experiment. A cluster that lost a server needs a moment to choose another leader.
    async fn finish(&self) {
        for attempt in 1.. {
            match directory::remove(&self.queue, &self.id).await {
                Ok(()) => return,
                Err(error) if attempt == FINISHING => {
                    let text = format!("the experiment stays in the list of the queue: {error}");
                    (self.notice)(text + "; `tesuji queue remove` removes it");
                }
                Err(_) if attempt < FINISHING => tokio::time::sleep(2 * PAUSE).await,
                Err(_) => return,
            }
        }
    }

    /// Creates again what a server lost.
    async fn restore(&mut self) {
        if let Ok(queue) = self.queue.restore().await {
            self.queue = queue;
            drop(self.queue.task_consumer(&self.id, self.manifest.patience).await);
            drop(directory::publish(&self.queue, &self.id, &self.manifest, &self.files).await);
        }
    }
}

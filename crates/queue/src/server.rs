//! The connection to a NATS server, and the streams and buckets of the queue on it.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_nats::jetstream::consumer::{AckPolicy, PullConsumer, pull};
use async_nats::jetstream::context::{Context, ContextBuilder};
use async_nats::jetstream::kv;
use async_nats::jetstream::object_store::{self, ObjectStore};
use async_nats::jetstream::stream::{self, RetentionPolicy, StorageType, Stream};
use async_nats::{Client, ConnectError, ConnectErrorKind, ConnectOptions, Event};
use tesuji_arena::{ErrorKind, InputError};

use crate::wire::{ANSWERS, EXPERIMENTS, FILES, PROGRESS, TASKS, WORKERS};

/// How long a connection may take.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// How long a request to the server may take.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(5);
/// The longest pause between attempts to reconnect.
const LONGEST_PAUSE: Duration = Duration::from_secs(2);
/// How often something is tried again that a cluster cannot do now.
const ATTEMPTS: usize = 60;
/// Answers that nobody collects are removed after this time.
const ANSWERS_KEPT: Duration = Duration::from_secs(7 * 24 * 3600);
/// Signs of life of workers are removed after this time.
const WORKERS_KEPT: Duration = Duration::from_secs(3600);
/// Reports of finished experiments are removed after this time.
const REPORTS_KEPT: Duration = Duration::from_secs(24 * 3600);
/// Tasks that workers can have in hand, of one experiment.
const TASKS_IN_HAND: i64 = 65_536;

/// Where the server is, and how to log in.
#[derive(Clone, Debug, Default)]
pub struct ServerOptions {
    /// Addresses such as `nats://host:4222`, separated by commas.
    pub url: String,
    /// The user.
    pub user: Option<String>,
    /// The password of the user.
    pub password: Option<String>,
    /// A token instead of user and password.
    pub token: Option<String>,
    /// A NATS credentials file.
    pub credentials: Option<PathBuf>,
    /// Connect by TLS only.
    pub tls: bool,
    /// Trust the certificates in this file, too.
    pub authority: Option<PathBuf>,
    /// The client's own certificate and its key.
    pub certificate: Option<(PathBuf, PathBuf)>,
    /// On how many servers of a cluster everything is kept, when it is created.
    pub replicas: usize,
}

/// Says something to the user.
pub type Notice = Arc<dyn Fn(String) + Send + Sync>;

/// An error of a library as ours.
pub(crate) fn failed(what: &str, error: impl std::fmt::Display) -> InputError {
    InputError::new(format!("{what}: {error}"))
}

/// A connection with everything that the queue uses on the server.
#[derive(Clone)]
pub(crate) struct Queue {
    pub client: Client,
    pub context: Context,
    pub tasks: Stream,
    pub answers: Stream,
    pub experiments: kv::Store,
    pub workers: kv::Store,
    pub progress: kv::Store,
    pub files: ObjectStore,
    replicas: usize,
}

impl Queue {
    /// Connects, and creates streams and buckets that are not there.
    pub(crate) async fn connect(options: &ServerOptions, notice: Notice) -> Result<Queue, InputError> {
        let client = connect(options, notice).await?;
        let context = ContextBuilder::new().timeout(REQUEST_TIMEOUT).ack_timeout(REQUEST_TIMEOUT).build(client.clone());
        Queue::open(client, context, options.replicas.max(1)).await
    }

    async fn open(client: Client, context: Context, replicas: usize) -> Result<Queue, InputError> {
        if let Err(error) = context.query_account().await {
            return Err(InputError::new(format!("this NATS server offers no JetStream: {error}"))
                .of_kind(ErrorKind::Refused)
                .with_help(
                    "start it with `nats-server --jetstream --store_dir FOLDER`, or enable it for this account",
                ));
        }
        let tasks = stream_of(&context, TASKS, "tesuji.tasks.*", Duration::ZERO, replicas).await?;
        let answers = stream_of(&context, ANSWERS, "tesuji.answers.*", ANSWERS_KEPT, replicas).await?;
        let experiments = bucket(&context, EXPERIMENTS, Duration::ZERO, replicas).await?;
        let workers = bucket(&context, WORKERS, WORKERS_KEPT, replicas).await?;
        let progress = bucket(&context, PROGRESS, REPORTS_KEPT, replicas).await?;
        let files = match context.get_object_store(FILES).await {
            Ok(files) => files,
            Err(_) => {
                let config = object_store::Config {
                    bucket: FILES.to_owned(),
                    num_replicas: replicas,
                    storage: StorageType::File,
                    ..object_store::Config::default()
                };
                let created = context.create_object_store(config).await;
                created.map_err(|error| failed("the server cannot keep files", error))?
            }
        };
        if replicas > 1 {
            raise_replicas(&context, replicas).await?;
        }
        Ok(Queue { client, context, tasks, answers, experiments, workers, progress, files, replicas })
    }

    /// Creates again what a server lost.
    pub(crate) async fn restore(&self) -> Result<Queue, InputError> {
        Queue::open(self.client.clone(), self.context.clone(), self.replicas).await
    }

    /// The consumer of an experiment's tasks, which its workers share.
    pub(crate) async fn task_consumer(&self, id: &str, patience: f64) -> Result<PullConsumer, InputError> {
        let config = pull::Config {
            durable_name: Some(id.to_owned()),
            filter_subject: crate::wire::tasks_subject(id),
            ack_policy: AckPolicy::Explicit,
            ack_wait: Duration::from_secs_f64(patience.clamp(0.5, 3600.0)),
            max_ack_pending: TASKS_IN_HAND,
            max_waiting: TASKS_IN_HAND,
            ..pull::Config::default()
        };
        let what = "the queue of tasks cannot be opened";
        let mut patience = Patience::default();
        loop {
            match self.tasks.get_or_create_consumer(id, config.clone()).await {
                Ok(opened) => return Ok(opened),
                Err(error) => patience.wait(what, error.to_string()).await?,
            }
        }
    }

    /// A new consumer of an experiment's answers: all that are there come at once, also those that an earlier collector
    /// took and did not store.
    pub(crate) async fn answer_consumer(&self, id: &str) -> Result<PullConsumer, InputError> {
        // Without an earlier consumer there is nothing to delete.
        drop(self.answers.delete_consumer(id).await);
        let config = pull::Config {
            durable_name: Some(id.to_owned()),
            filter_subject: crate::wire::answers_subject(id),
            ack_policy: AckPolicy::Explicit,
            ack_wait: Duration::from_secs(60),
            max_ack_pending: 4096,
            ..pull::Config::default()
        };
        let what = "the queue of answers cannot be opened";
        let mut patience = Patience::default();
        loop {
            match self.answers.create_consumer(config.clone()).await {
                Ok(opened) => return Ok(opened),
                Err(error) => patience.wait(what, error.to_string()).await?,
            }
        }
    }
}

async fn connect(options: &ServerOptions, notice: Notice) -> Result<Client, InputError> {
    let ServerOptions { url, user, password, token, credentials, tls, authority, certificate, .. } = options;
    if url.split_once("://").is_some_and(|(_, rest)| rest.split('/').next().unwrap_or(rest).contains('@')) {
        return Err(InputError::new("a password in an address can be read by everybody who lists processes")
            .with_help("use `--user` with `--password-file`, `--token-file` or `--credentials`"));
    }
    let lost = AtomicBool::new(false);
    let mut connecting = ConnectOptions::new()
        .name("tesuji")
        .connection_timeout(CONNECT_TIMEOUT)
        .request_timeout(Some(REQUEST_TIMEOUT))
        .max_reconnects(None)
        .reconnect_delay_callback(|attempts| Duration::from_millis(50 << attempts.min(6)).min(LONGEST_PAUSE))
        .event_callback(move |event| {
            let notice = Arc::clone(&notice);
            let again = match event {
                Event::Disconnected => !lost.swap(true, Ordering::Relaxed),
                Event::Connected => lost.swap(false, Ordering::Relaxed),
                _ => false,
            };
            async move {
                match event {
                    Event::Disconnected if again => {
                        notice("the connection to the server is lost; trying again".to_owned());
                    }
                    Event::Connected if again => notice("connected again".to_owned()),
                    Event::ServerError(error) => notice(format!("the server says: {error}")),
                    _ => {}
                }
            }
        });
    match (user, password) {
        (Some(user), Some(password)) => {
            connecting = connecting.user_and_password(user.clone(), password.clone());
        }
        (Some(_), None) => return Err(InputError::new("a user needs a password").with_help("`--password-file FILE`")),
        (None, Some(_)) => return Err(InputError::new("a password needs a user").with_help("`--user NAME`")),
        (None, None) => {}
    }
    if let Some(token) = token {
        connecting = connecting.token(token.clone());
    }
    if let Some(path) = credentials {
        let read = connecting.credentials_file(path).await;
        connecting = read.map_err(|error| failed("cannot read the credentials", error).in_file(path.display()))?;
    }
    if *tls {
        connecting = connecting.require_tls(true);
    }
    if let Some(path) = authority {
        check_pem(path, "CERTIFICATE")?;
        connecting = connecting.add_root_certificates(path.clone());
    }
    if let Some((certificate, key)) = certificate {
        check_pem(certificate, "CERTIFICATE")?;
        check_pem(key, "PRIVATE KEY")?;
        connecting = connecting.add_client_certificate(certificate.clone(), key.clone());
    }
    let servers: Vec<&str> = url.split(',').map(str::trim).collect();
    connecting.connect(servers.as_slice()).await.map_err(|error| {
        InputError::new(format!("cannot connect to {url}: {error}"))
            .of_kind(ErrorKind::Unreadable)
            .with_help(help(&error, options))
    })
}

/// What to do about a connection that failed.
fn help(error: &ConnectError, options: &ServerOptions) -> &'static str {
    let text = error.to_string();
    let encrypted = options.tls || options.authority.is_some() || options.certificate.is_some();
    match error.kind() {
        ConnectErrorKind::AuthorizationViolation | ConnectErrorKind::Authentication => {
            "the server refuses this login: check `--user` and `--password-file`, `--token-file` or `--credentials`"
        }
        ConnectErrorKind::ServerParse => "an address looks like nats://host:4222",
        _ if text.contains("peer certificate") => {
            "`--tls-ca FILE` names the authority that signed the server's certificate; the certificate must be for the \
             host of the address"
        }
        // What the other side of an encrypted connection complains about.
        _ if text.contains("fatal alert") => {
            "the server wants to see another certificate of this client: check `--tls-cert` and `--tls-key`"
        }
        ConnectErrorKind::Tls => "check `--tls-ca`, `--tls-cert` and `--tls-key`",
        _ if encrypted => "is a NATS server with TLS running there? Without TLS, leave out `--tls` and `--tls-ca`",
        _ => "is a NATS server running there? `nats-server --jetstream` starts one",
    }
}

/// Is this a file of certificates or keys? The client would say only that something is wrong.
fn check_pem(path: &Path, what: &str) -> Result<(), InputError> {
    let read = std::fs::read_to_string(path);
    let text = read.map_err(|error| failed("cannot read the file", error).in_file(path.display()))?;
    if text.lines().any(|line| line.starts_with("-----BEGIN ") && line.ends_with(&format!("{what}-----"))) {
        return Ok(());
    }
    Err(InputError::new(format!("expected a {} in PEM form", what.to_lowercase())).in_file(path.display()))
}

/// Patience with the servers of a cluster that cannot do something now, such as before they have chosen another leader.
#[derive(Default)]
struct Patience {
    pauses: usize,
}

impl Patience {
    /// Waits before another attempt, or returns what went wrong.
    async fn wait(&mut self, what: &str, error: String) -> Result<(), InputError> {
        /// How JetStream marks what may succeed later, as in HTTP.
        const UNAVAILABLE: &str = "code 503";
        self.pauses += 1;
        if self.pauses > ATTEMPTS || !error.contains(UNAVAILABLE) {
            return Err(failed(what, error));
        }
        tokio::time::sleep(LONGEST_PAUSE / 4).await;
        Ok(())
    }
}

/// Keeps everything on at least this many servers. A worker or a look at the queue may have created it before the
/// collector that knows how many there should be.
async fn raise_replicas(context: &Context, replicas: usize) -> Result<(), InputError> {
    let buckets = [EXPERIMENTS, WORKERS, PROGRESS].map(|name| format!("KV_{name}"));
    let names = [TASKS.to_owned(), ANSWERS.to_owned(), format!("OBJ_{FILES}")];
    for name in names.iter().chain(&buckets) {
        let what = format!("the stream {name} cannot be kept on {replicas} servers");
        let stream = context.get_stream(name).await.map_err(|error| failed(&what, error))?;
        let mut config = stream.cached_info().config.clone();
        if config.num_replicas < replicas {
            config.num_replicas = replicas;
            let mut patience = Patience::default();
            while let Err(error) = context.update_stream(&config).await {
                patience.wait(&what, error.to_string()).await?;
            }
        }
    }
    Ok(())
}

async fn stream_of(
    context: &Context,
    name: &str,
    subjects: &str,
    max_age: Duration,
    replicas: usize,
) -> Result<Stream, InputError> {
    let config = stream::Config {
        name: name.to_owned(),
        subjects: vec![subjects.to_owned()],
        retention: RetentionPolicy::WorkQueue,
        storage: StorageType::File,
        max_age,
        num_replicas: replicas,
        ..stream::Config::default()
    };
    let what = format!("the stream {name} cannot be opened");
    let mut patience = Patience::default();
    loop {
        match context.get_or_create_stream(config.clone()).await {
            Ok(opened) => return Ok(opened),
            Err(error) => patience.wait(&what, error.to_string()).await?,
        }
    }
}

async fn bucket(context: &Context, name: &str, age: Duration, replicas: usize) -> Result<kv::Store, InputError> {
    if let Ok(bucket) = context.get_key_value(name).await {
        return Ok(bucket);
    }
    let config = kv::Config {
        bucket: name.to_owned(),
        history: 1,
        max_age: age,
        storage: StorageType::File,
        num_replicas: replicas,
        ..kv::Config::default()
    };
    let created = context.create_key_value(config).await;
    created.map_err(|error| failed(&format!("the bucket {name} cannot be created"), error))
}

/// The runtime that talks to the server.
pub(crate) fn runtime() -> Result<tokio::runtime::Runtime, InputError> {
    let built =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).thread_name("tesuji-queue").enable_all().build();
    built.map_err(|error| failed("no thread for the connection", error))
}

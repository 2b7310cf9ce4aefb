//! The collector's desk: judges answers, hands out tasks, and keeps count. It knows no network: messages come and go
//! through channels.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::time::{Duration, Instant};

use async_nats::jetstream::message::Acker;
use tesuji_arena::experiment::Experiment;
use tesuji_arena::store::Store;
use tesuji_arena::{Collection, InputError, RunEnd, SPEED_TOLERANCE, VERSION, speed_spread};
use tokio::sync::mpsc::UnboundedSender;

use crate::collect::CollectorView;
use crate::collect::link::{Incoming, Outgoing};
use crate::schedule::{Answered, Scheduler, Task};
use crate::server::Notice;
use crate::wire::{AnswerHead, ExperimentReport, WorkerReport, read_answer};

/// A worker counts as gone if it gave no sign for this long.
const GONE_AFTER: Duration = Duration::from_secs(35);
/// How often the server gets a report.
const REPORT_EVERY: Duration = Duration::from_secs(3);
/// How often the results of workers are compared.
const COMPARE_EVERY: Duration = Duration::from_secs(20);
/// The rate is taken over this time.
const RATE_OVER: Duration = Duration::from_secs(120);
/// Refusals that are told one by one; the rest are counted.
const TOLD: u64 = 10;

pub(crate) struct Desk {
    collection: Collection,
    scheduler: Scheduler,
    timed: bool,
    /// The hash of the experiment's files.
    files: String,
    begun: Instant,
    out: UnboundedSender<Outgoing>,
    notice: Notice,
    /// Answers that are in the current batch of the store.
    unacknowledged: Vec<Acker>,
    /// The numbers of tasks on the server.
    sequences: HashMap<u64, u64>,
    workers: BTreeMap<String, (WorkerReport, Instant)>,
    banned: BTreeSet<String>,
    told_refusals: BTreeSet<(String, String)>,
    /// No piece before this one is lacking.
    first_lacking: u64,
    /// Answers of an earlier collector's time that are still to come.
    backlog: u64,
    decided: usize,
    rates: VecDeque<(Instant, u64)>,
    reported: Instant,
    compared: Instant,
    spread_told: bool,
    report: ExperimentReport,
}

impl Desk {
    pub(crate) fn new(
        collection: Collection,
        experiment: &Experiment,
        (id, files): (&str, String),
        priority: u8,
        notice: Notice,
        out: UnboundedSender<Outgoing>,
    ) -> Desk {
        let report = ExperimentReport {
            id: id.to_owned(),
            title: experiment.title.clone(),
            priority,
            total: collection.pieces().count(),
            ..ExperimentReport::default()
        };
        let now = Instant::now();
        Desk {
            scheduler: Scheduler::new(collection.end(), 0),
            decided: collection.decided(),
            collection,
            timed: !experiment.time_budgets().is_empty(),
            files,
            begun: now,
            out,
            notice,
            unacknowledged: Vec::new(),
            sequences: HashMap::new(),
            workers: BTreeMap::new(),
            banned: BTreeSet::new(),
            told_refusals: BTreeSet::new(),
            first_lacking: 0,
            backlog: 0,
            rates: VecDeque::new(),
            reported: now - REPORT_EVERY,
            compared: now,
            spread_told: false,
            report,
        }
    }

    /// Takes over tasks that an earlier collector published; so many answers wait already.
    pub(crate) fn adopt(&mut self, left: Vec<(Task, u64)>, backlog: u64) {
        for (task, sequence) in left {
            self.sequences.insert(task.number, sequence);
            self.scheduler.adopt(task, 0.0);
        }
        self.backlog = backlog;
    }

    /// Seconds since the start, by a clock that never jumps.
    fn now(&self) -> f64 {
        self.begun.elapsed().as_secs_f64()
    }

    fn send(&self, message: Outgoing) {
        // The courier ends only after the desk.
        drop(self.out.send(message));
    }

    pub(crate) fn handle(&mut self, incoming: Incoming, store: &mut Store) -> Result<(), InputError> {
        match incoming {
            Incoming::Answer(bytes, acker) => self.answer(&bytes, acker, store)?,
            Incoming::Alive(report) => self.alive(report),
            Incoming::Published(task, sequence) => drop(self.sequences.insert(task, sequence)),
            Incoming::Gone(task) => {
                self.sequences.remove(&task);
                self.scheduler.lost(task);
            }
            Incoming::Purge(worker, reply) => self.purge(&worker, reply, store)?,
        }
        Ok(())
    }

    fn alive(&mut self, report: WorkerReport) {
        for (title, reason) in &report.refused {
            if *title == self.report.title && self.told_refusals.insert((report.name.clone(), reason.clone())) {
                (self.notice)(format!("worker `{}` does not take part: {reason}", report.name));
            }
        }
        self.workers.insert(report.name.clone(), (report, Instant::now()));
    }

    fn answer(&mut self, bytes: &[u8], acker: Acker, store: &mut Store) -> Result<(), InputError> {
        self.backlog = self.backlog.saturating_sub(1);
        match self.judge(bytes, store)? {
            Ok(()) => self.unacknowledged.push(acker),
            Err((worker, reason)) => {
                self.refuse(worker, &reason);
                // It would only come again.
                self.send(Outgoing::Acknowledge(vec![acker]));
            }
        }
        Ok(())
    }

    /// Takes an answer, or says who sent it and why it is refused.
    #[allow(clippy::type_complexity)]
    pub(super) fn judge(
        &mut self,
        bytes: &[u8],
        store: &mut Store,
    ) -> Result<Result<(), (Option<String>, String)>, InputError> {
        let (head, pieces) = match read_answer(bytes) {
            Ok(read) => read,
            Err(reason) => return Ok(Err((None, reason))),
        };
        let AnswerHead { version, identity, files, worker, speed, task, seconds, last, rest, failure } = head;
        let refused = |reason: String| Ok(Err((Some(worker.clone()), reason)));
        if version != VERSION {
            return refused(format!("it has version {version} of Tesuji, the collector has {VERSION}"));
        }
        if identity != self.collection.identity() {
            return refused("its games, agents or files are not those of the experiment".to_owned());
        }
        if files != self.files {
            return refused("it got other files than the experiment has".to_owned());
        }
        if self.banned.contains(&worker) {
            return refused("its results were removed, and it is banned".to_owned());
        }
        if let Some(reason) = failure {
            self.scheduler.lost(task);
            return refused(format!("it cannot play: {reason}"));
        }
        let played = pieces.len() as u64;
        match self.collection.take(store, &worker, speed, pieces)? {
            Ok(taken) => {
                self.report.repeated += taken.repeated;
                let rest = rest.into_iter().map(|(start, end)| start..end).collect();
                self.scheduler.answered(&Answered { task, played, seconds, last, rest }, self.now());
                if last {
                    self.sequences.remove(&task);
                }
                self.note_decisions();
                Ok(Ok(()))
            }
            Err(reason) => {
                self.scheduler.lost(task);
                refused(reason)
            }
        }
    }

    fn refuse(&mut self, worker: Option<String>, reason: &str) {
        self.report.refused += 1;
        if self.report.refused <= TOLD {
            let who = worker.as_ref().map_or("a message".to_owned(), |worker| format!("an answer of `{worker}`"));
            (self.notice)(format!("{who} is refused: {reason}"));
        }
        if let Some(worker) = worker {
            self.send(Outgoing::Word(worker, format!("an answer was refused: {reason}")));
        }
    }

    /// Sequential tests that have ended make the experiment shorter.
    fn note_decisions(&mut self) {
        let decided = self.collection.decided();
        if decided != self.decided {
            self.decided = decided;
            self.scheduler.set_end(self.collection.end());
        }
    }

    fn purge(&mut self, worker: &str, reply: Option<String>, store: &mut Store) -> Result<(), InputError> {
        self.commit(store)?;
        let (name, ban) = worker.strip_prefix('!').map_or((worker, false), |name| (name, true));
        let removed = self.collection.purge(store, name)?;
        self.first_lacking = 0;
        self.decided = self.collection.decided();
        self.scheduler.set_end(self.collection.end());
        if removed > 0 {
            self.scheduler.again();
        }
        if ban {
            self.banned.insert(name.to_owned());
            self.send(Outgoing::Ban(name.to_owned()));
        }
        (self.notice)(format!("{removed} result(s) of `{name}` were removed and are played again"));
        if let Some(reply) = reply {
            self.send(Outgoing::Reply(reply, removed.to_string()));
        }
        Ok(())
    }

    /// Commits what was taken, and only then acknowledges it.
    pub(crate) fn commit(&mut self, store: &mut Store) -> Result<(), InputError> {
        store.commit()?;
        if !self.unacknowledged.is_empty() {
            let stored = std::mem::take(&mut self.unacknowledged);
            self.send(Outgoing::Acknowledge(stored));
        }
        Ok(())
    }

    /// Publishes the tasks that are due.
    pub(crate) fn hand_out(&mut self) {
        // Answers that wait may hold what would be handed out.
        if self.backlog > 0 && self.now() < 30.0 {
            return;
        }
        let now = self.now();
        let collection = &self.collection;
        for task in self.scheduler.due(now, |piece| collection.lacks(piece)) {
            self.send(Outgoing::Publish(task));
        }
    }

    /// Is every piece there? If all tasks are answered and pieces are still missing, they are handed out again.
    pub(crate) fn is_complete(&mut self) -> bool {
        if !self.scheduler.is_exhausted() {
            return false;
        }
        let end = self.collection.end();
        while self.first_lacking < end && !self.collection.lacks(self.first_lacking) {
            self.first_lacking += 1;
        }
        if self.first_lacking >= end {
            return true;
        }
        if self.scheduler.is_idle() {
            self.scheduler.again();
        }
        false
    }

    /// What is done now and then: who is alive, late tasks, rates, comparisons, reports.
    pub(crate) fn look(&mut self) {
        let now = Instant::now();
        self.workers.retain(|_, (_, seen)| now.duration_since(*seen) < GONE_AFTER);
        let active = self.workers.values().filter(|(worker, _)| !worker.refused.contains_key(&self.report.title));
        self.report.workers = active.clone().count();
        self.report.threads = active.map(|(worker, _)| worker.threads).sum();
        self.scheduler.set_threads(self.report.threads);
        for task in self.scheduler.late(self.now()) {
            if let Some(&sequence) = self.sequences.get(&task) {
                self.send(Outgoing::Ask(task, sequence));
            }
        }
        self.count(now);
        if now.duration_since(self.compared) >= COMPARE_EVERY {
            self.compared = now;
            self.compare();
        }
        if now.duration_since(self.reported) >= REPORT_EVERY {
            self.reported = now;
            self.report(false);
        }
    }

    fn count(&mut self, now: Instant) {
        let progress = self.collection.progress();
        let matches = progress.done;
        let pairs = self.collection.pieces().pairs();
        let done =
            if progress.total == 0 { 0 } else { (matches as u128 * pairs as u128 / progress.total as u128) as u64 };
        self.report.done = done + progress.measured;
        self.report.matches = matches;
        self.report.total = self.collection.end();
        self.report.tasks = self.scheduler.outstanding();
        self.report.task_seconds = self.scheduler.target();
        self.rates.push_back((now, self.report.done));
        while self.rates.len() > 2 && now.duration_since(self.rates[0].0) > RATE_OVER {
            self.rates.pop_front();
        }
        if let (Some((first, before)), true) = (self.rates.front(), self.rates.len() > 1) {
            let seconds = now.duration_since(*first).as_secs_f64().max(1e-3);
            let rate = self.report.done.saturating_sub(*before) as f64 / seconds;
            self.report.pairs_per_hour = rate * 3600.0;
            let left = self.report.total.saturating_sub(self.report.done) as f64;
            self.report.seconds_left = (rate > 0.0).then(|| left / rate);
        }
    }

    /// Names workers whose results deviate, and warns of different speeds under time budgets.
    fn compare(&mut self) {
        let deviating: Vec<String> =
            self.collection.residuals().into_iter().filter(|(_, found)| found.deviates).map(|(name, _)| name).collect();
        for name in deviating.iter().filter(|name| !self.report.deviating.contains(name)) {
            (self.notice)(format!(
                "the results of worker `{name}` deviate from those of all others; \
                 `tesuji queue purge SERVER --worker {name}` removes them and plays them again"
            ));
        }
        self.report.deviating = deviating;
        if self.timed {
            let spread = speed_spread(self.collection.speeds().values().copied());
            self.report.speed_spread = Some(spread);
            if spread > SPEED_TOLERANCE && !self.spread_told {
                self.spread_told = true;
                (self.notice)(format!(
                    "the fastest worker is {:.0} % faster than the slowest: under time budgets the results mix \
                     different strengths",
                    spread * 100.0
                ));
            }
        }
    }

    /// Reports to the server.
    pub(crate) fn report(&mut self, finished: bool) {
        if finished {
            self.compare();
        }
        self.count(Instant::now());
        self.report.finished = finished;
        self.send(Outgoing::Report(Box::new(self.report.clone())));
    }

    pub(crate) fn view(&self) -> CollectorView<'_> {
        CollectorView { progress: self.collection.progress(), report: &self.report }
    }

    pub(crate) fn into_end(self, complete: bool) -> RunEnd {
        self.collection.run_end(complete)
    }
}

//! The virtual workers, server and clock.

use std::cmp::Ordering;
use std::collections::{BinaryHeap, VecDeque};
use std::ops::Range;

use tesuji_arena::Rng;

use super::{PATIENCE, Simulated, SimulationPlan};
use crate::schedule::{Answered, LONGEST_TASK, Scheduler, Task};

/// The delay of a message, in seconds.
const DELAY: f64 = 0.05;
/// How often the collector hands out tasks.
const TICK: f64 = 0.25;
/// How often a worker gives a sign of life.
const SIGN: f64 = 10.0;
/// What the collector remembers of a worker, in bytes.
const WORKER_BYTES: usize = 700;

#[derive(Clone, Debug)]
enum Event {
    Join(usize),
    Leave(usize, u64, bool),
    /// A worker ends its task, if it is still the same delivery.
    Done(usize, u64),
    /// An answer reaches the collector.
    Answer(Answered, Vec<Range<u64>>),
    /// Nothing was heard of a delivery.
    Redeliver(Task),
    /// An idle worker looks for a task.
    Poll(usize, u64),
    Tick,
}

struct Timed(f64, u64, Event);

impl PartialEq for Timed {
    fn eq(&self, other: &Timed) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}
impl Eq for Timed {}
impl PartialOrd for Timed {
    fn partial_cmp(&self, other: &Timed) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Timed {
    /// The earliest event is the greatest.
    fn cmp(&self, other: &Timed) -> Ordering {
        other.0.total_cmp(&self.0).then(other.1.cmp(&self.1))
    }
}

struct Worker {
    alive: bool,
    /// Grows with each session.
    session: u64,
    speed: f64,
    joined: f64,
    /// The task in hand and when it was begun.
    playing: Option<(Task, f64)>,
    waiting: Option<Task>,
    delivery: u64,
}

pub(super) struct World<'a> {
    plan: &'a SimulationPlan,
    rng: Rng,
    now: f64,
    events: BinaryHeap<Timed>,
    number: u64,
    scheduler: Scheduler,
    pairs: u64,
    done: Vec<u64>,
    count: u64,
    workers: Vec<Worker>,
    alive: usize,
    queue: VecDeque<Task>,
    free_at: f64,
    tally: Tally,
}

#[derive(Default)]
struct Tally {
    /// Seconds of all workers.
    present: f64,
    useful: f64,
    wasted: f64,
    tasks: u64,
    task_seconds: f64,
    messages: u64,
    busy: f64,
    most_bytes: usize,
    nearly: Option<f64>,
}

impl<'a> World<'a> {
    pub(super) fn new(plan: &'a SimulationPlan) -> World<'a> {
        // The mean speed of a log-normal distribution.
        let mean = (plan.spread * plan.spread / 2.0).exp();
        let pairs = (plan.workers as f64 * mean * plan.length / plan.seconds_per_pair) as u64;
        let pairs = pairs.max(1);
        World {
            plan,
            rng: Rng::new(plan.seed),
            now: 0.0,
            events: BinaryHeap::new(),
            number: 0,
            scheduler: Scheduler::new(pairs, 0).with_longest(plan.longest_task),
            pairs,
            done: vec![0; (pairs as usize).div_ceil(64)],
            count: 0,
            workers: Vec::new(),
            alive: 0,
            queue: VecDeque::new(),
            free_at: 0.0,
            tally: Tally::default(),
        }
    }

    fn at(&mut self, time: f64, event: Event) {
        self.number += 1;
        self.events.push(Timed(time, self.number, event));
    }

    fn exponential(&mut self, mean: f64) -> f64 {
        -mean * (1.0 - self.rng.unit()).ln()
    }

    fn normal(&mut self) -> f64 {
        let (one, two) = (1.0 - self.rng.unit(), self.rng.unit());
        (-2.0 * one.ln()).sqrt() * (std::f64::consts::TAU * two).cos()
    }

    pub(super) fn run(mut self) -> Simulated {
        for worker in 0..self.plan.workers {
            self.workers.push(Worker {
                alive: false,
                session: 0,
                speed: 1.0,
                joined: 0.0,
                playing: None,
                waiting: None,
                delivery: 0,
            });
            let begun = self.rng.unit() * 10.0;
            self.at(begun, Event::Join(worker));
        }
        self.at(0.0, Event::Tick);
        while self.count < self.pairs {
            let Some(Timed(time, _, event)) = self.events.pop() else { break };
            self.now = time;
            self.step(event);
        }
        self.finish()
    }

    fn step(&mut self, event: Event) {
        match event {
            Event::Join(worker) => self.join(worker),
            Event::Leave(worker, session, silent) => self.leave(worker, session, silent),
            Event::Done(worker, delivery) => {
                if self.workers[worker].delivery == delivery {
                    self.end_task(worker, false);
                    self.begin(worker);
                }
            }
            Event::Answer(answer, pieces) => self.answer(&answer, &pieces),
            Event::Redeliver(task) => self.queue.push_front(task),
            Event::Poll(worker, session) => {
                let state = &self.workers[worker];
                if state.alive && state.session == session && state.playing.is_none() {
                    self.begin(worker);
                }
            }
            Event::Tick => self.tick(),
        }
    }

    fn join(&mut self, worker: usize) {
        let speed = (self.plan.spread * self.normal()).exp();
        let length = self.exponential(self.plan.session);
        let silent = self.rng.chance(0.5);
        let now = self.now;
        let state = &mut self.workers[worker];
        state.session += 1;
        (state.alive, state.speed, state.joined) = (true, speed, now);
        let session = state.session;
        self.alive += 1;
        self.at(self.now + length, Event::Leave(worker, session, silent));
        self.begin(worker);
    }

    fn leave(&mut self, worker: usize, session: u64, silent: bool) {
        if self.workers[worker].session != session || !self.workers[worker].alive {
            return;
        }
        if silent {
            let state = &mut self.workers[worker];
            state.delivery += 1;
            let lost: Vec<Task> = state
                .playing
                .take()
                .map(|(task, begun)| {
                    self.tally.wasted += self.now - begun;
                    task
                })
                .into_iter()
                .chain(state.waiting.take())
                .collect();
            lost.into_iter().for_each(|task| self.at(self.now + PATIENCE, Event::Redeliver(task)));
        } else {
            self.end_task(worker, true);
            if let Some(task) = self.workers[worker].waiting.take() {
                let rest = task.pieces.clone();
                let answer = Answered { task: task.number, played: 0, seconds: 0.0, last: true, rest };
                self.send(answer, Vec::new());
            }
        }
        let state = &mut self.workers[worker];
        state.alive = false;
        self.tally.present += self.now - state.joined;
        self.alive -= 1;
        // Another worker comes in its place.
        let pause = self.exponential(30.0);
        self.at(self.now + pause, Event::Join(worker));
    }

    /// Seconds of a pair on a worker.
    fn pair_seconds(&self, worker: usize) -> f64 {
        self.plan.seconds_per_pair / self.workers[worker].speed
    }

    /// Begins the next task, and fetches another one to wait.
    fn begin(&mut self, worker: usize) {
        let next = self.workers[worker].waiting.take().or_else(|| self.queue.pop_front());
        let Some(task) = next else {
            let (session, pause) = (self.workers[worker].session, 0.25 + 0.5 * self.rng.unit());
            self.at(self.now + pause, Event::Poll(worker, session));
            return;
        };
        self.workers[worker].waiting = self.queue.pop_front();
        let each = self.pair_seconds(worker);
        let whole = task.len() as f64 * each;
        // The worker returns the rest of a task that takes too long.
        let seconds = if whole > LONGEST_TASK { (LONGEST_TASK / each).ceil() * each } else { whole };
        let state = &mut self.workers[worker];
        state.delivery += 1;
        state.playing = Some((task, self.now));
        let delivery = state.delivery;
        self.at(self.now + seconds, Event::Done(worker, delivery));
    }

    /// Answers what was played of the task in hand, and returns the rest.
    fn end_task(&mut self, worker: usize, leaving: bool) {
        let each = self.pair_seconds(worker);
        let Some((task, begun)) = self.workers[worker].playing.take() else { return };
        self.workers[worker].delivery += 1;
        let seconds = self.now - begun;
        let played = ((seconds / each + 1e-6) as u64).min(task.len());
        if leaving {
            self.tally.wasted += seconds - played as f64 * each;
        }
        let (done, rest) = split(&task.pieces, played);
        self.tally.tasks += 1;
        self.tally.task_seconds += seconds;
        let busy = played as f64 * each;
        self.send(Answered { task: task.number, played, seconds: busy, last: true, rest }, done);
    }

    fn send(&mut self, answer: Answered, pieces: Vec<Range<u64>>) {
        self.at(self.now + DELAY, Event::Answer(answer, pieces));
    }

    fn answer(&mut self, answer: &Answered, pieces: &[Range<u64>]) {
        // The collector takes one answer after the other.
        let (fixed, each) = self.plan.collector;
        let work = fixed + each * answer.played as f64;
        self.free_at = self.free_at.max(self.now) + work;
        self.tally.busy += work;
        self.tally.messages += 2;
        let mut fresh = 0;
        for piece in pieces.iter().cloned().flatten() {
            let (word, bit) = (piece as usize / 64, 1 << (piece % 64));
            fresh += u64::from(self.done[word] & bit == 0);
            self.done[word] |= bit;
        }
        let share = if answer.played == 0 { 0.0 } else { fresh as f64 / answer.played as f64 };
        self.tally.useful += answer.seconds * share;
        self.tally.wasted += answer.seconds * (1.0 - share);
        self.count += fresh;
        if self.count * 100 >= self.pairs * 99 && self.tally.nearly.is_none() {
            self.tally.nearly = Some(self.now);
        }
        let now = self.now;
        self.scheduler.answered(answer, now);
    }

    fn tick(&mut self) {
        // A collector that is behind hands out nothing until it has caught up.
        if self.free_at <= self.now + TICK {
            self.scheduler.set_threads(self.alive);
            let done = &self.done;
            let lacks = |piece: u64| done[piece as usize / 64] >> (piece % 64) & 1 == 0;
            let due = self.scheduler.due(self.now, lacks);
            self.tally.messages += due.len() as u64;
            self.queue.extend(due);
        }
        if self.number.is_multiple_of(20) {
            // Late tasks are in the queue of the server, or in hand: nothing is lost there.
            let late = self.scheduler.late(self.now).len() as u64;
            self.tally.messages += 2 * late;
        }
        let bytes = self.scheduler.memory() + self.alive * WORKER_BYTES;
        self.tally.most_bytes = self.tally.most_bytes.max(bytes);
        self.at(self.now + TICK, Event::Tick);
    }

    fn finish(mut self) -> Simulated {
        for state in self.workers.iter().filter(|state| state.alive) {
            self.tally.present += self.now - state.joined;
            // What is still played is not needed any more.
            self.tally.wasted += state.playing.as_ref().map_or(0.0, |(_, begun)| self.now - begun);
        }
        let Tally { present, useful, wasted, tasks, task_seconds, messages, busy, most_bytes, nearly } = self.tally;
        let signs = present / SIGN;
        let SimulationPlan { workers, longest_task, .. } = *self.plan;
        Simulated {
            workers,
            longest_task,
            pairs: self.pairs,
            seconds: self.now,
            pairs_per_second: self.pairs as f64 / self.now,
            efficiency: useful / present,
            wasted: wasted / present,
            idle: (present - useful - wasted).max(0.0) / present,
            tail: self.now - nearly.unwrap_or(self.now),
            task_seconds: task_seconds / tasks.max(1) as f64,
            messages_per_second: (messages as f64 + signs) / self.now,
            collector_busy: busy / self.now,
            megabytes: most_bytes as f64 / 1e6,
        }
    }
}

/// The first pieces of some ranges, and the rest.
fn split(pieces: &[Range<u64>], first: u64) -> (Vec<Range<u64>>, Vec<Range<u64>>) {
    let (mut done, mut rest) = (Vec::new(), Vec::new());
    let mut left = first;
    for range in pieces {
        let middle = range.start + left.min(range.end - range.start);
        left -= middle - range.start;
        done.extend((range.start < middle).then_some(range.start..middle));
        rest.extend((middle < range.end).then_some(middle..range.end));
    }
    (done, rest)
}

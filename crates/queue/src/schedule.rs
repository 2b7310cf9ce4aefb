//! Which pieces of an experiment are handed out as tasks, how large the tasks are, and which are handed out again.
//!
//! This is pure code: it knows no network and no clock. Time is a number of seconds that the caller passes in. The
//! collector and the simulation drive the same [`Scheduler`].

use std::collections::BTreeMap;
use std::ops::Range;

/// The shortest time that a task should take on one thread, in seconds.
pub const SHORTEST_TASK: f64 = 5.0;
/// The longest time that a task may take on one thread, in seconds. After it a worker returns the rest.
pub const LONGEST_TASK: f64 = 30.0;
/// Tasks grow with the number of threads, so that a collector gets at most about this many answers a second, as long as
/// they are below [`LONGEST_TASK`].
pub const ANSWERS_PER_SECOND: f64 = 200.0;
/// The shortest task at the end of an experiment, when the rest is spread over all threads.
const SHORTEST_LAST_TASK: f64 = 0.5;
/// The most pieces in a task.
const MOST_PIECES: u64 = 200_000;
/// Tasks that wait for each thread, so that no thread waits for a task.
const WAITING_PER_THREAD: usize = 1;
/// Tasks that are published before any worker is known.
const FIRST_TASKS: usize = 4;
/// How much an answer counts against those before it, when the time of a piece is estimated.
const MEMORY: f64 = 0.95;
/// A task is asked about after this many times its expected time …
const LATE: f64 = 3.0;
/// … and after this many seconds at least.
const LEAST_LATE: f64 = 20.0;

/// A task: some pieces of an experiment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Task {
    /// Its number, unique in an experiment as long as a collector runs.
    pub number: u64,
    /// The pieces.
    pub pieces: Vec<Range<u64>>,
}

impl Task {
    /// How many pieces there are.
    pub fn len(&self) -> u64 {
        self.pieces.iter().map(|range| range.end - range.start).sum()
    }

    /// Is there nothing in it?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// What an answer says about its task.
#[derive(Clone, Debug, Default)]
pub struct Answered {
    /// The number of the task.
    pub task: u64,
    /// Pieces that were played.
    pub played: u64,
    /// How long they took, in seconds on one thread.
    pub seconds: f64,
    /// Is it the last answer to this task?
    pub last: bool,
    /// Pieces that the worker returns without having played them.
    pub rest: Vec<Range<u64>>,
}

#[derive(Clone, Debug)]
struct Outstanding {
    pieces: Vec<Range<u64>>,
    /// When it was published, or last asked about.
    since: f64,
}

/// Hands out the pieces of one experiment.
#[derive(Clone, Debug)]
pub struct Scheduler {
    /// Pieces from here on were never handed out.
    cursor: u64,
    end: u64,
    /// Pieces that are to be handed out again.
    returned: Vec<Range<u64>>,
    /// Pieces of adopted tasks, in order: the cursor passes over them.
    adopted: Vec<Range<u64>>,
    outstanding: BTreeMap<u64, Outstanding>,
    next: u64,
    threads: usize,
    /// Decaying sums of seconds and pieces.
    seconds: f64,
    pieces: f64,
    longest: f64,
}

impl Scheduler {
    /// A scheduler of pieces up to `end`. Task numbers begin with `first`.
    pub fn new(end: u64, first: u64) -> Scheduler {
        Scheduler {
            cursor: 0,
            end,
            returned: Vec::new(),
            adopted: Vec::new(),
            outstanding: BTreeMap::new(),
            next: first,
            threads: 0,
            seconds: 0.0,
            pieces: 0.0,
            longest: LONGEST_TASK,
        }
    }

    /// The same with other bounds of a task's time, for experiments about them.
    pub fn with_longest(self, longest: f64) -> Scheduler {
        Scheduler { longest, ..self }
    }

    /// Tasks that an earlier collector published and that are still there.
    pub fn adopt(&mut self, task: Task, now: f64) {
        self.next = self.next.max(task.number + 1);
        self.adopted.extend(task.pieces.iter().cloned());
        self.adopted.sort_by_key(|range| range.start);
        self.outstanding.insert(task.number, Outstanding { pieces: task.pieces, since: now });
    }

    /// Sets the number of threads that take tasks.
    pub fn set_threads(&mut self, threads: usize) {
        self.threads = threads;
    }

    /// Sets where the pieces end: a sequential test may end an experiment early.
    pub fn set_end(&mut self, end: u64) {
        self.end = end;
    }

    /// The seconds that a piece takes on one thread, as far as they are known.
    pub fn seconds_per_piece(&self) -> Option<f64> {
        (self.pieces > 0.0).then(|| (self.seconds / self.pieces).max(1e-7))
    }

    /// The seconds that a task should take.
    pub fn target(&self) -> f64 {
        (self.threads as f64 / ANSWERS_PER_SECOND).clamp(SHORTEST_TASK, self.longest.max(SHORTEST_TASK))
    }

    /// How many pieces the next task should have.
    fn size(&self) -> u64 {
        let Some(each) = self.seconds_per_piece() else { return 1 };
        let whole = self.target() / each;
        // At the end the rest is spread over all threads: nobody waits long for the last task.
        let left = self.end.saturating_sub(self.cursor)
            + self.returned.iter().map(|range| range.end - range.start).sum::<u64>();
        let share = left as f64 / (2.0 * self.threads.max(1) as f64);
        let size = whole.min(share.max(SHORTEST_LAST_TASK / each));
        (size as u64).clamp(1, MOST_PIECES)
    }

    /// How many tasks may be outstanding.
    fn window(&self) -> usize {
        (self.threads * (1 + WAITING_PER_THREAD) + 2).max(FIRST_TASKS)
    }

    /// The tasks to publish now. `lacks` says whether a piece is still to be played.
    pub fn due(&mut self, now: f64, lacks: impl Fn(u64) -> bool) -> Vec<Task> {
        let mut tasks = Vec::new();
        while self.outstanding.len() < self.window() {
            let pieces = self.take(self.size(), &lacks);
            if pieces.is_empty() {
                break;
            }
            let task = Task { number: self.next, pieces };
            self.next += 1;
            self.outstanding.insert(task.number, Outstanding { pieces: task.pieces.clone(), since: now });
            tasks.push(task);
        }
        tasks
    }

    /// Takes pieces that are to be handed out, those that came back first.
    fn take(&mut self, count: u64, lacks: &impl Fn(u64) -> bool) -> Vec<Range<u64>> {
        let mut taken: Vec<Range<u64>> = Vec::new();
        let mut left = count;
        let mut add = |number: u64, left: &mut u64| {
            if lacks(number) {
                *left -= 1;
                match taken.last_mut() {
                    Some(last) if last.end == number => last.end += 1,
                    _ => taken.push(number..number + 1),
                }
            }
        };
        while left > 0 {
            if let Some(range) = self.returned.first_mut() {
                match range.next() {
                    Some(number) => add(number, &mut left),
                    None => drop(self.returned.remove(0)),
                }
            } else if self.cursor < self.end {
                let before = self.adopted.partition_point(|range| range.start <= self.cursor);
                if before == 0 || self.adopted[before - 1].end <= self.cursor {
                    add(self.cursor, &mut left);
                }
                self.cursor += 1;
            } else {
                break;
            }
        }
        taken
    }

    /// Counts an answer. Pieces that are missing from the last answer to a task are found by [`Scheduler::lost`].
    pub fn answered(&mut self, answer: &Answered, now: f64) {
        if answer.played > 0 && answer.seconds.is_finite() && answer.seconds >= 0.0 {
            self.seconds = self.seconds * MEMORY + answer.seconds;
            self.pieces = self.pieces * MEMORY + answer.played as f64;
        }
        if !answer.last {
            if let Some(task) = self.outstanding.get_mut(&answer.task) {
                task.since = now;
            }
            return;
        }
        if self.outstanding.remove(&answer.task).is_some() {
            self.give_back(answer.rest.iter().cloned());
        }
    }

    fn give_back(&mut self, ranges: impl Iterator<Item = Range<u64>>) {
        let end = self.end;
        self.returned.extend(ranges.map(|range| range.start..range.end.min(end)).filter(|range| !range.is_empty()));
    }

    /// Tasks that should be asked about: nothing was heard of them for long. They count as heard of from now on.
    pub fn late(&mut self, now: f64) -> Vec<u64> {
        let patience = (LATE * self.target()).max(LEAST_LATE);
        let late = self.outstanding.iter_mut().filter(|(_, task)| now - task.since > patience);
        late.map(|(&number, task)| {
            task.since = now;
            number
        })
        .collect()
    }

    /// The queue does not know a task any more, and no answer to it is on its way: its pieces are handed out again.
    pub fn lost(&mut self, number: u64) {
        if let Some(task) = self.outstanding.remove(&number) {
            self.give_back(task.pieces.into_iter());
        }
    }

    /// Hands out pieces again whose results were removed. Those that were never handed out come in their turn.
    pub fn again(&mut self) {
        self.returned.clear();
        self.returned.push(0..self.cursor.min(self.end));
    }

    /// The number of tasks that were published and not answered.
    pub fn outstanding(&self) -> usize {
        self.outstanding.len()
    }

    /// Was everything handed out?
    pub fn is_exhausted(&self) -> bool {
        self.cursor >= self.end && self.returned.is_empty()
    }

    /// Nothing is outstanding and nothing is left to hand out: if pieces are missing, they were lost on the way.
    pub fn is_idle(&self) -> bool {
        self.is_exhausted() && self.outstanding.is_empty()
    }

    /// About how much memory the scheduler takes, in bytes.
    pub fn memory(&self) -> usize {
        let ranges = self.outstanding.values().map(|task| task.pieces.len()).sum::<usize>() + self.returned.len();
        ranges * size_of::<Range<u64>>() + self.outstanding.len() * (size_of::<Outstanding>() + size_of::<u64>() * 2)
    }
}

/// How many tasks a worker with this many threads should have waiting, given the mean time of its tasks.
pub fn tasks_to_wait(threads: usize, mean_seconds: Option<f64>) -> usize {
    match mean_seconds {
        Some(seconds) if seconds >= 2.0 => threads.div_ceil(8),
        _ => threads,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn numbers(tasks: &[Task]) -> Vec<u64> {
        tasks.iter().flat_map(|task| task.pieces.iter().cloned().flatten()).collect()
    }

    fn answer(task: &Task, seconds: f64) -> Answered {
        Answered { task: task.number, played: task.len(), seconds, last: true, rest: Vec::new() }
    }

    #[test]
    fn tasks_begin_small_and_grow_to_the_wanted_time() {
        let mut scheduler = Scheduler::new(1_000_000, 0);
        scheduler.set_threads(2);
        let first = scheduler.due(0.0, |_| true);
        assert!(first.iter().all(|task| task.len() == 1) && first.len() == 6, "{first:?}");
        // A piece takes 10 ms: five seconds are 500 pieces.
        first.iter().for_each(|task| scheduler.answered(&answer(task, 0.01), 0.1));
        let second = scheduler.due(0.1, |_| true);
        assert!(second.iter().all(|task| (450..=550).contains(&task.len())), "{second:?}");
        scheduler.set_threads(4_000);
        second.iter().for_each(|task| scheduler.answered(&answer(task, 5.0), 5.0));
        assert_eq!(scheduler.target(), 20.0);
    }

    #[test]
    fn every_piece_is_handed_out_once_and_again_only_when_it_came_back() {
        let mut scheduler = Scheduler::new(100, 7);
        let mut done = BTreeSet::new();
        let mut handed: Vec<u64> = Vec::new();
        for round in 0.. {
            let tasks = scheduler.due(f64::from(round), |number| !done.contains(&number));
            if tasks.is_empty() {
                break;
            }
            for task in tasks {
                let all: Vec<u64> = task.pieces.iter().cloned().flatten().collect();
                handed.extend(&all);
                // Each third task is played in part.
                let played = if task.number % 3 == 0 { all.len() / 2 } else { all.len() };
                done.extend(&all[..played]);
                let rest = all[played..].iter().map(|&number| number..number + 1).collect();
                let seconds = played as f64;
                let played = played as u64;
                scheduler.answered(&Answered { task: task.number, played, seconds, last: true, rest }, 1.0);
            }
        }
        assert_eq!(done, (0..100).collect());
        assert!(scheduler.is_idle() && handed.len() > 100);
    }

    #[test]
    fn lost_tasks_are_noticed_and_handed_out_again() {
        let mut scheduler = Scheduler::new(3, 0);
        let tasks = scheduler.due(0.0, |_| true);
        assert_eq!((numbers(&tasks), scheduler.due(0.0, |_| true)), (vec![0, 1, 2], Vec::new()));
        assert_eq!(scheduler.late(10.0), Vec::<u64>::new());
        assert_eq!(scheduler.late(30.0), [0, 1, 2]);
        assert_eq!(scheduler.late(31.0), Vec::<u64>::new());
        scheduler.lost(1);
        // The first piece of the lost task has arrived by another way.
        assert_eq!(numbers(&scheduler.due(31.0, |number| number == 1)), [1]);
        // An answer to a task that is not known changes nothing.
        scheduler.answered(&answer(&Task { number: 99, pieces: vec![0..2, 3..5] }, 1.0), 32.0);
        assert_eq!(scheduler.outstanding(), 3);
    }

    #[test]
    fn tasks_of_an_earlier_collector_are_not_handed_out_twice() {
        let mut scheduler = Scheduler::new(10, 0);
        scheduler.adopt(Task { number: 41, pieces: vec![2..4, 7..8] }, 0.0);
        let tasks = scheduler.due(0.0, |_| true);
        assert_eq!((numbers(&tasks), tasks[0].number), (vec![0, 1, 4], 42));
        tasks.iter().for_each(|task| scheduler.answered(&answer(task, 9.0), 1.0));
        assert_eq!(numbers(&scheduler.due(1.0, |_| true)), [5, 6, 8]);
        scheduler.lost(41);
        assert_eq!(numbers(&scheduler.due(1.0, |_| true)), [2]);
    }

    #[test]
    fn the_last_tasks_are_small() {
        let mut scheduler = Scheduler::new(10_000, 0);
        scheduler.set_threads(10);
        let first = scheduler.due(0.0, |_| true);
        first.iter().for_each(|task| scheduler.answered(&answer(task, 0.1), 0.1));
        let mut longest = Vec::new();
        loop {
            let tasks = scheduler.due(1.0, |_| true);
            let Some(most) = tasks.iter().map(Task::len).max() else { break };
            longest.push(most);
            tasks.iter().for_each(|task| scheduler.answered(&answer(task, 0.1 * task.len() as f64), 1.0));
        }
        assert!(longest[0] >= 45 && *longest.last().unwrap() <= 10, "{longest:?}");
    }

    #[test]
    fn an_early_end_and_a_purge_change_what_is_handed_out() {
        let mut scheduler = Scheduler::new(1_000, 0);
        let tasks = scheduler.due(0.0, |_| true);
        tasks.iter().for_each(|task| scheduler.answered(&answer(task, 1.0), 1.0));
        scheduler.set_end(4);
        assert!(scheduler.due(1.0, |_| true).is_empty() && scheduler.is_idle());
        scheduler.again();
        assert_eq!(numbers(&scheduler.due(1.0, |number| number == 2)), [2]);
    }
}

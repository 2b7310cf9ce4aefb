//! Pacing of a search: when to read the clock, when to report, when to stop.

use std::time::Duration;

use crate::{Budget, Limit, Meter, Thought, Watcher};

/// The interval between clock reads: long enough to cost nothing, short enough for budgets of a millisecond.
const CLOCK_EVERY: Duration = Duration::from_micros(50);

/// A watcher gets at most twenty reports a second.
const SHOW_EVERY: Duration = Duration::from_millis(50);

/// If only nodes are limited, a search makes at most this many playouts per node granted: the whole tree of a small
/// game may have fewer nodes than the budget.
const PLAYOUTS_PER_NODE: u64 = 16;

/// Keeps one search within its budget.
pub(crate) struct Pace {
    meter: Meter,
    budget: Budget,
    /// Playouts between two clock reads; adapts to the length of playouts.
    interval: u64,
    next_look: u64,
    last_look: Duration,
    last_shown: Duration,
    limit: Option<Limit>,
}

impl Pace {
    /// Starts the clock.
    pub(crate) fn start(mut budget: Budget) -> Pace {
        if let Budget { playouts: None, time: None, nodes: Some(nodes) } = budget {
            budget.playouts = Some(nodes.saturating_mul(PLAYOUTS_PER_NODE));
        }
        Pace {
            meter: Meter::start(budget),
            budget,
            interval: 1,
            next_look: 1,
            last_look: Duration::ZERO,
            last_shown: Duration::ZERO,
            limit: None,
        }
    }

    /// Whether the search may continue after spending this much. Calls the watcher from time to time.
    #[inline]
    pub(crate) fn allows<A>(
        &mut self,
        playouts: u64,
        nodes: u64,
        watcher: &mut Option<&mut dyn Watcher<A>>,
        thought: impl FnOnce(Duration) -> Thought<A>,
    ) -> bool {
        if self.budget.playouts.is_some_and(|limit| playouts >= limit)
            || self.budget.nodes.is_some_and(|limit| nodes >= limit)
        {
            self.limit = self.budget.reached(playouts, nodes, Duration::ZERO);
            return false;
        }
        let unwatched = self.budget.time.is_none() && watcher.is_none() && !self.meter.is_cancellable();
        if playouts < self.next_look || unwatched {
            return true;
        }
        self.look(playouts, nodes, watcher, thought)
    }

    #[cold]
    fn look<A>(
        &mut self,
        playouts: u64,
        nodes: u64,
        watcher: &mut Option<&mut dyn Watcher<A>>,
        thought: impl FnOnce(Duration) -> Thought<A>,
    ) -> bool {
        let now = self.meter.elapsed();
        let passed = now.saturating_sub(self.last_look);
        if passed < CLOCK_EVERY / 2 {
            self.interval *= 2;
        } else if passed > CLOCK_EVERY * 2 {
            self.interval = (self.interval / 2).max(1);
        }
        self.last_look = now;
        self.next_look = playouts + self.interval;
        if !self.meter.allows(playouts, nodes) {
            self.limit = self.budget.reached(playouts, nodes, self.meter.elapsed());
            return false;
        }
        match watcher {
            Some(watcher) if now.saturating_sub(self.last_shown) >= SHOW_EVERY => {
                self.last_shown = now;
                watcher.look(&thought(now))
            }
            _ => true,
        }
    }

    /// The limit that ended the search; `None` if none did.
    pub(crate) fn limit(&self) -> Option<Limit> {
        self.limit
    }

    /// Time since the start.
    pub(crate) fn elapsed(&self) -> Duration {
        self.meter.elapsed()
    }
}

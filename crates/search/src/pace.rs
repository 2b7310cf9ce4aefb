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
    /// The next number of playouts at which there is something to do: a limit, or a look at the clock.
    next_pause: u64,
    most_nodes: u64,
    /// Playouts between two clock reads; adapts to the length of playouts.
    interval: u64,
    last_look: Duration,
    last_shown: Duration,
    limit: Option<Limit>,
}

/// What a search does after a pause.
enum Pause {
    Continue,
    Stop,
    /// Show the watcher what was found until now.
    Show(Duration),
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
            next_pause: budget.playouts.unwrap_or(u64::MAX).min(1),
            most_nodes: budget.nodes.unwrap_or(u64::MAX),
            interval: 1,
            last_look: Duration::ZERO,
            last_shown: Duration::ZERO,
            limit: None,
        }
    }

    /// Whether the search may continue after spending this much. Calls the watcher from time to time. A search has a
    /// watcher from its start to its end, or none.
    #[inline]
    pub(crate) fn allows<A>(
        &mut self,
        playouts: u64,
        nodes: u64,
        watcher: &mut Option<&mut dyn Watcher<A>>,
        thought: impl FnOnce(Duration) -> Thought<A>,
    ) -> bool {
        if playouts < self.next_pause && nodes < self.most_nodes {
            return true;
        }
        match (self.pause(playouts, nodes, watcher.is_some()), watcher) {
            (Pause::Stop, _) => false,
            (Pause::Show(now), Some(watcher)) => watcher.look(&thought(now)),
            _ => true,
        }
    }

    /// Checks limits and clock. Not generic: it is compiled once.
    #[cold]
    fn pause(&mut self, playouts: u64, nodes: u64, watched: bool) -> Pause {
        let most_playouts = self.budget.playouts.unwrap_or(u64::MAX);
        if playouts >= most_playouts || nodes >= self.most_nodes {
            self.limit = self.budget.reached(playouts, nodes, Duration::ZERO);
            return Pause::Stop;
        }
        if self.budget.time.is_none() && !watched && !self.meter.is_cancellable() {
            self.next_pause = most_playouts;
            return Pause::Continue;
        }
        let now = self.meter.elapsed();
        let passed = now.saturating_sub(self.last_look);
        if passed < CLOCK_EVERY / 2 {
            self.interval *= 2;
        } else if passed > CLOCK_EVERY * 2 {
            self.interval = (self.interval / 2).max(1);
        }
        self.last_look = now;
        self.next_pause = (playouts + self.interval).min(most_playouts);
        if !self.meter.allows(playouts, nodes) {
            self.limit = self.budget.reached(playouts, nodes, self.meter.elapsed());
            return Pause::Stop;
        }
        if watched && now.saturating_sub(self.last_shown) >= SHOW_EVERY {
            self.last_shown = now;
            return Pause::Show(now);
        }
        Pause::Continue
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

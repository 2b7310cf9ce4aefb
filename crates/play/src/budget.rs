//! Budgets of decisions, and the only clock below the user interfaces.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tesuji_core::{InputError, cancel};

/// The budget of one decision. The first limit reached ends the search; at least one limit is required.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Budget {
    /// Playouts (or leaf evaluations, for agents without playouts).
    pub playouts: Option<u64>,
    /// Nodes created.
    pub nodes: Option<u64>,
    /// Wall-clock time. Results under a time limit depend on the machine.
    pub time: Option<Duration>,
}

impl Budget {
    /// The names of the limits, as agents' parameters and budgets are written.
    pub const KEYS: [&'static str; 3] = ["playouts", "nodes", "time"];

    /// A budget of playouts.
    pub const fn playouts(playouts: u64) -> Budget {
        Budget { playouts: Some(playouts), nodes: None, time: None }
    }

    /// A budget of time.
    pub const fn time(time: Duration) -> Budget {
        Budget { playouts: None, nodes: None, time: Some(time) }
    }

    /// Parses a start clock: a time such as `10s` (seconds if there is no unit), or a budget such as `playouts=2000`.
    pub fn from_clock(text: &str) -> Result<Budget, InputError> {
        if let Some(time) = parse_time(text.trim()) {
            return Ok(Budget::time(time));
        }
        let budget = if text.contains('=') { text.parse().ok() } else { None };
        budget.ok_or_else(|| {
            InputError::new(format!("`{text}` is not a start clock"))
                .with_help("expected a time such as `10s`, or a budget such as `playouts=2000`")
        })
    }

    /// The limit that a search has reached which spent this much; playouts before nodes before time.
    pub fn reached(&self, playouts: u64, nodes: u64, time: Duration) -> Option<Limit> {
        let playouts = self.playouts.filter(|&limit| playouts >= limit).map(Limit::Playouts);
        let nodes = self.nodes.filter(|&limit| nodes >= limit).map(Limit::Nodes);
        let time = self.time.filter(|&limit| time >= limit).map(Limit::Time);
        playouts.or(nodes).or(time)
    }

    /// Whether there is any limit.
    pub fn is_limited(&self) -> bool {
        self.playouts.is_some() || self.nodes.is_some() || self.time.is_some()
    }
}

/// What ended a search before it was finished.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Limit {
    /// The number of playouts or leaves.
    Playouts(u64),
    /// The number of nodes.
    Nodes(u64),
    /// The time.
    Time(Duration),
    /// Settings of the agent, named as its parameters are.
    Settings(&'static str),
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Limit::Playouts(count) => write!(f, "{count} playouts"),
            Limit::Nodes(count) => write!(f, "{count} nodes"),
            Limit::Time(time) => write!(f, "{time:?}"),
            Limit::Settings(names) => f.write_str(names),
        }
    }
}

/// Parses `2000`, `playouts=2000`, `nodes=50000`, `time=250ms`, or several separated by commas.
impl FromStr for Budget {
    type Err = InputError;

    fn from_str(text: &str) -> Result<Budget, InputError> {
        let wrong = |message: String| {
            InputError::new(message).with_help(
                "expected a budget such as `2000`, `playouts=2000`, `nodes=50000`, `time=250ms`, or several separated \
                    by commas",
            )
        };
        let mut budget = Budget::default();
        for part in text.split(',').map(str::trim) {
            let (key, value) =
                part.split_once('=').map_or(("playouts", part), |(key, value)| (key.trim(), value.trim()));
            let count = || match value.replace('_', "").parse::<u64>() {
                Ok(count) if count > 0 => Ok(Some(count)),
                _ => Err(wrong(format!("`{part}` in budget `{text}`: expected a whole number above 0"))),
            };
            match key {
                "playouts" => budget.playouts = count()?,
                "nodes" => budget.nodes = count()?,
                "time" => {
                    budget.time = Some(parse_time(value).ok_or_else(|| {
                        wrong(format!("`{part}` in budget `{text}`: expected a time such as 250ms, 1.5s or 2min"))
                    })?)
                }
                _ => return Err(wrong(format!("unknown limit `{key}` in budget `{text}`"))),
            }
        }
        Ok(budget)
    }
}

/// Parses a time with its unit, `us`, `ms`, `s` or `min`; seconds without one.
pub fn parse_time(text: &str) -> Option<Duration> {
    let unit_start = text.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(text.len());
    let number: f64 = text[..unit_start].parse().ok()?;
    let scale = match text[unit_start..].trim() {
        "us" | "µs" => 1e-6,
        "ms" => 1e-3,
        "s" | "" => 1.0,
        "min" => 60.0,
        _ => return None,
    };
    Duration::try_from_secs_f64(number * scale).ok().filter(|time| !time.is_zero())
}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let playouts = self.playouts.map(|count| format!("playouts={count}"));
        let nodes = self.nodes.map(|count| format!("nodes={count}"));
        let time = self.time.map(|time| format!("time={}us", time.as_micros()));
        f.write_str(&[playouts, nodes, time].into_iter().flatten().collect::<Vec<_>>().join(","))
    }
}

/// Measures one decision against its budget.
#[derive(Clone, Debug)]
pub struct Meter {
    budget: Budget,
    started: Instant,
    /// Cancels the search; see [`tesuji_core::cancel`].
    cancelled: Option<Arc<AtomicBool>>,
}

impl Meter {
    /// Starts the clock.
    pub fn start(budget: Budget) -> Meter {
        debug_assert!(budget.is_limited());
        Meter { budget, started: Instant::now(), cancelled: cancel::current() }
    }

    /// Whether the search may continue after spending this much. Reads the clock only if time is limited.
    #[inline]
    pub fn allows(&self, playouts: u64, nodes: u64) -> bool {
        self.budget.playouts.is_none_or(|limit| playouts < limit)
            && self.budget.nodes.is_none_or(|limit| nodes < limit)
            && self.budget.time.is_none_or(|limit| self.started.elapsed() < limit)
            && (playouts == 0 || !self.is_cancelled())
    }

    /// Can the search be cancelled?
    #[inline]
    pub fn is_cancellable(&self) -> bool {
        self.cancelled.is_some()
    }

    /// Was the search cancelled? One playout is made all the same, so that every agent has something to answer.
    #[inline]
    fn is_cancelled(&self) -> bool {
        self.cancelled.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
    }

    /// Time since the start.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cancelled_search_ends_after_one_playout() {
        let flag = Arc::new(AtomicBool::new(false));
        let meter = cancel::with(Some(Arc::clone(&flag)), || Meter::start(Budget::playouts(1_000)));
        assert!(meter.allows(0, 0) && meter.allows(1, 0));
        flag.store(true, Ordering::Relaxed);
        assert!(meter.allows(0, 0) && !meter.allows(1, 0));
    }

    #[test]
    fn budgets_read_back() {
        for text in ["2000", "playouts=2_000", "nodes=5,time=250ms", "playouts=1,nodes=2,time=1.5s", "time=2min"] {
            let budget: Budget = text.parse().unwrap();
            assert!(budget.is_limited());
            assert_eq!(budget.to_string().parse::<Budget>().unwrap(), budget, "{text}");
        }
        for text in ["", "0", "-3", "playouts=x", "time=5parsecs", "time=0ms", "depth=3", "time=1e999s", "1,,2"] {
            assert!(text.parse::<Budget>().is_err(), "{text}");
        }
    }

    #[test]
    fn clocks_are_times_or_budgets() {
        assert_eq!(Budget::from_clock("10s").unwrap(), Budget::time(Duration::from_secs(10)));
        assert_eq!(Budget::from_clock(" 2 ").unwrap(), Budget::time(Duration::from_secs(2)));
        assert_eq!(Budget::from_clock("playouts=20").unwrap(), Budget::playouts(20));
        for text in ["", "0s", "-1", "ten", "playouts=0", "depth=3", "1h"] {
            let error = Budget::from_clock(text).unwrap_err();
            assert_eq!(error.to_string(), format!("`{text}` is not a start clock"));
        }
    }

    #[test]
    fn the_first_limit_reached_ends_the_search() {
        let meter = Meter::start("playouts=10,nodes=5".parse().unwrap());
        assert!(meter.allows(9, 4));
        assert!(!meter.allows(10, 0));
        assert!(!meter.allows(0, 5));
    }
}

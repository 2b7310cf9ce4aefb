//! What the decisions of an agent were like: playouts, depth and time, by the number of the decision in its match.

use std::time::Duration;

use serde::Serialize;

use crate::DecisionRecord;

/// What the decisions of an agent were like, on average.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Thinking {
    /// Decisions counted.
    pub decisions: u64,
    /// Playouts a decision.
    pub playouts: f64,
    /// Depth of the tree at a decision, in steps.
    pub depth: f64,
    /// Mean depth at the agent's first, second, … decision of a match.
    pub depth_by_move: Vec<f64>,
    /// How many decisions those means are taken over.
    pub decisions_by_move: Vec<u64>,
}

/// How long an agent thought.
#[derive(Clone, Debug, Serialize)]
pub struct Timing {
    /// The label of the agent.
    pub agent: String,
    /// Decisions counted.
    pub decisions: u64,
    /// Mean time of a decision, in milliseconds.
    pub milliseconds: f64,
    /// Mean milliseconds at its first, second, … decision of a match.
    pub by_move: Vec<f64>,
}

/// At most this many decisions of a match appear in figures by move.
const MOVES_SHOWN: usize = 200;
/// Sums over the decisions of one agent.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sums {
    decisions: u64,
    playouts: u64,
    depth: u64,
    time: Duration,
    /// By the number of the decision in its match: how many, depth, time.
    by_move: Vec<(u64, u64, Duration)>,
}

impl Sums {
    pub(crate) fn add(&mut self, place: usize, decision: &DecisionRecord) {
        self.decisions += 1;
        self.playouts += decision.playouts;
        self.depth += u64::from(decision.depth);
        self.time += decision.time;
        if place < MOVES_SHOWN {
            if self.by_move.len() <= place {
                self.by_move.resize(place + 1, Default::default());
            }
            let (count, depth, time) = &mut self.by_move[place];
            *count += 1;
            *depth += u64::from(decision.depth);
            *time += decision.time;
        }
    }

    pub(crate) fn merge(&mut self, other: &Sums) {
        self.decisions += other.decisions;
        self.playouts += other.playouts;
        self.depth += other.depth;
        self.time += other.time;
        if self.by_move.len() < other.by_move.len() {
            self.by_move.resize(other.by_move.len(), Default::default());
        }
        for (own, other) in self.by_move.iter_mut().zip(&other.by_move) {
            own.0 += other.0;
            own.1 += other.1;
            own.2 += other.2;
        }
    }

    pub(crate) fn thinking(&self) -> Thinking {
        let each = 1.0 / self.decisions.max(1) as f64;
        Thinking {
            decisions: self.decisions,
            playouts: self.playouts as f64 * each,
            depth: self.depth as f64 * each,
            depth_by_move: self
                .by_move
                .iter()
                .map(|(count, depth, _)| *depth as f64 / (*count).max(1) as f64)
                .collect(),
            decisions_by_move: self.by_move.iter().map(|(count, _, _)| *count).collect(),
        }
    }

    pub(crate) fn timing(&self, agent: &str) -> Timing {
        let milliseconds = |time: Duration, count: u64| time.as_secs_f64() * 1e3 / count.max(1) as f64;
        Timing {
            agent: agent.to_owned(),
            decisions: self.decisions,
            milliseconds: milliseconds(self.time, self.decisions),
            by_move: self.by_move.iter().map(|(count, _, time)| milliseconds(*time, *count)).collect(),
        }
    }
}

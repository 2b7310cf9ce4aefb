//! Budgets in requests.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use tesuji_arena::Budget;
use utoipa::ToSchema;

use crate::error::ApiError;
use crate::limits::Limits;

/// Playouts, seconds, or both; the first limit reached counts.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct BudgetRequest {
    /// Playouts.
    #[serde(default)]
    pub playouts: Option<u64>,
    /// Seconds.
    #[serde(default)]
    pub seconds: Option<f64>,
}

/// The playouts of a decision if the request gives no budget.
const USUAL: u64 = 1_000;

impl BudgetRequest {
    /// The budget as the arena reads it, checked against the lab's limits.
    pub(crate) fn checked(self, limits: &Limits) -> Result<String, ApiError> {
        let mut parts = Vec::new();
        if let Some(playouts) = self.playouts {
            if playouts == 0 || playouts > limits.playouts {
                return Err(ApiError::bad(format!("a budget has 1 to {} playouts, not {playouts}", limits.playouts)));
            }
            parts.push(format!("playouts={playouts}"));
        }
        if let Some(seconds) = self.seconds {
            if !(seconds >= 0.001 && seconds <= limits.seconds) {
                return Err(ApiError::bad(format!("a budget has 0.001 to {} seconds, not {seconds}", limits.seconds)));
            }
            parts.push(format!("time={}", time_text(Duration::from_micros((seconds * 1e6).round() as u64))));
        }
        if parts.is_empty() {
            parts.push(format!("playouts={USUAL}"));
        }
        Ok(parts.join(","))
    }
}

/// A time with the largest unit that needs no fraction, such as `4s` or `250ms`.
fn time_text(time: Duration) -> String {
    match time.as_micros() {
        micros if micros % 1_000_000 == 0 => format!("{}s", micros / 1_000_000),
        micros if micros % 1_000 == 0 => format!("{}ms", micros / 1_000),
        micros => format!("{micros}us"),
    }
}

/// A budget as text for people, such as `playouts=2000,time=4s`.
pub(crate) fn budget_text(budget: &Budget) -> String {
    let playouts = budget.playouts.map(|count| format!("playouts={count}"));
    let nodes = budget.nodes.map(|count| format!("nodes={count}"));
    let time = budget.time.map(|time| format!("time={}", time_text(time)));
    [playouts, nodes, time].into_iter().flatten().collect::<Vec<_>>().join(",")
}

/// A budget in numbers.
#[derive(Clone, Copy, Default, Serialize, ToSchema)]
pub(crate) struct BudgetView {
    /// Playouts of a decision.
    pub playouts: Option<u64>,
    /// Nodes of a decision.
    pub nodes: Option<u64>,
    /// Seconds of a decision.
    pub seconds: Option<f64>,
}

impl From<Budget> for BudgetView {
    fn from(budget: Budget) -> BudgetView {
        BudgetView {
            playouts: budget.playouts,
            nodes: budget.nodes,
            seconds: budget.time.map(|time| time.as_secs_f64()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_are_held_to_the_bounds() {
        let limits = Limits::default();
        let text = |playouts, seconds| BudgetRequest { playouts, seconds }.checked(&limits);
        assert_eq!(text(Some(5), Some(1.5)).unwrap(), "playouts=5,time=1500ms");
        assert_eq!(text(None, None).unwrap(), "playouts=1000");
        assert_eq!(text(None, Some(4.0)).unwrap(), "time=4s");
        assert_eq!(budget_text(&"7,time=4000000us".parse().unwrap()), "playouts=7,time=4s");
        for good in [text(Some(1), None), text(None, Some(0.001)), text(None, Some(60.0))] {
            assert!(good.unwrap().parse::<Budget>().unwrap().is_limited());
        }
        for bad in [
            text(Some(0), None),
            text(Some(u64::MAX), None),
            text(None, Some(-1.0)),
            text(None, Some(f64::NAN)),
            text(None, Some(1e9)),
        ] {
            assert!(bad.unwrap_err().message().starts_with("a budget has"));
        }
    }
}

//! Budgets in requests.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::error::ApiError;
use crate::limits::Limits;

/// Playouts, seconds, or both; the first limit reached counts.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BudgetRequest {
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
    pub fn checked(self, limits: &Limits) -> Result<String, ApiError> {
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
            parts.push(format!("time={}us", (seconds * 1e6).round()));
        }
        if parts.is_empty() {
            parts.push(format!("playouts={USUAL}"));
        }
        Ok(parts.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_arena::Budget;

    #[test]
    fn budgets_are_held_to_the_bounds() {
        let limits = Limits::default();
        let text = |playouts, seconds| BudgetRequest { playouts, seconds }.checked(&limits);
        assert_eq!(text(Some(5), Some(1.5)).unwrap(), "playouts=5,time=1500000us");
        assert_eq!(text(None, None).unwrap(), "playouts=1000");
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

//! The same pairing in two results: is there a difference?

use serde::Serialize;

use crate::Summary;
use crate::statistics::{DifferenceTest, difference_test};

/// One pairing of two summaries.
#[derive(Clone, Debug, Serialize)]
pub struct PairingDifference {
    /// The label of the game.
    pub game: String,
    /// The label of the first agent.
    pub first: String,
    /// The label of the second agent.
    pub second: String,
    /// The first agent's win rate in either summary.
    pub win_rates: [Option<f64>; 2],
    /// The difference and its p-value, over pairs; absent if a side has too few.
    pub test: Option<DifferenceTest>,
}

/// Compares the pairings that both summaries have, by labels.
pub fn compare(one: &Summary, two: &Summary) -> Vec<PairingDifference> {
    let mut differences = Vec::new();
    for result in &one.results {
        let labels =
            |result: &crate::PairingSummary| [result.game.clone(), result.first.clone(), result.second.clone()];
        if let Some(other) = two.results.iter().find(|other| labels(other) == labels(result)) {
            let [game, first, second] = labels(result);
            differences.push(PairingDifference {
                game,
                first,
                second,
                win_rates: [result.win_rate, other.win_rate],
                test: difference_test(result.evidence(), other.evidence()),
            });
        }
    }
    differences
}

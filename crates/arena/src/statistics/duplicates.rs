//! Copies among matches: how much evidence a series of deterministic agents really has.
//!
//! A match is a *copy* of another if its moves and seats are the same and nothing random could have made them differ:
//! neither agent nor chance drew a random number in either match, or all their streams were equal. A copy is no
//! observation. Random agents whose short matches coincide do not copy each other: each match is an observation of
//! their choices. [`StoredMatch::fingerprint`](crate::store::StoredMatch::fingerprint) is equal exactly for copies.

use serde::Serialize;

/// How many matches of a series are no copies of others.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Duplicates {
    /// Matches given.
    #[serde(rename = "games")]
    pub matches: u64,
    /// Matches among them that are no copies of each other.
    pub distinct: u64,
    /// The number of independent matches that would give the mean score the same precision: from 1 to `distinct`, or 0
    /// without matches.
    pub effective: f64,
}

/// Counts copies by a hash of each match (or of each pair), which is equal for copies only.
///
/// A match that occurs nᵢ times enters the mean score with weight nᵢ but is one observation, so the variance of the
/// mean is σ² Σnᵢ² / (Σnᵢ)²: as if there were (Σnᵢ)² / Σnᵢ² matches (L. Kish, "Survey Sampling", 1965). That is the
/// number of distinct matches if each occurs equally often, and less if a few make up most of the series.
pub fn duplicates(hashes: &[u64]) -> Duplicates {
    let mut sorted = hashes.to_vec();
    sorted.sort_unstable();
    let (mut distinct, mut squares) = (0, 0.0);
    for equal in sorted.chunk_by(|first, second| first == second) {
        distinct += 1;
        squares += equal.len() as f64 * equal.len() as f64;
    }
    let matches = hashes.len() as f64;
    Duplicates {
        matches: hashes.len() as u64,
        distinct,
        effective: if squares > 0.0 { matches * matches / squares } else { 0.0 },
    }
}

#[cfg(test)]
mod tests {
    use super::super::interval::{wilson, wilson_effective};
    use super::*;

    #[test]
    fn effective_sizes_by_hand() {
        assert_eq!(duplicates(&[]), Duplicates { matches: 0, distinct: 0, effective: 0.0 });
        assert_eq!(duplicates(&[1, 2, 3, 4]), Duplicates { matches: 4, distinct: 4, effective: 4.0 });
        assert_eq!(duplicates(&[7; 100]), Duplicates { matches: 100, distinct: 1, effective: 1.0 });
        // Two matches fifty times each are two; one 98 times and two once each are hardly more than one.
        let even: Vec<u64> = (0..100).map(|index| index % 2).collect();
        assert_eq!(duplicates(&even).effective, 2.0);
        let uneven: Vec<u64> = (0..100u64).map(|index| index.min(2)).collect();
        let given = duplicates(&uneven);
        assert_eq!(given.distinct, 3);
        assert!((given.effective - 10_000.0 / (98.0 * 98.0 + 2.0)).abs() < 1e-12);
    }

    #[test]
    fn repeats_widen_the_interval() {
        let repeated: Vec<u64> = (0..100).map(|index| index % 10).collect();
        let effective = duplicates(&repeated).effective;
        assert_eq!(wilson_effective(0.6, effective, 0.95), wilson(6.0, 10, 0.95));
    }
}

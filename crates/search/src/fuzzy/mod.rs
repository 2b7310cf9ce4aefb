//! Fuzzy evaluation of actions (paper 000, sections 6 to 8): the degree to which an action belongs to the fuzzy set of
//! good actions, learned from labelled actions. For any game with action features.
//!
//! - `memberships`: learning, and lookup of known and unknown vectors;
//! - `table`: the learned table as CSV;
//! - `sheet`: CSV with the location of every field, for errors;
//! - `judgement`: the evaluation used when a search expands a node.

mod judgement;
mod memberships;
mod sheet;
mod table;
#[cfg(test)]
mod tests;

pub use judgement::FuzzyJudgement;
pub use memberships::{Known, LABELS, Memberships, Sample};
pub use sheet::{Field, Sheet};

//! Fuzzy evaluation of actions (paper 000, sections 6 to 8): how far an action belongs to the fuzzy set of good actions, as
//! learned from actions that somebody labelled. For any game that tells features of its actions.
//!
//! - `memberships`: learning, and asking for vectors that were seen and for those that were not;
//! - `table`: the learned table as CSV;
//! - `sheet`: CSV with the place of every field, for errors;
//! - `judgement`: what a search asks where it expands a node.

mod judgement;
mod memberships;
mod sheet;
mod table;
#[cfg(test)]
mod tests;

pub use judgement::FuzzyJudgement;
pub use memberships::{Known, LABELS, Memberships, Sample};
pub use sheet::{Field, Sheet};

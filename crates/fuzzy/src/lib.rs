//! Membership tables of fuzzy evaluation (paper 000, sections 6 to 8): the degree to which an action belongs to the
//! fuzzy set of good actions, learned from labelled vectors of action features.
//!
//! - `memberships`: learning, and lookup of known and unknown vectors;
//! - `table`: the learned table as CSV;
//! - `sheet`: CSV with the location of every field, for errors.
//!
//! A search reads memberships through `tesuji-search`; labels are kept by the arena.

mod memberships;
mod sheet;
mod table;
#[cfg(test)]
mod tests;

pub use memberships::{Known, LABELS, Memberships, Sample};
pub use sheet::{Field, Sheet};

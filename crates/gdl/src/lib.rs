//! Games whose rules arrive as text in the Game Description Language (GDL-I, with the role `random` of GDL-II).
//!
//! A text goes through these rooms, in this order: `kif` (parentheses and words) → `rules` (clauses in a normal form) →
//! an engine. This crate knows no agent and no native game.

mod symbols;
mod kif;
mod terms;
mod rules;
mod normal;
mod ground;
mod grounder;
mod network;
mod machine;
mod lanes;

pub use ground::{Goal, Ground, GroundRules, Signal};
pub use grounder::{Grounding, GroundingLimits, Limit, Statistics, TooLarge, ground};
pub use kif::{Expression, Place};
pub use lanes::{Lanes, Tally};
pub use machine::Machine;
pub use network::{Network, Size};
pub use rules::{Atom, Literal, Rule, Sheet, Term};
pub use symbols::{Symbol, Symbols, keyword};
pub use terms::{GroundTerm, Terms};

//! Games whose rules arrive as text in the Game Description Language (GDL-I, with the role `random` of GDL-II).
//!
//! A text goes through these rooms, in this order: `kif` (parentheses and words) → `rules` (clauses in a normal form) →
//! an engine. This crate knows no agent and no native game.

mod symbols;
mod kif;
mod terms;
mod rules;
mod normal;

pub mod referee;
mod trace;

mod ground;
mod grounder;

mod network;

pub use ground::{Goal, Ground, GroundRules, Signal};
pub use grounder::{Grounding, GroundingLimits, Limit, Statistics, TooLarge, ground};
pub use kif::{Expression, Place};
pub use network::{Network, Size};
pub use referee::{Referee, View};
pub use rules::{Atom, Literal, Rule, Sheet, Term};
pub use symbols::{Symbol, Symbols, keyword};
pub use terms::{GroundTerm, Terms};
pub use trace::{Trace, TracedState};

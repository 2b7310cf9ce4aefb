//! Games whose rules arrive as text in the Game Description Language (GDL-I, with the role `random` of GDL-II).
//!
//! A text goes through these rooms, in this order: `kif` (parentheses and words) → `rules` (clauses in a normal form) →
//! perhaps `validate` (what is wrong with them) → an engine: `interpreter`, which follows the rules as they are written; or `grounder` (rules without variables) →
//! `network` (gates) → `machine` (one match at a time) and `lanes` (many at once). `game` makes any of them a game of
//! the catalogue; `referee` lets them be compared. This crate knows no agent and no native game.

mod symbols;
mod kif;
mod terms;
mod rules;
mod normal;

pub mod interpreter;
pub mod validate;

mod ground;
mod grounder;
mod network;
mod machine;
mod lanes;

mod game;
pub mod referee;
mod trace;

pub use game::{ENTRY, EngineKind, Gdl, MAX_STEPS, Move, Options, SHEETS, State};
pub use ground::{Goal, Ground, GroundRules, Signal};
pub use grounder::{Grounding, GroundingLimits, Limit, Statistics, TooLarge, ground};
pub use interpreter::Interpreter;
pub use kif::{Expression, Place};
pub use lanes::{Lane, Lanes, Tally};
pub use machine::Machine;
pub use network::{Network, Size};
pub use referee::{Referee, View};
pub use rules::{Atom, Literal, Rule, Sheet, Term};
pub use symbols::{Symbol, Symbols, keyword, place_of};
pub use terms::{GroundTerm, Terms};
pub use trace::{Trace, TracedState};

//! Exact solutions: of games in which players act one at a time ([`Solved`]), of games in which two act at once
//! ([`simultaneous`]), and of matrix games ([`matrix`]).
//!
//! Everything here works on any [`Game`](tesuji_core::Game) and names none. Agents use these solvers for small endgames
//! and tables of estimates; tests use them as the truth.

mod exact;
pub mod matrix;
mod root_exploitability;
pub mod simultaneous;

pub use exact::{Fraction, Solved, Value};
pub use root_exploitability::{RootExploitability, root_exploitability};

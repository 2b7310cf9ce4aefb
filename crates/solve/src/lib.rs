//! Exact solutions: of games in which players act one at a time ([`Solved`]), of games in which two act at once
//! ([`simultaneous`]), and of matrix games ([`matrix`]). And the exploitability of strategies, in one state
//! ([`root_exploitability`]) or in a whole game ([`exploitability`] on a [`GameGraph`]).
//!
//! Everything here works on any [`Game`](tesuji_core::Game) and names none. Agents use these solvers for small endgames
//! and tables of estimates; tests use them as the truth.

mod exact;
mod exploitability;
mod game_graph;
pub mod matrix;
mod root_exploitability;
pub mod simultaneous;

pub use exact::{Fraction, Solved, Value};
pub use exploitability::{Exploitability, Strategies, equilibrium, exploitability};
pub use game_graph::{Branch, GameGraph, GraphFault, GraphNode, MOST_JOINT_ACTIONS};
pub use root_exploitability::{RootExploitability, root_exploitability};

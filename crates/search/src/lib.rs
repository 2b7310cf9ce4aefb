//! Agents: who chooses, for how much thought, and what they saw.
//!
//! Everything here works on any [`Game`](tesuji_core::Game); no game is named. What a game knows of good play reaches an
//! agent through [`Knowledge`](tesuji_core::Knowledge), by name.

mod agent;
mod budget;

pub use agent::{Agent, Candidate, Decision, Seat, Thought, Watcher};
pub use budget::{Budget, Meter};

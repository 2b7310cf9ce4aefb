//! Plays one match: who acts, chance, joint choices, people and agents, clocks, failures, undo, watchers.
//!
//! [`Match`] is a state machine. It does nothing by itself: its owner asks what it is [`waiting`](Match::waiting) for,
//! submits the choices of people, lets agents think and lets chance draw. Series, experiments, the lab, the command
//! line and the referees of other protocols all drive this one machine.
//!
//! [`guard`] is the only place that catches panics. An agent that panics loses its match, and only that match.
//!
//! This crate knows nothing about notation, names of games and agents, statistics over many matches, or files.

mod agent;
mod budget;
mod kind;
mod guard;
mod streams;
mod agents;
mod refusal;
mod standing;
mod observer;
mod machine;
mod agents_play;
mod thinker;
mod registry;
pub mod belief;
#[cfg(test)]
mod tests;

pub use agent::{Agent, Candidate, Decision, Failure, Seat, Thought, Watcher};
pub use agents::{DecisionRecord, Seated, ask, ask_afresh};
pub use budget::{Budget, Limit, Meter, parse_time};
pub use guard::{guard, guarding};
pub use kind::{AgentKind, Preset, Trust, can_ever_play, refusal, refuse_features};
pub use machine::Match;
pub use observer::StepObserver;
pub use refusal::Refusal;
pub use registry::Registry;
pub use standing::{Ending, Waiting};
pub use streams::Streams;
pub use thinker::{Task, Thinker};

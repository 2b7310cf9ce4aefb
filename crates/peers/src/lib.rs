//! Protocols for other programs: players, referees, servers and engines.
//!
//! [`ggp`] is general game playing over HTTP, [`tubstap`] the network game of the TUBSTAP platform, [`engine`] the
//! project's own protocol for any engine and any game over standard input and output. Treat every outside program as if
//! it could hang, crash or misbehave: its input is bounded, its faults are reported, and nobody else is affected.
//!
//! This crate has no rules and no search: it uses the arena. It prints nothing and parses no arguments.

mod slot;
mod server;
mod recorder;
pub mod engine;
pub mod ggp;
pub mod tubstap;

pub use recorder::{Contest, Recorder, Side};

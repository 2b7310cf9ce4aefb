//! Outside peers: the protocols that other programs speak, from both ends.
//!
//! [`ggp`] is general game playing over HTTP, [`tubstap`] the network game of the TUBSTAP platform, [`engine`] the project's own
//! protocol for any engine and any game over standard input and output. Peers may be silent, slow, dead or hostile: what they send is
//! bounded, what they cost is told, and nobody else notices.
//!
//! This crate knows no rule and no search: it asks the arena. It prints nothing and reads no arguments.

mod slot;
mod server;
mod recorder;
pub mod engine;
pub mod ggp;
pub mod tubstap;

pub use recorder::{Contest, Recorder, Side};

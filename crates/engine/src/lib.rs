//! Programs outside: the messages of the engine protocol, and child processes that speak line by line.
//!
//! `docs/protocols/engine.md` describes the protocol for people who write engines. This crate knows no game and no agent:
//! positions and actions are texts. Whoever starts a [`Program`] decides what its answers mean and what its silence costs.

mod protocol;
mod command;
mod lines;
mod children;
mod program;

pub use children::end_all;
pub use command::split_command;
pub use lines::{LineReader, LineTrouble, LongestLine};
pub use program::{Heard, Program};
pub use protocol::{Analysis, Answer, CandidateMessage, Limits, Order, PROTOCOL, read_answer, read_order, write};

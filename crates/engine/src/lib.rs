//! External programs: the messages of the engine protocol, and child processes that communicate in lines.
//!
//! `docs/protocols/engine.md` describes the protocol for authors of engines. This crate knows no game and no agent:
//! positions and actions are texts. The owner of a [`Program`] decides what its answers mean and what happens if it
//! does not answer.

mod protocol;
mod command;
mod lines;
mod guardian;
mod children;
mod program;
mod kept;
mod fingerprint;

pub use children::end_all;
pub use command::{find, split_command};
pub use fingerprint::Files;
pub use guardian::guard_programs;
pub use kept::{Kept, keep_programs};
pub use lines::{LineReader, LineTrouble, LongestLine};
pub use program::{Heard, Program};
pub use protocol::{Analysis, Answer, CandidateMessage, Limits, Order, PROTOCOL, read_answer, read_order, write};

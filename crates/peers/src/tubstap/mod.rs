//! The network protocol of the TUBSTAP platform: a client for the original server, and a server for the original
//! clients and ours.
//!
//! The server is the referee. It sends a command on a line that ends in CR LF; the client answers `= text` and an empty
//! line. An action is the list of fields used in records. `docs/protocols/tubstap.md` describes what is accepted and
//! what is decided here.

mod wire;
mod client;
mod results;
mod server;

pub use client::{ClientPlan, ClientResult, play};
pub use results::{ClientFigures, ServedMatch, ServerEvent, ServerResult};
pub use server::{ServerPlan, TubstapServer};

//! `tesuji mcp`: a Model Context Protocol server, so that language models and their programs play as clients.
//!
//! The protocol itself is the crate `rmcp`. This crate gives it tools: list games, read rules, start a match, see the
//! board, act, ask an agent for analysis, replay, statistics. `calls` does what a tool asks for, in JSON; it does not
//! know how clients are connected. `server` connects it to standard input and output, or to HTTP on loopback.
//!
//! Hidden information stays hidden: choices of a step are shown to nobody until all have chosen, agents analyse the
//! position without them, and a seed is not shown while its match is played. Acts are read strictly: an action counts
//! only if it is a legal one letter by letter.

mod calls;
mod hall;
mod permitted;
mod position;
mod server;
mod tools;

use tesuji_arena::Catalogue;

pub use calls::Calls;
pub use server::{serve_http, serve_stdio};

/// What a server offers.
#[derive(Clone)]
pub struct McpOptions {
    /// The games and agents.
    pub catalogue: Catalogue,
    /// Whether legal actions are never listed.
    pub withhold_legal: bool,
    /// Whether agents analyse positions for clients.
    pub analysis: bool,
    /// Whether clients may name files of this machine: rule sheets, maps, networks.
    pub files: bool,
    /// The longest an agent may think about a decision, in seconds.
    pub seconds: f64,
}

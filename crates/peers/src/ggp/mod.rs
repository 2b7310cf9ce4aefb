//! The protocol of general game playing, both ends: a player for other people's servers, and a referee for other people's
//! players.
//!
//! A player is a small HTTP server; whoever runs a match sends it the rules (START) and asks for move after move (PLAY). The facts
//! were taken from the behaviour of GGP-Base, which public servers run. `docs/protocols/ggp.md` describes what is understood
//! and what is decided here.

mod message;
mod http;
mod thinker;
mod follower;
mod player;
mod results;
mod referee;

pub use message::Request;
pub use player::{Log, PlayerOptions, PlayerServer};
pub use referee::{RefereePlan, referee};
pub use results::{GgpMatch, MatchEvent, PlayerFigures, PlayerSource, RefereeResult, Trouble};

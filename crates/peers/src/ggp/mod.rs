//! The general game playing (GGP) protocol: a player for external servers, and a referee for external players.
//!
//! A player is a small HTTP server. The program that runs a match sends it the rules (START) and requests one move
//! after another (PLAY). The details follow the behaviour of GGP-Base, which public servers run.
//! `docs/protocols/ggp.md` describes what is accepted and what is decided here.

mod message;
mod news;
mod http;
mod thinker;
mod follower;
mod player;
mod results;
mod referee;
mod scramble;
mod match_json;

pub use match_json::{MatchJson, MatchLabel};
pub use message::{Learned, Request};
pub use player::{Log, PlayerOptions, PlayerServer};
pub use referee::{RefereePlan, referee};
pub use results::{GgpMatch, MatchEvent, PlayerFigures, PlayerSource, RefereeResult, Trouble};
pub use scramble::Scramble;

//! One module a command.

pub mod agents;
pub mod bench;
pub mod demo;
pub mod games;
pub mod laws;
pub mod perft;
pub mod play;
pub mod replay;
pub mod series;
pub mod show;

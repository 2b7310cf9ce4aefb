//! One module a command.

pub(crate) mod agents;
pub(crate) mod bench;
pub(crate) mod compare;
pub(crate) mod demo;
pub(crate) mod engine;
pub(crate) mod export;
pub(crate) mod fuzzy;
#[cfg(feature = "queue")]
pub(crate) mod gather;
pub(crate) mod games;
pub(crate) mod exploit;
pub(crate) mod exploitability;
pub(crate) mod gdl;
pub(crate) mod ggp;
pub(crate) mod lab;
pub(crate) mod laws;
#[cfg(not(all(feature = "mcp", feature = "queue")))]
mod left_out;
pub(crate) mod limits;
#[cfg(feature = "mcp")]
pub(crate) mod mcp;
pub(crate) mod merge;
pub(crate) mod models;
pub(crate) mod nash;
pub(crate) mod perft;
pub(crate) mod play;
#[cfg(feature = "queue")]
pub(crate) mod queue;
pub(crate) mod rank;
pub(crate) mod regret;
pub(crate) mod replay;
pub(crate) mod report;
pub(crate) mod reproduce;
pub(crate) mod run;
pub(crate) mod sequential;
pub(crate) mod series;
pub(crate) mod shell;
pub(crate) mod show;
pub(crate) mod soak;
pub(crate) mod solve;
pub(crate) mod store;
pub(crate) mod train;
pub(crate) mod tubstap;
pub(crate) mod tune;
pub(crate) mod visits;
#[cfg(feature = "queue")]
pub(crate) mod work;

#[cfg(not(feature = "mcp"))]
pub(crate) use left_out::mcp;
#[cfg(not(feature = "queue"))]
pub(crate) use left_out::{gather, queue, work};

//! One module a command.

pub(crate) mod agents;
pub(crate) mod bench;
pub(crate) mod compare;
pub(crate) mod demo;
pub(crate) mod engine;
pub(crate) mod export;
pub(crate) mod fuzzy;
pub(crate) mod games;
pub(crate) mod exploitability;
pub(crate) mod gdl;
pub(crate) mod ggp;
pub(crate) mod lab;
pub(crate) mod laws;
pub(crate) mod merge;
pub(crate) mod nash;
pub(crate) mod perft;
pub(crate) mod play;
pub(crate) mod replay;
pub(crate) mod report;
pub(crate) mod reproduce;
pub(crate) mod run;
pub(crate) mod series;
pub(crate) mod show;
pub(crate) mod solve;
pub(crate) mod tubstap;
pub(crate) mod visits;

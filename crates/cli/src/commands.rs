//! One module a command.

pub mod agents;
pub mod bench;
pub mod compare;
pub mod demo;
pub mod engine;
pub mod export;
pub mod fuzzy;
pub mod games;
pub mod exploitability;
pub mod gdl;
pub mod ggp;
pub mod lab;
pub mod laws;
pub mod merge;
pub mod nash;
pub mod perft;
pub mod play;
pub mod replay;
pub mod report;
pub mod reproduce;
pub mod run;
pub mod series;
pub mod show;
pub mod solve;
pub mod tubstap;
pub mod visits;

//! The program as people and scripts meet it.

mod cluster;
mod commands;
mod completion;
mod conventions;
mod documents;
mod experiments;
mod fuzzy;
mod gdl;
mod lab;
mod mcp;
mod models;
mod peers;
mod programs;
mod simultaneous;
mod soak;
mod started;
mod stores;
mod training;

//! Fuzz targets for every parser, protocol and store reader of Tesuji.
//!
//! A [`Target`] takes any bytes. It must not panic, hang or break a property, such as "what was written reads back". It
//! returns an outcome in words, usually the error message.
//!
//! - `targets`: the targets, with their seeds;
//! - `mutate`: changes of inputs;
//! - `driver`: the search for inputs that break a target. It runs on stable Rust and has no view of the covered code.
//!   Instead it keeps inputs whose outcome is new, and changes them further;
//! - `panics`: notices panics on any thread.
//!
//! `fuzz/libfuzzer` runs the same targets with libFuzzer, which sees coverage but needs the nightly compiler.

mod driver;
mod mutate;
mod panics;
mod targets;

pub use driver::{Finding, Plan, Report, current_input, fuzz};
pub use targets::{NAMES, Target, target};

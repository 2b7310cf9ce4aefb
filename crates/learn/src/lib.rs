//! Learned evaluations: small networks over a game's sparse features, their files, and training by self-play.
//!
//! A game offers [`ValueFeatures`](tesuji_core::ValueFeatures). A [`Network`] maps the active features of a state to
//! the share of the payoff range that the viewing player can expect, and [`NetworkEvaluation`] makes it an evaluation
//! that any search can use. A [`Training`] plays matches of the network against itself ([`SelfPlay`]) and learns from
//! them by TD(λ).
//!
//! This crate knows no game by name and no search. It reads no files and no clocks: its callers do.

mod arithmetic;
mod container;
mod lineage;
mod network;
mod numbers;
mod file;
mod evaluation;
mod samples;
mod joint;
mod self_play;
mod weights;
mod training;
mod checkpoint;
#[cfg(test)]
mod joint_tests;
#[cfg(test)]
mod tests;

pub use container::rehashed;
pub use evaluation::NetworkEvaluation;
pub use joint::JointTable;
pub use lineage::Lineage;
pub use network::{Network, Shape};
pub use samples::Samples;
pub use self_play::{Exploration, SelfPlay, SelfPlayOf, self_play};
pub use training::{Diverged, Round, Settings, Training};

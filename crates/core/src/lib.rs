//! The vocabulary of Tesuji: who acts next, what they may do, what follows.
//!
//! Chess-like search assumes that players alternate, one action a turn, that no dice fall and that everybody sees the
//! last move. Nothing here does. [`Turn`] says who acts next: one player (perhaps the one who acted last), several at
//! once, or chance. [`Game`] is the rules; [`Notation`], [`Drawing`] and [`Knowledge`] are what a game may offer beside
//! them to people and to search.
//!
//! This crate knows no game and no agent. Everything random takes an [`Rng`]; nothing here reads a clock.

mod player;
mod turn;
mod features;
mod spec;
mod game;
mod history;
mod rng;
mod playout;
mod batch;
pub mod cancel;
mod perft;
mod heuristics;
mod tactics;
mod solver_hints;
mod action_features;
mod knowledge;
mod notation;
pub mod drawing;
mod text_picture;
mod error;
mod address;
mod entry;
pub mod laws;

pub use action_features::ActionFeatures;
pub use address::{Address, Arguments, Data, Names, Parameter, ReadFile, looks_like_a_path, nearest};
pub use batch::{BatchPlayouts, OneByOne};
pub use drawing::{Area, AreaId, Drawing, Note, Picture};
pub use entry::Entry;
pub use error::{InputError, Source};
pub use features::Features;
pub use game::{Game, IllegalAction, legal_actions, step};
pub use heuristics::{ActionEvaluation, Evaluation, Heuristics, Successor, Successors, Visit};
pub use history::History;
pub use knowledge::{Capabilities, Knowledge, Named};
pub use notation::Notation;
pub use perft::{perft, perft_table};
pub use player::{Player, Players};
pub use playout::{Horizon, Policy, Uniform, Walker, walk};
pub use rng::{Rng, mix};
pub use solver_hints::{Clock, Fingerprint, SolverHints};
pub use spec::Spec;
pub use tactics::{Attacks, Tactics};
pub use turn::{Actor, Turn};

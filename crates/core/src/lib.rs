//! The vocabulary of Tesuji: who acts next, which actions are legal and what follows from them.
//!
//! Chess-like search assumes that players alternate, take one action per turn, throw no dice and see every move. Tesuji
//! assumes none of that. [`Turn`] says who acts next: one player (perhaps the one who acted last), several at once, or
//! chance. [`Game`] is the rules. [`Notation`], [`Drawing`] and [`Knowledge`] are what a game offers besides them, to
//! people and to search.
//!
//! This crate knows no specific game and no agent. Everything random takes an [`Rng`]; nothing reads a clock.

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
pub mod files;
mod perft;
mod heuristics;
mod tactics;
mod solver_hints;
mod action_features;
mod value_features;
mod action_index;
mod observation;
mod perception;
mod knowledge;
mod notation;
pub mod drawing;
mod text_picture;
mod error;
mod address;
mod entry;
pub mod laws;
pub mod tiny_games;

pub use action_features::ActionFeatures;
pub use action_index::{ActionField, ActionIndex, action_count, field_number, field_values};
pub use address::{
    Address, Arguments, Data, Names, Parameter, ReadFile, did_you_mean, looks_like_a_path, near, nearest,
};
pub use batch::{BatchPlayouts, CountingPlayouts, OneByOne, TakenAction};
pub use drawing::{Area, AreaId, Drawing, Note, Phrase, Picture};
pub use entry::Entry;
pub use error::{ErrorKind, InputError, Source};
pub use features::Features;
pub use game::{Game, IllegalAction, final_shares, legal_actions, mean_over_chance, step};
pub use heuristics::{ActionEvaluation, Evaluation, Heuristics, Successor, Successors, Visit};
pub use history::History;
pub use knowledge::{Capabilities, Knowledge, Named};
pub use notation::Notation;
pub use observation::{Observation, ObservationLayout, Planes};
pub use perception::{Percept, Perception};
pub use perft::{perft, perft_table};
pub use player::{Player, Players};
pub use playout::{Horizon, Policy, Uniform, Walker, walk};
pub use rng::{Rng, mix};
pub use solver_hints::{Clock, Fingerprint, SolverHints};
pub use spec::Spec;
pub use tactics::{Attacks, Tactics};
pub use turn::{Actor, Turn};
pub use value_features::{FeatureSet, ValueFeatures};

//! The native games. Each module holds one game or one family: its rules, notation, drawing and what it knows of good play.
//!
//! This crate knows no agent. A game is found by its [`Entry`](tesuji_core::Entry); the catalogue of the arena lists them.

mod bits;
mod grid_text;
#[cfg(test)]
mod zero_sum;

pub mod breakthrough;
pub mod connect_four;
pub mod dice;
pub mod einstein;
pub mod goofspiel;
pub mod matrix;
pub mod mineering;
pub mod oshi_zumo;
pub mod pig;
pub mod rps_cards;
pub mod tic_tac_toe;
pub mod tree;

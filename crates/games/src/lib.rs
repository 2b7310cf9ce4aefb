//! The native games: one module for each game or family, with its rules, notation, drawing and heuristics.
//!
//! This crate knows no agent. Each game has an [`Entry`](tesuji_core::Entry), and the catalogue lists them.

mod bits;
mod grid_text;
mod networks;
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
pub mod tubstap;

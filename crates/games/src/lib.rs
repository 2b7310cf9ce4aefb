//! The native games. Each module holds one game or one family: its rules, notation, drawing and what it knows of good play.
//!
//! This crate knows no agent. A game is found by its [`Entry`](tesuji_core::Entry); the catalogue of the arena lists them.

mod bits;
pub mod tic_tac_toe;
pub mod tubstap;

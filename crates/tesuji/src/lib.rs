//! Tesuji as a library: the whole program for any catalogue of games and agents.
//!
//! [`run`] is the command line, the lab, tournaments, laws and solvers. A program with games or agents of its own calls
//! it with a [`Catalogue`] made by [`builder`]; `examples/own-game` is such a program.
//!
//! ```no_run
//! use std::process::ExitCode;
//!
//! fn main() -> ExitCode {
//!     tesuji::run(tesuji::catalogue())
//! }
//! ```

pub use tesuji_arena::{Catalogue, InputError};
pub use tesuji_cli::run;
pub use tesuji_standard::{builder, catalogue};

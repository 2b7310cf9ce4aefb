//! The laws of [`tesuji_core::laws`], compiled for each standard game.
//!
//! The laws are a lot of code that runs seldom. They are a crate of their own so that they can be compiled with little
//! optimisation (`Cargo.toml` of the workspace), while the code that every match needs is optimised in full.

use tesuji_catalogue::standard_games;

/// Makes a function for each standard game.
macro_rules! compiled_laws {
    ($($line:ident: $game:ty = $entry:path),* $(,)?) => {
        /// The check of the laws for each standard game.
        pub mod laws {
            use tesuji_core::laws::{Report, Violation, check};
            $(
                /// Checks the laws on random matches of this game.
                #[inline(never)]
                pub fn $line(game: &$game, seed: u64) -> Result<Report, Violation> {
                    check(game, seed)
                }
            )*
        }
    };
}

standard_games!(compiled_laws);

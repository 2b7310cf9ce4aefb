//! Options of `tesuji completions` and `man`.

use std::path::PathBuf;

use clap::Args;
use clap::builder::PossibleValuesParser;

/// Options of `completions`.
#[derive(Args)]
pub(crate) struct CompletionsOptions {
    /// The shell.
    #[arg(value_parser = PossibleValuesParser::new(SHELLS))]
    pub shell: String,
}

/// The shells that complete commands.
pub(crate) const SHELLS: [&str; 5] = ["bash", "zsh", "fish", "powershell", "elvish"];

/// Options of `man`.
#[derive(Args)]
pub(crate) struct ManOptions {
    /// The folder; created if absent.
    #[arg(value_name = "FOLDER")]
    pub folder: PathBuf,
}

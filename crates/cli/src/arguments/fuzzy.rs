//! What may be written after `tesuji fuzzy`.

use std::path::PathBuf;

use clap::{ArgGroup, Args, Subcommand};

/// Options of `fuzzy`.
#[derive(Args)]
pub struct FuzzyOptions {
    /// What to do.
    #[command(subcommand)]
    pub command: FuzzyCommand,
}

/// What can be done with labelled actions and what is learned from them.
#[derive(Subcommand)]
pub enum FuzzyCommand {
    /// Let a strong agent play against another and label both sides' actions.
    Label(FuzzyLabelOptions),
    /// Learn a table of memberships from labels.
    Learn(FuzzyLearnOptions),
    /// Print a table of memberships, or draw it over two features.
    Show(FuzzyShowOptions),
    /// Deal the memberships of a table out anew at random: the control of paper 000, section 7.5.
    Shuffle(FuzzyShuffleOptions),
    /// Bring labels in CSV into a store.
    Import(FuzzyImportOptions),
    /// Write the labels of a store as CSV.
    Export(FuzzyExportOptions),
}

/// Options of `fuzzy label`.
#[derive(Args)]
#[command(group(ArgGroup::new("place").required(true).args(["to", "store"])))]
pub struct FuzzyLabelOptions {
    /// The game.
    pub game: String,
    /// Whose actions are labelled.
    #[arg(long, default_value = "unit-uct-10")]
    pub opponent: String,
    /// Who labels; its own actions count as good.
    #[arg(long, default_value = "unit-uct-10-sound(playouts=20000)")]
    pub judge: String,
    /// How many labels; matches are played until there are enough.
    #[arg(long, default_value_t = 440, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub labels: u32,
    /// An action that loses at most this share of what is at stake is good.
    #[arg(long, default_value_t = 0.02, value_parser = share)]
    pub near: f64,
    /// An action that loses at least this share is bad; between the two nobody can tell.
    #[arg(long, default_value_t = 0.06, value_parser = share)]
    pub clear: f64,
    /// Fixes everything random.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// What a decision may cost agents that carry no budget of their own.
    #[arg(long, default_value = "2000")]
    pub budget: String,
    /// Threads; all cores if absent. The labels do not depend on it.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Write the labels to this file, as CSV.
    #[arg(long, value_name = "FILE")]
    pub to: Option<PathBuf>,
    /// Keep the labels in this store.
    #[arg(long, value_name = "STORE")]
    pub store: Option<PathBuf>,
}

fn share(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err("expected a share from 0 to 1".to_owned()),
    }
}

/// Options of `fuzzy learn`.
#[derive(Args)]
pub struct FuzzyLearnOptions {
    /// A store, or labels in CSV.
    pub from: PathBuf,
    /// Where the table goes.
    #[arg(long, value_name = "FILE")]
    pub to: PathBuf,
    /// Learn from the first labels only.
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..))]
    pub first: Option<u32>,
    /// From a store: only the labels of this game.
    #[arg(long, value_name = "GAME")]
    pub game: Option<String>,
}

/// Options of `fuzzy show`.
#[derive(Args)]
pub struct FuzzyShowOptions {
    /// The table: a file, or the name of one that the game offers.
    pub table: String,
    /// The game whose tables are meant by name.
    #[arg(long, default_value = "tubstap")]
    pub game: String,
    /// Draw the memberships over two features into this file.
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// The feature that goes across; the last one if absent.
    #[arg(long, value_name = "FEATURE")]
    pub across: Option<String>,
    /// The feature that goes up; the first one if absent.
    #[arg(long, value_name = "FEATURE")]
    pub up: Option<String>,
}

/// Options of `fuzzy shuffle`.
#[derive(Args)]
pub struct FuzzyShuffleOptions {
    /// The table: a file, or the name of one that the game offers.
    pub table: String,
    /// The game whose tables are meant by name.
    #[arg(long, default_value = "tubstap")]
    pub game: String,
    /// Where the new table goes.
    #[arg(long, value_name = "FILE")]
    pub to: PathBuf,
    /// Fixes the order.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

/// Options of `fuzzy import`.
#[derive(Args)]
pub struct FuzzyImportOptions {
    /// The store; made if it is not there.
    pub store: PathBuf,
    /// The labels. If one of them is wrong, none is taken.
    pub file: PathBuf,
}

/// Options of `fuzzy export`.
#[derive(Args)]
pub struct FuzzyExportOptions {
    /// The store.
    pub store: PathBuf,
    /// Write to this file instead of printing.
    #[arg(long, value_name = "FILE")]
    pub to: Option<PathBuf>,
    /// Only the labels of this game.
    #[arg(long, value_name = "GAME")]
    pub game: Option<String>,
}

//! Options of `tesuji fuzzy`.

use std::path::PathBuf;

use clap::{ArgGroup, Args, Subcommand};

use super::TableOptions;

/// Options of `fuzzy`.
#[derive(Args)]
pub(crate) struct FuzzyOptions {
    /// The command.
    #[command(subcommand)]
    pub command: FuzzyCommand,
}

/// Commands for labelled actions and the tables learned from them.
#[derive(Subcommand)]
pub(crate) enum FuzzyCommand {
    /// Let a strong agent play against another and label the actions of both sides.
    ///
    /// Example: `tesuji fuzzy label 'tubstap(map=meadow)' --to labels.csv`
    Label(FuzzyLabelOptions),
    /// Learn a membership table from labels.
    ///
    /// Example: `tesuji fuzzy learn labels.csv --to table.csv`
    Learn(FuzzyLearnOptions),
    /// Print a membership table, or draw it over two features.
    ///
    /// Example: `tesuji fuzzy show table.csv --svg table.svg`
    Show(FuzzyShowOptions),
    /// Shuffle the memberships of a table: the control of paper 000, section 7.5.
    Shuffle(FuzzyShuffleOptions),
    /// Import labels from CSV into a store.
    Import(FuzzyImportOptions),
    /// Export the labels of a store as CSV.
    Export(FuzzyExportOptions),
}

/// Options of `fuzzy label`.
#[derive(Args)]
#[command(group(ArgGroup::new("place").required(true).args(["to", "store"])))]
pub(crate) struct FuzzyLabelOptions {
    /// The game.
    pub game: String,
    /// The agent whose actions are labelled.
    #[arg(long, default_value = "unit-uct-10")]
    pub opponent: String,
    /// The agent that labels; its own actions count as good.
    #[arg(long, default_value = "unit-uct-10-sound(playouts=20000)")]
    pub judge: String,
    /// The number of labels; matches are played until there are enough.
    #[arg(long, default_value_t = 440, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub labels: u32,
    /// An action that loses at most this fraction of the payoff range is good.
    #[arg(long, default_value_t = 0.02, value_parser = share)]
    pub near: f64,
    /// An action that loses at least this fraction is bad; in between it is labelled as undecided.
    #[arg(long, default_value_t = 0.06, value_parser = share)]
    pub clear: f64,
    /// The seed of all randomness.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// The budget per decision of agents without their own.
    #[arg(long, default_value = "2000")]
    pub budget: String,
    /// Write the labels to this file, as CSV.
    #[arg(long, value_name = "FILE")]
    pub to: Option<PathBuf>,
    /// Store the labels in this store.
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
pub(crate) struct FuzzyLearnOptions {
    /// A store, or labels in CSV.
    pub from: PathBuf,
    /// The file for the table.
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
pub(crate) struct FuzzyShowOptions {
    /// The table: a file, or the name of one of the game's tables.
    pub table: String,
    /// The game to which table names refer.
    #[arg(long, default_value = "tubstap")]
    pub game: String,
    /// Draw the memberships over two features into this file.
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// The horizontal feature; the last one if absent.
    #[arg(long, value_name = "FEATURE")]
    pub across: Option<String>,
    /// The vertical feature; the first one if absent.
    #[arg(long, value_name = "FEATURE")]
    pub up: Option<String>,
    /// The form of the table.
    #[command(flatten)]
    pub form: TableOptions,
}

/// Options of `fuzzy shuffle`.
#[derive(Args)]
pub(crate) struct FuzzyShuffleOptions {
    /// The table: a file, or the name of one of the game's tables.
    pub table: String,
    /// The game to which table names refer.
    #[arg(long, default_value = "tubstap")]
    pub game: String,
    /// The file for the new table.
    #[arg(long, value_name = "FILE")]
    pub to: PathBuf,
    /// The seed of the shuffle.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

/// Options of `fuzzy import`.
#[derive(Args)]
pub(crate) struct FuzzyImportOptions {
    /// The store; created if absent.
    pub store: PathBuf,
    /// The CSV file of labels. If one of them is wrong, none is imported.
    pub file: PathBuf,
}

/// Options of `fuzzy export`.
#[derive(Args)]
pub(crate) struct FuzzyExportOptions {
    /// The store.
    pub store: PathBuf,
    /// Write to this file instead of printing.
    #[arg(long, value_name = "FILE")]
    pub to: Option<PathBuf>,
    /// Only the labels of this game.
    #[arg(long, value_name = "GAME")]
    pub game: Option<String>,
}

//! Options of the commands that run experiments, and of those that read their stores.

use std::path::PathBuf;

use clap::Args;

use super::{QueueRunOptions, TableOptions};

/// Options of `run`.
#[derive(Args)]
pub(crate) struct RunOptions {
    /// The TOML file of the experiment.
    pub file: PathBuf,
    /// How to run it.
    #[command(flatten)]
    pub how: HowToRun,
}

/// Options of `run` and `reproduce`.
#[derive(Args)]
pub(crate) struct HowToRun {
    /// The store for the matches; `results/NAME-SCALE.db` if absent.
    #[arg(long, value_name = "PATH")]
    pub store: Option<PathBuf>,
    /// Play only part I of N, counted from 1: `1/2` and `2/2` on two machines, then `merge`.
    #[arg(long, value_name = "I/N", value_parser = shard)]
    pub shard: Option<(u64, u64)>,
    /// The size: the file's `quick` or `full` scale.
    #[arg(long, value_enum, default_value_t = ScaleChoice::Full)]
    pub scale: ScaleChoice,
    /// Add the times of decisions, which depend on the machine.
    #[arg(long)]
    pub timings: bool,
    /// The form of the table.
    #[command(flatten)]
    pub table: TableOptions,
    /// How to let other machines play.
    #[command(flatten)]
    pub queue: QueueRunOptions,
}

/// A scale by name.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum ScaleChoice {
    /// About a minute.
    Quick,
    /// As published.
    Full,
}

fn shard(text: &str) -> Result<(u64, u64), String> {
    let parts =
        text.split_once('/').and_then(|(index, count)| Some((index.parse::<u64>().ok()?, count.parse::<u64>().ok()?)));
    match parts {
        Some((index, count)) if (1..=count).contains(&index) => Ok((index - 1, count)),
        _ => Err("expected a part such as 1/2: from 1 up to the number of parts".to_owned()),
    }
}

/// Options of `reproduce`.
#[derive(Args)]
pub(crate) struct ReproduceOptions {
    /// The table, such as `002/table3`; lists all if absent.
    pub id: Option<String>,
    /// The same as `--scale quick`.
    #[arg(long)]
    pub quick: bool,
    /// How to run it.
    #[command(flatten)]
    pub how: HowToRun,
}

/// Options of `report`.
#[derive(Args)]
pub(crate) struct ReportOptions {
    /// The stores.
    #[arg(required = true, value_name = "STORE")]
    pub stores: Vec<PathBuf>,
    /// Write a self-contained web page with plots to this file.
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Write Markdown to this file instead of printing it.
    #[arg(long, value_name = "FILE")]
    pub markdown: Option<PathBuf>,
    /// Begin the Markdown with the text of this file instead of a title.
    #[arg(long, value_name = "FILE")]
    pub intro: Option<PathBuf>,
    /// Add the times of decisions.
    #[arg(long)]
    pub timings: bool,
}

/// Options of `merge`.
#[derive(Args)]
pub(crate) struct MergeOptions {
    /// The store that receives everything; created if absent.
    pub into: PathBuf,
    /// The stores to read.
    #[arg(required = true, value_name = "STORE")]
    pub parts: Vec<PathBuf>,
}

/// Options of `export`.
#[derive(Args)]
pub(crate) struct ExportOptions {
    /// The store.
    pub store: PathBuf,
    /// Only the match with this number, counted from 1.
    #[arg(long, value_name = "NUMBER")]
    pub number: Option<u64>,
    /// The format: JSON lines; moves as `replay` reads them; or the game's own record (TUBSTAP).
    #[arg(long, value_enum, default_value_t = ExportForm::Json)]
    pub form: ExportForm,
}

/// A format of stored matches.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum ExportForm {
    /// One JSON object per match.
    Json,
    /// One step per line.
    Moves,
    /// The game's own format.
    Record,
}

/// Options of `compare`.
#[derive(Args)]
pub(crate) struct CompareOptions {
    /// The first store.
    pub one: PathBuf,
    /// The second store.
    pub two: PathBuf,
    /// The form of the table.
    #[command(flatten)]
    pub table: TableOptions,
}

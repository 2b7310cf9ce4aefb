//! Options of `tesuji solve`, `exploitability`, `exploit`, `visits` and `nash`: exact solutions, and comparisons of
//! agents with them.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::{TableOptions, seconds};

/// Options of `solve`.
#[derive(Args)]
pub(crate) struct SolveOptions {
    /// The game; with `--table` only the name of a board game, such as `sync-triomineering`.
    #[arg(required_unless_present = "check")]
    pub game: Option<String>,
    /// Solve every board whose rows and columns add up to at most this, and print tables of outcome classes and values.
    #[arg(long, value_name = "SUM", conflicts_with = "state", value_parser = clap::value_parser!(u16).range(2..=129))]
    pub table: Option<u16>,
    /// With `--table`: leave out boards of more cells.
    #[arg(long, value_name = "CELLS", requires = "table", default_value_t = 128,
        value_parser = clap::value_parser!(u16).range(1..=128))]
    pub cells: u16,
    /// With `--table`: leave a board open after this much processor time, and go on with the next: `30s`, `2m`.
    #[arg(long, value_name = "TIME", requires = "table", value_parser = seconds)]
    pub patience: Option<Duration>,
    /// Write a certificate of the value to this file, for games of joint moves: bounds and strategies of every position
    /// that the value rests on.
    #[arg(long, value_name = "FILE", conflicts_with = "table")]
    pub certificate: Option<PathBuf>,
    /// Check a certificate instead of solving a game.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["game", "table", "state", "certificate"])]
    pub check: Option<PathBuf>,
    /// Solve from this state, written as `show` prints it.
    #[arg(long, value_name = "TEXT")]
    pub state: Option<String>,
    /// The most states stored; a larger game is refused. Games with simultaneous moves never use more than 8 GB.
    #[arg(long, default_value_t = 10_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,
    /// The greatest error of the value, for games whose play can return to a state.
    #[arg(long, default_value_t = 1e-9, value_parser = tolerance)]
    pub tolerance: f64,
}

fn tolerance(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(tolerance) if (1e-15..=1.0).contains(&tolerance) => Ok(tolerance),
        _ => Err("expected a number from 1e-15 to 1".to_owned()),
    }
}

/// Options of `exploitability`.
#[derive(Args)]
pub(crate) struct ExploitabilityOptions {
    /// The game: two players, a constant sum, small enough to solve.
    pub game: String,
    /// The agent; may be given several times.
    #[arg(long, required = true, value_name = "AGENT")]
    pub agent: Vec<String>,
    /// Numbers of playouts per decision, one measurement for each.
    #[arg(long, value_delimiter = ',', default_values_t = [100, 1000, 10000],
        value_parser = clap::value_parser!(u64).range(1..))]
    pub playouts: Vec<u64>,
    /// Decisions per measurement and player.
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub repeats: u64,
    /// The seed of all randomness.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Measure in this state, written as `show` prints it.
    #[arg(long, value_name = "TEXT")]
    pub state: Option<String>,
    /// Write a plot of exploitability over playouts to this file.
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// The most states that the exact solution may store.
    #[arg(long, default_value_t = 10_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,
    /// The form of the table.
    #[command(flatten)]
    pub table: TableOptions,
}

/// Options of `exploit`.
#[derive(Args)]
pub(crate) struct ExploitOptions {
    /// The game: any number of players, with or without chance, in which play never returns to a state.
    pub game: String,
    /// The agent; may be given several times.
    #[arg(long, required_unless_present = "equilibrium", value_name = "AGENT")]
    pub agent: Vec<String>,
    /// Numbers of playouts per decision, one measurement for each.
    #[arg(long, value_delimiter = ',', default_values_t = [1000], value_parser = clap::value_parser!(u64).range(1..))]
    pub playouts: Vec<u64>,
    /// Times per decision instead of playouts, one measurement for each: `100ms`.
    #[arg(long, value_delimiter = ',', value_name = "TIME", value_parser = seconds)]
    pub time: Vec<Duration>,
    /// Searches per state and player; the strategy is the mean of their mixes.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub repeats: u64,
    /// The seed of all randomness.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Begin in this state, written as `show` prints it.
    #[arg(long, value_name = "TEXT")]
    pub state: Option<String>,
    /// Also measure the equilibrium that backward induction over all states finds, with its time.
    #[arg(long)]
    pub equilibrium: bool,
    /// Keep the answers in this file, and continue with those that it has.
    #[arg(long, value_name = "FILE")]
    pub keep: Option<PathBuf>,
    /// Write a plot of NashConv over playouts to this file.
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// The most states; a larger game is refused.
    #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    pub nodes: u64,
    /// The form of the table.
    #[command(flatten)]
    pub table: TableOptions,
}

/// Options of `regret`.
#[derive(Args)]
pub(crate) struct RegretOptions {
    /// The game: one player acts at a time, and small enough to solve.
    pub game: String,
    /// The agent; may be given several times.
    #[arg(long, required = true, value_name = "AGENT")]
    pub agent: Vec<String>,
    /// Numbers of playouts per decision, one measurement for each.
    #[arg(long, value_delimiter = ',', default_values_t = [100, 1000, 10000],
        value_parser = clap::value_parser!(u64).range(1..))]
    pub playouts: Vec<u64>,
    /// Positions, one of each of this many random matches; every agent gets the same ones.
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub positions: u64,
    /// The seed of all randomness.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// The most states that the exact solution may store.
    #[arg(long, default_value_t = 10_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,
    /// The form of the table.
    #[command(flatten)]
    pub table: TableOptions,
}

/// Options of `visits`.
#[derive(Args)]
pub(crate) struct VisitsOptions {
    /// The game.
    pub game: String,
    /// The agent; may be given several times.
    #[arg(long, required = true, value_name = "AGENT")]
    pub agent: Vec<String>,
    /// Numbers of playouts per decision, one table for each.
    #[arg(long, value_delimiter = ',', default_values_t = [10000], value_parser = clap::value_parser!(u64).range(1..))]
    pub playouts: Vec<u64>,
    /// Decisions per table; visits are their mean.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub repeats: u64,
    /// The seat for which the agent chooses: its name, or its number counted from 1; the first mover if absent.
    #[arg(long)]
    pub seat: Option<String>,
    /// The seed of all randomness.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Use this state, written as `show` prints it.
    #[arg(long, value_name = "TEXT")]
    pub state: Option<String>,
    /// The form of the table.
    #[command(flatten)]
    pub table: TableOptions,
}

/// Options of `nash`.
#[derive(Args)]
pub(crate) struct NashOptions {
    /// A .toml file with a payoff table, or a bundled one such as `stag-hunt`.
    #[arg(required_unless_present = "bench")]
    pub file: Option<String>,
    /// Measure instead how long random tables of these sizes take on one thread: `20,100`.
    #[arg(long, value_name = "SIZES", value_delimiter = ',', conflicts_with = "file",
        value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub bench: Vec<u16>,
    /// The time per measurement of `--bench`: `1s`, `250ms`; a number is in seconds.
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = seconds)]
    pub seconds: Duration,
    /// The form of the table.
    #[command(flatten)]
    pub table: TableOptions,
}

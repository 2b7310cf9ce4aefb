//! Options of `tesuji train` and `tesuji net`.

use std::path::PathBuf;

use clap::{ArgGroup, Args, Subcommand};

/// Options of `train`.
#[derive(Args)]
#[command(group(ArgGroup::new("limit").args(["hours", "minutes", "matches"])))]
pub(crate) struct TrainOptions {
    /// The game; several addresses, or ranges such as `{1..100}` in one, for a network that serves several games.
    ///
    /// Example: `tesuji train 'tubstap-random(seed={1..500})'`
    #[arg(value_name = "GAME", required_unless_present = "list")]
    pub games: Vec<String>,
    /// List the games that offer features to learn from.
    #[arg(long, conflicts_with_all = ["games", "resume", "out"])]
    pub list: bool,
    /// Train for this many hours in all.
    #[arg(long, value_name = "H", value_parser = positive)]
    pub hours: Option<f64>,
    /// Train for this many minutes in all; 10 if no limit is given.
    #[arg(long, value_name = "M", value_parser = positive)]
    pub minutes: Option<f64>,
    /// Train on this many matches of self-play in all; the result then depends on the seed alone.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub matches: Option<u64>,
    /// The seed.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// The file of the network; the name of the game with the ending `.net` if absent. The checkpoint is beside it.
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Continue from the checkpoint, with its settings and its seed.
    #[arg(long)]
    pub resume: bool,
    /// Measure the network against this agent; may be repeated.
    #[arg(long, value_name = "AGENT", default_value = "uct(playouts=1000)")]
    pub opponent: Vec<String>,
    /// Measure on this game instead of the first one.
    #[arg(long, value_name = "GAME")]
    pub measure_on: Option<String>,
    /// Matches of each measurement; 0 for none.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(0..=100_000))]
    pub measure: u64,
    /// Units of the first layer: a multiple of 32, at most 256.
    #[arg(long, value_name = "N", default_value_t = 64)]
    pub hidden: usize,
    /// Units of the second layer: 16 or 32.
    #[arg(long, value_name = "N", default_value_t = 16)]
    pub second: usize,
    /// λ of TD(λ): how much of a target comes from later in the match, 0 to 1.
    #[arg(long, value_name = "L", default_value_t = 0.7)]
    pub lambda: f64,
    /// The learning rate at the beginning; it falls to a twentieth.
    #[arg(long, value_name = "R", default_value_t = 0.002)]
    pub rate: f64,
    /// The probability of a random action in self-play.
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    pub explore: f64,
    /// Matches begin with up to this many random actions.
    #[arg(long, value_name = "N", default_value_t = 4)]
    pub opening: u32,
}

/// A number above 0.
fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number > 0.0 && number <= 1e6 => Ok(number),
        _ => Err("expected a number above 0".to_owned()),
    }
}

/// Options of `net`.
#[derive(Args)]
pub(crate) struct NetOptions {
    /// The command.
    #[command(subcommand)]
    pub command: NetCommand,
}

/// Commands for network files.
#[derive(Subcommand)]
pub(crate) enum NetCommand {
    /// Describe a network: where it comes from, its size, and the time of an evaluation.
    ///
    /// Example: `tesuji net show einstein.net`
    Show(NetShowOptions),
}

/// Options of `net show`.
#[derive(Args)]
pub(crate) struct NetShowOptions {
    /// The file; with `--game`, also a name of a network that comes with the game.
    #[arg(value_name = "FILE")]
    pub network: String,
    /// The game that the network comes with.
    #[arg(long)]
    pub game: Option<String>,
}

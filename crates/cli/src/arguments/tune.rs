//! Options of `tesuji tune`.

use clap::{Args, value_parser};

/// Options of `tune`.
#[derive(Args)]
pub(crate) struct TuneOptions {
    /// The game.
    pub game: String,
    /// The agent, with the parameters it keeps.
    pub agent: String,
    /// A parameter to tune: values such as `threshold=0|10|20`, or a range of numbers such as `c=0.1..1.5`; may be
    /// repeated.
    #[arg(long, value_name = "NAME=VALUES", required = true)]
    pub over: Vec<String>,
    /// The opponent; the agent as it is given if absent.
    #[arg(long, value_name = "AGENT")]
    pub against: Option<String>,
    /// The budget per decision of agents without their own.
    #[arg(long, default_value = "1000")]
    pub budget: String,
    /// Matches of the search.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = value_parser!(u64).range(1..=10_000_000))]
    pub matches: u64,
    /// The most matches of the final test, on fresh seeds; 0 for none.
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = value_parser!(u64).range(0..=10_000_000))]
    pub confirm: u64,
    /// The game of the final test; the same game if absent.
    #[arg(long, value_name = "GAME")]
    pub confirm_on: Option<String>,
    /// The final test asks whether the agent is this many Elo stronger.
    #[arg(long, value_name = "ELO", default_value_t = 20.0)]
    pub elo: f64,
    /// Fixes everything random.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

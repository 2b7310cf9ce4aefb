//! Options of `tesuji match` and `rank`.

use std::path::PathBuf;

use clap::Args;
use tesuji_arena::statistics::SprtSettings;

use super::TableOptions;

/// Options of `match`.
#[derive(Args)]
pub(crate) struct MatchOptions {
    /// The game.
    pub game: String,
    /// Two agents, or one for each player; the result is from the first one's view.
    #[arg(required = true, value_name = "AGENT")]
    pub agents: Vec<String>,
    /// Matches to play, rounded up so that every agent takes every seat equally often [default: 100; with `--sprt`
    /// at most 20000].
    #[arg(long, value_name = "N", visible_alias = "games")]
    pub matches: Option<u64>,
    /// Let the agents keep the seats in which they are named, instead of taking every seat equally often. For one-sided
    /// positions, where only one side has a goal.
    #[arg(long)]
    pub fixed_seats: bool,
    /// Play until the result is significant: a sequential test (SPRT) of "the first agent is ELO1 stronger" against
    /// "it is ELO0 stronger", in Elo and with error rates of 5 %. It ends the series as soon as one of them is
    /// accepted. `0,10` asks for an improvement; `-10,0` asks that nothing got worse.
    #[arg(long, value_name = "ELO0,ELO1", value_parser = sprt, allow_hyphen_values = true)]
    pub sprt: Option<(f64, f64)>,
    /// What the series is played under.
    #[command(flatten)]
    pub conditions: Conditions,
    /// The form of the table.
    #[command(flatten)]
    pub table: TableOptions,
}

/// Options of `rank`.
#[derive(Args)]
pub(crate) struct RankOptions {
    /// The game, which is the same as a map of a game: `tubstap(map=my.tbsmap)`.
    pub game: String,
    /// The agents, two or more.
    #[arg(required = true, num_args = 2.., value_name = "AGENT")]
    pub agents: Vec<String>,
    /// Matches of each two agents, rounded up so that both take every seat equally often.
    #[arg(long, value_name = "N", visible_alias = "games", default_value_t = 100)]
    pub matches: u64,
    /// What the matches are played under.
    #[command(flatten)]
    pub conditions: Conditions,
    /// The form of the table.
    #[command(flatten)]
    pub table: TableOptions,
}

/// Options of `match` and `rank`.
#[derive(Args)]
pub(crate) struct Conditions {
    /// Fixes everything random.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// The budget per decision of agents without their own: `2000`, `playouts=2000`, `time=100ms`, … [default: 1000].
    #[arg(long)]
    pub budget: Option<String>,
    /// What every agent may spend before the first step of a match: `10s`, `playouts=2000`, ….
    #[arg(long, value_name = "CLOCK")]
    pub start_clock: Option<String>,
    /// The time of each decision, as in general game playing, instead of a budget. An agent that takes a second more
    /// forfeits the match.
    #[arg(long, value_name = "TIME", conflicts_with = "budget")]
    pub play_clock: Option<String>,
    /// Keep the matches in this store, for `report` and `export`; the same command resumes or extends the series.
    #[arg(long, value_name = "PATH")]
    pub store: Option<PathBuf>,
    /// Write the series as an experiment file, for `run`.
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
}

fn sprt(text: &str) -> Result<(f64, f64), String> {
    let parts = text.split_once(',');
    let numbers = parts.and_then(|(elo0, elo1)| Some((elo0.trim().parse().ok()?, elo1.trim().parse().ok()?)));
    match numbers {
        Some((elo0, elo1)) if SprtSettings::new(elo0, elo1).bounds().is_some() => Ok((elo0, elo1)),
        _ => Err("expected two differences in Elo, the smaller one first, such as 0,10".to_owned()),
    }
}

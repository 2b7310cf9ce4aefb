//! What may be written after `tesuji engine`, `engine-check`, `ggp` and `tubstap`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};
use tesuji_arena::Budget;

/// Options of `engine`.
#[derive(Args)]
pub struct EngineOptions {
    /// The agent that plays.
    #[arg(long, default_value = "uct")]
    pub agent: String,
    /// What a decision may cost when an order names no limit.
    #[arg(long, default_value = "1000")]
    pub budget: String,
    /// Tell decisions only, not what is thought on the way.
    #[arg(long)]
    pub quiet: bool,
}

/// Options of `engine-check`.
#[derive(Args)]
pub struct EngineCheckOptions {
    /// The program and its arguments in one text, such as "python3 engine.py"; no shell reads it.
    #[arg(value_name = "COMMAND")]
    pub command: String,
    /// A game to play; may be given several times. Alternating, joint, random and multi-action ones if absent.
    #[arg(long, value_name = "GAME")]
    pub game: Vec<String>,
    /// How long it may take to get ready, and to decide on a budget without time.
    #[arg(long, default_value = "30s", value_parser = duration)]
    pub patience: Duration,
    /// The time of a decision on the clock.
    #[arg(long, default_value = "500ms", value_parser = duration)]
    pub time: Duration,
    /// How much later than its time, or than `stop`, an answer may come.
    #[arg(long, default_value = "1s", value_parser = duration)]
    pub margin: Duration,
    /// Fixes what is random here.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

/// Options of `ggp`.
#[derive(Args)]
pub struct GgpOptions {
    /// Which end.
    #[command(subcommand)]
    pub command: GgpCommand,
}

/// The two ends of general game playing.
#[derive(Subcommand)]
pub enum GgpCommand {
    /// Serve as a player for a game server, until Ctrl-C.
    Player(GgpPlayerOptions),
    /// Run matches between players over HTTP and agents inside.
    Referee(GgpRefereeOptions),
}

/// Options of `ggp player`.
#[derive(Args)]
pub struct GgpPlayerOptions {
    /// The port; 0 takes a free one.
    #[arg(long, default_value_t = 9147)]
    pub port: u16,
    /// The address to listen at; anything but 127.0.0.1 lets others in.
    #[arg(long, default_value = "127.0.0.1")]
    pub host: String,
    /// The agent that plays.
    #[arg(long, default_value = "ggp-uct")]
    pub agent: String,
    /// What it is called.
    #[arg(long, default_value = "tesuji")]
    pub name: String,
    /// How much of every clock is left unused; at most a third of it.
    #[arg(long, default_value = "500ms", value_parser = duration)]
    pub margin: Duration,
    /// A match whose server is silent for longer than its clocks and this is taken for lost when another one starts.
    #[arg(long, default_value = "10s", value_parser = duration)]
    pub silence: Duration,
    /// Fixes what is random in the agent.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

/// Options of `ggp referee`.
#[derive(Args)]
pub struct GgpRefereeOptions {
    /// The rule sheet: a file, or the name of a bundled one.
    pub sheet: String,
    /// A player, HOST:PORT or an agent inside; one for each role. Roles rotate from match to match.
    #[arg(long = "player", value_name = "HOST:PORT|AGENT", required = true, num_args = 1..)]
    pub players: Vec<String>,
    /// Seconds before the first move.
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u64).range(0..=86_400))]
    pub start_clock: u64,
    /// Seconds for each move.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub play_clock: u64,
    /// Matches to play.
    #[arg(long, default_value_t = 1)]
    pub matches: u64,
    /// How much later than the clock an answer may come; public servers wait a second.
    #[arg(long, default_value = "1s", value_parser = duration)]
    pub margin: Duration,
    /// Fixes what is random here: replaced moves, chance, agents inside.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Where matches are kept; `results/ggp-SHEET.db` if absent.
    #[arg(long, value_name = "PATH", conflicts_with = "no_store")]
    pub store: Option<PathBuf>,
    /// Keep no matches.
    #[arg(long)]
    pub no_store: bool,
}

/// Options of `tubstap`.
#[derive(Args)]
pub struct TubstapOptions {
    /// Which end.
    #[command(subcommand)]
    pub command: TubstapCommand,
}

/// The two ends of TUBSTAP's network game.
#[derive(Subcommand)]
pub enum TubstapCommand {
    /// Play at a server of the platform, or ours, until it hangs up.
    Client(TubstapClientOptions),
    /// Referee two clients, colours swapped from match to match.
    Server(TubstapServerOptions),
}

/// Options of `tubstap client`.
#[derive(Args)]
pub struct TubstapClientOptions {
    /// The server.
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:7777")]
    pub connect: String,
    /// The agent that plays.
    #[arg(long, default_value = "uct")]
    pub agent: String,
    /// What it is called; the agent's address if absent.
    #[arg(long)]
    pub name: Option<String>,
    /// The time for a whole turn, shared by its units.
    #[arg(long, default_value = "10s", value_parser = duration)]
    pub turn_time: Duration,
    /// What one action may cost instead of its share of the turn's time.
    #[arg(long)]
    pub budget: Option<String>,
    /// Fixes what is random in the agent.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

/// Options of `tubstap server`.
#[derive(Args)]
pub struct TubstapServerOptions {
    /// The port; 0 takes a free one.
    #[arg(long, default_value_t = 7777)]
    pub port: u16,
    /// The address to listen at; anything but 127.0.0.1 lets others in.
    #[arg(long, default_value = "127.0.0.1")]
    pub host: String,
    /// The map: a `.tbsmap` file, or the name of a bundled one.
    #[arg(long, default_value = "meadow")]
    pub map: String,
    /// Matches to play.
    #[arg(long, default_value_t = 2)]
    pub matches: u64,
    /// The time for a whole turn.
    #[arg(long, default_value = "10s", value_parser = duration)]
    pub turn_time: Duration,
    /// How much longer a turn may take before it counts as overtime.
    #[arg(long, default_value = "500ms", value_parser = duration)]
    pub margin: Duration,
    /// A turn that takes longer loses the match.
    #[arg(long, default_value = "60s", value_parser = duration)]
    pub patience: Duration,
    /// How long clients may take to connect.
    #[arg(long, default_value = "10min", value_parser = duration)]
    pub wait: Duration,
    /// A folder for records, one file a match.
    #[arg(long, value_name = "FOLDER")]
    pub records: Option<PathBuf>,
    /// Where results are kept; nowhere if absent.
    #[arg(long, value_name = "PATH")]
    pub store: Option<PathBuf>,
    /// Tells runs apart in the store.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

fn duration(text: &str) -> Result<Duration, String> {
    let budget: Option<Budget> = format!("time={text}").parse().ok();
    budget.and_then(|budget| budget.time).ok_or_else(|| "expected a time such as 250ms, 1.5s or 2min".to_owned())
}

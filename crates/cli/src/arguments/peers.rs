//! Options of `tesuji engine`, `engine-check`, `ggp` and `tubstap`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};

use super::duration;

/// Options of `engine`.
#[derive(Args)]
pub(crate) struct EngineOptions {
    /// The agent that plays.
    #[arg(long, default_value = "uct")]
    pub agent: String,
    /// The budget of a decision if an order names no limit.
    #[arg(long, default_value = "1000")]
    pub budget: String,
}

/// Options of `engine-check`.
#[derive(Args)]
pub(crate) struct EngineCheckOptions {
    /// The program and its arguments in one text, such as "python3 engine.py"; it runs without a shell.
    #[arg(value_name = "COMMAND")]
    pub command: String,
    /// A game to play; may be given several times. By default alternating, simultaneous, random and multi-action games.
    #[arg(long, value_name = "GAME")]
    pub game: Vec<String>,
    /// How long the engine may take to get ready, and to decide on a budget without time.
    #[arg(long, default_value = "30s", value_parser = duration)]
    pub patience: Duration,
    /// The time of a decision with a time limit.
    #[arg(long, default_value = "500ms", value_parser = duration)]
    pub time: Duration,
    /// How much later than its deadline, or than `stop`, an answer may arrive.
    #[arg(long, default_value = "1s", value_parser = duration)]
    pub margin: Duration,
    /// The seed of all randomness here.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

/// Options of `ggp`.
#[derive(Args)]
pub(crate) struct GgpOptions {
    /// Player or referee.
    #[command(subcommand)]
    pub command: GgpCommand,
}

/// Commands for general game playing.
#[derive(Subcommand)]
pub(crate) enum GgpCommand {
    /// Run a player for a game server, until Ctrl-C.
    ///
    /// Example: `tesuji ggp player --port 9147 --agent ggp-champion`
    Player(GgpPlayerOptions),
    /// Run matches between players over HTTP and internal agents.
    ///
    /// Example: `tesuji ggp referee tic-tac-toe --player 127.0.0.1:9147 --player uct`
    Referee(GgpRefereeOptions),
    /// Write recorded moves as a match in the JSON format of the GGP repositories.
    ///
    /// Example: `tesuji ggp export tic-tac-toe --moves moves.txt`
    Export(GgpExportOptions),
    /// Read a match in that format, check its states and goals by the rules, and print its moves.
    ///
    /// Example: `tesuji ggp import match.json --sheet tic-tac-toe`
    Import(GgpImportOptions),
}

/// Options of `ggp export`.
#[derive(Args)]
pub(crate) struct GgpExportOptions {
    /// The rule sheet: a file, or the name of a bundled one.
    pub sheet: String,
    /// The file of moves, as `tesuji replay` reads it.
    #[arg(long, value_name = "FILE")]
    pub moves: PathBuf,
    /// Replace the names of the sheet by meaningless words, drawn by this seed.
    #[arg(long, value_name = "SEED")]
    pub scramble: Option<u64>,
    /// The identifier of the match.
    #[arg(long, default_value = "tesuji.1")]
    pub id: String,
    /// When the match started, in milliseconds since 1970.
    #[arg(long, value_name = "MILLISECONDS", default_value_t = 0)]
    pub start_time: u64,
    /// The name of a player; one for each role.
    #[arg(long = "player", value_name = "NAME")]
    pub players: Vec<String>,
}

/// Options of `ggp import`.
#[derive(Args)]
pub(crate) struct GgpImportOptions {
    /// The match, in JSON.
    pub file: PathBuf,
    /// The rule sheet: a file, or the name of a bundled one; if absent, the rules in the file.
    #[arg(long)]
    pub sheet: Option<String>,
}

/// Options of `ggp player`.
#[derive(Args)]
pub(crate) struct GgpPlayerOptions {
    /// The port; 0 selects a free one.
    #[arg(long, default_value_t = 9147)]
    pub port: u16,
    /// The address to listen on; other machines can connect unless it is 127.0.0.1.
    #[arg(long, default_value = "127.0.0.1")]
    pub host: String,
    /// The agent that plays; if absent, `ggp-champion` on all cores, or as many as `--threads` says.
    #[arg(long)]
    pub agent: Option<String>,
    /// Do not think while the other players do.
    #[arg(long)]
    pub no_ponder: bool,
    /// The player's name.
    #[arg(long, default_value = "tesuji")]
    pub name: String,
    /// How much of every clock is left unused; at most a third of it.
    #[arg(long, default_value = "500ms", value_parser = duration)]
    pub margin: Duration,
    /// If the server of a match is silent for longer than its clocks plus this time, another match may replace it.
    #[arg(long, default_value = "10s", value_parser = duration)]
    pub silence: Duration,
    /// The seed of the agent.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

/// Options of `ggp referee`.
#[derive(Args)]
pub(crate) struct GgpRefereeOptions {
    /// The rule sheet: a file, or the name of a bundled one.
    pub sheet: String,
    /// A player, HOST:PORT or an internal agent; one for each role. Roles rotate from match to match.
    #[arg(long = "player", value_name = "HOST:PORT|AGENT", required = true, num_args = 1..)]
    pub players: Vec<String>,
    /// The time before the first move, in whole seconds: `10s`, `2min`; a number is in seconds.
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = whole_seconds)]
    pub start_clock: u64,
    /// The time for each move, in whole seconds from 1 on.
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = positive_whole_seconds)]
    pub play_clock: u64,
    /// The number of matches.
    #[arg(long, default_value_t = 1)]
    pub matches: u64,
    /// How much later than the clock an answer may arrive; public servers wait one second.
    #[arg(long, default_value = "1s", value_parser = duration)]
    pub margin: Duration,
    /// The seed of all randomness here: replaced moves, chance, internal agents.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// The store for the matches; `results/ggp-SHEET.db` if absent.
    #[arg(long, value_name = "PATH", conflicts_with = "no_store")]
    pub store: Option<PathBuf>,
    /// Do not store matches.
    #[arg(long)]
    pub no_store: bool,
}

/// The longest clock of a match, in seconds.
const LONGEST_CLOCK: u64 = 86_400;

/// Clocks of the protocol are whole seconds.
fn whole_seconds(text: &str) -> Result<u64, String> {
    let time = if text == "0" || text == "0s" { Some(Duration::ZERO) } else { duration(text).ok() };
    match time {
        Some(time) if time.subsec_nanos() == 0 && time.as_secs() <= LONGEST_CLOCK => Ok(time.as_secs()),
        _ => Err(format!("expected a time in whole seconds up to {LONGEST_CLOCK}, such as 10s")),
    }
}

fn positive_whole_seconds(text: &str) -> Result<u64, String> {
    whole_seconds(text).and_then(|seconds| match seconds {
        0 => Err("expected at least 1s".to_owned()),
        seconds => Ok(seconds),
    })
}

/// Options of `tubstap`.
#[derive(Args)]
pub(crate) struct TubstapOptions {
    /// Client or server.
    #[command(subcommand)]
    pub command: TubstapCommand,
}

/// Commands for TUBSTAP over the network.
#[derive(Subcommand)]
pub(crate) enum TubstapCommand {
    /// Play on a server of the platform, or on ours, until it disconnects.
    ///
    /// Example: `tesuji tubstap client --connect 127.0.0.1:7777 --agent dlmc-halving`
    Client(TubstapClientOptions),
    /// Referee two clients, with colours swapped from match to match.
    ///
    /// Example: `tesuji tubstap server --map meadow --matches 10`
    Server(TubstapServerOptions),
}

/// Options of `tubstap client`.
#[derive(Args)]
pub(crate) struct TubstapClientOptions {
    /// The server.
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:7777")]
    pub connect: String,
    /// The agent that plays.
    #[arg(long, default_value = "uct")]
    pub agent: String,
    /// The client's name; the agent's address if absent.
    #[arg(long)]
    pub name: Option<String>,
    /// The time for a whole turn, shared by its units.
    #[arg(long, default_value = "10s", value_parser = duration)]
    pub turn_time: Duration,
    /// The budget of one action, instead of its part of the turn's time.
    #[arg(long)]
    pub budget: Option<String>,
    /// The seed of the agent.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

/// Options of `tubstap server`.
#[derive(Args)]
pub(crate) struct TubstapServerOptions {
    /// The port; 0 selects a free one.
    #[arg(long, default_value_t = 7777)]
    pub port: u16,
    /// The address to listen on; other machines can connect unless it is 127.0.0.1.
    #[arg(long, default_value = "127.0.0.1")]
    pub host: String,
    /// The map: a `.tbsmap` file, or the name of a bundled one.
    #[arg(long, default_value = "meadow")]
    pub map: String,
    /// The number of matches.
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
    /// The folder for records, one file per match.
    #[arg(long, value_name = "FOLDER")]
    pub records: Option<PathBuf>,
    /// The store for the results; none if absent.
    #[arg(long, value_name = "PATH")]
    pub store: Option<PathBuf>,
    /// The seed of the run, which distinguishes runs in the store.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

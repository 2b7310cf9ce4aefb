//! What may be written after `tesuji`.

mod exact;
mod fuzzy;
mod peers;
mod sheets;

use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

pub use exact::{ExploitabilityOptions, NashOptions, SolveOptions, VisitsOptions};
pub use fuzzy::{
    FuzzyCommand, FuzzyExportOptions, FuzzyImportOptions, FuzzyLabelOptions, FuzzyLearnOptions, FuzzyOptions,
    FuzzyShowOptions, FuzzyShuffleOptions,
};
pub use peers::{
    EngineCheckOptions, EngineOptions, GgpCommand, GgpOptions, GgpPlayerOptions, GgpRefereeOptions,
    TubstapClientOptions, TubstapCommand, TubstapOptions, TubstapServerOptions,
};
pub use sheets::{
    GdlCheckOptions, GdlCommand, GdlInfoOptions, GdlOptions, GdlReplayOptions, GdlVerifyOptions, GroundingOptions,
    InterpreterOptions,
};

/// A laboratory for games that are not like chess: multi-action turns, dice, simultaneous moves.
///
/// Games and agents are named by addresses: `tic-tac-toe`, `sync-triomineering(6,6)`, `uct(playouts=2000,c=0.15)`. Quote
/// them in a shell. Without a command, the lab starts: open the address that it prints in a browser.
#[derive(Parser)]
#[command(name = "tesuji", version, propagate_version = true)]
pub struct Cli {
    /// Print JSON for scripts instead of text for people.
    #[arg(long, global = true)]
    pub json: bool,
    /// What to do; `lab` if nothing is said.
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// The commands.
#[derive(Subcommand)]
pub enum Command {
    /// Start the lab: play anything in the browser, watch agents think, look at results.
    Lab(LabOptions),
    /// List the games of the catalogue.
    Games,
    /// List the agents, or those that can play one game.
    Agents(AgentsOptions),
    /// Show a game's start, or a position of it, in the terminal or as a picture.
    Show(ShowOptions),
    /// Count the paths of a game by depth: the signature of its rules.
    Perft(PerftOptions),
    /// Compute the exact value of a small game, and what to do in its first state.
    Solve(SolveOptions),
    /// Measure the exploitability of an agent's first decision by the exact solution, over playouts.
    #[command(visible_alias = "gap")]
    Exploitability(ExploitabilityOptions),
    /// Count how often an agent tries each joint action of the first state.
    Visits(VisitsOptions),
    /// Find the equilibria of a table of payoffs.
    Nash(NashOptions),
    /// Replay written moves and print every state's turn and legal actions.
    Replay(ReplayOptions),
    /// Play a series of matches between agents, each in every seat.
    Match(MatchOptions),
    /// Play against an agent in the terminal.
    Play(PlayOptions),
    /// Measure playouts and steps a second, on one thread.
    Bench(BenchOptions),
    /// Run an experiment: what its store does not hold yet is played, and the result summed up.
    Run(RunOptions),
    /// List the papers' tables with their state, or run one and put ours beside the paper's.
    Reproduce(ReproduceOptions),
    /// Render the results of stores as Markdown or as a page with plots.
    Report(ReportOptions),
    /// Test whether the pairings that two stores share have different results.
    Compare(CompareOptions),
    /// Join stores that different machines played.
    Merge(MergeOptions),
    /// Print stored matches as JSON lines, as moves, or as records of the game's own.
    Export(ExportOptions),
    /// Check that a game obeys the laws every game must obey.
    Laws(LawsOptions),
    /// Rule sheets in the Game Description Language: check, describe, replay, compare engines.
    Gdl(GdlOptions),
    /// Labelled actions and what is learned from them: label, learn, show, shuffle, import, export.
    Fuzzy(FuzzyOptions),
    /// General game playing over HTTP: a player for game servers, a referee for players.
    Ggp(GgpOptions),
    /// TUBSTAP's network game: a client for its servers, a server for its clients.
    Tubstap(TubstapOptions),
    /// Speak the engine protocol on standard input and output, with an agent of ours.
    Engine(EngineOptions),
    /// Say what a program that should speak the engine protocol does wrong.
    EngineCheck(EngineCheckOptions),
    /// Play a short demonstration match and write it as a page with pictures.
    Demo(DemoOptions),
}

impl Default for Command {
    fn default() -> Self {
        Command::Lab(LabOptions {
            port: None,
            host: LAB_HOST,
            token: None,
            data: PathBuf::from(LAB_FOLDER),
            threads: None,
            programs: false,
            bench: None,
        })
    }
}

const DEMO_PAGE: &str = "tesuji-demo.html";
/// Nobody but this machine, unless told otherwise.
const LAB_HOST: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);
/// Where `run` and `reproduce` put their stores too.
const LAB_FOLDER: &str = "results";

/// Options of `lab`.
#[derive(Args)]
pub struct LabOptions {
    /// The port; 0 for any free one. Without it the first free one from 7380 to 7389.
    #[arg(long)]
    pub port: Option<u16>,
    /// The address to listen at. Anything but this machine's own needs a token.
    #[arg(long, default_value_t = LAB_HOST)]
    pub host: IpAddr,
    /// The token that requests must bring; made up and printed if it is needed and absent.
    #[arg(long)]
    pub token: Option<String>,
    /// The folder of everything that is kept: matches, uploads, stores of experiments.
    #[arg(long, value_name = "FOLDER", default_value = LAB_FOLDER)]
    pub data: PathBuf,
    /// Threads that search; all cores if absent.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Let agents be programs of this machine, `process(cmd="…")`: whoever reaches the lab can then start any program.
    #[arg(long)]
    pub programs: bool,
    /// Measure instead: so many matches at once, and how long requests take beside them.
    #[arg(long, value_name = "MATCHES", value_parser = clap::value_parser!(u16).range(1..=900))]
    pub bench: Option<u16>,
}

/// Options of `agents`.
#[derive(Args)]
pub struct AgentsOptions {
    /// Only agents that can play this game.
    #[arg(long, value_name = "GAME")]
    pub game: Option<String>,
}

/// Options of `show`.
#[derive(Args)]
pub struct ShowOptions {
    /// The game.
    pub game: String,
    /// Write the picture to this file.
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Show this state, written as `show` prints it.
    #[arg(long, value_name = "TEXT", conflicts_with = "moves")]
    pub state: Option<String>,
    /// Show the state after these moves (see `replay`).
    #[arg(long, value_name = "FILE")]
    pub moves: Option<PathBuf>,
}

/// Options of `perft`.
#[derive(Args)]
pub struct PerftOptions {
    /// The game.
    pub game: String,
    /// Count paths of 1 up to this many steps.
    #[arg(value_parser = clap::value_parser!(u32).range(1..=40))]
    pub depth: u32,
}

/// Options of `replay`.
#[derive(Args)]
pub struct ReplayOptions {
    /// The game.
    pub game: String,
    /// One step a line: the actions of those who act, in player order, parted by tabs; dice are steps too. `-` reads
    /// standard input.
    #[arg(long, value_name = "FILE")]
    pub moves: PathBuf,
}

/// Options of `match`.
#[derive(Args)]
pub struct MatchOptions {
    /// The game.
    pub game: String,
    /// Two agents, or one for each player; the result is from the first one's view.
    #[arg(required = true, value_name = "AGENT")]
    pub agents: Vec<String>,
    /// Matches to play, rounded up so that every agent takes every seat equally often.
    #[arg(long, value_name = "N", visible_alias = "games", default_value_t = 100)]
    pub matches: u64,
    /// Fixes everything random.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// What a decision may cost agents that carry no budget of their own: `2000`, `playouts=2000`, `time=100ms`, ….
    #[arg(long, default_value = "1000")]
    pub budget: String,
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
    /// Threads; all cores if absent.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
}

/// Options of `play`.
#[derive(Args)]
pub struct PlayOptions {
    /// The game.
    pub game: String,
    /// Who plays the other seats.
    #[arg(long, default_value = "uct")]
    pub agent: String,
    /// Your seat: its name, or its number from 1.
    #[arg(long, default_value = "1")]
    pub seat: String,
    /// What a decision of the agent may cost.
    #[arg(long, default_value = "time=1s")]
    pub budget: String,
    /// What the agent may spend before the first step: `10s`, `playouts=2000`, ….
    #[arg(long, value_name = "CLOCK")]
    pub start_clock: Option<String>,
    /// Fixes the dice and the agent's choices.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

/// Options of `bench`.
#[derive(Args)]
pub struct BenchOptions {
    /// The games; all of the catalogue if absent.
    pub games: Vec<String>,
    /// Seconds for each figure.
    #[arg(long, default_value_t = 1.0, value_parser = positive_seconds)]
    pub seconds: f64,
    /// The playout policy; a game's customary one if absent.
    #[arg(long)]
    pub policy: Option<String>,
    /// What runs the rules of a sheet: interpreter, network, or lanes (many playouts at once).
    #[arg(long, value_name = "ENGINE", conflicts_with = "arena")]
    pub engine: Option<String>,
    /// Also measure this agent, playing against itself; may be given several times.
    #[arg(long, value_name = "AGENT")]
    pub agent: Vec<String>,
    /// Measure the arena instead: what the harness costs, what more threads gain, matches stored a second.
    #[arg(long, conflicts_with = "games")]
    pub arena: bool,
    /// Playouts a move of the UCT figure.
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub uct_playouts: u64,
}

fn positive_seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && seconds <= 3600.0 => Ok(seconds),
        _ => Err("expected seconds above 0 and up to 3600".to_owned()),
    }
}

/// Options of `laws`.
#[derive(Args)]
pub struct LawsOptions {
    /// The games; every example of the catalogue if absent.
    pub games: Vec<String>,
    /// Fixes the random play.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

/// Options of `demo`.
#[derive(Args)]
pub struct DemoOptions {
    /// Where the page goes.
    #[arg(long, value_name = "FILE", default_value = DEMO_PAGE)]
    pub page: PathBuf,
    /// Fixes everything random.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

/// Options of `run`.
#[derive(Args)]
pub struct RunOptions {
    /// The experiment's TOML file.
    pub file: PathBuf,
    /// How it is run.
    #[command(flatten)]
    pub how: HowToRun,
}

/// Options of `run` and `reproduce`.
#[derive(Args)]
pub struct HowToRun {
    /// Where matches are kept; `results/NAME-SCALE.db` if absent.
    #[arg(long, value_name = "PATH")]
    pub store: Option<PathBuf>,
    /// Threads; all cores if absent.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Play only part I of N, counted from 1: `1/2` and `2/2` on two machines, then `merge`.
    #[arg(long, value_name = "I/N", value_parser = shard)]
    pub shard: Option<(u64, u64)>,
    /// How large: as the file's `quick` or `full` scale says.
    #[arg(long, value_enum, default_value_t = ScaleChoice::Full)]
    pub scale: ScaleChoice,
    /// Add the times that decisions took, which depend on the machine.
    #[arg(long)]
    pub timings: bool,
}

/// A scale by name.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum ScaleChoice {
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
pub struct ReproduceOptions {
    /// The table, such as `002/table3`; all are listed if absent.
    pub id: Option<String>,
    /// The same as `--scale quick`.
    #[arg(long)]
    pub quick: bool,
    /// How it is run.
    #[command(flatten)]
    pub how: HowToRun,
}

/// Options of `report`.
#[derive(Args)]
pub struct ReportOptions {
    /// The stores.
    #[arg(required = true, value_name = "STORE")]
    pub stores: Vec<PathBuf>,
    /// Write a self-contained page with plots to this file.
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Write Markdown to this file instead of printing it.
    #[arg(long, value_name = "FILE")]
    pub markdown: Option<PathBuf>,
    /// Add the times that decisions took.
    #[arg(long)]
    pub timings: bool,
}

/// Options of `merge`.
#[derive(Args)]
pub struct MergeOptions {
    /// The store that gets everything; made if it is not there.
    pub into: PathBuf,
    /// The stores to read.
    #[arg(required = true, value_name = "STORE")]
    pub parts: Vec<PathBuf>,
}

/// Options of `export`.
#[derive(Args)]
pub struct ExportOptions {
    /// The store.
    pub store: PathBuf,
    /// Only the match with this number, counted from 1.
    #[arg(long, value_name = "NUMBER")]
    pub number: Option<u64>,
    /// The form: JSON lines; moves as `replay` reads them; or the game's own record (TUBSTAP).
    #[arg(long, value_enum, default_value_t = ExportForm::Json)]
    pub form: ExportForm,
}

/// A form of stored matches.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum ExportForm {
    /// One JSON object a match.
    Json,
    /// One step a line.
    Moves,
    /// The game's own format.
    Record,
}

/// Options of `compare`.
#[derive(Args)]
pub struct CompareOptions {
    /// A store.
    pub one: PathBuf,
    /// Another store.
    pub two: PathBuf,
}

//! The command line of `tesuji`: commands, options and their help texts.

mod global;
mod models;
mod series;
mod exact;
mod sheets;
mod results;
mod fuzzy;
mod peers;
mod queue;
mod shell;
mod soak;
mod store;
mod training;
mod tune;

use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand};

pub(crate) use exact::{
    ExploitOptions, ExploitabilityOptions, NashOptions, RegretOptions, SolveOptions, VisitsOptions,
};
pub(crate) use fuzzy::{
    FuzzyCommand, FuzzyExportOptions, FuzzyImportOptions, FuzzyLabelOptions, FuzzyLearnOptions, FuzzyOptions,
    FuzzyShowOptions, FuzzyShuffleOptions,
};
pub(crate) use global::{GlobalOptions, TableOptions};
use global::{duration, seconds};
pub(crate) use models::{McpOptions, ModelsOptions};
pub(crate) use peers::{
    EngineCheckOptions, EngineOptions, GgpCommand, GgpExportOptions, GgpImportOptions, GgpOptions, GgpPlayerOptions,
    GgpRefereeOptions, TubstapClientOptions, TubstapCommand, TubstapOptions, TubstapServerOptions,
};
pub(crate) use queue::{LoginOptions, QueueCommand, QueueOptions, QueueRunOptions, WorkOptions};
#[cfg(feature = "queue")]
pub(crate) use queue::{
    QueueBenchOptions, QueuePurgeOptions, QueueSimulateOptions, QueueStatusOptions, QueueWorkersOptions,
};
pub(crate) use results::{
    CompareOptions, ExportForm, ExportOptions, HowToRun, MergeOptions, ReportOptions, ReproduceOptions, RunOptions,
    ScaleChoice,
};
pub(crate) use series::{Conditions, MatchOptions, RankOptions};
pub(crate) use sheets::{
    GdlCheckOptions, GdlCommand, GdlDotOptions, GdlExamplesOptions, GdlInfoOptions, GdlOptions, GdlReplayOptions,
    GdlTutorOptions, GdlVerifyOptions, GdlWhyOptions, GroundingOptions, InterpreterOptions,
};
pub(crate) use shell::{CompletionsOptions, ManOptions};
pub(crate) use soak::SoakOptions;
pub(crate) use store::{StoreCommand, StoreOptions, StoreRepairOptions, StoreVerifyOptions};
pub(crate) use training::{NetCommand, NetOptions, NetShowOptions, TrainOptions};
pub(crate) use tune::TuneOptions;

/// A laboratory for games that are not like chess: multi-action turns, dice, simultaneous moves.
///
/// Games and agents are named by addresses: `tic-tac-toe`, `sync-triomineering(6,6)`, `uct(playouts=2000,c=0.15)`.
/// Quote addresses with parentheses in a shell. Without a command, `tesuji` starts the lab: open the address that it
/// prints in a browser.
///
/// Exit codes: 0 all went well, 1 a match was forfeited or something else failed, 2 wrong arguments, 130 interrupted.
#[derive(Parser)]
#[command(name = "tesuji", version, propagate_version = true)]
pub(crate) struct Cli {
    /// What all commands take.
    #[command(flatten)]
    pub global: GlobalOptions,
    /// The command; `lab` by default.
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// The commands.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Start the lab: play in the browser, watch agents think, browse results.
    Lab(LabOptions),
    /// List the games, or show one with its parameters, examples and board.
    ///
    /// Example: `tesuji games tubstap`
    Games(GamesOptions),
    /// List the agents by class, only those that can play a game, or show one with its parameters.
    ///
    /// Examples: `tesuji agents`, `tesuji agents uct`, `tesuji agents --game dice7`
    Agents(AgentsOptions),
    /// Show the start or another position of a game, in the terminal or as a picture.
    ///
    /// Example: `tesuji show tic-tac-toe --state 'x.o/.x./..o'`
    Show(ShowOptions),
    /// Count the paths of a game by depth (perft), as a signature of its rules.
    ///
    /// Example: `tesuji perft tic-tac-toe 4`
    Perft(PerftOptions),
    /// Compute the exact value of a small game and an optimal strategy at the start.
    ///
    /// Example: `tesuji solve 'goofspiel(5)'`
    Solve(SolveOptions),
    /// Measure the exploitability of an agent's first decision by the exact solution, over playouts.
    #[command(visible_alias = "gap")]
    Exploitability(ExploitabilityOptions),
    /// Measure the exploitability of an agent in the whole game: NashConv of what it does in all states.
    ///
    /// Example: `tesuji exploit 'goofspiel(4,descending)' --agent joint-best --playouts 100,1000`
    Exploit(ExploitOptions),
    /// Measure what an agent's decisions lose against the exact values of sampled positions.
    ///
    /// Example: `tesuji regret 'dice7(size=4)' --agent expectimax --agent uct`
    Regret(RegretOptions),
    /// Count how often an agent tries each joint action of the first state.
    Visits(VisitsOptions),
    /// Compute the Nash equilibria of a payoff table.
    ///
    /// Example: `tesuji nash stag-hunt`
    Nash(NashOptions),
    /// Replay recorded moves and print the turn and the legal actions of every state.
    ///
    /// Example: `tesuji replay tic-tac-toe --moves moves.txt`
    Replay(ReplayOptions),
    /// Play a series of matches between agents with sides swapped.
    ///
    /// Example: `tesuji match connect-four uct mc --games 20`
    ///
    /// To play until the result is significant: `tesuji match connect-four uct mc --sprt 0,20`
    Match(MatchOptions),
    /// Rank agents: each meets each other one on a game, with joint Elo ratings.
    ///
    /// Example: `tesuji rank 'tubstap(map=meadow)' uct mc dlmc-halving`
    Rank(RankOptions),
    /// Play against an agent in the terminal.
    ///
    /// Example: `tesuji play connect-four --agent uct --budget time=1s`
    Play(PlayOptions),
    /// Measure playouts and steps per second on one thread.
    ///
    /// Example: `tesuji bench connect-four --agent uct`
    Bench(BenchOptions),
    /// Run an experiment: play the matches that its store does not have yet, and print a summary.
    ///
    /// Example: `tesuji run uct-mc.toml --scale quick`
    Run(RunOptions),
    /// Play for experiments on other machines: take tasks from a queue, play them and answer.
    ///
    /// Example: `tesuji work nats://host:4222`
    Work(WorkOptions),
    /// Look at a queue of experiments on many machines, and change it.
    ///
    /// Example: `tesuji queue status nats://host:4222`
    Queue(QueueOptions),
    /// List the tables of the papers and their state, or reproduce one and compare it with the paper.
    ///
    /// Example: `tesuji reproduce 004/table2 --quick`
    Reproduce(ReproduceOptions),
    /// Write the results of stores as Markdown or as a web page with plots.
    ///
    /// Example: `tesuji report results/uct-mc-full.db --html report.html`
    Report(ReportOptions),
    /// Test whether the pairings that two stores share have different results.
    ///
    /// Example: `tesuji compare old.db new.db`
    Compare(CompareOptions),
    /// Merge stores from different machines into one.
    ///
    /// Example: `tesuji merge all.db one.db two.db`
    Merge(MergeOptions),
    /// Print stored matches as JSON lines, as moves, or in the game's own record format.
    ///
    /// Example: `tesuji export results/uct-mc-full.db --number 1 --form moves`
    Export(ExportOptions),
    /// Check a store for damage, or repair it.
    ///
    /// Example: `tesuji store verify results/uct-mc-full.db`
    Store(StoreOptions),
    /// Check that a game obeys the laws that every game must obey.
    ///
    /// Example: `tesuji laws 'goofspiel(5)'`
    Laws(LawsOptions),
    /// Check, describe and replay rule sheets in the Game Description Language, and compare engines.
    ///
    /// Example: `tesuji gdl info data/gdl/tic-tac-toe.kif`
    Gdl(GdlOptions),
    /// Label actions and learn membership tables of good actions from them (fuzzy evaluation).
    Fuzzy(FuzzyOptions),
    /// Train a network by self-play, for agents with `evaluation=net`; or list the games that can be trained.
    ///
    /// Example: `tesuji train einstein --minutes 5`
    Train(TrainOptions),
    /// Tune the parameters of an agent, and test the result on fresh seeds.
    ///
    /// Example: `tesuji tune connect-four uct --over 'c=0.2..1.2' --budget 500`
    Tune(TuneOptions),
    /// Describe network files.
    ///
    /// Example: `tesuji net show einstein.net`
    Net(NetOptions),
    /// Play general game playing (GGP) over HTTP: a player for game servers, a referee for players.
    Ggp(GgpOptions),
    /// Play TUBSTAP over the network: a client for its servers, a server for its clients.
    Tubstap(TubstapOptions),
    /// Run an agent as an engine that speaks the engine protocol on standard input and output.
    ///
    /// Example: `tesuji engine --agent uct`
    Engine(EngineOptions),
    /// Check that a program follows the engine protocol.
    ///
    /// Example: `tesuji engine-check "python3 engine.py"`
    EngineCheck(EngineCheckOptions),
    /// Let language models play: a Model Context Protocol (MCP) server on standard input and output, or over HTTP.
    ///
    /// Example: `tesuji mcp --http 127.0.0.1:8765`
    Mcp(McpOptions),
    /// Report how language models played in stored matches: results, illegal moves, tokens, cost.
    ///
    /// Example: `tesuji models results/models-full.db --html pages`
    Models(ModelsOptions),
    /// Play a short demonstration match and write it as a web page with pictures.
    Demo(DemoOptions),
    /// Test recovery: kill and restart experiments and the lab again and again, and compare what they kept.
    ///
    /// Example: `tesuji soak --minutes 20`
    Soak(SoakOptions),
    /// Print the script that makes a shell complete commands, games, agents and parameters
    ///
    /// bash: `source <(tesuji completions bash)` in `~/.bashrc`;
    /// zsh: `source <(tesuji completions zsh)` in `~/.zshrc`;
    /// fish: `tesuji completions fish > ~/.config/fish/completions/tesuji.fish`;
    /// PowerShell: `tesuji completions powershell >> $PROFILE`
    #[command(verbatim_doc_comment)]
    Completions(CompletionsOptions),
    /// Write the manual pages of all commands into a folder.
    ///
    /// Example: `tesuji man ~/.local/share/man/man1`
    Man(ManOptions),
}

impl Command {
    /// Is the table of this command wanted as CSV?
    pub(crate) fn csv(&self) -> bool {
        let table = match self {
            Command::Games(options) => options.table,
            Command::Agents(options) => options.table,
            Command::Perft(options) => options.table,
            Command::Exploitability(options) => options.table,
            Command::Exploit(options) => options.table,
            Command::Visits(options) => options.table,
            Command::Nash(options) => options.table,
            Command::Match(options) => options.table,
            Command::Rank(options) => options.table,
            Command::Bench(options) => options.table,
            Command::Run(options) => options.how.table,
            Command::Reproduce(options) => options.how.table,
            Command::Compare(options) => options.table,
            Command::Queue(QueueOptions { command: QueueCommand::Status(options) }) => options.table,
            Command::Queue(QueueOptions { command: QueueCommand::Workers(options) }) => options.table,
            Command::Queue(QueueOptions { command: QueueCommand::Simulate(options) }) => options.table,
            Command::Gdl(GdlOptions { command: GdlCommand::Info(options) }) => options.table,
            Command::Fuzzy(FuzzyOptions { command: FuzzyCommand::Show(options) }) => options.form,
            _ => return false,
        };
        table.csv
    }
}

impl Default for Command {
    fn default() -> Self {
        Command::Lab(LabOptions {
            port: None,
            host: LAB_HOST,
            token: None,
            data: PathBuf::from(LAB_FOLDER),
            programs: false,
            bench: None,
            queue: None,
            login: LoginOptions::default(),
        })
    }
}

const DEMO_PAGE: &str = "tesuji-demo.html";
/// Only this machine, by default.
const LAB_HOST: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);
/// The default folder; `run` and `reproduce` put their stores there too.
const LAB_FOLDER: &str = "results";

/// Options of `lab`.
#[derive(Args)]
pub(crate) struct LabOptions {
    /// The port; 0 for any free one. By default the first free port from 7380 to 7389.
    #[arg(long)]
    pub port: Option<u16>,
    /// The address to listen on. Any address that other machines can reach requires a token.
    #[arg(long, default_value_t = LAB_HOST)]
    pub host: IpAddr,
    /// The token that requests must contain; generated and printed if it is required and absent.
    #[arg(long)]
    pub token: Option<String>,
    /// The folder for all data: matches, uploads, stores of experiments.
    #[arg(long, value_name = "FOLDER", default_value = LAB_FOLDER)]
    pub data: PathBuf,
    /// Allow agents that start programs on this machine or ask servers, `process(cmd="…")` and `llm(model=…)`: anybody
    /// who can reach the lab can then start any program.
    #[arg(long)]
    pub programs: bool,
    /// Measure instead: run this many matches at once, and report how long requests take meanwhile.
    #[arg(long, value_name = "MATCHES", value_parser = clap::value_parser!(u16).range(1..=900))]
    pub bench: Option<u16>,
    /// Show the experiments and workers of the queue on this NATS server among the results.
    #[arg(long, value_name = "URL")]
    pub queue: Option<String>,
    /// How to log in there.
    #[command(flatten)]
    pub login: LoginOptions,
}

/// Options of `games`.
#[derive(Args)]
pub(crate) struct GamesOptions {
    /// Show this game: a name or an address such as `tubstap(map=six-arms)`.
    #[arg(value_name = "NAME")]
    pub game: Option<String>,
    /// The form of the table.
    #[command(flatten)]
    pub table: TableOptions,
}

/// Options of `agents`.
#[derive(Args)]
pub(crate) struct AgentsOptions {
    /// Show this agent.
    #[arg(value_name = "NAME")]
    pub agent: Option<String>,
    /// List only agents that can play this game.
    #[arg(long, value_name = "GAME")]
    pub game: Option<String>,
    /// The form of the table.
    #[command(flatten)]
    pub table: TableOptions,
}

/// Options of `show`.
#[derive(Args)]
pub(crate) struct ShowOptions {
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
pub(crate) struct PerftOptions {
    /// The game.
    pub game: String,
    /// Count paths of 1 to this many steps.
    #[arg(value_parser = clap::value_parser!(u32).range(1..=40))]
    pub depth: u32,
    /// The form of the table.
    #[command(flatten)]
    pub table: TableOptions,
}

/// Options of `replay`.
#[derive(Args)]
pub(crate) struct ReplayOptions {
    /// The game.
    pub game: String,
    /// The file of moves, one step per line: the actions of the movers in player order, separated by tabs; chance
    /// outcomes are steps too. `-` reads standard input.
    #[arg(long, value_name = "FILE")]
    pub moves: PathBuf,
}

/// Options of `play`.
#[derive(Args)]
pub(crate) struct PlayOptions {
    /// The game.
    pub game: String,
    /// The agent of the other seats.
    #[arg(long, default_value = "uct")]
    pub agent: String,
    /// Your seat: its name, or its number counted from 1.
    #[arg(long, default_value = "1")]
    pub seat: String,
    /// The budget of the agent per decision.
    #[arg(long, default_value = "time=1s")]
    pub budget: String,
    /// What the agent may spend before the first step: `10s`, `playouts=2000`, ….
    #[arg(long, value_name = "CLOCK")]
    pub start_clock: Option<String>,
    /// The seed of chance and of the agent.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

/// Options of `bench`.
#[derive(Args)]
pub(crate) struct BenchOptions {
    /// The games; all games of the catalogue if absent.
    pub games: Vec<String>,
    /// The time per measurement: `1s`, `250ms`; a number is in seconds.
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = seconds)]
    pub seconds: Duration,
    /// The playout policy; the game's customary one if absent.
    #[arg(long)]
    pub policy: Option<String>,
    /// The engine that runs a rule sheet: interpreter, network, or lanes (many playouts at once).
    #[arg(long, value_name = "ENGINE", conflicts_with = "arena")]
    pub engine: Option<String>,
    /// Also measure this agent in self-play; may be given several times.
    #[arg(long, value_name = "AGENT")]
    pub agent: Vec<String>,
    /// Measure the arena instead: the overhead of matches, the gain from threads, and matches stored per second.
    #[arg(long, conflicts_with = "games")]
    pub arena: bool,
    /// Playouts per move in the measurement of UCT.
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub uct_playouts: u64,
    /// The form of the table.
    #[command(flatten)]
    pub table: TableOptions,
}

/// Options of `laws`.
#[derive(Args)]
pub(crate) struct LawsOptions {
    /// The games; every example of the catalogue if absent. `statistics` simulates how often intervals are right.
    pub games: Vec<String>,
    /// The seed of the random play.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

/// Options of `demo`.
#[derive(Args)]
pub(crate) struct DemoOptions {
    /// The file for the page.
    #[arg(long, value_name = "FILE", default_value = DEMO_PAGE)]
    pub page: PathBuf,
    /// The seed of all randomness.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

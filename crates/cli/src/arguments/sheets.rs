//! Options of `tesuji gdl`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};

use super::TableOptions;

/// Options of `gdl`.
#[derive(Args)]
pub(crate) struct GdlOptions {
    /// The command.
    #[command(subcommand)]
    pub command: GdlCommand,
}

/// Commands for rule sheets.
#[derive(Subcommand)]
pub(crate) enum GdlCommand {
    /// Report errors, warnings and notes about a sheet; errors make the command fail.
    ///
    /// Example: `tesuji gdl check data/gdl/tic-tac-toe.kif`
    Check(GdlCheckOptions),
    /// Describe a sheet: roles, relations, size, features, and the engine that runs it.
    ///
    /// Example: `tesuji gdl info data/gdl/tic-tac-toe.kif`
    Info(GdlInfoOptions),
    /// Print the network of a sheet as a graph for Graphviz.
    ///
    /// Example: `tesuji gdl dot data/gdl/tic-tac-toe.kif | dot -Tsvg > network.svg`
    Dot(GdlDotOptions),
    /// Replay joint moves and print every state as JSON.
    Replay(GdlReplayOptions),
    /// Play random matches with all engines at once and compare every state.
    ///
    /// Example: `tesuji gdl verify data/gdl/tic-tac-toe.kif --matches 20`
    Verify(GdlVerifyOptions),
    /// Explain why a fact holds after some moves, or why it does not: a tree that points at lines of the sheet.
    ///
    /// Example: `tesuji gdl why data/gdl/tic-tac-toe.kif "(legal o (place 1 1))"`
    Why(GdlWhyOptions),
    /// Compare a sheet with examples and explain the first disagreement; a disagreement makes the command fail.
    ///
    /// Example: `tesuji gdl tutor data/gdl/tic-tac-toe.kif --examples data/rulebooks/tic-tac-toe.examples`
    Tutor(GdlTutorOptions),
    /// Write examples for `gdl tutor`: random matches on a sheet that is right.
    ///
    /// Example: `tesuji gdl examples data/gdl/tic-tac-toe.kif --matches 1`
    Examples(GdlExamplesOptions),
}

/// Options of `gdl why`.
#[derive(Args)]
pub(crate) struct GdlWhyOptions {
    /// The rule sheet.
    pub file: PathBuf,
    /// The fact, written like a condition of a rule: `(legal white (mark 1 1))`, `(true (cell 1 1 b))`, `terminal`.
    /// Variables such as `?x` can have any value.
    pub fact: String,
    /// The file of joint moves, one per line, as for `gdl replay`; without it the fact is about the first state. `-`
    /// reads standard input.
    #[arg(long, value_name = "FILE")]
    pub moves: Option<PathBuf>,
    /// The limits of the interpreter.
    #[command(flatten)]
    pub interpreter: InterpreterOptions,
}

/// Options of `gdl tutor`.
#[derive(Args)]
pub(crate) struct GdlTutorOptions {
    /// The rule sheet. `-` reads standard input.
    pub file: PathBuf,
    /// The file of examples; docs/rules-from-prose.md describes its form.
    #[arg(long, value_name = "FILE")]
    pub examples: PathBuf,
    /// The limits of the interpreter.
    #[command(flatten)]
    pub interpreter: InterpreterOptions,
}

/// Options of `gdl examples`.
#[derive(Args)]
pub(crate) struct GdlExamplesOptions {
    /// The rule sheet.
    pub file: PathBuf,
    /// The number of random matches.
    #[arg(long, default_value_t = 3)]
    pub matches: u64,
    /// A match is stopped after this many steps.
    #[arg(long, default_value_t = 200)]
    pub steps: usize,
    /// The seed of the random play.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Write all facts of each state too.
    #[arg(long)]
    pub with_facts: bool,
    /// The limits of the interpreter.
    #[command(flatten)]
    pub interpreter: InterpreterOptions,
}

/// Options of `gdl check`.
#[derive(Args)]
pub(crate) struct GdlCheckOptions {
    /// The rule sheet.
    pub file: PathBuf,
    /// The number of random matches; 0 examines the text only.
    #[arg(long, default_value_t = 20)]
    pub matches: u64,
    /// A match longer than this is reported.
    #[arg(long, default_value_t = 1_000)]
    pub steps: usize,
    /// The most steps of all matches together.
    #[arg(long, default_value_t = 4_000)]
    pub total_steps: usize,
    /// The seed of the random play.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// The limits of the interpreter.
    #[command(flatten)]
    pub interpreter: InterpreterOptions,
}

/// Options of `gdl info`.
#[derive(Args)]
pub(crate) struct GdlInfoOptions {
    /// The rule sheet.
    pub file: PathBuf,
    /// The limits of the interpreter.
    #[command(flatten)]
    pub interpreter: InterpreterOptions,
    /// The limits of grounding.
    #[command(flatten)]
    pub grounding: GroundingOptions,
    /// The form of the table.
    #[command(flatten)]
    pub table: TableOptions,
}

/// Options of `gdl dot`.
#[derive(Args)]
pub(crate) struct GdlDotOptions {
    /// The rule sheet.
    pub file: PathBuf,
    /// The limits of grounding.
    #[command(flatten)]
    pub grounding: GroundingOptions,
}

/// Options of `gdl replay`.
#[derive(Args)]
pub(crate) struct GdlReplayOptions {
    /// The rule sheet.
    pub file: PathBuf,
    /// The file of joint moves, one per line: a move for every role in order, separated by tabs. `-` reads standard
    /// input.
    #[arg(long, value_name = "FILE")]
    pub moves: PathBuf,
    /// The engine: interpreter, network or lanes.
    #[arg(long, default_value = "interpreter")]
    pub engine: String,
    /// The limits of the interpreter.
    #[command(flatten)]
    pub interpreter: InterpreterOptions,
    /// The limits of grounding.
    #[command(flatten)]
    pub grounding: GroundingOptions,
}

/// Options of `gdl verify`.
#[derive(Args)]
pub(crate) struct GdlVerifyOptions {
    /// The rule sheet.
    pub file: PathBuf,
    /// The number of random matches.
    #[arg(long, default_value_t = 20)]
    pub matches: u64,
    /// A match is stopped after this many steps.
    #[arg(long, default_value_t = 1_000)]
    pub steps: usize,
    /// The seed of the random play.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// The limits of the interpreter.
    #[command(flatten)]
    pub interpreter: InterpreterOptions,
    /// The limits of grounding.
    #[command(flatten)]
    pub grounding: GroundingOptions,
}

/// Limits of the interpreter. A query that exceeds one fails with an error that names it.
#[derive(Args, Default)]
#[command(next_help_heading = "Limits of the interpreter")]
pub(crate) struct InterpreterOptions {
    /// Million conditions examined for one query, such as the legal moves of a role [default: 200, some ten seconds].
    #[arg(long, value_name = "MILLIONS", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub effort: Option<u64>,
    /// Answers stored for one state [default: 5000000].
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u64).range(1..))]
    pub answers: Option<u64>,
    /// Different terms of a sheet [default: 5000000].
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..))]
    pub terms: Option<u32>,
    /// The deepest nesting of functions [default: 500].
    #[arg(long, value_name = "DEPTH", value_parser = clap::value_parser!(u16).range(1..=2_000))]
    pub nesting: Option<u16>,
    /// The deepest nesting of calls [default: 10000].
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub calls: Option<u32>,
    /// The most facts of a state [default: 100000].
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..))]
    pub facts: Option<u32>,
}

/// Limits of grounding. A sheet that exceeds one runs on the interpreter only.
#[derive(Args)]
#[command(next_help_heading = "Limits of grounding, beyond which the interpreter runs the sheet alone")]
pub(crate) struct GroundingOptions {
    /// Estimated memory in megabytes [default: 1600].
    #[arg(long, value_name = "MEGABYTES", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub memory: Option<u64>,
    /// Million steps of joining conditions [default: 3000, about a minute].
    #[arg(long, value_name = "MILLIONS", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub work: Option<u64>,
    /// Wall-clock time such as `30s`; a number is in seconds [default: no limit except the work].
    #[arg(long, value_name = "TIME", value_parser = super::seconds)]
    pub ground_seconds: Option<Duration>,
    /// Tuples of all relations together [default: 20000000].
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..))]
    pub atoms: Option<u32>,
    /// Ground rules [default: 20000000].
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..))]
    pub ground_rules: Option<u32>,
    /// Conditions in those rules together [default: 80000000].
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..))]
    pub conditions: Option<u32>,
    /// The deepest nesting of functions [default: 40].
    #[arg(long, value_name = "DEPTH", value_parser = clap::value_parser!(u16).range(1..=2_000))]
    pub depth: Option<u16>,
}

//! The command line of Tesuji, for any catalogue of games and agents.
//!
//! [`run`] is the whole program: command line, lab, tournaments, laws and solvers. Whoever adds games or agents of
//! their own calls it with their [`Catalogue`]; `examples/own-game` shows how. This crate reads arguments, asks the
//! arena, and prints; it has no logic of its own.

mod arguments;
mod busy;
mod commands;
mod complete;
mod failure;
mod interrupt;
mod output;
mod parallel;
mod soak;
mod table;
mod times;
mod version;

use std::panic;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches};
use tesuji_arena::engine::guard_programs;
use tesuji_arena::{Catalogue, InputError, cancel, guarding, thread_count};

use crate::arguments::{Cli, Command};
use crate::failure::{Failure, INTERRUPTED, Outcome};
use crate::output::Output;

/// Runs the program: reads the arguments of the process, does what they ask for, and returns the exit code.
pub fn run(catalogue: Catalogue) -> ExitCode {
    guard_programs();
    complete::answer(&catalogue);
    silence_guarded_panics();
    let color = output::asked_color();
    interrupt::listen();
    let matches = grammar().color(color).get_matches();
    let Cli { global, command } = Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    let command = command.unwrap_or_default();
    let mut output = Output::new(&global, command.csv());
    let threads = thread_count(global.threads.map(usize::from));
    let run = || execute(&catalogue, &command, threads, &mut output);
    let failure = match cancel::with(Some(interrupt::cancelled()), run) {
        Ok(()) => return ExitCode::SUCCESS,
        Err(failure) => failure,
    };
    output.error(failure.error());
    // Work that was cut off may fail in its own words.
    if interrupt::asked() { ExitCode::from(INTERRUPTED) } else { failure.code() }
}

/// The command line's grammar.
fn grammar() -> clap::Command {
    Cli::command().version(version::short()).long_version(version::long())
}

fn execute(catalogue: &Catalogue, command: &Command, threads: usize, output: &mut Output) -> Outcome {
    let done: Result<(), InputError> = match command {
        Command::Lab(options) => commands::lab::run(catalogue, options, threads, output),
        Command::Games(options) => return commands::games::run(catalogue, options, output),
        Command::Agents(options) => return commands::agents::run(catalogue, options, output),
        Command::Show(options) => return commands::show::run(catalogue, options, output),
        Command::Perft(options) => return commands::perft::run(catalogue, options, output),
        Command::Solve(options) => return commands::solve::run(catalogue, options, output),
        Command::Regret(options) => return commands::regret::run(catalogue, options, output),
        Command::Exploitability(options) => return commands::exploitability::run(catalogue, options, threads, output),
        Command::Exploit(options) => return commands::exploit::run(catalogue, options, threads, output),
        Command::Visits(options) => return commands::visits::run(catalogue, options, threads, output),
        Command::Nash(options) => commands::nash::run(options, output),
        Command::Replay(options) => return commands::replay::run(catalogue, options, output),
        Command::Match(options) => return commands::series::run(catalogue, options, threads, output),
        Command::Rank(options) => return commands::rank::run(catalogue, options, threads, output),
        Command::Play(options) => return commands::play::run(catalogue, options, output),
        Command::Bench(options) => return commands::bench::run(catalogue, options, threads, output),
        Command::Run(options) => return commands::run::run(catalogue, options, threads, output),
        Command::Work(options) => return commands::work::run(catalogue, options, threads, output),
        Command::Queue(options) => return commands::queue::run(catalogue, options, threads, output),
        Command::Reproduce(options) => return commands::reproduce::run(catalogue, options, threads, output),
        Command::Report(options) => commands::report::run(catalogue, options, output),
        Command::Compare(options) => commands::compare::run(catalogue, options, output),
        Command::Merge(options) => commands::merge::run(options, output),
        Command::Export(options) => commands::export::run(catalogue, options, output),
        Command::Store(options) => commands::store::run(catalogue, options, output),
        Command::Soak(options) => commands::soak::run(catalogue, options, output),
        Command::Laws(options) => return commands::laws::run(catalogue, options, threads, output),
        Command::Gdl(options) => commands::gdl::run(options, output),
        Command::Fuzzy(options) => return commands::fuzzy::run(catalogue, options, threads, output),
        Command::Train(options) => return commands::train::run(catalogue, options, threads, output),
        Command::Tune(options) => return commands::tune::run(catalogue, options, threads, output),
        Command::Net(options) => return commands::train::run_net(catalogue, options, output),
        Command::Ggp(options) => commands::ggp::run(catalogue, options, threads, output),
        Command::Tubstap(options) => commands::tubstap::run(catalogue, options, output),
        Command::Engine(options) => commands::engine::run(catalogue, options, output),
        Command::EngineCheck(options) => commands::engine::check(catalogue, options, output),
        Command::Mcp(options) => commands::mcp::run(catalogue, options, output),
        Command::Models(options) => commands::models::run(catalogue, options, output),
        Command::Demo(options) => commands::demo::run(catalogue, options, output),
        Command::Completions(options) => commands::shell::completions(options, output),
        Command::Man(options) => commands::shell::man(options, output),
    };
    done.map_err(Failure::from)
}

/// A guarded panic, such as that of an agent in a match, is reported where it was caught: the hook stays silent.
fn silence_guarded_panics() {
    let usual = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if !guarding() {
            usual(info);
        }
    }));
}

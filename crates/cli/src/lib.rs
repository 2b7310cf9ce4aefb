//! The command line of Tesuji, for any catalogue of games and agents.
//!
//! [`run`] is the whole program: command line, lab, tournaments, laws and solvers. Whoever adds games or agents of their own
//! calls it with their [`Catalogue`]; `examples/own-game` shows how. This crate reads arguments, asks the arena, and prints;
//! it has no logic of its own.

mod arguments;
mod commands;
mod interrupt;
mod output;
mod soak;

use std::panic;
use std::process::ExitCode;

use clap::Parser;
use tesuji_arena::Catalogue;
use tesuji_arena::engine::guard_programs;
use tesuji_arena::guarding;

use crate::arguments::{Cli, Command};
use crate::output::Output;

/// Runs the program: reads the arguments of the process, does what they ask for, and returns the exit code.
pub fn run(catalogue: Catalogue) -> ExitCode {
    guard_programs();
    let catalogue = &catalogue;
    silence_guarded_panics();
    interrupt::listen();
    let cli = Cli::parse();
    let command = cli.command.unwrap_or_default();
    let mut output = Output::new(cli.json);
    let result = match &command {
        Command::Lab(options) => commands::lab::run(catalogue, options, &mut output),
        Command::Games => commands::games::run(catalogue, &mut output),
        Command::Agents(options) => commands::agents::run(catalogue, options, &mut output),
        Command::Show(options) => commands::show::run(catalogue, options, &mut output),
        Command::Perft(options) => commands::perft::run(catalogue, options, &mut output),
        Command::Solve(options) => commands::solve::run(catalogue, options, &mut output),
        Command::Exploitability(options) => commands::exploitability::run(catalogue, options, &mut output),
        Command::Visits(options) => commands::visits::run(catalogue, options, &mut output),
        Command::Nash(options) => commands::nash::run(options, &mut output),
        Command::Replay(options) => commands::replay::run(catalogue, options, &mut output),
        Command::Match(options) => commands::series::run(catalogue, options, &mut output),
        Command::Play(options) => commands::play::run(catalogue, options, &mut output),
        Command::Bench(options) => commands::bench::run(catalogue, options, &mut output),
        Command::Run(options) => commands::run::run(catalogue, options, &mut output),
        Command::Reproduce(options) => commands::reproduce::run(catalogue, options, &mut output),
        Command::Report(options) => commands::report::run(catalogue, options, &mut output),
        Command::Compare(options) => commands::compare::run(catalogue, options, &mut output),
        Command::Merge(options) => commands::merge::run(options, &mut output),
        Command::Export(options) => commands::export::run(catalogue, options, &mut output),
        Command::Store(options) => commands::store::run(catalogue, options, &mut output),
        Command::Laws(options) => commands::laws::run(catalogue, options, &mut output),
        Command::Gdl(options) => commands::gdl::run(options, &mut output),
        Command::Fuzzy(options) => commands::fuzzy::run(catalogue, options, &mut output),
        Command::Ggp(options) => commands::ggp::run(catalogue, options, &mut output),
        Command::Tubstap(options) => commands::tubstap::run(catalogue, options, &mut output),
        Command::Engine(options) => commands::engine::run(catalogue, options),
        Command::EngineCheck(options) => commands::engine::check(catalogue, options, &mut output),
        Command::Demo(options) => commands::demo::run(catalogue, options, &mut output),
        Command::Soak(options) => commands::soak::run(catalogue, options, &mut output),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            output.error(&error);
            ExitCode::FAILURE
        }
    }
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

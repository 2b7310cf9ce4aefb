//! The command line of Tesuji. It reads arguments, asks the arena, and prints; it has no logic of its own.

mod arguments;
mod commands;
mod interrupt;
mod output;

use std::panic;
use std::process::ExitCode;

use clap::Parser;
use tesuji_arena::guarding;

use crate::arguments::{Cli, Command};
use crate::output::Output;

fn main() -> ExitCode {
    silence_guarded_panics();
    output::keep_errors_whole();
    interrupt::listen();
    let cli = Cli::parse();
    let command = cli.command.unwrap_or_default();
    let mut output = Output::new(cli.json);
    let result = match &command {
        Command::Lab(options) => commands::lab::run(options, &mut output),
        Command::Games => commands::games::run(&mut output),
        Command::Agents(options) => commands::agents::run(options, &mut output),
        Command::Show(options) => commands::show::run(options, &mut output),
        Command::Perft(options) => commands::perft::run(options, &mut output),
        Command::Solve(options) => commands::solve::run(options, &mut output),
        Command::Gap(options) => commands::gap::run(options, &mut output),
        Command::Visits(options) => commands::visits::run(options, &mut output),
        Command::Nash(options) => commands::nash::run(options, &mut output),
        Command::Replay(options) => commands::replay::run(options, &mut output),
        Command::Match(options) => commands::series::run(options, &mut output),
        Command::Play(options) => commands::play::run(options, &mut output),
        Command::Bench(options) => commands::bench::run(options, &mut output),
        Command::Run(options) => commands::run::run(options, &mut output),
        Command::Reproduce(options) => commands::reproduce::run(options, &mut output),
        Command::Report(options) => commands::report::run(options, &mut output),
        Command::Compare(options) => commands::compare::run(options, &mut output),
        Command::Merge(options) => commands::merge::run(options, &mut output),
        Command::Export(options) => commands::export::run(options, &mut output),
        Command::Laws(options) => commands::laws::run(options, &mut output),
        Command::Gdl(options) => commands::gdl::run(options, &mut output),
        Command::Fuzzy(options) => commands::fuzzy::run(options, &mut output),
        Command::Ggp(options) => commands::ggp::run(options, &mut output),
        Command::Tubstap(options) => commands::tubstap::run(options, &mut output),
        Command::Engine(options) => commands::engine::run(options),
        Command::EngineCheck(options) => commands::engine::check(options, &mut output),
        Command::Demo(options) => commands::demo::run(options, &mut output),
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

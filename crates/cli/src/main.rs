//! The command line of Tesuji. It reads arguments, asks the arena, and prints; it has no logic of its own.

mod arguments;
mod commands;
mod interrupt;
mod output;

use std::process::ExitCode;

use clap::Parser;

use crate::arguments::{Cli, Command};
use crate::output::Output;

fn main() -> ExitCode {
    interrupt::listen();
    let cli = Cli::parse();
    let command = cli.command.unwrap_or_default();
    let mut output = Output::new(cli.json);
    let result = match &command {
        Command::Games => commands::games::run(&mut output),
        Command::Agents(options) => commands::agents::run(options, &mut output),
        Command::Show(options) => commands::show::run(options, &mut output),
        Command::Perft(options) => commands::perft::run(options, &mut output),
        Command::Replay(options) => commands::replay::run(options, &mut output),
        Command::Match(options) => commands::series::run(options, &mut output),
        Command::Play(options) => commands::play::run(options, &mut output),
        Command::Bench(options) => commands::bench::run(options, &mut output),
        Command::Laws(options) => commands::laws::run(options, &mut output),
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

//! The whole program: command line, lab, tournaments, laws and solvers, with one more game and one more agent.

use std::process::ExitCode;

fn main() -> ExitCode {
    match own_game::catalogue() {
        Ok(catalogue) => tesuji::run(catalogue),
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

//! The program `tesuji`: the command line with the standard catalogue.

use std::process::ExitCode;

fn main() -> ExitCode {
    tesuji::run(tesuji::catalogue())
}

//! The program `tesuji`: the command line with the standard catalogue.

use std::process::ExitCode;

use tesuji::Catalogue;

fn main() -> ExitCode {
    tesuji::run(Catalogue::standard())
}

//! How a command fails, and the exit code that says so.

use std::process::ExitCode;
use std::sync::Arc;

use tesuji_arena::{AnyGame, Catalogue, InputError};

/// The exit code of a command that was interrupted: 128 + SIGINT, as shells expect.
pub(crate) const INTERRUPTED: u8 = 130;

/// Why a command failed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The command cannot mean anything: a wrong name, budget or combination of arguments.
    Usage(InputError),
    /// Something went wrong: a forfeited match, a broken law, a file that cannot be read.
    Fault(InputError),
    /// It was interrupted before it was done.
    Interrupted(InputError),
}

/// What a command returns.
pub(crate) type Outcome = Result<(), Failure>;

impl Failure {
    /// What to print.
    pub(crate) fn error(&self) -> &InputError {
        match self {
            Failure::Usage(error) | Failure::Fault(error) | Failure::Interrupted(error) => error,
        }
    }

    /// The exit code: 1 for faults, 2 for usage as for arguments that cannot be parsed, 130 for interruptions.
    pub(crate) fn code(&self) -> ExitCode {
        ExitCode::from(match self {
            Failure::Fault(_) => 1,
            Failure::Usage(_) => 2,
            Failure::Interrupted(_) => INTERRUPTED,
        })
    }
}

impl From<InputError> for Failure {
    fn from(error: InputError) -> Failure {
        Failure::Fault(error)
    }
}

/// Turns errors about arguments into [`Failure::Usage`].
pub(crate) trait OrUsage<T> {
    /// The value, or the error as one of usage.
    fn or_usage(self) -> Result<T, Failure>;
}

impl<T> OrUsage<T> for Result<T, InputError> {
    fn or_usage(self) -> Result<T, Failure> {
        self.map_err(Failure::Usage)
    }
}

/// Opens a game that an argument names.
pub(crate) fn open(catalogue: &Catalogue, address: &str) -> Result<Arc<dyn AnyGame>, Failure> {
    catalogue.open(address).map_err(|error| about(address, error))
}

/// Checks that the agent that an argument names can play.
pub(crate) fn check_agent(game: &dyn AnyGame, address: &str) -> Result<(), Failure> {
    game.check_agent(address).map_err(|error| about(address, error))
}

/// The failure of an address: a wrong one is an error of usage, the file that it names may be at fault.
pub(crate) fn about(address: &str, error: InputError) -> Failure {
    let arguments = address.split_once('(').map_or("", |(_, arguments)| arguments);
    // A place in the address itself is no place in a file.
    let in_a_file = error.place().is_some_and(|(source, _)| !address.contains(source.text()));
    if names_a_file(arguments) || in_a_file { Failure::Fault(error) } else { Failure::Usage(error) }
}

/// Does an argument look like a path? A dot before a digit belongs to a number.
fn names_a_file(arguments: &str) -> bool {
    let ending = |(at, _): (usize, &str)| arguments[at + 1..].starts_with(|letter: char| letter.is_ascii_alphabetic());
    arguments.contains(['/', '\\']) || arguments.match_indices('.').any(ending)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_told_from_numbers() {
        for (arguments, expected) in [("map=my.tbsmap)", true), ("./a)", true), ("c=0.5,d=.1)", false), ("6,6)", false)]
        {
            assert_eq!(names_a_file(arguments), expected, "{arguments}");
        }
    }
}

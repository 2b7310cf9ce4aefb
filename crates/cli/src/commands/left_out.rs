//! Commands that a build without their feature leaves out. Each has the functions of the real one, refuses, and says
//! how to get it.
//!
//! The connection to NATS and the Model Context Protocol are a third of what a release build compiles. Whoever starts
//! the lab needs neither.

use tesuji_arena::InputError;

/// Refuses a command of a feature that is not in this build.
fn left_out(what: &str, feature: &str) -> InputError {
    InputError::new(format!("{what} is not in this build (feature `{feature}`)"))
        .with_help("`cargo build --release --features full` builds the program with everything")
}

#[cfg(not(feature = "mcp"))]
pub(crate) mod mcp {
    use tesuji_arena::{Catalogue, InputError};

    use crate::arguments::McpOptions;
    use crate::output::Output;

    pub(crate) fn run(_: &Catalogue, _: &McpOptions, _: &mut Output) -> Result<(), InputError> {
        Err(super::left_out("the server of the Model Context Protocol", "mcp"))
    }
}

#[cfg(not(feature = "queue"))]
fn no_queue() -> InputError {
    left_out("the queue for many machines", "queue")
}

#[cfg(not(feature = "queue"))]
pub(crate) mod gather {
    use tesuji_arena::experiment::Experiment;
    use tesuji_arena::files::FileSet;
    use tesuji_arena::store::Store;
    use tesuji_arena::{InputError, RunEnd, Source, Summary};

    use crate::arguments::HowToRun;
    use crate::output::Output;

    pub(crate) fn gather(
        _: (&Experiment, FileSet),
        _: &Source,
        _: &mut Store,
        _: (&str, &HowToRun),
        _: &Output,
    ) -> Result<(RunEnd, Summary), InputError> {
        Err(super::no_queue())
    }
}

#[cfg(not(feature = "queue"))]
pub(crate) mod queue {
    use tesuji_arena::{Catalogue, InputError};
    use tesuji_web::QueueWatch;

    use crate::arguments::{LoginOptions, QueueOptions};
    use crate::failure::Outcome;
    use crate::output::Output;

    pub(crate) fn run(_: &Catalogue, _: &QueueOptions, _: usize, _: &mut Output) -> Outcome {
        Err(super::no_queue().into())
    }

    pub(crate) fn watch(_: &str, _: &LoginOptions) -> Result<QueueWatch, InputError> {
        Err(super::no_queue())
    }
}

#[cfg(not(feature = "queue"))]
pub(crate) mod work {
    use tesuji_arena::Catalogue;

    use crate::arguments::WorkOptions;
    use crate::failure::Outcome;
    use crate::output::Output;

    pub(crate) fn run(_: &Catalogue, _: &WorkOptions, _: usize, _: &mut Output) -> Outcome {
        Err(super::no_queue().into())
    }
}

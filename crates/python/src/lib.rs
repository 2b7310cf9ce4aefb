//! The Python package `tesuji`: games, agents, solvers and experiments for Python programs.
//!
//! This is a surface. It converts between Python objects and the arena's, and holds no rule, search or statistic.

// The macros of PyO3 expand to documented items that nobody outside this crate can reach.
#![allow(unreachable_pub)]

mod agent;
mod arena;
mod error;
mod game;
mod hosted;
mod interrupt;
mod json;
mod state;
mod vector;

use std::sync::LazyLock;

use pyo3::prelude::*;
use tesuji_arena::{Catalogue, HostedKind};
use tesuji_standard::GuidedKind;

/// The standard games and agents, and the kinds through which Python objects play.
pub(crate) static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| {
    let catalogue = tesuji_standard::builder().agent::<HostedKind>().agent::<GuidedKind>().standard().build();
    catalogue.unwrap_or_else(|error| panic!("the standard catalogue: {error}"))
});

/// Games, agents, solvers and experiments, compiled.
#[pymodule]
mod _tesuji {
    #[pymodule_export]
    use crate::agent::{Agent, Decision, agent};
    #[pymodule_export]
    use crate::arena::{nash, play_match, run, solve, tournament};
    #[pymodule_export]
    use crate::error::Error;
    #[pymodule_export]
    use crate::game::{Game, agents, games, open, playouts};
    #[pymodule_export]
    use crate::state::State;
    #[pymodule_export]
    use crate::vector::VectorEnv;

    #[pymodule_init]
    fn init(module: &pyo3::Bound<'_, pyo3::types::PyModule>) -> pyo3::PyResult<()> {
        use pyo3::types::PyModuleMethods;
        module.add("__version__", tesuji_arena::VERSION)?;
        module.add("CHANCE", crate::state::CHANCE)?;
        module.add("SIMULTANEOUS", crate::state::SIMULTANEOUS)?;
        module.add("TERMINAL", crate::state::TERMINAL)
    }
}

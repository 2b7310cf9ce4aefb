//! The agent kind `faulty`: fails on purpose, for tests.

use tesuji_core::{Arguments, Features, Game, InputError, Knowledge, Parameter};

use super::AgentKind;
use crate::{Agent, Fault, Faulty};

/// The kind `faulty`.
pub struct FaultyKind;

impl AgentKind for FaultyKind {
    const NAME: &'static str = "faulty";
    const SUMMARY: &'static str = "Random, then misbehaves on purpose: for testing that tournaments survive it";
    const HANDLES: Features = Features::all();
    const PARAMETERS: &'static [Parameter] = &[
        Parameter::new("fault", "panic", "what goes wrong: panic, illegal or slow (beyond its time budget)"),
        Parameter::new("after", "1000000", "decisions of a match that go well"),
    ];

    fn build<G: Game + Knowledge + 'static>(arguments: &Arguments, _: &G) -> Result<Box<dyn Agent<G>>, InputError> {
        let faults = [Fault::Panic, Fault::Illegal, Fault::Slow];
        let fault = faults[arguments.choice("fault", &["panic", "illegal", "slow"])?];
        Ok(Box::new(Faulty::new(fault, arguments.integer("after", 0..=u64::MAX)?)))
    }
}

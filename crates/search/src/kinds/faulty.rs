//! The agent kind `faulty`: fails on purpose, for tests.

use tesuji_core::{Arguments, Features, Game, InputError, Knowledge, Parameter};

use super::AgentKind;
use crate::{Agent, Fault, Faulty};

/// The kind `faulty`.
pub struct FaultyKind;

impl AgentKind for FaultyKind {
    const NAME: &'static str = "faulty";
    const SUMMARY: &'static str = "Plays at random, then fails on purpose: tests that tournaments survive it";
    const HANDLES: Features = Features::all();
    const SEARCHES: bool = false;
    const PARAMETERS: &'static [Parameter] = &[
        Parameter::new("fault", "panic", "how it fails: panic, illegal or slow (exceeds its time budget)"),
        Parameter::new("after", "1000000", "number of correct decisions of a match"),
    ];

    fn build<G: Game + Knowledge + 'static>(arguments: &Arguments, _: &G) -> Result<Box<dyn Agent<G>>, InputError> {
        let faults = [Fault::Panic, Fault::Illegal, Fault::Slow];
        let fault = faults[arguments.choice("fault", &["panic", "illegal", "slow"])?];
        Ok(Box::new(Faulty::new(fault, arguments.integer("after", 0..=u64::MAX)?)))
    }
}

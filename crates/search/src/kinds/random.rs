//! The agent kind `random`: uniformly random legal actions.

use tesuji_core::{Arguments, Features, Game, InputError, Knowledge, Parameter};

use super::AgentKind;
use crate::{Agent, Random};

/// The kind `random`.
pub struct RandomKind;

impl AgentKind for RandomKind {
    const NAME: &'static str = "random";
    const SUMMARY: &'static str = "A uniformly random legal action";
    const HANDLES: Features = Features::all();
    const PARAMETERS: &'static [Parameter] = &[];

    fn build<G: Game + Knowledge + 'static>(_: &Arguments, _: &G) -> Result<Box<dyn Agent<G>>, InputError> {
        Ok(Box::new(Random))
    }
}

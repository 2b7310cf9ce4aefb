//! The agent kind `guided`: a search whose evaluations and priors come from the program around Tesuji.
//!
//! It is no standard kind: a program that has such functions adds it to its catalogue.

use tesuji_core::{Arguments, Capabilities, Features, Game, InputError, Knowledge, Parameter};
use tesuji_play::Registry;

use super::AgentKind;
use super::parameters::{BUDGET, budget, joined};
use crate::Agent;
use crate::guided::{Advisor, Guided, GuidedSettings};

static ADVISORS: Registry<dyn Advisor> = Registry::new();

/// The kind `guided`.
pub struct GuidedKind;

impl GuidedKind {
    /// The evaluations and policies of the host, by name.
    pub fn advisors() -> &'static Registry<dyn Advisor> {
        &ADVISORS
    }
}

impl AgentKind for GuidedKind {
    const NAME: &'static str = "guided";
    const SUMMARY: &'static str =
        "Tree search guided by an evaluation or a policy of the program around Tesuji, called in batches";
    const HANDLES: Features = Features::OPEN.difference(Features::SIMULTANEOUS);
    const NEEDS: Capabilities = Capabilities::NUMBERS;
    const PARAMETERS: &'static [Parameter] = &joined::<6>(&[
        &[
            Parameter::required("advisor", "the name that the host registered"),
            Parameter::new("batch", "16", "the most states that are evaluated in one call, 1 to 4096"),
            Parameter::new("c", "1.25", "exploration constant c in Q + c·P·√N / (1 + n)"),
        ],
        &BUDGET,
    ]);

    fn build<G: Game + Knowledge + 'static>(arguments: &Arguments, game: &G) -> Result<Box<dyn Agent<G>>, InputError> {
        let settings = GuidedSettings {
            batch: arguments.integer("batch", 1..=4096)? as usize,
            exploration: arguments.number("c", 0.0..=1e6)?,
            budget: budget(arguments)?,
        };
        let advisor = ADVISORS.get(arguments.text("advisor"));
        let advisor = advisor.ok_or_else(|| arguments.wrong("advisor", "the name of a registered function"))?;
        match (game.action_index(), game.observation()) {
            (Some(index), Some(observation)) => Ok(Box::new(Guided::new(game, settings, advisor, index, observation))),
            _ => Err(InputError::new(format!("`{}` does not number its actions", game.spec().name))),
        }
    }
}

//! The agent kind `ismcts`: tree search for games with hidden information.

use tesuji_core::{Arguments, Capabilities, Features, Game, InputError, Knowledge, Parameter};

use super::AgentKind;
use super::networks::network_contents;
use super::parameters::{BUDGET, CHOICE_WORDS, PLAIN_SIMULATION, budget, joined, plain_simulation};
use super::requirements::lacks;
use crate::{Agent, FinalChoice, Ismcts};

/// The kind `ismcts`.
pub struct IsmctsKind;

impl AgentKind for IsmctsKind {
    const NAME: &'static str = "ismcts";
    const SUMMARY: &'static str = "Information-set MCTS: for hidden information, by sampling possible states";
    const HANDLES: Features = Features::all();
    const REQUIRES: Features = Features::HIDDEN;
    const NEEDS: Capabilities = Capabilities::PERCEPTION;
    const PARAMETERS: &'static [Parameter] = &joined::<12>(&[
        &BUDGET,
        &[
            // Cowling, Powley and Whitehouse 2012, §V: 0.7 for all games.
            Parameter::new("c", "0.7", "exploration constant c in mean + c·√(ln available / visits)"),
            Parameter::new("states", "500", "the most states that the player considers possible"),
            Parameter::new("choice", "visits", "the final action: visits, mean, robust, secure, mixed or sum"),
        ],
        // Without learning playouts: their statistics follow the history of the match, which is hidden here.
        &PLAIN_SIMULATION,
    ]);

    fn build<G: Game + Knowledge + 'static>(arguments: &Arguments, game: &G) -> Result<Box<dyn Agent<G>>, InputError> {
        let refusal = || lacks(arguments, game.spec(), "what players perceive", Capabilities::PERCEPTION);
        Ok(Box::new(Ismcts {
            perception: game.perception().ok_or_else(refusal)?,
            c: arguments.number("c", 0.0..=1e6)?,
            states: arguments.integer("states", 1..=1_000_000)? as usize,
            simulation: plain_simulation(arguments, game)?,
            choice: FinalChoice::ALL[arguments.choice("choice", &CHOICE_WORDS[..FinalChoice::ALL.len()])?],
            budget: budget(arguments)?,
            belief: None,
        }))
    }

    fn contents<G: Game + Knowledge>(arguments: &Arguments, game: &G) -> Result<String, InputError> {
        network_contents(arguments, game)
    }
}

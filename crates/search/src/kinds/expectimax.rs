//! The agent kind `expectimax`: depth-limited search with an evaluation.

use tesuji_core::{Arguments, Features, Game, InputError, Knowledge, Parameter};

use super::AgentKind;
use super::networks::{NET, asks_for_network, network_contents, network_evaluation};
use super::parameters::{BUDGET, budget, game_evaluation, joined};
use crate::{Agent, Expectimax, Pruning};

/// The kind `expectimax`.
pub struct ExpectimaxKind;

impl AgentKind for ExpectimaxKind {
    const NAME: &'static str = "expectimax";
    const SUMMARY: &'static str =
        "Expectiminimax with Star1 and Star2 pruning, iterative deepening and a table; max^n beyond two players";
    const HANDLES: Features =
        Features::CHANCE.union(Features::MULTI_ACTION).union(Features::GENERAL_SUM).union(Features::MANY_PLAYERS);
    const PARAMETERS: &'static [Parameter] = &joined::<9>(&[
        &BUDGET,
        &[
            Parameter::new(
                "depth",
                "99",
                "greatest search depth in choices, 1 to 999; the budget may end the search \
                earlier",
            ),
            Parameter::new(
                "evaluation",
                "",
                "evaluates the leaves, by a name the game offers or net (see net); empty: the first it offers, or even \
                    shares; none: even shares",
            ),
            Parameter::new("scale", "1", "the value of the evaluation that counts as almost won"),
            Parameter::new(
                "pruning",
                "star2",
                "pruning at chance nodes: off, star1 or star2; none of them changes the best value",
            ),
            Parameter::new("table", "65536", "entries of the transposition table, up to 16777216; 0: none"),
            NET,
        ],
    ]);

    fn build<G: Game + Knowledge + 'static>(arguments: &Arguments, game: &G) -> Result<Box<dyn Agent<G>>, InputError> {
        let evaluation = match arguments.text("evaluation") {
            "none" => None,
            name if asks_for_network(arguments, name)? => Some(network_evaluation(arguments, game)?),
            _ => game_evaluation(arguments, game)?,
        };
        Ok(Box::new(Expectimax {
            evaluation,
            scale: arguments.number("scale", 1e-9..=1e9)?,
            depth: arguments.integer("depth", 1..=999)? as u32,
            pruning: [Pruning::Off, Pruning::Star1, Pruning::Star2]
                [arguments.choice("pruning", &["off", "star1", "star2"])?],
            table: arguments.integer("table", 0..=1 << 24)? as usize,
            budget: budget(arguments)?,
            remembered: Default::default(),
        }))
    }

    fn contents<G: Game + Knowledge>(arguments: &Arguments, game: &G) -> Result<String, InputError> {
        network_contents(arguments, game)
    }
}

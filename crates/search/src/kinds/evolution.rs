//! The agent kind `evolution`: online evolution over whole turns.

use tesuji_core::{Arguments, Capabilities, Features, Game, InputError, Knowledge, Parameter};

use super::networks::{NET, network_contents};
use super::parameters::{NODES, PLAYOUT, PLAYOUTS, TIME, policy};
use super::requirements::{END, JUDGEMENT, SAMPLER, TURN_FEATURES, VALUE_SCALE, judgement};
use super::turn_agent::{DIVIDE, dividing_agent};
use super::{AgentKind, Preset};
use crate::{Agent, Evolution, Judge};

/// The kind `evolution`.
pub struct EvolutionKind;

impl AgentKind for EvolutionKind {
    const NAME: &'static str = "evolution";
    const SUMMARY: &'static str = "Online evolution: whole turns mutate and recombine, evaluated by short playouts";
    const HANDLES: Features = TURN_FEATURES;
    const NEEDS: Capabilities = Capabilities::HEURISTICS;
    // Population, survivors and mutation are those of Justesen, Mahlmann and Togelius (2016).
    const PARAMETERS: &'static [Parameter] = &[
        PLAYOUTS,
        NODES,
        TIME,
        Parameter::new("population", "100", "turns alive"),
        Parameter::new("survivors", "0.5", "the fraction of them that survives a generation"),
        Parameter::new("mutation", "0.1", "the probability that an action of a child mutates"),
        Parameter::new("simulations", "4", "playouts for each turn and generation"),
        Parameter::new("turns", "2", "turns of a playout; 0: evaluate at the end of the own turn"),
        Parameter::new(
            "replies",
            "0",
            "the best turns that half of the budget judges by the other side's best reply; 0: none, by playouts alone",
        ),
        DIVIDE,
        SAMPLER,
        PLAYOUT,
        JUDGEMENT,
        VALUE_SCALE,
        END,
        NET,
    ];

    const PRESETS: &'static [Preset] = &[
        // Found by `tesuji tune` on one generated map and confirmed on another (docs/training.md).
        Preset {
            name: "evolution-tuned",
            arguments: "population=60,simulations=2,turns=3,mutation=0.05,sampler=customary",
            summary: "Online evolution with the settings that the tuner found: turns drawn by the game's policy",
        },
    ];

    fn build<G: Game + Knowledge + 'static>(arguments: &Arguments, game: &G) -> Result<Box<dyn Agent<G>>, InputError> {
        let planner = Evolution {
            population: arguments.integer("population", 2..=1_000_000)? as usize,
            survivors: arguments.number("survivors", 0.0..=1.0)?,
            mutation: arguments.number("mutation", 0.0..=1.0)?,
            simulations: arguments.integer("simulations", 1..=1_000_000)? as u32,
            sampler: policy(arguments, SAMPLER.name, game)?,
            judge: Judge {
                policy: policy(arguments, PLAYOUT.name, game)?,
                turns: arguments.integer("turns", 0..=1_000_000)? as u32,
                evaluation: judgement(arguments, game)?,
            },
            replies: arguments.integer("replies", 0..=1_000_000)? as usize,
        };
        dividing_agent(planner, arguments, game)
    }

    fn contents<G: Game + Knowledge>(arguments: &Arguments, game: &G) -> Result<String, InputError> {
        network_contents(arguments, game)
    }
}

//! The agent kind `cfr`: counterfactual regret minimisation on the cut game.

use tesuji_core::{Arguments, Features, Game, InputError, Knowledge, Parameter};

use super::joint_mc::JOINT_FEATURES;
use super::networks::network_contents;
use super::parameters::{BUDGET, PLAIN_SIMULATION, budget, joined, plain_simulation};
use super::{AgentKind, Preset};
use crate::Agent;
use crate::joint::{Cfr, CfrMethod};

/// The kind `cfr`.
pub struct CfrKind;

impl AgentKind for CfrKind {
    const NAME: &'static str = "cfr";
    const SUMMARY: &'static str =
        "Counterfactual regret minimisation on the game cut at a depth, for one or two players";
    const HANDLES: Features = JOINT_FEATURES;
    const REQUIRES: Features = Features::SIMULTANEOUS;
    const PARAMETERS: &'static [Parameter] = &joined::<13>(&[
        &BUDGET,
        &[
            Parameter::new(
                "method",
                "plus",
                "how the cut game is traversed: plus (CFR+), external or outcome (sampling)",
            ),
            Parameter::new(
                "depth",
                "2",
                "choices before the cut; CFR+ cuts earlier where playouts are fewer than leaves",
            ),
            Parameter::new("rounds", "300", "for plus: iterations over the whole cut game"),
            Parameter::new("exploration", "0.4", "for outcome: the fraction of uniform play when the learner samples"),
        ],
        &PLAIN_SIMULATION,
    ]);
    const PRESETS: &'static [Preset] = &[
        // Lanctot and others 2009.
        Preset {
            name: "mccfr-external",
            arguments: "method=external,depth=1",
            summary: "Monte Carlo CFR by external sampling on the game cut after one step",
        },
        // Exploration 0.4: within the range that Lanctot's thesis (2013) recommends for small games.
        Preset {
            name: "mccfr-outcome",
            arguments: "method=outcome,depth=1,exploration=0.4",
            summary: "Monte Carlo CFR by outcome sampling on the game cut after one step",
        },
    ];

    fn build<G: Game + Knowledge + 'static>(arguments: &Arguments, game: &G) -> Result<Box<dyn Agent<G>>, InputError> {
        let rounds = arguments.integer("rounds", 1..=1_000_000)? as u32;
        let exploration = arguments.number("exploration", 1e-3..=1.0)?;
        Ok(Box::new(Cfr {
            method: match arguments.choice("method", &["plus", "external", "outcome"])? {
                0 => CfrMethod::Plus { rounds },
                1 => CfrMethod::External,
                _ => CfrMethod::Outcome { exploration },
            },
            depth: arguments.integer("depth", 1..=99)? as u32,
            simulation: plain_simulation(arguments, game)?,
            budget: budget(arguments)?,
        }))
    }

    fn contents<G: Game + Knowledge>(arguments: &Arguments, game: &G) -> Result<String, InputError> {
        network_contents(arguments, game)
    }
}

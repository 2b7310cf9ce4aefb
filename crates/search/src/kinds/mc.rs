//! The agent kind `mc` (flat Monte Carlo) and its presets.

use tesuji_core::{Arguments, Features, Game, InputError, Knowledge, Parameter};

use super::networks::network_contents;
use super::parameters::{BUDGET, CHOICE_WORDS, SIMULATION, budget, joined, simulation};
use super::{AgentKind, Preset};
use crate::{Agent, Allocation, FinalChoice, Mc};

/// The kind `mc`.
pub struct McKind;

impl AgentKind for McKind {
    const NAME: &'static str = "mc";
    const SUMMARY: &'static str = "Flat Monte Carlo: plays every action out many times and takes the best; no tree";
    const HANDLES: Features = Features::OPEN;
    const PARAMETERS: &'static [Parameter] = &joined::<22>(&[
        &BUDGET,
        &[
            Parameter::new(
                "allocation",
                "uniform",
                "which action gets the next playout: uniform (each in turn) or \
                ucb1",
            ),
            Parameter::new("c", "0.5", "for ucb1: exploration constant c in mean + c·√(ln N / n)"),
            Parameter::new("choice", "mean", "the final action: visits, mean, robust, secure, mixed or sum"),
        ],
        &SIMULATION,
    ]);
    const PRESETS: &'static [Preset] = &[
        Preset {
            name: "mc-ucb",
            arguments: "allocation=ucb1,choice=visits",
            summary: "Flat Monte Carlo that allocates playouts by UCB1",
        },
        // Paper 003, §5.2.4: every action equally often, uniformly random playouts to the end, the most wins. The
        // number of playouts was chosen to take 50 times as long as the 3-ply look-ahead.
        Preset {
            name: "mc003",
            arguments: "allocation=uniform,choice=mean,playout=uniform",
            summary: "The Monte Carlo player of paper 003 §5.2.4: equal shares, random playouts, most wins",
        },
        // Paper 001, §3: the Monte Carlo player of the GGP library. Every action in turn, random playouts to the end,
        // the best mean.
        Preset {
            name: "ggp-mc",
            arguments: "allocation=uniform,choice=mean,playout=uniform",
            summary: "The flat Monte Carlo player that paper 001 plays against: equal shares, random playouts",
        },
    ];

    fn build<G: Game + Knowledge + 'static>(arguments: &Arguments, game: &G) -> Result<Box<dyn Agent<G>>, InputError> {
        let c = arguments.number("c", 0.0..=1e6)?;
        Ok(Box::new(Mc {
            allocation: match arguments.choice("allocation", &["uniform", "ucb1"])? {
                0 => Allocation::Uniform,
                _ => Allocation::Ucb1 { c },
            },
            simulation: simulation(arguments, game)?,
            choice: FinalChoice::ALL[arguments.choice("choice", &CHOICE_WORDS[..FinalChoice::ALL.len()])?],
            budget: budget(arguments)?,
        }))
    }

    fn contents<G: Game + Knowledge>(arguments: &Arguments, game: &G) -> Result<String, InputError> {
        network_contents(arguments, game)
    }
}

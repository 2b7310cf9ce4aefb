//! `mc` and its presets.

use tesuji_core::{Arguments, Features, Game, InputError, Knowledge, Parameter};

use super::parameters::{
    CHOICE_WORDS, CHOICES, EVALUATION, HORIZON_STEPS, HORIZON_TURNS, NODES, PLAYOUT, PLAYOUTS, SCALE, TIME, budget,
    simulation,
};
use super::{AgentKind, Preset};
use crate::{Agent, Allocation, FlatMonteCarlo};

/// The kind `mc`.
pub struct FlatKind;

impl AgentKind for FlatKind {
    const NAME: &'static str = "mc";
    const SUMMARY: &'static str = "Flat Monte Carlo: plays every action out many times and takes the best; no tree";
    const HANDLES: Features = Features::all();
    const PARAMETERS: &'static [Parameter] = &[
        PLAYOUTS,
        NODES,
        TIME,
        Parameter::new("allocation", "uniform", "who gets the next playout: uniform (each in turn) or ucb1"),
        Parameter::new("c", "0.5", "for ucb1: how much the unknown attracts, in mean + c·√(ln N / n)"),
        Parameter::new("choice", "mean", "the final action: visits, mean, robust, secure or mixed"),
        PLAYOUT,
        HORIZON_STEPS,
        HORIZON_TURNS,
        EVALUATION,
        SCALE,
    ];
    const PRESETS: &'static [Preset] = &[Preset {
        name: "mc-ucb",
        arguments: "allocation=ucb1,choice=visits",
        summary: "Flat Monte Carlo whose playouts go where they promise most (UCB1)",
    }];

    fn build<G: Game + Knowledge + 'static>(arguments: &Arguments, game: &G) -> Result<Box<dyn Agent<G>>, InputError> {
        let c = arguments.number("c", 0.0..=1e6)?;
        Ok(Box::new(FlatMonteCarlo {
            allocation: match arguments.choice("allocation", &["uniform", "ucb1"])? {
                0 => Allocation::Uniform,
                _ => Allocation::Ucb1 { c },
            },
            simulation: simulation(arguments, game)?,
            choice: CHOICES[arguments.choice("choice", &CHOICE_WORDS[..CHOICES.len()])?],
            budget: budget(arguments)?,
        }))
    }
}

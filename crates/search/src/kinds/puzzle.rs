//! The agent kind `puzzle`: a solver for one player without chance.

use tesuji_core::{Arguments, ErrorKind, Features, Game, InputError, Knowledge, Parameter};

use super::AgentKind;
use super::parameters::{NODES, PLAYOUTS, TIME, budget};
use crate::{Agent, Puzzle, PuzzleSettings, is_puzzle};

/// The kind `puzzle`.
pub struct PuzzleKind;

impl AgentKind for PuzzleKind {
    const NAME: &'static str = "puzzle";
    const SUMMARY: &'static str =
        "Solves games for one player without chance: breadth-first and nested Monte Carlo search for a plan";
    const HANDLES: Features = Features::MULTI_ACTION.union(Features::GENERAL_SUM);
    /// Games for one player have this.
    const REQUIRES: Features = Features::GENERAL_SUM;
    const PARAMETERS: &'static [Parameter] = &[
        PLAYOUTS,
        NODES,
        TIME,
        Parameter::new("cap", "3000000", "the most positions stored; beyond, only nested search continues"),
        Parameter::new("level", "3", "the highest level of nested search"),
    ];

    fn build<G: Game + Knowledge + 'static>(arguments: &Arguments, game: &G) -> Result<Box<dyn Agent<G>>, InputError> {
        let spec = game.spec();
        if !is_puzzle(spec) {
            return Err(InputError::new(format!(
                "`{}` cannot play `{}`: it has several players",
                Self::NAME,
                spec.name
            ))
            .of_kind(ErrorKind::Refused)
            .with_help(format!("`tesuji agents --game \"{}\"` lists the agents that can", spec.name)));
        }
        let settings = PuzzleSettings {
            budget: budget(arguments)?,
            cap: arguments.integer("cap", 1..=100_000_000)? as usize,
            level: arguments.integer("level", 1..=8)? as u32,
        };
        Ok(Box::new(Puzzle::new(settings, game.value_features())))
    }
}

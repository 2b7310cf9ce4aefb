//! The agent kind `satisficing`: alpha-beta over the own turn and the reply, with forward pruning.

use tesuji_core::{Arguments, Capabilities, Features, Game, InputError, Knowledge, Parameter};

use super::AgentKind;
use super::networks::{NET, network_contents};
use super::parameters::{NODES, PLAYOUTS, TIME};
use super::requirements::{END, JUDGEMENT, ROUTINE, VALUE_SCALE, judgement, routine, tactics};
use super::turn_agent::turn_agent;
use crate::{Agent, Satisficing};

/// The kind `satisficing`.
pub struct SatisficingKind;

impl AgentKind for SatisficingKind {
    const NAME: &'static str = "satisficing";
    const SUMMARY: &'static str =
        "Alpha-beta over the own turn and the reply: fixed order, few actions a piece, few active pieces";
    /// Two players with opposite interests.
    const HANDLES: Features = Features::MULTI_ACTION;
    const NEEDS: Capabilities = Capabilities::HEURISTICS.union(Capabilities::TACTICS);
    const PARAMETERS: &'static [Parameter] = &[
        PLAYOUTS,
        NODES,
        TIME,
        Parameter::new("active", "5", "the most active pieces of a side"),
        JUDGEMENT,
        ROUTINE,
        VALUE_SCALE,
        END,
        NET,
    ];

    fn build<G: Game + Knowledge + 'static>(arguments: &Arguments, game: &G) -> Result<Box<dyn Agent<G>>, InputError> {
        let planner = Satisficing {
            tactics: tactics(arguments, game)?,
            active: arguments.integer("active", 1..=64)? as usize,
            evaluation: judgement(arguments, game)?,
            routine: routine(arguments, game)?,
        };
        turn_agent(planner, arguments)
    }

    fn contents<G: Game + Knowledge>(arguments: &Arguments, game: &G) -> Result<String, InputError> {
        network_contents(arguments, game)
    }
}

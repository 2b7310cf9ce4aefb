//! The agent kind `beam`: beam search over whole turns, judged by the best reply.

use tesuji_core::{Arguments, Capabilities, Features, Game, InputError, Knowledge, Parameter};

use super::AgentKind;
use super::networks::{NET, network_contents};
use super::parameters::{NODES, PLAYOUTS, TIME};
use super::requirements::{END, JUDGEMENT, VALUE_SCALE, judgement};
use super::turn_agent::turn_agent;
use crate::{Agent, Beam};

/// The kind `beam`.
pub struct BeamKind;

impl AgentKind for BeamKind {
    const NAME: &'static str = "beam";
    const SUMMARY: &'static str = "Beam search over the own turn, wider and wider; the best turns judged by the reply";
    /// Two players with opposite interests.
    const HANDLES: Features = Features::MULTI_ACTION;
    const NEEDS: Capabilities = Capabilities::HEURISTICS.union(Capabilities::VALUE_FEATURES);
    const PARAMETERS: &'static [Parameter] = &[
        PLAYOUTS,
        NODES,
        TIME,
        Parameter::new("width", "1024", "the greatest width of the beam"),
        Parameter::new("replies", "16", "the most turns judged by the reply; 0: turns are judged by their end"),
        Parameter::new("narrower", "4", "the own beam is this many times as wide as that of the reply"),
        JUDGEMENT,
        VALUE_SCALE,
        END,
        NET,
    ];

    fn build<G: Game + Knowledge + 'static>(arguments: &Arguments, game: &G) -> Result<Box<dyn Agent<G>>, InputError> {
        let planner = Beam {
            evaluation: judgement(arguments, game)?,
            width: arguments.integer("width", 1..=1 << 20)? as usize,
            replies: arguments.integer("replies", 0..=1 << 20)? as usize,
            narrower: arguments.integer("narrower", 1..=1 << 20)? as usize,
        };
        turn_agent(planner, arguments)
    }

    fn contents<G: Game + Knowledge>(arguments: &Arguments, game: &G) -> Result<String, InputError> {
        network_contents(arguments, game)
    }
}

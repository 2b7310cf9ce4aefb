//! Builds agents of whole turns from a planner and the parameters that they share.

use tesuji_core::{Arguments, Game, InputError, Knowledge, Parameter};

use super::networks::asks_for_network;
use super::parameters::budget;
use super::requirements::{JUDGEMENT, VALUE_SCALE, tactics};
use crate::{Agent, Divided, Planner, TurnAgent};

pub(super) const DIVIDE: Parameter = Parameter::new(
    "divide",
    "0",
    "plan local fights one after the other, at most this many pieces together (paper 002, section 8); 0: the whole \
        turn at once",
);

/// An agent that plays the plans of `planner`.
pub(super) fn turn_agent<G: Game + 'static, P: Planner<G> + 'static>(
    planner: P,
    arguments: &Arguments,
) -> Result<Box<dyn Agent<G>>, InputError> {
    let scale = arguments.number(VALUE_SCALE.name, 1e-9..=1e9)?;
    let agent = TurnAgent::new(planner, budget(arguments)?, scale);
    match asks_for_network(arguments, arguments.text(JUDGEMENT.name))? {
        true => Ok(Box::new(agent.with_shares())),
        false => Ok(Box::new(agent)),
    }
}

/// An agent that plays the plans of `planner`, for the whole turn or, by [`DIVIDE`], for each local fight.
pub(super) fn dividing_agent<G: Game + Knowledge + 'static, P: Planner<G> + 'static>(
    planner: P,
    arguments: &Arguments,
    game: &G,
) -> Result<Box<dyn Agent<G>>, InputError> {
    let most = arguments.integer(DIVIDE.name, 0..=1_000_000)? as u32;
    if most == 0 {
        return turn_agent(planner, arguments);
    }
    turn_agent(Divided { tactics: tactics(arguments, game)?, planner, most }, arguments)
}

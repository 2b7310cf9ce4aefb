//! The agent kind `attack-search`: all sequences of attacks up to a length.

use tesuji_core::{Arguments, Capabilities, Features, Game, InputError, Knowledge, Parameter};

use super::AgentKind;
use super::networks::{NET, network_contents};
use super::parameters::{NODES, PLAYOUTS, TIME};
use super::requirements::{
    END_BY_EVALUATION, JUDGEMENT, ROUTINE, STATES, TURN_FEATURES, VALUE_SCALE, attacks, judgement, routine,
};
use super::turn_agent::turn_agent;
use crate::{Agent, AttackSearch};

/// The kind `attack-search`.
pub struct AttackSearchKind;

/// The parameter l of paper 002, section 6.
pub(super) const LENGTH: Parameter = Parameter::new("length", "4", "the most attacks in a sequence (l in paper 002)");

impl AgentKind for AttackSearchKind {
    const NAME: &'static str = "attack-search";
    const SUMMARY: &'static str =
        "Attack action search (paper 002, section 4.2): all sequences of attacks, the rest by a routine";
    const HANDLES: Features = TURN_FEATURES;
    const NEEDS: Capabilities = Capabilities::HEURISTICS.union(Capabilities::ATTACKS);
    const PARAMETERS: &'static [Parameter] =
        &[PLAYOUTS, NODES, TIME, LENGTH, STATES, JUDGEMENT, ROUTINE, VALUE_SCALE, END_BY_EVALUATION, NET];

    fn build<G: Game + Knowledge + 'static>(arguments: &Arguments, game: &G) -> Result<Box<dyn Agent<G>>, InputError> {
        turn_agent(attack_search(arguments, game)?, arguments)
    }

    fn contents<G: Game + Knowledge>(arguments: &Arguments, game: &G) -> Result<String, InputError> {
        network_contents(arguments, game)
    }
}

/// The search given by the arguments `length`, `states`, `evaluation` and `routine`.
pub(super) fn attack_search<G: Knowledge + 'static>(
    arguments: &Arguments,
    game: &G,
) -> Result<AttackSearch<G>, InputError> {
    let attacks = attacks(arguments, game)?;
    let length = arguments.integer(LENGTH.name, 0..=1000)? as u32;
    let states = arguments.integer(STATES.name, 1..=10_000_000)? as usize;
    Ok(AttackSearch::new(attacks, length, states, judgement(arguments, game)?, routine(arguments, game)?))
}

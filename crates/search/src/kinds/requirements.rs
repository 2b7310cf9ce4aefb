//! What agents require of a game: parameters that refer to its capabilities, and errors for games that lack them.

use tesuji_core::{
    ActionFeatures, Arguments, Attacks, Capabilities, ErrorKind, Evaluation, Features, InputError, Knowledge, Named,
    Parameter, Policy, Spec, Tactics,
};

use super::networks::{asks_for_network, network_evaluation};
use super::parameters::{evaluation, evaluations, policy, unknown};
use crate::turns::ByResult;

/// The features that searches of whole turns handle: no chance and no joint moves.
pub(super) const TURN_FEATURES: Features =
    Features::MULTI_ACTION.union(Features::GENERAL_SUM).union(Features::MANY_PLAYERS);

pub(super) const JUDGEMENT: Parameter = Parameter::new(
    "evaluation",
    "auto",
    "evaluates states, by a name the game offers or net (see net); auto: the first it offers",
);
pub(super) const ROUTINE: Parameter = Parameter::new(
    "routine",
    "quiet",
    "moves those who do not attack: uniform, a policy the game offers, or the one it names for this (quiet)",
);
pub(super) const SAMPLER: Parameter = Parameter::new(
    "sampler",
    "uniform",
    "draws whole turns, action by action: uniform, customary or a policy the game offers",
);
pub(super) const VALUE_SCALE: Parameter =
    Parameter::new("scale", "10", "for reports: rise of the evaluation that lifts an even share to 0.73");
/// How planners judge a finished match. The papers' g(s) judges it like any other state.
/// The default is meant to outweigh every position; other values were not tried.
pub(super) const END: Parameter = Parameter::new("end", "1000", END_SUMMARY);
/// [`END`] with the default of the papers.
pub(super) const END_BY_EVALUATION: Parameter = Parameter::new("end", "evaluation", END_SUMMARY);
const END_SUMMARY: &str = "the value of a won match on the evaluation's scale, a lost one is its negative and a draw \
    0; evaluation: finished matches are evaluated like other states";
pub(super) const STATES: Parameter =
    Parameter::new("states", "20000", "the most states that one search of attacks examines");

/// The error that the agent needs a capability that the game does not offer.
pub(super) fn lacks(arguments: &Arguments, spec: &Spec, what: &str, capability: Capabilities) -> InputError {
    let game = &spec.name;
    InputError::new(format!(
        "`{}` cannot play `{game}`: it needs {what} (capability `{capability}`), which `{game}` does not offer",
        arguments.name()
    ))
    .of_kind(ErrorKind::Refused)
    .with_help(format!("`tesuji agents --game \"{game}\"` lists the agents that can"))
}

/// The game's attacks; an error if it does not distinguish them.
pub(super) fn attacks<G: Knowledge>(arguments: &Arguments, game: &G) -> Result<&'static dyn Attacks<G>, InputError> {
    let refusal = || lacks(arguments, game.spec(), "to tell attacks from other actions", Capabilities::ATTACKS);
    game.attacks().ok_or_else(refusal)
}

/// The game's tactics for whole turns; an error if it has none.
pub(super) fn tactics<G: Knowledge>(arguments: &Arguments, game: &G) -> Result<&'static dyn Tactics<G>, InputError> {
    game.tactics().ok_or_else(|| lacks(arguments, game.spec(), "tactics of whole turns", Capabilities::TACTICS))
}

/// The game's action features; an error if it has none.
pub(super) fn action_features<G: Knowledge>(
    arguments: &Arguments,
    game: &G,
) -> Result<&'static dyn ActionFeatures<G>, InputError> {
    let refusal = || lacks(arguments, game.spec(), "features of actions", Capabilities::ACTION_FEATURES);
    game.action_features().ok_or_else(refusal)
}

/// The evaluation of [`JUDGEMENT`], with finished matches judged as [`END`] says.
pub(super) fn judgement<G: Knowledge + 'static>(
    arguments: &Arguments,
    game: &G,
) -> Result<Box<dyn Evaluation<G>>, InputError> {
    let evaluation = named_judgement(arguments, game)?;
    // A network evaluates no finished match: it learns from the states before.
    if arguments.text(END.name) == "evaluation" && !evaluation.is_share() {
        return Ok(evaluation);
    }
    let won = match arguments.text(END.name) {
        "evaluation" => 1.0,
        _ => arguments
            .number(END.name, 0.0..=1e9)
            .map_err(|_| arguments.wrong(END.name, "a number from 0 to 1e9, or `evaluation`"))?,
    };
    Ok(Box::new(ByResult { evaluation, won }))
}

fn named_judgement<G: Knowledge>(arguments: &Arguments, game: &G) -> Result<Box<dyn Evaluation<G>>, InputError> {
    if asks_for_network(arguments, arguments.text(JUDGEMENT.name))? {
        return network_evaluation(arguments, game);
    }
    let offered = evaluations(game);
    let name = first_if_auto(arguments, JUDGEMENT.name, offered)
        .ok_or_else(|| lacks(arguments, game.spec(), "an evaluation of states", Capabilities::HEURISTICS))?;
    evaluation(game, name).ok_or_else(|| unknown(game.spec(), JUDGEMENT.name, name, &["auto"], offered))
}

/// The name given by a parameter, or the first one available for `auto`.
pub(super) fn first_if_auto<'a>(arguments: &'a Arguments, parameter: &str, offered: &[Named]) -> Option<&'a str> {
    match arguments.text(parameter) {
        "auto" => offered.first().map(|named| named.name),
        name => Some(name),
    }
}

/// The policy of [`ROUTINE`].
pub(super) fn routine<G: Knowledge + 'static>(
    arguments: &Arguments,
    game: &G,
) -> Result<Box<dyn Policy<G>>, InputError> {
    if arguments.text(ROUTINE.name) != "quiet" {
        return policy(arguments, ROUTINE.name, game);
    }
    match game.tactics() {
        Some(tactics) => Ok(tactics.quiet_policy(game)),
        None => Err(lacks(arguments, game.spec(), "a quiet policy", Capabilities::TACTICS)),
    }
}

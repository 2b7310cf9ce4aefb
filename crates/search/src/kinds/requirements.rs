//! What an agent needs to know of a game; a game that does not offer it is refused.

use tesuji_core::{Arguments, Evaluation, Features, Game, InputError, Knowledge, Named, Parameter, Policy, Turn};

use super::parameters::{policy, unknown};

/// What searches of whole turns can play: no chance and no joint moves.
pub(super) const TURN_FEATURES: Features =
    Features::MULTI_ACTION.union(Features::GENERAL_SUM).union(Features::MANY_PLAYERS);

pub(super) const JUDGEMENT: Parameter =
    Parameter::new("evaluation", "auto", "judges states, by a name the game offers; auto: the first it offers");
pub(super) const ROUTINE: Parameter = Parameter::new(
    "routine",
    "quiet",
    "acts for those who do not attack: uniform, a policy the game offers, or the one it names for this (quiet)",
);
pub(super) const SAMPLER: Parameter = Parameter::new(
    "sampler",
    "uniform",
    "draws whole turns, action by action: uniform, customary or a policy the game offers",
);
pub(super) const VALUE_SCALE: Parameter =
    Parameter::new("scale", "10", "for reports: how far the evaluation must rise to lift an even share to 0.73");
pub(super) const STATES: Parameter =
    Parameter::new("states", "20000", "the most states that one search of attacks looks at");

/// The refusal: the agent needs something that the game does not offer.
fn lacks<G: Game>(arguments: &Arguments, game: &G, what: &str) -> InputError {
    let game = &game.spec().name;
    InputError::new(format!(
        "`{}` cannot play `{game}`: it needs {what}, which `{game}` does not offer",
        arguments.name()
    ))
    .with_help(format!("`tesuji agents --game \"{game}\"` lists the agents that can"))
}

/// What the game says of its first choice; `None` if there is nothing to choose.
fn at_first_choice<G: Game, T>(game: &G, ask: impl Fn(&G::State, G::Action) -> T) -> Option<T> {
    let state = game.start();
    let Turn::Player(player) = game.turn(&state) else { return None };
    let mut legal = Vec::new();
    game.legal(&state, player, &mut legal);
    Some(ask(&state, legal[0]))
}

/// Refuses games that do not know attacks.
pub(super) fn needs_attacks<G: Knowledge>(arguments: &Arguments, game: &G) -> Result<(), InputError> {
    match at_first_choice(game, |state, action| game.is_attack(state, action)) {
        Some(None) => Err(lacks(arguments, game, "to know attacks")),
        _ => Ok(()),
    }
}

/// Refuses games that do not know which piece acts.
pub(super) fn needs_pieces<G: Knowledge>(arguments: &Arguments, game: &G) -> Result<(), InputError> {
    match at_first_choice(game, |state, action| game.piece(state, action)) {
        Some(None) => Err(lacks(arguments, game, "to know which piece acts")),
        _ => Ok(()),
    }
}

/// Refuses games that tell no features of actions.
pub(super) fn needs_features<G: Knowledge>(arguments: &Arguments, game: &G) -> Result<(), InputError> {
    match game.action_feature_names() {
        [] => Err(lacks(arguments, game, "features of actions")),
        _ => Ok(()),
    }
}

/// Refuses games that do not name a few actions of a piece.
pub(super) fn needs_representatives<G: Knowledge>(arguments: &Arguments, game: &G) -> Result<(), InputError> {
    needs_pieces(arguments, game)?;
    let offered = |state: &G::State, action| {
        game.piece(state, action).is_some_and(|piece| game.representatives(state, piece, &mut Vec::new()))
    };
    match at_first_choice(game, offered) {
        Some(false) => Err(lacks(arguments, game, "a few actions that stand for all of a piece")),
        _ => Ok(()),
    }
}

/// Refuses games that cannot be taken apart.
pub(super) fn needs_fights<G: Knowledge>(arguments: &Arguments, game: &G) -> Result<(), InputError> {
    needs_pieces(arguments, game)?;
    match at_first_choice(game, |state, _| game.fights(state, 1).is_some()) {
        Some(false) => Err(lacks(arguments, game, "states that can be taken apart")),
        _ => Ok(()),
    }
}

/// The evaluation of [`JUDGEMENT`].
pub(super) fn judgement<G: Knowledge>(arguments: &Arguments, game: &G) -> Result<Box<dyn Evaluation<G>>, InputError> {
    let offered = game.evaluations();
    let name = first_if_auto(arguments, JUDGEMENT.name, offered)
        .ok_or_else(|| lacks(arguments, game, "an evaluation of states"))?;
    game.evaluation(name).ok_or_else(|| unknown(game, JUDGEMENT.name, name, &["auto"], offered))
}

/// The name that a parameter gives, or the first on offer for `auto`.
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
    let quiet = game.quiet_policy().and_then(|name| game.policy(name));
    quiet.ok_or_else(|| lacks(arguments, game, "a quiet policy"))
}

//! Parameters that several kinds take, and how they are read.

use tesuji_core::{Arguments, Game, Horizon, InputError, Knowledge, Named, Parameter, Policy, Uniform, nearest};

use crate::budget::parse_time;
use crate::{Budget, FinalChoice, Simulation};

pub(super) const PLAYOUTS: Parameter =
    Parameter::new("playouts", "", "playouts per decision; empty: the seat's budget");
pub(super) const NODES: Parameter = Parameter::new("nodes", "", "nodes made per decision; empty: the seat's budget");
pub(super) const TIME: Parameter =
    Parameter::new("time", "", "time per decision such as 250ms; empty: the seat's budget");
pub(super) const PLAYOUT: Parameter = Parameter::new(
    "playout",
    "customary",
    "who plays on: uniform, a policy the game offers, or the game's customary one (uniform if it names none)",
);
pub(super) const HORIZON_STEPS: Parameter =
    Parameter::new("steps", "", "a playout's greatest length in steps; empty: to the end");
pub(super) const HORIZON_TURNS: Parameter =
    Parameter::new("turns", "", "a playout's greatest length in turns; empty: to the end");
pub(super) const EVALUATION: Parameter =
    Parameter::new("evaluation", "", "judges a playout cut short, by a name the game offers; empty: everybody even");
pub(super) const SCALE: Parameter =
    Parameter::new("scale", "1", "how far the evaluation must rise to lift an even share to 0.73");

/// The budget among the arguments; no limit if none is given.
pub(super) fn budget(arguments: &Arguments) -> Result<Budget, InputError> {
    let count = |name: &str| optional(arguments, name, |name| arguments.integer(name, 1..=u64::MAX));
    let time = |name: &str| {
        parse_time(arguments.text(name)).ok_or_else(|| arguments.wrong(name, "a time such as 250ms, 1.5s or 2min"))
    };
    Ok(Budget { playouts: count("playouts")?, nodes: count("nodes")?, time: optional(arguments, "time", time)? })
}

/// `None` if the text of a parameter is empty.
pub(super) fn optional<T>(
    arguments: &Arguments,
    name: &str,
    read: impl FnOnce(&str) -> Result<T, InputError>,
) -> Result<Option<T>, InputError> {
    if arguments.text(name).is_empty() { Ok(None) } else { read(name).map(Some) }
}

/// How playouts go, by the arguments and what the game knows.
pub(super) fn simulation<G: Knowledge + 'static>(arguments: &Arguments, game: &G) -> Result<Simulation<G>, InputError> {
    let length = |name: &str| optional(arguments, name, |name| arguments.integer(name, 0..=u64::from(u32::MAX)));
    let policy = policy(arguments, PLAYOUT.name, game)?;
    let evaluation = match arguments.text(EVALUATION.name) {
        "" => None,
        name => {
            Some(game.evaluation(name).ok_or_else(|| unknown(game, EVALUATION.name, name, &[], game.evaluations()))?)
        }
    };
    let horizon = Horizon {
        steps: length(HORIZON_STEPS.name)?.map_or(u32::MAX, |steps| steps as u32),
        turns: length(HORIZON_TURNS.name)?.map_or(u32::MAX, |turns| turns as u32),
    };
    Ok(Simulation { policy, horizon, evaluation, scale: arguments.number(SCALE.name, 1e-9..=1e9)? })
}

/// The policy that a parameter names.
pub(super) fn policy<G: Knowledge + 'static>(
    arguments: &Arguments,
    parameter: &str,
    game: &G,
) -> Result<Box<dyn Policy<G>>, InputError> {
    let name = match arguments.text(parameter) {
        "customary" => game.customary_policy().unwrap_or("uniform"),
        name => name,
    };
    match name {
        "uniform" => Ok(Box::new(Uniform::default())),
        name => {
            game.policy(name).ok_or_else(|| unknown(game, parameter, name, &["uniform", "customary"], game.policies()))
        }
    }
}

/// The error that the game offers nothing of that name.
pub(super) fn unknown<G: Game>(
    game: &G,
    parameter: &str,
    name: &str,
    always: &[&str],
    offered: &[Named],
) -> InputError {
    let names: Vec<&str> = always.iter().copied().chain(offered.iter().map(|named| named.name)).collect();
    let near = nearest(name, names.iter().copied(), 1);
    let hint = near.first().map_or(String::new(), |near| format!("; did you mean `{near}`?"));
    let offer = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    let game = &game.spec().name;
    InputError::new(format!("`{parameter}={name}`: `{game}` has no such {parameter}{hint}"))
        .with_help(format!("`{game}` offers {offer}"))
}

/// The words for [`FinalChoice`], in the order of [`CHOICES`]; agents that choose by themselves take the last word too.
pub(super) const CHOICE_WORDS: [&str; 6] = ["visits", "mean", "robust", "secure", "mixed", "auto"];
pub(super) const CHOICES: [FinalChoice; 5] =
    [FinalChoice::Visits, FinalChoice::Mean, FinalChoice::Robust, FinalChoice::Secure, FinalChoice::Mixed];

//! Parameters shared by several kinds, and how they are parsed.

use tesuji_core::{
    Arguments, ErrorKind, Evaluation, Horizon, InputError, Knowledge, Named, Parameter, Policy, Spec, Uniform,
    did_you_mean,
};
use tesuji_play::parse_time;

use super::networks::{NET, asks_for_network, network_evaluation};
use crate::{
    Batch, Budget, GramHistory, Grams, LONGEST_GRAM, Learner, Learning, Method, PlayoutSelection, Simulation,
    StatePairs,
};

pub(super) const PLAYOUTS: Parameter =
    Parameter::new("playouts", "", "playouts per decision; empty: the seat's budget");
pub(super) const NODES: Parameter = Parameter::new("nodes", "", "nodes created per decision; empty: the seat's budget");
pub(super) const TIME: Parameter =
    Parameter::new("time", "", "time per decision such as 250ms; empty: the seat's budget");
/// The budget of an agent; see [`budget`].
pub(super) const BUDGET: [Parameter; 3] = [PLAYOUTS, NODES, TIME];
pub(super) const PLAYOUT: Parameter = Parameter::new(
    "playout",
    "customary",
    "playout policy: uniform, a policy the game offers, or the game's customary one (uniform if it has none)",
);
pub(super) const HORIZON_STEPS: Parameter =
    Parameter::new("steps", "", "a playout's greatest length in steps; empty: to the end");
pub(super) const HORIZON_TURNS: Parameter =
    Parameter::new("turns", "", "a playout's greatest length in turns; empty: to the end");
pub(super) const EVALUATION: Parameter = Parameter::new(
    "evaluation",
    "",
    "evaluates a playout cut short, by a name the game offers or net (see net); empty: even shares",
);
pub(super) const SCALE: Parameter =
    Parameter::new("scale", "1", "rise of the evaluation that lifts an even share to 0.73");

pub(super) const LEARN: Parameter = Parameter::new(
    "learn",
    "none",
    "what playouts learn from earlier ones: none, mast (actions), nst (sequences of actions) or bigram (pairs of \
        states)",
);
pub(super) const GRAMS: Parameter = Parameter::new("grams", "3", "for nst: the longest sequence of actions");
pub(super) const LEAST: Parameter =
    Parameter::new("least", "7", "for nst: visits from which a sequence of two or more actions counts");
pub(super) const HISTORY: Parameter = Parameter::new(
    "history",
    "joint",
    "for nst: what precedes an action, the steps of all (joint) or its player's (own)",
);
pub(super) const EPSILON: Parameter =
    Parameter::new("epsilon", "0.4", "learning playouts: probability that the playout policy chooses");
pub(super) const TEMPERATURE: Parameter = Parameter::new(
    "temperature",
    "",
    "learning playouts: choose in proportion to exp(score / temperature) instead of the best; empty: the best",
);
pub(super) const UNSEEN: Parameter =
    Parameter::new("unseen", "1", "learning playouts: the score, from 0 to 1, of what was never seen");
pub(super) const DECAY: Parameter =
    Parameter::new("decay", "0.2", "learning playouts: factor for all visits at the next decision of a match");
pub(super) const SAMPLE: Parameter =
    Parameter::new("sample", "", "for bigram: number of actions examined, drawn at random; empty: all");
pub(super) const BATCH: Parameter = Parameter::new(
    "batch",
    "auto",
    "batched playouts, if only time is limited and the game supports them: auto or off",
);

/// The parameters of playouts without learning and batches; see [`plain_simulation`].
pub(super) const PLAIN_SIMULATION: [Parameter; 6] = [PLAYOUT, HORIZON_STEPS, HORIZON_TURNS, EVALUATION, SCALE, NET];

/// The parameters of playouts, including learning; see [`simulation`].
pub(super) const SIMULATION: [Parameter; 16] =
    joined(&[&PLAIN_SIMULATION, &[LEARN, GRAMS, LEAST, HISTORY, EPSILON, TEMPERATURE, UNSEEN, DECAY, SAMPLE, BATCH]]);

/// Several lists of parameters in one. `N` must be their number, or it does not compile.
pub(super) const fn joined<const N: usize>(lists: &[&[Parameter]]) -> [Parameter; N] {
    let mut all = [PLAYOUTS; N];
    let (mut filled, mut list) = (0, 0);
    while list < lists.len() {
        let mut index = 0;
        while index < lists[list].len() {
            all[filled] = lists[list][index];
            filled += 1;
            index += 1;
        }
        list += 1;
    }
    assert!(filled == N, "as many parameters as the lists hold");
    all
}

/// The budget given by the arguments; no limit if none is given.
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

/// Playouts without learning and batches, as given by the arguments.
pub(super) fn plain_simulation<G: Knowledge + 'static>(
    arguments: &Arguments,
    game: &G,
) -> Result<Simulation<G>, InputError> {
    let length = |name: &str| optional(arguments, name, |name| arguments.integer(name, 0..=u64::from(u32::MAX)));
    let evaluation = match arguments.text(EVALUATION.name) {
        name if asks_for_network(arguments, name)? => Some(network_evaluation(arguments, game)?),
        "" => None,
        name => {
            let found = evaluation(game, name);
            Some(found.ok_or_else(|| unknown(game.spec(), EVALUATION.name, name, &[], evaluations(game)))?)
        }
    };
    Ok(Simulation {
        policy: policy(arguments, PLAYOUT.name, game)?,
        horizon: Horizon {
            steps: length(HORIZON_STEPS.name)?.map_or(u32::MAX, |steps| steps as u32),
            turns: length(HORIZON_TURNS.name)?.map_or(u32::MAX, |turns| turns as u32),
        },
        evaluation,
        scale: arguments.number(SCALE.name, 1e-9..=1e9)?,
        learner: None,
        batch: None,
        even_at_limit: None,
    })
}

/// Playouts as given by the arguments and the game's knowledge.
pub(super) fn simulation<G: Knowledge + 'static>(arguments: &Arguments, game: &G) -> Result<Simulation<G>, InputError> {
    let plain = plain_simulation(arguments, game)?;
    let learner = learning(arguments)?.map(Learner::new);
    let batch = if learner.is_none() { batch(arguments, game, plain.horizon)? } else { None };
    Ok(Simulation { learner, batch, ..plain })
}

/// Batches of the playouts that the arguments ask for; `None` if they or the game do not allow them.
pub(super) fn batch<G: Knowledge + 'static>(
    arguments: &Arguments,
    game: &G,
    horizon: Horizon,
) -> Result<Option<Batch<G>>, InputError> {
    let wanted = arguments.choice(BATCH.name, &["auto", "off"])? == 0;
    let uniform = policy_name(arguments, PLAYOUT.name, game) == "uniform";
    let batch = if G::BATCHES && wanted && uniform && horizon == Horizon::END { game.batch() } else { None };
    Ok(batch.map(Batch::new))
}

/// The learning of playouts given by the arguments.
fn learning(arguments: &Arguments) -> Result<Option<Learning>, InputError> {
    let longest = arguments.integer(GRAMS.name, 1..=LONGEST_GRAM as u64)? as usize;
    let least = arguments.integer(LEAST.name, 0..=u64::from(u32::MAX))? as u32;
    let history = [GramHistory::Joint, GramHistory::Own][arguments.choice(HISTORY.name, &["joint", "own"])?];
    let sample = optional(arguments, SAMPLE.name, |name| arguments.integer(name, 1..=u64::from(u32::MAX)))?;
    let epsilon = arguments.number(EPSILON.name, 0.0..=1.0)?;
    let temperature = optional(arguments, TEMPERATURE.name, |name| arguments.number(name, 1e-3..=1e6))?;
    let selection =
        temperature.map_or(PlayoutSelection::Greedy { epsilon }, |temperature| PlayoutSelection::Gibbs { temperature });
    let unseen = arguments.number(UNSEEN.name, 0.0..=1.0)? as f32;
    let decay = arguments.number(DECAY.name, 0.0..=1.0)?;
    let method = match arguments.choice(LEARN.name, &["none", "mast", "nst", "bigram"])? {
        0 => return Ok(None),
        1 => Method::Grams(Grams { longest: 1, least, history }),
        2 => Method::Grams(Grams { longest, least, history }),
        _ => Method::Pairs(StatePairs { sample: sample.map_or(usize::MAX, |sample| sample as usize) }),
    };
    Ok(Some(Learning { method, selection, unseen, decay }))
}

/// The evaluation that the arguments name, or the game's first one; `None` if it has none.
pub(super) fn game_evaluation<G: Knowledge>(
    arguments: &Arguments,
    game: &G,
) -> Result<Option<Box<dyn Evaluation<G>>>, InputError> {
    let name = match arguments.text(EVALUATION.name) {
        "" => match evaluations(game).first() {
            Some(first) => first.name,
            None => return Ok(None),
        },
        name => name,
    };
    let found = evaluation(game, name);
    found.map(Some).ok_or_else(|| unknown(game.spec(), EVALUATION.name, name, &[], evaluations(game)))
}

/// The game's evaluations of states.
pub(super) fn evaluations<G: Knowledge>(game: &G) -> &'static [Named] {
    game.heuristics().map_or(&[], |heuristics| heuristics.evaluations(game))
}

/// The game's evaluation of states called `name`.
pub(super) fn evaluation<G: Knowledge>(game: &G, name: &str) -> Option<Box<dyn Evaluation<G>>> {
    game.heuristics()?.evaluation(game, name)
}

/// The game's first evaluation whose values are shares of the payoff range.
pub(super) fn share_evaluation<G: Knowledge>(game: &G) -> Option<Box<dyn Evaluation<G>>> {
    let offered = evaluations(game).iter().filter_map(|named| evaluation(game, named.name));
    offered.into_iter().find(|evaluation| evaluation.is_share())
}

/// The policy name that a parameter stands for.
fn policy_name<'a, G: Knowledge>(arguments: &'a Arguments, parameter: &str, game: &G) -> &'a str {
    match arguments.text(parameter) {
        "customary" => {
            let customary = game.heuristics().and_then(|heuristics| heuristics.customary_policy(game));
            customary.unwrap_or("uniform")
        }
        name => name,
    }
}

/// The policy that a parameter names.
pub(super) fn policy<G: Knowledge + 'static>(
    arguments: &Arguments,
    parameter: &str,
    game: &G,
) -> Result<Box<dyn Policy<G>>, InputError> {
    match policy_name(arguments, parameter, game) {
        "uniform" => Ok(Box::new(Uniform::default())),
        name => {
            let heuristics = game.heuristics();
            let found = heuristics.and_then(|heuristics| heuristics.policy(game, name));
            let offered = heuristics.map_or(&[][..], |heuristics| heuristics.policies(game));
            found.ok_or_else(|| unknown(game.spec(), parameter, name, &["uniform", "customary"], offered))
        }
    }
}

/// The error that the game offers nothing with that name.
pub(super) fn unknown(spec: &Spec, parameter: &str, name: &str, always: &[&str], offered: &[Named]) -> InputError {
    let names: Vec<&str> = always.iter().copied().chain(offered.iter().map(|named| named.name)).collect();
    let hint = did_you_mean(name, names.iter().copied());
    let offer = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    let game = &spec.name;
    InputError::new(format!("`{parameter}={name}`: `{game}` has no such {parameter}{hint}"))
        .of_kind(ErrorKind::Parameter)
        .with_help(format!("`{game}` offers {offer}"))
}

/// The error that `parameter` names none of `names`.
pub(super) fn unknown_name(parameter: &str, name: &str, names: &[&str]) -> InputError {
    let hint = did_you_mean(name, names.iter().copied());
    InputError::new(format!("`{name}` among `{parameter}`: there is none{hint}"))
        .of_kind(ErrorKind::Parameter)
        .with_help(format!("one of {}", names.join(", ")))
}

/// The words for [`crate::FinalChoice::ALL`], in its order; agents that choose in their own way accept the last word
/// too.
pub(super) const CHOICE_WORDS: [&str; 7] = ["visits", "mean", "robust", "secure", "mixed", "sum", "auto"];

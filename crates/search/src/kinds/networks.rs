//! The parameter `net` of learned evaluations, and how its network is found.

use std::sync::Arc;

use tesuji_core::{Arguments, Evaluation, InputError, Knowledge, Named, Parameter, Source, Spec, looks_like_a_path};
use tesuji_learn::{Network, NetworkEvaluation};

use super::parameters::unknown;

/// The name of the learned evaluation among a game's evaluations.
pub(super) const NET_EVALUATION: &str = "net";

pub(super) const NET: Parameter = Parameter::new(
    "net",
    "",
    "for evaluation=net: the network, by a name the game offers, or the path of a file that `train` wrote; empty: the \
        first it offers",
)
.file();

/// Whether the arguments ask for a learned evaluation: `evaluation=net`, or a network and no other evaluation.
pub(super) fn asks_for_network(arguments: &Arguments, evaluation: &str) -> Result<bool, InputError> {
    let named = !arguments.text(NET.name).is_empty();
    match evaluation {
        NET_EVALUATION => Ok(true),
        "" | "auto" => Ok(named),
        other if named => {
            Err(arguments.wrong(NET.name, format!("nothing beside `evaluation={other}`, which needs no network")))
        }
        _ => Ok(false),
    }
}

/// The learned evaluation that the arguments name.
pub(super) fn network_evaluation<G: Knowledge>(
    arguments: &Arguments,
    game: &G,
) -> Result<Box<dyn Evaluation<G>>, InputError> {
    let source = network_source(arguments, game)?;
    let network = Network::read(&source)?;
    let evaluation = NetworkEvaluation::new(Arc::new(network), game).map_err(|error| error.in_file(source.name()))?;
    Ok(Box::new(evaluation))
}

/// The text of the network that decisions depend on; empty if the arguments ask for none.
pub(super) fn network_contents<G: Knowledge>(arguments: &Arguments, game: &G) -> Result<String, InputError> {
    match asks_for_network(arguments, arguments.text("evaluation"))? {
        true => Ok(network_source(arguments, game)?.text().to_owned()),
        false => Ok(String::new()),
    }
}

/// The text of the network: a file if the name looks like a path, otherwise one of the game's.
pub(super) fn network_source<G: Knowledge>(arguments: &Arguments, game: &G) -> Result<Source, InputError> {
    let features = game.value_features();
    let offered: &[Named] = features.map_or(&[], |features| features.networks(game));
    named_source(arguments, game.spec(), offered, &|name| features?.network(game, name))
}

/// The network that the arguments name, among those that the game offers. Compiled once for all games.
fn named_source(
    arguments: &Arguments,
    spec: &Spec,
    offered: &[Named],
    text: &dyn Fn(&str) -> Option<&'static str>,
) -> Result<Source, InputError> {
    let name = arguments.text(NET.name);
    if looks_like_a_path(name) {
        return arguments.file(NET.name).map_err(|error| error.with_help("`tesuji train` writes network files"));
    }
    let name = match (name, offered) {
        ("", [first, ..]) => first.name,
        ("", []) => {
            let game = &spec.name;
            return Err(InputError::new(format!("`{game}` comes without a network for `evaluation=net`"))
                .with_help(format!("`tesuji train \"{game}\"` trains one; `net=FILE` names its file")));
        }
        (name, _) => name,
    };
    let text = text(name).ok_or_else(|| {
        let error = unknown(spec, NET.name, name, &[], offered);
        let help = error.help_text().unwrap_or_default().to_owned();
        error.with_help(format!("{help}; a file is given by a path with a dot or a slash, such as `./{name}.net`"))
    })?;
    Ok(Source::new(format!("{name}.net"), text))
}

//! The parameters of the fuzzy evaluation of actions, and how its table is found.

use std::sync::Arc;

use tesuji_core::{Arguments, InputError, Knowledge, Parameter, Source, looks_like_a_path};

use super::parameters::{optional, unknown};
use super::requirements::action_features;
use crate::FuzzyJudgement;
use tesuji_fuzzy::Memberships;

pub(super) const FUZZY: Parameter = Parameter::new(
    "fuzzy",
    "",
    "membership table of good actions: a name the game offers, or the path of a file that `fuzzy learn` wrote; empty: \
        none",
)
.file();
pub(super) const NEIGHBOURS: Parameter = Parameter::new(
    "neighbours",
    "0",
    "for fuzzy: k, the number of nearest vectors averaged in; 0: only for vectors never seen (paper 000, 7.1)",
);
pub(super) const PRUNE: Parameter =
    Parameter::new("prune", "", "for fuzzy: prunes actions with a lower membership, such as 0.75; empty: none");

/// The judgement that the arguments ask for.
pub(super) fn fuzzy_judgement<G: Knowledge>(
    arguments: &Arguments,
    game: &G,
) -> Result<Option<FuzzyJudgement<G>>, InputError> {
    let neighbours = arguments.integer(NEIGHBOURS.name, 0..=1_000_000)? as usize;
    let prune = optional(arguments, PRUNE.name, |name| arguments.number(name, 0.0..=1.0))?;
    let Some(source) = fuzzy_source(arguments, game)? else {
        if prune.is_some() {
            return Err(arguments.wrong(PRUNE.name, "`fuzzy` beside it, which says what memberships are"));
        }
        return Ok(None);
    };
    let memberships = Memberships::read(&source)?;
    let features = action_features(arguments, game)?;
    let names: Vec<&str> = features.names(game).iter().map(|named| named.name).collect();
    if memberships.names() != names {
        let message = format!("this table is about {}", memberships.names().join(", "));
        return Err(InputError::new(message)
            .with_help(format!("features of actions in `{}` are {}", game.spec().name, names.join(", ")))
            .in_file(source.name()));
    }
    Ok(Some(FuzzyJudgement::new(features, Arc::new(memberships), neighbours, prune)))
}

/// The text of the table that the arguments name: a file if the name looks like a path, otherwise one of the game's
/// tables.
pub(super) fn fuzzy_source<G: Knowledge>(arguments: &Arguments, game: &G) -> Result<Option<Source>, InputError> {
    let name = arguments.text(FUZZY.name);
    if name.is_empty() {
        return Ok(None);
    }
    let features = action_features(arguments, game)?;
    if !looks_like_a_path(name) {
        let text = features.table(game, name).ok_or_else(|| {
            let error = unknown(game.spec(), FUZZY.name, name, &[], features.tables(game));
            let help = error.help_text().unwrap_or_default().to_owned();
            error.with_help(format!("{help}; a file is given by a path with a dot or a slash, such as `./{name}.csv`"))
        })?;
        return Ok(Some(Source::new(format!("{name}.csv"), text)));
    }
    arguments
        .file(FUZZY.name)
        .map(Some)
        .map_err(|error| error.with_help("`tesuji fuzzy learn` writes such a table from labelled actions"))
}

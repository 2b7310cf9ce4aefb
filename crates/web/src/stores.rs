//! Reading the stores in the lab's folder: lists, summaries, reports and single matches.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Serialize;
use tesuji_arena::store::{Store, StoredRun};
use tesuji_arena::{
    Actor, AnyGame, AnyMatch, CandidateText, Catalogue, DecisionText, ExportedDecision, ExportedMatch, InputError,
    LiveStep, Occupant, Streams, Summary, export_some, stored_experiment, summarise,
};
use utoipa::ToSchema;

use crate::database::FailedDecision;
use crate::error::ApiError;
use crate::experiments::store_path;

/// A store in a list.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct StoreView {
    /// Its name: the file without `.db`.
    pub name: String,
    /// The title of its first run.
    pub title: String,
    /// Which table of the library it holds.
    pub reproduces: Option<String>,
    /// Matches in it.
    pub matches: u64,
    /// Runs in it.
    pub runs: usize,
    /// Why it cannot be read.
    pub error: Option<String>,
}

/// A match of a store in a list.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct StoredMatchView {
    /// Counted from 1 over the whole store.
    pub number: u64,
    /// The game.
    pub game: String,
    /// The agents' addresses in seat order.
    pub agents: Vec<String>,
    /// The agents' labels in seat order.
    pub labels: Vec<String>,
    /// What each seat got.
    pub payoffs: Vec<f64>,
    /// Steps.
    pub steps: usize,
    /// Why somebody forfeited.
    pub foul: Option<String>,
}

/// The lab's own file, which is not a store.
const OWN: &str = "lab";
/// The store of labels, which holds no runs.
pub(crate) const LABELS: &str = "labels";

/// Is it a name that a store can have?
pub(crate) fn checked_name(name: &str) -> Result<&str, ApiError> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    if name.is_empty() || name.len() > 200 || name.starts_with('.') || name == OWN || !name.chars().all(plain) {
        return Err(ApiError::missing(format!("there is no store `{name}`")));
    }
    Ok(name)
}

/// A text as the name of a store.
pub(crate) fn name_from(text: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '_' { c.to_ascii_lowercase() } else { '-' };
    let name: String = text.chars().map(plain).collect();
    let name: Vec<&str> = name.split('-').filter(|part| !part.is_empty()).collect();
    let name: String = name.join("-").chars().take(60).collect();
    if name.is_empty() { "experiment".to_owned() } else { name }
}

/// The stores in a folder, by name.
pub(crate) fn list(folder: &Path) -> Vec<StoreView> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut names: Vec<String> = entries
        .filter_map(|entry| Some(entry.ok()?.file_name().to_str()?.strip_suffix(".db")?.to_owned()))
        .filter(|name| checked_name(name).is_ok() && name != LABELS)
        .collect();
    names.sort();
    names.iter().map(|name| describe(folder, name)).collect()
}

fn describe(folder: &Path, name: &str) -> StoreView {
    let mut view =
        StoreView { name: name.to_owned(), title: String::new(), reproduces: None, matches: 0, runs: 0, error: None };
    let mut fill = || -> Result<(), InputError> {
        let store = Store::read(&store_path(folder, name))?;
        let runs = store.runs()?;
        view.runs = runs.len();
        view.title = runs.first().map(|run| run.title.clone()).unwrap_or_default();
        view.reproduces = runs.first().and_then(library_id);
        for run in &runs {
            view.matches += store.count_matches(run.id)?;
        }
        Ok(())
    };
    if let Err(error) = fill() {
        view.error = Some(error.message().to_owned());
    }
    view
}

/// The table of the library that a run belongs to, by the name of its file.
fn library_id(run: &StoredRun) -> Option<String> {
    Some(run.name.strip_prefix("experiments/")?.strip_suffix(".toml")?.to_owned())
}

fn path(folder: &Path, name: &str) -> Result<PathBuf, ApiError> {
    let path = store_path(folder, checked_name(name)?);
    if path.is_file() { Ok(path) } else { Err(ApiError::missing(format!("there is no store `{name}`"))) }
}

/// The results of all runs of a store.
pub(crate) fn summaries(catalogue: &Catalogue, folder: &Path, name: &str) -> Result<Vec<Summary>, ApiError> {
    let store = Store::read(&path(folder, name)?)?;
    let summary = |run: &StoredRun| summarise(&stored_experiment(catalogue, run)?, &store, run.id, true);
    let summaries: Result<Vec<Summary>, InputError> = store.runs()?.iter().map(summary).collect();
    Ok(summaries?)
}

/// Some matches of a store, and how many there are.
pub(crate) fn matches(
    catalogue: &Catalogue,
    folder: &Path,
    name: &str,
    offset: u64,
    limit: u64,
) -> Result<(u64, Vec<StoredMatchView>), ApiError> {
    let store = Store::read(&path(folder, name)?)?;
    let mut total = 0;
    for run in store.runs()? {
        total += store.count_matches(run.id)?;
    }
    let mut views = Vec::new();
    export_some(catalogue, &store, offset, limit, |found| {
        views.push(StoredMatchView {
            number: found.number,
            steps: found.steps.len(),
            foul: found.foul.map(|(_, what)| what),
            game: found.game,
            agents: found.agents,
            labels: found.labels,
            payoffs: found.payoffs,
        });
        Ok(())
    })?;
    Ok((total, views))
}

/// One match of a store.
pub(crate) fn one(catalogue: &Catalogue, folder: &Path, name: &str, number: u64) -> Result<ExportedMatch, ApiError> {
    let store = Store::read(&path(folder, name)?)?;
    let mut found = None;
    if number > 0 {
        export_some(catalogue, &store, number - 1, 1, |exported| {
            found = Some(exported);
            Ok(())
        })?;
    }
    found.ok_or_else(|| ApiError::missing(format!("the store has no match {number}")))
}

/// A stored match, replayed, with the agents' figures where they belong.
pub(crate) fn replayed(
    game: &dyn AnyGame,
    seats: Vec<Occupant>,
    found: &ExportedMatch,
) -> Result<Box<dyn AnyMatch>, InputError> {
    let mut live = game.new_match(None)?;
    let mut decisions = found.decisions.iter();
    for (step, joint) in found.steps.iter().enumerate() {
        let actors = live.actors();
        let decided = actors.iter().zip(joint).map(|((actor, _), action)| match actor {
            // A match that was forfeited has no figures, but what models said before is kept.
            Actor::Player(player) => match (decisions.next(), transcript_at(found, player.index(), step)) {
                (None, None) => None,
                (figures, transcript) => Some(DecisionText { transcript, ..decision_text(action, figures) }),
            },
            Actor::Chance => None,
        });
        let decided = decided.collect();
        let actors = actors.iter().map(|(_, name)| name.clone()).collect();
        live.replay(LiveStep { actors, joint: joint.clone(), decisions: decided })?;
    }
    live.fill_seats(seats, Streams::by_step(found.seed))?;
    Ok(live)
}

/// The part of a seat's transcript that belongs to the decision after that many steps.
fn transcript_at(found: &ExportedMatch, seat: usize, step: usize) -> Option<String> {
    let (_, text) = found.transcripts.iter().find(|(owner, _)| *owner == seat)?;
    let mut lines = text.lines();
    let header = lines.next()?;
    let of_step =
        |line: &&str| serde_json::from_str::<serde_json::Value>(line).is_ok_and(|exchange| exchange["step"] == step);
    let own: Vec<&str> = lines.filter(of_step).collect();
    (!own.is_empty()).then(|| [&[header], own.as_slice()].concat().join("\n") + "\n")
}

/// The decision with which an agent lost the match by a failure, if it said something before.
pub(crate) fn failed_decision(found: &ExportedMatch) -> Option<FailedDecision> {
    let (seat, _) = found.foul.as_ref()?;
    let step = found.steps.len();
    let transcript = transcript_at(found, *seat, step)?;
    Some(FailedDecision { step, player: u8::try_from(*seat).ok()?, transcript })
}

fn decision_text(action: &str, figures: Option<&ExportedDecision>) -> DecisionText {
    let (visits, value) = figures.map_or((0, None), |figures| (figures.visits, figures.value));
    let (depth, playouts) = figures.map_or((0, 0), |figures| (figures.depth, figures.playouts));
    let microseconds = figures.map_or(0, |figures| figures.microseconds);
    let chosen = CandidateText { action: action.to_owned(), visits, value, prior: None, probability: 1.0 };
    DecisionText {
        action: action.to_owned(),
        value,
        candidates: vec![chosen],
        line: Vec::new(),
        depth,
        nodes: 0,
        playouts,
        time: Duration::from_micros(microseconds),
        limit: None,
        transcript: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_stores_are_plain() {
        assert_eq!(name_from("My test: UCT / MC!"), "my-test-uct-mc");
        assert_eq!(name_from("  日本 "), "experiment");
        for bad in ["", "lab", "../x", ".hidden", "a/b", "a b"] {
            assert!(checked_name(bad).is_err(), "{bad}");
        }
        assert!(checked_name("002-table3-quick").is_ok());
    }
}

//! Stored matches for other programs and for eyes: JSON lines, moves, and a game's own records.

use std::sync::Arc;

use serde::Serialize;
use tesuji_core::{InputError, Source};

use crate::experiment::{Experiment, Labelled, Scale, read_experiment};
use crate::run::Field;
use crate::store::{EVENT, Store, StoredMatch, StoredRun};
use crate::{AnyGame, Catalogue};

/// One match as a line of JSON.
#[derive(Clone, Debug, Serialize)]
pub struct ExportedMatch {
    /// Counted from 1 over the whole store, in the order of runs, pairings, pairs and seatings.
    pub number: u64,
    /// The title of its experiment.
    pub experiment: String,
    /// The address of the game.
    pub game: String,
    /// The version of the game's rules.
    pub version: u32,
    /// The agents' addresses in seat order.
    pub agents: Vec<String>,
    /// The agents' labels in seat order.
    pub labels: Vec<String>,
    /// The pair within its pairing.
    pub pair: u32,
    /// The match within its pair.
    pub seating: usize,
    /// The seed of the pair. In JSON a string if it is 2⁵³ or more, which most readers of JSON would round.
    #[serde(serialize_with = "exact_number")]
    pub seed: u64,
    /// What each seat got.
    pub payoffs: Vec<f64>,
    /// The seat that forfeited, and why.
    pub foul: Option<(usize, String)>,
    /// Every step: the actions of those who acted, in player order.
    pub steps: Vec<Vec<String>>,
    /// What was remarkable on the way, in words: moves that a referee replaced, peers that were late.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<String>,
    /// Every decision: seat, visits of the chosen action, value, depth, playouts, microseconds.
    pub decisions: Vec<ExportedDecision>,
    /// What agents asked and were answered, by seat: lines of JSON.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub transcripts: Vec<(usize, String)>,
    /// The game, opened.
    #[serde(skip)]
    opened: Arc<dyn AnyGame>,
}

/// The greatest number up to which every whole number is exact in a JavaScript or Python `float`.
const EXACT: u64 = 1 << 53;

/// Writes a number that JSON readers keep exactly: as a string if it is too great for a floating-point number.
pub(crate) fn exact_number<S: serde::Serializer>(number: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    if *number < EXACT { serializer.serialize_u64(*number) } else { serializer.collect_str(number) }
}

/// One decision of an exported match.
#[derive(Clone, Debug, Serialize)]
pub struct ExportedDecision {
    /// Who decided.
    pub seat: u8,
    /// How often the chosen action was tried.
    pub visits: u64,
    /// What the agent expected to get.
    pub value: Option<f64>,
    /// The greatest depth of its tree, in steps.
    pub depth: u32,
    /// Playouts made.
    pub playouts: u64,
    /// Time taken.
    pub microseconds: u64,
}

impl ExportedMatch {
    /// The match in the game's own record format; `None` if the game has none.
    pub fn record(&self) -> Result<Option<String>, InputError> {
        self.opened.record(&self.steps, &self.labels)
    }

    /// The moves as `tesuji replay` reads them.
    pub fn moves(&self) -> String {
        self.steps.iter().map(|joint| joint.join("\t") + "\n").collect()
    }
}

/// Shows every match of a store.
pub fn export(
    catalogue: &Catalogue,
    store: &Store,
    see: impl FnMut(ExportedMatch) -> Result<(), InputError>,
) -> Result<(), InputError> {
    export_some(catalogue, store, 0, u64::MAX, see)
}

/// Shows matches of a store: passes over `offset` and shows at most `count`.
pub fn export_some(
    catalogue: &Catalogue,
    store: &Store,
    offset: u64,
    count: u64,
    mut see: impl FnMut(ExportedMatch) -> Result<(), InputError>,
) -> Result<(), InputError> {
    export_each(catalogue, store, (offset, count), &mut see)
}

fn export_each(
    catalogue: &Catalogue,
    store: &Store,
    (offset, count): (u64, u64),
    see: &mut dyn FnMut(ExportedMatch) -> Result<(), InputError>,
) -> Result<(), InputError> {
    let (mut before, mut number) = (0, offset);
    let end = offset.saturating_add(count);
    for run in store.runs()? {
        let after = before + store.count_matches(run.id)?;
        if after > number && number < end {
            let experiment = stored_experiment(catalogue, &run)?;
            let field = Field::new(&experiment)?;
            store.some_matches(run.id, true, number - before, end - number, |row| {
                field.check(&row).map_err(|error| error.in_file(store.path().display()))?;
                number += 1;
                let transcripts = store.transcripts_of(run.id, row.unit, row.seating)?;
                see(ExportedMatch { transcripts, ..exported(number, &experiment, &field, row) })
            })?;
        }
        before = after;
    }
    Ok(())
}

/// The experiment of a stored run, read again from its text.
pub fn stored_experiment(catalogue: &Catalogue, run: &StoredRun) -> Result<Experiment, InputError> {
    let scale = if run.scale == "quick" { Scale::Quick } else { Scale::Full };
    read_experiment(catalogue, &Source::new(&run.name, &run.experiment), scale)
}

fn exported(number: u64, experiment: &Experiment, field: &Field, row: StoredMatch) -> ExportedMatch {
    let pairing = &field.pairings[row.unit.pairing as usize];
    let names: Vec<&Labelled> = pairing.agents.iter().map(|&agent| &experiment.agents[agent].name).collect();
    let seats = &field.seatings[row.unit.pairing as usize][row.seating];
    let decisions = row.decisions.iter().map(|decision| ExportedDecision {
        seat: decision.player.0,
        visits: decision.visits,
        value: decision.value,
        depth: decision.depth,
        playouts: decision.playouts,
        microseconds: decision.time.as_micros() as u64,
    });
    let events = row.events().map(str::to_owned).collect();
    let moves = row.moves.lines().filter(|line| !line.starts_with(EVENT));
    ExportedMatch {
        number,
        experiment: experiment.title.clone(),
        game: experiment.games[pairing.game].address.clone(),
        version: field.games[pairing.game].spec().version,
        agents: seats.iter().map(|&agent| names[agent].address.clone()).collect(),
        labels: seats.iter().map(|&agent| names[agent].label.clone()).collect(),
        pair: row.unit.pair,
        seating: row.seating,
        seed: row.seed,
        payoffs: row.payoffs,
        foul: row.foul,
        steps: moves.map(|line| line.split('\t').map(str::to_owned).collect()).collect(),
        events,
        decisions: decisions.collect(),
        transcripts: Vec::new(),
        opened: Arc::clone(&field.games[pairing.game]),
    }
}

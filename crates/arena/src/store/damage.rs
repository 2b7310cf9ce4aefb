//! What is damaged in a store, and what can be saved of it.

use std::collections::BTreeMap;
use std::path::Path;

use rusqlite::{ErrorCode, Row};
use serde::Serialize;
use tesuji_core::{ErrorKind, InputError};

use super::Store;
use super::format::KEPT;
use super::mark::State;
use super::sums::Sum;
use super::table::{GAPS, LABELS, MATCHES, RUNS, TRANSCRIPTS, Table};
use crate::experiment::Unit;

/// The most findings that are listed; the numbers count all.
const LISTED: usize = 20;

/// The condition of a store.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Condition {
    /// The format of the file.
    pub format: i32,
    /// Whether rows have checksums. Without them, damage is noticed only where a row makes no sense.
    pub checksums: bool,
    /// Experiments.
    pub runs: Part,
    /// Matches.
    pub matches: Part,
    /// Measured decisions.
    pub decisions: Part,
    /// Labels.
    pub labels: Part,
    /// Transcripts of matches.
    pub transcripts: Part,
    /// What is wrong, in words; at most a few.
    pub findings: Vec<String>,
    /// How many things are wrong.
    pub wrong: u64,
    /// What each run has lost.
    #[serde(skip)]
    pub(crate) lost: BTreeMap<i64, Lost>,
}

/// The condition of the rows of one kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Part {
    /// Rows that are as they were written.
    pub whole: u64,
    /// Rows that are not.
    pub damaged: u64,
    /// Rows that are not there any more.
    pub missing: u64,
}

/// What a run has lost.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Lost {
    /// The damaged matches: which pair, and which match of it.
    pub matches: Vec<(Unit, u32)>,
    /// How many matches are missing besides.
    pub missing_matches: u64,
    /// How many measured decisions are damaged or missing.
    pub decisions: u64,
}

impl Condition {
    /// Is everything as it was written?
    pub fn is_whole(&self) -> bool {
        self.wrong == 0
    }

    /// What can be saved, in words.
    pub fn saved(&self) -> String {
        let Condition { runs, matches, decisions, labels, transcripts, .. } = self;
        let parts = [
            ("run(s)", runs),
            ("match(es)", matches),
            ("measured decision(s)", decisions),
            ("label(s)", labels),
            ("transcript(s)", transcripts),
        ];
        let there = parts.iter().filter(|(_, part)| **part != Part::default());
        let said: Vec<String> = there
            .map(|(name, part)| {
                let all = part.whole + part.damaged + part.missing;
                if part.whole == all { format!("{all} {name}") } else { format!("{} of {all} {name}", part.whole) }
            })
            .collect();
        if said.is_empty() { "nothing".to_owned() } else { said.join(", ") }
    }

    /// Adds a finding.
    pub fn add(&mut self, what: String) {
        self.wrong += 1;
        if self.findings.len() < LISTED {
            self.findings.push(what);
        }
    }

    fn part(&mut self, table: &Table) -> &mut Part {
        match table.name {
            name if name == RUNS.name => &mut self.runs,
            name if name == MATCHES.name => &mut self.matches,
            name if name == GAPS.name => &mut self.decisions,
            name if name == TRANSCRIPTS.name => &mut self.transcripts,
            _ => &mut self.labels,
        }
    }
}

impl Store {
    /// Opens a store for reading, whatever its condition.
    pub fn inspect(path: &Path) -> Result<Store, InputError> {
        let (mut store, _) = Store::connect(path)?;
        let sql = "SELECT count(*) FROM pragma_table_info('matches') WHERE name = 'checksum'";
        let columns = store.connection.query_row(sql, [], |row| row.get::<_, i64>(0));
        store.checked = columns.map_or(true, |columns| columns > 0);
        Ok(store)
    }

    /// Reads every row and says what is damaged.
    pub fn condition(&self) -> Result<Condition, InputError> {
        let mut condition = Condition { checksums: self.checked, ..Condition::default() };
        condition.format = self.connection.query_row("PRAGMA user_version", [], |row| row.get(0)).unwrap_or_default();
        let structure = self.connection.query_row("PRAGMA integrity_check(1)", [], |row| row.get::<_, String>(0));
        match structure {
            Ok(structure) if structure == "ok" => {}
            Ok(structure) => condition.add(format!("the structure of the file: {}", structure.replace('\n', " "))),
            Err(error) => condition.add(format!("the structure of the file: {error}")),
        }
        if self.checked && !matches!(State::read(&self.connection), Ok(Some(_))) {
            condition.add("the row about the store itself is damaged".to_owned());
        }
        for (table, _) in self.tables(condition.format) {
            self.examine(table, &mut condition);
        }
        Ok(condition)
    }

    /// The tables that a store of this format has. Without checksums the format is all there is to tell.
    pub(super) fn tables(&self, format: i32) -> impl Iterator<Item = (&'static Table, i32)> {
        let checked = self.checked;
        let transcripts = self.has(&TRANSCRIPTS);
        KEPT.into_iter().filter(move |(table, since)| match table.name == TRANSCRIPTS.name {
            true => transcripts,
            false => checked || format >= *since,
        })
    }

    /// Reads every row of a table that can be reached.
    fn examine(&self, table: &Table, condition: &mut Condition) {
        let mut found: BTreeMap<i64, Sum> = BTreeMap::new();
        let trouble = self.reach(table, |row, whole| {
            let run = run_of(table, row);
            match whole {
                Some(checksum) => {
                    found.entry(run).or_default().add(checksum);
                    condition.part(table).whole += 1;
                }
                None => {
                    found.entry(run).or_default().rows += 1;
                    condition.part(table).damaged += 1;
                    condition.add(what_is_damaged(table, row));
                    lost(table, row, condition.lost.entry(run).or_default());
                }
            }
        });
        if let Some(trouble) = trouble {
            condition.add(format!("the table `{}` cannot be read to its end: {trouble}", table.name));
        }
        if self.checked {
            let damaged = condition.part(table).damaged;
            for run in self.runs_with_sums(table) {
                found.entry(run).or_default();
            }
            for (run, sum) in found {
                self.compare(table, run, sum, damaged, condition);
            }
        }
    }

    /// Compares the rows that were found with the stored sum.
    fn compare(&self, table: &Table, run: i64, found: Sum, damaged: u64, condition: &mut Condition) {
        let of_run = if run == 0 { String::new() } else { format!(" of run {run}") };
        let what = format!("the table `{}`{of_run}", table.name);
        let expected = match self.sums.expected(&self.connection, table, run) {
            Ok(Ok(expected)) => expected,
            Ok(Err(what)) => return condition.add(what),
            Err(error) => return condition.add(format!("the count of {what}: {error}")),
        };
        let missing = expected.rows.saturating_sub(found.rows);
        if missing > 0 {
            condition.part(table).missing += missing as u64;
            condition.add(format!("{what} lacks {missing} row(s)"));
            let lost = condition.lost.entry(run).or_default();
            if table.name == MATCHES.name {
                lost.missing_matches += missing as u64;
            } else if table.name == GAPS.name {
                lost.decisions += missing as u64;
            }
        } else if expected.rows < found.rows || damaged == 0 && found != expected {
            condition.add(format!("{what} has rows that do not belong there"));
        }
    }

    /// The runs for which a sum of this table is stored.
    fn runs_with_sums(&self, table: &Table) -> Vec<i64> {
        let read = || -> rusqlite::Result<Vec<i64>> {
            let mut statement = self.connection.prepare("SELECT run FROM sums WHERE name = ?1")?;
            statement.query_map([table.name], |row| row.get(0))?.collect()
        };
        read().unwrap_or_default()
    }

    /// The error for a damaged store: what is damaged, and what can be saved.
    pub(super) fn damaged(&self, what: impl std::fmt::Display) -> InputError {
        let saved = self.condition().map_or_else(|_| "nothing".to_owned(), |condition| condition.saved());
        let path = self.path.display();
        InputError::new(format!("the store is damaged: {what}; {saved} can be saved"))
            .of_kind(ErrorKind::Damaged)
            .with_help(format!(
                "`tesuji store verify {path}` lists what is damaged; `tesuji store repair {path}` keeps the rest and \
                 plays the damaged pairs again"
            ))
            .in_file(path)
    }
}

/// The run that a row belongs to; 0 for tables that belong to none.
pub(super) fn run_of(table: &Table, row: &Row<'_>) -> i64 {
    if table.key.starts_with("run") { row.get(0).unwrap_or_default() } else { 0 }
}

/// Notes what a run has lost with a damaged row.
fn lost(table: &Table, row: &Row<'_>, lost: &mut Lost) {
    if table.name == GAPS.name {
        lost.decisions += 1;
    } else if table.name == MATCHES.name {
        match (row.get(1), row.get(2), row.get(3)) {
            (Ok(pairing), Ok(pair), Ok(seating)) => lost.matches.push((Unit { pairing, pair }, seating)),
            _ => lost.missing_matches += 1,
        }
    }
}

/// A damaged row, in words.
pub(super) fn what_is_damaged(table: &Table, row: &Row<'_>) -> String {
    let part = |column: usize| row.get::<_, i64>(column).map_or("?".to_owned(), |number| number.to_string());
    match table.name {
        name if name == MATCHES.name => {
            format!("match {} of pair {} in pairing {} of run {}", part(3), part(2), part(1), part(0))
        }
        name if name == GAPS.name => {
            format!("a measured decision of agent {} in game {} of run {}", part(2), part(1), part(0))
        }
        name if name == TRANSCRIPTS.name => {
            let (seat, of) = (part(4), format!("match {} of pair {} in pairing {}", part(3), part(2), part(1)));
            format!("the transcript of seat {seat} in {of} of run {}", part(0))
        }
        name if name == LABELS.name => format!("label {}", part(0)),
        _ => format!("run {}", part(0)),
    }
}

/// What an error of SQLite says of the store, if it says that the store is damaged.
pub(super) fn in_words(error: &rusqlite::Error) -> Option<String> {
    use rusqlite::Error;
    match error {
        Error::SqliteFailure(failure, _) if failure.code == ErrorCode::DatabaseCorrupt => {
            Some(format!("its structure is damaged ({error})"))
        }
        Error::FromSqlConversionFailure(..)
        | Error::InvalidColumnType(..)
        | Error::IntegralValueOutOfRange(..)
        | Error::Utf8Error(..) => Some(format!("a row makes no sense ({error})")),
        Error::SqlInputError { .. } | Error::QueryReturnedNoRows => Some(format!("its tables are damaged ({error})")),
        _ => None,
    }
}

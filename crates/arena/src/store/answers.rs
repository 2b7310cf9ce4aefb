//! Answers of workers: which of them played which pairs, so that the results of one worker can be removed.
//!
//! A piece is a pair of matches or a measured decision, by its number (see [`Collection`](crate::Collection)).

use std::ops::Range;

use rusqlite::types::ValueRef;
use tesuji_core::InputError;

use super::Store;
use super::table::{ANSWERS, GAPS, MATCHES, TRANSCRIPTS, Table, WORKERS, text};
use crate::experiment::{Measurement, Unit};

/// What a worker answered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredAnswer {
    /// Counted from 1 in each run.
    pub number: i64,
    /// The name of the worker.
    pub worker: String,
    /// The pieces that were taken from this answer.
    pub pieces: Vec<Range<u64>>,
}

impl Store {
    /// Makes the tables of workers, unless they are there.
    pub(crate) fn prepare_workers(&mut self) -> Result<(), InputError> {
        self.commit()?;
        for table in [&ANSWERS, &WORKERS] {
            if !self.has(table) {
                self.execute_batch(&table.create(table.name))?;
            }
        }
        Ok(())
    }

    /// Adds an answer to the current batch; its number must be new.
    pub(crate) fn add_answer(&mut self, run: i64, answer: &StoredAnswer) -> Result<(), InputError> {
        self.begin()?;
        let pieces = ranges_to_text(&answer.pieces);
        let row = [ValueRef::Integer(run), ValueRef::Integer(answer.number), text(&answer.worker), text(&pieces)];
        let written = ANSWERS.write(&self.connection, "INSERT OR IGNORE", &row);
        self.count(&ANSWERS, run, written)
    }

    /// Every answer of a run, in the order of their numbers; none if no queue wrote to the store.
    pub fn answers(&self, run: i64) -> Result<Vec<StoredAnswer>, InputError> {
        if !self.has(&ANSWERS) {
            return Ok(Vec::new());
        }
        let answers = self.all_rows(&ANSWERS, run, |row| Ok((row.get(1)?, row.get(2)?, row.get::<_, String>(3)?)))?;
        let read = |(number, worker, pieces): (i64, String, String)| match ranges_from_text(&pieces) {
            Some(pieces) => Ok(StoredAnswer { number, worker, pieces }),
            None => Err(self.damaged(format!("answer {number} of run {run} names no pieces"))),
        };
        answers.into_iter().map(read).collect()
    }

    /// Sets the speed of a worker of a run.
    pub(crate) fn set_worker(&mut self, run: i64, name: &str, speed: f64) -> Result<(), InputError> {
        self.begin()?;
        self.delete(&WORKERS, run, &[ValueRef::Integer(run), text(name)])?;
        let row = [ValueRef::Integer(run), text(name), ValueRef::Real(speed)];
        let written = WORKERS.write(&self.connection, "INSERT", &row);
        self.count(&WORKERS, run, written)
    }

    /// The workers of a run by name, with their speeds.
    pub fn workers(&self, run: i64) -> Result<Vec<(String, f64)>, InputError> {
        if !self.has(&WORKERS) {
            return Ok(Vec::new());
        }
        self.all_rows(&WORKERS, run, |row| Ok((row.get(1)?, row.get(2)?)))
    }

    /// Removes the matches of a pair from the current batch or the store.
    pub(crate) fn remove_pair(&mut self, run: i64, unit: Unit) -> Result<u64, InputError> {
        self.begin()?;
        let key = [run, i64::from(unit.pairing), i64::from(unit.pair)].map(ValueRef::Integer);
        self.delete(&TRANSCRIPTS, run, &key)?;
        self.delete(&MATCHES, run, &key)
    }

    /// Removes a measured decision.
    pub(crate) fn remove_decision(&mut self, run: i64, unit: Measurement) -> Result<u64, InputError> {
        self.begin()?;
        let Measurement { game, agent, playouts, repeat, .. } = unit;
        let key = [run, game.into(), agent.into(), playouts as i64, unit.player_number(), repeat as i64];
        self.delete(&GAPS, run, &key.map(ValueRef::Integer))
    }

    /// Removes an answer; its matches stay.
    pub(crate) fn remove_answer(&mut self, run: i64, number: i64) -> Result<u64, InputError> {
        self.begin()?;
        self.delete(&ANSWERS, run, &[ValueRef::Integer(run), ValueRef::Integer(number)])
    }

    /// Deletes the rows whose key begins with these values, and says how many there were.
    fn delete(&mut self, table: &Table, run: i64, key: &[ValueRef<'_>]) -> Result<u64, InputError> {
        let columns = table.key.split(", ").zip(1..).take(key.len());
        let condition = columns.map(|(column, place)| format!("{column} = ?{place}")).collect::<Vec<_>>().join(" AND ");
        let bound =
            || rusqlite::params_from_iter(key.iter().map(|&value| rusqlite::types::ToSqlOutput::Borrowed(value)));
        let read = || -> rusqlite::Result<Vec<Option<i64>>> {
            let sql = table.select(true, &format!("WHERE {condition}"));
            let mut statement = self.connection.prepare_cached(&sql)?;
            let found = statement.query_map(bound(), |row| Ok(table.whole(row)))?;
            found.collect()
        };
        let checksums = read().map_err(|error| self.wrong(error))?;
        if checksums.contains(&None) {
            return Err(self.damaged(format!("a row of the table `{}` that should be removed is damaged", table.name)));
        }
        let sql = format!("DELETE FROM {} WHERE {condition}", table.name);
        let deleted = self.connection.prepare_cached(&sql).and_then(|mut statement| statement.execute(bound()));
        let deleted = deleted.map_err(|error| self.wrong(error))?;
        checksums.iter().flatten().for_each(|&checksum| self.sums.of(table, run).remove(checksum));
        Ok(deleted as u64)
    }

    /// Copies what a store knows of the workers of a run.
    pub(crate) fn copy_workers(&mut self, source: &Store, from: i64, run: i64) -> Result<(), InputError> {
        let (answers, workers) = (source.answers(from)?, source.workers(from)?);
        if answers.is_empty() && workers.is_empty() {
            return Ok(());
        }
        self.prepare_workers()?;
        let last = self.answers(run)?.last().map_or(0, |answer| answer.number);
        for (number, answer) in (last + 1..).zip(answers) {
            self.add_answer(run, &StoredAnswer { number, ..answer })?;
        }
        workers.iter().try_for_each(|(name, speed)| self.set_worker(run, name, *speed))
    }
}

/// Ranges as text: `0-9 12 20-21`, the last number included.
fn ranges_to_text(ranges: &[Range<u64>]) -> String {
    let one = |range: &Range<u64>| match range.end - range.start {
        1 => range.start.to_string(),
        _ => format!("{}-{}", range.start, range.end - 1),
    };
    ranges.iter().filter(|range| !range.is_empty()).map(one).collect::<Vec<_>>().join(" ")
}

fn ranges_from_text(text: &str) -> Option<Vec<Range<u64>>> {
    let one = |word: &str| {
        let (first, last) = word.split_once('-').unwrap_or((word, word));
        let (first, last) = (first.parse::<u64>().ok()?, last.parse::<u64>().ok()?);
        (first <= last && last < u64::MAX).then(|| first..last + 1)
    };
    text.split_whitespace().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_read_back() {
        let ranges = [0..10, 12..13, 20..22];
        assert_eq!(ranges_to_text(&ranges), "0-9 12 20-21");
        assert_eq!(ranges_from_text("0-9 12 20-21").unwrap(), ranges);
        assert_eq!(ranges_from_text("3-1"), None);
        assert_eq!(ranges_from_text("x"), None);
    }
}

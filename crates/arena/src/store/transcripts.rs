//! Transcripts in the store: what agents asked and were answered, a row for each match and seat.

use rusqlite::types::ValueRef;
use rusqlite::{OptionalExtension, Row};
use tesuji_core::InputError;

use super::Store;
use super::table::{TRANSCRIPTS, text};
use crate::experiment::Unit;

/// A transcript with its place: which pair, which match of it, which seat.
pub type StoredTranscript = (Unit, usize, usize, String);

impl Store {
    /// Adds the transcript of a seat to the current batch. It replaces one that a match left which was played before
    /// and lost since.
    pub(crate) fn add_transcript(
        &mut self,
        run: i64,
        (unit, seating, seat): (Unit, usize, usize),
        transcript: &str,
    ) -> Result<(), InputError> {
        self.begin()?;
        let key = [run, unit.pairing.into(), unit.pair.into(), seating as i64, seat as i64];
        let condition = "WHERE run = ?1 AND pairing = ?2 AND pair = ?3 AND seating = ?4 AND seat = ?5";
        let replaced = || -> rusqlite::Result<Option<i64>> {
            let sql = format!("SELECT checksum FROM transcripts {condition}");
            let found = self.connection.prepare_cached(&sql)?.query_row(key, |row| row.get(0)).optional()?;
            if found.is_some() {
                self.connection.execute(&format!("DELETE FROM transcripts {condition}"), key)?;
            }
            Ok(found)
        };
        let replaced = replaced().map_err(|error| self.wrong(error))?;
        if let Some(checksum) = replaced {
            self.sums.of(&TRANSCRIPTS, run).remove(checksum);
        }
        let [run_value, pairing, pair, seating, seat] = key.map(ValueRef::Integer);
        let row = [run_value, pairing, pair, seating, seat, text(transcript)];
        let written = TRANSCRIPTS.write(&self.connection, "INSERT", &row);
        self.count(&TRANSCRIPTS, run, written)
    }

    /// Shows every transcript of a run, in the order of pairing, pair, seating and seat.
    pub fn each_transcript(
        &self,
        run: i64,
        mut see: impl FnMut(StoredTranscript) -> Result<(), InputError>,
    ) -> Result<(), InputError> {
        // A store of an older format, opened for reading, has no such table.
        if !self.has(&TRANSCRIPTS) {
            return Ok(());
        }
        self.each_row(&TRANSCRIPTS, run, |row| see(stored(row).map_err(|error| self.wrong(error))?))
    }

    /// The transcripts of one match, by seat.
    pub fn transcripts_of(&self, run: i64, unit: Unit, seating: usize) -> Result<Vec<(usize, String)>, InputError> {
        if !self.has(&TRANSCRIPTS) {
            return Ok(Vec::new());
        }
        let rest = "WHERE run = ?1 AND pairing = ?2 AND pair = ?3 AND seating = ?4 ORDER BY seat";
        let read = || -> rusqlite::Result<Result<Vec<(usize, String)>, String>> {
            let mut statement = self.connection.prepare_cached(&TRANSCRIPTS.select(true, rest))?;
            let mut found = statement.query((run, unit.pairing, unit.pair, seating as i64))?;
            let mut transcripts = Vec::new();
            while let Some(row) = found.next()? {
                if TRANSCRIPTS.whole(row).is_none() {
                    return Ok(Err(super::damage::what_is_damaged(&TRANSCRIPTS, row)));
                }
                let (_, _, seat, transcript) = stored(row)?;
                transcripts.push((seat, transcript));
            }
            Ok(Ok(transcripts))
        };
        read().map_err(|error| self.wrong(error))?.map_err(|what| self.damaged(what))
    }
}

fn stored(row: &Row<'_>) -> rusqlite::Result<StoredTranscript> {
    let unit = Unit { pairing: row.get(1)?, pair: row.get(2)? };
    Ok((unit, row.get::<_, u32>(3)? as usize, row.get::<_, u32>(4)? as usize, row.get(5)?))
}

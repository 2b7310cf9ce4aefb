//! Reads matches, and rows in general: each is checked, and that none is missing.

use rusqlite::Row;
use tesuji_core::InputError;

use super::sums::Sum;
use super::table::{MATCHES, Table};
use super::{Store, StoredMatch, damage, rows};

impl Store {
    /// How many matches of a run are here.
    pub fn count_matches(&self, run: i64) -> Result<u64, InputError> {
        let sql = "SELECT count(*) FROM matches WHERE run = ?1";
        let count = self.connection.query_row(sql, [run], |row| row.get::<_, i64>(0));
        let rows = count.map_err(|error| self.wrong(error))?;
        if self.checked && rows != self.expected(&MATCHES, run)?.rows {
            return Err(self.damaged(format!("matches of run {run} are missing")));
        }
        Ok(rows as u64)
    }

    /// Shows every match of a run, in the order of pairing, pair and seating, without moves and decisions unless asked.
    /// A damaged store is refused at the end at the latest: what was shown before must not be used then.
    pub fn each_match(
        &self,
        run: i64,
        whole: bool,
        mut see: impl FnMut(StoredMatch) -> Result<(), InputError>,
    ) -> Result<(), InputError> {
        let mut last = None;
        self.each_row(&MATCHES, run, |row| {
            let row = rows::stored_match(row, whole).map_err(|error| self.wrong(error))?;
            let key = (row.unit.pairing, row.unit.pair, row.seating);
            if last.replace(key).is_some_and(|last| last >= key) {
                return Err(self.damaged(format!("the matches of run {run} are not in order")));
            }
            see(row)
        })
    }

    /// Like [`each_match`](Store::each_match), but passes over `offset` matches and shows at most `count`.
    pub(crate) fn some_matches(
        &self,
        run: i64,
        whole: bool,
        offset: u64,
        count: u64,
        mut see: impl FnMut(StoredMatch) -> Result<(), InputError>,
    ) -> Result<(), InputError> {
        if (offset, count) == (0, u64::MAX) {
            return self.each_match(run, whole, see);
        }
        let rest = format!("WHERE run = ?1 ORDER BY {} LIMIT ?2 OFFSET ?3", MATCHES.key);
        let sql = MATCHES.select(self.checked, &rest);
        let mut statement = self.connection.prepare(&sql).map_err(|error| self.wrong(error))?;
        let [offset, count] = [offset, count].map(|number| i64::try_from(number).unwrap_or(i64::MAX));
        let mut found = statement.query([run, count, offset]).map_err(|error| self.wrong(error))?;
        while let Some(row) = found.next().map_err(|error| self.wrong(error))? {
            if self.checked && MATCHES.whole(row).is_none() {
                return Err(self.damaged(damage::what_is_damaged(&MATCHES, row)));
            }
            see(rows::stored_match(row, whole).map_err(|error| self.wrong(error))?)?;
        }
        Ok(())
    }

    /// Shows every row of a table (that belongs to a run, if it is not 0) in the order of its key. Every row is
    /// checked, and after the last one that none is missing.
    pub(super) fn each_row(
        &self,
        table: &Table,
        run: i64,
        mut see: impl FnMut(&Row<'_>) -> Result<(), InputError>,
    ) -> Result<(), InputError> {
        let wrong = |error| self.wrong(error);
        // Rows and their sum are read from the same state of the store, whatever a writer does meanwhile.
        let snapshot = self.connection.is_autocommit().then(|| self.connection.unchecked_transaction());
        let _snapshot = snapshot.transpose().map_err(wrong)?;
        let condition = if run == 0 { "" } else { "WHERE run = ?1" };
        let sql = table.select(self.checked, &format!("{condition} ORDER BY {}", table.key));
        let mut statement = self.connection.prepare(&sql).map_err(wrong)?;
        let parameters: &[i64] = if run == 0 { &[] } else { &[run] };
        let mut found = statement.query(rusqlite::params_from_iter(parameters)).map_err(wrong)?;
        let mut sum = Sum::default();
        while let Some(row) = found.next().map_err(wrong)? {
            if self.checked {
                match table.whole(row) {
                    Some(checksum) => sum.add(checksum),
                    None => return Err(self.damaged(damage::what_is_damaged(table, row))),
                }
            }
            see(row)?;
        }
        if self.checked && sum != self.expected(table, run)? {
            return Err(self.damaged(format!("rows of the table `{}` are missing or replaced", table.name)));
        }
        Ok(())
    }

    /// Every row of a table, read by `read`; see [`each_row`](Store::each_row).
    pub(super) fn all_rows<T>(
        &self,
        table: &Table,
        run: i64,
        read: impl Fn(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, InputError> {
        let mut all = Vec::new();
        self.each_row(table, run, |row| {
            all.push(read(row).map_err(|error| self.wrong(error))?);
            Ok(())
        })?;
        Ok(all)
    }

    /// What the sum of a table should be.
    fn expected(&self, table: &Table, run: i64) -> Result<Sum, InputError> {
        let expected = self.sums.expected(&self.connection, table, run).map_err(|error| self.wrong(error))?;
        expected.map_err(|what| self.damaged(what))
    }
}

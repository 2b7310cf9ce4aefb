//! What people and agents say of matches: analyses, reviews, studies, labels, and which protocol a match belongs to.

use rusqlite::{OptionalExtension, Row, params};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tesuji_arena::InputError;

use super::{Database, json, parsed};

/// A label of one action.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct LabelRow {
    /// The step it belongs to.
    pub step: usize,
    /// Whose action.
    pub player: u8,
    /// How good: 1, 0.5 or 0.
    pub label: f64,
}

/// A match that a person played for a table of a paper.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct ProtocolRow {
    /// The match.
    pub id: String,
    /// Who played.
    pub person: String,
    /// The number of the opponent in the protocol.
    pub opponent: usize,
    /// The person's seat.
    pub seat: usize,
    /// Is the match over?
    pub over: bool,
    /// What each player got.
    pub payoffs: Option<Vec<f64>>,
}

/// The decision with which an agent lost a match by a failure.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct FailedDecision {
    /// Steps before it.
    pub step: usize,
    /// Whose agent.
    pub player: u8,
    /// What it asked and was answered, as lines of JSON.
    pub transcript: String,
}

impl Database {
    /// Keeps an analysis.
    pub(crate) fn put_analysis(&self, id: &str, of: &str, body: &impl Serialize) -> Result<(), InputError> {
        let sql = "INSERT OR REPLACE INTO analyses (id, match, body) VALUES (?,?,?)";
        self.transact(|connection| connection.prepare_cached(sql)?.execute(params![id, of, json(body)]).map(drop))
    }

    /// The analysis of that name.
    pub(crate) fn find_analysis<T: DeserializeOwned>(&self, id: &str) -> Result<Option<T>, InputError> {
        let sql = "SELECT body FROM analyses WHERE id = ?1";
        self.read(|connection| connection.prepare_cached(sql)?.query_row([id], |row| parsed(row, 0)).optional())
    }

    /// The analyses of a match.
    pub(crate) fn analyses<T: DeserializeOwned>(&self, of: &str) -> Result<Vec<T>, InputError> {
        self.read(|connection| {
            let sql = "SELECT body FROM analyses WHERE match = ?1 ORDER BY rowid";
            connection.prepare_cached(sql)?.query_map([of], |row| parsed(row, 0))?.collect()
        })
    }

    /// Sets a person's label of an action; `None` removes it.
    pub(crate) fn put_label(
        &self,
        of: &str,
        step: usize,
        player: u8,
        person: &str,
        label: Option<f64>,
    ) -> Result<(), InputError> {
        self.transact(|connection| {
            let Some(label) = label else {
                let sql = "DELETE FROM labels WHERE match = ?1 AND step = ?2 AND player = ?3 AND person = ?4";
                return connection.execute(sql, params![of, step as i64, player, person]).map(drop);
            };
            let sql = "INSERT OR REPLACE INTO labels (match, step, player, person, label) VALUES (?,?,?,?,?)";
            connection.execute(sql, params![of, step as i64, player, person, label]).map(drop)
        })
    }

    /// The labels of a person for the actions of a match.
    pub(crate) fn labels(&self, of: &str, person: &str) -> Result<Vec<LabelRow>, InputError> {
        self.read(|connection| {
            let sql = "SELECT step, player, label FROM labels WHERE match = ?1 AND person = ?2 ORDER BY step, player";
            let read = |row: &Row<'_>| {
                Ok(LabelRow { step: row.get::<_, i64>(0)? as usize, player: row.get(1)?, label: row.get(2)? })
            };
            connection.prepare_cached(sql)?.query_map([of, person], read)?.collect()
        })
    }

    /// Keeps the review of a match, in place of an earlier one.
    pub(crate) fn put_review(&self, of: &str, body: &impl Serialize) -> Result<(), InputError> {
        let sql = "INSERT OR REPLACE INTO reviews (match, body) VALUES (?,?)";
        self.transact(|connection| connection.prepare_cached(sql)?.execute(params![of, json(body)]).map(drop))
    }

    /// The review of a match.
    pub(crate) fn find_review<T: DeserializeOwned>(&self, of: &str) -> Result<Option<T>, InputError> {
        let sql = "SELECT body FROM reviews WHERE match = ?1";
        self.read(|connection| connection.prepare_cached(sql)?.query_row([of], |row| parsed(row, 0)).optional())
    }

    /// Keeps the decision that an agent failed to make, or forgets it: the match goes on after an undo.
    pub(crate) fn put_failure(&self, of: &str, failed: Option<&FailedDecision>) -> Result<(), InputError> {
        self.transact(|connection| match failed {
            Some(failed) => {
                let sql = "INSERT OR REPLACE INTO failures (match, body) VALUES (?,?)";
                connection.prepare_cached(sql)?.execute(params![of, json(failed)]).map(drop)
            }
            None => connection.prepare_cached("DELETE FROM failures WHERE match = ?1")?.execute([of]).map(drop),
        })
    }

    /// The decision that an agent failed to make in a match.
    pub(crate) fn find_failure(&self, of: &str) -> Result<Option<FailedDecision>, InputError> {
        let sql = "SELECT body FROM failures WHERE match = ?1";
        self.read(|connection| connection.prepare_cached(sql)?.query_row([of], |row| parsed(row, 0)).optional())
    }

    /// Keeps a study of a match.
    pub(crate) fn put_study(&self, id: &str, of: &str, body: &impl Serialize) -> Result<(), InputError> {
        let sql = "INSERT OR REPLACE INTO studies (id, match, body) VALUES (?,?,?)";
        self.transact(|connection| connection.prepare_cached(sql)?.execute(params![id, of, json(body)]).map(drop))
    }

    /// A study with its match.
    pub(crate) fn find_study<T: DeserializeOwned>(&self, id: &str) -> Result<Option<(String, T)>, InputError> {
        let sql = "SELECT match, body FROM studies WHERE id = ?1";
        self.read(|connection| {
            let read = |row: &Row<'_>| Ok((row.get(0)?, parsed(row, 1)?));
            connection.prepare_cached(sql)?.query_row([id], read).optional()
        })
    }

    /// How many studies a match has.
    pub(crate) fn count_studies(&self, of: &str) -> Result<u64, InputError> {
        let sql = "SELECT count(*) FROM studies WHERE match = ?1";
        self.read(|connection| {
            connection.prepare_cached(sql)?.query_row([of], |row| row.get::<_, i64>(0)).map(|count| count as u64)
        })
    }

    /// Notes that a match is played for a table.
    pub(crate) fn put_protocol(&self, table: &str, row: &ProtocolRow) -> Result<(), InputError> {
        let sql = "INSERT INTO protocols (match, tested, person, opponent, seat) VALUES (?,?,?,?,?)";
        self.transact(|connection| {
            let values = params![row.id, table, row.person, row.opponent as i64, row.seat as i64];
            connection.prepare_cached(sql)?.execute(values).map(drop)
        })
    }

    /// The matches that were played for a table, the oldest first.
    pub(crate) fn protocol(&self, table: &str) -> Result<Vec<ProtocolRow>, InputError> {
        let sql = "SELECT p.match, p.person, p.opponent, p.seat, m.over, m.payoffs FROM protocols p \
                   JOIN matches m ON m.id = p.match WHERE p.tested = ?1 ORDER BY p.rowid";
        self.read(|connection| {
            let read = |row: &Row<'_>| {
                Ok(ProtocolRow {
                    id: row.get(0)?,
                    person: row.get(1)?,
                    opponent: row.get::<_, i64>(2)? as usize,
                    seat: row.get::<_, i64>(3)? as usize,
                    over: row.get(4)?,
                    payoffs: parsed(row, 5)?,
                })
            };
            connection.prepare_cached(sql)?.query_map([table], read)?.collect()
        })
    }
}

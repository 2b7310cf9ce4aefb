//! Matches and their steps.

use rusqlite::{Connection, OptionalExtension, Row, params};
use tesuji_arena::{InputError, LiveStep, Occupant};

use super::{Database, json, now, parsed};

/// A match as it is kept.
#[derive(Clone, Debug)]
pub(crate) struct MatchRow {
    /// Its name.
    pub id: String,
    /// Seconds since 1970.
    pub created: i64,
    /// Seconds since 1970 of the last change.
    pub updated: i64,
    /// The address of the game, as the API writes it.
    pub game: String,
    /// The names of the seats.
    pub players: Vec<String>,
    /// Who sits where.
    pub seats: Vec<Occupant>,
    /// By seat: the digest of the key of the person there; `None` for agents and open seats.
    pub keys: Vec<Option<String>>,
    /// The seed of nature and agents.
    pub seed: u64,
    /// What it is called.
    pub title: String,
    /// Where it comes from: `play`, `replay` or `store`.
    pub origin: String,
    /// For a match of a store: which one, so that it is opened only once.
    pub source: Option<String>,
    /// How far it has come.
    pub progress: MatchProgress,
}

/// The part of a match that changes while it is played.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct MatchProgress {
    /// Steps made.
    pub steps: usize,
    /// Is it over?
    pub over: bool,
    /// What each player got.
    pub payoffs: Option<Vec<f64>>,
    /// Who resigned.
    pub resigned: Option<u8>,
    /// What went wrong.
    pub fault: Option<String>,
    /// Choices of people for the next step, hidden until all movers have chosen.
    pub pending: Vec<(u8, String)>,
}

const MATCH: &str = "SELECT id, created, updated, game, players, seats, keys, seed, title, origin, source, steps, \
                     over, payoffs, resigned, fault, pending FROM matches";

impl Database {
    /// Adds a match with the steps it has.
    pub(crate) fn add_match(&self, row: &MatchRow, steps: &[LiveStep]) -> Result<(), InputError> {
        let sql = "INSERT INTO matches (id, created, updated, game, players, seats, keys, seed, title, origin, \
                   source, steps, over, payoffs, resigned, fault, pending) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)";
        self.transact(|connection| {
            let MatchProgress { steps: count, over, payoffs, resigned, fault, pending } = &row.progress;
            connection.prepare_cached(sql)?.execute(params![
                row.id,
                row.created,
                row.updated,
                row.game,
                json(&row.players),
                json(&row.seats),
                json(&row.keys),
                row.seed as i64,
                row.title,
                row.origin,
                row.source,
                *count as i64,
                over,
                json(payoffs),
                resigned,
                fault,
                json(pending)
            ])?;
            add_steps(connection, &row.id, 0, steps)
        })
    }

    /// Writes the progress of a match: steps from `from` on are replaced by `steps`.
    pub(crate) fn change_match(
        &self,
        id: &str,
        progress: &MatchProgress,
        from: usize,
        steps: &[LiveStep],
    ) -> Result<(), InputError> {
        self.transact(|connection| {
            connection
                .prepare_cached("DELETE FROM steps WHERE match = ?1 AND number >= ?2")?
                .execute(params![id, from as i64])?;
            connection
                .prepare_cached("DELETE FROM labels WHERE match = ?1 AND step >= ?2")?
                .execute(params![id, from as i64])?;
            add_steps(connection, id, from, steps)?;
            let sql = "UPDATE matches SET updated = ?2, steps = ?3, over = ?4, payoffs = ?5, resigned = ?6, \
                       fault = ?7, pending = ?8 WHERE id = ?1";
            let MatchProgress { steps: count, over, payoffs, resigned, fault, pending } = progress;
            connection.prepare_cached(sql)?.execute(params![
                id,
                now(),
                *count as i64,
                over,
                json(payoffs),
                resigned,
                fault,
                json(pending)
            ])?;
            Ok(())
        })
    }

    /// Writes who sits where.
    pub(crate) fn change_seats(&self, id: &str, seats: &[Occupant], keys: &[Option<String>]) -> Result<(), InputError> {
        self.transact(|connection| {
            connection
                .prepare_cached("UPDATE matches SET seats = ?2, keys = ?3 WHERE id = ?1")?
                .execute(params![id, json(seats), json(keys)])
                .map(drop)
        })
    }

    /// The match of that name.
    pub(crate) fn find_match(&self, id: &str) -> Result<Option<MatchRow>, InputError> {
        let sql = format!("{MATCH} WHERE id = ?1");
        self.read(|connection| connection.prepare_cached(&sql)?.query_row([id], match_row).optional())
    }

    /// The id of the match that was opened from `source`.
    pub(crate) fn find_source(&self, source: &str) -> Result<Option<String>, InputError> {
        let sql = "SELECT id FROM matches WHERE source = ?1";
        self.read(|connection| connection.prepare_cached(sql)?.query_row([source], |row| row.get(0)).optional())
    }

    /// The steps of a match.
    pub(crate) fn steps(&self, id: &str) -> Result<Vec<LiveStep>, InputError> {
        let texts: Vec<String> = self.read(|connection| {
            let mut statement = connection.prepare_cached("SELECT step FROM steps WHERE match = ?1 ORDER BY number")?;
            statement.query_map([id], |row| row.get(0))?.collect()
        })?;
        let step = |text: &String| serde_json::from_str(text).map_err(|error| InputError::new(error.to_string()));
        texts.iter().map(step).collect()
    }

    /// Matches, the last changed first, and how many there are in all. `over` picks those that are over, or are not.
    pub(crate) fn list_matches(
        &self,
        over: Option<bool>,
        offset: u64,
        limit: u64,
    ) -> Result<(u64, Vec<MatchRow>), InputError> {
        let picked = match over {
            None => "1",
            Some(true) => "over",
            Some(false) => "NOT over",
        };
        self.read(|connection| {
            let total = connection
                .prepare_cached(&format!("SELECT count(*) FROM matches WHERE {picked}"))?
                .query_row([], |row| row.get::<_, i64>(0))?;
            let sql = format!("{MATCH} WHERE {picked} ORDER BY updated DESC, rowid DESC LIMIT ?1 OFFSET ?2");
            let mut statement = connection.prepare_cached(&sql)?;
            let rows = statement.query_map(params![limit as i64, offset as i64], match_row)?;
            Ok((total as u64, rows.collect::<rusqlite::Result<_>>()?))
        })
    }

    /// How many matches are kept.
    pub(crate) fn count_matches(&self) -> Result<u64, InputError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached("SELECT count(*) FROM matches")?;
            statement.query_row([], |row| row.get::<_, i64>(0)).map(|count| count as u64)
        })
    }

    /// Removes a match and everything that belongs to it.
    pub(crate) fn remove_match(&self, id: &str) -> Result<(), InputError> {
        self.transact(|connection| {
            for table in ["steps", "analyses", "labels", "reviews", "studies", "protocols", "failures"] {
                connection.execute(&format!("DELETE FROM {table} WHERE match = ?1"), [id])?;
            }
            connection.execute("DELETE FROM matches WHERE id = ?1", [id]).map(drop)
        })
    }
}

fn add_steps(connection: &Connection, id: &str, from: usize, steps: &[LiveStep]) -> rusqlite::Result<()> {
    let mut statement = connection.prepare_cached("INSERT INTO steps (match, number, step) VALUES (?,?,?)")?;
    for (index, step) in steps.iter().enumerate() {
        statement.execute(params![id, (from + index) as i64, json(step)])?;
    }
    Ok(())
}

fn match_row(row: &Row<'_>) -> rusqlite::Result<MatchRow> {
    Ok(MatchRow {
        id: row.get(0)?,
        created: row.get(1)?,
        updated: row.get(2)?,
        game: row.get(3)?,
        players: parsed(row, 4)?,
        seats: parsed(row, 5)?,
        keys: parsed(row, 6)?,
        seed: row.get::<_, i64>(7)? as u64,
        title: row.get(8)?,
        origin: row.get(9)?,
        source: row.get(10)?,
        progress: MatchProgress {
            steps: row.get::<_, i64>(11)? as usize,
            over: row.get(12)?,
            payoffs: parsed(row, 13)?,
            resigned: row.get(14)?,
            fault: row.get(15)?,
            pending: parsed(row, 16)?,
        },
    })
}

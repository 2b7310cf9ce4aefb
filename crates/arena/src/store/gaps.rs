//! Measured gaps in the store: a row a decision.

use rusqlite::{Row, params};
use tesuji_core::{InputError, Player};

use super::Store;
use crate::GapDecision;
use crate::experiment::GapUnit;

/// The table of gaps, added by format 4.
pub(super) const TABLE: &str = "
    CREATE TABLE gaps (
        run INTEGER NOT NULL REFERENCES runs(id),
        game INTEGER NOT NULL,
        agent INTEGER NOT NULL,
        playouts INTEGER NOT NULL,
        player INTEGER NOT NULL,
        repeat INTEGER NOT NULL,
        value REAL NOT NULL,
        gap REAL NOT NULL,
        seconds REAL NOT NULL,
        PRIMARY KEY (run, game, agent, playouts, player, repeat)
    ) WITHOUT ROWID;
";

impl Store {
    /// Adds what one decision gave away to the current batch; one that is already there stays as it is.
    pub fn add_gap(&mut self, run: i64, unit: GapUnit, found: GapDecision) -> Result<(), InputError> {
        self.begin()?;
        let sql = "INSERT OR IGNORE INTO gaps VALUES (?,?,?,?,?,?,?,?,?)";
        let GapUnit { game, agent, playouts, player, repeat } = unit;
        let GapDecision { value, gap, seconds } = found;
        let row = params![run, game, agent, playouts as i64, player.0, repeat as i64, value, gap, seconds];
        self.connection.execute(sql, row).map(drop).map_err(|error| self.wrong(error))
    }

    /// All that was measured in a run, in the order of games, agents, playouts, players and repeats.
    pub fn gaps(&self, run: i64) -> Result<Vec<(GapUnit, GapDecision)>, InputError> {
        if !self.has_gaps()? {
            return Ok(Vec::new());
        }
        let read = || -> rusqlite::Result<Vec<(GapUnit, GapDecision)>> {
            let sql = "SELECT game, agent, playouts, player, repeat, value, gap, seconds FROM gaps WHERE run = ?1 \
                       ORDER BY game, agent, playouts, player, repeat";
            self.connection.prepare(sql)?.query_map([run], stored)?.collect()
        };
        read().map_err(|error| self.wrong(error))
    }
}

fn stored(row: &Row<'_>) -> rusqlite::Result<(GapUnit, GapDecision)> {
    let unit = GapUnit {
        game: row.get(0)?,
        agent: row.get(1)?,
        playouts: row.get::<_, i64>(2)? as u64,
        player: Player(row.get(3)?),
        repeat: row.get::<_, i64>(4)? as u64,
    };
    Ok((unit, GapDecision { value: row.get(5)?, gap: row.get(6)?, seconds: row.get(7)? }))
}

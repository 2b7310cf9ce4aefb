//! Labels of actions in the store.

use rusqlite::{Row, params};
use tesuji_core::InputError;

use super::Store;
use crate::Catalogue;
use crate::fuzzy::{Label, LabelCheck};

/// The table of labels, added by format 3.
pub(super) const TABLE: &str = "
    CREATE TABLE labels (
        id INTEGER PRIMARY KEY,
        game TEXT NOT NULL,
        state TEXT NOT NULL,
        action TEXT NOT NULL,
        labeller TEXT NOT NULL,
        played TEXT NOT NULL,
        features TEXT NOT NULL,
        label REAL NOT NULL
    );
";

impl Store {
    /// Adds what somebody thinks of an action, after checking it. What the same person said before of the same action in the same
    /// match is replaced: people change their minds.
    pub fn add_label(&mut self, catalogue: &Catalogue, mut label: Label) -> Result<(), InputError> {
        LabelCheck::new(catalogue).check(&mut label)?;
        self.commit()?;
        self.execute_batch("BEGIN")?;
        let before = "DELETE FROM labels WHERE game = ?1 AND state = ?2 AND action = ?3 AND labeller = ?4 AND played = ?5 \
                      AND state <> ''";
        let key = params![label.game, label.state, label.action, label.by, label.played];
        let replaced = self.connection.execute(before, key).map_err(|error| self.wrong(error)).map(drop);
        self.end_labels(replaced.and_then(|()| self.insert_label(&label)))
    }

    /// Takes back what somebody said of an action of a match.
    pub fn remove_label(&mut self, label: &Label) -> Result<(), InputError> {
        self.commit()?;
        let sql = "DELETE FROM labels WHERE game = ?1 AND state = ?2 AND action = ?3 AND labeller = ?4 AND played = ?5";
        let key = params![label.game, label.state, label.action, label.by, label.played];
        self.connection.execute(sql, key).map(drop).map_err(|error| self.wrong(error))
    }

    /// Adds labels that were checked, all or none. What the store holds already is not added again: of equal labels there are then as
    /// many as in that of the two which has more. Returns how many were added.
    pub fn add_labels(&mut self, labels: &[Label]) -> Result<u64, InputError> {
        let mut held = self.labels()?;
        self.commit()?;
        self.execute_batch("BEGIN")?;
        let mut added = 0;
        let mut insert = || -> Result<(), InputError> {
            held.sort_by(compare);
            let mut taken = vec![false; held.len()];
            for label in labels {
                let start = held.partition_point(|other| compare(other, label).is_lt());
                let equal = (start..held.len()).take_while(|&place| held[place] == *label);
                match equal.into_iter().find(|&place| !taken[place]) {
                    Some(place) => taken[place] = true,
                    None => {
                        self.insert_label(label)?;
                        added += 1;
                    }
                }
            }
            Ok(())
        };
        let inserted = insert();
        self.end_labels(inserted)?;
        Ok(added)
    }

    /// All labels, in the order in which they were added.
    pub fn labels(&self) -> Result<Vec<Label>, InputError> {
        // A store of format 2, opened for reading, has no such table.
        let there: i64 = self.query("SELECT count(*) FROM sqlite_master WHERE name = 'labels'")?;
        if there == 0 {
            return Ok(Vec::new());
        }
        let read = || -> rusqlite::Result<Vec<Label>> {
            let sql = "SELECT game, state, action, labeller, played, features, label FROM labels ORDER BY id";
            let mut statement = self.connection.prepare(sql)?;
            statement.query_map([], stored)?.collect()
        };
        read().map_err(|error| self.wrong(error))
    }

    fn insert_label(&self, label: &Label) -> Result<(), InputError> {
        let features: Vec<String> = label.features.iter().map(f64::to_string).collect();
        let sql = "INSERT INTO labels (game, state, action, labeller, played, features, label) VALUES (?,?,?,?,?,?,?)";
        let Label { game, state, action, by, played, label, .. } = label;
        let row = params![game, state, action, by, played, features.join(" "), label];
        self.connection.execute(sql, row).map(drop).map_err(|error| self.wrong(error))
    }

    /// Commits what was begun, or takes it back.
    fn end_labels(&self, done: Result<(), InputError>) -> Result<(), InputError> {
        match done {
            Ok(()) => self.execute_batch("COMMIT"),
            Err(error) => {
                self.execute_batch("ROLLBACK")?;
                Err(error)
            }
        }
    }
}

fn stored(row: &Row<'_>) -> rusqlite::Result<Label> {
    Ok(Label {
        game: row.get(0)?,
        state: row.get(1)?,
        action: row.get(2)?,
        by: row.get(3)?,
        played: row.get(4)?,
        features: row.get::<_, String>(5)?.split(' ').filter_map(|feature| feature.parse().ok()).collect(),
        label: row.get(6)?,
    })
}

/// Any order in which equal labels are neighbours.
fn compare(one: &Label, two: &Label) -> std::cmp::Ordering {
    let texts = |label: &Label| {
        let Label { game, state, action, by, played, .. } = label.clone();
        [game, state, action, by, played]
    };
    texts(one).cmp(&texts(two)).then_with(|| one.label.total_cmp(&two.label)).then_with(|| {
        let pairs = one.features.iter().zip(&two.features);
        pairs.map(|(one, two)| one.total_cmp(two)).find(|order| order.is_ne()).unwrap_or(std::cmp::Ordering::Equal)
    })
}

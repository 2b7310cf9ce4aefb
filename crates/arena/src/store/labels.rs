//! Labels of actions in the store.

use rusqlite::types::ValueRef;
use rusqlite::{Row, params};
use tesuji_core::InputError;

use super::Store;
use super::table::{LABELS, text};
use crate::Catalogue;
use crate::fuzzy::{Label, LabelCheck};

impl Store {
    /// Adds what somebody thinks of an action, after checking it. What the same person said before of the same action
    /// in the same match is replaced: people change their minds.
    pub fn add_label(&mut self, catalogue: &Catalogue, mut label: Label) -> Result<(), InputError> {
        LabelCheck::new(catalogue).check(&mut label)?;
        self.all_or_nothing(|store| {
            // Labels that only say features are samples, of which there can be several.
            if !label.state.is_empty() {
                store.delete_label(&label)?;
            }
            store.insert_label(&label)
        })
    }

    /// Takes back what somebody said of an action of a match.
    pub fn remove_label(&mut self, label: &Label) -> Result<(), InputError> {
        self.all_or_nothing(|store| store.delete_label(label))
    }

    /// Adds labels that were checked, all or none. What the store holds already is not added again: of equal labels
    /// there are then as many as in that of the two which has more. Returns how many were added.
    pub fn add_labels(&mut self, labels: &[Label]) -> Result<u64, InputError> {
        let mut held = self.labels()?;
        held.sort_by(compare);
        let mut taken = vec![false; held.len()];
        let mut added = 0;
        self.all_or_nothing(|store| {
            for label in labels {
                let start = held.partition_point(|other| compare(other, label).is_lt());
                let equal = (start..held.len()).take_while(|&place| held[place] == *label);
                match equal.into_iter().find(|&place| !taken[place]) {
                    Some(place) => taken[place] = true,
                    None => {
                        store.insert_label(label)?;
                        added += 1;
                    }
                }
            }
            Ok(())
        })?;
        Ok(added)
    }

    /// All labels, in the order in which they were added.
    pub fn labels(&self) -> Result<Vec<Label>, InputError> {
        // A store of format 2, opened for reading, has no such table.
        let there: i64 = self.query("SELECT count(*) FROM sqlite_master WHERE name = 'labels'")?;
        if !self.checked && there == 0 {
            return Ok(Vec::new());
        }
        self.all_rows(&LABELS, 0, stored)
    }

    fn insert_label(&mut self, label: &Label) -> Result<(), InputError> {
        let features: Vec<String> = label.features.iter().map(f64::to_string).collect();
        let features = features.join(" ");
        let id: i64 = self.query("SELECT coalesce(max(id), 0) + 1 FROM labels")?;
        let Label { game, state, action, by, played, label, .. } = label;
        let [game, state, action, by, played] = [game, state, action, by, played].map(|value| text(value));
        let row = [ValueRef::Integer(id), game, state, action, by, played, text(&features), ValueRef::Real(*label)];
        let written = LABELS.write(&self.connection, "INSERT", &row);
        self.count(&LABELS, 0, written)
    }

    /// Deletes what the labeller said of this action of this match.
    fn delete_label(&mut self, label: &Label) -> Result<(), InputError> {
        let condition = "WHERE game = ?1 AND state = ?2 AND action = ?3 AND labeller = ?4 AND played = ?5";
        let key = params![label.game, label.state, label.action, label.by, label.played];
        let checksums = || -> rusqlite::Result<Vec<i64>> {
            let mut statement = self.connection.prepare(&format!("SELECT checksum FROM labels {condition}"))?;
            let checksums: Vec<i64> = statement.query_map(key, |row| row.get(0))?.collect::<Result<_, _>>()?;
            self.connection.execute(&format!("DELETE FROM labels {condition}"), key)?;
            Ok(checksums)
        };
        let checksums = checksums().map_err(|error| self.wrong(error))?;
        checksums.into_iter().for_each(|checksum| self.sums.of(&LABELS, 0).remove(checksum));
        Ok(())
    }
}

fn stored(row: &Row<'_>) -> rusqlite::Result<Label> {
    Ok(Label {
        game: row.get(1)?,
        state: row.get(2)?,
        action: row.get(3)?,
        by: row.get(4)?,
        played: row.get(5)?,
        features: row.get::<_, String>(6)?.split(' ').filter_map(|feature| feature.parse().ok()).collect(),
        label: row.get(7)?,
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

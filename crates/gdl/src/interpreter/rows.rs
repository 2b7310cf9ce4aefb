//! Rows of terms without duplicates, found by what stands in some of their columns.

use std::hash::Hasher;

use rustc_hash::FxHasher;

/// A term's number in a row.
pub(super) type Value = u32;

/// No row.
pub(super) const NONE: u32 = u32::MAX;

/// Below this many rows, duplicates are found by looking at all of them: for most calls the answer is a handful.
const SMALL: u32 = 8;

fn hash(values: impl Iterator<Item = Value>) -> usize {
    let mut hasher = FxHasher::default();
    values.for_each(|value| hasher.write_u32(value));
    hasher.finish() as usize
}

/// A set of rows of the same width, in order of arrival.
#[derive(Clone, Debug, Default)]
pub(super) struct Rows {
    width: usize,
    values: Vec<Value>,
    count: u32,
    /// Row number plus 1 by the hash of the row, once there are many rows; a power of two of places, at most half
    /// taken.
    places: Vec<u32>,
}

impl Rows {
    /// No rows of that width.
    pub(super) fn new(width: usize) -> Rows {
        Rows { width, ..Rows::default() }
    }

    /// Forgets all rows, keeps the room they took, and takes rows of that width from now on.
    pub(super) fn reset(&mut self, width: usize) {
        self.width = width;
        self.values.clear();
        if self.count > SMALL {
            self.places.fill(0);
        }
        self.count = 0;
    }

    /// How many there are.
    pub(super) fn count(&self) -> u32 {
        self.count
    }

    /// The row of that number.
    pub(super) fn row(&self, row: u32) -> &[Value] {
        &self.values[row as usize * self.width..][..self.width]
    }

    /// Adds a row; false if it was there.
    pub(super) fn insert(&mut self, row: &[Value]) -> bool {
        debug_assert_eq!(row.len(), self.width);
        if self.count < SMALL {
            if (0..self.count).any(|known| self.row(known) == row) {
                return false;
            }
        } else {
            if self.count == SMALL || self.places.len() < 2 * (self.count as usize + 1) {
                self.make_room();
            }
            let place = self.place(row);
            if self.places[place] != 0 {
                return false;
            }
            self.places[place] = self.count + 1;
        }
        self.values.extend_from_slice(row);
        self.count += 1;
        true
    }

    /// Is the row there?
    pub(super) fn contains(&self, row: &[Value]) -> bool {
        if self.count <= SMALL {
            return (0..self.count).any(|known| self.row(known) == row);
        }
        self.places[self.place(row)] != 0
    }

    fn place(&self, row: &[Value]) -> usize {
        let mask = self.places.len() - 1;
        let mut place = hash(row.iter().copied()) & mask;
        while self.places[place] != 0 && self.row(self.places[place] - 1) != row {
            place = (place + 1) & mask;
        }
        place
    }

    #[cold]
    fn make_room(&mut self) {
        let size = (4 * (self.count as usize + 1)).next_power_of_two().max(self.places.len());
        self.places.clear();
        self.places.resize(size, 0);
        for row in 0..self.count {
            let place = self.place(self.row(row));
            self.places[place] = row + 1;
        }
    }
}

/// Rows by what stands in some columns: rows that agree there hang together.
#[derive(Clone, Debug)]
struct Index {
    columns: Box<[u32]>,
    /// The last row of each chain plus 1, by the hash of its key.
    places: Vec<u32>,
    /// For each row the one before it with the same key.
    before: Vec<u32>,
    keys: usize,
}

impl Index {
    fn place(&self, rows: &Rows, key: impl Iterator<Item = Value> + Clone) -> usize {
        let mask = self.places.len() - 1;
        let mut place = hash(key.clone()) & mask;
        loop {
            let Some(row) = self.places[place].checked_sub(1) else { return place };
            let found = rows.row(row);
            if self.columns.iter().map(|&column| found[column as usize]).eq(key.clone()) {
                return place;
            }
            place = (place + 1) & mask;
        }
    }

    fn add(&mut self, rows: &Rows, row: u32) {
        if self.places.len() < 2 * (self.keys + 1) {
            self.make_room(rows);
        }
        let values = rows.row(row);
        let place = self.place(rows, self.columns.iter().map(|&column| values[column as usize]));
        let last = self.places[place];
        self.keys += usize::from(last == 0);
        self.before.push(last.wrapping_sub(1));
        self.places[place] = row + 1;
    }

    #[cold]
    fn make_room(&mut self, rows: &Rows) {
        let chains: Vec<u32> = self.places.iter().copied().filter(|&last| last != 0).collect();
        self.places = vec![0; (4 * (self.keys + 1)).next_power_of_two().max(16)];
        for last in chains {
            let values = rows.row(last - 1);
            let place = self.place(rows, self.columns.iter().map(|&column| values[column as usize]));
            self.places[place] = last;
        }
    }
}

/// Rows with indexes.
#[derive(Clone, Debug)]
pub(super) struct Relation {
    rows: Rows,
    indexes: Vec<Index>,
}

impl Relation {
    /// No rows, with an index for each of these sets of columns.
    pub(super) fn new(width: usize, indexes: &[Box<[u32]>]) -> Relation {
        let index = |columns: Box<[u32]>| Index { columns, places: vec![0; 16], before: Vec::new(), keys: 0 };
        Relation { rows: Rows::new(width), indexes: indexes.iter().cloned().map(index).collect() }
    }

    /// Forgets all rows.
    pub(super) fn clear(&mut self) {
        if self.rows.count == 0 {
            return;
        }
        self.rows.reset(self.rows.width);
        for index in &mut self.indexes {
            index.places.fill(0);
            index.before.clear();
            index.keys = 0;
        }
    }

    /// The rows.
    pub(super) fn rows(&self) -> &Rows {
        &self.rows
    }

    /// Adds a row; false if it was there.
    pub(super) fn insert(&mut self, row: &[Value]) -> bool {
        let added = self.rows.insert(row);
        if added {
            self.indexes.iter_mut().for_each(|index| index.add(&self.rows, self.rows.count - 1));
        }
        added
    }

    /// The last row whose columns of that index hold `key`, or [`NONE`].
    pub(super) fn last_with(&self, index: u32, key: &[Value]) -> u32 {
        let index = &self.indexes[index as usize];
        index.places[index.place(&self.rows, key.iter().copied())].wrapping_sub(1)
    }

    /// The row before with the same key, or [`NONE`].
    pub(super) fn before(&self, index: u32, row: u32) -> u32 {
        self.indexes[index as usize].before[row as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use tesuji_core::Rng;

    #[test]
    fn rows_and_indexes_agree_with_a_plain_set() {
        let mut rng = Rng::new(1);
        let mut relation = Relation::new(3, &[Box::new([1]), Box::new([0, 2])]);
        for round in 0..4 {
            relation.clear();
            let mut plain: BTreeSet<Vec<u32>> = BTreeSet::new();
            for _ in 0..[3, 20, 400, 9][round] {
                let row: Vec<u32> = (0..3).map(|_| rng.below(7) as u32).collect();
                assert_eq!(relation.insert(&row), plain.insert(row.clone()));
                assert!(relation.rows().contains(&row));
            }
            assert_eq!(relation.rows().count() as usize, plain.len());
            assert!(!relation.rows().contains(&[7, 7, 7]));
            for key in 0..8 {
                let mut found = BTreeSet::new();
                let mut row = relation.last_with(0, &[key]);
                while row != NONE {
                    assert!(found.insert(relation.rows().row(row).to_vec()));
                    row = relation.before(0, row);
                }
                assert!(plain.iter().filter(|row| row[1] == key).eq(&found));
                let mut pairs = 0;
                let mut row = relation.last_with(1, &[key, 2]);
                while row != NONE {
                    pairs += 1;
                    row = relation.before(1, row);
                }
                assert_eq!(plain.iter().filter(|row| row[0] == key && row[2] == 2).count(), pairs);
            }
        }
    }

    #[test]
    fn a_set_can_change_its_width() {
        let mut rows = Rows::new(0);
        assert!(rows.insert(&[]) && !rows.insert(&[]));
        for width in [2, 1, 3] {
            rows.reset(width);
            for value in 0..50 {
                let row = vec![value; width];
                assert!(rows.insert(&row) && !rows.insert(&row), "{width} {value}");
            }
        }
    }
}

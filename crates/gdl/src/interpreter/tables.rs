//! What was asked and answered before.

use std::hash::Hasher;

use rustc_hash::FxHasher;

use super::predicates::Level;
use super::rows::{Rows, Value};

/// How far a call has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Progress {
    /// Its rules were not tried.
    New,
    /// It is being proved: the number of calls below it.
    Active(u32),
    /// It waits for an older call, the leader, and was last proved in that round.
    Partial { leader: (Level, u32), round: u64 },
    /// All answers are known.
    Complete,
}

/// A call with its answers.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub procedure: u32,
    key: (u32, u32),
    pub progress: Progress,
    pub answers: Rows,
}

/// Calls by procedure and known columns.
#[derive(Clone, Debug)]
pub(super) struct Tables {
    entries: Vec<Entry>,
    /// Entries in use; those behind keep their room for later.
    used: usize,
    keys: Vec<Value>,
    /// Entry number plus 1 by hash.
    places: Vec<u32>,
}

impl Default for Tables {
    fn default() -> Self {
        Tables { entries: Vec::new(), used: 0, keys: Vec::new(), places: vec![0; 64] }
    }
}

impl Tables {
    /// Forgets all calls.
    pub(super) fn clear(&mut self) {
        if self.used > 0 {
            self.used = 0;
            self.keys.clear();
            self.places.fill(0);
        }
    }

    /// The entry of a call; a new one at first sight.
    pub(super) fn entry(&mut self, procedure: u32, width: usize, key: &[Value]) -> u32 {
        if self.places.len() < 2 * (self.used + 1) {
            self.make_room();
        }
        let place = self.place(procedure, key);
        if let Some(entry) = self.places[place].checked_sub(1) {
            return entry;
        }
        let start = self.keys.len() as u32;
        self.keys.extend_from_slice(key);
        let key = (start, self.keys.len() as u32);
        if let Some(entry) = self.entries.get_mut(self.used) {
            entry.procedure = procedure;
            entry.key = key;
            entry.progress = Progress::New;
            entry.answers.reset(width);
        } else {
            self.entries.push(Entry { procedure, key, progress: Progress::New, answers: Rows::new(width) });
        }
        self.used += 1;
        self.places[place] = self.used as u32;
        self.used as u32 - 1
    }

    /// The entry of that number.
    pub(super) fn get(&self, entry: u32) -> &Entry {
        &self.entries[entry as usize]
    }

    /// The entry of that number, to change.
    pub(super) fn get_mut(&mut self, entry: u32) -> &mut Entry {
        &mut self.entries[entry as usize]
    }

    /// The known columns of a call.
    pub(super) fn key(&self, entry: u32) -> &[Value] {
        let (start, end) = self.entries[entry as usize].key;
        &self.keys[start as usize..end as usize]
    }

    fn place(&self, procedure: u32, key: &[Value]) -> usize {
        let mut hasher = FxHasher::default();
        hasher.write_u32(procedure);
        key.iter().for_each(|&value| hasher.write_u32(value));
        let mask = self.places.len() - 1;
        let mut place = hasher.finish() as usize & mask;
        loop {
            let Some(entry) = self.places[place].checked_sub(1) else { return place };
            if self.entries[entry as usize].procedure == procedure && self.key(entry) == key {
                return place;
            }
            place = (place + 1) & mask;
        }
    }

    #[cold]
    fn make_room(&mut self) {
        self.places = vec![0; (4 * (self.used + 1)).next_power_of_two()];
        for entry in 0..self.used as u32 {
            let place = self.place(self.entries[entry as usize].procedure, self.key(entry));
            self.places[place] = entry + 1;
        }
    }
}

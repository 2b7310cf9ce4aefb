//! The transposition table: states met before, with what is known about their values.

use std::hash::{BuildHasher, Hash};

use rustc_hash::FxBuildHasher;

/// The meaning of a stored value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bound {
    Exact,
    /// A lower bound.
    Lower,
    /// An upper bound.
    Upper,
}

/// One state.
#[derive(Clone, Debug)]
pub(crate) struct Entry<S> {
    state: S,
    /// The search that stored it.
    search: u32,
    pub depth: u32,
    pub bound: Bound,
    pub share: f64,
    /// The index of the best action, in the game's order.
    pub best: u16,
}

/// A table with one entry per hash. Of two states the one searched deeper stays; at equal depth, the later one.
///
/// Each search ignores what others stored, so that equal queries have equal answers; only the memory is reused.
pub(crate) struct Table<S> {
    places: Vec<Option<Entry<S>>>,
    search: u32,
}

impl<S> Default for Table<S> {
    fn default() -> Self {
        Table { places: Vec::new(), search: 0 }
    }
}

impl<S: Clone + Eq + Hash> Table<S> {
    /// Starts a search with `size` entries; 0 for none.
    pub(crate) fn begin(&mut self, size: usize) {
        if self.places.len() != size || self.search == u32::MAX {
            self.places = Vec::new();
            self.places.resize_with(size, || None);
            self.search = 0;
        }
        self.search += 1;
    }

    #[inline]
    fn place(&self, state: &S) -> usize {
        // The upper bits of a multiplicative hash are the well mixed ones.
        ((u128::from(FxBuildHasher.hash_one(state)) * self.places.len() as u128) >> 64) as usize
    }

    /// What is known about `state`.
    #[inline]
    pub(crate) fn get(&self, state: &S) -> Option<&Entry<S>> {
        if self.places.is_empty() {
            return None;
        }
        self.places[self.place(state)].as_ref().filter(|entry| entry.search == self.search && entry.state == *state)
    }

    #[inline]
    pub(crate) fn put(&mut self, state: &S, depth: u32, bound: Bound, share: f64, best: u16) {
        if self.places.is_empty() {
            return;
        }
        let place = self.place(state);
        let stays = self.places[place]
            .as_ref()
            .is_some_and(|entry| entry.search == self.search && entry.depth > depth && entry.state != *state);
        if !stays {
            self.places[place] = Some(Entry { state: state.clone(), search: self.search, depth, bound, share, best });
        }
    }
}

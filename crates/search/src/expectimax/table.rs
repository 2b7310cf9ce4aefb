//! States met before, with what is known of their value.

use std::hash::{BuildHasher, Hash};

use rustc_hash::FxBuildHasher;

/// What a stored value is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bound {
    Exact,
    /// The value is at least this.
    Lower,
    /// The value is at most this.
    Upper,
}

/// One state.
#[derive(Clone, Debug)]
pub(super) struct Entry<S> {
    state: S,
    pub depth: u32,
    pub bound: Bound,
    pub share: f64,
    /// The index of the best action, in the game's order.
    pub best: u16,
}

/// A table with one place for each hash; of two states the one read deeper stays, of equal ones the later.
pub(super) struct Table<S> {
    places: Vec<Option<Entry<S>>>,
}

impl<S: Clone + Eq + Hash> Table<S> {
    /// So many places; none for 0.
    pub fn new(size: usize) -> Table<S> {
        let mut places = Vec::new();
        places.resize_with(size, || None);
        Table { places }
    }

    #[inline]
    fn place(&self, state: &S) -> usize {
        // The upper bits of a multiplicative hash are the mixed ones.
        ((u128::from(FxBuildHasher.hash_one(state)) * self.places.len() as u128) >> 64) as usize
    }

    /// What is known of `state`.
    #[inline]
    pub fn get(&self, state: &S) -> Option<&Entry<S>> {
        if self.places.is_empty() {
            return None;
        }
        self.places[self.place(state)].as_ref().filter(|entry| entry.state == *state)
    }

    #[inline]
    pub fn put(&mut self, state: &S, depth: u32, bound: Bound, share: f64, best: u16) {
        if self.places.is_empty() {
            return;
        }
        let place = self.place(state);
        let stays = self.places[place].as_ref().is_some_and(|entry| entry.depth > depth && entry.state != *state);
        if !stays {
            self.places[place] = Some(Entry { state: state.clone(), depth, bound, share, best });
        }
    }
}

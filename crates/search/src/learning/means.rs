//! Mean shares by key: an open-addressing hash table of bounded size.
//!
//! Keys are 64-bit hashes; equal hashes are treated as equal. Linear probing over a power of two of slots, indexed by
//! the key's upper bits. Nothing depends on the order of the slots.

/// The initial number of slots.
const LEAST_SLOTS: usize = 1 << 10;
/// The most slots, 16 bytes each.
const MOST_SLOTS: usize = 1 << 20;

/// The statistics of one key. A slot without visits is free.
#[derive(Clone, Copy, Default, Debug)]
struct Slot {
    key: u64,
    visits: u32,
    mean: f32,
}

/// Mean shares by key.
pub(crate) struct Means {
    slots: Vec<Slot>,
    /// The shift that maps a key to its first slot.
    shift: u32,
    used: usize,
}

impl Default for Means {
    fn default() -> Self {
        Means::with_slots(LEAST_SLOTS)
    }
}

impl Means {
    fn with_slots(count: usize) -> Means {
        Means { slots: vec![Slot::default(); count], shift: u64::BITS - count.trailing_zeros(), used: 0 }
    }

    /// The slot of `key`, or the free one where it would go.
    #[inline]
    fn find(&self, key: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut index = (key >> self.shift) as usize;
        while self.slots[index & mask].visits > 0 && self.slots[index & mask].key != key {
            index += 1;
        }
        index & mask
    }

    /// Visits and mean share of `key`; zero visits if it was never seen.
    #[inline]
    pub(super) fn get(&self, key: u64) -> (u32, f32) {
        let slot = &self.slots[self.find(key)];
        (slot.visits, slot.mean)
    }

    /// Adds one share to the mean of `key`. Call [`make_room`](Means::make_room) before.
    #[inline]
    pub(super) fn add(&mut self, key: u64, share: f32) {
        let index = self.find(key);
        let slots = self.slots.len();
        let slot = &mut self.slots[index];
        if slot.visits == 0 {
            // The last free slots end the probing for missing keys.
            if self.used + slots / 16 < slots {
                self.used += 1;
                *slot = Slot { key, visits: 1, mean: share };
            }
            return;
        }
        slot.visits = slot.visits.saturating_add(1);
        slot.mean += (share - slot.mean) / slot.visits as f32;
    }

    /// Makes room for `more` keys: adds slots, or at the maximum size halves all visits and drops keys without visits.
    pub(super) fn make_room(&mut self, more: usize) {
        if 4 * (self.used + more) <= 3 * self.slots.len() {
            return;
        }
        if self.slots.len() < MOST_SLOTS {
            let wanted = (2 * (self.used + more)).next_power_of_two();
            self.rebuild(wanted.clamp(LEAST_SLOTS, MOST_SLOTS), 1.0);
        } else {
            self.rebuild(MOST_SLOTS, 0.5);
        }
    }

    /// Multiplies all visits by `kept`, rounded down; means stay, and keys without visits are dropped.
    pub(super) fn decay(&mut self, kept: f64) {
        if kept < 1.0 {
            self.rebuild(self.slots.len(), kept);
        }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        *self = Means::default();
    }

    fn rebuild(&mut self, slots: usize, kept: f64) {
        let old = std::mem::replace(self, Means::with_slots(slots));
        for slot in old.slots {
            let visits = (f64::from(slot.visits) * kept) as u32;
            if visits > 0 {
                let index = self.find(slot.key);
                self.slots[index] = Slot { visits, ..slot };
                self.used += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use tesuji_core::{Rng, mix};

    use super::*;

    #[test]
    fn means_equal_those_of_a_plain_map() {
        let mut rng = Rng::new(1);
        let mut means = Means::default();
        let mut map: HashMap<u64, Vec<f64>> = HashMap::new();
        for round in 0..3 {
            for _ in 0..20_000 {
                let key = mix(rng.below(1 + 3000 * round) as u64, 7);
                let share = rng.unit();
                means.make_room(1);
                means.add(key, share as f32);
                map.entry(key).or_default().push(share);
            }
            for (&key, shares) in &map {
                let (visits, mean) = means.get(key);
                assert_eq!(visits as usize, shares.len());
                assert!((f64::from(mean) - shares.iter().sum::<f64>() / shares.len() as f64).abs() < 1e-4);
            }
            assert_eq!((means.used, means.get(12345).0), (map.len(), 0));
        }
        means.decay(0.2);
        for (&key, shares) in &map {
            assert_eq!(means.get(key).0 as usize, shares.len() / 5);
        }
        means.clear();
        assert!(map.keys().all(|&key| means.get(key).0 == 0));
    }

    #[test]
    fn memory_is_bounded_and_what_is_seen_often_survives() {
        let mut means = Means::default();
        for index in 0..2 * MOST_SLOTS as u64 {
            means.make_room(2);
            means.add(mix(index, 1), 0.5);
            means.add(42, 0.25);
        }
        assert_eq!(means.slots.len(), MOST_SLOTS);
        let (visits, mean) = means.get(42);
        assert!(visits > 100_000 && mean == 0.25, "{visits} {mean}");
        // Even without making room, lookups still work.
        (0..MOST_SLOTS as u64).for_each(|index| means.add(mix(index, 2), 0.5));
        assert!(means.used < MOST_SLOTS && means.get(mix(1, 3)).0 == 0);
    }
}

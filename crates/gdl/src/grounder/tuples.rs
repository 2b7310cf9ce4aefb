//! Sets of tuples of the same width, numbered in the order of insertion.

/// Distinct tuples of numbers, all of one width.
#[derive(Clone, Debug, Default)]
pub(super) struct TupleSet {
    width: usize,
    count: u32,
    flat: Vec<u32>,
    /// Open addressing by hash: the tuple's number plus 1, or 0 if empty. The length is a power of two.
    table: Vec<u32>,
}

/// The golden ratio in 64 bits, an odd number without a pattern (Knuth, The Art of Computer Programming 3, 6.4).
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

fn hash(tuple: &[u32]) -> u64 {
    let mixed = tuple.iter().fold(0u64, |hash, &value| (hash.rotate_left(23) ^ u64::from(value)).wrapping_mul(GOLDEN));
    // Products mix upwards only, but slots are chosen by the low bits.
    let mixed = (mixed ^ (mixed >> 32)).wrapping_mul(GOLDEN);
    mixed >> 32
}

impl TupleSet {
    pub(super) fn new(width: usize) -> TupleSet {
        TupleSet { width, ..TupleSet::default() }
    }

    pub(super) fn width(&self) -> usize {
        self.width
    }

    pub(super) fn count(&self) -> u32 {
        self.count
    }

    pub(super) fn get(&self, number: u32) -> &[u32] {
        let start = number as usize * self.width;
        &self.flat[start..start + self.width]
    }

    pub(super) fn find(&self, tuple: &[u32]) -> Option<u32> {
        if self.table.is_empty() {
            return None;
        }
        let mask = self.table.len() - 1;
        let mut slot = hash(tuple) as usize & mask;
        loop {
            match self.table[slot] {
                0 => return None,
                entry if self.get(entry - 1) == tuple => return Some(entry - 1),
                _ => slot = (slot + 1) & mask,
            }
        }
    }

    /// The tuple's number, and whether it is new.
    pub(super) fn insert(&mut self, tuple: &[u32]) -> (u32, bool) {
        if let Some(number) = self.find(tuple) {
            return (number, false);
        }
        if (self.count as usize + 1) * 2 > self.table.len() {
            self.grow();
        }
        let number = self.count;
        self.flat.extend_from_slice(tuple);
        self.count += 1;
        self.place(number);
        (number, true)
    }

    fn place(&mut self, number: u32) {
        let mask = self.table.len() - 1;
        let mut slot = hash(self.get(number)) as usize & mask;
        while self.table[slot] != 0 {
            slot = (slot + 1) & mask;
        }
        self.table[slot] = number + 1;
    }

    fn grow(&mut self) {
        let size = (self.table.len() * 2).max(8);
        self.table.clear();
        self.table.resize(size, 0);
        (0..self.count).for_each(|number| self.place(number));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tuples_keep_their_numbers_while_the_table_grows() {
        for width in 0..4 {
            let mut set = TupleSet::new(width);
            let tuple = |number: u32| vec![number; width];
            for number in 0..1000 {
                let expected = if width == 0 { 0 } else { number };
                assert_eq!(set.insert(&tuple(number)), (expected, expected == number));
            }
            for number in 0..set.count() {
                assert_eq!(set.find(&tuple(number)), Some(number));
                assert_eq!(set.get(number), tuple(number));
            }
            if width > 0 {
                assert_eq!(set.find(&tuple(1000)), None);
            }
        }
    }
}

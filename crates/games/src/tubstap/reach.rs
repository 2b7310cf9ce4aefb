//! Where units can go: sets of cells as bits, and the flood fill that computes them.
//!
//! A set has one bit for each cell inside the frame. One 64-bit word is enough for up to 64 cells, which covers the
//! maps of the papers; larger maps take 4, 16 or 64 words. The number of words is a type parameter, so that the code
//! becomes plain word arithmetic on small maps. A game chooses its width when it is created.

use super::map::{Cell, Map};
use super::units::Kind;

/// A set of cells in `N` words, `N` a power of two.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Cells<const N: usize>([u64; N]);

impl<const N: usize> Cells<N> {
    pub(super) const EMPTY: Cells<N> = Cells([0; N]);

    #[inline(always)]
    fn slot(cell: Cell) -> usize {
        usize::from(cell >> 6) & (N - 1)
    }

    #[inline(always)]
    pub(super) fn contains(&self, cell: Cell) -> bool {
        self.bit(cell) == 1
    }

    /// 1 if the cell is in the set, else 0.
    #[inline(always)]
    pub(super) fn bit(&self, cell: Cell) -> u32 {
        (self.0[Self::slot(cell)] >> (cell & 63)) as u32 & 1
    }

    #[inline(always)]
    pub(super) fn insert(&mut self, cell: Cell) {
        self.0[Self::slot(cell)] |= 1 << (cell & 63);
    }

    #[inline(always)]
    pub(super) fn remove(&mut self, cell: Cell) {
        self.0[Self::slot(cell)] &= !(1 << (cell & 63));
    }

    #[inline(always)]
    fn map2(mut self, other: &Self, f: impl Fn(u64, u64) -> u64) -> Self {
        for (word, &other) in self.0.iter_mut().zip(&other.0) {
            *word = f(*word, other);
        }
        self
    }

    #[inline(always)]
    pub(super) fn and(self, other: &Self) -> Self {
        self.map2(other, |a, b| a & b)
    }

    #[inline(always)]
    pub(super) fn or(self, other: &Self) -> Self {
        self.map2(other, |a, b| a | b)
    }

    #[inline(always)]
    pub(super) fn without(self, other: &Self) -> Self {
        self.map2(other, |a, b| a & !b)
    }

    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    #[inline(always)]
    pub(super) fn len(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// The cell with `rank` cells of the set before it; `rank` must be below the size of the set.
    #[inline]
    pub(super) fn select(&self, rank: u32) -> Cell {
        let mut rank = rank;
        for (index, &word) in self.0.iter().enumerate() {
            if N > 1 {
                let count = word.count_ones();
                if rank >= count {
                    rank -= count;
                    continue;
                }
            }
            return (64 * index) as Cell + crate::bits::select(word, rank as usize) as Cell;
        }
        unreachable!("rank beyond the set")
    }

    /// The cells in ascending order.
    #[inline]
    pub(super) fn iter(&self) -> impl Iterator<Item = Cell> {
        self.0
            .into_iter()
            .enumerate()
            .flat_map(|(index, word)| crate::bits::ones(word).map(move |place| (64 * index) as Cell + place as Cell))
    }

    /// Word `index` after shifting every cell up by `count` places, at most 64; cells beyond the end are lost.
    #[inline(always)]
    fn up(&self, index: usize, count: u32) -> u64 {
        if N == 1 {
            return self.0[0] << (count & 63);
        }
        let below = if index > 0 { self.0[index - 1] } else { 0 };
        ((u128::from(self.0[index]) << 64 | u128::from(below)) << count >> 64) as u64
    }

    /// Word `index` after shifting every cell down by `count` places, at most 64.
    #[inline(always)]
    fn down(&self, index: usize, count: u32) -> u64 {
        if N == 1 {
            return self.0[0] >> (count & 63);
        }
        let above = if index + 1 < N { self.0[index + 1] } else { 0 };
        ((u128::from(above) << 64 | u128::from(self.0[index])) >> count) as u64
    }
}

/// The terrain of a map as sets of cells.
#[derive(Clone, Debug)]
pub(super) struct Ground<const N: usize> {
    width: u32,
    /// All cells except the first column, and all except the last: what a step to the right, and to the left, can
    /// reach.
    after_right: Cells<N>,
    after_left: Cells<N>,
    /// By class of unit: the cells that cost 1 to enter, and those that cost 2.
    cost_one: [Cells<N>; 3],
    cost_two: [Cells<N>; 3],
}

impl<const N: usize> Ground<N> {
    /// The sets for a map that [`fits`](Ground::fits).
    pub(super) fn new(map: &Map) -> Ground<N> {
        let mut ground = Ground {
            width: map.width() as u32,
            after_right: Cells::EMPTY,
            after_left: Cells::EMPTY,
            cost_one: [Cells::EMPTY; 3],
            cost_two: [Cells::EMPTY; 3],
        };
        for (index, terrain) in map.terrain().iter().enumerate() {
            let cell = index as Cell;
            let (column, _) = map.place(cell);
            if column > 0 {
                ground.after_right.insert(cell);
            }
            if column + 1 < map.width() {
                ground.after_left.insert(cell);
            }
            for kind in Kind::ALL {
                match terrain.cost(kind.class()) {
                    Some(1) => ground.cost_one[kind.class() as usize].insert(cell),
                    Some(_) => ground.cost_two[kind.class() as usize].insert(cell),
                    None => {}
                }
            }
        }
        ground
    }

    /// Whether `N` words are enough. One word cannot be shifted by 64, so a single row of 64 cells takes more.
    pub(super) fn fits(map: &Map) -> bool {
        map.terrain().len() <= 64 * N && (N > 1 || map.width() < 64)
    }

    /// The neighbours of the cells of a set. Bits beyond the last cell may be set as well.
    #[inline(always)]
    pub(super) fn around(&self, cells: &Cells<N>) -> Cells<N> {
        let mut around = Cells::EMPTY;
        for (index, word) in around.0.iter_mut().enumerate() {
            *word = self.word_around(cells, index);
        }
        around
    }

    /// Word `index` of the neighbours of a set.
    #[inline(always)]
    fn word_around(&self, cells: &Cells<N>, index: usize) -> u64 {
        let sideways = cells.up(index, 1) & self.after_right.0[index] | cells.down(index, 1) & self.after_left.0[index];
        sideways | cells.up(index, self.width) | cells.down(index, self.width)
    }

    /// The cells that a unit can reach or pass with its move points, including its own cell. Units of one team pass
    /// each other, but never `enemies`.
    ///
    /// `within[k]` = cells at a cost of at most k = `within[k-1]`, and the neighbours of `within[k-1]` that cost 1, and
    /// the neighbours of `within[k-2]` that cost 2. Only the words that this many steps can touch are computed.
    #[inline]
    pub(super) fn reach(&self, kind: Kind, start: Cell, enemies: &Cells<N>) -> Cells<N> {
        let class = kind.class() as usize;
        let (cost_one, cost_two) = (&self.cost_one[class], &self.cost_two[class]);
        let farthest = usize::from(kind.movement()) * self.width as usize;
        let first = usize::from(start).saturating_sub(farthest) / 64;
        let last = ((usize::from(start) + farthest) / 64).min(N - 1);
        let mut within = Cells::EMPTY;
        within.insert(start);
        let mut around_before: Cells<N> = Cells::EMPTY;
        for _ in 0..kind.movement() {
            let mut next = within;
            for index in if N == 1 { 0..=0 } else { first..=last } {
                let around = self.word_around(&within, index);
                let entered = around & cost_one.0[index] | around_before.0[index] & cost_two.0[index];
                next.0[index] |= entered & !enemies.0[index];
                around_before.0[index] = around;
            }
            within = next;
        }
        within
    }
}

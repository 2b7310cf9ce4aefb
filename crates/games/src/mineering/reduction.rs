//! Reductions of synchronized positions: which have equal values, and bounds that are cheap to see.
//!
//! * A cell that no bar can cover does not matter.
//! * Cells that share no bar, directly or through others, form separate parts. Neither the location nor the reflection
//!   of a part matters.
//! * A part that only one player can use is a number of moves in reserve: a vertical run of *l* cells holds ⌊l / k⌋
//!   bars of *k* for Vertical, and nobody can disturb them.
//! * Transposing the whole position exchanges the players.
//!
//! Parts cannot be solved one by one: the result is a win or a loss, not a sum. The reserves of the two sides do not
//! cancel either, because they are waiting moves; so both numbers stay in the key.

use tesuji_core::Fingerprint;

use super::MOST_CELLS;
use super::board::Geometry;
use crate::bits::{self, Word};

impl<W: Word> Geometry<W> {
    /// The cells that are connected with the lowest of `cells` by bars.
    fn part(&self, cells: W, links: [W; 2]) -> W {
        let [down, right] = self.steps();
        let mut part = cells & !cells.without_lowest();
        loop {
            let upright = (part & links[0]) << down | part >> down & links[0];
            let level = (part & links[1]) << right | part >> right & links[1];
            let grown = part | upright | level;
            if grown == part {
                return part;
            }
            part = grown;
        }
    }

    /// The distance from a cell to the next one of a bar of each player; 0 where no bar fits.
    fn steps(&self) -> [u32; 2] {
        self.distances.map(|[second, _]| second)
    }

    /// The cells from which a bar of `bars` continues to the next cell.
    fn links(&self, bars: W, player: usize) -> W {
        let step = self.steps()[player];
        if self.length > 2 { bars | bars << step } else { bars }
    }

    /// The greatest number of `bars` that fit side by side.
    fn packing(&self, bars: W, player: usize) -> u32 {
        let step = self.steps()[player];
        let mut rest = bars;
        let mut count = 0;
        // In each run the first bar is laid first; bars that overlap it are removed.
        while rest != W::ZERO {
            let first = rest & !(rest << step) & if self.length > 2 { !(rest << (2 * step)) } else { !W::ZERO };
            count += first.count_ones();
            rest = rest & !(first | first << step | if self.length > 2 { first << (2 * step) } else { W::ZERO });
        }
        count
    }

    /// Bars that nobody can disturb: no possible bar of the other player covers their cells.
    fn private(&self, possible: &[W; 2], player: usize) -> W {
        let contested = self.covered(possible[1 - player], 1 - player);
        let mine = self.covered(possible[player], player) & !contested;
        self.possible(mine, player)
    }

    /// Bounds on what Vertical can force. A player with more moves in reserve than the other can ever make wins; one
    /// with equally many does not lose.
    pub(super) fn certain(&self, possible: &[W; 2]) -> (f64, f64) {
        let reserve = [0, 1].map(|player| self.packing(self.private(possible, player), player));
        let most = [0, 1].map(|player| self.packing(possible[player], player));
        let secured = |player: usize| match reserve[player].cmp(&most[1 - player]) {
            std::cmp::Ordering::Greater => 1.0,
            std::cmp::Ordering::Equal => 0.5,
            std::cmp::Ordering::Less => 0.0,
        };
        (secured(0), 1.0 - secured(1))
    }

    /// The bars of `player` that matter, first those that take most from the opponent and least from `player`. Of the
    /// bars in parts that only `player` can use, one stands for all.
    pub(super) fn candidates(&self, possible: &[W; 2], player: usize, out: &mut Vec<u8>) {
        let step = self.steps()[player];
        let wanted = self.covered(possible[1 - player], 1 - player);
        let private = self.private(possible, player);
        let links = self.links(possible[player], player);
        let mut rest = possible[player];
        let mut reserve = None;
        // A run of cells that only this player can use is a part of its own.
        for start in bits::ones(private & !(private << step)) {
            let run = self.part(W::ONE << start, if player == 0 { [links, W::ZERO] } else { [W::ZERO, links] });
            if run & wanted == W::ZERO {
                reserve.get_or_insert(start as u8);
                rest = rest & !run;
            }
        }
        let mut ranked = [(0i16, 0u8); MOST_CELLS as usize];
        let mut count = 0;
        for cell in bits::ones(rest) {
            let bar = self.bar(player, cell as u8);
            let taken = (self.meeting(bar, 1 - player) & possible[1 - player]).count_ones() as i16;
            let lost = (self.meeting(bar, player) & possible[player]).count_ones() as i16;
            ranked[count] = (lost - 2 * taken, cell as u8);
            count += 1;
        }
        ranked[..count].sort_unstable();
        out.extend(ranked[..count].iter().map(|&(_, cell)| cell));
        out.extend(reserve);
    }

    /// The first cells of the bars of `player` that cover one of `cells`.
    fn meeting(&self, cells: W, player: usize) -> W {
        let step = self.steps()[player];
        cells | cells >> step | if self.length > 2 { cells >> (2 * step) } else { W::ZERO }
    }

    pub(super) fn fingerprint(&self, possible: &[W; 2]) -> Fingerprint {
        let links = [0, 1].map(|player| self.links(possible[player], player));
        let covered = [0, 1].map(|player| self.covered(possible[player], player));
        let mut reserve = [0u64; 2];
        let mut keys = [0u128; 2];
        let mut rest = covered[0] | covered[1];
        while rest != W::ZERO {
            let part = self.part(rest, links);
            rest = rest & !part;
            match [covered[0] & part != W::ZERO, covered[1] & part != W::ZERO] {
                [true, true] => {
                    let [upright, level] = Shape::of(part, self.columns.into()).keys();
                    keys[0] = keys[0].wrapping_add(upright);
                    keys[1] = keys[1].wrapping_add(level);
                }
                [of_vertical, _] => {
                    reserve[usize::from(!of_vertical)] += u64::from(part.count_ones() / u32::from(self.length));
                }
            }
        }
        let rules = u64::from(self.length);
        keys[0] = keys[0].wrapping_add(scramble(reserve[0] << 32 | reserve[1], rules));
        keys[1] = keys[1].wrapping_add(scramble(reserve[1] << 32 | reserve[0], rules));
        Fingerprint { key: keys[0].min(keys[1]), exchanged: keys[1] < keys[0], even: keys[0] == keys[1] }
    }
}

/// A part moved to the corner of the smallest frame that holds it, row after row.
#[derive(Clone, Copy)]
struct Shape<W> {
    cells: W,
    height: u32,
    width: u32,
}

impl<W: Word> Shape<W> {
    /// The shape of `part` on a board with `columns` columns.
    fn of(part: W, columns: u32) -> Shape<W> {
        let top = part.trailing_zeros() / columns;
        let bottom = (W::BITS - 1 - part.leading_zeros()) / columns;
        let row_mask = W::first(columns);
        let row_of = |row: u32| part >> (row * columns) & row_mask;
        let used = (top..=bottom).fold(W::ZERO, |used, row| used | row_of(row));
        let left = used.trailing_zeros();
        let width = W::BITS - used.leading_zeros() - left;
        let height = bottom - top + 1;
        let mut cells = W::ZERO;
        for row in top..=bottom {
            cells = cells | row_of(row) >> left << ((row - top) * width);
        }
        Shape { cells, height, width }
    }

    /// The shape upside down.
    fn flipped(self) -> Shape<W> {
        let mask = W::first(self.width);
        let row = |row: u32| self.cells >> (row * self.width) & mask;
        let cells = (1..self.height).fold(row(0), |cells, next| cells << self.width | row(next));
        Shape { cells, ..self }
    }

    /// The shape rotated by 180°.
    fn turned(self) -> W {
        self.cells.reverse_bits() >> (W::BITS - self.height * self.width)
    }

    /// The shape with rows and columns exchanged.
    fn transposed(self) -> Shape<W> {
        let cells = bits::ones(self.cells)
            .fold(W::ZERO, |cells, place| cells | W::ONE << (place % self.width * self.height + place / self.width));
        Shape { cells, height: self.width, width: self.height }
    }

    /// Keys of the shape that do not depend on reflection: as it is, and transposed. Nor do they depend on the width
    /// of the words, so that boards of all sizes can share what is known of a shape.
    fn keys(self) -> [u128; 2] {
        if W::BITS > 64 && self.height * self.width <= 64 {
            return Shape { cells: self.cells.cells() as u64, height: self.height, width: self.width }.keys();
        }
        [self, self.transposed()].map(|shape| {
            let flipped = shape.flipped();
            let least = shape.cells.min(flipped.cells).min(shape.turned()).min(flipped.turned()).cells();
            let frame = 1 << 32 | u64::from(shape.width) << 8 | u64::from(shape.height);
            match (least >> 64) as u64 {
                // The lower half alone would do for a frame of up to 64 cells.
                _ if W::BITS <= 64 => scramble(least as u64, frame),
                // A product: keys of parts are added up, and halves of different parts must not be exchanged.
                high => scramble(least as u64, frame).wrapping_mul(scramble(high, 1 << 40 | frame) | 1),
            }
        })
    }
}

/// 128 well mixed bits from two words: two rounds of multiplication by odd constants (the fractional parts of the
/// golden ratio and of √2, √3, √5) and folding.
fn scramble(one: u64, two: u64) -> u128 {
    let fold = |a: u64, b: u64| {
        let product = u128::from(a) * u128::from(b);
        product as u64 ^ (product >> 64) as u64
    };
    let a = fold(one ^ 0x9e37_79b9_7f4a_7c15, two ^ 0x6a09_e667_f3bc_c909 | 1);
    let b = fold(one ^ 0xbb67_ae85_84ca_a73b, two.rotate_left(29) ^ 0x3c6e_f372_fe94_f82b);
    let high = fold(a ^ one.rotate_left(32), b ^ 0x9e37_79b9_7f4a_7c15);
    let low = fold(b ^ two.rotate_left(17), a ^ 0x6a09_e667_f3bc_c909);
    u128::from(high) << 64 | u128::from(low)
}

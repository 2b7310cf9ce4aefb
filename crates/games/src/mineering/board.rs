//! The grid: where bars fit, and which of them overlap.
//!
//! Boards of up to 64 cells are computed in words of 64 bits, larger ones in words of 128 bits. States store 128 bits
//! either way, so that both are games of one type.

use std::hash::{Hash, Hasher};

use tesuji_core::{Fingerprint, Player, Rng};

use crate::bits::{self, Word};

/// A set of cells, with the first row in the lowest bits.
pub(super) type Cells = u128;

/// One board size and bar length. Sets of bars contain the bars' top or left cells.
#[derive(Debug)]
pub(super) struct Board {
    pub(super) rows: u8,
    pub(super) columns: u8,
    pub(super) length: u8,
    /// Every cell.
    pub(super) all: Cells,
    geometry: Width,
}

#[derive(Debug)]
enum Width {
    Narrow(Geometry<u64>),
    Wide(Geometry<u128>),
}

/// Computes `answer` with the `geometry` of a board, whatever its width.
macro_rules! of_any_width {
    ($board:expr, $geometry:ident => $answer:expr) => {
        match &$board.geometry {
            Width::Narrow($geometry) => $answer,
            Width::Wide($geometry) => $answer,
        }
    };
}

impl Board {
    pub(super) fn new(rows: u8, columns: u8, length: u8) -> Board {
        let geometry = match u32::from(rows) * u32::from(columns) {
            ..=64 => Width::Narrow(Geometry::new(rows, columns, length)),
            _ => Width::Wide(Geometry::new(rows, columns, length)),
        };
        Board { rows, columns, length, all: Cells::first(u32::from(rows) * u32::from(columns)), geometry }
    }

    /// The bars that each player can lay on `free` cells.
    #[inline]
    pub(super) fn possible(&self, free: Cells) -> [Cells; 2] {
        of_any_width!(self, geometry => geometry.both_possible(Word::of(free)).map(Word::cells))
    }

    /// The cells left of `free` when some `bars`, each a player and its first cell, are laid, and the bars that each
    /// player can lay then.
    #[inline]
    pub(super) fn after<const BARS: usize>(&self, free: Cells, bars: [(usize, u8); BARS]) -> (Cells, [Cells; 2]) {
        of_any_width!(self, geometry => {
            let free = geometry.without(Word::of(free), bars);
            (free.cells(), geometry.both_possible(free).map(Word::cells))
        })
    }

    /// The cells covered by any of `bars` of `player`.
    pub(super) fn covered(&self, bars: Cells, player: usize) -> Cells {
        of_any_width!(self, geometry => geometry.covered(Word::of(bars), player).cells())
    }

    /// The possible bars of `player` that overlap a possible bar of the other player; all of them if none does.
    #[cfg(test)]
    pub(super) fn hindering(&self, possible: &[Cells; 2], player: usize) -> Cells {
        of_any_width!(self, geometry => geometry.hindering(possible.map(Word::of), player).cells())
    }

    /// A uniformly random one of the [`hindering`](Geometry::hindering) bars.
    #[inline]
    pub(super) fn random_hindering(&self, possible: &[Cells; 2], player: usize, rng: &mut Rng) -> u8 {
        of_any_width!(self, geometry => geometry.hindering(possible.map(Word::of), player).random_bit(rng) as u8)
    }

    /// Plays synchronized steps with [`random_hindering`](Board::random_hindering) bars of both players, until one of
    /// them has none or for `most` steps. Returns the number of steps, the free cells and the bars that fit then.
    ///
    /// A whole playout at once: the width is looked up once.
    pub(super) fn play_out(
        &self,
        free: Cells,
        possible: &[Cells; 2],
        most: u32,
        rng: &mut Rng,
    ) -> (u32, Cells, [Cells; 2]) {
        of_any_width!(self, geometry => {
            let (steps, free, possible) = geometry.play_out(Word::of(free), possible.map(Word::of), most, rng);
            (steps, free.cells(), possible.map(Word::cells))
        })
    }

    /// A uniformly random one of some `bars`, of which there must be one.
    #[inline]
    pub(super) fn random(&self, bars: Cells, rng: &mut Rng) -> u8 {
        match &self.geometry {
            Width::Narrow(_) => bits::random_bit(bars as u64, rng) as u8,
            Width::Wide(_) => bars.random_bit(rng) as u8,
        }
    }

    /// Bounds on what Vertical can force.
    #[inline]
    pub(super) fn certain(&self, possible: &[Cells; 2]) -> (f64, f64) {
        of_any_width!(self, geometry => geometry.certain(&possible.map(Word::of)))
    }

    /// Appends the bars of `player` that matter, the most promising first.
    pub(super) fn candidates(&self, possible: &[Cells; 2], player: usize, out: &mut Vec<u8>) {
        of_any_width!(self, geometry => geometry.candidates(&possible.map(Word::of), player, out));
    }

    /// A key that positions of equal value share.
    pub(super) fn fingerprint(&self, possible: &[Cells; 2]) -> Fingerprint {
        of_any_width!(self, geometry => geometry.fingerprint(&possible.map(Word::of)))
    }

    /// The number of cells of the board.
    pub(super) fn cells(&self) -> u8 {
        self.rows * self.columns
    }

    /// The name of a cell: the column's letter and the row's number.
    pub(super) fn cell_name(&self, cell: u8) -> String {
        format!("{}{}", column_name(cell % self.columns), cell / self.columns + 1)
    }
}

/// The geometry of a board in words of one width.
#[derive(Debug)]
pub(super) struct Geometry<W> {
    pub(super) columns: u8,
    pub(super) length: u8,
    /// By player: the distances from the first cell of a bar to its second and last. For a bar of two cells the last
    /// distance is 0, which adds nothing.
    pub(super) distances: [[u32; 2]; 2],
    /// By player: the cells where a bar may begin without leaving the board.
    beginnings: [W; 2],
    /// By player: the bar that begins in cell 0.
    bars: [W; 2],
}

impl<W: Word> Geometry<W> {
    fn new(rows: u8, columns: u8, length: u8) -> Geometry<W> {
        let (m, n) = (u32::from(rows), u32::from(columns));
        let reach = u32::from(length) - 1;
        let cells = (0..m).flat_map(|row| (0..n).map(move |column| (row, column)));
        let set = |fits: &dyn Fn(u32, u32) -> bool| {
            cells
                .clone()
                .filter(|&(row, column)| fits(row, column))
                .fold(W::ZERO, |set, (row, column)| set | W::ONE << (row * n + column))
        };
        let beginnings = [set(&|row, _| row + reach < m), set(&|_, column| column + reach < n)];
        let last = |step: u32| if length > 2 { 2 * step } else { 0 };
        // Where no bar fits, the distances are never used, but must not be too large for a shift.
        let distances = [n, 1].map(|step| [step, last(step)]);
        let distances = [0, 1].map(|player| if beginnings[player] == W::ZERO { [0, 0] } else { distances[player] });
        let bars = distances.map(|[second, last]| W::ONE | W::ONE << second | W::ONE << last);
        Geometry { columns, length, distances, beginnings, bars }
    }

    /// The bars that `player` can lay on `free` cells.
    #[inline]
    pub(super) fn possible(&self, free: W, player: usize) -> W {
        let [second, last] = self.distances[player];
        free & free >> second & free >> last & self.beginnings[player]
    }

    #[inline]
    fn both_possible(&self, free: W) -> [W; 2] {
        [self.possible(free, 0), self.possible(free, 1)]
    }

    /// The cells of the bar of `player` that begins in `cell`.
    #[inline]
    pub(super) fn bar(&self, player: usize, cell: u8) -> W {
        self.bars[player] << u32::from(cell)
    }

    #[inline]
    fn without<const BARS: usize>(&self, free: W, bars: [(usize, u8); BARS]) -> W {
        bars.into_iter().fold(free, |free, (player, cell)| free & !self.bar(player, cell))
    }

    /// The cells covered by any of `bars` of `player`.
    #[inline]
    pub(super) fn covered(&self, bars: W, player: usize) -> W {
        let [second, last] = self.distances[player];
        bars | bars << second | bars << last
    }

    fn play_out(&self, mut free: W, mut possible: [W; 2], most: u32, rng: &mut Rng) -> (u32, W, [W; 2]) {
        let mut steps = 0;
        while steps < most && possible[0] != W::ZERO && possible[1] != W::ZERO {
            let bars = [0, 1].map(|player| (player, self.hindering(possible, player).random_bit(rng) as u8));
            free = self.without(free, bars);
            possible = self.both_possible(free);
            steps += 1;
        }
        (steps, free, possible)
    }

    #[inline]
    fn hindering(&self, possible: [W; 2], player: usize) -> W {
        let wanted = self.covered(possible[1 - player], 1 - player);
        let [second, last] = self.distances[player];
        let hindering = possible[player] & (wanted | wanted >> second | wanted >> last);
        if hindering != W::ZERO { hindering } else { possible[player] }
    }
}

/// The name of a column: `a` to `z`, then `aa`, `ab` and so on.
pub(super) fn column_name(column: u8) -> String {
    let letter = |index: u8| (b'a' + index) as char;
    match column {
        0..26 => letter(column).to_string(),
        _ => [letter(column / 26 - 1), letter(column % 26)].iter().collect(),
    }
}

/// Hashes a set of cells: one word of 64 bits if that is enough.
#[inline]
pub(super) fn hash_cells<H: Hasher>(cells: Cells, hasher: &mut H) {
    (cells as u64).hash(hasher);
    if cells >> 64 != 0 {
        ((cells >> 64) as u64).hash(hasher);
    }
}

/// The other player.
#[inline]
pub(super) fn other(player: Player) -> Player {
    Player(1 - player.0)
}

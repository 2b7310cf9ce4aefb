//! The grid: where bars fit, and which of them overlap.

use tesuji_core::Player;

/// A set of cells, with the first row in the lowest bits.
pub(super) type Cells = u64;

/// The geometry of one board size and bar length. Sets of bars contain the bars' top or left cells.
#[derive(Debug)]
pub(super) struct Board {
    pub(super) rows: u8,
    pub(super) columns: u8,
    pub(super) length: u8,
    /// Every cell.
    pub(super) all: Cells,
    /// By player: the distances from the first cell of a bar to its second and last. For a bar of two cells the last
    /// distance is 0, which adds nothing.
    pub(super) distances: [[u32; 2]; 2],
    /// By player: the cells where a bar may begin without leaving the board.
    beginnings: [Cells; 2],
    /// By player: the bar that begins in cell 0.
    bars: [Cells; 2],
}

impl Board {
    pub(super) fn new(rows: u8, columns: u8, length: u8) -> Board {
        let (m, n) = (u32::from(rows), u32::from(columns));
        let reach = u32::from(length) - 1;
        let cells = (0..m).flat_map(|row| (0..n).map(move |column| (row, column)));
        let set = |fits: &dyn Fn(u32, u32) -> bool| {
            cells
                .clone()
                .filter(|&(row, column)| fits(row, column))
                .fold(0, |set, (row, column)| set | 1 << (row * n + column))
        };
        let beginnings = [set(&|row, _| row + reach < m), set(&|_, column| column + reach < n)];
        let last = |step: u32| if length > 2 { 2 * step } else { 0 };
        // Where no bar fits, the distances are never used, but must not be too large for a shift.
        let distances = [n, 1].map(|step| [step, last(step)]);
        let distances = [0, 1].map(|player| if beginnings[player] == 0 { [0, 0] } else { distances[player] });
        let bars = distances.map(|[second, last]| 1 | 1 << second | 1 << last);
        Board { rows, columns, length, all: set(&|_, _| true), distances, beginnings, bars }
    }

    /// The bars that `player` can lay on `free` cells.
    #[inline]
    pub(super) fn possible(&self, free: Cells, player: usize) -> Cells {
        let [second, last] = self.distances[player];
        free & free >> second & free >> last & self.beginnings[player]
    }

    /// The cells of the bar of `player` that begins in `cell`.
    #[inline]
    pub(super) fn bar(&self, player: usize, cell: u8) -> Cells {
        self.bars[player] << cell
    }

    /// The cells covered by any of `bars` of `player`.
    #[inline]
    pub(super) fn covered(&self, bars: Cells, player: usize) -> Cells {
        let [second, last] = self.distances[player];
        bars | bars << second | bars << last
    }

    /// The possible bars of `player` that overlap a possible bar of the other player; all of them if none does.
    #[inline]
    pub(super) fn hindering(&self, possible: &[Cells; 2], player: usize) -> Cells {
        let wanted = self.covered(possible[1 - player], 1 - player);
        let [second, last] = self.distances[player];
        let hindering = possible[player] & (wanted | wanted >> second | wanted >> last);
        if hindering != 0 { hindering } else { possible[player] }
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

/// The name of a column: `a` to `z`, then `aa`, `ab` and so on.
pub(super) fn column_name(column: u8) -> String {
    let letter = |index: u8| (b'a' + index) as char;
    match column {
        0..26 => letter(column).to_string(),
        _ => [letter(column / 26 - 1), letter(column % 26)].iter().collect(),
    }
}

/// The possible bars of each player.
#[inline]
pub(super) fn possible_bars(board: &Board, free: Cells) -> [Cells; 2] {
    [board.possible(free, 0), board.possible(free, 1)]
}

/// The other player.
#[inline]
pub(super) fn other(player: Player) -> Player {
    Player(1 - player.0)
}

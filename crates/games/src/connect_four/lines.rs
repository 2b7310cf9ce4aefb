//! Finding lines of discs in a 64-bit word.
//!
//! A column of the board takes `rows + 1` bits, the lowest cell first; the top bit, the sentinel, is never set. So a
//! step in any of the four directions is one shift, and a run that leaves the board ends at a sentinel.

/// Finds lines of one length.
#[derive(Clone, Debug)]
pub(super) struct Lines {
    length: u32,
    /// The distances between neighbours: upwards, diagonally down, to the right, diagonally up.
    steps: [u32; 4],
}

impl Lines {
    /// Finds lines of 3 to 5 on a board with `height` bits to a column. A line fits the board's width and height, so no
    /// shift below reaches 64.
    pub(super) fn new(length: u32, height: u32) -> Lines {
        debug_assert!((3..=5).contains(&length) && length < height);
        Lines { length, steps: [1, height - 1, height, height + 1] }
    }

    /// The number of cells of a line.
    pub(super) fn length(&self) -> u32 {
        self.length
    }

    /// The cells of every line that fits a board.
    pub(super) fn within(&self, board: u64) -> Vec<u64> {
        let line =
            |first: u32, step: u32| (0..self.length).fold(0, |cells, place| cells | 1u64 << (first + place * step));
        let firsts = |step: u32| crate::bits::ones(self.first_cells(board, step)).map(move |first| line(first, step));
        self.steps.iter().flat_map(|&step| firsts(step).collect::<Vec<_>>()).collect()
    }

    /// The lowest cells of all lines in direction `step`.
    #[inline]
    fn first_cells(&self, discs: u64, step: u32) -> u64 {
        let twos = discs & discs >> step;
        match self.length {
            3 => twos & twos >> step,
            4 => twos & twos >> (2 * step),
            _ => twos & twos >> (2 * step) & discs >> (4 * step),
        }
    }

    /// Whether these discs contain a line.
    #[inline]
    pub(super) fn any(&self, discs: u64) -> bool {
        self.steps.iter().fold(0, |found, &step| found | self.first_cells(discs, step)) != 0
    }

    /// The cells of all lines among these discs.
    pub(super) fn cells(&self, discs: u64) -> u64 {
        let line = |first: u64, step: u32| (0..self.length).fold(0, |cells, place| cells | first << (place * step));
        self.steps.iter().fold(0, |cells, &step| cells | line(self.first_cells(discs, step), step))
    }

    /// The cells where one more disc completes a line. They may include cells that cannot be reached yet and bits
    /// outside the board.
    #[inline]
    pub(super) fn completions(&self, discs: u64) -> u64 {
        match self.length {
            3 => self.completions_of::<3>(discs),
            4 => self.completions_of::<4>(discs),
            _ => self.completions_of::<5>(discs),
        }
    }

    /// A length known at compile time unrolls the loops: twice as fast.
    #[inline]
    fn completions_of<const LENGTH: usize>(&self, discs: u64) -> u64 {
        let mut found = 0;
        for step in self.steps {
            // Entry `n`: the cells whose next `n` neighbours on one side are all discs.
            let (mut ahead, mut behind) = ([u64::MAX; LENGTH], [u64::MAX; LENGTH]);
            for distance in 1..LENGTH {
                ahead[distance] = ahead[distance - 1] & discs >> (distance as u32 * step);
                behind[distance] = behind[distance - 1] & discs << (distance as u32 * step);
            }
            for distance in 0..LENGTH {
                found |= ahead[distance] & behind[LENGTH - 1 - distance];
            }
        }
        found
    }
}

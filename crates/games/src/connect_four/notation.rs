//! Texts of Connect Four: columns as letters, boards as rows from the top.

use tesuji_core::{Actor, InputError, Notation, Player, Source, Turn};

use super::{ConnectFour, State};
use crate::bits;
use crate::grid_text::{Grid, column_letter};

impl ConnectFour {
    fn grid(&self) -> Grid {
        Grid { rows: self.rows as usize, columns: self.columns as usize, symbols: ['r', 'b'] }
    }

    fn holder<'a>(&'a self, state: &'a State) -> impl Fn(usize, usize) -> Option<usize> + 'a {
        |row, column| state.holder(self.place(row as u32, column as u32))
    }

    /// Whether one last disc can have completed all lines: some topmost disc must lie in all of them.
    fn one_disc_made_all_lines(&self, discs: u64, occupied: u64) -> bool {
        let tops = occupied & !(occupied >> 1);
        bits::ones(tops & discs).any(|place| !self.lines.any(discs & !(1 << place)))
    }
}

impl Notation for ConnectFour {
    const READS_STATES: bool = true;

    fn rules_in_words(&self) -> Option<&'static str> {
        Some(include_str!("../../rules/connect-four.md"))
    }

    fn action_text(&self, _state: &State, _actor: Actor, action: u8) -> String {
        column_letter(usize::from(action)).to_string()
    }

    /// The rows from the top, separated by `/`: `r` red, `b` blue, `.` empty. The number of discs determines who acts.
    fn state_text(&self, state: &State) -> String {
        self.grid().line(self.holder(state))
    }

    fn parse_state(&self, text: &str) -> Result<State, InputError> {
        let source = Source::new("state", text.trim());
        let length = source.text().len();
        let wrong = |message: &str| InputError::new(message).at(&source, 0, length);
        let discs =
            self.grid().parse_line(&source, length, |row, column| self.place(row as u32, column as u32) as usize)?;
        let occupied = discs[0] | discs[1];
        // A disc needs the floor or another disc below it. Shifting up leaves the board only into sentinels.
        if occupied & !(occupied << 1 | self.floor) != 0 {
            return Err(wrong("a disc floats above an empty cell"));
        }
        let [red, blue] = discs.map(u64::count_ones);
        if red != blue && red != blue + 1 {
            return Err(wrong("red moves first, so red has as many discs as blue or one more"));
        }
        let last_mover = usize::from(red == blue);
        let lines = discs.map(|discs| self.lines.any(discs));
        if lines[1 - last_mover] || lines[last_mover] && !self.one_disc_made_all_lines(discs[last_mover], occupied) {
            return Err(wrong("play would have stopped earlier"));
        }
        let over = lines[last_mover] || occupied == self.board;
        let turn = if over { Turn::Over } else { Turn::Player(Player(1 - last_mover as u8)) };
        Ok(State { discs, turn })
    }

    fn board_text(&self, state: &State) -> String {
        self.grid().block(self.holder(state))
    }
}

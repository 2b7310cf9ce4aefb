//! Texts of Breakthrough: steps as `e2-e3`, captures as `e2xd3`, boards as rows from the top and the player to act.

use tesuji_core::{Actor, InputError, Notation, Player, Source, Turn};

use super::{Breakthrough, State, Step};
use crate::grid_text::{Grid, column_letter};

impl Breakthrough {
    fn grid(&self) -> Grid {
        Grid { rows: self.rows as usize, columns: self.columns as usize, symbols: ['w', 'b'] }
    }

    fn holder<'a>(&'a self, state: &'a State) -> impl Fn(usize, usize) -> Option<usize> + 'a {
        |row, column| state.holder((row * self.columns as usize + column) as u32)
    }

    pub(super) fn cell_name(&self, cell: u32) -> String {
        format!("{}{}", column_letter((cell % self.columns) as usize), cell / self.columns + 1)
    }
}

impl Notation for Breakthrough {
    const READS_STATES: bool = true;

    fn rules_in_words(&self) -> Option<&'static str> {
        Some(include_str!("../../rules/breakthrough.md"))
    }

    fn action_text(&self, state: &State, _actor: Actor, action: Step) -> String {
        let [from, to] = [action.from, action.to].map(|cell| self.cell_name(u32::from(cell)));
        let mark = if state.holder(u32::from(action.to)).is_some() { 'x' } else { '-' };
        format!("{from}{mark}{to}")
    }

    /// The rows from the top, separated by `/`: `w` white, `b` black, `.` empty; then the player to act, `w` or `b`, or
    /// `-` at the end of the match.
    fn state_text(&self, state: &State) -> String {
        let mover = match state.turn {
            Turn::Player(player) => self.grid().symbols[player.index()],
            _ => '-',
        };
        format!("{} {mover}", self.grid().line(self.holder(state)))
    }

    fn parse_state(&self, text: &str) -> Result<State, InputError> {
        let source = Source::new("state", text.trim());
        let length = source.text().len();
        let wrong = |message: &str| InputError::new(message).at(&source, 0, length);
        let Some((board, mover)) = source.text().split_once(char::is_whitespace) else {
            return Err(wrong("expected a board, a blank and who acts: `w`, `b`, or `-` when the match is over"));
        };
        let pawns = self.grid().parse_line(&source, board.len(), |row, column| row * self.columns as usize + column)?;
        if pawns.iter().any(|pawns| pawns.count_ones() > 2 * self.columns) {
            return Err(wrong(&format!("a side has more than the {} pawns it starts with", 2 * self.columns)));
        }
        if pawns == [0, 0] {
            return Err(wrong("the board has no pawns"));
        }
        let arrived = [0, 1].map(|player| (pawns[player] & self.goals[player]).count_ones());
        if arrived[0] + arrived[1] > 1 {
            return Err(wrong("the match would have ended when the first pawn reached its far row"));
        }
        let mut state = State { pawns, turn: Turn::Over };
        let over = self.winner(&state).is_some();
        state.turn = match mover.trim() {
            "w" if !over => Turn::Player(Player(0)),
            "b" if !over => Turn::Player(Player(1)),
            "-" if over => Turn::Over,
            other => {
                let expected = if over { "the match is over, expected `-`" } else { "expected `w` or `b`" };
                return Err(InputError::new(format!("`{other}` as who acts: {expected}")).at(
                    &source,
                    length - other.len(),
                    other.len(),
                ));
            }
        };
        Ok(state)
    }

    fn board_text(&self, state: &State) -> String {
        self.grid().block(self.holder(state))
    }
}

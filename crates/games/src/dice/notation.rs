//! Texts of the dice game: `g5 nw` moves the piece on g5 up and left, `3` is a roll that moves it three cells.

use tesuji_core::{Actor, InputError, Notation, Source};

use super::board::{self, Board, DIRECTIONS};
use super::{Action, Dice, PLAYERS, Phase, State};

impl Notation for Dice {
    const READS_STATES: bool = true;

    fn rules_in_words(&self) -> Option<&'static str> {
        Some(include_str!("../../rules/dice7.md"))
    }

    fn action_text(&self, _state: &State, _actor: Actor, action: Action) -> String {
        match action {
            Action::Slide { from, direction } => slide_text(from, direction),
            Action::Advance(distance) => distance.to_string(),
        }
    }

    /// The board, the player to move (or who would be), the number of completed moves, then `ban` and the chosen piece
    /// and direction if they apply: `k.M…K black 0 ban g5 nw`.
    fn state_text(&self, state: &State) -> String {
        let mover = PLAYERS[usize::from(state.mover)];
        let mut text = format!("{} {mover} {}", self.board.text(&state.pieces), state.moves);
        if state.ban {
            text.push_str(" ban");
        }
        if let Phase::Roll { from, direction, .. } = state.phase {
            text.push(' ');
            text.push_str(&slide_text(from, direction));
        }
        text
    }

    fn parse_state(&self, text: &str) -> Result<State, InputError> {
        let text = text.trim();
        let source = Source::new("state", text);
        let wrong = |part: &str, message: String| {
            // Every part is a slice of the text, so the difference of their addresses is its offset.
            let offset = part.as_ptr() as usize - text.as_ptr() as usize;
            InputError::new(message)
                .with_help(
                    "a state is a board, `black` or `white`, the moves made, then perhaps `ban`, then perhaps \
                    a move such as `g5 nw`",
                )
                .at(&source, offset, part.len())
        };
        let end = &text[text.len()..];
        let mut parts = text.split_ascii_whitespace();
        let mut next = |expected: &str| parts.next().ok_or_else(|| wrong(end, format!("expected {expected}")));
        let rows = next("a board")?;
        let mover = next("black or white")?;
        let moves = next("the number of moves made")?;
        let mut rest: Vec<&str> = parts.collect();
        let (size, walls, pieces) = board::parse(&Source::new("state", rows))?;
        let count = |side: usize| (pieces.all[side].count_ones(), self.start.pieces.all[side].count_ones());
        if size != self.board.size || Board::new(size, walls).free != self.board.free {
            return Err(wrong(rows, "size or walls differ from those of this game".to_owned()));
        }
        for (side, name) in PLAYERS.into_iter().enumerate() {
            let (found, expected) = count(side);
            if found != expected {
                return Err(wrong(rows, format!("expected {expected} pieces of {name}, found {found}")));
            }
        }
        let Some(mover_index) = PLAYERS.iter().position(|&name| name == mover) else {
            return Err(wrong(mover, format!("expected black or white, found `{mover}`")));
        };
        let moves_made = moves.parse().ok().filter(|&made| made <= self.limit).ok_or_else(|| {
            wrong(moves, format!("expected a number of moves from 0 to {}, found `{moves}`", self.limit))
        })?;
        let ban = rest.first() == Some(&"ban");
        if ban {
            let word = rest.remove(0);
            if moves_made != 0 || !self.start.ban {
                return Err(wrong(
                    word,
                    "the ban holds for the first move only, and only if this game has it".to_owned(),
                ));
            }
        } else if moves_made == 0 && self.start.ban {
            return Err(wrong(end, "expected `ban`: nothing was moved yet".to_owned()));
        }
        let mut state = State { pieces, moves: moves_made, mover: mover_index as u8, ban, phase: Phase::Choose };
        if self.has_line(&state, mover_index) {
            return Err(wrong(rows, format!("{mover} has a line already, so play would have stopped")));
        }
        self.settle(&mut state);
        match rest[..] {
            [] => {}
            _ if state.phase == Phase::Over => return Err(wrong(rest[0], "the match is over: no move".to_owned())),
            [cell, direction] => {
                let action = format!("{cell} {direction}");
                let action = self.parse_action(&state, Actor::Player(tesuji_core::Player(state.mover)), &action);
                match action.map_err(|error| wrong(cell, error.message().to_owned()))? {
                    Action::Slide { from, direction } => self.slide(&mut state, from, direction),
                    Action::Advance(_) => return Err(wrong(cell, "expected a piece and a direction".to_owned())),
                }
            }
            _ => return Err(wrong(rest[0], "expected a piece and a direction, or nothing".to_owned())),
        }
        Ok(state)
    }

    fn board_text(&self, state: &State) -> String {
        let mut text = String::from("  ");
        for column in 0..self.board.size {
            text.extend([' ', (b'a' + column) as char]);
        }
        for (row, cells) in self.board.rows().enumerate() {
            text.push_str(&format!("\n {}", row + 1));
            for cell in cells {
                text.extend([' ', self.board.symbol(&state.pieces, cell)]);
            }
        }
        text.push('\n');
        text.push_str(&self.headline(state));
        text.push('\n');
        text
    }
}

impl Dice {
    /// A one-line summary of the state.
    pub(super) fn headline(&self, state: &State) -> String {
        let mover = PLAYERS[usize::from(state.mover)];
        match state.phase {
            Phase::Choose if state.ban => format!("{mover} to move, but not the king diagonally"),
            Phase::Choose => format!("{mover} to move"),
            Phase::Roll { from, direction, .. } => format!("{mover} rolls for {}", slide_text(from, direction)),
            Phase::Over => match (0..2).find(|&side| self.has_line(state, side)) {
                Some(winner) => format!("{} has won", PLAYERS[winner]),
                None => "a draw".to_owned(),
            },
        }
    }
}

fn slide_text(from: u8, direction: u8) -> String {
    format!("{} {}", Board::cell_name(from), DIRECTIONS[usize::from(direction)].name)
}

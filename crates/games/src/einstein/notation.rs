//! Texts of EinStein würfelt nicht!: `3 se` moves stone 3, `5` is a roll, `place 362145` a placement row by row.

use tesuji_core::{Actor, InputError, Notation, Source};

use super::{Action, Colour, EMPTY, Einstein, GOALS, PERMUTATIONS, PLAYERS, Phase, SIDE, State};

/// Compass names of the three ways, by side.
const WAY_NAMES: [[&str; 3]; 2] = [["e", "s", "se"], ["w", "n", "nw"]];

const HELP: &str = "a state is five rows such as `B1B2....W3` separated by `/`, then `place black`, `place white`, \
    `black rolls`, `black moves 4` or `black won` (or white)";

impl Notation for Einstein {
    const READS_STATES: bool = true;

    fn rules_in_words(&self) -> Option<&'static str> {
        Some(include_str!("../../rules/einstein.md"))
    }

    fn action_text(&self, state: &State, _actor: Actor, action: Action) -> String {
        match action {
            Action::Place(permutation) => format!("place {}", permutation_text(permutation)),
            Action::Roll(face) => face.to_string(),
            Action::Move { stone, way } => {
                let names = WAY_NAMES[usize::from(state.mover)];
                format!("{} {}", stone + 1, names.get(usize::from(way)).unwrap_or(&"?"))
            }
        }
    }

    /// Five rows, two characters per cell (`B3`, `W3` or `..`), separated by `/`, and the step to come: `… black moves
    /// 4`.
    fn state_text(&self, state: &State) -> String {
        let rows: Vec<String> =
            (0..SIDE).map(|row| (0..SIDE).map(|column| state.symbol(SIDE * row + column)).collect()).collect();
        format!("{} {}", rows.join("/"), headline(state))
    }

    fn parse_state(&self, text: &str) -> Result<State, InputError> {
        let text = text.trim();
        let source = Source::new("state", text);
        let wrong = |offset: usize, length: usize, message: String| {
            InputError::new(message).with_help(HELP).at(&source, offset, length)
        };
        let (rows, rest) = text.split_once(' ').unwrap_or((text, ""));
        let mut state = parse_board(rows).map_err(|(offset, message)| wrong(offset, 1, message))?;
        let phase_error = || {
            let found = if rest.is_empty() { "nothing".to_owned() } else { format!("`{rest}`") };
            wrong(rows.len() + 1, rest.len(), format!("expected the next step, such as `black rolls`, found {found}"))
        };
        let words: Vec<&str> = rest.split_ascii_whitespace().collect();
        let side_of = |word: &str| PLAYERS.iter().position(|&name| name == word);
        let (side, phase) = match words[..] {
            ["place", "black"] => (usize::from(self.start.mover), Phase::Place(Colour::Black)),
            ["place", "white"] => (usize::from(self.start.mover), Phase::Place(Colour::White)),
            [who, "rolls"] => (side_of(who).ok_or_else(phase_error)?, Phase::Roll),
            [who, "moves", face] => {
                let face = face.parse().ok().filter(|face| (1..=6).contains(face)).ok_or_else(phase_error)?;
                (side_of(who).ok_or_else(phase_error)?, Phase::Move(face))
            }
            [who, "won"] => (side_of(who).ok_or_else(phase_error)?, Phase::Over),
            _ => return Err(phase_error()),
        };
        state.mover = side as u8;
        state.phase = phase;
        self.check(&state).map_err(|message| wrong(0, rows.len(), message))?;
        Ok(state)
    }

    fn board_text(&self, state: &State) -> String {
        let mut text = String::from("    a  b  c  d  e\n");
        for row in 0..SIDE {
            let cells: Vec<String> = (0..SIDE).map(|column| state.symbol(SIDE * row + column)).collect();
            text.push_str(&format!(" {} {}\n", row + 1, cells.join(" ")));
        }
        text.push_str(&headline(state));
        text.push('\n');
        text
    }
}

impl Einstein {
    /// The error if a parsed state breaks an assumption of the rules.
    fn check(&self, state: &State) -> Result<(), String> {
        if let Phase::Place(colour) = state.phase {
            let mut expected = State { mover: state.mover, phase: state.phase, ..EMPTY };
            if self.start.alive != 0 {
                return Err("this game has no placement by chance".to_owned());
            }
            if colour == Colour::White {
                // Any of the 720 placements of Black will do, but it must be one of them.
                let placed = PERMUTATIONS.iter().enumerate().find_map(|(index, _)| {
                    expected.place(0, index as u16);
                    (expected.cells == state.cells).then_some(())
                });
                return placed.ok_or_else(|| "expected black's six stones in their corner alone".to_owned());
            }
            return if expected == *state { Ok(()) } else { Err("expected an empty board".to_owned()) };
        }
        let arrived = |side: usize| (0..6).any(|stone| state.cell(side, stone) == GOALS[side]);
        let winners: Vec<usize> = (0..2).filter(|&side| arrived(side) || state.stones(1 - side) == 0).collect();
        match (state.phase, &winners[..]) {
            (Phase::Over, &[winner]) if winner == usize::from(state.mover) => Ok(()),
            (Phase::Over, _) => Err(format!("{} has not won", PLAYERS[usize::from(state.mover)])),
            (_, []) => Ok(()),
            (_, &[winner, ..]) => Err(format!("{} has won already", PLAYERS[winner])),
        }
    }
}

impl State {
    pub(super) fn symbol(&self, cell: u8) -> String {
        match self.stone_on(cell) {
            Some((side, stone)) => format!("{}{}", ["B", "W"][side], stone + 1),
            None => "..".to_owned(),
        }
    }
}

/// A one-line summary of the state.
pub(super) fn headline(state: &State) -> String {
    let mover = PLAYERS[usize::from(state.mover)];
    match state.phase {
        Phase::Place(Colour::Black) => "place black".to_owned(),
        Phase::Place(Colour::White) => "place white".to_owned(),
        Phase::Roll => format!("{mover} rolls"),
        Phase::Move(face) => format!("{mover} moves {face}"),
        Phase::Over => format!("{mover} won"),
    }
}

fn parse_board(rows: &str) -> Result<State, (usize, String)> {
    let mut state = EMPTY;
    let lines: Vec<&str> = rows.split('/').collect();
    if lines.len() != usize::from(SIDE) {
        return Err((0, format!("expected five rows, found {}", lines.len())));
    }
    let mut offset = 0;
    for (row, line) in lines.into_iter().enumerate() {
        let symbols: Vec<(usize, char)> = line.char_indices().collect();
        if symbols.len() != 2 * usize::from(SIDE) {
            return Err((offset, format!("expected ten characters in row {}, found {}", row + 1, symbols.len())));
        }
        for (column, pair) in symbols.chunks_exact(2).enumerate() {
            let place = offset + pair[0].0;
            let wrong = |message: &str| (place, format!("`{}{}`: {message}", pair[0].1, pair[1].1));
            let side = match (pair[0].1, pair[1].1) {
                ('.', '.') => continue,
                ('B', '1'..='6') => 0,
                ('W', '1'..='6') => 1,
                _ => return Err(wrong("expected B1 to B6, W1 to W6 or `..`")),
            };
            let stone = pair[1].1 as u8 - b'1';
            if state.stones(side) >> stone & 1 == 1 {
                return Err(wrong("this stone stands on the board twice"));
            }
            state.put(side, stone, SIDE * row as u8 + column as u8);
        }
        offset += line.len() + 1;
    }
    Ok(state)
}

fn permutation_text(permutation: u16) -> String {
    PERMUTATIONS[usize::from(permutation)].iter().map(|stone| (b'1' + stone) as char).collect()
}

/// The number of a permutation written as six digits.
pub(super) fn parse_permutation(text: &str) -> Option<u16> {
    let stones: Vec<u8> = text.bytes().map(|digit| digit.wrapping_sub(b'1')).collect();
    PERMUTATIONS.iter().position(|permutation| permutation[..] == stones).map(|index| index as u16)
}

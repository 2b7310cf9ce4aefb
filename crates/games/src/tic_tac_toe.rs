//! Tic-Tac-Toe: three in a row on nine cells. Under optimal play it is a draw.
//!
//! An action is a cell, 0-8 row by row, written `a1` (top left) to `c3`: the column's letter, then the row's number.

use tesuji_core::drawing::{CELL, GRID, INK, LIGHT, SEATS};
use tesuji_core::{
    ActionField, ActionIndex, Actor, AreaId, Arguments, Capabilities, Drawing, Entry, Features, Game, InputError,
    Knowledge, Notation, Observation, ObservationLayout, Picture, Planes, Player, Rng, Spec, Turn,
};

use crate::bits;

/// The catalogue entry of Tic-Tac-Toe.
pub const ENTRY: Entry<TicTacToe> = Entry {
    name: "tic-tac-toe",
    title: "Tic-Tac-Toe",
    summary: "Three in a row on a 3×3 board; a draw under optimal play",
    parameters: &[],
    examples: &["tic-tac-toe"],
    open: |_: &Arguments| Ok(TicTacToe::default()),
};

/// The rules of Tic-Tac-Toe.
#[derive(Debug)]
pub struct TicTacToe {
    spec: Spec,
}

impl Default for TicTacToe {
    fn default() -> Self {
        TicTacToe { spec: Spec::new("tic-tac-toe", &["x", "o"], Features::empty(), 9) }
    }
}

/// A position: the cells of each player as bits, and who acts.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct State {
    cells: [u16; 2],
    turn: Turn,
}

const ALL: u16 = 0o777;

/// Bit `cells` of this table says whether these cells contain a line.
const HAS_LINE: [u64; 8] = {
    const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
    let mut table = [0; 8];
    let mut cells = 0;
    while cells < 512 {
        let mut line = 0;
        while line < 8 {
            if cells & LINES[line] == LINES[line] {
                table[(cells >> 6) as usize] |= 1 << (cells & 63);
            }
            line += 1;
        }
        cells += 1;
    }
    table
};

fn has_line(cells: u16) -> bool {
    HAS_LINE[(cells >> 6) as usize] >> (cells & 63) & 1 == 1
}

impl State {
    fn free(&self) -> u64 {
        u64::from(ALL & !(self.cells[0] | self.cells[1]))
    }
}

impl Game for TicTacToe {
    type State = State;
    type Action = u8;

    const CLASS: Features = Features::empty();
    const BATCHES: bool = false;

    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn start(&self) -> State {
        State { cells: [0, 0], turn: Turn::Player(Player(0)) }
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        state.turn
    }

    fn legal(&self, state: &State, _player: Player, out: &mut Vec<u8>) {
        out.extend(bits::ones(state.free()).map(|cell| cell as u8));
    }

    #[inline]
    fn apply(&self, state: &mut State, joint: &[u8]) {
        let Turn::Player(mover) = state.turn else { unreachable!("nobody moves in {state:?}") };
        let cells = &mut state.cells[mover.index()];
        *cells |= 1 << joint[0];
        let over = has_line(*cells) || state.free() == 0;
        state.turn = if over { Turn::Over } else { Turn::Player(Player(1 - mover.0)) };
    }

    fn payoff(&self, state: &State, player: Player) -> f64 {
        match (has_line(state.cells[player.index()]), has_line(state.cells[1 - player.index()])) {
            (true, _) => 1.0,
            (_, true) => 0.0,
            _ => 0.5,
        }
    }

    #[inline]
    fn random_action(&self, state: &State, _player: Player, rng: &mut Rng, _scratch: &mut Vec<u8>) -> u8 {
        bits::random_bit(state.free(), rng) as u8
    }
}

impl Notation for TicTacToe {
    const READS_STATES: bool = true;

    fn rules_in_words(&self) -> Option<&'static str> {
        Some(include_str!("../rules/tic-tac-toe.md"))
    }

    fn action_text(&self, _state: &State, _actor: Actor, action: u8) -> String {
        cell_name(action)
    }

    /// The nine cells row by row: `x`, `o` or `.`, rows separated by `/`. The number of marks determines who acts.
    fn state_text(&self, state: &State) -> String {
        let row = |row: u8| (3 * row..3 * row + 3).map(|cell| state.symbol(cell)).collect::<String>();
        format!("{}/{}/{}", row(0), row(1), row(2))
    }

    fn parse_state(&self, text: &str) -> Result<State, InputError> {
        let wrong = |message: &str| {
            InputError::new(format!("`{text}`: {message}")).with_help("expected three rows such as `x.o/.x./..o`")
        };
        let symbols: Vec<char> = text.trim().split('/').flat_map(str::chars).collect();
        if symbols.len() != 9 || text.trim().split('/').any(|row| row.chars().count() != 3) {
            return Err(wrong("not a 3×3 board"));
        }
        let mut cells = [0u16; 2];
        for (cell, symbol) in symbols.into_iter().enumerate() {
            match symbol {
                'x' => cells[0] |= 1 << cell,
                'o' => cells[1] |= 1 << cell,
                '.' => {}
                other => return Err(wrong(&format!("unknown symbol `{other}`"))),
            }
        }
        let [x, o] = cells.map(u16::count_ones);
        if x != o && x != o + 1 {
            return Err(wrong("x moves first, so x has as many marks as o or one more"));
        }
        let lines = cells.map(has_line);
        if lines == [true, true] || lines[0] && x == o || lines[1] && x != o {
            return Err(wrong("play would have stopped earlier"));
        }
        let over = lines[0] || lines[1] || x + o == 9;
        let turn = if over { Turn::Over } else { Turn::Player(Player(u8::from(x != o))) };
        Ok(State { cells, turn })
    }

    fn board_text(&self, state: &State) -> String {
        let row = |row: u8| (0..3).map(|column| format!(" {}", state.symbol(3 * row + column))).collect::<String>();
        format!("   a b c\n 1{}\n 2{}\n 3{}\n", row(0), row(1), row(2))
    }
}

impl State {
    fn symbol(&self, cell: u8) -> char {
        match (self.cells[0] >> cell & 1, self.cells[1] >> cell & 1) {
            (1, _) => 'x',
            (_, 1) => 'o',
            _ => '.',
        }
    }
}

fn cell_name(cell: u8) -> String {
    format!("{}{}", (b'a' + cell % 3) as char, cell / 3 + 1)
}

impl Drawing for TicTacToe {
    fn draw(&self, state: &State) -> Picture {
        let mut picture = Picture::new(3.0 * CELL, 3.0 * CELL);
        for cell in 0..9u8 {
            let (x, y) = (f64::from(cell % 3) * CELL, f64::from(cell / 3) * CELL);
            picture.rect(x, y, CELL, CELL, LIGHT, GRID);
            let (middle_x, middle_y, reach) = (x + CELL / 2.0, y + CELL / 2.0, CELL * 0.3);
            match state.symbol(cell) {
                'x' => {
                    for slope in [1.0, -1.0] {
                        let (dx, dy) = (reach, slope * reach);
                        picture.line(middle_x - dx, middle_y - dy, middle_x + dx, middle_y + dy, SEATS[0], 5.0);
                    }
                }
                'o' => picture.raw(format_args!(
                    r#"<circle cx="{middle_x}" cy="{middle_y}" r="{reach}" fill="none" stroke="{}" stroke-width="5"/>"#,
                    SEATS[1]
                )),
                _ => picture.text(x + 9.0, y + 9.0, 9.0, INK, &cell_name(cell)),
            }
            picture.area(AreaId::from(cell), cell_name(cell), x, y, CELL, CELL);
        }
        picture
    }

    fn clicks(&self, _state: &State, _actor: Actor, action: u8) -> Vec<AreaId> {
        vec![AreaId::from(action)]
    }
}

impl Knowledge for TicTacToe {
    const OFFERS: Capabilities = Capabilities::NUMBERS;

    fn action_index(&self) -> Option<&'static dyn ActionIndex<Self>> {
        Some(&Numbers)
    }

    fn observation(&self) -> Option<&'static dyn Observation<Self>> {
        Some(&Numbers)
    }
}

/// Tic-Tac-Toe in numbers: cells row by row, and planes of marks.
struct Numbers;

impl ActionIndex<TicTacToe> for Numbers {
    fn fields(&self, _game: &TicTacToe) -> Vec<ActionField> {
        vec![ActionField::new("cell", 9)]
    }

    fn number(&self, _game: &TicTacToe, _actor: Actor, action: u8) -> u32 {
        u32::from(action)
    }

    fn action(&self, _game: &TicTacToe, _actor: Actor, number: u32) -> Option<u8> {
        (number < 9).then_some(number as u8)
    }
}

impl Observation<TicTacToe> for Numbers {
    fn layout(&self, _game: &TicTacToe) -> ObservationLayout {
        ObservationLayout::planes(["own marks", "other marks", "to move"], 3, 3)
    }

    fn fill(&self, _game: &TicTacToe, state: &State, player: Player, out: &mut [f32]) {
        let mut planes = Planes::new(out, 9);
        for (plane, side) in [player.index(), 1 - player.index()].into_iter().enumerate() {
            bits::ones(u64::from(state.cells[side])).for_each(|cell| planes.set(plane, cell as usize, 1.0));
        }
        planes.fill_if(2, state.turn == Turn::Player(player));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_core::{laws, perft_table};

    /// 255,168 complete matches end at depths 5 to 9; many public sources give the counts by depth.
    #[test]
    fn perft() {
        let expected = [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872];
        assert_eq!(perft_table(&TicTacToe::default(), 9), expected);
    }

    /// 5,478 states including the empty board, as in many public sources.
    #[test]
    fn reachable_states() {
        let game = TicTacToe::default();
        let mut reached = std::collections::HashSet::new();
        let mut open = vec![game.start()];
        while let Some(state) = open.pop() {
            for actor in game.turn(&state).actors() {
                for cell in tesuji_core::legal_actions(&game, &state, actor) {
                    let mut next = state.clone();
                    game.apply(&mut next, &[cell]);
                    open.push(next);
                }
            }
            reached.insert(state);
        }
        assert_eq!(reached.len(), 5_478);
    }

    #[test]
    fn obeys_the_laws() {
        laws::check(&TicTacToe::default(), 1).unwrap();
    }

    #[test]
    fn states_that_play_cannot_reach_are_refused() {
        let game = TicTacToe::default();
        for (text, expected) in [
            ("xx./.../...", "x moves first"),
            ("xxx/ooo/...", "stopped earlier"),
            ("xxx/oo./..o", "stopped earlier"),
            ("x../...", "not a 3×3 board"),
            ("?../.../...", "unknown symbol"),
        ] {
            let error = game.parse_state(text).unwrap_err();
            assert!(error.to_string().contains(expected), "{text}: {error}");
        }
    }
}

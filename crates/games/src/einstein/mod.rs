//! EinStein würfelt nicht! by Ingo Althöfer: six numbered stones per side on 5×5 cells, and a die that says which may
//! move.
//!
//! Black starts in the upper left corner and moves right, down, or both; White moves the opposite way. Before each move
//! a die is rolled: the stone of that number moves. If it is gone, the stone with the next lower or the next higher
//! remaining number moves. A stone that moves to an occupied cell captures what stands there, even an own stone.
//! Reaching the opposite corner wins, and so does capturing the opponent's last stone.
//!
//! The steps are those of OpenSpiel's `einstein_wurfelt_nicht`, so that results can be compared. With a random setup,
//! chance first draws one of the 720 placements of Black, then of White (a permutation of the stones over the corner's
//! cells row by row, in lexicographic order). White moves first by default, and a roll precedes every move. Payoffs are
//! 0 and 1 here, −1 and 1 there.

mod drawing;
mod notation;
mod numbers;
mod value_features;
#[cfg(test)]
mod tests;

use tesuji_core::{
    ActionIndex, Arguments, Capabilities, Entry, Features, Game, InputError, Knowledge, Observation, Parameter, Player,
    Rng, Spec, Turn, ValueFeatures,
};

/// The catalogue entry of EinStein würfelt nicht!
pub const ENTRY: Entry<Einstein> = Entry {
    name: "einstein",
    title: "EinStein würfelt nicht!",
    summary: "EinStein würfelt nicht!: race six numbered stones to the far corner; the die says which may move",
    parameters: &[
        Parameter::new(
            "setup",
            "random",
            "random, fixed, or the stones of black and white over their corners row by row such as 123456/654321 \
                (fixed)",
        ),
        Parameter::new("first", "white", "who moves first: black or white"),
    ],
    examples: &["einstein", "einstein(fixed)", "einstein(362145/415263,first=black)"],
    open: Einstein::open,
};

/// The rules of EinStein würfelt nicht!
#[derive(Debug)]
pub struct Einstein {
    spec: Spec,
    start: State,
}

/// A position.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct State {
    /// Five bits per stone: its cell, or [`GONE`]. Black's stones 1 to 6, then White's.
    cells: u64,
    /// One bit for each stone on the board, in the same order.
    alive: u16,
    /// The player to move, or the winner.
    mover: u8,
    phase: Phase,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Phase {
    /// Chance places the stones of Black, then of White.
    Place(Colour),
    /// The die is rolled.
    Roll,
    /// The mover moves with the face 1 to 6.
    Move(u8),
    Over,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Colour {
    Black,
    White,
}

/// A placement, a roll, or a move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// A placement of one side's stones: the number of a permutation, 0 to 719, in lexicographic order.
    Place(u16),
    /// The face of the die, 1 to 6.
    Roll(u8),
    /// A stone moves one cell.
    Move {
        /// The stone's number minus one, 0 to 5.
        stone: u8,
        /// 0 along the row, 1 along the column, 2 both; away from the own corner.
        way: u8,
    },
}

const PLAYERS: [&str; 2] = ["black", "white"];
const SIDE: u8 = 5;
const STONES: u32 = 6;
/// The cell of a stone that was captured or is not yet placed.
const GONE: u64 = 31;
const EMPTY: State = State { cells: (1 << (2 * STONES * 5)) - 1, alive: 0, mover: 0, phase: Phase::Over };

/// The cells of each side's corner, row by row.
const CORNERS: [[u8; 6]; 2] = [[0, 1, 2, 5, 6, 10], [14, 18, 19, 22, 23, 24]];
/// The cell where each side wins.
const GOALS: [u8; 2] = [24, 0];
/// What each of the three ways adds to a cell number.
const STEPS: [[i8; 3]; 2] = [[1, 5, 6], [-1, -5, -6]];

/// By side and cell: the ways that stay on the board, as bits.
const WAYS: [[u8; 32]; 2] = {
    let mut ways = [[0; 32]; 2];
    let mut cell = 0;
    while cell < 25 {
        let (row, column) = (cell / 5, cell % 5);
        ways[0][cell] = ways_mask(column < 4, row < 4);
        ways[1][cell] = ways_mask(column > 0, row > 0);
        cell += 1;
    }
    ways
};

const fn ways_mask(along_row: bool, along_column: bool) -> u8 {
    along_row as u8 | (along_column as u8) << 1 | ((along_row && along_column) as u8) << 2
}

/// By the set of stones on the board (six bits) and the face: the stones that may move, lower then higher; or one stone
/// twice.
const CANDIDATES: [[[u8; 2]; 8]; 64] = {
    let mut table = [[[0; 2]; 8]; 64];
    let mut alive = 1u8;
    while alive < 64 {
        let mut face = 1;
        while face <= 6 {
            let (mut low, mut high) = (face as i8 - 1, face as i8 - 1);
            while low >= 0 && alive >> low & 1 == 0 {
                low -= 1;
            }
            while high < 6 && alive >> high & 1 == 0 {
                high += 1;
            }
            let low_or_high = if low < 0 { high } else { low };
            let high_or_low = if high > 5 { low } else { high };
            table[alive as usize][face] = [low_or_high as u8, high_or_low as u8];
            face += 1;
        }
        alive += 1;
    }
    table
};

/// By a set of six bits: the set bits in order, and their number in the last entry.
const MEMBERS: [[u8; 8]; 64] = {
    let mut table = [[0; 8]; 64];
    let mut set = 0;
    while set < 64 {
        let mut count = 0;
        let mut bit = 0;
        while bit < 6 {
            if set >> bit & 1 == 1 {
                table[set][count] = bit;
                count += 1;
            }
            bit += 1;
        }
        table[set][7] = count as u8;
        set += 1;
    }
    table
};

/// The permutations of the stones 0 to 5 in lexicographic order.
const PERMUTATIONS: [[u8; 6]; 720] = {
    let mut table = [[0, 1, 2, 3, 4, 5]; 720];
    let mut index = 1;
    while index < 720 {
        let mut next = table[index - 1];
        // The longest falling tail, the element before it, and the last element in the tail that is greater.
        let mut pivot = 4;
        while next[pivot] > next[pivot + 1] {
            pivot -= 1;
        }
        let mut greater = 5;
        while next[greater] < next[pivot] {
            greater -= 1;
        }
        next.swap(pivot, greater);
        let (mut left, mut right) = (pivot + 1, 5);
        while left < right {
            next.swap(left, right);
            left += 1;
            right -= 1;
        }
        table[index] = next;
        index += 1;
    }
    table
};

impl Einstein {
    fn open(arguments: &Arguments) -> Result<Einstein, InputError> {
        let first = arguments.choice("first", &PLAYERS)? as u8;
        let mut start = State { mover: first, ..EMPTY };
        let setup = match arguments.text("setup") {
            "random" => None,
            "fixed" => Some("123456/654321"),
            stones => Some(stones),
        };
        match setup {
            None => start.phase = Phase::Place(Colour::Black),
            Some(stones) => {
                let wrong = || arguments.wrong("setup", "random, fixed or the stones such as 123456/654321");
                let (black, white) = stones.split_once('/').ok_or_else(wrong)?;
                for (side, stones) in [black, white].into_iter().enumerate() {
                    start.place(side, notation::parse_permutation(stones).ok_or_else(wrong)?);
                }
                start.phase = Phase::Roll;
            }
        }
        // Every move brings a stone at least one cell nearer to its goal; from their corner the six stones have 40
        // cells to go.
        const LONGEST: usize = 2 + 2 * 2 * 40;
        let spec = Spec::new(arguments.canonical(), &PLAYERS, Features::CHANCE, LONGEST);
        Ok(Einstein { spec, start })
    }
}

impl State {
    /// The shift of a stone's cell in `cells`.
    #[inline]
    fn shift(side: usize, stone: u8) -> u32 {
        5 * (STONES * side as u32 + u32::from(stone))
    }

    #[inline]
    fn cell(&self, side: usize, stone: u8) -> u8 {
        (self.cells >> State::shift(side, stone) & GONE) as u8
    }

    /// The stones of a side on the board, as bits.
    #[inline]
    fn stones(&self, side: usize) -> u8 {
        (self.alive >> (STONES * side as u32)) as u8 & 63
    }

    fn put(&mut self, side: usize, stone: u8, cell: u8) {
        let shift = State::shift(side, stone);
        self.cells = self.cells & !(GONE << shift) | u64::from(cell) << shift;
        self.alive |= 1 << (STONES * side as u32 + u32::from(stone));
    }

    fn place(&mut self, side: usize, permutation: u16) {
        for (&stone, cell) in PERMUTATIONS[usize::from(permutation)].iter().zip(CORNERS[side]) {
            self.put(side, stone, cell);
        }
    }

    /// The stone on a cell, as side and number.
    fn stone_on(&self, cell: u8) -> Option<(usize, u8)> {
        let all = (0..2).flat_map(|side| (0..STONES as u8).map(move |stone| (side, stone)));
        all.into_iter().find(|&(side, stone)| self.cell(side, stone) == cell)
    }

    /// The stones that may move with a face, and below them the ways of the first and the second as six bits.
    #[inline]
    fn ways(&self, face: u8) -> ([u8; 2], u8) {
        let side = usize::from(self.mover & 1);
        let [low, high] = CANDIDATES[usize::from(self.stones(side))][usize::from(face & 7)];
        let ways = |stone: u8| WAYS[side][usize::from(self.cell(side, stone))];
        let second = if low == high { 0 } else { ways(high) << 3 };
        ([low, high], ways(low) | second)
    }

    #[inline]
    fn advance(&mut self, stone: u8, way: u8) {
        const LOWEST: u64 = EMPTY.cells / GONE;
        const HIGHEST: u64 = LOWEST << 4;
        let side = usize::from(self.mover & 1);
        let shift = State::shift(side, stone);
        let from = self.cell(side, stone);
        let to = from.wrapping_add_signed(STEPS[side][usize::from(way) % 3]);
        // Five bits become 0 where a stone stands on the cell. The lowest such place is found exactly, and there is at
        // most one. This has no branch, because captures are unpredictable.
        let differs = self.cells ^ (u64::from(to) * LOWEST);
        let same = differs.wrapping_sub(LOWEST) & !differs & HIGHEST;
        let top = same & same.wrapping_neg();
        self.cells |= (top << 1) - (top >> 4);
        // The position of the top bit divided by five is the stone's number; 64, for no stone, gives 13, which is no
        // stone's number.
        self.alive &= !(1 << ((top.trailing_zeros() * 13) >> 6));
        self.cells = self.cells & !(GONE << shift) | u64::from(to) << shift;
        if to == GOALS[side] || self.stones(1 - side) == 0 {
            self.phase = Phase::Over;
        } else {
            self.mover = 1 - self.mover;
            self.phase = Phase::Roll;
        }
    }
}

impl Game for Einstein {
    type State = State;
    type Action = Action;

    const CLASS: Features = Features::CHANCE;
    const ALWAYS: Features = Features::CHANCE;
    const BATCHES: bool = false;

    fn spec(&self) -> &Spec {
        &self.spec
    }

    #[inline]
    fn start(&self) -> State {
        self.start.clone()
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        match state.phase {
            Phase::Place(_) | Phase::Roll => Turn::Chance,
            Phase::Move(_) => Turn::Player(Player(state.mover)),
            Phase::Over => Turn::Over,
        }
    }

    /// The lower stone first, each along its row, along its column, then both.
    fn legal(&self, state: &State, _player: Player, out: &mut Vec<Action>) {
        if let Phase::Move(face) = state.phase {
            let (stones, ways) = state.ways(face);
            let moves = (0..6u8).filter(|bit| ways >> bit & 1 == 1);
            out.extend(moves.map(|bit| Action::Move { stone: stones[usize::from(bit / 3)], way: bit % 3 }));
        }
    }

    // Always inline: playouts know at each call whether it is a move.
    #[inline(always)]
    fn apply(&self, state: &mut State, joint: &[Action]) {
        match joint[0] {
            Action::Move { stone, way } => state.advance(stone, way),
            Action::Roll(face) => state.phase = Phase::Move(face),
            Action::Place(permutation) => {
                let black = state.phase == Phase::Place(Colour::Black);
                state.place(usize::from(!black), permutation);
                state.phase = if black { Phase::Place(Colour::White) } else { Phase::Roll };
            }
        }
    }

    fn payoff(&self, state: &State, player: Player) -> f64 {
        if state.mover == player.0 { 1.0 } else { 0.0 }
    }

    fn chance(&self, state: &State, out: &mut Vec<(Action, f64)>) {
        match state.phase {
            Phase::Place(_) => {
                let count = PERMUTATIONS.len();
                out.extend((0..count as u16).map(|index| (Action::Place(index), 1.0 / count as f64)));
            }
            Phase::Roll => out.extend((1..=6).map(|face| (Action::Roll(face), 1.0 / 6.0))),
            Phase::Move(_) | Phase::Over => {}
        }
    }

    #[inline]
    fn random_action(&self, state: &State, _player: Player, rng: &mut Rng, _scratch: &mut Vec<Action>) -> Action {
        let Phase::Move(face) = state.phase else { unreachable!("nobody moves in {state:?}") };
        let (stones, ways) = state.ways(face);
        let members = &MEMBERS[usize::from(ways & 63)];
        let bit = members[rng.below(usize::from(members[7])) & 7];
        Action::Move { stone: stones[usize::from(bit >= 3)], way: bit % 3 }
    }

    #[inline]
    fn random_outcome(&self, state: &State, rng: &mut Rng) -> Action {
        match state.phase {
            Phase::Roll => Action::Roll(rng.below(6) as u8 + 1),
            _ => Action::Place(rng.below(PERMUTATIONS.len()) as u16),
        }
    }
}

impl Knowledge for Einstein {
    const OFFERS: Capabilities = Capabilities::VALUE_FEATURES.union(Capabilities::NUMBERS);

    fn value_features(&self) -> Option<&'static dyn ValueFeatures<Self>> {
        Some(&value_features::EinsteinFeatures)
    }

    fn action_index(&self) -> Option<&'static dyn ActionIndex<Self>> {
        Some(&numbers::Numbers)
    }

    fn observation(&self) -> Option<&'static dyn Observation<Self>> {
        Some(&numbers::Numbers)
    }
}

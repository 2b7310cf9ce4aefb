//! Maps: terrain, units and the limits of a match.

use tesuji_core::Player;

use super::units::{Class, Kind};

/// The two players, red first.
pub(crate) const TEAMS: [&str; 2] = ["red", "blue"];
/// The most units on a map, both teams together: sets of units are 64-bit words.
pub(crate) const MAX_UNITS: usize = 64;
/// The greatest width and height of a map, without the frame.
pub(crate) const MAX_SIDE: usize = 64;
/// The greatest turn limit.
pub(crate) const MAX_TURNS: u16 = 9999;
/// The greatest HP threshold: more than any army has.
pub(crate) const MAX_THRESHOLD: u32 = 9999;

/// The terrain of a cell. The numbers are those of map files.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Terrain {
    /// No unit may enter; also the frame.
    NoEntry = 0,
    /// Open ground.
    Plain = 1,
    /// Aircraft only.
    Sea = 2,
    /// Slow for vehicles, good cover.
    Wood = 3,
    /// Aircraft and infantry only, best cover.
    Mountain = 4,
    /// No cover.
    Road = 5,
    /// Best cover.
    Fortress = 6,
}

impl Terrain {
    /// All terrains, by code.
    pub const ALL: [Terrain; 7] = [
        Terrain::NoEntry,
        Terrain::Plain,
        Terrain::Sea,
        Terrain::Wood,
        Terrain::Mountain,
        Terrain::Road,
        Terrain::Fortress,
    ];

    /// The number in files.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// Its name for people.
    pub const fn name(self) -> &'static str {
        ["no entry", "plain", "sea", "wood", "mountain", "road", "fortress"][self as usize]
    }
}

/// A cell inside the frame, counted row by row from the top left.
pub type Cell = u16;

/// A unit at the start of the match. Its index in the map's list is its number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Unit {
    /// Its kind.
    pub kind: Kind,
    /// Its side.
    pub team: Player,
    /// Its cell.
    pub cell: Cell,
    /// Its HP, 1 to 10.
    pub hp: u8,
    /// Whether it misses its side's first turn.
    pub finished: bool,
}

/// A map. It is always valid: parsed from a file or made by the generator.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Map {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) terrain: Vec<Terrain>,
    pub(super) units: Vec<Unit>,
    pub(super) turn_limit: u16,
    pub(super) threshold: u32,
    pub(super) author: String,
    pub(super) comment: String,
}

impl Map {
    /// Columns inside the frame.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Rows inside the frame.
    pub fn height(&self) -> usize {
        self.height
    }

    /// The terrain of every cell inside the frame, row by row.
    pub fn terrain(&self) -> &[Terrain] {
        &self.terrain
    }

    /// The units in order of their numbers.
    pub fn units(&self) -> &[Unit] {
        &self.units
    }

    /// The number of turns (of both sides together) after which the match is judged.
    pub(crate) fn turn_limit(&self) -> u16 {
        self.turn_limit
    }

    /// The lead in HP that a judged win must exceed (or reach, by the paper's rules).
    pub fn threshold(&self) -> u32 {
        self.threshold
    }

    /// Who made the map; may be empty.
    pub fn author(&self) -> &str {
        &self.author
    }

    /// What the map is for; may be empty.
    pub fn comment(&self) -> &str {
        &self.comment
    }

    /// Column and row of a cell, from 0.
    #[inline]
    pub fn place(&self, cell: Cell) -> (usize, usize) {
        (usize::from(cell) % self.width, usize::from(cell) / self.width)
    }

    /// The cell in a column and row, from 0.
    #[inline]
    pub fn cell(&self, column: usize, row: usize) -> Option<Cell> {
        (column < self.width && row < self.height).then(|| (row * self.width + column) as Cell)
    }

    /// The neighbours of a cell in ascending order.
    pub(super) fn neighbours(&self, cell: Cell) -> impl Iterator<Item = Cell> + use<> {
        let (column, row) = self.place(cell);
        let width = self.width as Cell;
        let steps = [
            (row > 0).then(|| cell - width),
            (column > 0).then(|| cell - 1),
            (column + 1 < self.width).then(|| cell + 1),
            (row + 1 < self.height).then(|| cell + width),
        ];
        steps.into_iter().flatten()
    }

    /// The cells that units of `class` can reach from `start` in any number of turns, with no unit in the way.
    pub(super) fn connected(&self, start: Cell, class: Class) -> Vec<bool> {
        let mut seen = vec![false; self.terrain.len()];
        seen[usize::from(start)] = true;
        let mut open = vec![start];
        while let Some(cell) = open.pop() {
            for next in self.neighbours(cell) {
                if !seen[usize::from(next)] && self.terrain[usize::from(next)].cost(class).is_some() {
                    seen[usize::from(next)] = true;
                    open.push(next);
                }
            }
        }
        seen
    }

    /// The name of a cell: its column's letters, then its row's number, such as `c3`.
    pub(crate) fn cell_name(&self, cell: Cell) -> String {
        let (column, row) = self.place(cell);
        format!("{}{}", column_name(column), row + 1)
    }

    /// The cell with the name `name`; see [`cell_name`](Map::cell_name).
    pub(crate) fn cell_named(&self, name: &str) -> Option<Cell> {
        let split = name.find(|c: char| !c.is_ascii_lowercase())?;
        let (letters, digits) = name.split_at(split);
        if letters.is_empty() || letters.len() > 2 || digits.len() > 2 || digits.starts_with(['0', '+']) {
            return None;
        }
        let column = letters.bytes().fold(0, |sum, letter| sum * 26 + usize::from(letter - b'a') + 1) - 1;
        self.cell(column, digits.parse::<usize>().ok()?.checked_sub(1)?)
    }
}

/// The name of a column: `a` to `z`, then `aa`, `ab`, …
pub(super) fn column_name(column: usize) -> String {
    let letter = |index: usize| char::from(b'a' + index as u8);
    match column.checked_sub(26) {
        None => letter(column).to_string(),
        Some(rest) => format!("{}{}", letter(rest / 26), letter(rest % 26)),
    }
}

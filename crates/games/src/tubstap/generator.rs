//! Random maps by seed: always valid, and all vehicles can reach each other.

use tesuji_core::{InputError, Player, Rng};

use super::map::{Cell, MAX_SIDE, MAX_UNITS, Map, Terrain, Unit};
use super::units::{Class, Kind, MAX_HP};

/// The symmetry of a generated map.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Symmetry {
    /// Blue's half is red's, rotated by 180°.
    Point,
    /// Blue's half is red's, mirrored left to right.
    Mirror,
    /// Both halves and both armies are drawn independently.
    None,
}

impl Symmetry {
    /// All symmetries.
    pub const ALL: [Symmetry; 3] = [Symmetry::Point, Symmetry::Mirror, Symmetry::None];
    /// Their names as users write them, in the same order.
    pub const NAMES: [&'static str; 3] = ["point", "mirror", "none"];

    /// The name as users write it.
    pub const fn name(self) -> &'static str {
        Symmetry::NAMES[self as usize]
    }
}

/// The properties of the maps to generate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Generator {
    /// Columns inside the frame.
    pub width: usize,
    /// Rows inside the frame.
    pub height: usize,
    /// Units of each side.
    pub units: usize,
    /// The least and the greatest HP of a unit.
    pub hp: (u8, u8),
    /// The symmetry of the two sides.
    pub symmetry: Symmetry,
}

/// The weight of each kind of unit, in the order of [`Kind`]: roughly the mixture of the platform's standard maps.
const KIND_WEIGHTS: [f64; 6] = [1.0, 1.0, 4.0, 2.0, 2.0, 5.0];
/// The patches of terrain on the plain, with the weight of each kind.
const PATCHES: [(Terrain, f64); 5] = [
    (Terrain::Wood, 5.0),
    (Terrain::Mountain, 2.0),
    (Terrain::Sea, 2.0),
    (Terrain::Road, 2.0),
    (Terrain::Fortress, 1.0),
];
/// Cells per patch of terrain: with patches of one to four cells about a third of the map is not plain.
const CELLS_PER_PATCH: usize = 7;

impl Generator {
    /// Generates the map of a seed. Fails if the board is too small for the armies: red stands in the left half, blue
    /// in the right half, and each may fill at most half of its own.
    pub fn generate(&self, seed: u64) -> Result<Map, InputError> {
        let Generator { width, height, units, hp, .. } = *self;
        if !(2..=MAX_SIDE).contains(&width) || !(1..=MAX_SIDE).contains(&height) {
            let message = format!("a generated map cannot be {width}×{height}");
            return Err(
                InputError::new(message).with_help(format!("expected 2 to {MAX_SIDE} columns, 1 to {MAX_SIDE} rows"))
            );
        }
        let room = (width / 2 * height).div_ceil(2).min(MAX_UNITS / 2);
        if units == 0 || units > room {
            let message = format!("{units} units a side do not fit on a generated map of {width}×{height}");
            return Err(InputError::new(message).with_help(format!("expected 1 to {room}")));
        }
        if hp.0 == 0 || hp.0 > hp.1 || hp.1 > MAX_HP {
            return Err(InputError::new(format!("HP cannot run from {} to {}", hp.0, hp.1))
                .with_help(format!("expected two numbers from 1 to {MAX_HP}, the smaller first")));
        }
        let mut rng = Rng::new(seed);
        let mut map = Map {
            width,
            height,
            terrain: vec![Terrain::Plain; width * height],
            units: Vec::new(),
            turn_limit: (2 * (width + height)).clamp(16, 80) as u16,
            threshold: (units as u32 * u32::from(hp.1)).div_ceil(6),
            author: "Tesuji".to_owned(),
            comment: format!("generated: seed {seed}, symmetry {}", self.symmetry.name()),
        };
        self.strew(&mut map, &mut rng);
        self.connect(&mut map);
        self.muster(&mut map, &mut rng);
        Ok(map)
    }

    /// The mirror image of `cell` on the other side.
    fn image(&self, map: &Map, cell: Cell) -> Cell {
        let (column, row) = map.place(cell);
        let column = self.width - 1 - column;
        let row = if self.symmetry == Symmetry::Mirror { row } else { self.height - 1 - row };
        (row * self.width + column) as Cell
    }

    /// Sets the terrain of a cell, and of its mirror image on a symmetric map.
    fn set(&self, map: &mut Map, cell: Cell, terrain: Terrain) {
        map.terrain[usize::from(cell)] = terrain;
        if self.symmetry != Symmetry::None {
            let image = self.image(map, cell);
            map.terrain[usize::from(image)] = terrain;
        }
    }

    /// Adds patches of terrain: short random walks.
    fn strew(&self, map: &mut Map, rng: &mut Rng) {
        let cells = map.terrain.len();
        for _ in 0..cells / CELLS_PER_PATCH {
            let (terrain, _) = PATCHES[rng.weighted(PATCHES.iter().map(|&(_, weight)| weight))];
            let mut cell = rng.below(cells) as Cell;
            for _ in 0..1 + rng.below(4) {
                self.set(map, cell, terrain);
                let near: Vec<Cell> = map.neighbours(cell).collect();
                cell = near[rng.below(near.len())];
            }
        }
    }

    /// Turns cells into plain until all cells that a vehicle can stand on are connected.
    fn connect(&self, map: &mut Map) {
        let drivable = |map: &Map, cell: Cell| map.terrain[usize::from(cell)].cost(Class::Vehicle).is_some();
        let cells = map.terrain.len() as Cell;
        let Some(first) = (0..cells).find(|&cell| drivable(map, cell)) else {
            map.terrain.fill(Terrain::Plain);
            return;
        };
        loop {
            let seen = map.connected(first, Class::Vehicle);
            let cut_off = (0..cells).find(|&cell| drivable(map, cell) && !seen[usize::from(cell)]);
            let Some(mut cell) = cut_off else { return };
            // Along the row, then along the column, to the first cell; each path connects at least one more part.
            let (goal_column, goal_row) = map.place(first);
            while cell != first {
                if !drivable(map, cell) {
                    self.set(map, cell, Terrain::Plain);
                }
                let (column, row) = map.place(cell);
                cell = if column != goal_column {
                    if column < goal_column { cell + 1 } else { cell - 1 }
                } else if row < goal_row {
                    cell + self.width as Cell
                } else {
                    cell - self.width as Cell
                };
            }
        }
    }

    /// Places the armies, more likely near the edge.
    fn muster(&self, map: &mut Map, rng: &mut Rng) {
        for team in 0..2 {
            if team == 1 && self.symmetry != Symmetry::None {
                let red = map.units.clone();
                let image = |unit: Unit| Unit { team: Player(1), cell: self.image(map, unit.cell), ..unit };
                map.units.extend(red.into_iter().map(image).collect::<Vec<_>>());
                return;
            }
            let depth = |map: &Map, cell: Cell| {
                let column = map.place(cell).0;
                if team == 0 { column } else { self.width - 1 - column }
            };
            let own_half: Vec<Cell> =
                (0..map.terrain.len() as Cell).filter(|&cell| depth(map, cell) < self.width / 2).collect();
            for _ in 0..self.units {
                let free = |map: &Map, cell: Cell| {
                    map.terrain[usize::from(cell)].cost(Class::Vehicle).is_some()
                        && map.units.iter().all(|unit| unit.cell != cell)
                };
                let weight =
                    |cell: Cell| if free(map, cell) { 1.0 / (1 + depth(map, cell)).pow(2) as f64 } else { 0.0 };
                let weights: Vec<f64> = own_half.iter().map(|&cell| weight(cell)).collect();
                let cell = if weights.iter().any(|&weight| weight > 0.0) {
                    own_half[rng.weighted(weights.iter().copied())]
                } else {
                    self.clear_a_place(map, &own_half)
                };
                let kind = Kind::ALL[rng.weighted(KIND_WEIGHTS.into_iter())];
                let hp = self.hp.0 + rng.below(usize::from(self.hp.1 - self.hp.0) + 1) as u8;
                map.units.push(Unit { kind, team: Player(team), cell, hp, finished: false });
            }
        }
    }

    /// Makes room where sea and mountains leave too little: turns one of their cells into plain, next to drivable
    /// ground.
    fn clear_a_place(&self, map: &mut Map, own_half: &[Cell]) -> Cell {
        let taken = |map: &Map, cell: Cell| map.units.iter().any(|unit| unit.cell == cell);
        let candidates = || own_half.iter().copied().filter(|&cell| !taken(map, cell));
        let cell = candidates()
            .find(|&cell| {
                map.neighbours(cell).any(|near| map.terrain[usize::from(near)].cost(Class::Vehicle).is_some())
            })
            .or_else(|| candidates().next());
        let cell = cell.unwrap_or_else(|| unreachable!("{self:?} was checked to have room"));
        self.set(map, cell, Terrain::Plain);
        self.connect(map);
        cell
    }
}

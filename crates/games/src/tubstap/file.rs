//! Map files (`.tbsmap`): parsing, with errors that name the location, and writing.
//!
//! `SIZEX` and `SIZEY` include a frame of no-entry cells around the board, and so do coordinates. Every map of the
//! original platform has the complete frame. A map without it is refused, since a unit on the edge would have
//! neighbours outside the map.

use std::fmt::Write as _;

use tesuji_core::{InputError, Player, Source, did_you_mean};

use super::map::{Cell, MAX_SIDE, MAX_THRESHOLD, MAX_TURNS, MAX_UNITS, Map, Terrain, Unit};
use super::statements::{self, Statement};
use super::units::{Kind, MAX_HP};

/// The statements of a map.
pub(super) const MAP_KEYS: [&str; 10] =
    ["SIZEX", "SIZEY", "TURNLIMIT", "HPTHRESHOLD", "UNITNUMRED", "UNITNUMBLUE", "AUTHOR", "MAPCOM", "UNIT", "MAP"];

const UNIT_FORM: &str = "a unit is written `UNIT[x,y,name,team,hp,finished];`, such as `UNIT[1,2,infantry,0,10,0];`";

impl Map {
    /// Parses a map.
    pub fn read(source: &Source) -> Result<Map, InputError> {
        let statements = statements::scan(source)?;
        for statement in &statements {
            if !MAP_KEYS.contains(&statement.key) {
                return Err(unknown_key(source, statement, &MAP_KEYS));
            }
        }
        Map::from_statements(source, &statements)
    }

    /// Parses a map from the bytes of a file: UTF-8 or Shift-JIS.
    pub fn from_bytes(name: &str, bytes: &[u8]) -> Result<Map, InputError> {
        Map::read(&statements::decode(name, bytes)?)
    }

    /// Builds a map from those statements that belong to maps.
    pub(super) fn from_statements(source: &Source, statements: &[Statement<'_>]) -> Result<Map, InputError> {
        let size = 3..MAX_SIDE as i64 + 3;
        let size_x = the(source, statements, "SIZEX")?;
        let size_y = the(source, statements, "SIZEY")?;
        let width = size_x.number(source, size.clone())? as usize;
        let height = size_y.number(source, size)? as usize;
        let turn_limit = the(source, statements, "TURNLIMIT")?.number(source, 1..i64::from(MAX_TURNS) + 1)? as u16;
        let threshold = the(source, statements, "HPTHRESHOLD")?.number(source, 0..i64::from(MAX_THRESHOLD) + 1)? as u32;
        let mut map = Map {
            width: width - 2,
            height: height - 2,
            terrain: read_terrain(source, statements, (width, size_x), (height, size_y))?,
            units: Vec::new(),
            turn_limit,
            threshold,
            author: text(source, statements, "AUTHOR")?,
            comment: text(source, statements, "MAPCOM")?,
        };
        for statement in statements.iter().filter(|statement| statement.key == "UNIT") {
            if map.units.len() == MAX_UNITS {
                return Err(statement.wrong(source, format!("more than {MAX_UNITS} units")));
            }
            let unit = read_unit(source, statement, &map)?;
            map.units.push(unit);
        }
        for (key, team) in [("UNITNUMRED", 0), ("UNITNUMBLUE", 1)] {
            let statement = the(source, statements, key)?;
            let declared = statement.number(source, 0..MAX_UNITS as i64 + 1)?;
            let found = map.units.iter().filter(|unit| unit.team == Player(team)).count();
            if declared != found as i64 {
                return Err(statement.wrong(source, format!("{key} is {declared}, but the map has {found} such units")));
            }
        }
        Ok(map)
    }

    /// The text of the map file. It parses back to an equal map.
    pub fn write(&self) -> String {
        let count = |team| self.units.iter().filter(|unit| unit.team == Player(team)).count();
        let mut text = format!(
            "SIZEX[{}];SIZEY[{}];\nTURNLIMIT[{}];HPTHRESHOLD[{}];\nUNITNUMRED[{}];UNITNUMBLUE[{}];\n",
            self.width + 2,
            self.height + 2,
            self.turn_limit,
            self.threshold,
            count(0),
            count(1),
        );
        let mut line = |line: std::fmt::Arguments<'_>| {
            let written = text.write_fmt(line);
            debug_assert!(written.is_ok(), "writing to a string cannot fail");
        };
        line(format_args!("AUTHOR[{}];\nMAPCOM[{}];\n", self.author, self.comment));
        for unit in &self.units {
            let (column, row) = self.place(unit.cell);
            line(format_args!(
                "UNIT[{},{},{},{},{},{}];\n",
                column + 1,
                row + 1,
                unit.kind.name(),
                unit.team.0,
                unit.hp,
                u8::from(unit.finished)
            ));
        }
        let edge = vec!["0"; self.width + 2].join(",");
        line(format_args!("MAP[{edge}];\n"));
        for row in self.terrain.chunks(self.width) {
            let codes: String = row.iter().map(|terrain| format!("{},", terrain.code())).collect();
            line(format_args!("MAP[0,{codes}0];\n"));
        }
        line(format_args!("MAP[{edge}];\n"));
        text
    }
}

/// The error for an unknown statement.
pub(super) fn unknown_key(source: &Source, statement: &Statement<'_>, known: &[&str]) -> InputError {
    let key: String = statement.key.chars().take(20).collect();
    let hint = did_you_mean(&key, known.iter().copied());
    InputError::new(format!("unknown statement `{key}`{hint}")).with_help(format!("known are {}", known.join(", "))).at(
        source,
        statement.key_at,
        statement.key.len(),
    )
}

/// The statement with this key, if there is one; two are an error.
pub(super) fn at_most_one<'s, 'a>(
    source: &Source,
    statements: &'s [Statement<'a>],
    key: &str,
) -> Result<Option<&'s Statement<'a>>, InputError> {
    let mut found = statements.iter().filter(|statement| statement.key == key);
    let (first, second) = (found.next(), found.next());
    match (first, second) {
        (Some(first), Some(second)) => {
            let (line, column) = source.position(first.key_at);
            Err(second.wrong(source, format!("`{key}` is given twice; first in line {line}, column {column}")))
        }
        _ => Ok(first),
    }
}

/// The statement with this key; none is an error.
fn the<'s, 'a>(source: &Source, statements: &'s [Statement<'a>], key: &str) -> Result<&'s Statement<'a>, InputError> {
    at_most_one(source, statements, key)?.ok_or_else(|| {
        InputError::new(format!("the map has no `{key}`")).with_help(format!("expected `{key}[…];`")).at(
            source,
            source.text().len(),
            0,
        )
    })
}

/// The free text of a statement; empty if there is none.
pub(super) fn text(source: &Source, statements: &[Statement<'_>], key: &str) -> Result<String, InputError> {
    Ok(at_most_one(source, statements, key)?.map_or(String::new(), |statement| statement.value.to_owned()))
}

/// Parses the terrain inside the frame.
fn read_terrain(
    source: &Source,
    statements: &[Statement<'_>],
    (width, size_x): (usize, &Statement<'_>),
    (height, size_y): (usize, &Statement<'_>),
) -> Result<Vec<Terrain>, InputError> {
    let rows: Vec<&Statement<'_>> = statements.iter().filter(|statement| statement.key == "MAP").collect();
    if rows.len() != height {
        let message = format!("SIZEY is {height}, but there are {} rows `MAP[…];`", rows.len());
        return Err(size_y.wrong(source, message).with_help("the rows of the frame, above and below, count"));
    }
    let mut inside = Vec::new();
    for (y, row) in rows.into_iter().enumerate() {
        let fields = row.fields();
        if fields.len() != width {
            let (line, _) = source.position(size_x.key_at);
            let message = format!("row {y} has {} cells, but SIZEX in line {line} is {width}", fields.len());
            return Err(row.wrong(source, message).with_help("the cells of the frame, left and right, count"));
        }
        for (x, field) in fields.iter().enumerate() {
            let code = field.number(source, "a terrain code", 0..Terrain::ALL.len() as i64).map_err(|error| {
                let codes: Vec<String> =
                    Terrain::ALL.iter().map(|terrain| format!("{} {}", terrain.code(), terrain.name())).collect();
                error.with_help(codes.join(", "))
            })?;
            let framed = x == 0 || y == 0 || x + 1 == width || y + 1 == height;
            match (framed, code) {
                (true, 0) => {}
                (true, _) => {
                    return Err(field
                        .wrong(source, format!("cell {x},{y} belongs to the frame, but its code is {code}"))
                        .with_help("the outermost cells of a map must be 0 (no entry)"));
                }
                (false, code) => inside.push(Terrain::ALL[code as usize]),
            }
        }
    }
    Ok(inside)
}

/// Parses one unit and checks it against the terrain and the units before it.
fn read_unit(source: &Source, statement: &Statement<'_>, map: &Map) -> Result<Unit, InputError> {
    let fields = statement.fields();
    let [x, y, name, team, hp, finished] = fields[..] else {
        return Err(statement
            .wrong(source, format!("a unit has 6 fields, this one has {}", fields.len()))
            .with_help(UNIT_FORM));
    };
    let column = x.number(source, "x", 0..map.width as i64 + 2)? as usize;
    let row = y.number(source, "y", 0..map.height as i64 + 2)? as usize;
    let cell = column.checked_sub(1).zip(row.checked_sub(1)).and_then(|(column, row)| map.cell(column, row));
    let Some(cell) = cell.filter(|&cell| map.terrain[usize::from(cell)] != Terrain::NoEntry) else {
        return Err(x.wrong(source, format!("cell {column},{row} is no-entry; no unit can stand there")));
    };
    if let Some(other) = map.units.iter().position(|unit| unit.cell == cell) {
        return Err(x.wrong(source, format!("cell {column},{row} already holds unit {other}")));
    }
    let Some(kind) = Kind::from_name(name.text) else {
        let shown: String = name.text.chars().take(20).collect();
        let names = Kind::ALL.map(Kind::name);
        let hint = did_you_mean(&shown, names.into_iter());
        return Err(name
            .wrong(source, format!("unknown unit `{}`{hint}", shown.escape_debug()))
            .with_help(format!("units are {}", names.join(", "))));
    };
    let team = Player(team.number(source, "the team (0 red, 1 blue)", 0..2)? as u8);
    let hp = hp.number(source, "HP", 1..i64::from(MAX_HP) + 1)? as u8;
    let finished = finished.number(source, "the finished flag", 0..2)? == 1;
    Ok(Unit { kind, team, cell: cell as Cell, hp, finished })
}

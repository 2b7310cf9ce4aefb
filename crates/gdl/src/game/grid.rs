//! The board of a rule sheet, where its facts look like one: a relation with two coordinates and a content, and the
//! facts about cells that never change.

use std::collections::{BTreeMap, BTreeSet};

use tesuji_core::{AreaId, Source};

use crate::kif::{self, Expression};
use crate::symbols::keyword;
use crate::{Atom, Literal, Sheet, Symbol, Term};

/// A relation whose facts make up a board: `(cell x y content)`, one content per cell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Grid {
    /// The name of the relation, in lower case.
    relation: String,
    /// The number of arguments: two coordinates and the content.
    arguments: usize,
    /// The columns from left to right.
    pub(super) columns: Vec<String>,
    /// The rows from bottom to top.
    pub(super) rows: Vec<String>,
    /// The possible contents of a cell, with the seat that each seems to belong to.
    pub(super) contents: BTreeMap<String, Option<usize>>,
    /// What never changes in a cell, such as a wall: cell and relation.
    pub(super) fixed: Vec<(usize, String)>,
}

/// The most columns or rows of a board.
const MOST_LINES: usize = 30;

/// Words for an empty cell.
pub(super) const EMPTY: [&str; 7] = ["b", "blank", "empty", "e", "dirt", "none", "free"];

/// The name and the arguments of a term, in normalised spelling. A location written as a term, `(cell 1 2)`, counts as
/// its coordinates.
pub(super) fn parts(text: &str) -> Option<(String, Vec<String>)> {
    let expressions = kif::read(&Source::new("term", text)).ok()?;
    let [Expression::List(items, _)] = expressions.as_slice() else { return None };
    let spelled = |item: &Expression| match item {
        Expression::Word(text, _) => text.clone(),
        Expression::List(_, place) => text[place.start as usize..place.end as usize].to_owned(),
    };
    let (name, items) = items.split_first()?;
    let mut words = Vec::new();
    for item in items {
        match item {
            Expression::List(inner, _)
                if inner.len() > 2 && inner.iter().all(|part| matches!(part, Expression::Word(..))) =>
            {
                words.extend(inner[1..].iter().map(spelled));
            }
            _ => words.push(spelled(item)),
        }
    }
    Some((spelled(name).to_lowercase(), words))
}

/// Sorts numbers by value and words by their text.
fn sort_key(text: &str) -> (bool, i64, String) {
    match text.parse::<i64>() {
        Ok(number) => (false, number, String::new()),
        Err(_) => (true, 0, text.to_lowercase()),
    }
}

impl Grid {
    /// Looks for a board in sample states of a sheet, each given as the texts of its facts.
    pub(super) fn find(states: &[Vec<String>], role_names: &[String], sheet: &Sheet) -> Option<Grid> {
        #[derive(Default)]
        struct Candidate {
            columns: BTreeSet<String>,
            rows: BTreeSet<String>,
            contents: BTreeSet<String>,
            cells: BTreeSet<(String, String)>,
            twice: bool,
        }
        let mut candidates: BTreeMap<(String, usize), Candidate> = BTreeMap::new();
        for state in states {
            let mut seen: BTreeSet<(String, String, String)> = BTreeSet::new();
            for (name, arguments) in state.iter().filter_map(|fact| parts(fact)) {
                let [column, row, content @ ..] = arguments.as_slice() else { continue };
                if content.is_empty() {
                    continue;
                }
                let candidate = candidates.entry((name.clone(), arguments.len())).or_default();
                candidate.twice |= !seen.insert((name, column.clone(), row.clone()));
                candidate.columns.insert(column.clone());
                candidate.rows.insert(row.clone());
                candidate.contents.insert(content.join(" "));
                candidate.cells.insert((column.clone(), row.clone()));
            }
        }
        let fits = |candidate: &Candidate| {
            let (columns, rows) = (candidate.columns.len(), candidate.rows.len());
            let lines = 2..=MOST_LINES;
            !candidate.twice
                && lines.contains(&columns)
                && lines.contains(&rows)
                && candidate.cells.len() * 4 >= columns * rows
        };
        let best = candidates.into_iter().filter(|(_, candidate)| fits(candidate));
        let ((relation, arguments), mut found) = best.max_by_key(|(_, candidate)| candidate.cells.len())?;
        let fixed = fixed_facts(sheet, &relation);
        for (_, column, row) in &fixed {
            found.columns.insert(column.clone());
            found.rows.insert(row.clone());
        }
        let ordered = |names: BTreeSet<String>| {
            let mut names: Vec<String> = names.into_iter().collect();
            names.sort_by_key(|name| sort_key(name));
            names
        };
        let contents = found.contents.into_iter().map(|content| {
            let seat = seat_of(&content, role_names);
            (content, seat)
        });
        let contents = contents.collect();
        let (columns, rows) = (ordered(found.columns), ordered(found.rows));
        let mut grid = Grid { relation, arguments, columns, rows, contents, fixed: Vec::new() };
        let place = |(name, column, row): (String, String, String)| Some((grid.index(&column, &row)?, name));
        grid.fixed = fixed.into_iter().filter_map(place).collect();
        Some(grid)
    }

    fn index(&self, column: &str, row: &str) -> Option<usize> {
        let place = |names: &[String], name: &str| names.iter().position(|known| known.eq_ignore_ascii_case(name));
        Some(place(&self.rows, row)? * self.columns.len() + place(&self.columns, column)?)
    }

    /// The name of a cell: `b3` where columns are letters, else both coordinates.
    pub(super) fn cell_name(&self, cell: AreaId) -> String {
        let (column, row) =
            (&self.columns[cell as usize % self.columns.len()], &self.rows[cell as usize / self.columns.len()]);
        let plain = column.chars().all(char::is_alphabetic) && row.chars().all(|c| c.is_ascii_digit());
        if plain { format!("{column}{row}") } else { format!("{column},{row}") }
    }

    /// The cell that a fact is about, and its content.
    pub(super) fn cell_of(&self, fact: &str) -> Option<(usize, String)> {
        let (name, arguments) = parts(fact)?;
        if name != self.relation || arguments.len() != self.arguments {
            return None;
        }
        Some((self.index(&arguments[0], &arguments[1])?, arguments[2..].join(" ")))
    }

    /// The cells that the arguments of a move name, in order, two arguments per cell; a single column is its top cell.
    pub(super) fn cells_of(&self, text: &str) -> Vec<AreaId> {
        let Some((_, arguments)) = parts(text) else { return Vec::new() };
        if let [column] = arguments.as_slice() {
            let top = self.rows.last().and_then(|row| self.index(column, row));
            return top.into_iter().map(|cell| cell as AreaId).collect();
        }
        let mut cells = Vec::new();
        let mut rest = arguments.as_slice();
        while let [column, row, ..] = rest {
            match self.index(column, row) {
                Some(cell) => {
                    cells.push(cell as AreaId);
                    rest = &rest[2..];
                }
                None => rest = &rest[1..],
            }
        }
        cells
    }

    /// The board as lines of text.
    pub(super) fn write(&self, facts: &[String], text: &mut String) {
        let mut cells = vec![".".to_owned(); self.columns.len() * self.rows.len()];
        for (cell, name) in &self.fixed {
            cells[*cell] = if is_wall(name) { "#".to_owned() } else { "_".to_owned() };
        }
        for (cell, content) in facts.iter().filter_map(|fact| self.cell_of(fact)) {
            if !EMPTY.contains(&content.to_lowercase().as_str()) {
                cells[cell] = content;
            }
        }
        let label = self.rows.iter().map(|row| row.chars().count()).max().unwrap_or(0);
        let width = cells.iter().chain(&self.columns).map(|cell| cell.chars().count()).max().unwrap_or(1);
        for (row, cells) in self.rows.iter().zip(cells.chunks(self.columns.len())).rev() {
            text.push_str(&format!("{row:>label$}"));
            for cell in cells {
                text.push_str(&format!(" {cell:>width$}"));
            }
            text.push('\n');
        }
        text.push_str(&" ".repeat(label));
        for column in &self.columns {
            text.push_str(&format!(" {column:>width$}"));
        }
        text.push('\n');
    }
}

/// The seat that a piece seems to belong to: the role whose name equals the content or begins like it.
fn seat_of(content: &str, role_names: &[String]) -> Option<usize> {
    let content = content.to_lowercase();
    let name = |role: &String| role.to_lowercase();
    role_names.iter().position(|role| name(role) == content).or_else(|| {
        let initial = content.chars().next()?;
        let mut fitting = (0..role_names.len()).filter(|&seat| name(&role_names[seat]).starts_with(initial));
        let seat = fitting.next()?;
        fitting.next().is_none().then_some(seat)
    })
}

/// Is a relation that never changes one of cells that nothing enters?
pub(super) fn is_wall(name: &str) -> bool {
    let name = name.to_lowercase();
    ["wall", "block", "obstacle", "pillar", "barrier"].iter().any(|word| name.contains(word))
}

/// The facts of the sheet about single cells of the board that no rule derives: relation, column and row.
///
/// A relation is about cells if some rule uses its two arguments as the coordinates of the board, directly or through
/// other such relations: `(wall ?x ?y)` in a rule for `(floor ?x ?y)`, which a rule about `(cell ?x ?y …)` needs.
fn fixed_facts(sheet: &Sheet, board: &str) -> Vec<(String, String, String)> {
    let board_name = |symbol: Symbol| sheet.symbols.text(symbol).eq_ignore_ascii_case(board);
    // The two terms of an atom that are coordinates, by what is known so far.
    let place = |atom: &Atom, known: &BTreeSet<Symbol>| -> Option<(Term, Term)> {
        match &atom.arguments[..] {
            [Term::Function(inner, arguments)]
                if board_name(*inner)
                    && [keyword::TRUE, keyword::NEXT, keyword::INIT, keyword::BASE].contains(&atom.relation) =>
            {
                Some((arguments.first()?.clone(), arguments.get(1)?.clone()))
            }
            [column, row] if known.contains(&atom.relation) => Some((column.clone(), row.clone())),
            _ => None,
        }
    };
    let mut known: BTreeSet<Symbol> = BTreeSet::new();
    loop {
        let before = known.len();
        for rule in sheet.rules.iter().filter(|rule| !rule.body.is_empty()) {
            let atoms: Vec<&Atom> = std::iter::once(&rule.head).chain(rule.body.iter().filter_map(atom_of)).collect();
            let places: Vec<(Term, Term)> = atoms.iter().filter_map(|atom| place(atom, &known)).collect();
            for atom in atoms {
                if let [column @ Term::Variable(_), row @ Term::Variable(_)] = &atom.arguments[..]
                    && places.iter().any(|(known_column, known_row)| known_column == column && known_row == row)
                {
                    known.insert(atom.relation);
                }
            }
        }
        if known.len() == before {
            break;
        }
    }
    let derived = |symbol: Symbol| sheet.rules.iter().any(|rule| rule.head.relation == symbol && !rule.body.is_empty());
    let facts = sheet.rules.iter().filter(|rule| rule.body.is_empty() && known.contains(&rule.head.relation));
    let word = |term: &Term| match term {
        Term::Constant(symbol) => Some(sheet.symbols.text(*symbol).to_owned()),
        _ => None,
    };
    facts
        .filter(|rule| !derived(rule.head.relation))
        .filter_map(|rule| match &rule.head.arguments[..] {
            [column, row] => Some((sheet.symbols.text(rule.head.relation).to_owned(), word(column)?, word(row)?)),
            _ => None,
        })
        .collect()
}

fn atom_of(literal: &Literal) -> Option<&Atom> {
    match literal {
        Literal::Holds(atom) | Literal::Fails(atom) => Some(atom),
        Literal::Distinct(..) | Literal::Same(..) => None,
    }
}

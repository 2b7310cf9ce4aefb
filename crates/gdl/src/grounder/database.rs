//! Relations as sets of tuples, with indexes by the arguments that a join knows.

use super::limits::{Meter, TooLarge};
use super::program::Pattern;
use super::tuples::TupleSet;
use crate::{GroundTerm, Symbol, Terms};

/// What an index expects of one argument of a tuple.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Shape {
    Ground(GroundTerm),
    /// Part of the key, at this position.
    Key(usize),
    /// Looked up, and stored at this position of the row.
    Free(usize),
    Function(Symbol, Vec<Shape>),
}

/// Rows of a relation by key. A row is the tuple's number and the values of the free positions; the rows of a key are
/// in the order of the tuples.
#[derive(Debug)]
pub(super) struct Index {
    shapes: Vec<Shape>,
    free: usize,
    keys: TupleSet,
    rows: Vec<Vec<u32>>,
}

const UNKNOWN: u32 = u32::MAX;

impl Index {
    /// The length of a row.
    pub(super) fn stride(&self) -> usize {
        self.free + 1
    }

    pub(super) fn rows(&self, key: &[u32]) -> &[u32] {
        self.keys.find(key).map_or(&[], |number| &self.rows[number as usize])
    }

    /// Adds a tuple if it has the shape. The caller passes buffers for key and row.
    fn add(&mut self, number: u32, tuple: &[u32], terms: &Terms, key: &mut [u32], row: &mut [u32]) -> bool {
        key.fill(UNKNOWN);
        row.fill(UNKNOWN);
        let fits = self.shapes.iter().zip(tuple).all(|(shape, &term)| fit(shape, GroundTerm(term), terms, key, row));
        if fits {
            let (bucket, new) = self.keys.insert(key);
            if new {
                self.rows.push(Vec::new());
            }
            let rows = &mut self.rows[bucket as usize];
            rows.push(number);
            rows.extend_from_slice(row);
        }
        fits
    }
}

/// Whether a tuple has the shapes, which have no keys. Writes the free values into the row.
pub(super) fn fits(shapes: &[Shape], tuple: &[u32], terms: &Terms, row: &mut [u32]) -> bool {
    row.fill(UNKNOWN);
    shapes.iter().zip(tuple).all(|(shape, &term)| fit(shape, GroundTerm(term), terms, &mut [], row))
}

fn fit(shape: &Shape, term: GroundTerm, terms: &Terms, key: &mut [u32], row: &mut [u32]) -> bool {
    let put = |place: &mut u32| {
        let fits = *place == UNKNOWN || *place == term.0;
        *place = term.0;
        fits
    };
    match shape {
        Shape::Ground(expected) => *expected == term,
        Shape::Key(place) => put(&mut key[*place]),
        Shape::Free(place) => put(&mut row[*place]),
        Shape::Function(name, shapes) => {
            terms.is_function(term) && terms.name(term) == *name && {
                let arguments = terms.arguments(term);
                arguments.len() == shapes.len()
                    && shapes.iter().zip(arguments).all(|(shape, &argument)| fit(shape, argument, terms, key, row))
            }
        }
    }
}

/// The tuples of a relation.
#[derive(Debug)]
pub(super) struct Relation {
    pub(super) tuples: TupleSet,
    pub(super) indexes: Vec<Index>,
    /// Tuples below this number existed before the current round.
    pub(super) old: u32,
    /// Tuples below this number existed when the current round began.
    pub(super) current: u32,
}

impl Relation {
    pub(super) fn new(arity: usize) -> Relation {
        Relation { tuples: TupleSet::new(arity), indexes: Vec::new(), old: 0, current: 0 }
    }

    /// Adds a tuple; `true` if it is new.
    pub(super) fn insert(&mut self, tuple: &[u32], terms: &Terms, meter: &mut Meter) -> Result<bool, TooLarge> {
        let (number, new) = self.tuples.insert(tuple);
        if new {
            for index in &mut self.indexes {
                add(index, number, tuple, terms, meter)?;
            }
        }
        Ok(new)
    }

    /// The number of the index with these shapes, created if there is none.
    pub(super) fn index(
        &mut self,
        shapes: Vec<Shape>,
        keys: usize,
        free: usize,
        terms: &Terms,
        meter: &mut Meter,
    ) -> Result<usize, TooLarge> {
        if let Some(number) = self.indexes.iter().position(|index| index.shapes == shapes) {
            return Ok(number);
        }
        let mut index = Index { shapes, free, keys: TupleSet::new(keys), rows: Vec::new() };
        for number in 0..self.tuples.count() {
            add(&mut index, number, self.tuples.get(number), terms, meter)?;
        }
        self.indexes.push(index);
        Ok(self.indexes.len() - 1)
    }
}

fn add(index: &mut Index, number: u32, tuple: &[u32], terms: &Terms, meter: &mut Meter) -> Result<(), TooLarge> {
    let mut space = smallvec::SmallVec::<[u32; 24]>::new();
    let keys = index.keys.width();
    space.resize(keys + index.free, UNKNOWN);
    let (key, row) = space.split_at_mut(keys);
    if index.add(number, tuple, terms, key, row) {
        meter.memory((keys + 2 * index.free + 4) * size_of::<u32>())?;
    }
    meter.step()
}

/// The term that a pattern denotes under a binding of its variables; `None` if no such term exists yet.
pub(super) fn find_term(pattern: &Pattern, binding: &[u32], terms: &Terms) -> Option<GroundTerm> {
    match pattern {
        Pattern::Ground(term) => Some(*term),
        Pattern::Variable(variable) => Some(GroundTerm(binding[*variable as usize])),
        Pattern::Function(name, arguments) => {
            let mut values = smallvec::SmallVec::<[GroundTerm; 8]>::new();
            for argument in arguments {
                values.push(find_term(argument, binding, terms)?);
            }
            terms.find(*name, true, &values)
        }
    }
}

/// The approximate size of a term in the arrays and the table of [`Terms`], without its arguments.
const TERM_BYTES: usize = 80;

/// Creates the term that a pattern denotes under a binding of its variables.
pub(super) fn make_term(
    pattern: &Pattern,
    binding: &[u32],
    terms: &mut Terms,
    meter: &mut Meter,
) -> Result<GroundTerm, TooLarge> {
    match pattern {
        Pattern::Ground(term) => Ok(*term),
        Pattern::Variable(variable) => Ok(GroundTerm(binding[*variable as usize])),
        Pattern::Function(name, arguments) => {
            let mut values = smallvec::SmallVec::<[GroundTerm; 8]>::new();
            for argument in arguments {
                values.push(make_term(argument, binding, terms, meter)?);
            }
            let known = terms.count();
            let term = terms.function(*name, &values);
            if terms.count() > known {
                meter.depth(terms.depth(term))?;
                meter.memory(TERM_BYTES + 4 * values.len() * size_of::<u32>())?;
            }
            Ok(term)
        }
    }
}

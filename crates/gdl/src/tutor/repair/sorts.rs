//! Sorts: which argument places of a sheet have the same kind of values.
//!
//! Two places have the same sort if a variable of some rule stands in both. `(true (cell ?x ?y))` and `(next (cell ?x
//! ?y))` have the same places, and so have `legal` and `does`.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use crate::symbols::keyword;
use crate::{Atom, Literal, Rule, Sheet, Symbol, Term};

/// An argument of a relation or function.
type Place = (Symbol, usize);

/// The sorts of a sheet.
pub(super) struct Sorts {
    /// Each place has a number; its sort is the root of its tree.
    numbers: FxHashMap<Place, usize>,
    parents: Vec<usize>,
    /// The constants of each sort, by root.
    constants: FxHashMap<usize, BTreeSet<Symbol>>,
}

impl Sorts {
    pub(super) fn new(sheet: &Sheet) -> Sorts {
        let mut sorts = Sorts { numbers: FxHashMap::default(), parents: Vec::new(), constants: FxHashMap::default() };
        for rule in &sheet.rules {
            let mut seen: Vec<Option<usize>> = vec![None; rule.variables.len()];
            visit(rule, &mut |place, term| {
                let place = sorts.number(place);
                if let Term::Variable(variable) = term {
                    let variable = &mut seen[*variable as usize];
                    match *variable {
                        Some(other) => sorts.join(place, other),
                        None => *variable = Some(place),
                    }
                }
            });
            for literal in &rule.body {
                if let Literal::Distinct(Term::Variable(left), Term::Variable(right)) = literal
                    && let (Some(left), Some(right)) = (seen[*left as usize], seen[*right as usize])
                {
                    sorts.join(left, right);
                }
            }
        }
        for rule in &sheet.rules {
            visit(rule, &mut |place, term| {
                if let (Term::Constant(name), Some(sort)) = (term, sorts.of(place)) {
                    sorts.constants.entry(sort).or_default().insert(*name);
                }
            });
        }
        sorts
    }

    fn number(&mut self, place: Place) -> usize {
        let next = self.parents.len();
        let number = *self.numbers.entry(place).or_insert(next);
        if number == next {
            self.parents.push(next);
        }
        number
    }

    fn join(&mut self, left: usize, right: usize) {
        let (left, right) = (self.root(left), self.root(right));
        self.parents[left] = right;
    }

    fn root(&self, mut number: usize) -> usize {
        while self.parents[number] != number {
            number = self.parents[number];
        }
        number
    }

    /// The sort of a place; `None` for a place that no rule has.
    pub(super) fn of(&self, place: Place) -> Option<usize> {
        self.numbers.get(&place).map(|&number| self.root(number))
    }

    /// The constants of a sort.
    pub(super) fn constants(&self, sort: usize) -> impl Iterator<Item = Symbol> + '_ {
        self.constants.get(&sort).into_iter().flatten().copied()
    }

    /// The sort of each variable of a rule.
    pub(super) fn variables(&self, rule: &Rule) -> Vec<Option<usize>> {
        let mut sorts = vec![None; rule.variables.len()];
        visit(rule, &mut |place, term| {
            if let Term::Variable(variable) = term {
                sorts[*variable as usize] = self.of(place);
            }
        });
        sorts
    }
}

/// The name under which a relation's places are known.
pub(super) fn place_name(relation: Symbol) -> Symbol {
    match relation {
        keyword::NEXT | keyword::INIT | keyword::BASE => keyword::TRUE,
        keyword::LEGAL | keyword::INPUT => keyword::DOES,
        other => other,
    }
}

/// Calls `see` with every term of a rule and its place, functions before their arguments.
pub(super) fn visit(rule: &Rule, see: &mut dyn FnMut(Place, &Term)) {
    let atoms = rule.body.iter().filter_map(|literal| match literal {
        Literal::Holds(atom) | Literal::Fails(atom) => Some(atom),
        Literal::Distinct(..) | Literal::Same(..) => None,
    });
    for atom in [&rule.head].into_iter().chain(atoms) {
        visit_atom(atom, see);
    }
}

/// Calls `see` with every term of an atom and its place.
pub(super) fn visit_atom(atom: &Atom, see: &mut dyn FnMut(Place, &Term)) {
    fn terms(name: Symbol, arguments: &[Term], see: &mut dyn FnMut(Place, &Term)) {
        for (index, term) in arguments.iter().enumerate() {
            see((name, index), term);
            if let Term::Function(name, arguments) = term {
                terms(*name, arguments, see);
            }
        }
    }
    terms(place_name(atom.relation), &atom.arguments, see);
}

//! Tries to apply one rule: its solutions, and the longest partial match if it has none.

use std::cell::Cell;

use tesuji_core::InputError;

use super::oracle::{Bindings, Oracle, Situation};
use crate::{Atom, Literal, Rule};

/// The longest partial match of a rule.
pub(super) struct Attempt {
    /// The conditions in the order in which they are tried, by position in the body.
    pub order: Vec<usize>,
    /// The number of conditions that were met.
    pub met: usize,
    /// The values of the variables then.
    pub bindings: Bindings,
}

/// A search for the solutions of a rule's body.
pub(super) struct Search<'a> {
    pub oracle: &'a Oracle,
    pub situation: &'a Situation<'a>,
    pub rule: &'a Rule,
    /// Conditions that may still be tried, over all searches of an explanation.
    pub effort: &'a Cell<u64>,
    pub longest: Attempt,
}

impl<'a> Search<'a> {
    /// Calls `accept` with each solution until it returns true. False if it never did.
    pub(super) fn run(
        &mut self,
        bindings: &Bindings,
        accept: &mut dyn FnMut(&Bindings) -> Result<bool, InputError>,
    ) -> Result<bool, InputError> {
        self.longest.bindings = bindings.clone();
        self.go_on(0, bindings, accept)
    }

    fn go_on(
        &mut self,
        depth: usize,
        bindings: &Bindings,
        accept: &mut dyn FnMut(&Bindings) -> Result<bool, InputError>,
    ) -> Result<bool, InputError> {
        if depth > self.longest.met {
            self.longest.met = depth;
            self.longest.bindings = bindings.clone();
        }
        let Some(&position) = self.longest.order.get(depth) else { return accept(bindings) };
        let Some(left) = self.effort.get().checked_sub(1) else { return Ok(false) };
        self.effort.set(left);
        let rule: &'a Rule = self.rule;
        match &rule.body[position] {
            Literal::Holds(atom) => {
                for bindings in self.matching(atom, bindings)? {
                    if self.go_on(depth + 1, &bindings, accept)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Literal::Fails(atom) => match self.matching(atom, bindings)?.is_empty() {
                true => self.go_on(depth + 1, bindings, accept),
                false => Ok(false),
            },
            Literal::Distinct(left, right) => {
                let (left, right) = (self.oracle.ground(left, bindings), self.oracle.ground(right, bindings));
                if left.is_some() && left == right {
                    return Ok(false);
                }
                self.go_on(depth + 1, bindings, accept)
            }
            Literal::Same(left, right) => {
                let mut bindings = bindings.clone();
                let same = match (self.oracle.ground(left, &bindings), self.oracle.ground(right, &bindings)) {
                    (Some(value), _) => self.oracle.matches(right, value, &mut bindings),
                    (None, Some(value)) => self.oracle.matches(left, value, &mut bindings),
                    (None, None) => false,
                };
                if same { self.go_on(depth + 1, &bindings, accept) } else { Ok(false) }
            }
        }
    }

    /// The values of variables for which the atom holds.
    fn matching(&self, atom: &Atom, bindings: &Bindings) -> Result<Vec<Bindings>, InputError> {
        let rows = self.oracle.rows(self.situation, atom, bindings)?;
        let columns = crate::interpreter::predicates::origin(atom).map_or(&[][..], |(_, columns)| columns);
        Ok(rows
            .into_iter()
            .filter_map(|row| {
                let mut bindings = bindings.clone();
                let fits = columns.iter().zip(row).all(|(term, value)| self.oracle.matches(term, value, &mut bindings));
                fits.then_some(bindings)
            })
            .collect())
    }
}

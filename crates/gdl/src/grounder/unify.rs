//! Unification: solving equalities between terms with variables.

use crate::Term;

/// The values of a rule's variables.
pub(super) struct Substitution {
    values: Vec<Option<Term>>,
}

/// The largest term that unification may produce, in names and variables: far beyond any rule sheet.
const LARGEST_TERM: usize = 10_000;

impl Substitution {
    pub(super) fn new(variables: usize) -> Substitution {
        Substitution { values: vec![None; variables] }
    }

    /// Makes two terms equal; `false` if that is impossible (or if the terms grow too large, which does not happen in
    /// practice).
    pub(super) fn unify(&mut self, left: &Term, right: &Term) -> bool {
        let (Some(left), Some(right)) = (self.apply(left), self.apply(right)) else { return false };
        match (left, right) {
            (Term::Variable(one), Term::Variable(other)) if one == other => true,
            (Term::Variable(variable), term) | (term, Term::Variable(variable)) => {
                let mut occurs = false;
                term.variables(&mut |inner| occurs |= inner == variable);
                if !occurs {
                    self.values[variable as usize] = Some(term);
                }
                !occurs
            }
            (Term::Function(one, left), Term::Function(other, right)) => {
                one == other
                    && left.len() == right.len()
                    && left.iter().zip(&right).all(|(left, right)| self.unify(left, right))
            }
            (left, right) => left == right,
        }
    }

    /// The term with all known values of its variables substituted; `None` if it grows too large.
    pub(super) fn apply(&self, term: &Term) -> Option<Term> {
        self.replace(term, &mut LARGEST_TERM.clone())
    }

    fn replace(&self, term: &Term, room: &mut usize) -> Option<Term> {
        *room = room.checked_sub(1)?;
        match term {
            Term::Constant(_) => Some(term.clone()),
            Term::Variable(variable) => match &self.values[*variable as usize] {
                Some(value) => self.replace(value, room),
                None => Some(term.clone()),
            },
            Term::Function(name, arguments) => {
                let arguments = arguments.iter().map(|argument| self.replace(argument, room)).collect::<Option<_>>()?;
                Some(Term::Function(*name, arguments))
            }
        }
    }
}

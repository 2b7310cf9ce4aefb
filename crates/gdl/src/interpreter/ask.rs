//! Questions beyond those of a match: the explainer asks them of a sheet to which it added rules of its own.

use std::sync::atomic::Ordering;

use tesuji_core::InputError;

use super::{Facts, Interpreter, Limits};
use crate::{GroundTerm, Sheet, Symbol, Term, Terms};

/// The most answers remembered for one state of a changed sheet. A change can open a rule to very many answers, which
/// take longer than their conditions say.
const MOST_ANSWERS: u64 = 100_000;

impl Interpreter {
    /// An interpreter of a changed sheet with the same names, in which terms known here have the same numbers. A
    /// question to it may look at no more than `steps` conditions.
    pub(crate) fn changed(&self, sheet: &Sheet, steps: u64) -> Result<Interpreter, InputError> {
        let terms = self.shared.terms().clone();
        let known = self.shared.limits;
        let limits = Limits { steps: steps.min(known.steps), answers: known.answers.min(MOST_ANSWERS), ..known };
        Interpreter::with_terms_known(sheet, limits, terms)
    }

    /// The conditions looked at so far, over all questions: what the answers cost.
    pub(crate) fn spent(&self) -> u64 {
        self.spent.load(Ordering::Relaxed)
    }

    /// What the answers cost so far, in conditions: a new term takes roughly as long as four of them.
    pub(crate) fn cost(&self) -> u64 {
        self.spent() + 4 * self.shared.terms().count() as u64
    }

    /// The number of a term with this shape, which is new if the rules never came to it.
    pub(crate) fn intern(&self, name: Symbol, function: bool, arguments: &[GroundTerm]) -> GroundTerm {
        let mut terms = self.shared.terms();
        if function { terms.function(name, arguments) } else { terms.constant(name) }
    }

    /// The number of a term; `None` if it has variables.
    pub(crate) fn ground(&self, term: &Term) -> Option<GroundTerm> {
        match term {
            Term::Variable(_) => None,
            Term::Constant(name) => Some(self.intern(*name, false, &[])),
            Term::Function(name, arguments) => {
                let arguments: Option<Vec<GroundTerm>> = arguments.iter().map(|term| self.ground(term)).collect();
                Some(self.intern(*name, true, &arguments?))
            }
        }
    }

    /// Looks at the terms known so far.
    pub(crate) fn with_terms<T>(&self, look: impl FnOnce(&Terms) -> T) -> T {
        look(&self.shared.terms())
    }

    /// The answers to `(legal KEY ?answer)`, where the key is any term.
    pub(crate) fn ask_legal(
        &self,
        state: &Facts,
        joint: &[GroundTerm],
        key: GroundTerm,
    ) -> Result<Vec<GroundTerm>, InputError> {
        self.question(state, |prover, shared| {
            prover.set_joint(shared, &self.roles, joint);
            prover.catch_up(shared);
            let rows = prover.ask(shared, shared.program.legal, &[key.0])?;
            Ok((0..rows.count()).map(|row| GroundTerm(rows.row(row)[0])).collect())
        })
    }
}

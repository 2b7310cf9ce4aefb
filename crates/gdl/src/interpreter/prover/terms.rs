//! Terms made from the variables of a rule, and values held against patterns.

use smallvec::SmallVec;

use super::{Fault, Key, Prover, Shared};
use crate::interpreter::plan::{Builder, Pattern};
use crate::interpreter::rows::Value;
use crate::{GroundTerm, Symbol, Terms};

impl Prover {
    /// The values that a call knows. The rules of the call may build a term that was never met before, so such a term
    /// gets its number here.
    pub(super) fn call_key(&mut self, shared: &Shared, builders: &[Builder], base: usize) -> Result<Key, Fault> {
        builders.iter().map(|builder| self.build_new(shared, builder, base)).collect()
    }

    /// The values of a key of stored rows; `None` if one of them was never met, so that no row has it.
    pub(super) fn key(&self, builders: &[Builder], base: usize) -> Option<Key> {
        builders.iter().map(|builder| self.build(builder, base)).collect()
    }

    /// The number of a term, if it was ever met.
    pub(super) fn build(&self, builder: &Builder, base: usize) -> Option<Value> {
        match builder {
            Builder::Constant(value) => Some(*value),
            Builder::Variable(variable) => Some(self.variables[base + *variable as usize]),
            Builder::Function(name, arguments) => {
                let arguments: Option<SmallVec<[GroundTerm; 8]>> =
                    arguments.iter().map(|argument| self.build(argument, base).map(GroundTerm)).collect();
                self.terms.find(*name, true, &arguments?).map(|term| term.0)
            }
        }
    }

    /// Do two terms that were never met have the same shape?
    pub(super) fn same_unmet(&self, left: &Builder, right: &Builder, base: usize) -> bool {
        match (left, right) {
            (Builder::Function(one, left), Builder::Function(other, right)) => {
                one == other
                    && left.len() == right.len()
                    && left.iter().zip(right).all(|(left, right)| {
                        match (self.build(left, base), self.build(right, base)) {
                            (Some(left), Some(right)) => left == right,
                            (None, None) => self.same_unmet(left, right, base),
                            _ => false,
                        }
                    })
            }
            _ => false,
        }
    }

    /// The number of a term; a new one if it was never met.
    pub(super) fn build_new(&mut self, shared: &Shared, builder: &Builder, base: usize) -> Result<Value, Fault> {
        match builder {
            Builder::Constant(value) => Ok(*value),
            Builder::Variable(variable) => Ok(self.variables[base + *variable as usize]),
            Builder::Function(name, arguments) => {
                let mut values: SmallVec<[GroundTerm; 8]> = SmallVec::new();
                for argument in arguments {
                    values.push(GroundTerm(self.build_new(shared, argument, base)?));
                }
                match self.terms.find(*name, true, &values) {
                    Some(term) => Ok(term.0),
                    None => self.meet(shared, *name, &values),
                }
            }
        }
    }

    /// A term that this prover did not know.
    #[cold]
    fn meet(&mut self, shared: &Shared, name: Symbol, arguments: &[GroundTerm]) -> Result<Value, Fault> {
        let deepest = arguments.iter().map(|&argument| self.terms.depth(argument)).max().unwrap_or(0);
        if deepest >= usize::from(shared.limits.nesting) {
            return Err(Fault::Limit("functions inside each other", u64::from(shared.limits.nesting)));
        }
        let mut terms = shared.terms();
        if terms.count() >= shared.limits.terms {
            return Err(Fault::Limit("different terms", shared.limits.terms as u64));
        }
        let term = terms.function(name, arguments);
        self.terms.catch_up(&terms);
        drop(terms);
        self.note_new_terms(&shared.program);
        Ok(term.0)
    }
}

/// Does a value look like the pattern? Its variables get their values.
pub(super) fn matches(terms: &Terms, pattern: &Pattern, value: Value, variables: &mut [Value]) -> bool {
    match pattern {
        Pattern::Bind(variable) => {
            variables[*variable as usize] = value;
            true
        }
        Pattern::Known(variable) => variables[*variable as usize] == value,
        Pattern::Constant(constant) => *constant == value,
        Pattern::Function(name, arguments) => {
            let term = GroundTerm(value);
            if terms.name(term) != *name || !terms.is_function(term) {
                return false;
            }
            let values = terms.arguments(term);
            values.len() == arguments.len()
                && arguments.iter().zip(values).all(|(argument, value)| matches(terms, argument, value.0, variables))
        }
    }
}

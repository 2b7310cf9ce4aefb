//! The slow truth: a rule sheet followed plainly, as the language defines it.
//!
//! It covers all of GDL-I: functions, recursion, negation that is stratified at the ground level, rules whose variables
//! only have values if the question brings them (`(<= (differ ?x ?y) (distinct ?x ?y))`), and whatever the sheet leaves
//! undefined. Nothing is grounded beforehand, so it also runs sheets whose ground rules would fill any memory.
//!
//! What does not depend on the state is found once, what does not depend on the moves once a state, and only what a
//! question needs is found at all. Questions are answered by a prover with its own memory; an interpreter keeps a few
//! of them and can be used from many threads.

mod limits;
mod rows;
pub(crate) mod predicates;
mod plan;
mod tables;
mod prover;
mod ask;
#[cfg(test)]
mod tests;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use tesuji_core::{ErrorKind, InputError, Source, cancel};

pub use limits::Limits;

use crate::kif::{self, Expression};
use crate::referee::{Referee, View};
use crate::symbols::keyword;
use crate::{GroundTerm, Sheet, Symbols};
use prover::{Fault, Prover, Shared};

/// A state: the facts that hold, sorted by number.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Facts(Box<[GroundTerm]>);

impl Facts {
    /// The facts, sorted by number.
    pub fn terms(&self) -> &[GroundTerm] {
        &self.0
    }

    /// The set of these facts.
    pub(crate) fn from_terms(mut facts: Vec<GroundTerm>) -> Facts {
        facts.sort_unstable();
        facts.dedup();
        Facts(facts.into())
    }
}

/// Answers questions about the states of one rule sheet.
pub struct Interpreter {
    sheet: Sheet,
    shared: Shared,
    roles: Vec<GroundTerm>,
    initial: Facts,
    /// Provers at rest.
    provers: Mutex<Vec<Prover>>,
    /// The conditions looked at so far, over all questions.
    spent: AtomicU64,
}

impl Interpreter {
    /// Makes a sheet ready, and finds its first state. Refused: a sheet without roles, rules in use with variables that
    /// nothing gives a value, and a first state beyond the limits.
    pub fn new(sheet: &Sheet, limits: Limits) -> Result<Interpreter, InputError> {
        Interpreter::with_terms_known(sheet, limits, crate::Terms::default())
    }

    /// Like [`Interpreter::new`], where some terms have their numbers already.
    fn with_terms_known(sheet: &Sheet, limits: Limits, mut terms: crate::Terms) -> Result<Interpreter, InputError> {
        let roles: Vec<GroundTerm> = sheet.roles().into_iter().map(|role| terms.constant(role)).collect();
        if roles.is_empty() {
            let message = format!("{}: no roles", sheet.source.name());
            return Err(InputError::new(message).with_help("a rule sheet names who takes part: `(role white)`"));
        }
        let program = plan::compile(sheet, &mut terms)?;
        let shared = Shared { program, limits, terms: Mutex::new(terms) };
        let mut interpreter = Interpreter {
            sheet: sheet.clone(),
            shared,
            roles,
            initial: Facts(Box::new([])),
            provers: Mutex::new(Vec::new()),
            spent: AtomicU64::new(0),
        };
        interpreter.initial = interpreter.question(&Facts(Box::new([])), |prover, shared| {
            facts(prover.ask(shared, shared.program.init, &[])?, shared)
        })?;
        Ok(interpreter)
    }

    /// The roles, in the order of their statements.
    pub fn roles(&self) -> &[GroundTerm] {
        &self.roles
    }

    /// The names of the sheet.
    pub fn symbols(&self) -> &Symbols {
        &self.sheet.symbols
    }

    /// The first state.
    pub fn initial(&self) -> &Facts {
        &self.initial
    }

    /// What a role may do, sorted by number; the same numbers in every state.
    pub fn legal(&self, state: &Facts, role: usize) -> Result<Vec<GroundTerm>, InputError> {
        let role = self.role(role)?;
        self.question(state, |prover, shared| {
            let rows = prover.ask(shared, shared.program.legal, &[role.0])?;
            let mut moves: Vec<GroundTerm> = (0..rows.count()).map(|row| GroundTerm(rows.row(row)[0])).collect();
            moves.sort_unstable();
            Ok(moves)
        })
    }

    /// The state after everybody did a move, one a role in their order. Whether they are legal is not asked.
    pub fn next(&self, state: &Facts, joint: &[GroundTerm]) -> Result<Facts, InputError> {
        if joint.len() != self.roles.len() {
            return Err(InputError::new(format!("{} moves for {} roles", joint.len(), self.roles.len())));
        }
        self.question(state, |prover, shared| {
            prover.set_joint(shared, &self.roles, joint);
            facts(prover.ask(shared, shared.program.next, &[])?, shared)
        })
    }

    /// Is the match over?
    pub fn terminal(&self, state: &Facts) -> Result<bool, InputError> {
        self.question(state, |prover, shared| Ok(prover.ask(shared, shared.program.terminal, &[])?.count() > 0))
    }

    /// All goal values of a role as terms, sorted by number.
    pub(crate) fn goal_terms(&self, state: &Facts, role: usize) -> Result<Vec<GroundTerm>, InputError> {
        let role = self.role(role)?;
        self.question(state, |prover, shared| {
            let rows = prover.ask(shared, shared.program.goal, &[role.0])?;
            let mut values: Vec<GroundTerm> = (0..rows.count()).map(|row| GroundTerm(rows.row(row)[0])).collect();
            values.sort_unstable();
            Ok(values)
        })
    }

    /// All goal values of a role that are numbers, ascending: one in a sound sheet, none where undefined, several by
    /// mistake.
    pub fn goals(&self, state: &Facts, role: usize) -> Result<Vec<i32>, InputError> {
        let terms = self.goal_terms(state, role)?;
        let mut goals: Vec<i32> = terms.into_iter().filter_map(|term| self.text(term).parse().ok()).collect();
        goals.sort_unstable();
        goals.dedup();
        Ok(goals)
    }

    /// Whether a fact is a percept of a role.
    pub(crate) fn is_percept(&self, fact: GroundTerm, role: usize) -> bool {
        let terms = self.shared.terms();
        terms.name(fact) == keyword::SEES && terms.arguments(fact).first() == self.roles.get(role)
    }

    /// A term as text: `(cell 1 1 x)`.
    pub fn text(&self, term: GroundTerm) -> String {
        self.shared.terms().text(term, &self.sheet.symbols)
    }

    /// Terms as sorted texts.
    pub fn texts(&self, terms: &[GroundTerm]) -> Vec<String> {
        let known = self.shared.terms();
        let mut texts: Vec<String> = terms.iter().map(|&term| known.text(term, &self.sheet.symbols)).collect();
        texts.sort_unstable();
        texts
    }

    /// The term that a text means, if the rules ever came to it.
    pub fn term(&self, text: &str) -> Result<GroundTerm, InputError> {
        let expressions = kif::read(&Source::new("term", text))?;
        let unknown = || InputError::new(format!("`{text}` is nothing that these rules know"));
        match expressions.as_slice() {
            [expression] => self.term_of(expression).ok_or_else(unknown),
            _ => Err(InputError::new(format!("expected one term, found `{text}`"))),
        }
    }

    fn term_of(&self, expression: &Expression) -> Option<GroundTerm> {
        match expression {
            Expression::Word(word, _) => {
                let name = self.sheet.symbols.find(word)?;
                self.shared.terms().find(name, false, &[])
            }
            Expression::List(items, _) => {
                let (Expression::Word(word, _), rest) = items.split_first()? else { return None };
                let name = self.sheet.symbols.find(word)?;
                let arguments: Option<Vec<GroundTerm>> = rest.iter().map(|item| self.term_of(item)).collect();
                self.shared.terms().find(name, true, &arguments?)
            }
        }
    }

    fn role(&self, role: usize) -> Result<GroundTerm, InputError> {
        let count = self.roles.len();
        self.roles.get(role).copied().ok_or_else(|| InputError::new(format!("role {role} of {count}, counted from 0")))
    }

    /// Lets a prover at rest, or a new one, look at a state.
    fn question<T>(
        &self,
        state: &Facts,
        ask: impl FnOnce(&mut Prover, &Shared) -> Result<T, Fault>,
    ) -> Result<T, InputError> {
        let at_rest = self.provers().pop();
        let mut prover = at_rest.unwrap_or_else(|| Prover::new(&self.shared));
        prover.set_state(&self.shared, &state.0);
        let answer = ask(&mut prover, &self.shared);
        self.spent.fetch_add(prover.steps(), Ordering::Relaxed);
        self.provers().push(prover);
        answer.map_err(|fault| self.explain(fault))
    }

    fn provers(&self) -> std::sync::MutexGuard<'_, Vec<Prover>> {
        self.provers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn explain(&self, fault: Fault) -> InputError {
        let name = self.sheet.source.name();
        match fault {
            Fault::Limit(what, limit) => {
                // Cancelled work ends as if it had reached its limit.
                let kind = if cancel::requested() { ErrorKind::Cancelled } else { ErrorKind::TooLarge };
                InputError::new(format!("{name}: more than {limit} {what}"))
                    .of_kind(kind)
                    .with_help("rules without end, or too large for the limit")
            }
            Fault::DeniesItself(procedure) => {
                let predicates = &self.shared.program.predicates;
                let predicate = self.shared.program.procedures[procedure as usize].predicate;
                let message = "a fact depends on its own denial, so the rules contradict each other";
                let rule = predicates.list.get(predicate).and_then(|predicate| predicate.rules.first());
                match rule {
                    Some(&rule) => self.sheet.error(self.sheet.rules[rule].place, message),
                    None => InputError::new(message).in_file(name),
                }
                .with_help("no `not` may lead back to what it denies")
            }
        }
    }
}

/// The facts of a state from the answers to `init` or `next`.
fn facts(rows: &rows::Rows, shared: &Shared) -> Result<Facts, Fault> {
    if rows.count() as usize > shared.limits.facts {
        return Err(Fault::Limit("facts in a state", shared.limits.facts as u64));
    }
    Ok(Facts::from_terms((0..rows.count()).map(|row| GroundTerm(rows.row(row)[0])).collect()))
}

/// An interpreter that follows one match.
pub struct InterpreterReferee<'a> {
    interpreter: &'a Interpreter,
    state: Facts,
}

impl Interpreter {
    /// Follows a match, from the first state.
    pub fn referee(&self) -> InterpreterReferee<'_> {
        InterpreterReferee { interpreter: self, state: self.initial.clone() }
    }
}

impl Referee for InterpreterReferee<'_> {
    fn engine(&self) -> &str {
        "interpreter"
    }

    fn roles(&self) -> Vec<String> {
        self.interpreter.roles.iter().map(|&role| self.interpreter.text(role)).collect()
    }

    fn restart(&mut self) -> Result<(), InputError> {
        self.state = self.interpreter.initial.clone();
        Ok(())
    }

    fn view(&mut self) -> Result<View, InputError> {
        let (interpreter, state) = (self.interpreter, &self.state);
        let terminal = interpreter.terminal(state)?;
        let roles = 0..interpreter.roles.len();
        let moves = |role| match terminal {
            true => Ok(Vec::new()),
            false => Ok(interpreter.texts(&interpreter.legal(state, role)?)),
        };
        Ok(View {
            facts: interpreter.texts(state.terms()),
            legal: roles.clone().map(moves).collect::<Result<_, InputError>>()?,
            terminal,
            goals: roles.map(|role| interpreter.goals(state, role)).collect::<Result<_, _>>()?,
        })
    }

    fn step(&mut self, joint: &[String]) -> Result<(), InputError> {
        let joint: Vec<GroundTerm> =
            joint.iter().map(|text| self.interpreter.term(text)).collect::<Result<_, InputError>>()?;
        self.state = self.interpreter.next(&self.state, &joint)?;
        Ok(())
    }
}

//! Whether a changed sheet does all that the examples say.
//!
//! Examples are resolved once: facts and moves become numbers that every changed sheet shares. A change of a rule that
//! no state depends on leaves the states as they are, so that only the statements in question are checked again.

use std::cell::{Cell, RefCell};

use tesuji_core::{InputError, Source};

use crate::explain::spelled;
use crate::interpreter::{Facts, Interpreter};
use crate::tutor::{Claim, Example, Examples};
use crate::{GroundTerm, Sheet, Term, kif, normal, place_of};

/// A statement with numbers instead of texts.
enum Check {
    Contains(Vec<GroundTerm>, bool),
    Only(Vec<GroundTerm>),
    Legal(usize, Vec<GroundTerm>, bool),
    Moves(usize, Vec<GroundTerm>),
    Terminal(bool),
    Goal(usize, i32),
    Result(Option<usize>),
    Move(Vec<Option<GroundTerm>>),
}

/// What a rule can have an effect on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Effects {
    pub states: bool,
    pub legal: bool,
    pub terminal: bool,
    pub goal: bool,
}

impl Effects {
    fn on(self, check: &Check) -> bool {
        match check {
            Check::Contains(..) | Check::Only(_) => self.states,
            Check::Legal(..) | Check::Moves(..) => self.states || self.legal,
            Check::Terminal(_) => self.states || self.terminal,
            Check::Goal(..) => self.states || self.goal,
            Check::Result(_) => self.states || self.goal || self.terminal,
            Check::Move(_) => true,
        }
    }
}

/// One example.
struct Resolved {
    start: Facts,
    from: bool,
    checks: Vec<Check>,
    /// Whether the sheet disagrees with it, so that every statement must be checked.
    fails: bool,
    /// The states by the unchanged sheet; empty until they are needed.
    states: RefCell<Vec<Facts>>,
}

/// The examples of a disagreement, those that fail first.
pub(super) struct Trial<'a> {
    interpreter: &'a Interpreter,
    examples: Vec<Resolved>,
    /// Conditions that may still be looked at.
    left: Cell<u64>,
}

/// Adds the words of the examples to the names of a sheet, so that its interpreters know them.
pub(in crate::tutor) fn learn_words(sheet: &mut Sheet, examples: &Examples) -> Vec<Vec<Vec<Term>>> {
    let terms = |claim: &Claim| -> Vec<String> {
        match claim {
            Claim::True(facts) | Claim::False(facts) | Claim::Only(facts) => facts.clone(),
            Claim::Legal(_, moves) | Claim::Illegal(_, moves) | Claim::Moves(_, moves) => moves.clone(),
            Claim::Move(pairs) => pairs.iter().map(|(_, action)| action.clone()).collect(),
            _ => Vec::new(),
        }
    };
    let mut read = |text: &String| -> Option<Term> {
        let source = Source::new("term", spelled(text, &sheet.symbols));
        let expressions = kif::read(&source).ok()?;
        normal::term(expressions.first()?, &source, &mut sheet.symbols, &mut Vec::new()).ok()
    };
    let mut words = Vec::new();
    for example in &examples.list {
        let statements = example.statements.iter();
        words.push(statements.map(|s| terms(&s.claim).iter().filter_map(&mut read).collect()).collect());
    }
    words
}

impl<'a> Trial<'a> {
    /// Prepares examples. `first` are those that fail, by number; `terms` are the terms of each statement.
    pub(super) fn new(
        interpreter: &'a Interpreter,
        examples: &Examples,
        starts: &[Vec<Term>],
        terms: &[Vec<Vec<Term>>],
        first: &[usize],
        budget: u64,
    ) -> Trial<'a> {
        let roles: Vec<String> = interpreter.roles().iter().map(|&role| interpreter.text(role)).collect();
        let others = (0..examples.list.len()).filter(|number| !first.contains(number));
        let resolved = first.iter().copied().chain(others).map(|number| {
            let example = &examples.list[number];
            let start = match example.from {
                Some(_) => Facts::from_terms(starts[number].iter().filter_map(|t| interpreter.ground(t)).collect()),
                None => interpreter.initial().clone(),
            };
            Resolved {
                states: RefCell::new(Vec::new()),
                start,
                from: example.from.is_some(),
                checks: checks(interpreter, example, &terms[number], &roles),
                fails: first.contains(&number),
            }
        });
        Trial { interpreter, examples: resolved.collect(), left: Cell::new(budget) }
    }

    /// Whether anything is left to spend.
    pub(super) fn may_go_on(&self) -> bool {
        self.left.get() > 0
    }

    /// Whether the changed sheet does all that the examples say. `effects` are those of the rule that changed.
    pub(super) fn passes(&self, changed: &Sheet, effects: Effects) -> bool {
        let read = || {
            self.spend(cost_of_a_sheet(changed.rules.len() as u64));
            self.interpreter.changed(changed, self.left.get() / 4).ok()
        };
        let Some(mut interpreter) = read() else { return false };
        for example in &self.examples {
            if !effects.states && self.play(example) {
                // The unchanged sheet came to new terms, which the changed one must know.
                match read() {
                    Some(again) => interpreter = again,
                    None => return false,
                }
            }
            let before = interpreter.spent();
            let passes = self.example_passes(example, &interpreter, effects);
            self.spend(interpreter.spent() - before);
            if !passes.unwrap_or(false) || !self.may_go_on() {
                return false;
            }
        }
        true
    }

    /// Finds the states of an example by the unchanged sheet. False if they were known.
    fn play(&self, example: &Resolved) -> bool {
        let mut states = example.states.borrow_mut();
        if !states.is_empty() {
            return false;
        }
        let before = self.interpreter.spent();
        states.push(example.start.clone());
        for check in &example.checks {
            let Check::Move(moves) = check else { continue };
            let state = &states[states.len() - 1];
            let Ok(Some(joint)) = joint(self.interpreter, state, moves) else { break };
            let Ok(next) = self.interpreter.next(state, &joint) else { break };
            states.push(next);
        }
        self.spend(self.interpreter.spent() - before);
        true
    }

    fn spend(&self, cost: u64) {
        self.left.set(self.left.get().saturating_sub(cost));
    }

    fn example_passes(&self, example: &Resolved, by: &Interpreter, effects: Effects) -> Result<bool, InputError> {
        let mut step = 0;
        let mut state = if example.from { example.start.clone() } else { by.initial().clone() };
        for check in &example.checks {
            if !self.may_go_on() {
                return Ok(false);
            }
            let passes = match check {
                _ if !example.fails && !effects.on(check) => true,
                Check::Contains(facts, wanted) => {
                    facts.iter().all(|fact| state.terms().binary_search(fact).is_ok() == *wanted)
                }
                Check::Only(facts) => state.terms() == facts,
                Check::Legal(role, moves, wanted) => {
                    let legal = by.legal(&state, *role)?;
                    moves.iter().all(|action| legal.binary_search(action).is_ok() == *wanted)
                }
                Check::Moves(role, moves) => by.legal(&state, *role)? == *moves,
                Check::Terminal(wanted) => by.terminal(&state)? == *wanted,
                Check::Goal(role, value) => by.goals(&state, *role)? == [*value],
                Check::Result(winner) => by.terminal(&state)? && self.result(by, &state, *winner)?,
                Check::Move(moves) => {
                    step += 1;
                    let next = match effects.states {
                        true => joint(by, &state, moves)?.map(|joint| by.next(&state, &joint)).transpose()?,
                        false => example.states.borrow().get(step).cloned(),
                    };
                    let Some(next) = next else { return Ok(false) };
                    state = next;
                    true
                }
            };
            if !passes {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn result(&self, by: &Interpreter, state: &Facts, winner: Option<usize>) -> Result<bool, InputError> {
        let mut goals = Vec::new();
        for role in 0..by.roles().len() {
            match by.goals(state, role)?.as_slice() {
                [one] => goals.push(*one),
                _ => return Ok(false),
            }
        }
        Ok(match winner {
            Some(winner) => goals.iter().enumerate().all(|(role, &goal)| role == winner || goal < goals[winner]),
            None => goals.iter().all(|goal| *goal == goals[0]),
        })
    }
}

/// The joint move of a step: roles that are not named make their only legal move. `None` if they have a choice.
fn joint(by: &Interpreter, state: &Facts, moves: &[Option<GroundTerm>]) -> Result<Option<Vec<GroundTerm>>, InputError> {
    let mut joint = Vec::new();
    for (role, action) in moves.iter().enumerate() {
        match action {
            Some(action) => joint.push(*action),
            None => match by.legal(state, role)?.as_slice() {
                [only] => joint.push(*only),
                _ => return Ok(None),
            },
        }
    }
    Ok(Some(joint))
}

/// What a sheet with this number of rules costs before any question, in conditions.
fn cost_of_a_sheet(rules: u64) -> u64 {
    200 + 20 * rules
}

fn checks(interpreter: &Interpreter, example: &Example, terms: &[Vec<Term>], roles: &[String]) -> Vec<Check> {
    let index = |role: &str| place_of(role, roles).unwrap_or_default();
    let mut checks = Vec::new();
    for (statement, terms) in example.statements.iter().zip(terms) {
        let terms: Vec<GroundTerm> = terms.iter().filter_map(|term| interpreter.ground(term)).collect();
        let sorted = || {
            let mut sorted = terms.clone();
            sorted.sort_unstable();
            sorted.dedup();
            sorted
        };
        checks.push(match &statement.claim {
            Claim::True(_) => Check::Contains(terms, true),
            Claim::False(_) => Check::Contains(terms, false),
            Claim::Only(_) => Check::Only(sorted()),
            Claim::Legal(role, _) => Check::Legal(index(role), terms, true),
            Claim::Illegal(role, _) => Check::Legal(index(role), terms, false),
            Claim::Moves(role, _) => Check::Moves(index(role), sorted()),
            Claim::Over => Check::Terminal(true),
            Claim::NotOver => Check::Terminal(false),
            Claim::Goal(role, value) => Check::Goal(index(role), *value),
            Claim::Wins(role) => Check::Result(Some(index(role))),
            Claim::Draw => Check::Result(None),
            Claim::Move(pairs) => {
                let mut moves = vec![None; roles.len()];
                for ((role, _), term) in pairs.iter().zip(&terms) {
                    moves[index(role)] = Some(*term);
                }
                Check::Move(moves)
            }
        });
    }
    checks
}

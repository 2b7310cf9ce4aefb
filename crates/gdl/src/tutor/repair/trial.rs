//! Whether a changed sheet does all that the examples say.
//!
//! Examples are resolved once: facts and moves become numbers that every changed sheet shares. A change of a rule that
//! no state depends on leaves the states as they are, so that only the statements in question are checked again.

use std::cell::{Cell, RefCell};

use tesuji_core::{InputError, Source};

use super::edit::Edit;
use super::screen::{Moment, Screen, Words};
use crate::explain::spelled;
use crate::interpreter::{Facts, Interpreter};
use crate::symbols::keyword;
use crate::tutor::{Claim, Example, Examples};
use crate::{GroundTerm, Sheet, Symbol, Term, kif, normal, place_of};

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
    /// Whether a fact of this relation can change.
    pub(super) fn touch(self, relation: Symbol) -> bool {
        self.states
            || match relation {
                keyword::LEGAL => self.legal,
                keyword::TERMINAL => self.terminal,
                keyword::GOAL => self.goal,
                _ => false,
            }
    }

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
    /// The joint moves between them.
    joints: RefCell<Vec<Vec<GroundTerm>>>,
    /// The statement that the unchanged sheet disagrees with, once it is known.
    fails_in: Cell<Option<usize>>,
}

// What is done besides looking at conditions, in conditions. These are rough figures: they only keep the budget close
// to the processor time, which the test `mutants` prints.
const COST_OF_A_SHEET: u64 = 200;
const COST_OF_A_RULE: u64 = 20;
const COST_OF_AN_ANSWER: u64 = 10;
/// As many terms are copied in the time of one condition.
const TERMS_A_CONDITION: u64 = 8;

/// The examples of a disagreement, those that fail first.
pub(super) struct Trial<'a> {
    interpreter: &'a Interpreter,
    examples: Vec<Resolved>,
    /// Conditions that may still be looked at.
    left: Cell<u64>,
    /// The number of joint moves before the disagreement of the first example.
    fails_at: usize,
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
    /// Prepares examples. `first` are those that fail, each with the number of joint moves before its disagreement and
    /// its own number; `terms` are the terms of each statement.
    pub(super) fn new(
        interpreter: &'a Interpreter,
        examples: &Examples,
        starts: &[Vec<Term>],
        terms: &[Vec<Vec<Term>>],
        first: &[(usize, usize)],
        budget: u64,
    ) -> Trial<'a> {
        let roles: Vec<String> = interpreter.roles().iter().map(|&role| interpreter.text(role)).collect();
        let fails_at = first.first().map_or(0, |(steps, _)| *steps);
        let first: Vec<usize> = first.iter().map(|(_, number)| *number).collect();
        let others = (0..examples.list.len()).filter(|number| !first.contains(number));
        let resolved = first.iter().copied().chain(others).map(|number| {
            let example = &examples.list[number];
            let start = match example.from {
                Some(_) => Facts::from_terms(starts[number].iter().filter_map(|t| interpreter.ground(t)).collect()),
                None => interpreter.initial().clone(),
            };
            Resolved {
                states: RefCell::default(),
                joints: RefCell::default(),
                fails_in: Cell::new(None),
                start,
                from: example.from.is_some(),
                checks: checks(interpreter, example, &terms[number], &roles),
                fails: first.contains(&number),
            }
        });
        Trial { interpreter, examples: resolved.collect(), left: Cell::new(budget), fails_at }
    }

    /// Whether anything is left to spend.
    pub(super) fn may_go_on(&self) -> bool {
        self.left.get() > 0
    }

    /// For each change of one rule the first step of the first example at which the rule concludes something else;
    /// `None` if the change makes no difference before the disagreement.
    pub(super) fn first_differences(&self, sheet: &Sheet, words: &Words, edits: &[Edit]) -> Vec<Option<usize>> {
        let Some(example) = self.examples.first().filter(|_| edits.len() > 2) else {
            return vec![Some(0); edits.len()];
        };
        self.play(example, self.fails_at);
        let (states, joints) = (example.states.borrow(), example.joints.borrow());
        let moments: Vec<Moment> = states
            .iter()
            .enumerate()
            .take(self.fails_at + 1)
            .map(|(step, state)| {
                let joint = joints.get(step).filter(|_| step < self.fails_at).map_or(&[][..], Vec::as_slice);
                Moment { state, joint, next: states.get(step + 1) }
            })
            .collect();
        self.spend(2 * self.cost_of_a_sheet(sheet.rules.len() + edits.len()));
        let steps = self.left.get() / 4;
        let screen = Screen { interpreter: self.interpreter, sheet, words, moments: &moments, steps };
        let (found, spent) = screen.first_differences(edits);
        self.spend(spent + COST_OF_AN_ANSWER * (moments.len() * edits.len()) as u64);
        found
    }

    /// Whether the changed sheet first disagrees with the first example elsewhere than the unchanged one, or agrees.
    pub(super) fn fares_differently(&self, changed: &Sheet, effects: Effects) -> bool {
        let Some(example) = self.examples.first() else { return false };
        self.play(example, if effects.states { self.fails_at } else { usize::MAX });
        self.spend(self.cost_of_a_sheet(changed.rules.len()));
        let Ok(by) = self.interpreter.changed(changed, self.left.get() / 4) else { return true };
        let place = |by: &Interpreter| {
            let before = by.cost();
            let disagrees = self.disagreement(example, by, effects, 0);
            self.spend(by.cost() - before);
            disagrees.ok().flatten()
        };
        let known = example.fails_in.get().or_else(|| place(self.interpreter));
        example.fails_in.set(known);
        place(&by) != known
    }

    /// Whether the changed sheet does all that the examples say. `effects` are those of the rule that changed; the
    /// first example is as before up to step `from`.
    pub(super) fn passes(&self, changed: &Sheet, effects: Effects, from: usize) -> bool {
        let read = || {
            self.spend(self.cost_of_a_sheet(changed.rules.len()));
            self.interpreter.changed(changed, self.left.get() / 4).ok()
        };
        let Some(mut interpreter) = read() else { return false };
        for (number, example) in self.examples.iter().enumerate() {
            let from = if number == 0 { from } else { 0 };
            if !effects.states && self.play(example, usize::MAX) {
                // The unchanged sheet came to new terms, which the changed one must know.
                match read() {
                    Some(again) => interpreter = again,
                    None => return false,
                }
            }
            let before = interpreter.cost();
            let passes = self.disagreement(example, &interpreter, effects, from).map(|place| place.is_none());
            self.spend(interpreter.cost() - before);
            if !passes.unwrap_or(false) || !self.may_go_on() {
                return false;
            }
        }
        true
    }

    /// Finds the states of an example by the unchanged sheet, up to this number of joint moves or the end of the
    /// budget: after a disagreement the states of a faulty sheet can grow. False if they were known.
    fn play(&self, example: &Resolved, most: usize) -> bool {
        let (mut states, mut joints) = (example.states.borrow_mut(), example.joints.borrow_mut());
        let known = states.len();
        let before = self.interpreter.cost();
        if states.is_empty() {
            states.push(example.start.clone());
        }
        let moves =
            example.checks.iter().filter_map(|check| if let Check::Move(moves) = check { Some(moves) } else { None });
        for moves in moves.take(most).skip(joints.len()) {
            if self.interpreter.cost() - before >= self.left.get() {
                break;
            }
            let state = &states[states.len() - 1];
            let Ok(Some(joint)) = joint(self.interpreter, state, moves) else { break };
            let Ok(next) = self.interpreter.next(state, &joint) else { break };
            states.push(next);
            joints.push(joint);
        }
        self.spend(self.interpreter.cost() - before);
        states.len() > known
    }

    /// What a sheet with this number of rules costs before any question, in conditions. Each interpreter copies the
    /// terms.
    fn cost_of_a_sheet(&self, rules: usize) -> u64 {
        COST_OF_A_SHEET
            + COST_OF_A_RULE * rules as u64
            + self.interpreter.with_terms(|terms| terms.count()) as u64 / TERMS_A_CONDITION
    }

    fn spend(&self, cost: u64) {
        self.left.set(self.left.get().saturating_sub(cost));
    }

    /// The number of the first statement that the sheet disagrees with, from a step on; `None` if it agrees with all.
    fn disagreement(
        &self,
        example: &Resolved,
        by: &Interpreter,
        effects: Effects,
        from: usize,
    ) -> Result<Option<usize>, InputError> {
        let mut step = from;
        let known = example.states.borrow().get(from).filter(|_| from > 0).cloned();
        let mut state = match known {
            Some(state) => state,
            None if example.from => example.start.clone(),
            None => by.initial().clone(),
        };
        let mut moves = 0;
        let later = example.checks.iter().enumerate().skip_while(|(_, check)| {
            let before = moves < from;
            moves += usize::from(matches!(check, Check::Move(_)));
            before
        });
        let before = by.cost();
        for (number, check) in later {
            if by.cost() - before >= self.left.get() {
                return Ok(Some(number));
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
                    let Some(next) = next else { return Ok(Some(number)) };
                    state = next;
                    true
                }
            };
            if !passes {
                return Ok(Some(number));
            }
        }
        Ok(None)
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

//! Questions about the states of a match, and their answers.

use tesuji_core::{InputError, Source};

use super::oracle::{Bindings, Oracle};
use super::search::{Attempt, Search};
use super::text::{atom_text, spelled};
use super::timeline::Timeline;
use super::work::Work;
use super::{Explanation, Reason};
use crate::interpreter::{Facts, Limits};
use crate::symbols::keyword;
use crate::{Atom, GroundTerm, Literal, Rule, Sheet, Symbol, Term, kif, normal};

/// The most conditions that the interpreter examines for one question of an explanation: well under a second.
const QUESTION_STEPS: u64 = 2_000_000;

/// Explains facts of the states of a match.
pub struct Explainer {
    pub(super) oracle: Oracle,
}

impl Explainer {
    /// Makes a sheet ready for questions of these forms. Terms of a question that are variables can have any value.
    pub fn new(sheet: &Sheet, questions: &[&str], limits: Limits) -> Result<Explainer, InputError> {
        let mut sheet = sheet.clone();
        let atoms = questions.iter().map(|text| read_atom(text, &mut sheet)).collect::<Result<Vec<_>, _>>()?;
        let limits = Limits { steps: limits.steps.min(QUESTION_STEPS), ..limits };
        Ok(Explainer { oracle: Oracle::new(sheet, &atoms, limits)? })
    }

    /// Replays joint moves, each one move per role in their order, from the first state or from given facts.
    pub fn timeline(&self, from: Option<&[String]>, joints: &[Vec<String>]) -> Result<Timeline, InputError> {
        let interpreter = &self.oracle.interpreter;
        let first = match from {
            Some(facts) => {
                let facts = facts.iter().map(|text| self.term(text)).collect::<Result<Vec<_>, _>>()?;
                Facts::from_terms(facts)
            }
            None => interpreter.initial().clone(),
        };
        let mut timeline = Timeline {
            states: vec![first],
            joints: Vec::new(),
            given: from.is_some(),
            confirmed: vec![from.is_some()],
        };
        for joint in joints {
            let joint = joint.iter().map(|text| self.term(text)).collect::<Result<Vec<_>, _>>()?;
            timeline.states.push(interpreter.next(&timeline.states[timeline.joints.len()], &joint)?);
            timeline.joints.push(joint);
            timeline.confirmed.push(false);
        }
        Ok(timeline)
    }

    /// Explains a fact in the state after `step` joint moves. It is written like a condition: `(legal x noop)`,
    /// `(true (cell 1 1 b))`, `terminal`. With variables, the first values for which it holds are explained.
    pub fn explain(&self, timeline: &Timeline, step: usize, question: &str) -> Result<Explanation, InputError> {
        let mut sheet = self.oracle.sheet.clone();
        let known = sheet.symbols.count();
        let mut variables = Vec::new();
        let mut atom = read_question(question, &mut sheet, &mut variables)?;
        if sheet.symbols.count() > known {
            return Err(InputError::new(format!("`{question}` has words that the explainer was not prepared for")));
        }
        if step >= timeline.states.len() {
            return Err(InputError::new(format!(
                "the match has no step {step}: its last state is {}",
                timeline.last()
            )));
        }
        // A word that is no relation of the sheet may be a fact of the state: `(cell 1 1 b)`.
        if self.oracle.predicates.of_atom(&atom).is_none() && !keyword::is_reserved(atom.relation) {
            let fact = match atom.arguments.is_empty() && !atom.bare_list {
                true => Term::Constant(atom.relation),
                false => Term::Function(atom.relation, atom.arguments),
            };
            atom = Atom { relation: keyword::TRUE, arguments: vec![fact], bare_list: false };
        }
        let work = Work::new(timeline);
        let asker = Rule { head: atom.clone(), body: Vec::new(), variables, place: Default::default() };
        let free: Bindings = vec![None; asker.variables.len()];
        let (state, joint) = (&timeline.states[step], timeline.joints.get(step).map_or(&[][..], Vec::as_slice));
        let situation = self.oracle.situation(state, joint);
        let mut search = Search {
            oracle: &self.oracle,
            situation: &situation,
            rule: &Rule { body: vec![Literal::Holds(atom.clone())], ..asker.clone() },
            effort: &work.effort,
            longest: Attempt { order: vec![0], met: 0, bindings: Vec::new() },
        };
        let mut found = None;
        search.run(&free, &mut |bindings| {
            found = Some(bindings.clone());
            Ok(true)
        })?;
        match found {
            Some(bindings) => {
                let proof = self.prove(&work, &asker, &atom, &bindings, step, &mut Vec::new(), 0)?;
                let text = atom_text(&self.oracle, &atom, &asker, &bindings);
                Ok(proof.unwrap_or(Explanation { fact: text, holds: true, step, reason: Reason::Cut }))
            }
            None => self.refute(&work, &asker, &atom, &free, step, &mut Vec::new(), 0),
        }
    }

    /// A term from its text.
    fn term(&self, text: &str) -> Result<GroundTerm, InputError> {
        let mut sheet = self.oracle.sheet.clone();
        let known = sheet.symbols.count();
        let mut variables = Vec::new();
        let expressions = kif::read(&Source::new("term", text))?;
        let term = match expressions.as_slice() {
            [one] => normal::term(one, &Source::new("term", text), &mut sheet.symbols, &mut variables)?,
            _ => return Err(InputError::new(format!("expected one term, found `{text}`"))),
        };
        let ground = if sheet.symbols.count() > known { None } else { self.oracle.ground(&term, &Vec::new()) };
        ground.ok_or_else(|| InputError::new(format!("`{text}` is nothing that these rules know")))
    }
}

fn read_atom(text: &str, sheet: &mut Sheet) -> Result<Atom, InputError> {
    read_question(text, sheet, &mut Vec::new())
}

/// Reads a question: an atom, perhaps with variables.
fn read_question(text: &str, sheet: &mut Sheet, variables: &mut Vec<Symbol>) -> Result<Atom, InputError> {
    let source = Source::new("question", spelled(text, &sheet.symbols));
    match kif::read(&source)?.as_slice() {
        [one] => normal::atom(one, &source, &mut sheet.symbols, variables),
        _ => Err(InputError::new(format!("expected one fact, found `{text}`"))
            .with_help("a fact is written like a condition of a rule: `(legal x noop)`")),
    }
}

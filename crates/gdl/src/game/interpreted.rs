//! The interpreter as an engine. The words of a state hold the sorted numbers of its facts, two per word.
//!
//! If a query exceeds the interpreter's limits, the match ends there, as if a role had no move.

use tesuji_core::InputError;

use super::engine::{Engine, EngineKind, Facts, Move, Survey};
use crate::interpreter::{Facts as TermSet, Interpreter, Limits};
use crate::{GroundTerm, Sheet};

/// Fills the second half of the last word if the number of facts is odd.
const NO_FACT: u32 = u32::MAX;

/// An interpreter as an engine.
pub(super) struct Interpreted {
    interpreter: Interpreter,
}

impl Interpreted {
    pub(super) fn new(sheet: &Sheet, limits: Limits) -> Result<Interpreted, InputError> {
        Ok(Interpreted { interpreter: Interpreter::new(sheet, limits)? })
    }

    /// The legal moves sorted by text: their numbers depend on earlier queries, their texts do not.
    fn legal_terms(&self, state: &TermSet, role: usize) -> Vec<GroundTerm> {
        let mut moves = self.interpreter.legal(state, role).unwrap_or_default();
        moves.sort_by_cached_key(|&term| self.interpreter.text(term));
        moves
    }

    fn survey_state(&self, state: &TermSet, survey: &mut Survey) {
        survey.roles.clear();
        survey.terminal = self.interpreter.terminal(state).unwrap_or(true);
        if survey.terminal {
            return;
        }
        for role in 0..self.interpreter.roles().len() {
            let moves = self.legal_terms(state, role);
            survey.roles.push((moves.len() as u32, Move(moves.first().map_or(0, |term| term.0))));
        }
    }
}

fn unpack(words: &[u64]) -> TermSet {
    let halves = words.iter().flat_map(|&word| [word as u32, (word >> 32) as u32]);
    TermSet::from_terms(halves.filter(|&term| term != NO_FACT).map(GroundTerm).collect())
}

fn pack(facts: &TermSet) -> Facts {
    let pairs = facts.terms().chunks(2);
    pairs.map(|pair| u64::from(pair[0].0) | u64::from(pair.get(1).map_or(NO_FACT, |term| term.0)) << 32).collect()
}

impl Engine for Interpreted {
    fn kind(&self) -> EngineKind {
        EngineKind::Interpreter
    }

    fn start(&self) -> Facts {
        pack(self.interpreter.initial())
    }

    fn survey(&self, facts: &[u64], survey: &mut Survey) {
        self.survey_state(&unpack(facts), survey);
    }

    fn legal(&self, facts: &[u64], role: usize, out: &mut Vec<Move>) {
        out.extend(self.legal_terms(&unpack(facts), role).into_iter().map(|term| Move(term.0)));
    }

    fn legal_at(&self, facts: &[u64], role: usize, rank: usize) -> Move {
        Move(self.legal_terms(&unpack(facts), role).get(rank).map_or(0, |term| term.0))
    }

    fn advance(&self, facts: &mut Facts, joint: &[Move], survey: &mut Survey) {
        let joint: Vec<GroundTerm> = joint.iter().map(|number| GroundTerm(number.0)).collect();
        match self.interpreter.next(&unpack(facts), &joint) {
            Ok(next) => {
                *facts = pack(&next);
                self.survey_state(&next, survey);
            }
            Err(_) => *survey = Survey { terminal: true, ..Survey::default() },
        }
    }

    fn goals(&self, facts: &[u64], out: &mut Vec<Option<i32>>) {
        let state = unpack(facts);
        out.clear();
        for role in 0..self.interpreter.roles().len() {
            let goals = self.interpreter.goals(&state, role).unwrap_or_default();
            out.push(if let [goal] = goals[..] { Some(goal) } else { None });
        }
    }

    fn fact_texts(&self, facts: &[u64]) -> Vec<String> {
        self.interpreter.texts(unpack(facts).terms())
    }

    fn percepts(&self, facts: &[u64], role: usize) -> Vec<u32> {
        let state = unpack(facts);
        state.terms().iter().filter(|&&fact| self.interpreter.is_percept(fact, role)).map(|fact| fact.0).collect()
    }

    fn facts_of(&self, texts: &[String]) -> Result<Facts, String> {
        let terms: Result<Vec<GroundTerm>, InputError> = texts.iter().map(|text| self.interpreter.term(text)).collect();
        terms.map(|terms| pack(&TermSet::from_terms(terms))).map_err(|error| error.to_string())
    }

    fn move_text(&self, _role: usize, number: Move) -> String {
        self.interpreter.text(GroundTerm(number.0))
    }
}

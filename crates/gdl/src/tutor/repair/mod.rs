//! Single changes of a sheet after which it agrees with all examples.
//!
//! A fault shows some steps after the rule that causes it, so a proof tree names many rules. A change of one rule that
//! makes every example agree says more: the rule is the faulty one, or one that works around it. Changes are tried rule
//! by rule, suspects first, until a budget of conditions is spent.

mod edit;
mod invent;
mod sorts;
mod trial;

use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;

use self::edit::{Edit, Editor, Manner};
pub(super) use self::trial::learn_words;
use self::trial::{Effects, Trial};
use super::{Examples, Suspect};
use crate::explain::Explanation;
use crate::interpreter::Interpreter;
use crate::symbols::keyword;
use crate::{Literal, Place, Rule, Sheet, Symbol, Term};

/// Conditions that all trials together may look at: some tenths of a second.
const BUDGET: u64 = 1_000_000;

/// The number of suspects that are tried before rules that may be missing.
const FIRST_SUSPECTS: usize = 5;

/// A change of one rule after which the sheet agrees with all examples.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Repair {
    /// The line where the rule begins, counted from 1.
    pub line: usize,
    /// The line where it ends.
    pub end_line: usize,
    /// The conclusion of the rule.
    pub head: String,
    /// What to do with the rule: `add the condition (true (control ?player))`.
    pub change: String,
    /// The conclusion of a rule that is missing; `None` if the rule itself changes.
    pub missing: Option<String>,
    /// Where the rule stands.
    #[serde(skip)]
    pub place: Place,
}

/// What the search for repairs is about.
pub(super) struct Question<'a> {
    pub sheet: &'a Sheet,
    pub interpreter: &'a Interpreter,
    pub examples: &'a Examples,
    /// The facts that examples start from.
    pub starts: &'a [Vec<Term>],
    /// The terms of all statements.
    pub terms: &'a [Vec<Vec<Term>>],
    /// Names for new variables.
    pub names: &'a [Symbol],
    /// Whether the match is long or its states are large, so that explaining it took much of the time.
    pub large: bool,
}

impl Question<'_> {
    /// Repairs of different rules, the most convincing first. `failing` are the examples that fail, by number;
    /// `missing` are conclusions that the sheet fails to derive.
    pub(super) fn repairs(&self, failing: &[usize], suspects: &[Suspect], missing: &[Suspect]) -> Vec<Repair> {
        let budget = if self.large { BUDGET / 4 } else { BUDGET };
        let trial = Trial::new(self.interpreter, self.examples, self.starts, self.terms, failing, budget);
        let editor = Editor::new(self.sheet, self.names);
        let effects = effects(self.sheet);
        let order = order(self.sheet, suspects);
        let (first, others) = order.split_at(order.len().min(FIRST_SUSPECTS));
        let effect = |index: usize| effects.get(&signature(&self.sheet.rules[index])).copied().unwrap_or_default();
        let changes = |&index: &usize| {
            let editor = &editor;
            Manner::ALL.iter().map(move |&manner| editor.edits(index, manner)).collect::<Vec<_>>()
        };
        let mut found: Vec<(usize, Repair)> = Vec::new();
        for &index in first {
            found.extend(self.first_that_passes(&trial, effect(index), changes(&index)));
        }
        for name in self.fact_names(missing) {
            let like = order.iter().copied().find(|&index| signature(&self.sheet.rules[index]).1 == Some(name));
            let Some(index) = like.or_else(|| order.first().copied()) else { continue };
            let states = Effects { states: true, ..Effects::default() };
            found.extend(self.first_that_passes(&trial, states, vec![editor.inventions(index, name)]));
        }
        for index in others {
            found.extend(self.first_that_passes(&trial, effect(*index), changes(index)));
        }
        found.sort_by_key(|(manner, _)| *manner);
        found.into_iter().map(|(_, repair)| repair).collect()
    }

    /// The names of facts of states: first those that are missed, then all others.
    fn fact_names(&self, missing: &[Suspect]) -> Vec<Symbol> {
        let missed = missing.iter().filter_map(|suspect| {
            let fact = suspect.missing.as_deref()?.strip_prefix("(next ")?;
            self.sheet.symbols.find(fact.trim_start_matches('(').split([' ', ')']).next()?)
        });
        let stated = self.sheet.rules.iter().flat_map(|rule| {
            let body = rule.body.iter().filter_map(|literal| match literal {
                Literal::Holds(atom) | Literal::Fails(atom) => Some(of_atom(atom.relation, &atom.arguments)),
                Literal::Distinct(..) | Literal::Same(..) => None,
            });
            body.chain([signature(rule)]).filter(|(relation, _)| *relation == keyword::TRUE)
        });
        let mut names = Vec::new();
        for name in missed.chain(stated.filter_map(|(_, name)| name)) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// The first change after which all examples agree, and the place of its list.
    fn first_that_passes(&self, trial: &Trial, effects: Effects, lists: Vec<Vec<Edit>>) -> Option<(usize, Repair)> {
        if effects == Effects::default() {
            return None;
        }
        let sheet = self.sheet;
        for (list, edits) in lists.into_iter().enumerate() {
            for edit in edits {
                if !trial.may_go_on() {
                    return None;
                }
                if !trial.passes(&edit.apply(sheet), effects) {
                    continue;
                }
                let rule = &sheet.rules[edit.rule];
                let line = |offset: u32| sheet.source.position(offset as usize).0;
                let repair = Repair {
                    line: line(rule.place.start),
                    end_line: line(rule.place.end),
                    head: sheet.atom_text(&rule.head, rule),
                    change: edit.change,
                    missing: edit.instead.get(1).map(|rule| sheet.atom_text(&rule.head, rule)),
                    place: rule.place,
                };
                return Some((list, repair));
            }
        }
        None
    }
}

/// Orders suspects: rules with a repair first. If no change of a rule repairs the sheet, a rule may be missing, so that
/// conclusions without a rule come right after the first suspect.
pub(super) fn put_first(suspects: &mut Vec<Suspect>, repairs: &[Repair], missing: &[Suspect]) {
    let repaired: Vec<Suspect> = repairs
        .iter()
        .map(|repair| {
            let Repair { line, end_line, head, missing, place, .. } = repair.clone();
            Suspect { line, end_line, head, missing, place }
        })
        .collect();
    if repaired.is_empty() {
        let place = suspects.len().min(1);
        suspects.splice(place..place, missing.iter().cloned());
        return;
    }
    suspects.retain(|suspect| !repaired.iter().any(|known| known.place == suspect.place && known.missing.is_none()));
    suspects.splice(0..0, repaired);
}

/// Conclusions that trees ask for and no rule derives, each beside a rule of its relation or, if there is none, one
/// that asks for it: those close to the root first, one for each relation.
pub(super) fn missing(sheet: &Sheet, explanations: &[Explanation]) -> Vec<Suspect> {
    let mut found: Vec<(Signature, Suspect)> = Vec::new();
    for fact in explanations.iter().flat_map(Explanation::absent) {
        let mut words = fact.split(['(', ')', ' ']).filter(|word| !word.is_empty());
        let Some(relation) = words.next().and_then(|word| sheet.symbols.find(word)) else { continue };
        let signature = match relation {
            keyword::NEXT => (keyword::TRUE, words.next().and_then(|word| sheet.symbols.find(word))),
            keyword::LEGAL | keyword::GOAL | keyword::TERMINAL | keyword::TRUE | keyword::DOES => continue,
            other => (other, None),
        };
        let asks = |rule: &&Rule| {
            rule.body.iter().any(|literal| match literal {
                Literal::Holds(atom) | Literal::Fails(atom) => of_atom(atom.relation, &atom.arguments) == signature,
                Literal::Distinct(..) | Literal::Same(..) => false,
            })
        };
        let concludes = |rule: &&Rule| self::signature(rule) == signature && rule.head.relation != keyword::INIT;
        let rule = sheet.rules.iter().find(concludes).or_else(|| sheet.rules.iter().find(asks));
        if let Some(rule) = rule.filter(|_| !found.iter().any(|(known, _)| *known == signature)) {
            let line = |offset: u32| sheet.source.position(offset as usize).0;
            let suspect = Suspect {
                line: line(rule.place.start),
                end_line: line(rule.place.end),
                head: sheet.atom_text(&rule.head, rule),
                missing: Some(fact.clone()),
                place: rule.place,
            };
            found.push((signature, suspect));
        }
    }
    found.into_iter().map(|(_, suspect)| suspect).collect()
}

/// A relation; for facts of states also the name of the fact.
type Signature = (Symbol, Option<Symbol>);

fn signature(rule: &Rule) -> Signature {
    of_atom(rule.head.relation, &rule.head.arguments)
}

fn of_atom(relation: Symbol, arguments: &[Term]) -> Signature {
    match (relation, arguments) {
        (keyword::NEXT | keyword::INIT | keyword::TRUE, [Term::Function(name, _) | Term::Constant(name)]) => {
            (keyword::TRUE, Some(*name))
        }
        (keyword::NEXT | keyword::INIT, _) => (keyword::TRUE, None),
        _ => (relation, None),
    }
}

/// What the rules of each relation have an effect on.
fn effects(sheet: &Sheet) -> FxHashMap<Signature, Effects> {
    let mut callers: FxHashMap<Signature, FxHashSet<Signature>> = FxHashMap::default();
    for rule in &sheet.rules {
        for literal in &rule.body {
            if let Literal::Holds(atom) | Literal::Fails(atom) = literal {
                callers.entry(of_atom(atom.relation, &atom.arguments)).or_default().insert(signature(rule));
            }
        }
    }
    let mut effects = FxHashMap::default();
    for rule in &sheet.rules {
        let start = signature(rule);
        if effects.contains_key(&start) {
            continue;
        }
        let mut effect = Effects::default();
        let mut seen = FxHashSet::from_iter([start]);
        let mut open = vec![start];
        while let Some(relation) = open.pop() {
            match relation.0 {
                keyword::TRUE => effect.states = true,
                keyword::LEGAL => effect.legal = true,
                keyword::TERMINAL => effect.terminal = true,
                keyword::GOAL => effect.goal = true,
                _ => {}
            }
            open.extend(callers.get(&relation).into_iter().flatten().filter(|caller| seen.insert(**caller)));
        }
        effects.insert(start, effect);
    }
    effects
}

/// The rules in the order in which they are tried: suspects first, then all others with conditions or of a match.
fn order(sheet: &Sheet, suspects: &[Suspect]) -> Vec<usize> {
    let tells = |rule: &Rule| {
        let head = rule.head.relation;
        let hint = [keyword::ROLE, keyword::BASE, keyword::INPUT, keyword::SEES].contains(&head);
        let of_match = [keyword::NEXT, keyword::LEGAL, keyword::GOAL, keyword::TERMINAL].contains(&head);
        !hint && (of_match || !rule.body.is_empty())
    };
    let mut order: Vec<usize> = (0..sheet.rules.len()).filter(|&index| tells(&sheet.rules[index])).collect();
    let rank = |index: usize| suspects.iter().position(|suspect| suspect.place == sheet.rules[index].place);
    order.sort_by_key(|&index| rank(index).unwrap_or(usize::MAX));
    order
}

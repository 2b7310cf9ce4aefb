//! Builds explanations: proofs of facts that hold, failed rules of facts that do not.

use std::cell::Cell;
use std::cmp::Reverse;

use tesuji_core::{InputError, Source};

use super::oracle::{Bindings, Oracle, Situation, bound_by_head, mask, order};
use super::search::{Attempt, Search};
use super::text::{atom_text, literal_text, spelled};
use super::{Application, Condition, Explanation, Reason};
use crate::interpreter::predicates::{Origin, origin};
use crate::interpreter::{Facts, Limits};
use crate::symbols::keyword;
use crate::{Atom, GroundTerm, Literal, Rule, Sheet, Symbol, Term, kif, normal};

/// The deepest tree.
const DEEPEST: usize = 8;
/// The most explanations in a tree.
const MOST_NODES: u32 = 300;
/// The most failed rules shown for one fact, and how many of them are explained further.
const MOST_SHOWN: usize = 12;
const MOST_EXPANDED: usize = 3;
/// Rules with a similar conclusion are only looked for near the root.
const DEEPEST_NEAR: usize = 2;
/// The most conditions tried for one explanation.
const MOST_EFFORT: u64 = 300_000;
/// The most conditions that the interpreter examines for one question of an explanation: well under a second.
const QUESTION_STEPS: u64 = 2_000_000;

/// Explains facts of the states of a match.
pub struct Explainer {
    oracle: Oracle,
}

/// The states of a match and the moves between them.
pub struct Timeline {
    states: Vec<Facts>,
    joints: Vec<Vec<GroundTerm>>,
    /// Whether the first state was given rather than derived from `init`.
    given: bool,
    /// The states whose facts are known to be right: explanations stop there.
    confirmed: Vec<bool>,
}

impl Timeline {
    /// The number of the last state: the number of joint moves.
    pub fn last(&self) -> usize {
        self.joints.len()
    }

    /// Marks the facts of a state as right, so that explanations do not ask where they come from.
    pub fn confirm(&mut self, step: usize) {
        if let Some(confirmed) = self.confirmed.get_mut(step) {
            *confirmed = true;
        }
    }
}

/// A fact that is being explained further up in the tree: relation, columns and step.
type Above = (usize, Vec<Option<GroundTerm>>, usize);

/// What an explanation may still cost, and what it is about.
struct Work<'a> {
    timeline: &'a Timeline,
    effort: Cell<u64>,
    nodes: Cell<u32>,
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
            return Err(InputError::new(format!("step {step} of a match with {} step(s)", timeline.last())));
        }
        // A word that is no relation of the sheet may be a fact of the state: `(cell 1 1 b)`.
        if self.oracle.predicates.of_atom(&atom).is_none() && !keyword::is_reserved(atom.relation) {
            let fact = match atom.arguments.is_empty() && !atom.bare_list {
                true => Term::Constant(atom.relation),
                false => Term::Function(atom.relation, atom.arguments),
            };
            atom = Atom { relation: keyword::TRUE, arguments: vec![fact], bare_list: false };
        }
        let work = Work { timeline, effort: Cell::new(MOST_EFFORT), nodes: Cell::new(MOST_NODES) };
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

    /// A proof of an atom that holds; `None` if every proof leads back to a fact above.
    #[allow(clippy::too_many_arguments)]
    fn prove(
        &self,
        work: &Work,
        asker: &Rule,
        atom: &Atom,
        bindings: &Bindings,
        step: usize,
        above: &mut Vec<Above>,
        depth: usize,
    ) -> Result<Option<Explanation>, InputError> {
        let oracle = &self.oracle;
        let explanation =
            |reason| Explanation { fact: atom_text(oracle, atom, asker, bindings), holds: true, step, reason };
        let Some((atom_origin, columns)) = origin(atom) else { return Ok(Some(explanation(Reason::Cut))) };
        if atom_origin == Origin::Does {
            return Ok(Some(explanation(Reason::Move)));
        }
        if atom.relation == keyword::TRUE {
            return Ok(Some(explanation(self.state_reason(work, atom, bindings, step, depth)?)));
        }
        let Some(predicate) = oracle.predicates.find(atom_origin) else { return Ok(None) };
        let columns: Vec<Option<GroundTerm>> = columns.iter().map(|term| oracle.ground(term, bindings)).collect();
        let here = (predicate, columns, step);
        if above.contains(&here) {
            return Ok(None);
        }
        if !self.may_go_on(work, depth) {
            return Ok(Some(explanation(Reason::Cut)));
        }
        let situation = self.situation(work.timeline, step);
        let relation = &oracle.predicates.list[predicate];
        above.push(here);
        let mut proof = None;
        for &number in relation.facts.iter().chain(&relation.rules) {
            let rule = &oracle.sheet.rules[number];
            let Some((start, order)) = self.begin(rule, &above[above.len() - 1].1) else { continue };
            let longest = Attempt { order: order.clone(), met: 0, bindings: Vec::new() };
            let mut search = Search { oracle, situation: &situation, rule, effort: &work.effort, longest };
            search.run(&start, &mut |solution| {
                let conditions = self.met_conditions(work, rule, &order, solution, step, above, depth)?;
                let Some(conditions) = conditions else { return Ok(false) };
                proof = Some(self.application(rule, solution, conditions, 0));
                Ok(true)
            })?;
            if proof.is_some() {
                break;
            }
        }
        above.pop();
        Ok(match proof {
            Some(rule) => Some(explanation(Reason::Rule { rule })),
            None if work.effort.get() == 0 => Some(explanation(Reason::Cut)),
            None => None,
        })
    }

    /// The conditions of a solution, each explained; `None` if one leads back to a fact above.
    #[allow(clippy::too_many_arguments)]
    fn met_conditions(
        &self,
        work: &Work,
        rule: &Rule,
        order: &[usize],
        bindings: &Bindings,
        step: usize,
        above: &mut Vec<Above>,
        depth: usize,
    ) -> Result<Option<Vec<Condition>>, InputError> {
        let mut conditions = Vec::new();
        for &position in order {
            let literal = &rule.body[position];
            let why = match literal {
                Literal::Holds(atom) => match self.prove(work, rule, atom, bindings, step, above, depth + 1)? {
                    Some(why) => Some(Box::new(why)),
                    None => return Ok(None),
                },
                Literal::Fails(atom) => {
                    Some(Box::new(self.refute(work, rule, atom, bindings, step, above, depth + 1)?))
                }
                Literal::Distinct(..) | Literal::Same(..) => None,
            };
            conditions.push(Condition { text: literal_text(&self.oracle, literal, rule, bindings), met: true, why });
        }
        Ok(Some(conditions))
    }

    /// Why the state contains a fact: since when, and the rule that added it.
    fn state_reason(
        &self,
        work: &Work,
        atom: &Atom,
        bindings: &Bindings,
        step: usize,
        depth: usize,
    ) -> Result<Reason, InputError> {
        let timeline = work.timeline;
        let fact = atom.arguments.first().and_then(|term| self.oracle.ground(term, bindings));
        let Some(fact) = fact else { return Ok(Reason::Cut) };
        // The last step is in question at the root, and wherever the state before is known to be right.
        let mut since = step;
        let goes_back = |since: usize| {
            let before = &timeline.states[since - 1];
            depth > 0 && !timeline.confirmed[since - 1] && before.terms().binary_search(&fact).is_ok()
        };
        while since > 0 && goes_back(since) {
            since -= 1;
        }
        if timeline.confirmed[step] || (since == 0 && timeline.given) || !self.may_go_on(work, depth) {
            return Ok(Reason::State { since, derived: None });
        }
        let (relation, before) = if since == 0 { (keyword::INIT, 0) } else { (keyword::NEXT, since - 1) };
        let head = Atom { relation, arguments: vec![Term::Variable(0)], bare_list: false };
        let asker = stand_in(head.clone());
        let derived = self.prove(work, &asker, &head, &vec![Some(fact)], before, &mut Vec::new(), depth + 1)?;
        Ok(Reason::State { since, derived: derived.map(Box::new) })
    }

    /// Why an atom does not hold.
    #[allow(clippy::too_many_arguments)]
    fn refute(
        &self,
        work: &Work,
        asker: &Rule,
        atom: &Atom,
        bindings: &Bindings,
        step: usize,
        above: &mut Vec<Above>,
        depth: usize,
    ) -> Result<Explanation, InputError> {
        let oracle = &self.oracle;
        let explanation =
            |reason| Ok(Explanation { fact: atom_text(oracle, atom, asker, bindings), holds: false, step, reason });
        let none = || Reason::NoRule { rules: Vec::new(), others: 0 };
        let Some((atom_origin, columns)) = origin(atom) else { return explanation(none()) };
        if atom_origin == Origin::Does {
            let roles = oracle.interpreter.roles().iter();
            let joint = work.timeline.joints.get(step).map_or(&[][..], Vec::as_slice);
            let text = |term: GroundTerm| oracle.interpreter.text(term);
            let does = roles.zip(joint).map(|(&role, &action)| format!("(does {} {})", text(role), text(action)));
            return explanation(Reason::OtherMove { does: does.collect() });
        }
        if atom.relation == keyword::TRUE {
            let fact = atom.arguments.first().and_then(|term| oracle.ground(term, bindings));
            let asked = !work.timeline.confirmed[step] && self.may_go_on(work, depth);
            let missing = match fact.filter(|_| asked) {
                Some(fact) => {
                    let (relation, before) = if step == 0 { (keyword::INIT, 0) } else { (keyword::NEXT, step - 1) };
                    let head = Atom { relation, arguments: vec![Term::Variable(0)], bare_list: false };
                    let asker = stand_in(head.clone());
                    let mut above = Vec::new();
                    let missing = self.refute(work, &asker, &head, &vec![Some(fact)], before, &mut above, depth + 1)?;
                    Some(Box::new(missing))
                }
                None => None,
            };
            return explanation(Reason::NotInState { missing });
        }
        let Some(predicate) = oracle.predicates.find(atom_origin) else { return explanation(none()) };
        let values: Vec<Option<GroundTerm>> = columns.iter().map(|term| oracle.ground(term, bindings)).collect();
        let here = (predicate, values, step);
        if above.contains(&here) || !self.may_go_on(work, depth) {
            return explanation(Reason::Cut);
        }
        let situation = self.situation(work.timeline, step);
        let relation = &oracle.predicates.list[predicate];
        let mut attempts: Vec<(usize, &Rule, Attempt)> = Vec::new();
        for &number in &relation.rules {
            let rule = &oracle.sheet.rules[number];
            let head = origin(&rule.head).map_or(&[][..], |(_, columns)| columns);
            if !columns.iter().zip(head).all(|(asked, offered)| may_be_equal(asked, offered)) {
                continue;
            }
            let Some((mut start, order)) = self.begin(rule, &here.1) else { continue };
            if !columns.iter().zip(head).all(|(asked, offered)| self.bind_parts(asked, bindings, offered, &mut start)) {
                continue;
            }
            let longest = Attempt { order, met: 0, bindings: Vec::new() };
            let mut search = Search { oracle, situation: &situation, rule, effort: &work.effort, longest };
            // A rule that concludes something else of this form is not at fault.
            search.run(&start, &mut |_| Ok(false))?;
            if search.longest.met < rule.body.len() {
                attempts.push((number, rule, search.longest));
            }
        }
        attempts.sort_by_key(|(number, rule, attempt)| (rule.body.len() - attempt.met, Reverse(attempt.met), *number));
        let near = self.near_misses(work, predicate, &here.1, &situation, attempts.is_empty(), depth)?;
        let others = attempts.len().saturating_sub(MOST_SHOWN);
        attempts.truncate(MOST_SHOWN);
        above.push(here);
        let mut rules = Vec::new();
        for (rank, (_, rule, attempt)) in attempts.iter().enumerate() {
            let expand = rank < MOST_EXPANDED;
            rules.push(self.failed(work, rule, attempt, step, above, if expand { depth } else { DEEPEST })?);
        }
        above.pop();
        // A rule that applies but concludes almost the same is as likely as one with a condition left.
        let one_left = rules.iter().take_while(|rule: &&Application| rule.untried == 0).count();
        rules.splice(one_left..one_left, near);
        explanation(Reason::NoRule { rules, others })
    }

    /// Rules that conclude something else in a single place, where their conditions are met: a wrong name or variable.
    fn near_misses(
        &self,
        work: &Work,
        predicate: usize,
        columns: &[Option<GroundTerm>],
        situation: &Situation,
        alone: bool,
        depth: usize,
    ) -> Result<Vec<Application>, InputError> {
        let oracle = &self.oracle;
        let mut found = Vec::new();
        if depth > DEEPEST_NEAR {
            return Ok(found);
        }
        let relation = &oracle.predicates.list[predicate];
        for &number in relation.rules.iter().chain(relation.facts.iter().filter(|_| alone)) {
            let rule = &oracle.sheet.rules[number];
            let head = origin(&rule.head).map_or(&[][..], |(_, columns)| columns);
            let mut start: Bindings = vec![None; rule.variables.len()];
            let conflicts: usize = head
                .iter()
                .zip(columns)
                .map(|(term, value)| value.map_or(0, |value| self.conflicts(term, value, &mut start)))
                .sum();
            if conflicts != 1 {
                continue;
            }
            let known = mask(columns.len(), |column| columns[column].is_some());
            let order = order(&oracle.predicates, rule, &mut bound_by_head(rule, known));
            let longest = Attempt { order, met: 0, bindings: Vec::new() };
            let mut search = Search { oracle, situation, rule, effort: &work.effort, longest };
            let applies = search.run(&start, &mut |_| Ok(true))?;
            if applies || alone {
                let bindings = &search.longest.bindings;
                let concludes = atom_text(oracle, &rule.head, rule, bindings);
                let text = format!("its conclusion fits: it concludes {concludes}");
                let condition = Condition { text, met: false, why: None };
                let untried = rule.body.len() - search.longest.met;
                found.push(self.application(rule, bindings, vec![condition], untried));
            }
        }
        found.sort_by_key(|application| application.untried);
        found.truncate(MOST_EXPANDED);
        Ok(found)
    }

    /// The number of places where a term of a head differs from a value; variables get values where they fit.
    fn conflicts(&self, term: &Term, value: GroundTerm, bindings: &mut Bindings) -> usize {
        match term {
            Term::Function(name, arguments) => {
                let parts = self.oracle.interpreter.with_terms(|terms| {
                    let same = terms.is_function(value) && terms.name(value) == *name;
                    same.then(|| terms.arguments(value).to_vec()).filter(|parts| parts.len() == arguments.len())
                });
                let Some(parts) = parts else { return 2 };
                arguments.iter().zip(parts).map(|(term, part)| self.conflicts(term, part, bindings)).sum()
            }
            Term::Constant(_) | Term::Variable(_) => usize::from(!self.oracle.matches(term, value, bindings)),
        }
    }

    /// A rule that failed, with the first condition that is not met.
    fn failed(
        &self,
        work: &Work,
        rule: &Rule,
        attempt: &Attempt,
        step: usize,
        above: &mut Vec<Above>,
        depth: usize,
    ) -> Result<Application, InputError> {
        let bindings = &attempt.bindings;
        let text = |literal: &Literal| literal_text(&self.oracle, literal, rule, bindings);
        let met = attempt.order[..attempt.met].iter().map(|&position| &rule.body[position]);
        let mut conditions: Vec<Condition> =
            met.map(|literal| Condition { text: text(literal), met: true, why: None }).collect();
        let literal = &rule.body[attempt.order[attempt.met]];
        let why = match literal {
            Literal::Holds(atom) => Some(self.refute(work, rule, atom, bindings, step, above, depth + 1)?),
            Literal::Fails(atom) => self.prove(work, rule, atom, bindings, step, above, depth + 1)?,
            Literal::Distinct(..) | Literal::Same(..) => None,
        };
        conditions.push(Condition { text: text(literal), met: false, why: why.map(Box::new) });
        let untried = rule.body.len() - conditions.len();
        Ok(self.application(rule, bindings, conditions, untried))
    }

    fn application(&self, rule: &Rule, bindings: &Bindings, conditions: Vec<Condition>, untried: usize) -> Application {
        let sheet = &self.oracle.sheet;
        let line = |offset: u32| sheet.source.position(offset as usize).0;
        let named = rule.variables.iter().zip(bindings).filter_map(|(&name, value)| {
            value.map(|value| (sheet.symbols.text(name).to_owned(), self.oracle.interpreter.text(value)))
        });
        Application {
            line: line(rule.place.start),
            end_line: line(rule.place.end),
            head: sheet.atom_text(&rule.head, rule),
            bindings: named.collect(),
            conditions,
            untried,
            place: rule.place,
        }
    }

    /// The values that the known columns give to a rule's variables, and the order of its conditions; `None` if the
    /// rule concludes something else.
    fn begin(&self, rule: &Rule, columns: &[Option<GroundTerm>]) -> Option<(Bindings, Vec<usize>)> {
        let mut bindings: Bindings = vec![None; rule.variables.len()];
        let (_, head) = origin(&rule.head)?;
        let fits = |(term, value): (&Term, &Option<GroundTerm>)| {
            value.is_none_or(|value| self.oracle.matches(term, value, &mut bindings))
        };
        if !head.iter().zip(columns).all(fits) {
            return None;
        }
        let known = mask(columns.len(), |column| columns[column].is_some());
        let order = order(&self.oracle.predicates, rule, &mut bound_by_head(rule, known));
        Some((bindings, order))
    }

    /// Gives the variables of a head the values that are known in parts of an asked term; false if that is impossible.
    fn bind_parts(&self, asked: &Term, values: &Bindings, offered: &Term, start: &mut Bindings) -> bool {
        match (self.oracle.ground(asked, values), asked, offered) {
            (Some(value), _, _) => self.oracle.matches(offered, value, start),
            (None, Term::Function(_, some), Term::Function(_, others)) => {
                some.iter().zip(others).all(|(asked, offered)| self.bind_parts(asked, values, offered, start))
            }
            _ => true,
        }
    }

    fn situation<'a>(&self, timeline: &'a Timeline, step: usize) -> Situation<'a> {
        let joint = timeline.joints.get(step).map_or(&[][..], Vec::as_slice);
        self.oracle.situation(&timeline.states[step], joint)
    }

    /// Whether the tree may grow here; counts the explanation.
    fn may_go_on(&self, work: &Work, depth: usize) -> bool {
        if depth >= DEEPEST || work.nodes.get() == 0 {
            return false;
        }
        work.nodes.set(work.nodes.get() - 1);
        true
    }
}

/// A rule with one variable whose conclusion is asked for.
fn stand_in(head: Atom) -> Rule {
    Rule { head, body: Vec::new(), variables: vec![keyword::TRUE], place: Default::default() }
}

/// Whether two terms with different variables can be equal, apart from variables that occur twice.
fn may_be_equal(left: &Term, right: &Term) -> bool {
    match (left, right) {
        (Term::Variable(_), _) | (_, Term::Variable(_)) => true,
        (Term::Constant(left), Term::Constant(right)) => left == right,
        (Term::Function(left, some), Term::Function(right, others)) => {
            left == right && some.len() == others.len() && some.iter().zip(others).all(|(a, b)| may_be_equal(a, b))
        }
        _ => false,
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

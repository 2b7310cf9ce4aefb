//! Why facts do not hold: the rules that could conclude them, and the first condition of each that fails.

use std::cmp::Reverse;

use tesuji_core::InputError;

use super::explainer::Explainer;
use super::oracle::Bindings;
use super::search::{Attempt, Search};
use super::text::{atom_text, literal_text};
use super::work::{Above, DEEPEST, Work, stand_in};
use super::{Application, Condition, Explanation, Reason};
use crate::interpreter::predicates::{Origin, origin};
use crate::symbols::keyword;
use crate::{Atom, GroundTerm, Literal, Rule, Term};

/// The most failed rules shown for one fact.
const MOST_SHOWN: usize = 12;
/// How many of them are explained further.
pub(super) const MOST_EXPANDED: usize = 3;

impl Explainer {
    /// Why an atom does not hold.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn refute(
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
            let asked = !work.timeline.confirmed[step] && work.may_go_on(depth);
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
        if above.contains(&here) || !work.may_go_on(depth) {
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

//! Proofs of facts that hold.

use tesuji_core::InputError;

use super::explainer::Explainer;
use super::oracle::Bindings;
use super::search::{Attempt, Search};
use super::text::{atom_text, literal_text};
use super::work::{Above, DEEPEST, Work, stand_in};
use super::{Condition, Explanation, Reason};
use crate::interpreter::predicates::{Origin, origin};
use crate::symbols::keyword;
use crate::{Atom, GroundTerm, Literal, Rule, Term};

impl Explainer {
    /// A proof of an atom that holds; `None` if every proof leads back to a fact above.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn prove(
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
        if !work.may_go_on(depth) {
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
        if timeline.confirmed[step] || (since == 0 && timeline.given) || !work.may_go_on(depth) {
            return Ok(Reason::State { since, derived: None, kept: None });
        }
        let why = |relation, before, depth| {
            let head = Atom { relation, arguments: vec![Term::Variable(0)], bare_list: false };
            let asker = stand_in(head.clone());
            self.prove(work, &asker, &head, &vec![Some(fact)], before, &mut Vec::new(), depth)
        };
        let (relation, before) = if since == 0 { (keyword::INIT, 0) } else { (keyword::NEXT, since - 1) };
        let derived = why(relation, before, depth + 1)?;
        // Its conditions are not explained: they are mostly this fact, one step earlier.
        let kept = if since < step { why(keyword::NEXT, step - 1, DEEPEST - 1)? } else { None };
        Ok(Reason::State { since, derived: derived.map(Box::new), kept: kept.map(Box::new) })
    }
}

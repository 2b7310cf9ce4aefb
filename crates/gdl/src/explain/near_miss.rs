//! Rules that conclude almost what was asked for.

use tesuji_core::InputError;

use super::explainer::Explainer;
use super::oracle::{Bindings, Situation, bound_by_head, mask, order};
use super::refutation::MOST_EXPANDED;
use super::search::{Attempt, Search};
use super::text::atom_text;
use super::work::Work;
use super::{Application, Condition};
use crate::interpreter::predicates::origin;
use crate::{GroundTerm, Term};

/// Rules with a similar conclusion are only looked for near the root.
const DEEPEST_NEAR: usize = 2;

impl Explainer {
    /// Rules that conclude something else in a single place, where their conditions are met: a wrong name or variable.
    pub(super) fn near_misses(
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
}

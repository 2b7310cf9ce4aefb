//! What an explanation may cost, and the parts that proofs and refutations share.

use std::cell::Cell;

use super::explainer::Explainer;
use super::oracle::{Bindings, Situation, bound_by_head, mask, order};
use super::timeline::Timeline;
use super::{Application, Condition};
use crate::interpreter::predicates::origin;
use crate::symbols::keyword;
use crate::{Atom, GroundTerm, Rule, Term};

/// The deepest tree.
pub(super) const DEEPEST: usize = 8;
/// The most explanations in a tree.
const MOST_NODES: u32 = 300;
/// The most conditions tried for one explanation.
const MOST_EFFORT: u64 = 300_000;

/// A fact that is being explained further up in the tree: relation, columns and step.
pub(super) type Above = (usize, Vec<Option<GroundTerm>>, usize);

/// What an explanation may still cost, and what it is about.
pub(super) struct Work<'a> {
    pub(super) timeline: &'a Timeline,
    pub(super) effort: Cell<u64>,
    nodes: Cell<u32>,
}

impl Work<'_> {
    /// A new explanation.
    pub(super) fn new(timeline: &Timeline) -> Work<'_> {
        Work { timeline, effort: Cell::new(MOST_EFFORT), nodes: Cell::new(MOST_NODES) }
    }

    /// Whether the tree may grow here; counts the explanation.
    pub(super) fn may_go_on(&self, depth: usize) -> bool {
        if depth >= DEEPEST || self.nodes.get() == 0 {
            return false;
        }
        self.nodes.set(self.nodes.get() - 1);
        true
    }
}

impl Explainer {
    pub(super) fn application(
        &self,
        rule: &Rule,
        bindings: &Bindings,
        conditions: Vec<Condition>,
        untried: usize,
    ) -> Application {
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
    pub(super) fn begin(&self, rule: &Rule, columns: &[Option<GroundTerm>]) -> Option<(Bindings, Vec<usize>)> {
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
    pub(super) fn bind_parts(&self, asked: &Term, values: &Bindings, offered: &Term, start: &mut Bindings) -> bool {
        match (self.oracle.ground(asked, values), asked, offered) {
            (Some(value), _, _) => self.oracle.matches(offered, value, start),
            (None, Term::Function(_, some), Term::Function(_, others)) => {
                some.iter().zip(others).all(|(asked, offered)| self.bind_parts(asked, values, offered, start))
            }
            _ => true,
        }
    }

    pub(super) fn situation<'a>(&self, timeline: &'a Timeline, step: usize) -> Situation<'a> {
        let joint = timeline.joints.get(step).map_or(&[][..], Vec::as_slice);
        self.oracle.situation(&timeline.states[step], joint)
    }
}

/// A rule with one variable whose conclusion is asked for.
pub(super) fn stand_in(head: Atom) -> Rule {
    Rule { head, body: Vec::new(), variables: vec![keyword::TRUE], place: Default::default() }
}

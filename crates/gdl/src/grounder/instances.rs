//! Ground instances of the rules: every solution of every clause over the reachable tuples.

use super::database::Relation;
use super::join::{find_tuple, solve};
use super::limits::{Meter, TooLarge};
use super::plan::{Plan, Range};
use super::program::Program;
use crate::{GroundRules, Signal, Terms};

/// Ground rules over the tuples of the non-static relations, numbered consecutively.
pub(super) struct Instances {
    /// The number of each relation's first atom; atom 0 is always true.
    pub(super) first: Vec<u32>,
    /// The number of atoms.
    pub(super) atoms: u32,
    pub(super) rules: GroundRules,
    /// The clause of each rule.
    pub(super) clauses: Vec<u32>,
}

/// Computes all ground rules.
pub(super) fn instances(
    program: &Program,
    relations: &mut [Relation],
    terms: &mut Terms,
    meter: &mut Meter,
) -> Result<Instances, TooLarge> {
    let mut first = vec![0; relations.len()];
    let mut atoms = 1;
    for (number, relation) in relations.iter().enumerate().filter(|(number, _)| !program.relations[*number].is_static) {
        first[number] = atoms;
        atoms += relation.tuples.count();
    }
    let mut rules = GroundRules::default();
    let mut clauses = Vec::new();
    let mut body = Vec::new();
    for (number, clause) in program.clauses.iter().enumerate() {
        let head = clause.head.relation;
        if program.relations[head].is_static || clause.place.is_none() {
            continue;
        }
        let plan = Plan::new(clause, None, |_| Range::All, &program.relations, relations, terms, meter)?;
        let relations = &*relations;
        let is_written = |relation: usize| !program.relations[relation].is_static;
        solve(clause, &plan, relations, terms, meter, |solution, terms, meter| {
            let Some(head_tuple) = find_tuple(&clause.head, solution.binding, &relations[head], terms) else {
                return Ok(());
            };
            body.clear();
            for (formula, tuple) in clause.positive.iter().zip(solution.tuples) {
                if is_written(formula.relation) && !formula.guard {
                    body.push(Signal::of(first[formula.relation] + tuple));
                }
            }
            for formula in clause.negative.iter().filter(|formula| is_written(formula.relation)) {
                if let Some(tuple) = find_tuple(formula, solution.binding, &relations[formula.relation], terms) {
                    body.push(Signal::of(first[formula.relation] + tuple).negated());
                }
            }
            body.sort_unstable();
            body.dedup();
            meter.rule(body.len())?;
            rules.push(first[head] + head_tuple, body.iter().copied());
            clauses.push(number as u32);
            Ok(())
        })?;
    }
    Ok(Instances { first, atoms, rules, clauses })
}

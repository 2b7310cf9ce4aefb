//! Semi-naive evaluation: all consequences of the clauses, visiting each solution of a body once.
//!
//! Static relations come first, stratum by stratum, with proper negation. The others follow in the relaxed game:
//! everything reachable holds at once, and a negated condition that is not static is assumed to hold.

use super::components::Graph;
use super::database::{Relation, make_term};
use super::join::solve;
use super::limits::{Meter, TooLarge};
use super::plan::{Plan, Range};
use super::program::Program;
use super::tuples::TupleSet;
use crate::Terms;

/// Computes all tuples of all relations.
pub(super) fn evaluate(program: &Program, terms: &mut Terms, meter: &mut Meter) -> Result<Vec<Relation>, TooLarge> {
    let mut relations: Vec<Relation> = program.relations.iter().map(|kind| Relation::new(kind.arity)).collect();
    let dependencies = program.clauses.iter().filter(|clause| clause.place.is_some()).flat_map(|clause| {
        let body = clause.positive.iter().chain(&clause.negative);
        body.map(|formula| (clause.head.relation as u32, formula.relation as u32))
    });
    let component = Graph::new(relations.len(), dependencies).components();
    let mut strata: Vec<Vec<usize>> = vec![Vec::new(); relations.len()];
    let mut dynamic = Vec::new();
    for (number, clause) in program.clauses.iter().enumerate() {
        let head = clause.head.relation;
        let stratum =
            if program.relations[head].is_static { &mut strata[component[head] as usize] } else { &mut dynamic };
        stratum.push(number);
    }
    for stratum in strata.iter().filter(|stratum| !stratum.is_empty()) {
        fixed_point(stratum, program, &mut relations, terms, meter)?;
    }
    fixed_point(&dynamic, program, &mut relations, terms, meter)?;
    Ok(relations)
}

/// A positive condition of a clause over a growing relation, and the plan that begins with it.
struct Occurrence {
    clause: usize,
    condition: usize,
    plan: Option<Plan>,
}

/// Adds all consequences of some clauses whose bodies use only their heads and complete relations.
fn fixed_point(
    clauses: &[usize],
    program: &Program,
    relations: &mut [Relation],
    terms: &mut Terms,
    meter: &mut Meter,
) -> Result<(), TooLarge> {
    let mut grows = vec![false; relations.len()];
    clauses.iter().for_each(|&number| grows[program.clauses[number].head.relation] = true);
    let mut occurrences: Vec<Vec<Occurrence>> = relations.iter().map(|_| Vec::new()).collect();
    for &number in clauses {
        let clause = &program.clauses[number];
        let growing = clause.positive.iter().enumerate().filter(|(_, formula)| grows[formula.relation]);
        let mut any = false;
        for (condition, formula) in growing {
            occurrences[formula.relation].push(Occurrence { clause: number, condition, plan: None });
            any = true;
        }
        if !any {
            let plan = Plan::new(clause, None, |_| Range::All, &program.relations, relations, terms, meter)?;
            consequences(program, number, &plan, relations, terms, meter)?;
        }
    }
    let growing: Vec<usize> = (0..relations.len()).filter(|&relation| grows[relation]).collect();
    loop {
        for &number in &growing {
            relations[number].current = relations[number].tuples.count();
        }
        let changed: Vec<usize> =
            growing.iter().copied().filter(|&number| relations[number].old < relations[number].current).collect();
        if changed.is_empty() {
            return Ok(());
        }
        for &number in &changed {
            for occurrence in &mut occurrences[number] {
                let clause = &program.clauses[occurrence.clause];
                if occurrence.plan.as_ref().is_none_or(|plan| !plan.fits(clause, relations)) {
                    let first = occurrence.condition;
                    let range = |condition: usize| match condition {
                        _ if !grows[clause.positive[condition].relation] => Range::All,
                        _ if condition < first => Range::Old,
                        _ if condition == first => Range::Delta,
                        _ => Range::Current,
                    };
                    let kinds = &program.relations;
                    occurrence.plan = Some(Plan::new(clause, Some(first), range, kinds, relations, terms, meter)?);
                }
                if let Some(plan) = &occurrence.plan {
                    consequences(program, occurrence.clause, plan, relations, terms, meter)?;
                }
            }
        }
        for &number in &changed {
            relations[number].old = relations[number].current;
        }
    }
}

/// Adds the heads of all solutions.
fn consequences(
    program: &Program,
    number: usize,
    plan: &Plan,
    relations: &mut [Relation],
    terms: &mut Terms,
    meter: &mut Meter,
) -> Result<(), TooLarge> {
    let clause = &program.clauses[number];
    let head = clause.head.relation;
    let mut new = TupleSet::new(clause.head.arguments.len());
    let mut tuple = Vec::with_capacity(clause.head.arguments.len());
    let known = &*relations;
    solve(clause, plan, known, terms, meter, |solution, terms, meter| {
        tuple.clear();
        for argument in &clause.head.arguments {
            tuple.push(make_term(argument, solution.binding, terms, meter)?.0);
        }
        if known[head].tuples.find(&tuple).is_none() && new.insert(&tuple).1 {
            // The tuple twice, and the entries of both tables: arrays double when they grow.
            meter.atom((4 * tuple.len() + 8) * size_of::<u32>())?;
            meter.size(head, known[head].tuples.count() + new.count())?;
        }
        Ok(())
    })?;
    for number in 0..new.count() {
        relations[head].insert(new.get(number), terms, meter)?;
    }
    Ok(())
}

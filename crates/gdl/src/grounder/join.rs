//! Executes a plan: finds every binding of a clause's variables that satisfies its conditions, each once.

use super::database::{Relation, find_term};
use super::limits::{Meter, TooLarge};
use super::plan::{Plan, Range, Step};
use super::program::{Clause, Formula, Pattern};
use crate::{GroundTerm, Terms};

/// One solution.
pub(super) struct Solution<'a> {
    /// The values of the variables.
    pub(super) binding: &'a [u32],
    /// The number of the tuple that satisfies each positive condition.
    pub(super) tuples: &'a [u32],
}

/// Calls `found` with every solution of a clause.
pub(super) fn solve(
    clause: &Clause,
    plan: &Plan,
    relations: &[Relation],
    terms: &mut Terms,
    meter: &mut Meter,
    mut found: impl FnMut(Solution<'_>, &mut Terms, &mut Meter) -> Result<(), TooLarge>,
) -> Result<(), TooLarge> {
    let steps = &plan.steps;
    let mut binding = vec![0; clause.variables];
    let mut tuples = vec![0; clause.positive.len()];
    // The remaining rows of each scan.
    let mut rest: Vec<&[u32]> = vec![&[]; steps.len()];
    let mut key = Vec::new();
    let mut depth = 0;
    let mut forwards = true;
    loop {
        let Some(step) = steps.get(depth) else {
            found(Solution { binding: &binding, tuples: &tuples }, terms, meter)?;
            let Some(before) = depth.checked_sub(1) else { return Ok(()) };
            depth = before;
            forwards = false;
            continue;
        };
        let holds = match step {
            Step::Scan { condition, relation, index, key: bound, free, range } => {
                let relation = &relations[*relation];
                let index = &relation.indexes[*index];
                let stride = index.stride();
                if forwards {
                    key.clear();
                    key.extend(bound.iter().map(|&variable| binding[variable as usize]));
                    rest[depth] = within(index.rows(&key), stride, *range, relation);
                }
                if let Some((row, others)) = rest[depth].split_at_checked(stride) {
                    rest[depth] = others;
                    tuples[*condition] = row[0];
                    free.iter().zip(&row[1..]).for_each(|(&variable, &value)| binding[variable as usize] = value);
                    meter.step()?;
                    true
                } else {
                    false
                }
            }
            // The other steps hold once or not at all.
            _ if !forwards => false,
            Step::Member { condition, range } => {
                let formula = &clause.positive[*condition];
                let relation = &relations[formula.relation];
                match find_tuple(formula, &binding, relation, terms).filter(|&tuple| contains(tuple, *range, relation))
                {
                    Some(tuple) => {
                        tuples[*condition] = tuple;
                        true
                    }
                    None => false,
                }
            }
            Step::Distinct(number) => {
                let (left, right) = &clause.distinct[*number];
                !same(left, right, &binding, terms)
            }
            Step::Absent(number) => {
                let formula = &clause.negative[*number];
                find_tuple(formula, &binding, &relations[formula.relation], terms).is_none()
            }
        };
        forwards = holds;
        if holds {
            depth += 1;
        } else {
            let Some(before) = depth.checked_sub(1) else { return Ok(()) };
            depth = before;
        }
    }
}

/// The number of the tuple that a formula denotes under a binding.
pub(super) fn find_tuple(formula: &Formula, binding: &[u32], relation: &Relation, terms: &Terms) -> Option<u32> {
    let mut tuple = smallvec::SmallVec::<[u32; 12]>::new();
    for argument in &formula.arguments {
        tuple.push(find_term(argument, binding, terms)?.0);
    }
    relation.tuples.find(&tuple)
}

/// The range of tuples as the first number and one past the last.
fn bounds(range: Range, relation: &Relation) -> (u32, u32) {
    match range {
        Range::Old => (0, relation.old),
        Range::Delta => (relation.old, relation.current),
        Range::Current => (0, relation.current),
        Range::All => (0, u32::MAX),
    }
}

fn contains(tuple: u32, range: Range, relation: &Relation) -> bool {
    let (start, end) = bounds(range, relation);
    (start..end).contains(&tuple)
}

/// The rows whose tuples lie in the range; rows are in the order of their tuples.
fn within<'a>(rows: &'a [u32], stride: usize, range: Range, relation: &Relation) -> &'a [u32] {
    let (start, end) = bounds(range, relation);
    let first_from = |bound: u32| {
        let (mut low, mut high) = (0, rows.len() / stride);
        while low < high {
            let middle = (low + high) / 2;
            if rows[middle * stride] < bound { low = middle + 1 } else { high = middle }
        }
        low * stride
    };
    let start = if start == 0 { 0 } else { first_from(start) };
    let end =
        if rows.last_chunk::<1>().is_none() || rows[rows.len() - stride] < end { rows.len() } else { first_from(end) };
    &rows[start.min(end)..end]
}

/// Whether two patterns denote the same term under a binding.
fn same(left: &Pattern, right: &Pattern, binding: &[u32], terms: &Terms) -> bool {
    let value = |pattern: &Pattern| match pattern {
        Pattern::Ground(term) => Some(*term),
        Pattern::Variable(variable) => Some(GroundTerm(binding[*variable as usize])),
        Pattern::Function(..) => None,
    };
    match (value(left), value(right)) {
        (Some(left), Some(right)) => left == right,
        (Some(term), None) => is(right, term, binding, terms),
        (None, Some(term)) => is(left, term, binding, terms),
        (None, None) => match (left, right) {
            (Pattern::Function(one, left), Pattern::Function(other, right)) => {
                one == other
                    && left.len() == right.len()
                    && left.iter().zip(right).all(|(left, right)| same(left, right, binding, terms))
            }
            _ => false,
        },
    }
}

/// Whether a pattern denotes this term under a binding.
fn is(pattern: &Pattern, term: GroundTerm, binding: &[u32], terms: &Terms) -> bool {
    match pattern {
        Pattern::Ground(ground) => *ground == term,
        Pattern::Variable(variable) => binding[*variable as usize] == term.0,
        Pattern::Function(name, arguments) => {
            terms.is_function(term)
                && terms.name(term) == *name
                && arguments.len() == terms.arguments(term).len()
                && arguments.iter().zip(terms.arguments(term)).all(|(inner, &term)| is(inner, term, binding, terms))
        }
    }
}

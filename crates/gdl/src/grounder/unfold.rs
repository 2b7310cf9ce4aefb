//! Unfolding of static relations that are far larger than what is used of them.
//!
//! A relation such as `direction-from x1 y1 x2 y2 d` over all pairs of numbers has millions of tuples. Its only user,
//! which knows that x1 and y1 are squares of a board, needs a few thousand of them. When a relation grows like that,
//! its one clause is substituted into the one body that uses it, and the join begins at the narrow end.

use super::program::{Clause, Formula, Pattern, Program};

/// A static relation with more tuples than this is unfolded if possible.
pub(super) const LARGE: u32 = 100_000;

/// By relation: whether it can be unfolded.
pub(super) fn candidates(program: &Program) -> Vec<bool> {
    (0..program.relations.len()).map(|relation| parties(program, relation).is_some()).collect()
}

/// Substitutes a relation's clause into the body that uses it, if it can be unfolded.
pub(super) fn unfold(program: &mut Program, relation: usize) {
    let Some((definition, user, condition)) = parties(program, relation) else { return };
    let definition = program.clauses[definition].clone();
    let clause = &mut program.clauses[user];
    let arguments = clause.positive.remove(condition).arguments;
    let mut values = vec![None; definition.variables];
    for (parameter, argument) in definition.head.arguments.iter().zip(arguments) {
        if let Pattern::Variable(variable) = parameter {
            values[*variable as usize] = Some(argument);
        }
    }
    for value in &mut values {
        value.get_or_insert_with(|| {
            clause.variables += 1;
            Pattern::Variable(clause.variables as u32 - 1)
        });
    }
    let values: Vec<Pattern> = values.into_iter().flatten().collect();
    let formula = |formula: &Formula| {
        let arguments = formula.arguments.iter().map(|argument| filled(argument, &values)).collect();
        Formula { arguments, ..*formula }
    };
    clause.positive.extend(definition.positive.iter().map(formula));
    clause.negative.extend(definition.negative.iter().map(formula));
    clause
        .distinct
        .extend(definition.distinct.iter().map(|(left, right)| (filled(left, &values), filled(right, &values))));
    program.clauses.retain(|clause| clause.head.relation != relation);
}

/// The one clause of a static relation, the one clause that uses it, and the position in its body.
fn parties(program: &Program, relation: usize) -> Option<(usize, usize, usize)> {
    let mut definitions = program.clauses.iter().enumerate().filter(|(_, clause)| clause.head.relation == relation);
    let (definition, clause) = definitions.next()?;
    let sound = program.relations[relation].is_static
        && definitions.next().is_none()
        && !clause.positive.is_empty()
        && has_plain_head(clause);
    let of_it = |formula: &Formula| formula.relation == relation;
    if !sound || program.clauses.iter().any(|clause| clause.negative.iter().any(of_it)) {
        return None;
    }
    let mut uses = program.clauses.iter().enumerate().flat_map(|(number, clause)| {
        let conditions = clause.positive.iter().enumerate().filter(|(_, formula)| of_it(formula));
        conditions.map(move |(condition, _)| (number, condition))
    });
    let (user, condition) = uses.next()?;
    (uses.next().is_none() && user != definition).then_some((definition, user, condition))
}

/// Whether the head's arguments are distinct variables.
fn has_plain_head(clause: &Clause) -> bool {
    let arguments = &clause.head.arguments;
    arguments
        .iter()
        .enumerate()
        .all(|(place, argument)| matches!(argument, Pattern::Variable(_)) && !arguments[..place].contains(argument))
}

/// A pattern with its variables substituted.
fn filled(pattern: &Pattern, values: &[Pattern]) -> Pattern {
    match pattern {
        Pattern::Ground(term) => Pattern::Ground(*term),
        Pattern::Variable(variable) => values[*variable as usize].clone(),
        Pattern::Function(name, arguments) => {
            Pattern::Function(*name, arguments.iter().map(|argument| filled(argument, values)).collect())
        }
    }
}

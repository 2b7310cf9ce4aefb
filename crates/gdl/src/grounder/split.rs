//! Splits long bodies into smaller parts.
//!
//! A rule is instantiated once for each binding of all its variables. If some variables occur only in a part of the
//! body, that part becomes a relation of its own over the variables that the rest needs (one step of variable
//! elimination, as for acyclic conjunctive queries). Both parts have far fewer bindings: `next(cell x y p) ← true(cell
//! x y p), does(r, move u v), distinct(x, u)` becomes `next(cell x y p) ← true(cell x y p), part(x)` and `part(x) ←
//! does(r, move u v), distinct(x, u)`.

use rustc_hash::FxHashMap;

use super::program::{Clause, Formula, Pattern, Program, RelationKind};

/// A set of variables of a clause.
type Variables = u128;

/// Which of several parts is taken out first. Neither order is best for all sheets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SplitOrder {
    /// The part with the fewest variables.
    Narrow,
    /// The part that leaves the fewest shared variables and removes the most from the rest.
    Thorough,
}

/// Splits every clause that produces ground rules.
pub(super) fn split(program: &mut Program, order: SplitOrder) {
    let mut parts = Parts::default();
    let mut open: Vec<Clause> = std::mem::take(&mut program.clauses);
    open.reverse();
    while let Some(clause) = open.pop() {
        let is_split = !program.relations[clause.head.relation].is_static && clause.place.is_some();
        match best_part(&clause, program, order).filter(|_| is_split) {
            None => program.clauses.push(clause),
            Some(part) => {
                let (rest, definition) = parts.take_out(clause, part, program);
                open.push(rest);
                open.extend(definition);
            }
        }
    }
}

/// A condition of a clause, by kind and number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Condition {
    Positive(usize),
    Negative(usize),
    Distinct(usize),
}

/// A part of a body.
struct Part {
    conditions: Vec<Condition>,
    /// Positive conditions of the rest that narrow the part.
    guards: Vec<usize>,
    /// The variables that the rest shares with it.
    shared: Variables,
}

fn formula_variables(formula: &Formula) -> Variables {
    let mut set = 0;
    formula.variables(&mut |variable| set |= 1 << variable);
    set
}

fn pair_variables((left, right): &(Pattern, Pattern)) -> Variables {
    let mut set = 0;
    left.variables(&mut |variable| set |= 1 << variable);
    right.variables(&mut |variable| set |= 1 << variable);
    set
}

/// The part to take out first.
fn best_part(clause: &Clause, program: &Program, order: SplitOrder) -> Option<Part> {
    if clause.variables > Variables::BITS as usize {
        return None;
    }
    // Guards multiply nothing: they do not appear in the rules.
    let positive =
        clause.positive.iter().map(formula_variables).enumerate().filter(|(number, _)| !clause.positive[*number].guard);
    let negative = clause.negative.iter().map(formula_variables).enumerate();
    let distinct = clause.distinct.iter().map(pair_variables).enumerate();
    let conditions: Vec<(Condition, Variables)> = positive
        .map(|(number, set)| (Condition::Positive(number), set))
        .chain(negative.map(|(number, set)| (Condition::Negative(number), set)))
        .chain(distinct.map(|(number, set)| (Condition::Distinct(number), set)))
        .collect();
    let head = formula_variables(&clause.head);
    let widest = conditions.iter().map(|(_, set)| set.count_ones()).max()?;
    let mut best: Option<([u32; 3], Part)> = None;
    for variable in (0..clause.variables).map(|variable| 1 << variable).filter(|variable| head & variable == 0) {
        let touched = conditions.iter().filter(|(_, set)| set & variable != 0).fold(0, |all, (_, set)| all | set);
        // Conditions whose variables all occur here join the part if that frees more variables.
        let inside = |set: Variables| set & !touched == 0;
        let outside = conditions.iter().filter(|(_, set)| !inside(*set)).fold(head, |all, (_, set)| all | set);
        let freed = touched & !outside;
        if freed == 0 {
            continue;
        }
        let (taken, rest): (Vec<_>, Vec<_>) = conditions.iter().partition(|(_, set)| set & freed != 0);
        let shared = touched & !freed;
        let elsewhere = rest.iter().fold(head, |all, (_, set)| all | set) & !shared;
        // Without variables elsewhere nothing is multiplied. A part wider than any condition may be larger than the
        // whole.
        if elsewhere == 0 || shared.count_ones() > widest.max(2) {
            continue;
        }
        let kept = Variables::BITS - freed.count_ones();
        let score = match order {
            SplitOrder::Narrow => [touched.count_ones(), shared.count_ones(), 0],
            SplitOrder::Thorough => [shared.count_ones(), kept, touched.count_ones()],
        };
        if best.as_ref().is_some_and(|(least, _)| *least <= score) {
            continue;
        }
        let mut bound = 0;
        for (condition, set) in &taken {
            if matches!(condition, Condition::Positive(_)) {
                bound |= set;
            }
        }
        let mut guards = Vec::new();
        let is_taken = |number: usize| taken.iter().any(|(condition, _)| *condition == Condition::Positive(number));
        let candidates =
            clause.positive.iter().map(formula_variables).enumerate().filter(|(number, _)| !is_taken(*number));
        // Conditions that add no variables narrow the part at no cost.
        for (number, set) in candidates.clone().filter(|(_, set)| *set != 0 && set & !shared == 0) {
            guards.push(number);
            bound |= set;
        }
        while touched & !bound != 0 {
            let gain = |set: Variables| (set & touched & !bound).count_ones();
            let cost = |(number, set): &(usize, Variables)| {
                let dynamic = !program.relations[clause.positive[*number].relation].is_static;
                (std::cmp::Reverse(gain(*set)), (set & !touched).count_ones(), dynamic)
            };
            let Some((number, set)) = candidates.clone().filter(|(_, set)| gain(*set) > 0).min_by_key(cost) else {
                break;
            };
            guards.push(number);
            bound |= set;
        }
        if touched & !bound == 0 {
            let conditions = taken.into_iter().map(|(condition, _)| condition).collect();
            best = Some((score, Part { conditions, guards, shared }));
        }
    }
    best.map(|(_, part)| part)
}

/// The identity of a part: its conditions, with variables numbered in order of occurrence, and the variables of the
/// head.
type Key = (Vec<Formula>, Vec<Formula>, Vec<(Pattern, Pattern)>, Vec<u32>);

/// The parts made so far.
#[derive(Default)]
struct Parts {
    relations: FxHashMap<Key, usize>,
}

impl Parts {
    /// The clause with the part replaced by its relation, and the clause for that relation if it is new.
    fn take_out(&mut self, clause: Clause, part: Part, program: &mut Program) -> (Clause, Option<Clause>) {
        let mut renaming = Renaming::default();
        let mut positive = Vec::new();
        let mut negative = Vec::new();
        let mut distinct = Vec::new();
        for &condition in &part.conditions {
            match condition {
                Condition::Positive(number) => positive.push(renaming.formula(&clause.positive[number])),
                Condition::Negative(number) => negative.push(renaming.formula(&clause.negative[number])),
                Condition::Distinct(number) => {
                    let (left, right) = &clause.distinct[number];
                    distinct.push((renaming.pattern(left), renaming.pattern(right)));
                }
            }
        }
        for &number in &part.guards {
            positive.push(Formula { guard: true, ..renaming.formula(&clause.positive[number]) });
        }
        let shared = |variable: &u32| part.shared >> variable & 1 == 1;
        let outer: Vec<u32> = renaming.old.iter().copied().filter(shared).collect();
        let inner: Vec<u32> = outer.iter().map(|&variable| renaming.variable(variable)).collect();
        let key = (positive, negative, distinct, inner);
        let (relation, definition) = match self.relations.get(&key) {
            Some(&relation) => (relation, None),
            None => {
                let relation = program.relations.len();
                let is_static = key.0.iter().chain(&key.1).all(|formula| program.relations[formula.relation].is_static);
                program.relations.push(RelationKind { name: None, arity: key.3.len(), is_static });
                self.relations.insert(key.clone(), relation);
                let (positive, negative, distinct, inner) = key;
                let head = formula(relation, &inner);
                let variables = renaming.old.len();
                (relation, Some(Clause { head, positive, negative, distinct, variables, place: clause.place }))
            }
        };
        let Clause { head, positive, negative, distinct, variables, place } = clause;
        let taken = |condition: Condition| part.conditions.contains(&condition);
        let left = |(number, formula): (usize, Formula)| (!taken(Condition::Positive(number))).then_some(formula);
        let mut positive: Vec<Formula> = positive.into_iter().enumerate().filter_map(left).collect();
        positive.push(formula(relation, &outer));
        let left = |(number, formula): (usize, Formula)| (!taken(Condition::Negative(number))).then_some(formula);
        let negative = negative.into_iter().enumerate().filter_map(left).collect();
        let left = |(number, pair): (usize, (Pattern, Pattern))| (!taken(Condition::Distinct(number))).then_some(pair);
        let distinct = distinct.into_iter().enumerate().filter_map(left).collect();
        (Clause { head, positive, negative, distinct, variables, place }, definition)
    }
}

fn formula(relation: usize, variables: &[u32]) -> Formula {
    let arguments = variables.iter().map(|&variable| Pattern::Variable(variable)).collect();
    Formula { relation, arguments, guard: false }
}

/// New numbers for variables, in the order of their occurrence.
#[derive(Default)]
struct Renaming {
    old: Vec<u32>,
}

impl Renaming {
    fn variable(&mut self, variable: u32) -> u32 {
        let known = self.old.iter().position(|&old| old == variable);
        known.unwrap_or_else(|| {
            self.old.push(variable);
            self.old.len() - 1
        }) as u32
    }

    fn pattern(&mut self, pattern: &Pattern) -> Pattern {
        match pattern {
            Pattern::Ground(term) => Pattern::Ground(*term),
            Pattern::Variable(variable) => Pattern::Variable(self.variable(*variable)),
            Pattern::Function(name, arguments) => {
                Pattern::Function(*name, arguments.iter().map(|argument| self.pattern(argument)).collect())
            }
        }
    }

    fn formula(&mut self, formula: &Formula) -> Formula {
        let arguments = formula.arguments.iter().map(|argument| self.pattern(argument)).collect();
        Formula { relation: formula.relation, arguments, guard: formula.guard }
    }
}

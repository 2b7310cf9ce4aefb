//! The order in which the conditions of a rule are asked, and what each of them looks up, checks and binds.

use std::ops::Range;

use tesuji_core::InputError;

use super::compile::{Compiler, MOST_KNOWN_COLUMNS, ground, is_known};
use super::once::mark_once;
use super::{Access, Builder, Pattern, RulePlan, Step};
use crate::interpreter::predicates::{Method, Origin, atom_of};
use crate::{Literal, Rule, Term};

/// Of longer bodies, only so many conditions are compared at a time, in their order; no sheet made by hand has as many.
const MOST_COMPARED: usize = 256;

/// The guessed number of facts of a kind that the first state has none of: often pieces that are yet to be put on a
/// board.
const UNKNOWN_SIZE: f64 = 40.0;

/// Added to the cost of a recursive call that knows a function of variables. Conditions outside of the recursion say
/// what the variables can be; asked first, the call would build larger and larger terms.
const GROWING: f64 = 1e12;

/// A condition that waits to be put in order.
struct Waiting<'a> {
    literal: &'a Literal,
    /// Does it start from fresh rows?
    fresh: bool,
    /// Does it lead back to the head, with a function of variables?
    grows: bool,
}

impl Compiler<'_> {
    pub(super) fn rule(
        &mut self,
        rule: &Rule,
        head: &[Term],
        known: u64,
        fresh: Option<usize>,
    ) -> Result<RulePlan, InputError> {
        let mut bound = vec![false; rule.variables.len()];
        let mut question = Vec::new();
        for (_, term) in head.iter().enumerate().filter(|(column, _)| is_known(known, *column)) {
            question.push(self.pattern(term, &mut bound));
        }
        let mut waiting: Vec<Waiting> = rule
            .body
            .iter()
            .enumerate()
            .map(|(position, literal)| {
                let grows = self.grows(rule, literal);
                Waiting { literal, fresh: fresh == Some(position), grows }
            })
            .collect();
        let mut steps = Vec::new();
        while !waiting.is_empty() {
            let chosen = self.choose(&waiting, &bound).or_else(|| self.last_resort(&waiting));
            let Some(chosen) = chosen else { return Err(self.unsafe_rule(rule, &waiting, &bound)) };
            let Waiting { literal, fresh, .. } = waiting.remove(chosen);
            let step = self.step(literal, fresh, &mut bound)?;
            steps.push(step);
        }
        let mut answer = Vec::new();
        for (_, term) in head.iter().enumerate().filter(|(column, _)| !is_known(known, *column)) {
            if let Some(variable) = unbound(term, &bound) {
                return Err(self.unbound_head(rule, variable));
            }
            answer.push(self.builder(term));
        }
        mark_once(&mut steps, &answer, rule.variables.len());
        Ok(RulePlan {
            question: question.into(),
            steps: steps.into(),
            answer: answer.into(),
            variables: rule.variables.len() as u32,
        })
    }

    /// The condition to ask next: the one that is expected to leave the fewest ways to go on.
    fn choose(&self, waiting: &[Waiting], bound: &[bool]) -> Option<usize> {
        let costs = |range: Range<usize>| {
            let cost = |one: &Waiting| Some(self.cost(one, bound)? + if one.grows { GROWING } else { 0.0 });
            let costs = range.filter_map(|index| Some((cost(&waiting[index])?, index)));
            costs.min_by(|left, right| left.0.total_cmp(&right.0).then(left.1.cmp(&right.1))).map(|(_, index)| index)
        };
        let near = waiting.len().min(MOST_COMPARED);
        costs(0..near).or_else(|| costs(near..waiting.len()))
    }

    /// Is a literal about a relation that depends on the rule's own, with a function of variables in a column?
    fn grows(&self, rule: &Rule, literal: &Literal) -> bool {
        let predicates = &self.program.predicates;
        let component = |atom| Some(predicates.list[predicates.of_atom(atom)?.0].component);
        let nested = |term: &Term| matches!(term, Term::Function(..)) && !term.is_ground();
        let Some((atom, _)) = atom_of(literal) else { return false };
        atom.arguments.iter().any(nested)
            && component(atom).is_some_and(|used| {
                Some(used) == component(&rule.head)
                    && predicates.list[predicates.components[used][0]].method == Method::OnDemand
            })
    }

    /// A denial with variables that nothing binds says that there is no such thing at all, as in the reference prover.
    fn last_resort(&self, waiting: &[Waiting]) -> Option<usize> {
        waiting.iter().position(|one| matches!(one.literal, Literal::Fails(_)))
    }

    /// A guess at the number of rows, with a little for the work; `None` if it cannot be asked yet.
    fn cost(&self, waiting: &Waiting, bound: &[bool]) -> Option<f64> {
        let is_bound = |term: &Term| unbound(term, bound).is_none();
        match waiting.literal {
            Literal::Distinct(left, right) => (is_bound(left) && is_bound(right)).then_some(0.0),
            Literal::Same(left, right) => (is_bound(left) || is_bound(right)).then_some(0.0),
            Literal::Fails(atom) => {
                let Some((predicate, arguments)) = self.program.predicates.of_atom(atom) else { return Some(0.0) };
                let cheap = self.program.predicates.list[predicate].method == Method::Given;
                arguments.iter().all(is_bound).then_some(if cheap { 0.1 } else { 0.5 })
            }
            Literal::Holds(_) if waiting.fresh => Some(-1.0),
            Literal::Holds(atom) => {
                let Some((predicate, arguments)) = self.program.predicates.of_atom(atom) else { return Some(0.0) };
                let predicate = &self.program.predicates.list[predicate];
                let ready = |(term, needed): (&Term, &bool)| !*needed || is_bound(term);
                if !arguments.iter().zip(&predicate.needed).all(ready) {
                    return None;
                }
                let (size, work) = match (predicate.origin, predicate.method) {
                    (Origin::Fact(name, arity, function), _) => {
                        (self.sizes.get(&(name, arity, function)).map_or(UNKNOWN_SIZE, |&size| size as f64), 1.0)
                    }
                    (Origin::AnyFact, _) => (100.0, 1.0),
                    (Origin::Does, _) => (2.0, 1.0),
                    (_, Method::Given) => (predicate.facts.len() as f64, 1.0),
                    (_, Method::Whole) => (100.0, 2.0),
                    (_, Method::OnDemand) => (50.0, 3.0),
                };
                let known = arguments.iter().filter(|term| is_bound(term)).count();
                let free = (arguments.len() - known) as f64 / arguments.len().max(1) as f64;
                Some(if free == 0.0 { 0.2 * work } else { work * size.powf(free) })
            }
        }
    }

    fn step(&mut self, literal: &Literal, fresh: bool, bound: &mut [bool]) -> Result<Step, InputError> {
        let (atom, holds) = match literal {
            Literal::Distinct(left, right) => return Ok(Step::Distinct(self.builder(left), self.builder(right))),
            Literal::Same(left, right) => {
                let (known, other) = if unbound(left, bound).is_none() { (left, right) } else { (right, left) };
                let known = self.builder(known);
                return Ok(Step::Same(self.pattern(other, bound), known));
            }
            Literal::Holds(atom) => (atom, true),
            Literal::Fails(atom) => (atom, false),
        };
        let Some((predicate, arguments)) = self.program.predicates.of_atom(atom) else {
            // Nothing of it ever holds, so its denial says nothing.
            return Ok(if holds { Step::Never } else { Step::Same(Pattern::Constant(0), Builder::Constant(0)) });
        };
        let on_demand = self.program.predicates.list[predicate].method == Method::OnDemand;
        let limit = if on_demand { MOST_KNOWN_COLUMNS } else { usize::MAX };
        let (given, free): (Vec<usize>, Vec<usize>) = (0..arguments.len())
            .partition(|&column| !fresh && column < limit && unbound(&arguments[column], bound).is_none());
        let key = given.iter().map(|&column| self.builder(&arguments[column])).collect();
        // Variables of a denial stay its own.
        let mut own = bound.to_vec();
        let scope: &mut [bool] = if holds { bound } else { &mut own };
        let patterns: Vec<Pattern> = free.iter().map(|&column| self.pattern(&arguments[column], scope)).collect();
        if on_demand {
            let known = given.iter().fold(0, |known, column| known | 1 << column);
            let procedure = self.procedure(predicate, known)?;
            let columns = patterns.into_iter().enumerate().map(|(column, pattern)| (column as u32, pattern)).collect();
            return Ok(if holds {
                Step::Call { procedure, key, columns, once: false }
            } else {
                Step::NoAnswer { procedure, key, columns }
            });
        }
        let relation = self.stored(predicate)?;
        let access = if fresh { Access::Fresh } else { self.access(relation, &given, arguments.len()) };
        let columns = free.iter().map(|&column| column as u32).zip(patterns).collect();
        Ok(if holds {
            Step::Rows { relation, access, key, columns, once: false }
        } else {
            Step::NoRow { relation, access, key, columns }
        })
    }

    fn pattern(&mut self, term: &Term, bound: &mut [bool]) -> Pattern {
        match term {
            Term::Variable(variable) if bound[*variable as usize] => Pattern::Known(*variable),
            Term::Variable(variable) => {
                bound[*variable as usize] = true;
                Pattern::Bind(*variable)
            }
            Term::Function(name, arguments) if !term.is_ground() => {
                Pattern::Function(*name, arguments.iter().map(|argument| self.pattern(argument, bound)).collect())
            }
            _ => Pattern::Constant(ground(self.terms, term).0),
        }
    }

    fn builder(&mut self, term: &Term) -> Builder {
        match term {
            Term::Variable(variable) => Builder::Variable(*variable),
            Term::Function(name, arguments) if !term.is_ground() => {
                Builder::Function(*name, arguments.iter().map(|argument| self.builder(argument)).collect())
            }
            _ => Builder::Constant(ground(self.terms, term).0),
        }
    }

    fn unsafe_rule(&self, rule: &Rule, waiting: &[Waiting], bound: &[bool]) -> InputError {
        let name = waiting.iter().find_map(|one| match one.literal {
            Literal::Holds(atom) | Literal::Fails(atom) => atom.arguments.iter().find_map(|term| unbound(term, bound)),
            Literal::Distinct(left, right) | Literal::Same(left, right) => {
                unbound(left, bound).or_else(|| unbound(right, bound))
            }
        });
        self.unbound_head(rule, name.unwrap_or_default())
    }

    fn unbound_head(&self, rule: &Rule, variable: u32) -> InputError {
        let name = rule.variables.get(variable as usize).map_or("?", |&name| self.sheet.symbols.text(name));
        let name = if name.starts_with('?') { name } else { "of the head" };
        self.sheet
            .error(rule.place, format!("nothing gives the variable {name} a value"))
            .with_help("every variable must stand in a condition that is neither `not` nor `distinct`")
    }
}

/// A variable of the term that has no value yet.
fn unbound(term: &Term, bound: &[bool]) -> Option<u32> {
    let mut found = None;
    term.variables(&mut |variable| {
        if !bound[variable as usize] {
            found = found.or(Some(variable));
        }
    });
    found
}

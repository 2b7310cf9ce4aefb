//! Answers to questions about any relation of a sheet, with any of its columns known.
//!
//! The interpreter answers the questions of a match only. The oracle gives it a larger sheet: for each relation and
//! each set of known columns that an explanation can need, a rule
//! `(<= (legal (ask KNOWN…) (answer OTHER…)) CONDITION)`. The sheet's own `legal` has another name there.

use rustc_hash::FxHashMap;
use tesuji_core::InputError;

use crate::interpreter::predicates::{Origin, Predicates, origin};
use crate::interpreter::{Facts, Interpreter, Limits};
use crate::symbols::keyword;
use crate::{Atom, GroundTerm, Literal, Rule, Sheet, Symbol, Term};

/// The values of a rule's variables, by number.
pub(super) type Bindings = Vec<Option<GroundTerm>>;

/// What the explainer knows about a sheet.
pub(super) struct Oracle {
    /// The sheet as written, with the words of the questions among its names.
    pub sheet: Sheet,
    /// Its relations.
    pub predicates: Predicates,
    /// The interpreter of the larger sheet.
    pub interpreter: Interpreter,
    probes: FxHashMap<(usize, u64), Symbol>,
}

/// A state and the moves that follow it, ready to be asked about.
pub(super) struct Situation<'a> {
    /// The state.
    pub state: &'a Facts,
    /// The moves; empty after the last one.
    pub joint: &'a [GroundTerm],
    /// The facts by name, number of arguments and whether they have parentheses.
    by_shape: FxHashMap<(Symbol, usize, bool), Vec<GroundTerm>>,
}

impl Oracle {
    /// Makes a sheet ready for questions like these, and for all that their explanations need.
    pub(super) fn new(sheet: Sheet, questions: &[Atom], limits: Limits) -> Result<Oracle, InputError> {
        let predicates = Predicates::of(&sheet);
        let mut waiting: Vec<(usize, u64)> = Vec::new();
        for (index, predicate) in predicates.list.iter().enumerate() {
            if matches!(predicate.origin, Origin::Defined(..)) {
                waiting.push((index, mask(predicate.arity, |_| true)));
            }
        }
        for question in questions {
            if let Some((index, columns)) = predicates.of_atom(question)
                && matches!(predicates.list[index].origin, Origin::Defined(..))
            {
                waiting.push((index, mask(columns.len(), |column| columns[column].is_ground())));
            }
        }
        let mut larger = sheet.clone();
        let legal = larger.symbols.intern("the sheet's legal");
        let rename = |atom: &mut Atom| {
            if atom.relation == keyword::LEGAL {
                atom.relation = legal;
            }
        };
        for rule in &mut larger.rules {
            rename(&mut rule.head);
            for literal in &mut rule.body {
                if let Literal::Holds(atom) | Literal::Fails(atom) = literal {
                    rename(atom);
                }
            }
        }
        let answer = larger.symbols.intern("an answer");
        let mut probes = FxHashMap::default();
        while let Some((index, known)) = waiting.pop() {
            if probes.contains_key(&(index, known)) {
                continue;
            }
            let predicate = &predicates.list[index];
            // A column that must be known cannot be asked for.
            if predicate.needed.iter().enumerate().any(|(column, needed)| *needed && !is_known(known, column)) {
                continue;
            }
            let name = larger.symbols.intern(&format!("question {}", probes.len()));
            probes.insert((index, known), name);
            let Origin::Defined(relation, arity, bare_list) = predicate.origin else { continue };
            let (mut key, mut rest) = (Vec::new(), Vec::new());
            for column in 0..arity {
                let side = if is_known(known, column) { &mut key } else { &mut rest };
                side.push(Term::Variable(column as u32));
            }
            let relation = if relation == keyword::LEGAL { legal } else { relation };
            let arguments = (0..arity as u32).map(Term::Variable).collect();
            let variables = (0..arity).map(|column| larger.symbols.intern(&format!("?{column}"))).collect();
            larger.rules.push(Rule {
                head: Atom {
                    relation: keyword::LEGAL,
                    arguments: vec![Term::Function(name, key), Term::Function(answer, rest)],
                    bare_list: false,
                },
                body: vec![Literal::Holds(Atom { relation, arguments, bare_list })],
                variables,
                place: predicate.rules.first().map_or_else(Default::default, |&rule| sheet.rules[rule].place),
            });
            for &number in &predicate.rules {
                let rule = &sheet.rules[number];
                let mut bound = bound_by_head(rule, known);
                for position in order(&predicates, rule, &mut bound.clone()) {
                    let literal = &rule.body[position];
                    if let Literal::Holds(atom) | Literal::Fails(atom) = literal
                        && let Some((used, columns)) = predicates.of_atom(atom)
                        && matches!(predicates.list[used].origin, Origin::Defined(..))
                    {
                        waiting.push((used, mask(columns.len(), |column| is_bound(&columns[column], &bound))));
                    }
                    bind_by(literal, &mut bound);
                }
            }
        }
        let interpreter = Interpreter::new(&larger, limits)?;
        Ok(Oracle { sheet, predicates, interpreter, probes })
    }

    /// A state with the moves that follow it.
    pub(super) fn situation<'a>(&self, state: &'a Facts, joint: &'a [GroundTerm]) -> Situation<'a> {
        let mut by_shape: FxHashMap<_, Vec<GroundTerm>> = FxHashMap::default();
        self.interpreter.with_terms(|terms| {
            for &fact in state.terms() {
                let shape = (terms.name(fact), terms.arguments(fact).len(), terms.is_function(fact));
                by_shape.entry(shape).or_default().push(fact);
            }
        });
        Situation { state, joint, by_shape }
    }

    /// The rows of an atom's columns that can match it, as far as its variables have values.
    pub(super) fn rows(
        &self,
        situation: &Situation,
        atom: &Atom,
        bindings: &Bindings,
    ) -> Result<Vec<Vec<GroundTerm>>, InputError> {
        let Some((origin, columns)) = origin(atom) else { return Ok(Vec::new()) };
        match origin {
            Origin::Fact(name, arity, function) => {
                let facts = situation.by_shape.get(&(name, arity, function)).map_or(&[][..], Vec::as_slice);
                let row = |terms: &crate::Terms, &fact: &GroundTerm| terms.arguments(fact).to_vec();
                Ok(self.interpreter.with_terms(|terms| facts.iter().map(|fact| row(terms, fact)).collect()))
            }
            Origin::AnyFact => Ok(situation.state.terms().iter().map(|&fact| vec![fact]).collect()),
            Origin::Does => {
                let pairs = self.interpreter.roles().iter().zip(situation.joint);
                Ok(pairs.map(|(&role, &action)| vec![role, action]).collect())
            }
            Origin::Defined(..) => {
                let columns: Vec<Option<GroundTerm>> = columns.iter().map(|term| self.ground(term, bindings)).collect();
                match self.predicates.find(origin) {
                    Some(predicate) => self.answers(situation, predicate, &columns),
                    None => Ok(Vec::new()),
                }
            }
        }
    }

    /// The rows of a relation that agree with the known columns.
    pub(super) fn answers(
        &self,
        situation: &Situation,
        predicate: usize,
        columns: &[Option<GroundTerm>],
    ) -> Result<Vec<Vec<GroundTerm>>, InputError> {
        let asked = mask(columns.len(), |column| columns[column].is_some());
        // A question that was not prepared is asked with fewer columns, and the rows are compared.
        let prepared = |known: &u64| self.probes.get(&(predicate, *known)).map(|&probe| (*known, probe));
        let fewer = || {
            let probes = self.probes.keys().filter(|(index, known)| *index == predicate && known & !asked == 0);
            probes.map(|(_, known)| *known).max_by_key(|known| (known.count_ones(), *known))
        };
        let Some((known, probe)) = prepared(&asked).or_else(|| prepared(&fewer()?)) else {
            return Err(InputError::new("a question that was not prepared"));
        };
        let key: Vec<GroundTerm> = columns
            .iter()
            .enumerate()
            .filter(|(column, _)| is_known(known, *column))
            .filter_map(|(_, value)| *value)
            .collect();
        let key = self.interpreter.intern(probe, true, &key);
        let answers = self.interpreter.ask_legal(situation.state, situation.joint, key)?;
        Ok(self.interpreter.with_terms(|terms| {
            let row = |answer: &GroundTerm| {
                let mut rest = terms.arguments(*answer).iter();
                let value = |column: usize| {
                    if is_known(known, column) { columns[column] } else { rest.next().copied() }
                };
                (0..columns.len()).filter_map(value).collect()
            };
            let agrees = |row: &Vec<GroundTerm>| {
                row.iter().zip(columns).all(|(value, column)| column.is_none_or(|column| column == *value))
            };
            answers.iter().map(row).filter(agrees).collect()
        }))
    }

    /// The term with the values of its variables; `None` if one has no value.
    pub(super) fn ground(&self, term: &Term, bindings: &Bindings) -> Option<GroundTerm> {
        match term {
            Term::Variable(variable) => bindings.get(*variable as usize).copied().flatten(),
            Term::Constant(name) => Some(self.interpreter.intern(*name, false, &[])),
            Term::Function(name, arguments) => {
                let arguments: Option<Vec<GroundTerm>> =
                    arguments.iter().map(|argument| self.ground(argument, bindings)).collect();
                Some(self.interpreter.intern(*name, true, &arguments?))
            }
        }
    }

    /// Makes the term equal to a value by giving values to its variables; false if that is impossible.
    pub(super) fn matches(&self, term: &Term, value: GroundTerm, bindings: &mut Bindings) -> bool {
        self.interpreter.with_terms(|terms| matches(terms, term, value, bindings))
    }
}

fn matches(terms: &crate::Terms, term: &Term, value: GroundTerm, bindings: &mut Bindings) -> bool {
    match term {
        Term::Variable(variable) => match &mut bindings[*variable as usize] {
            Some(known) => *known == value,
            free => {
                *free = Some(value);
                true
            }
        },
        Term::Constant(name) => !terms.is_function(value) && terms.name(value) == *name,
        Term::Function(name, arguments) => {
            let values = terms.arguments(value);
            terms.is_function(value)
                && terms.name(value) == *name
                && values.len() == arguments.len()
                && arguments.iter().zip(values).all(|(term, &value)| matches(terms, term, value, bindings))
        }
    }
}

/// The order in which the conditions of a rule are tried: as written, but conditions that only compare come as soon as
/// their variables have values.
pub(super) fn order(predicates: &Predicates, rule: &Rule, bound: &mut [bool]) -> Vec<usize> {
    let mut waiting: Vec<usize> = (0..rule.body.len()).collect();
    let mut order = Vec::new();
    while !waiting.is_empty() {
        let compares = |position: &usize| match &rule.body[*position] {
            Literal::Holds(atom) | Literal::Fails(atom) => atom.arguments.iter().all(|term| is_bound(term, bound)),
            Literal::Distinct(left, right) => is_bound(left, bound) && is_bound(right, bound),
            Literal::Same(left, right) => is_bound(left, bound) || is_bound(right, bound),
        };
        let can_be_asked = |position: &usize| match &rule.body[*position] {
            Literal::Holds(atom) => predicates.of_atom(atom).is_none_or(|(used, columns)| {
                let needed = &predicates.list[used].needed;
                columns.iter().zip(needed).all(|(term, needed)| !needed || is_bound(term, bound))
            }),
            _ => false,
        };
        let chosen = waiting.iter().position(compares).or_else(|| waiting.iter().position(can_be_asked)).unwrap_or(0);
        let position = waiting.remove(chosen);
        bind_by(&rule.body[position], bound);
        order.push(position);
    }
    order
}

/// The variables that have values when these columns of the head are known.
pub(super) fn bound_by_head(rule: &Rule, known: u64) -> Vec<bool> {
    let mut bound = vec![false; rule.variables.len()];
    let columns = origin(&rule.head).map_or(&[][..], |(_, columns)| columns);
    for (column, term) in columns.iter().enumerate() {
        if is_known(known, column) {
            term.variables(&mut |variable| bound[variable as usize] = true);
        }
    }
    bound
}

fn bind_by(literal: &Literal, bound: &mut [bool]) {
    let mut bind = |term: &Term| term.variables(&mut |variable| bound[variable as usize] = true);
    match literal {
        Literal::Holds(atom) => atom.arguments.iter().for_each(bind),
        Literal::Same(left, right) => {
            bind(left);
            bind(right);
        }
        Literal::Fails(_) | Literal::Distinct(..) => {}
    }
}

fn is_bound(term: &Term, bound: &[bool]) -> bool {
    let mut all = true;
    term.variables(&mut |variable| all &= bound[variable as usize]);
    all
}

/// The columns for which `known` is true, as bits. Columns beyond the 64th are never known.
pub(super) fn mask(columns: usize, known: impl Fn(usize) -> bool) -> u64 {
    (0..columns.min(64)).filter(|&column| known(column)).fold(0, |mask, column| mask | 1 << column)
}

fn is_known(mask: u64, column: usize) -> bool {
    column < 64 && mask >> column & 1 == 1
}

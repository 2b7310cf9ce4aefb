//! The plain evaluator: rules applied from the bottom up, stratum by stratum, until nothing changes.
//!
//! It shares no code with the engines, not even the reader: it takes the sheet as the generator built it.

use std::collections::{BTreeSet, HashMap};

use tesuji_core::InputError;
use tesuji_gdl::{Referee, View};

use super::sheet::{Atom, Conjunction, RandomSheet, Term, conjunctions};

/// The most rows looked at for one state. A sheet that needs more is skipped.
const MOST_STEPS: u64 = 100_000;

/// The most facts of a state. A sheet that comes to more is skipped.
const MOST_FACTS: usize = 2_000;

/// The message of an evaluation that gave up.
pub(crate) const TOO_LARGE: &str = "too large for the plain evaluator";

type Signature = (&'static str, usize);
type Database = HashMap<Signature, BTreeSet<Vec<Term>>>;
type Values = [Option<Term>; 8];

/// A sheet with a state.
pub(crate) struct Plain {
    roles: Vec<&'static str>,
    /// Rules without `or`, by stratum.
    strata: Vec<Vec<(Atom, Conjunction)>>,
    state: BTreeSet<Vec<Term>>,
    initial: BTreeSet<Vec<Term>>,
    /// What holds in the current state before anybody moves, once it was asked for.
    seen: Option<Database>,
}

fn signature(atom: &Atom) -> Signature {
    (atom.relation, atom.arguments.len())
}

impl Plain {
    /// The sheet in its first state.
    pub(crate) fn new(sheet: &RandomSheet) -> Result<Plain, InputError> {
        let mut rules: Vec<(Atom, Conjunction)> = Vec::new();
        for role in &sheet.roles {
            let head = Atom { relation: "role", arguments: vec![Term::Constant(role)] };
            rules.push((head, Conjunction::default()));
        }
        for rule in &sheet.rules {
            rules.extend(conjunctions(&rule.body).into_iter().map(|body| (rule.head.clone(), body)));
        }
        let strata = stratified(rules).ok_or_else(|| InputError::new("the sheet is not stratified"))?;
        let mut plain =
            Plain { roles: sheet.roles.clone(), strata, state: BTreeSet::new(), initial: BTreeSet::new(), seen: None };
        plain.initial = plain.evaluate(&[])?.remove(&("init", 1)).unwrap_or_default();
        plain.state = plain.initial.clone();
        Ok(plain)
    }

    /// Everything that holds in the current state if these moves are done.
    fn evaluate(&self, joint: &[Term]) -> Result<Database, InputError> {
        let mut database = Database::new();
        database.insert(("true", 1), self.state.clone());
        let done = self.roles.iter().zip(joint).map(|(role, action)| vec![Term::Constant(role), action.clone()]);
        database.insert(("does", 2), done.collect());
        let mut steps = 0;
        for rules in &self.strata {
            loop {
                let mut changed = false;
                for (head, body) in rules {
                    let mut found = Vec::new();
                    solve(&database, head, body, 0, &mut Values::default(), &mut found, &mut steps);
                    if steps > MOST_STEPS {
                        return Err(InputError::new(TOO_LARGE));
                    }
                    let rows = database.entry(signature(head)).or_default();
                    found.into_iter().for_each(|row| changed |= rows.insert(row));
                }
                if !changed {
                    break;
                }
            }
        }
        Ok(database)
    }
}

/// The rules by stratum; `None` if a relation depends on its own negation.
fn stratified(rules: Vec<(Atom, Conjunction)>) -> Option<Vec<Vec<(Atom, Conjunction)>>> {
    let mut stratum: HashMap<Signature, usize> = HashMap::new();
    loop {
        let mut changed = false;
        for (head, body) in &rules {
            let of = |atom: &Atom| stratum.get(&signature(atom)).copied().unwrap_or(0);
            let above = body.fails.iter().map(|atom| of(atom) + 1);
            let least = body.holds.iter().map(of).chain(above).max().unwrap_or(0);
            if least > rules.len() {
                return None;
            }
            if of(head) < least {
                stratum.insert(signature(head), least);
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    let of = |atom: &Atom| stratum.get(&signature(atom)).copied().unwrap_or(0);
    let mut strata = vec![Vec::new(); stratum.values().max().map_or(1, |most| most + 1)];
    for rule in rules {
        strata[of(&rule.0)].push(rule);
    }
    Some(strata)
}

/// Adds the heads that a rule gives, from its condition number `position` on.
fn solve(
    database: &Database,
    head: &Atom,
    body: &Conjunction,
    position: usize,
    values: &mut Values,
    found: &mut Vec<Vec<Term>>,
    steps: &mut u64,
) {
    let row_of = |atom: &Atom, values: &Values| -> Vec<Term> {
        atom.arguments.iter().map(|term| replaced(term, values)).collect()
    };
    let Some(atom) = body.holds.get(position) else {
        let fails =
            |atom: &Atom| !database.get(&signature(atom)).is_some_and(|rows| rows.contains(&row_of(atom, values)));
        let fits =
            |(left, right, differ): &(Term, Term, bool)| (replaced(left, values) != replaced(right, values)) == *differ;
        if body.fails.iter().all(fails) && body.compared.iter().all(fits) {
            found.push(row_of(head, values));
        }
        return;
    };
    let Some(rows) = database.get(&signature(atom)) else { return };
    for row in rows {
        *steps += 1;
        if *steps > MOST_STEPS {
            return;
        }
        let known: [bool; 8] = std::array::from_fn(|variable| values[variable].is_some());
        if atom.arguments.iter().zip(row).all(|(pattern, value)| fits(pattern, value, values)) {
            solve(database, head, body, position + 1, values, found, steps);
        }
        values.iter_mut().zip(known).filter(|(_, known)| !known).for_each(|(value, _)| *value = None);
    }
}

fn fits(pattern: &Term, value: &Term, values: &mut Values) -> bool {
    match (pattern, value) {
        (Term::Variable(variable), _) => match &values[usize::from(*variable)] {
            Some(known) => known == value,
            None => {
                values[usize::from(*variable)] = Some(value.clone());
                true
            }
        },
        (Term::Function(name, patterns), Term::Function(other, arguments)) => {
            name == other
                && patterns.len() == arguments.len()
                && patterns.iter().zip(arguments.iter()).all(|(pattern, value)| fits(pattern, value, values))
        }
        _ => pattern == value,
    }
}

fn replaced(term: &Term, values: &Values) -> Term {
    match term {
        Term::Variable(variable) => values[usize::from(*variable)].clone().expect("generated rules are safe"),
        Term::Constant(_) => term.clone(),
        Term::Function(name, arguments) => {
            Term::Function(name, arguments.iter().map(|argument| replaced(argument, values)).collect())
        }
    }
}

fn texts<'a>(terms: impl Iterator<Item = &'a Term>) -> Vec<String> {
    let mut texts: Vec<String> = terms.map(Term::to_string).collect();
    texts.sort_unstable();
    texts
}

impl Referee for Plain {
    fn engine(&self) -> &str {
        "plain evaluator"
    }

    fn roles(&self) -> Vec<String> {
        self.roles.iter().map(|&role| role.to_owned()).collect()
    }

    fn restart(&mut self) -> Result<(), InputError> {
        self.state = self.initial.clone();
        self.seen = None;
        Ok(())
    }

    fn view(&mut self) -> Result<View, InputError> {
        let database = match self.seen.take() {
            Some(database) => database,
            None => self.evaluate(&[])?,
        };
        let database = &*self.seen.insert(database);
        let none = BTreeSet::new();
        let rows = |signature: Signature| database.get(&signature).unwrap_or(&none);
        let terminal = !rows(("terminal", 0)).is_empty();
        let of_role = |name: &'static str, role: &'static str| {
            rows((name, 2)).iter().filter(move |row| row[0] == Term::Constant(role)).map(|row| &row[1])
        };
        let legal = |role: &&'static str| if terminal { Vec::new() } else { texts(of_role("legal", role)) };
        let goals = |role: &&'static str| -> Vec<i32> {
            let values: BTreeSet<i32> =
                of_role("goal", role).filter_map(|term| term.to_string().parse().ok()).collect();
            values.into_iter().collect()
        };
        Ok(View {
            facts: texts(self.state.iter().map(|row| &row[0])),
            legal: self.roles.iter().map(legal).collect(),
            terminal,
            goals: self.roles.iter().map(goals).collect(),
        })
    }

    fn step(&mut self, joint: &[String]) -> Result<(), InputError> {
        let legal = self.seen.as_ref().and_then(|database| database.get(&("legal", 2))).into_iter().flatten();
        let joint: Vec<Term> = self
            .roles
            .iter()
            .zip(joint)
            .filter_map(|(role, text)| {
                let mut own = legal.clone().filter(|row| row[0] == Term::Constant(role));
                own.find(|row| row[1].to_string() == *text).map(|row| row[1].clone())
            })
            .collect();
        let mut database = self.evaluate(&joint)?;
        self.state = database.remove(&("next", 1)).unwrap_or_default();
        let percepts = database.remove(&("sees", 2)).unwrap_or_default();
        self.state.extend(percepts.into_iter().map(|row| vec![Term::function("sees", row)]));
        if self.state.len() > MOST_FACTS {
            return Err(InputError::new(TOO_LARGE));
        }
        self.seen = None;
        Ok(())
    }
}

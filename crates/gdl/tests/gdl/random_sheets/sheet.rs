//! A rule sheet as the generator writes it: the syntax of GDL before any reader or normal form.

use std::fmt;
use std::rc::Rc;

/// A term. Terms without variables are also the values of the plain evaluator.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum Term {
    Variable(u8),
    Constant(&'static str),
    Function(&'static str, Rc<[Term]>),
}

impl Term {
    pub(crate) fn function(name: &'static str, arguments: Vec<Term>) -> Term {
        if arguments.is_empty() { Term::Constant(name) } else { Term::Function(name, arguments.into()) }
    }

    pub(crate) fn variables(&self, visit: &mut impl FnMut(u8)) {
        match self {
            Term::Variable(variable) => visit(*variable),
            Term::Constant(_) => {}
            Term::Function(_, arguments) => arguments.iter().for_each(|argument| argument.variables(visit)),
        }
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Term::Variable(variable) => write!(f, "?{}", char::from(b'u' + variable)),
            Term::Constant(name) => f.write_str(name),
            Term::Function(name, arguments) => list(f, name, arguments),
        }
    }
}

fn list(f: &mut fmt::Formatter<'_>, name: &str, arguments: &[impl fmt::Display]) -> fmt::Result {
    write!(f, "({name}")?;
    arguments.iter().try_for_each(|argument| write!(f, " {argument}"))?;
    f.write_str(")")
}

/// A relation of terms.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Atom {
    pub relation: &'static str,
    pub arguments: Vec<Term>,
}

impl Atom {
    pub(crate) fn variables(&self, visit: &mut impl FnMut(u8)) {
        self.arguments.iter().for_each(|argument| argument.variables(visit));
    }
}

impl fmt::Display for Atom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.arguments.is_empty() { f.write_str(self.relation) } else { list(f, self.relation, &self.arguments) }
    }
}

/// A condition of a rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Formula {
    Holds(Atom),
    Distinct(Term, Term),
    Not(Box<Formula>),
    Or(Vec<Formula>),
    And(Vec<Formula>),
}

impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Formula::Holds(atom) => atom.fmt(f),
            Formula::Distinct(left, right) => write!(f, "(distinct {left} {right})"),
            Formula::Not(inner) => write!(f, "(not {inner})"),
            Formula::Or(parts) => list(f, "or", parts),
            Formula::And(parts) => list(f, "and", parts),
        }
    }
}

/// A rule, or a fact if the body is empty.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Rule {
    pub head: Atom,
    pub body: Vec<Formula>,
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.body.is_empty() {
            return self.head.fmt(f);
        }
        write!(f, "(<= {}", self.head)?;
        self.body.iter().try_for_each(|condition| write!(f, " {condition}"))?;
        f.write_str(")")
    }
}

/// A rule sheet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct RandomSheet {
    pub roles: Vec<&'static str>,
    pub rules: Vec<Rule>,
}

impl fmt::Display for RandomSheet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.roles.iter().try_for_each(|role| writeln!(f, "(role {role})"))?;
        self.rules.iter().try_for_each(|rule| writeln!(f, "{rule}"))
    }
}

/// A body without `or`, as the plain evaluator and the check for safe variables use it.
#[derive(Clone, Default, Debug)]
pub(crate) struct Conjunction {
    pub holds: Vec<Atom>,
    pub fails: Vec<Atom>,
    /// Two terms, and whether they must differ.
    pub compared: Vec<(Term, Term, bool)>,
}

/// The conjunctions that a body stands for.
pub(crate) fn conjunctions(body: &[Formula]) -> Vec<Conjunction> {
    all(body, true)
}

fn all(parts: &[Formula], wanted: bool) -> Vec<Conjunction> {
    let mut found = vec![Conjunction::default()];
    for part in parts {
        let alternatives = alternatives(part, wanted);
        found = found.iter().flat_map(|one| alternatives.iter().map(|other| both(one, other))).collect();
    }
    found
}

fn both(one: &Conjunction, other: &Conjunction) -> Conjunction {
    Conjunction {
        holds: [&one.holds[..], &other.holds].concat(),
        fails: [&one.fails[..], &other.fails].concat(),
        compared: [&one.compared[..], &other.compared].concat(),
    }
}

fn alternatives(formula: &Formula, wanted: bool) -> Vec<Conjunction> {
    match formula {
        Formula::Holds(atom) if wanted => vec![Conjunction { holds: vec![atom.clone()], ..Conjunction::default() }],
        Formula::Holds(atom) => vec![Conjunction { fails: vec![atom.clone()], ..Conjunction::default() }],
        Formula::Distinct(left, right) => {
            let compared = vec![(left.clone(), right.clone(), wanted)];
            vec![Conjunction { compared, ..Conjunction::default() }]
        }
        Formula::Not(inner) => alternatives(inner, !wanted),
        Formula::Or(parts) if wanted => parts.iter().flat_map(|part| alternatives(part, true)).collect(),
        Formula::And(parts) if !wanted => parts.iter().flat_map(|part| alternatives(part, false)).collect(),
        Formula::Or(parts) | Formula::And(parts) => all(parts, wanted),
    }
}

/// Does a positive condition bind every variable of the rule that needs a value?
pub(crate) fn is_safe(rule: &Rule) -> bool {
    conjunctions(&rule.body).iter().all(|body| {
        let mut bound = [false; 256];
        body.holds.iter().for_each(|atom| atom.variables(&mut |variable| bound[usize::from(variable)] = true));
        let mut safe = true;
        let mut check = |variable: u8| safe &= bound[usize::from(variable)];
        rule.head.variables(&mut check);
        body.fails.iter().for_each(|atom| atom.variables(&mut check));
        body.compared.iter().for_each(|(left, right, _)| {
            left.variables(&mut check);
            right.variables(&mut check);
        });
        safe
    })
}

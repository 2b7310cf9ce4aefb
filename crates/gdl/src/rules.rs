//! A rule sheet in normal form: every rule has one head and a conjunction of literals.

use tesuji_core::{InputError, Source};

use crate::symbols::keyword;
use crate::{Place, Symbol, Symbols, kif, normal, percepts};

/// A term, possibly with variables.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Term {
    /// A name.
    Constant(Symbol),
    /// A variable, by its number in its rule.
    Variable(u32),
    /// A function of terms. `(f)`, without arguments, is not the same as `f`.
    Function(Symbol, Vec<Term>),
}

impl Term {
    /// Calls `visit` with every variable in the term, as often as it occurs.
    pub fn variables(&self, visit: &mut impl FnMut(u32)) {
        match self {
            Term::Constant(_) => {}
            Term::Variable(variable) => visit(*variable),
            Term::Function(_, arguments) => arguments.iter().for_each(|argument| argument.variables(visit)),
        }
    }

    /// Whether it has no variables.
    pub(crate) fn is_ground(&self) -> bool {
        match self {
            Term::Constant(_) => true,
            Term::Variable(_) => false,
            Term::Function(_, arguments) => arguments.iter().all(Term::is_ground),
        }
    }
}

/// A relation applied to terms. The keywords `true`, `does`, `legal`, `next`, … are relations like any other here.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Atom {
    /// Its name.
    pub relation: Symbol,
    /// Its arguments.
    pub arguments: Vec<Term>,
    /// Whether it was written `(name)`, in parentheses without arguments. For the reference prover of GGP-Base this
    /// differs from `name`, except for keywords, where it is never set.
    pub bare_list: bool,
}

impl Atom {
    /// Name, number of arguments and form: relations are equal if these are equal.
    pub fn signature(&self) -> (Symbol, usize, bool) {
        (self.relation, self.arguments.len(), self.bare_list)
    }
}

/// One condition of a rule.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Literal {
    /// The atom holds.
    Holds(Atom),
    /// The atom does not hold.
    Fails(Atom),
    /// The terms differ.
    Distinct(Term, Term),
    /// The terms are equal, as in `(not (distinct …))`.
    Same(Term, Term),
}

/// A rule: the head holds if all of the body does. A fact is a rule without a body.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rule {
    /// The conclusion.
    pub head: Atom,
    /// The conditions.
    pub body: Vec<Literal>,
    /// The names of the variables, by number.
    pub variables: Vec<Symbol>,
    /// The clause it comes from. A clause with `or` produces several rules.
    pub place: Place,
}

/// A parsed rule sheet: well-formed clauses, not yet validated.
#[derive(Clone, Debug)]
pub struct Sheet {
    /// The text it came from.
    pub source: Source,
    /// The names.
    pub symbols: Symbols,
    /// The rules, in the order of the text. If some of them hide moves by `sees`, one more follows, which keeps
    /// percepts as facts of the next state.
    pub rules: Vec<Rule>,
}

impl Sheet {
    /// Parses a text. Syntax errors are reported with their location; semantic errors are left to the validator.
    pub fn read(source: Source) -> Result<Sheet, InputError> {
        let expressions = kif::read(&source)?;
        let mut symbols = Symbols::default();
        let mut rules = normal::rules(&expressions, &source, &mut symbols)?;
        percepts::keep_percepts(&mut rules, &mut symbols);
        Ok(Sheet { source, symbols, rules })
    }

    /// The roles, in the order of their statements.
    pub fn roles(&self) -> Vec<Symbol> {
        let mut roles = Vec::new();
        for rule in self.rules.iter().filter(|rule| rule.head.relation == keyword::ROLE && rule.body.is_empty()) {
            if let [Term::Constant(role)] = rule.head.arguments[..]
                && !roles.contains(&role)
            {
                roles.push(role);
            }
        }
        roles
    }

    /// Whether the sheet says what its roles perceive (GDL-II), and does not show all moves to all of them: moves and
    /// states are then hidden.
    pub fn has_percepts(&self) -> bool {
        percepts::hide(&self.rules)
    }

    /// An error about a part of the text.
    pub fn error(&self, place: Place, message: impl Into<String>) -> InputError {
        place.error(&self.source, message)
    }

    /// The text of a rule: `(<= (next (heap ?m)) (true (heap ?n)) (less ?n ?m))`.
    pub fn rule_text(&self, rule: &Rule) -> String {
        let head = self.atom_text(&rule.head, rule);
        let body: Vec<String> = rule.body.iter().map(|literal| self.literal_text(literal, rule)).collect();
        if body.is_empty() { head } else { format!("(<= {head} {})", body.join(" ")) }
    }

    /// The text of a condition, with the rule's own variable names.
    pub(crate) fn literal_text(&self, literal: &Literal, rule: &Rule) -> String {
        let term = |term: &Term| self.term_text(term, rule);
        match literal {
            Literal::Holds(atom) => self.atom_text(atom, rule),
            Literal::Fails(atom) => format!("(not {})", self.atom_text(atom, rule)),
            Literal::Distinct(left, right) => format!("(distinct {} {})", term(left), term(right)),
            Literal::Same(left, right) => format!("(not (distinct {} {}))", term(left), term(right)),
        }
    }

    /// The text of an atom, with the rule's own variable names.
    pub(crate) fn atom_text(&self, atom: &Atom, rule: &Rule) -> String {
        if atom.arguments.is_empty() {
            let name = self.symbols.text(atom.relation);
            return if atom.bare_list { format!("({name})") } else { name.to_owned() };
        }
        let arguments: Vec<String> = atom.arguments.iter().map(|term| self.term_text(term, rule)).collect();
        format!("({} {})", self.symbols.text(atom.relation), arguments.join(" "))
    }

    /// The text of a term, with the rule's own variable names.
    pub(crate) fn term_text(&self, term: &Term, rule: &Rule) -> String {
        match term {
            Term::Constant(symbol) => self.symbols.text(*symbol).to_owned(),
            Term::Variable(variable) => {
                rule.variables.get(*variable as usize).map_or("?", |&name| self.symbols.text(name)).to_owned()
            }
            Term::Function(name, arguments) => {
                let mut text = format!("({}", self.symbols.text(*name));
                for argument in arguments {
                    text.push(' ');
                    text.push_str(&self.term_text(argument, rule));
                }
                text.push(')');
                text
            }
        }
    }
}

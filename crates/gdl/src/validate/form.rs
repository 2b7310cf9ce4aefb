//! Checks of keywords, names and numbers of arguments.

use rustc_hash::FxHashMap;
use tesuji_core::{InputError, near};

use super::{FirstSeen, Inspection, Severity};
use crate::interpreter::predicates::{Level, Origin, atom_of};
use crate::kif::{self, Expression};
use crate::symbols::keyword;
use crate::{Atom, Symbol, Term};

/// The keywords that are relations, with their number of arguments.
const KEYWORD_ARITIES: [(Symbol, usize); 11] = [
    (keyword::ROLE, 1),
    (keyword::INIT, 1),
    (keyword::TRUE, 1),
    (keyword::DOES, 2),
    (keyword::LEGAL, 2),
    (keyword::NEXT, 1),
    (keyword::TERMINAL, 0),
    (keyword::GOAL, 2),
    (keyword::BASE, 1),
    (keyword::INPUT, 2),
    (keyword::SEES, 2),
];

impl Inspection<'_> {
    pub(super) fn missing_keywords(&mut self) {
        let heads: Vec<Symbol> = self.sheet.rules.iter().map(|rule| rule.head.relation).collect();
        let wanted = [
            (keyword::ROLE, Severity::Error, "there are no players: no `role` is defined", "`(role white)`"),
            (
                keyword::LEGAL,
                Severity::Error,
                "no move is ever legal: no `legal` is defined",
                "`(<= (legal white (…)) …)`",
            ),
            (keyword::TERMINAL, Severity::Error, "no match ever ends: no `terminal` is defined", "`(<= terminal …)`"),
            (keyword::GOAL, Severity::Error, "nobody gets a payoff: no `goal` is defined", "`(<= (goal white 100) …)`"),
            (keyword::INIT, Severity::Warning, "the initial state is empty: no `init` is defined", "`(init (…))`"),
            (
                keyword::NEXT,
                Severity::Warning,
                "every later state is empty: no `next` is defined",
                "`(<= (next (…)) …)`",
            ),
        ];
        for (word, severity, message, help) in wanted {
            if !heads.contains(&word) {
                let error = InputError::new(message).in_file(self.sheet.source.name()).with_help(help);
                self.add(severity, error);
            }
        }
        if heads.contains(&keyword::ROLE) && self.sheet.roles().is_empty() {
            let message = "no `role` names a player without a variable";
            self.add(Severity::Error, InputError::new(message).in_file(self.sheet.source.name()));
        }
    }

    pub(super) fn misused_keywords(&mut self) {
        let sheet = self.sheet;
        for rule in &sheet.rules {
            let head = &rule.head;
            let word = self.name(head.relation);
            if matches!(head.relation, keyword::TRUE | keyword::DOES) {
                let message = format!("`{word}` cannot be the head of a rule");
                self.at(
                    Severity::Error,
                    rule,
                    message,
                    "a state is changed by `next`, and moves are allowed by `legal`",
                );
            }
            if head.relation == keyword::ROLE && !rule.body.is_empty() {
                let message = "`role` cannot depend on conditions".to_owned();
                self.at(Severity::Error, rule, message, "roles are facts: `(role white)`");
            }
            if head.relation == keyword::ROLE && !matches!(head.arguments[..], [Term::Constant(_)]) {
                let message = "a role is a name".to_owned();
                self.at(Severity::Error, rule, message, "`(role white)`");
            }
            for (atom, _) in rule.body.iter().filter_map(atom_of) {
                // `next` may be: sheets of GDL-II say with it what a role perceives of the state to come.
                if atom.relation == keyword::INIT {
                    let message = "`init` cannot be a condition".to_owned();
                    self.at(Severity::Error, rule, message, "what holds in the current state is asked with `true`");
                }
                self.keyword_arity(rule, atom);
            }
            self.keyword_arity(rule, head);
        }
    }

    fn keyword_arity(&mut self, rule: &crate::Rule, atom: &Atom) {
        let wanted = KEYWORD_ARITIES.iter().find(|(word, _)| *word == atom.relation);
        if let Some(&(word, wanted)) = wanted
            && atom.arguments.len() != wanted
        {
            let found = atom.arguments.len();
            let message = format!("`{}` takes {wanted} argument(s), here are {found}", self.name(word));
            self.at(Severity::Error, rule, message, "");
        }
    }

    /// Reports relations and facts with different numbers of arguments.
    pub(super) fn arities(&mut self) {
        let sheet = self.sheet;
        let mut first: FirstSeen<(Symbol, bool)> = FirstSeen::default();
        let mut arity_of: FirstSeen<(Symbol, bool)> = FirstSeen::default();
        let mut bare_of: FirstSeen<Symbol> = FirstSeen::default();
        for (index, rule) in sheet.rules.iter().enumerate() {
            let body = rule.body.iter().filter_map(atom_of).map(|(atom, _)| atom);
            for atom in std::iter::once(&rule.head).chain(body) {
                let (key, arity) = match (atom.relation, atom.arguments.as_slice()) {
                    (keyword::TRUE | keyword::NEXT | keyword::INIT | keyword::BASE, [Term::Function(name, inner)]) => {
                        ((*name, true), inner.len())
                    }
                    (relation, _) if keyword::is_reserved(relation) => continue,
                    (relation, arguments) => ((relation, false), arguments.len()),
                };
                let line = |index: usize| sheet.source.position(sheet.rules[index].place.start as usize).0;
                let known = *arity_of.entry(key).or_insert(arity);
                let seen = *first.entry(key).or_insert(index);
                if known != arity {
                    let name = self.name(key.0);
                    let what = if key.1 { "fact" } else { "relation" };
                    let message =
                        format!("the {what} `{name}` has {arity} argument(s) here and {known} in line {}", line(seen));
                    let severity = if key.1 { Severity::Warning } else { Severity::Error };
                    self.at(severity, rule, message, "one name, one number of arguments");
                }
                if arity == 0 && !key.1 {
                    let bare = usize::from(atom.bare_list);
                    if *bare_of.entry(atom.relation).or_insert(bare) != bare {
                        let name = self.name(atom.relation);
                        let message = format!("`{name}` and `({name})` are not the same");
                        self.at(Severity::Warning, rule, message, "write it one way everywhere");
                    }
                }
            }
        }
    }

    pub(super) fn goal_values(&mut self) {
        for rule in self.sheet.rules.iter().filter(|rule| rule.head.relation == keyword::GOAL) {
            let Some(value) = rule.head.arguments.get(1) else { continue };
            let text = self.sheet.term_text(value, rule);
            let fits = match value {
                Term::Variable(_) => continue,
                Term::Constant(_) => text.parse::<i32>().is_ok_and(|value| (0..=100).contains(&value)),
                Term::Function(..) => false,
            };
            if !fits {
                let message = format!("the goal `{text}` is no number from 0 to 100");
                self.at(Severity::Error, rule, message, "goals are whole numbers from 0 to 100");
            }
        }
    }

    /// Reports names written in different cases: GDL treats them as one name, a reader may not.
    pub(super) fn spellings(&mut self) {
        let Ok(clauses) = kif::read(&self.sheet.source) else { return };
        let mut names = FxHashMap::default();
        let mut found = Vec::new();
        for clause in &clauses {
            let mut variables = FxHashMap::default();
            let mut waiting = vec![clause];
            while let Some(expression) = waiting.pop() {
                match expression {
                    Expression::List(items, _) => waiting.extend(items.iter().rev()),
                    Expression::Word(word, place) => {
                        let is_keyword = self.sheet.symbols.find(word).is_some_and(keyword::is_reserved);
                        let seen = if word.starts_with('?') { &mut variables } else { &mut names };
                        let (first, told) = seen.entry(word.to_lowercase()).or_insert_with(|| (word.clone(), false));
                        if first != word && !is_keyword && !std::mem::replace(told, true) {
                            let message = format!("`{word}` and `{first}` differ in case, so they are different names");
                            found.push(self.sheet.error(*place, message).with_help("write a name one way everywhere"));
                        }
                    }
                }
            }
        }
        found.into_iter().for_each(|error| self.add(Severity::Warning, error));
    }

    pub(super) fn unknown_and_unused(&mut self) {
        let sheet = self.sheet;
        let defined = |index: usize| {
            let predicate = &self.predicates.list[index];
            !predicate.rules.is_empty() || !predicate.facts.is_empty()
        };
        let own = |origin: Origin| match origin {
            Origin::Defined(name, ..) if !keyword::is_reserved(name) => Some(name),
            _ => None,
        };
        let all = 0..self.predicates.list.len();
        let known: Vec<Symbol> =
            all.filter(|&index| defined(index)).filter_map(|index| own(self.predicates.list[index].origin)).collect();
        let mut unknown = Vec::new();
        let mut asked = vec![false; self.predicates.list.len()];
        for rule in &sheet.rules {
            for (atom, _) in rule.body.iter().filter_map(atom_of) {
                let Some((index, _)) = self.predicates.of_atom(atom) else { continue };
                let itself = self.predicates.of_atom(&rule.head).is_some_and(|(head, _)| head == index);
                asked[index] |= !itself;
                if let Some(name) = own(self.predicates.list[index].origin).filter(|_| !defined(index)) {
                    unknown.push((rule, name));
                }
            }
        }
        let mut unused = Vec::new();
        for (index, asked) in asked.iter().enumerate() {
            let predicate = &self.predicates.list[index];
            if let Some(name) = own(predicate.origin).filter(|_| !asked && defined(index)) {
                let rule = predicate.rules.iter().chain(&predicate.facts).min().copied().unwrap_or(0);
                unused.push((&sheet.rules[rule], name));
            }
        }
        for (rule, name) in unknown {
            let text = self.name(name);
            let others = known.iter().map(|&other| self.name(other)).filter(|other| *other != text);
            let help = near(text, others).map_or(String::new(), |other| format!("did you mean `{other}`?"));
            self.at(
                Severity::Warning,
                rule,
                format!("the relation `{text}` is never defined, so it never holds"),
                &help,
            );
        }
        for (rule, name) in unused {
            let message = format!("the relation `{}` is never used", self.name(name));
            self.at(Severity::Note, rule, message, "");
        }
    }

    /// Reports relations that depend on what they must not depend on.
    pub(super) fn levels(&mut self) {
        let sheet = self.sheet;
        for (word, most, arity, message) in [
            (keyword::INIT, Level::Static, 1, "`init` depends on a state, but there is none before the first"),
            (keyword::LEGAL, Level::State, 2, "`legal` depends on what is done, but it is asked before"),
            (keyword::TERMINAL, Level::State, 0, "`terminal` depends on what is done, but it is asked before"),
            (keyword::GOAL, Level::State, 2, "`goal` depends on what is done, but it is asked before"),
        ] {
            let Some(index) = self.predicates.find(Origin::Defined(word, arity, false)) else { continue };
            if self.predicates.list[index].level <= most {
                continue;
            }
            let guilty = self.predicates.list[index].rules.iter().copied().find(|&rule| {
                let atoms = sheet.rules[rule].body.iter().filter_map(atom_of);
                let mut used = atoms.filter_map(|(atom, _)| self.predicates.of_atom(atom));
                used.any(|(used, _)| self.predicates.list[used].level > most)
            });
            if let Some(rule) = guilty {
                self.at(Severity::Error, &sheet.rules[rule], message.to_owned(), "directly or through other relations");
            }
        }
    }
}

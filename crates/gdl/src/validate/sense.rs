//! Checks of safety and recursion.

use super::{Inspection, Severity};
use crate::interpreter::predicates::atom_of;
use crate::{Atom, Literal, Rule, Term};

impl Inspection<'_> {
    /// Reports variables in the head, in negations and in `distinct` that no positive condition binds.
    pub(super) fn unsafe_variables(&mut self) {
        let sheet = self.sheet;
        for rule in &sheet.rules {
            let bound = bound_variables(rule);
            let mut asked: Vec<(u32, &str)> = Vec::new();
            for term in &rule.head.arguments {
                term.variables(&mut |variable| asked.push((variable, "the head")));
            }
            for literal in &rule.body {
                let (terms, place): (Vec<&Term>, &str) = match literal {
                    Literal::Holds(_) => continue,
                    Literal::Fails(atom) => (atom.arguments.iter().collect(), "`not`"),
                    Literal::Distinct(left, right) | Literal::Same(left, right) => (vec![left, right], "`distinct`"),
                };
                terms.iter().for_each(|term| term.variables(&mut |variable| asked.push((variable, place))));
            }
            if let Some(&(variable, place)) = asked.iter().find(|(variable, _)| !bound[*variable as usize]) {
                let name = self.name(rule.variables[variable as usize]);
                let message = format!("nothing gives the variable {name} of {place} a value");
                let help = "every variable must stand in a condition that is neither `not` nor `distinct`";
                let severity = self.weight(rule);
                self.at(severity, rule, message, help);
            }
        }
    }

    pub(super) fn recursion(&mut self) {
        let sheet = self.sheet;
        for rule in &sheet.rules {
            let Some((head, _)) = self.predicates.of_atom(&rule.head) else { continue };
            let component = self.predicates.list[head].component;
            if !self.predicates.recursive[component] {
                continue;
            }
            let inside = |atom: &Atom| {
                let used = self.predicates.of_atom(atom);
                used.is_some_and(|(used, _)| self.predicates.list[used].component == component)
            };
            let recursive: Vec<(&Atom, bool)> =
                rule.body.iter().filter_map(atom_of).filter(|(atom, _)| inside(atom)).collect();
            let outside: Vec<&Atom> = rule
                .body
                .iter()
                .filter_map(atom_of)
                .filter(|(atom, holds)| *holds && !inside(atom))
                .map(|(atom, _)| atom)
                .collect();
            let denies_itself = recursive.iter().any(|(atom, holds)| !holds && **atom == rule.head);
            let denies = recursive.iter().find(|(_, holds)| !holds).map(|(atom, _)| *atom);
            let loose =
                recursive.iter().find_map(|(atom, holds)| if *holds { loose_term(rule, atom, &outside) } else { None });
            let grows = rule.head.arguments.iter().any(|term| matches!(term, Term::Function(..)) && !term.is_ground());
            let severity = self.weight(rule);
            if denies_itself {
                let message = format!("{} depends on its own denial", sheet.atom_text(&rule.head, rule));
                self.at(severity, rule, message, "no `not` may lead back to what it denies");
            } else if let Some(atom) = denies {
                let message = format!("`not {}` may lead back to what it denies", sheet.atom_text(atom, rule));
                let help = "sound only if no single fact depends on its own denial; random play looks for one";
                self.at(Severity::Warning, rule, message, help);
            }
            if let Some(term) = loose {
                let term = sheet.term_text(term, rule);
                let (severity, end) =
                    if grows { (severity, "may never end") } else { (Severity::Warning, "is not restricted") };
                let message = format!("this recursion {end}: nothing outside of it says what {term} can be");
                let help = "a recursive condition's terms must be ground, the head's own, or stand in a condition \
                            that is not recursive";
                self.at(severity, rule, message, help);
            }
        }
    }
}

/// The variables that positive conditions bind.
fn bound_variables(rule: &Rule) -> Vec<bool> {
    let mut bound = vec![false; rule.variables.len()];
    for literal in &rule.body {
        if let Literal::Holds(atom) = literal {
            atom.arguments.iter().for_each(|term| term.variables(&mut |variable| bound[variable as usize] = true));
        }
    }
    // `(not (distinct ?x a))` passes a value on; one pass per condition is enough.
    for _ in 0..rule.body.len() {
        for literal in &rule.body {
            let Literal::Same(left, right) = literal else { continue };
            for (one, other) in [(left, right), (right, left)] {
                let mut known = true;
                one.variables(&mut |variable| known &= bound[variable as usize]);
                if known {
                    other.variables(&mut |variable| bound[variable as usize] = true);
                }
            }
        }
    }
    bound
}

/// GDL's recursion restriction (Love, Hinrichs, Haley, Schkufza, Genesereth: "General Game Playing: Game Description
/// Language Specification", 2008): a term of the recursive condition that is not ground, not a term of
/// the head, and not an argument of a condition outside of the recursion.
fn loose_term<'a>(rule: &Rule, atom: &'a Atom, outside: &[&Atom]) -> Option<&'a Term> {
    atom.arguments.iter().find(|term| {
        !term.is_ground()
            && !rule.head.arguments.contains(term)
            && !outside.iter().any(|other| other.arguments.iter().any(|argument| within(argument, term)))
    })
}

/// Whether the term is an argument, or inside one (of the fact in `true`).
fn within(argument: &Term, term: &Term) -> bool {
    argument == term
        || matches!(argument, Term::Function(_, inner) if inner.iter().any(|argument| within(argument, term)))
}

//! Turns expressions into rules: variables are numbered, `or` produces several rules, and negations move inwards to the
//! atoms.

use tesuji_core::{InputError, Source};

use crate::kif::{Expression, Place};
use crate::rules::{Atom, Literal, Rule, Term};
use crate::symbols::keyword;
use crate::{Symbol, Symbols};

/// The most rules that one clause with `or` may produce.
pub(crate) const MOST_ALTERNATIVES: usize = 4096;

/// The rules of the clauses of a text.
pub(crate) fn rules(clauses: &[Expression], source: &Source, symbols: &mut Symbols) -> Result<Vec<Rule>, InputError> {
    let mut rules = Vec::new();
    for clause in clauses {
        let mut reader = Reader { source, symbols, variables: Vec::new() };
        let (head, body) = split_clause(clause, source)?;
        let head = reader.head(head)?;
        let mut alternatives = vec![Vec::new()];
        for condition in body {
            let condition = reader.formula(condition, true)?;
            alternatives = product(alternatives, condition)
                .ok_or_else(|| clause.place().error(source, too_many_alternatives()))?;
        }
        let variables = reader.variables;
        for body in alternatives {
            rules.push(Rule { head: head.clone(), body, variables: variables.clone(), place: clause.place() });
        }
    }
    Ok(rules)
}

fn too_many_alternatives() -> String {
    format!("the `or`s of this clause multiply to more than {MOST_ALTERNATIVES} rules")
}

/// Head and body of a clause: `(<= head body …)`, `(head <= body …)`, or a fact.
fn split_clause<'a>(clause: &'a Expression, source: &Source) -> Result<(&'a Expression, &'a [Expression]), InputError> {
    let Expression::List(items, place) = clause else { return Ok((clause, &[])) };
    let no_head = || place.error(source, "an arrow without a head").with_help("a rule is `(<= head condition …)`");
    match items.as_slice() {
        [arrow] if arrow.is_word("<=") => Err(no_head()),
        [arrow, head, body @ ..] if arrow.is_word("<=") => Ok((head, body)),
        [head, arrow, body @ ..] if arrow.is_word("<=") => Ok((head, body)),
        _ => Ok((clause, &[])),
    }
}

/// Alternatives: a disjunction of conjunctions.
type Alternatives = Vec<Vec<Literal>>;

/// Combines every alternative of one with every alternative of the other. `None` if there are too many.
fn product(left: Alternatives, right: Alternatives) -> Option<Alternatives> {
    if left.len().saturating_mul(right.len()) > MOST_ALTERNATIVES {
        return None;
    }
    if let [only] = right.as_slice() {
        let mut left = left;
        left.iter_mut().for_each(|conjunction| conjunction.extend(only.iter().cloned()));
        return Some(left);
    }
    let pairs = left.iter().flat_map(|one| right.iter().map(move |other| [one.as_slice(), other].concat()));
    Some(pairs.collect())
}

/// Reads one atom outside of a sheet. Its variables are added to `variables`.
pub(crate) fn atom(
    expression: &Expression,
    source: &Source,
    symbols: &mut Symbols,
    variables: &mut Vec<Symbol>,
) -> Result<Atom, InputError> {
    let mut reader = Reader { source, symbols, variables: std::mem::take(variables) };
    let atom = reader.head(expression);
    *variables = reader.variables;
    atom
}

/// Reads one term outside of a sheet. Its variables are added to `variables`.
pub(crate) fn term(
    expression: &Expression,
    source: &Source,
    symbols: &mut Symbols,
    variables: &mut Vec<Symbol>,
) -> Result<Term, InputError> {
    let mut reader = Reader { source, symbols, variables: std::mem::take(variables) };
    let term = reader.term(expression);
    *variables = reader.variables;
    term
}

struct Reader<'a> {
    source: &'a Source,
    symbols: &'a mut Symbols,
    /// The variables of the clause.
    variables: Vec<Symbol>,
}

impl Reader<'_> {
    fn wrong(&self, place: Place, message: impl Into<String>) -> InputError {
        place.error(self.source, message)
    }

    fn head(&mut self, expression: &Expression) -> Result<Atom, InputError> {
        let atom = self.atom(expression)?;
        if matches!(atom.relation, keyword::NOT | keyword::OR | keyword::AND | keyword::ARROW | keyword::DISTINCT) {
            let word = self.symbols.text(atom.relation).to_owned();
            let message = format!("`{word}` cannot be what a clause says");
            return Err(self.wrong(expression.place(), message).with_help("the head of a rule is a relation"));
        }
        Ok(atom)
    }

    /// The alternatives in which a condition holds, or in which it fails if `holds` is false.
    fn formula(&mut self, expression: &Expression, holds: bool) -> Result<Alternatives, InputError> {
        let place = expression.place();
        if let Expression::List(items, _) = expression {
            let (word, rest) = items.split_first().map_or(("", items.as_slice()), |(first, rest)| match first {
                Expression::Word(text, _) => (text.as_str(), rest),
                Expression::List(..) => ("", rest),
            });
            match word.to_ascii_lowercase().as_str() {
                "not" => {
                    let [inner] = rest else {
                        let message = format!("`not` takes one condition, here are {}", rest.len());
                        return Err(self.wrong(place, message));
                    };
                    return self.formula(inner, !holds);
                }
                "or" | "and" => {
                    if rest.is_empty() {
                        let message = format!("`{word}` without conditions");
                        return Err(self.wrong(place, message).with_help(format!("`({word} condition …)`")));
                    }
                    // A negated `or` is an `and` of negations, and vice versa.
                    return if word.eq_ignore_ascii_case("or") == holds {
                        self.any(rest, holds, place)
                    } else {
                        self.all(rest, holds, place)
                    };
                }
                "distinct" => {
                    let [left, right] = rest else {
                        let message = format!("`distinct` takes two terms, here are {}", rest.len());
                        return Err(self.wrong(place, message));
                    };
                    let (left, right) = (self.term(left)?, self.term(right)?);
                    let literal = if holds { Literal::Distinct(left, right) } else { Literal::Same(left, right) };
                    return Ok(vec![vec![literal]]);
                }
                "<=" => {
                    return Err(self
                        .wrong(place, "a rule inside a rule")
                        .with_help("is a parenthesis of the clause before it missing?"));
                }
                _ => {}
            }
        }
        let atom = self.atom(expression)?;
        Ok(vec![vec![if holds { Literal::Holds(atom) } else { Literal::Fails(atom) }]])
    }

    fn any(&mut self, parts: &[Expression], holds: bool, place: Place) -> Result<Alternatives, InputError> {
        let mut alternatives = Vec::new();
        for part in parts {
            alternatives.extend(self.formula(part, holds)?);
            if alternatives.len() > MOST_ALTERNATIVES {
                return Err(self.wrong(place, too_many_alternatives()));
            }
        }
        Ok(alternatives)
    }

    fn all(&mut self, parts: &[Expression], holds: bool, place: Place) -> Result<Alternatives, InputError> {
        let mut alternatives = vec![Vec::new()];
        for part in parts {
            let condition = self.formula(part, holds)?;
            alternatives =
                product(alternatives, condition).ok_or_else(|| self.wrong(place, too_many_alternatives()))?;
        }
        Ok(alternatives)
    }

    fn atom(&mut self, expression: &Expression) -> Result<Atom, InputError> {
        match expression {
            Expression::Word(text, place) => {
                if text.starts_with('?') {
                    let message = format!("the variable `{text}` cannot stand for a relation");
                    return Err(self.wrong(*place, message).with_help("GDL has no variables for relations"));
                }
                Ok(Atom { relation: self.symbols.intern(text), arguments: Vec::new(), bare_list: false })
            }
            Expression::List(items, place) => {
                let (relation, arguments) = self.application(items, *place, "relation")?;
                let bare_list = arguments.is_empty() && !keyword::is_reserved(relation);
                Ok(Atom { relation, arguments, bare_list })
            }
        }
    }

    fn term(&mut self, expression: &Expression) -> Result<Term, InputError> {
        match expression {
            Expression::Word(text, _) if text.starts_with('?') => {
                let name = self.symbols.intern(text);
                let known = self.variables.iter().position(|&variable| variable == name);
                let number = known.unwrap_or_else(|| {
                    self.variables.push(name);
                    self.variables.len() - 1
                });
                Ok(Term::Variable(number as u32))
            }
            Expression::Word(text, _) => Ok(Term::Constant(self.symbols.intern(text))),
            Expression::List(items, place) => {
                let (name, arguments) = self.application(items, *place, "function")?;
                Ok(Term::Function(name, arguments))
            }
        }
    }

    /// A name and the terms after it.
    fn application(
        &mut self,
        items: &[Expression],
        place: Place,
        what: &str,
    ) -> Result<(Symbol, Vec<Term>), InputError> {
        let Some((first, rest)) = items.split_first() else {
            return Err(self.wrong(place, "nothing between the parentheses").with_help(format!("a {what} has a name")));
        };
        let Expression::Word(name, name_place) = first else {
            let message = format!("expected the name of a {what}, found a list");
            return Err(self.wrong(first.place(), message).with_help("is there one parenthesis too many?"));
        };
        if name.starts_with('?') {
            let message = format!("the variable `{name}` cannot stand for the name of a {what}");
            return Err(self.wrong(*name_place, message));
        }
        let name = self.symbols.intern(name);
        let arguments = rest.iter().map(|argument| self.term(argument)).collect::<Result<_, _>>()?;
        Ok((name, arguments))
    }
}

#[cfg(test)]
mod tests {
    use crate::{Literal, Sheet};
    use proptest::prelude::*;
    use tesuji_core::Source;

    fn read(text: &str) -> Sheet {
        Sheet::read(Source::new("t.kif", text)).unwrap_or_else(|error| panic!("{error}"))
    }

    fn complaint(text: &str) -> String {
        Sheet::read(Source::new("t.kif", text)).map(|_| ()).expect_err(text).to_string()
    }

    /// A sheet as text, one rule per line.
    fn show(sheet: &Sheet) -> String {
        let lines = sheet.rules.iter().map(|rule| {
            let condition = |literal: &Literal| match literal {
                Literal::Holds(atom) => sheet.atom_text(atom, rule),
                Literal::Fails(atom) => format!("(not {})", sheet.atom_text(atom, rule)),
                Literal::Distinct(one, other) => {
                    format!("(distinct {} {})", sheet.term_text(one, rule), sheet.term_text(other, rule))
                }
                Literal::Same(one, other) => {
                    format!("(same {} {})", sheet.term_text(one, rule), sheet.term_text(other, rule))
                }
            };
            let body: Vec<String> = rule.body.iter().map(condition).collect();
            format!("{} <- {}", sheet.atom_text(&rule.head, rule), body.join(" "))
        });
        lines.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn clauses_become_rules_with_one_conjunction_each() {
        let sheet = read(
            "(role White) ; a comment (with parentheses\n\
             (<= (P ?x) (or (q ?x) (and (r ?x (f ?x a)) (not (s White)))) (distinct ?x b))\n\
             ((P ?y) <= (q ?y) (NOT (or (q a) (Distinct ?y b))))\n\
             (<= terminal (not (and (q a) (q b))))",
        );
        insta::assert_snapshot!(show(&sheet), @r"
        (role White) <- 
        (P ?x) <- (q ?x) (distinct ?x b)
        (P ?x) <- (r ?x (f ?x a)) (not (s White)) (distinct ?x b)
        (P ?y) <- (q ?y) (not (q a)) (same ?y b)
        terminal <- (not (q a))
        terminal <- (not (q b))
        ");
        assert_eq!(sheet.roles().len(), 1);
    }

    #[test]
    fn what_is_wrong_in_form_is_named_with_its_place() {
        for (text, expected) in [
            ("(role x", "t.kif:1:1: 1 parentheses are never closed"),
            ("(role x))\n", "t.kif:1:9: a closing parenthesis without"),
            ("(role x)\n (<= )", "t.kif:2:2: an arrow without a head"),
            ("()", "t.kif:1:1: nothing between the parentheses"),
            ("(<= (?r a) b)", "t.kif:1:6: the variable `?r` cannot stand"),
            ("(<= a ?x)", "t.kif:1:7: the variable `?x` cannot stand for a relation"),
            ("(<= a (not b c))", "t.kif:1:7: `not` takes one condition, here are 2"),
            ("(<= a (distinct b))", "t.kif:1:7: `distinct` takes two terms, here are 1"),
            ("(<= a (or))", "t.kif:1:7: `or` without conditions"),
            ("(<= a (<= b c))", "t.kif:1:7: a rule inside a rule"),
            ("((a) b)", "t.kif:1:2: expected the name of a relation, found a list"),
            ("(not a)", "t.kif:1:1: `not` cannot be what a clause says"),
        ] {
            let complaint = complaint(text);
            assert!(complaint.starts_with(expected), "{text}: {complaint}");
        }
        let deep = "(f ".repeat(100_000);
        assert!(complaint(&deep).contains("parentheses inside each other"));
        let wide = format!("(<= a {})", "(or (b 1) (b 2)) ".repeat(40));
        assert!(complaint(&wide).contains("multiply to more than 4096 rules"));
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "\\PC{0,80}") {
            let _ = Sheet::read(Source::new("t.kif", text));
        }

        #[test]
        fn any_parentheses_are_read_or_refused(
            text in "[()?a-c <=;\\n]{0,60}|(\\(|\\)| |not|or|and|distinct|<=|\\?x|a){0,40}",
        ) {
            let _ = Sheet::read(Source::new("t.kif", text));
        }
    }
}

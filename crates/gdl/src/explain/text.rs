//! Explanations as text: an indented tree, one fact or condition a line.

use super::oracle::{Bindings, Oracle};
use super::{Application, Explanation, Reason};
use crate::{Atom, Literal, Rule, Symbols, Term};

/// A text with every name spelled as in the sheet, where only the case differs.
pub(crate) fn spelled(text: &str, symbols: &Symbols) -> String {
    let mut result = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| !c.is_whitespace() && c != '(' && c != ')';
        let end = match is_word(first) {
            true => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            false => first.len_utf8(),
        };
        let (word, after) = rest.split_at(end);
        result.push_str(symbols.find(word).map_or(word, |symbol| symbols.text(symbol)));
        rest = after;
    }
    result
}

/// An atom with the values of its variables.
pub(super) fn atom_text(oracle: &Oracle, atom: &Atom, rule: &Rule, bindings: &Bindings) -> String {
    let name = oracle.sheet.symbols.text(atom.relation);
    if atom.arguments.is_empty() {
        return if atom.bare_list { format!("({name})") } else { name.to_owned() };
    }
    let arguments: Vec<String> = atom.arguments.iter().map(|term| term_text(oracle, term, rule, bindings)).collect();
    format!("({name} {})", arguments.join(" "))
}

/// A condition with the values of its variables.
pub(super) fn literal_text(oracle: &Oracle, literal: &Literal, rule: &Rule, bindings: &Bindings) -> String {
    let term = |term: &Term| term_text(oracle, term, rule, bindings);
    match literal {
        Literal::Holds(atom) => atom_text(oracle, atom, rule, bindings),
        Literal::Fails(atom) => format!("(not {})", atom_text(oracle, atom, rule, bindings)),
        Literal::Distinct(left, right) => format!("(distinct {} {})", term(left), term(right)),
        Literal::Same(left, right) => format!("(not (distinct {} {}))", term(left), term(right)),
    }
}

fn term_text(oracle: &Oracle, term: &Term, rule: &Rule, bindings: &Bindings) -> String {
    match term {
        Term::Variable(variable) => match bindings.get(*variable as usize).copied().flatten() {
            Some(value) => oracle.interpreter.text(value),
            None => oracle.sheet.term_text(term, rule),
        },
        Term::Constant(_) => oracle.sheet.term_text(term, rule),
        Term::Function(name, arguments) => {
            let mut text = format!("({}", oracle.sheet.symbols.text(*name));
            for argument in arguments {
                text.push(' ');
                text.push_str(&term_text(oracle, argument, rule, bindings));
            }
            text + ")"
        }
    }
}

impl Explanation {
    /// The tree as indented text.
    pub fn text(&self) -> String {
        let mut lines = Vec::new();
        self.write(&mut lines, 0, "");
        lines.join("\n")
    }

    /// Writes the tree; `lead` comes before the fact.
    fn write(&self, lines: &mut Vec<String>, indent: usize, lead: &str) {
        let margin = "  ".repeat(indent);
        let verb = if self.holds { "holds" } else { "does not hold" };
        let state = match self.step {
            0 => "in the first state".to_owned(),
            1 => "after 1 step".to_owned(),
            step => format!("after {step} steps"),
        };
        let fact = &self.fact;
        let mut line = |text: String| lines.push(format!("{margin}{lead}{text}"));
        match &self.reason {
            Reason::Rule { rule } if rule.conditions.is_empty() => {
                line(format!("{fact} is stated in line {}", rule.line));
            }
            Reason::Rule { rule } => {
                line(format!("{fact} holds {state}: {}", rule.title()));
                rule.write(lines, indent + 1);
            }
            Reason::State { since, derived, kept } => {
                let since = if *since == 0 { "from the start".to_owned() } else { format!("since step {since}") };
                let kept = match kept.as_deref().map(|kept| &kept.reason) {
                    Some(Reason::Rule { rule }) => format!(", kept by {}", rule.lines()),
                    _ => String::new(),
                };
                line(format!("{fact} holds {state}: it is in the state {since}{kept}"));
                if let Some(derived) = derived {
                    derived.write(lines, indent + 1, "");
                }
            }
            Reason::Move => line(format!("{fact}: it is the move of this step")),
            Reason::NotInState { missing } => {
                line(format!("{fact} does not hold {state}: it is not in the state"));
                if let Some(missing) = missing {
                    missing.write(lines, indent + 1, "");
                }
            }
            Reason::OtherMove { does } if does.is_empty() => {
                line(format!("{fact} does not hold {state}: no move follows"));
            }
            Reason::OtherMove { does } => line(format!("{fact} does not hold {state}: {}", does.join(" "))),
            Reason::NoRule { rules, others } => {
                let none = if rules.is_empty() { ": no rule can conclude it" } else { ": these rules fail" };
                line(format!("{fact} does not hold {state}{none}"));
                for rule in rules {
                    lines.push(format!("{margin}  {}", rule.title()));
                    rule.write(lines, indent + 2);
                }
                if *others > 0 {
                    lines.push(format!("{margin}  ({others} more)"));
                }
            }
            Reason::Cut => line(format!("{fact} {verb} {state}")),
        }
    }
}

impl Application {
    /// The place of the rule, its conclusion and the values of its variables.
    pub fn title(&self) -> String {
        let lines = self.lines();
        let values: Vec<String> = self.bindings.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        let values = if values.is_empty() { String::new() } else { format!(" with {}", values.join(", ")) };
        format!("{lines}: {}{values}", self.head)
    }

    /// Where it stands: `line 5`, `lines 5-8`.
    fn lines(&self) -> String {
        match self.line == self.end_line {
            true => format!("line {}", self.line),
            false => format!("lines {}-{}", self.line, self.end_line),
        }
    }

    fn write(&self, lines: &mut Vec<String>, indent: usize) {
        let margin = "  ".repeat(indent);
        for condition in &self.conditions {
            let mark = if condition.met { "yes " } else { "NO  " };
            match &condition.why {
                // The explanation of a plain condition says what it is; that of a negation is about the opposite.
                Some(why) if why.fact == condition.text => why.write(lines, indent, mark),
                why => {
                    lines.push(format!("{margin}{mark}{}", condition.text));
                    if let Some(why) = why {
                        why.write(lines, indent + 2, "");
                    }
                }
            }
        }
        if self.untried > 0 {
            let plural = if self.untried == 1 { "condition" } else { "conditions" };
            lines.push(format!("{margin}({} more {plural})", self.untried));
        }
    }
}

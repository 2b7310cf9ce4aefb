//! Percepts (GDL-II): what each role perceives of a step, by the rules for `sees`.
//!
//! Like `next`, `sees` depends on the state and on the moves made in it. So percepts are kept as facts of the next
//! state: a sheet with rules for `sees` gets one more rule,
//!
//! ```text
//! (<= (next (sees ?role ?percept)) (sees ?role ?percept))
//! ```
//!
//! and every engine evaluates percepts without knowing about them. A state is then also what its players perceived of
//! the step before it, and two states that differ in percepts only are different states.
//!
//! A sheet that shows all moves to all roles hides nothing. It is treated as if it had no rules for `sees`.

use crate::symbols::keyword;
use crate::{Atom, Literal, Rule, Symbols, Term};

/// The beginning of the text of a fact that is a percept.
const PERCEPT: &str = "(sees ";

/// Adds the rule that keeps percepts in the state, if the rules define any.
pub(crate) fn keep_percepts(rules: &mut Vec<Rule>, symbols: &mut Symbols) {
    if !hide(rules) {
        return;
    }
    let Some(place) = rules.iter().find(|rule| defines_percepts(rule)).map(|rule| rule.place) else { return };
    let variables = vec![symbols.intern("?role"), symbols.intern("?percept")];
    let arguments = vec![Term::Variable(0), Term::Variable(1)];
    let fact = Term::Function(keyword::SEES, arguments.clone());
    let atom = |relation, arguments| Atom { relation, arguments, bare_list: false };
    let body = vec![Literal::Holds(atom(keyword::SEES, arguments))];
    rules.push(Rule { head: atom(keyword::NEXT, vec![fact]), body, variables, place });
}

/// Whether these rules hide anything: some define percepts, and none shows all moves to all roles.
pub(crate) fn hide(rules: &[Rule]) -> bool {
    rules.iter().any(defines_percepts) && !rules.iter().any(shows_all_moves)
}

/// Whether a rule shows every move to every role: `(<= (sees ?role (did ?actor ?move)) (role ?role) (does ?actor
/// ?move))`, where the percept may be any term with these variables. Who knows the rules and all moves knows the state.
fn shows_all_moves(rule: &Rule) -> bool {
    let [Term::Variable(role), percept] = &rule.head.arguments[..] else { return false };
    let mut shown = Vec::new();
    percept.variables(&mut |variable| shown.push(variable));
    let (mut to_all, mut all_moves) = (false, false);
    for literal in &rule.body {
        let Literal::Holds(atom) = literal else { return false };
        match (atom.relation, &atom.arguments[..]) {
            (keyword::ROLE, [Term::Variable(who)]) if who == role => to_all = true,
            (keyword::DOES, [Term::Variable(actor), Term::Variable(action)])
                if actor != action && shown.contains(actor) && shown.contains(action) && actor != role =>
            {
                all_moves = true;
            }
            _ => return false,
        }
    }
    defines_percepts(rule) && to_all && all_moves
}

/// Whether a rule says what a role perceives.
fn defines_percepts(rule: &Rule) -> bool {
    rule.head.relation == keyword::SEES && rule.head.arguments.len() == 2
}

/// Whether the text of a fact is a percept.
pub(crate) fn is_percept(fact: &str) -> bool {
    fact.starts_with(PERCEPT)
}

/// What `role` perceives, if the text of a fact says so: `(at 1 2)` in `(sees white (at 1 2))`.
pub(crate) fn percept_of<'a>(fact: &'a str, role: &str) -> Option<&'a str> {
    fact.strip_prefix(PERCEPT)?.strip_prefix(role)?.strip_prefix(' ')?.strip_suffix(')')
}

#[cfg(test)]
mod tests {
    use tesuji_core::Source;

    use super::*;
    use crate::Sheet;

    #[test]
    fn percepts_are_facts_of_the_next_state() {
        let text = "(role a) (<= (sees ?r (was ?m)) (role ?r) (does a ?m)) (<= (sees a lamp) (true on))";
        let sheet = Sheet::read(Source::new("t.kif", text)).unwrap();
        let last = sheet.rules.last().unwrap();
        assert_eq!(sheet.rules.len(), 4);
        assert_eq!(sheet.rule_text(last), "(<= (next (sees ?role ?percept)) (sees ?role ?percept))");
        assert!(sheet.has_percepts());
        for open in ["", "(<= (sees ?x (did ?y ?z)) (role ?x) (does ?y ?z)) (<= (sees a lamp) (true on))"] {
            let sheet = Sheet::read(Source::new("t.kif", format!("(role a) {open}"))).unwrap();
            assert!(!sheet.has_percepts(), "{open}");
        }
        for hidden in [
            "(<= (sees ?x (did ?z)) (role ?x) (does ?y ?z))",
            "(<= (sees a (did ?y ?z)) (does ?y ?z))",
            "(<= (sees ?x (did ?x ?z)) (role ?x) (does ?x ?z))",
            "(<= (sees ?x (did ?y ?z)) (role ?x) (does ?y ?z) (true on))",
        ] {
            let sheet = Sheet::read(Source::new("t.kif", format!("(role a) {hidden}"))).unwrap();
            assert!(sheet.has_percepts(), "{hidden}");
        }
    }

    #[test]
    fn the_texts_of_percepts() {
        assert_eq!(percept_of("(sees a (was b))", "a"), Some("(was b)"));
        assert_eq!(percept_of("(sees ab c)", "a"), None);
        assert_eq!(percept_of("(seen a c)", "a"), None);
    }
}

//! Rules that may be missing altogether: facts that remain, and effects of moves.

use super::edit::{Edit, Editor};
use crate::symbols::keyword;
use crate::{Atom, Literal, Rule, Symbol, Term};

/// The most effects of moves that are tried for one kind of fact.
const MOST_EFFECTS: usize = 60;

impl Editor<'_> {
    /// New rules that add facts of this name to the next state. They stand after rule `index`.
    pub(super) fn inventions(&self, index: usize, name: Symbol) -> Vec<Edit> {
        let Some(width) = self.width(name) else { return Vec::new() };
        let mut rules = Vec::new();
        let keeps = self.keeps(name, width);
        rules.push(keeps.clone());
        rules.extend(self.additions(index, &keeps).into_iter().flat_map(|edit| edit.instead));
        rules.extend(self.effects(name, width));
        let old = &self.sheet.rules[index];
        let edit = |rule: Rule| {
            let change = format!("add the rule {}", self.sheet.rule_text(&rule));
            Edit { rule: index, instead: vec![old.clone(), rule], change }
        };
        rules.into_iter().map(edit).collect()
    }

    /// The number of arguments of a fact; `None` if the sheet has none of this name.
    fn width(&self, name: Symbol) -> Option<usize> {
        let atoms = self.sheet.rules.iter().flat_map(|rule| {
            let body = rule.body.iter().filter_map(|literal| match literal {
                Literal::Holds(atom) | Literal::Fails(atom) => Some(atom),
                Literal::Distinct(..) | Literal::Same(..) => None,
            });
            body.chain([&rule.head])
        });
        atoms.filter(|atom| [keyword::TRUE, keyword::NEXT, keyword::INIT].contains(&atom.relation)).find_map(|atom| {
            match atom.arguments.first()? {
                Term::Constant(known) if *known == name => Some(0),
                Term::Function(known, arguments) if *known == name => Some(arguments.len()),
                _ => None,
            }
        })
    }

    /// A fact that remains: `(<= (next (cell ?a ?b)) (true (cell ?a ?b)))`.
    fn keeps(&self, name: Symbol, width: usize) -> Rule {
        let variables = (0..width as u32).map(Term::Variable).collect();
        let before = atom(keyword::TRUE, fact(name, variables));
        let head = Atom { relation: keyword::NEXT, ..before.clone() };
        let variables = self.names.iter().copied().cycle().take(width).collect();
        Rule { head, body: vec![Literal::Holds(before)], variables, place: Default::default() }
    }

    /// Effects of moves: `(<= (next (cell ?a ?b x)) (does x (mark ?a ?b)))`.
    fn effects(&self, name: Symbol, width: usize) -> Vec<Rule> {
        let mut found = Vec::new();
        let legal = self.sheet.rules.iter().filter(|rule| rule.head.relation == keyword::LEGAL);
        for rule in legal {
            // The move with variables of its own, and its role as a variable.
            let mut next = 1;
            let action = match rule.head.arguments.get(1) {
                Some(Term::Function(action, arguments)) => {
                    let open: Vec<Term> = arguments
                        .iter()
                        .map(|_| {
                            next += 1;
                            Term::Variable(next - 1)
                        })
                        .collect();
                    Term::Function(*action, open)
                }
                Some(Term::Constant(action)) => Term::Constant(*action),
                _ => continue,
            };
            let does =
                Atom { relation: keyword::DOES, arguments: vec![Term::Variable(0), action.clone()], bare_list: false };
            let mut sorts = vec![self.sorts.of((keyword::DOES, 0))];
            if let Term::Function(action, arguments) = &action {
                sorts.extend((0..arguments.len()).map(|index| self.sorts.of((*action, index))));
            }
            let mut heads: Vec<Vec<Term>> = vec![Vec::new()];
            for index in 0..width {
                let sort = self.sorts.of((name, index));
                let fitting = (0..sorts.len() as u32).filter(|&v| sort.is_some() && sorts[v as usize] == sort);
                let constants = sort.into_iter().flat_map(|sort| self.sorts.constants(sort));
                let terms: Vec<Term> = fitting.map(Term::Variable).chain(constants.map(Term::Constant)).collect();
                heads = heads
                    .iter()
                    .flat_map(|head| {
                        terms.iter().map(move |term| [head.as_slice(), std::slice::from_ref(term)].concat())
                    })
                    .take(MOST_EFFECTS)
                    .collect();
            }
            for arguments in heads {
                let variables = self.names.iter().copied().cycle().take(next as usize).collect();
                let rule = Rule {
                    head: atom(keyword::NEXT, fact(name, arguments)),
                    body: vec![Literal::Holds(does.clone())],
                    variables,
                    place: Default::default(),
                };
                if !found.contains(&rule) {
                    found.push(rule);
                }
            }
        }
        found.truncate(MOST_EFFECTS);
        found
    }
}

fn fact(name: Symbol, arguments: Vec<Term>) -> Term {
    if arguments.is_empty() { Term::Constant(name) } else { Term::Function(name, arguments) }
}

fn atom(relation: Symbol, argument: Term) -> Atom {
    Atom { relation, arguments: vec![argument], bare_list: false }
}

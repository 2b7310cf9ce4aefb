//! Single faults: one change of one rule.

use tesuji_core::Rng;
use tesuji_gdl::{Atom, Literal, Rule, Sheet, Symbol, Term, keyword};

/// What is wrong with a mutant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FaultKind {
    DroppedCondition,
    SwappedVariable,
    WrongConstant,
    MissingRule,
}

impl FaultKind {
    pub(crate) const ALL: [FaultKind; 4] =
        [FaultKind::DroppedCondition, FaultKind::SwappedVariable, FaultKind::WrongConstant, FaultKind::MissingRule];
}

/// A fault: the rule, and what it becomes.
pub(crate) struct Fault {
    pub(super) kind: FaultKind,
    pub(super) rule: usize,
    /// `None` if the rule is missing.
    instead: Option<Rule>,
}

impl Fault {
    /// Draws a fault of this kind; `None` if the drawn rule has no room for it.
    pub(crate) fn draw(sheet: &Sheet, kind: FaultKind, rng: &mut Rng) -> Option<Fault> {
        let hint = |rule: &Rule| {
            let head = rule.head.relation;
            [keyword::ROLE, keyword::BASE, keyword::INPUT, keyword::SEES].contains(&head)
        };
        let rules: Vec<usize> = (0..sheet.rules.len())
            .filter(|&rule| !hint(&sheet.rules[rule]) && !sheet.rules[rule].body.is_empty())
            .collect();
        if rules.is_empty() {
            return None;
        }
        let index = rules[rng.below(rules.len())];
        let mut rule = sheet.rules[index].clone();
        match kind {
            FaultKind::MissingRule => return Some(Fault { kind, rule: index, instead: None }),
            FaultKind::DroppedCondition => {
                let position = rng.below(rule.body.len());
                rule.body.remove(position);
            }
            FaultKind::SwappedVariable => {
                let mut places = Vec::new();
                terms(&mut rule).for_each(|term| collect(term, &mut places, &|t| matches!(t, Term::Variable(_))));
                if places.is_empty() {
                    return None;
                }
                let place = rng.below(places.len());
                let old = places[place].clone();
                let variables = sheet.rules[index].variables.len() as u32;
                let others: Vec<u32> = (0..variables).filter(|other| Term::Variable(*other) != old).collect();
                if others.is_empty() {
                    return None;
                }
                *places[place] = Term::Variable(others[rng.below(others.len())]);
            }
            FaultKind::WrongConstant => {
                let constants = constants(sheet);
                let mut places = Vec::new();
                terms(&mut rule).for_each(|term| collect(term, &mut places, &|t| matches!(t, Term::Constant(_))));
                if places.is_empty() {
                    return None;
                }
                let place = rng.below(places.len());
                let new = Term::Constant(constants[rng.below(constants.len())]);
                if *places[place] == new {
                    return None;
                }
                *places[place] = new;
            }
        }
        Some(Fault { kind, rule: index, instead: Some(rule) })
    }

    /// The rule and what it becomes, as text.
    pub(super) fn texts(&self, sheet: &Sheet) -> (String, String) {
        let text = |rule: &Rule| sheet.rule_text(rule);
        (text(&sheet.rules[self.rule]), self.instead.as_ref().map_or_else(|| "no rule".to_owned(), text))
    }

    /// The sheet with this fault.
    pub(crate) fn apply(&self, sheet: &Sheet) -> Sheet {
        let mut mutant = sheet.clone();
        match &self.instead {
            Some(rule) => mutant.rules[self.rule] = rule.clone(),
            None => {
                mutant.rules.remove(self.rule);
            }
        }
        mutant
    }
}

/// The relation that a rule concludes; for `next` and `init` also the name of the fact.
pub(crate) fn guilty_relation(rule: &Rule) -> (Symbol, Option<Symbol>) {
    let inner = match (rule.head.relation, rule.head.arguments.first()) {
        (keyword::NEXT | keyword::INIT, Some(Term::Function(name, _) | Term::Constant(name))) => Some(*name),
        _ => None,
    };
    (rule.head.relation, inner)
}

/// The terms of a rule.
fn terms(rule: &mut Rule) -> impl Iterator<Item = &mut Term> {
    let body = rule.body.iter_mut().flat_map(|literal| match literal {
        Literal::Holds(Atom { arguments, .. }) | Literal::Fails(Atom { arguments, .. }) => {
            arguments.iter_mut().collect::<Vec<_>>()
        }
        Literal::Distinct(left, right) | Literal::Same(left, right) => vec![left, right],
    });
    rule.head.arguments.iter_mut().chain(body)
}

/// The parts of a term that are wanted.
fn collect<'a>(term: &'a mut Term, places: &mut Vec<&'a mut Term>, wanted: &dyn Fn(&Term) -> bool) {
    if wanted(term) {
        places.push(term);
    } else if let Term::Function(_, arguments) = term {
        arguments.iter_mut().for_each(|argument| collect(argument, places, wanted));
    }
}

/// All constants of a sheet, as often as they occur.
fn constants(sheet: &Sheet) -> Vec<Symbol> {
    let mut found = Vec::new();
    for rule in &sheet.rules {
        let mut rule = rule.clone();
        let mut places = Vec::new();
        terms(&mut rule).for_each(|term| collect(term, &mut places, &|t| matches!(t, Term::Constant(_))));
        found.extend(places.iter().filter_map(|term| if let Term::Constant(name) = term { Some(*name) } else { None }));
    }
    found
}

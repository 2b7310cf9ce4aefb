//! Single changes of a sheet that could repair it.

use std::collections::BTreeSet;

use super::sorts::{Sorts, place_name, visit_atom};
use crate::symbols::keyword;
use crate::{Atom, Literal, Rule, Sheet, Symbol, Term};

/// What a change does. The order is the order in which changes are tried: the first leave the least room for chance.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Manner {
    /// Another variable or constant in one place.
    Replace,
    /// One condition less, or the whole rule.
    Drop,
    /// A new rule: this rule with two constants exchanged, or facts of this kind remain.
    Copy,
    /// One condition more.
    Add,
}

/// A change of one rule.
pub(super) struct Edit {
    pub rule: usize,
    /// What stands in its place; empty if the rule is dropped, two rules if one is added.
    pub instead: Vec<Rule>,
    /// What to do, in words.
    pub change: String,
}

impl Edit {
    /// The sheet after the change.
    pub(super) fn apply(&self, sheet: &Sheet) -> Sheet {
        let mut changed = sheet.clone();
        changed.rules.splice(self.rule..=self.rule, self.instead.iter().cloned());
        changed
    }
}

/// The most conditions that are tried as an addition to one rule.
const MOST_ADDED: usize = 200;

/// Writes down the changes of rules.
pub(super) struct Editor<'a> {
    pub(super) sheet: &'a Sheet,
    pub(super) sorts: Sorts,
    /// Conditions that can be added, each with variables of its own.
    templates: Vec<(Literal, usize)>,
    /// Names for new variables.
    pub(super) names: &'a [Symbol],
}

impl<'a> Editor<'a> {
    pub(super) fn new(sheet: &'a Sheet, names: &'a [Symbol]) -> Editor<'a> {
        Editor { sheet, sorts: Sorts::new(sheet), templates: templates(sheet), names }
    }

    /// All changes of a rule in this manner.
    pub(super) fn edits(&self, index: usize, manner: Manner) -> Vec<Edit> {
        let rule = &self.sheet.rules[index];
        match manner {
            Manner::Replace => self.replacements(index, rule),
            Manner::Drop => self.omissions(index, rule),
            Manner::Copy => self.copies(index, rule),
            Manner::Add => self.additions(index, rule),
        }
    }

    fn replacements(&self, index: usize, rule: &Rule) -> Vec<Edit> {
        let sorts = self.sorts.variables(rule);
        let mut edits = Vec::new();
        let mut place = 0;
        // The n-th variable or constant of the rule, for each n.
        while let Some((term, sort)) = nth(rule, place, &self.sorts) {
            let others: Vec<Term> = match &term {
                Term::Variable(_) => (0..rule.variables.len() as u32)
                    .filter(|&other| sort.is_none() || sorts[other as usize].is_none_or(|s| Some(s) == sort))
                    .chain((0..rule.variables.len() as u32).filter(|&v| sort.is_some() && sorts[v as usize] != sort))
                    .map(Term::Variable)
                    .collect(),
                // `distinct` has no sort of its own: the values of any variable of the rule.
                _ => {
                    let any = sorts.iter().flatten().filter(|_| sort.is_none());
                    let names: BTreeSet<Symbol> =
                        sort.iter().chain(any).flat_map(|&sort| self.sorts.constants(sort)).collect();
                    names.into_iter().map(Term::Constant).collect()
                }
            };
            for other in others.into_iter().filter(|other| *other != term) {
                let mut changed = rule.clone();
                set_nth(&mut changed, place, &other);
                let change = self.difference(rule, &changed);
                edits.push(Edit { rule: index, instead: vec![changed], change });
            }
            place += 1;
        }
        edits
    }

    fn omissions(&self, index: usize, rule: &Rule) -> Vec<Edit> {
        let mut edits: Vec<Edit> = (0..rule.body.len())
            .map(|position| {
                let mut changed = rule.clone();
                let dropped = changed.body.remove(position);
                let change = format!("drop the condition {}", self.sheet.literal_text(&dropped, rule));
                Edit { rule: index, instead: vec![changed], change }
            })
            .collect();
        edits.push(Edit { rule: index, instead: Vec::new(), change: "drop this rule".to_owned() });
        edits
    }

    fn copies(&self, index: usize, rule: &Rule) -> Vec<Edit> {
        let mut pairs: BTreeSet<(Symbol, Symbol)> = BTreeSet::new();
        let mut place = 0;
        while let Some((term, sort)) = nth(rule, place, &self.sorts) {
            if let (Term::Constant(one), Some(sort)) = (term, sort) {
                pairs.extend(self.sorts.constants(sort).filter(|other| *other != one).map(|other| (one, other)));
            }
            place += 1;
        }
        let mut edits = Vec::new();
        for (one, other) in pairs {
            let mut copy = rule.clone();
            let exchange = |term: &mut Term| match term {
                Term::Constant(name) if *name == one => *name = other,
                Term::Constant(name) if *name == other => *name = one,
                _ => {}
            };
            each_leaf(&mut copy, &mut |term| exchange(term));
            let text = self.sheet.rule_text(&copy);
            if !self.sheet.rules.iter().any(|known| known.head == copy.head && known.body == copy.body) {
                let instead = vec![rule.clone(), copy];
                edits.push(Edit { rule: index, instead, change: format!("add a rule like {text}") });
            }
        }
        edits
    }

    pub(super) fn additions(&self, index: usize, rule: &Rule) -> Vec<Edit> {
        let sorts = self.sorts.variables(rule);
        let mut edits = Vec::new();
        let mut known: BTreeSet<String> =
            rule.body.iter().map(|literal| self.sheet.literal_text(literal, rule)).collect();
        for (template, variables) in &self.templates {
            for (literal, names) in self.instances(template, *variables, rule, &sorts) {
                let mut changed = rule.clone();
                changed.variables.extend(names);
                let text = self.sheet.literal_text(&literal, &changed);
                if edits.len() >= MOST_ADDED || !known.insert(text.clone()) {
                    continue;
                }
                changed.body.push(literal);
                edits.push(Edit { rule: index, instead: vec![changed], change: format!("add the condition {text}") });
            }
        }
        edits
    }

    /// A template with its variables replaced by those of a rule that have the same sort; where the rule has none, by a
    /// new variable.
    fn instances(
        &self,
        template: &Literal,
        variables: usize,
        rule: &Rule,
        sorts: &[Option<usize>],
    ) -> Vec<(Literal, Vec<Symbol>)> {
        let mut wanted: Vec<Option<usize>> = vec![None; variables];
        match template {
            Literal::Holds(atom) | Literal::Fails(atom) => visit_atom(atom, &mut |place, term| {
                if let Term::Variable(variable) = term {
                    wanted[*variable as usize] = self.sorts.of(place);
                }
            }),
            Literal::Distinct(..) | Literal::Same(..) => {
                return pairs(sorts).map(|(a, b)| (distinct(a, b), Vec::new())).collect();
            }
        }
        let positive = matches!(template, Literal::Holds(_));
        let mut choices: Vec<Vec<Option<u32>>> = vec![Vec::new()];
        for sort in wanted {
            let fitting: Vec<Option<u32>> = (0..sorts.len() as u32)
                .filter(|&variable| sort.is_some() && sorts[variable as usize] == sort)
                .map(Some)
                .chain(positive.then_some(None))
                .collect();
            choices = choices
                .iter()
                .flat_map(|choice| fitting.iter().map(move |&one| [choice.as_slice(), &[one]].concat()))
                .take(MOST_ADDED)
                .collect();
        }
        // A condition about nothing but new variables says little, unless it has none at all.
        choices.retain(|choice| choice.is_empty() || choice.iter().any(Option::is_some));
        let fill = |choice: &Vec<Option<u32>>| {
            let mut next = rule.variables.len() as u32;
            let filled: Vec<u32> = choice
                .iter()
                .map(|one| {
                    one.unwrap_or_else(|| {
                        next += 1;
                        next - 1
                    })
                })
                .collect();
            let mut literal = template.clone();
            each_leaf_of(&mut literal, &mut |term| {
                if let Term::Variable(variable) = term {
                    *variable = filled[*variable as usize];
                }
            });
            let names = self.names.iter().rev().copied().cycle();
            (literal, names.take(next as usize - rule.variables.len()).collect())
        };
        choices.iter().map(fill).collect()
    }

    /// What differs between two rules, in words.
    fn difference(&self, old: &Rule, new: &Rule) -> String {
        let parts = |rule: &Rule| -> Vec<String> {
            let body = rule.body.iter().map(|literal| self.sheet.literal_text(literal, rule));
            std::iter::once(self.sheet.atom_text(&rule.head, rule)).chain(body).collect()
        };
        let (old, new) = (parts(old), parts(new));
        match old.iter().zip(&new).find(|(old, new)| old != new) {
            Some((old, new)) => format!("write {new} instead of {old}"),
            None => String::new(),
        }
    }
}

/// Pairs of variables that have the same sort.
fn pairs(sorts: &[Option<usize>]) -> impl Iterator<Item = (u32, u32)> + '_ {
    let count = sorts.len() as u32;
    (0..count).flat_map(move |a| (a + 1..count).map(move |b| (a, b))).filter(|&(a, b)| {
        let (a, b) = (sorts[a as usize], sorts[b as usize]);
        a.is_some() && a == b
    })
}

fn distinct(left: u32, right: u32) -> Literal {
    Literal::Distinct(Term::Variable(left), Term::Variable(right))
}

/// The conditions that could be added to a rule: those that stand in the sheet, and what its rules conclude, as a
/// condition or denied. Variables are numbered from 0 in each; the number of variables comes with it.
fn templates(sheet: &Sheet) -> Vec<(Literal, usize)> {
    let mut found: Vec<(Literal, usize)> = vec![(distinct(0, 1), 2)];
    let mut add = |literal: Literal| {
        let entry = renumbered(literal);
        if !found.contains(&entry) {
            found.push(entry);
        }
    };
    for literal in sheet.rules.iter().flat_map(|rule| &rule.body) {
        if matches!(literal, Literal::Holds(_) | Literal::Fails(_)) {
            add(literal.clone());
        }
    }
    for rule in &sheet.rules {
        let relation = match rule.head.relation {
            keyword::NEXT | keyword::INIT => keyword::TRUE,
            keyword::ROLE | keyword::BASE | keyword::INPUT | keyword::SEES | keyword::LEGAL | keyword::GOAL => continue,
            other => other,
        };
        let mut next = 0;
        let mut open = |term: &mut Term| {
            *term = Term::Variable(next);
            next += 1;
        };
        let mut atom = Atom { relation, ..rule.head.clone() };
        for term in &mut atom.arguments {
            match term {
                Term::Function(_, arguments) => arguments.iter_mut().for_each(&mut open),
                Term::Constant(_) if relation == keyword::TRUE => {}
                _ => open(term),
            }
        }
        add(Literal::Holds(atom.clone()));
        add(Literal::Fails(atom));
    }
    found
}

fn renumbered(mut literal: Literal) -> (Literal, usize) {
    let mut known: Vec<u32> = Vec::new();
    each_leaf_of(&mut literal, &mut |term| {
        if let Term::Variable(variable) = term {
            let number = known.iter().position(|one| one == variable).unwrap_or_else(|| {
                known.push(*variable);
                known.len() - 1
            });
            *variable = number as u32;
        }
    });
    (literal, known.len())
}

/// The n-th variable or constant of a rule, and the sort of its place.
fn nth(rule: &Rule, n: usize, sorts: &Sorts) -> Option<(Term, Option<usize>)> {
    let mut count = 0;
    let mut found = None;
    let mut see = |place: Option<(Symbol, usize)>, term: &Term| {
        if count == n {
            found = Some((term.clone(), place.and_then(|place| sorts.of(place))));
        }
        count += 1;
    };
    each_place(rule, &mut see);
    found
}

fn set_nth(rule: &mut Rule, n: usize, new: &Term) {
    let mut count = 0;
    each_leaf(rule, &mut |term| {
        if count == n {
            *term = new.clone();
        }
        count += 1;
    });
}

/// Sees a variable or constant and its place; `distinct` has no places.
type See<'a> = dyn FnMut(Option<(Symbol, usize)>, &Term) + 'a;

/// Calls `see` with each variable and constant of a rule, in the order of [`each_leaf`].
fn each_place(rule: &Rule, see: &mut See) {
    fn leaves(name: Option<Symbol>, arguments: &[Term], see: &mut See) {
        for (index, term) in arguments.iter().enumerate() {
            match term {
                Term::Function(inner, arguments) => leaves(Some(*inner), arguments, see),
                leaf => see(name.map(|name| (name, index)), leaf),
            }
        }
    }
    leaves(Some(place_name(rule.head.relation)), &rule.head.arguments, see);
    for literal in &rule.body {
        match literal {
            Literal::Holds(atom) | Literal::Fails(atom) => {
                leaves(Some(place_name(atom.relation)), &atom.arguments, see)
            }
            Literal::Distinct(left, right) | Literal::Same(left, right) => {
                leaves(None, std::slice::from_ref(left), see);
                leaves(None, std::slice::from_ref(right), see);
            }
        }
    }
}

fn each_leaf(rule: &mut Rule, change: &mut dyn FnMut(&mut Term)) {
    rule.head.arguments.iter_mut().for_each(|term| leaf(term, change));
    rule.body.iter_mut().for_each(|literal| each_leaf_of(literal, change));
}

fn each_leaf_of(literal: &mut Literal, change: &mut dyn FnMut(&mut Term)) {
    match literal {
        Literal::Holds(atom) | Literal::Fails(atom) => atom.arguments.iter_mut().for_each(|term| leaf(term, change)),
        Literal::Distinct(left, right) | Literal::Same(left, right) => {
            leaf(left, change);
            leaf(right, change);
        }
    }
}

fn leaf(term: &mut Term, change: &mut dyn FnMut(&mut Term)) {
    match term {
        Term::Function(_, arguments) => arguments.iter_mut().for_each(|argument| leaf(argument, change)),
        other => change(other),
    }
}

//! Rules that do not fit the rest of a sheet: a variable stands in places with different kinds of values, or a constant
//! stands where no other rule has it.
//!
//! Two places have the same sort if a variable of some rule stands in both (see [`super::sorts`]). Here the sorts are
//! found without the rule in question, so that its own mistake does not hide itself.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::sorts::visit;
use crate::symbols::keyword;
use crate::{Literal, Rule, Sheet, Symbol, Term};

/// A variable or constant of a rule and the number of its place.
enum Leaf {
    Variable(usize, u32),
    Constant(usize, Symbol),
}

/// The rules with conditions that do not fit the others, by number.
pub(super) fn outliers(sheet: &Sheet) -> Vec<usize> {
    let mut numbers: FxHashMap<(Symbol, usize), usize> = FxHashMap::default();
    let mut leaves: Vec<Vec<Leaf>> = Vec::new();
    for rule in &sheet.rules {
        let mut found = Vec::new();
        visit(rule, &mut |place, term| {
            let next = numbers.len();
            let number = *numbers.entry(place).or_insert(next);
            match term {
                // Each goal has values of its own.
                Term::Constant(_) if place.0 == keyword::GOAL => {}
                Term::Variable(variable) => found.push(Leaf::Variable(number, *variable)),
                Term::Constant(name) => found.push(Leaf::Constant(number, *name)),
                Term::Function(..) => {}
            }
        });
        leaves.push(found);
    }
    // How many rules have a constant in a place.
    let mut constants: FxHashMap<(usize, Symbol), usize> = FxHashMap::default();
    for leaf in leaves.iter().flatten() {
        if let Leaf::Constant(place, name) = leaf {
            *constants.entry((*place, *name)).or_default() += 1;
        }
    }
    let joined: Vec<usize> = (0..leaves.len()).filter(|&rule| !sheet.rules[rule].variables.is_empty()).collect();
    let hint = |rule: &Rule| [keyword::BASE, keyword::INPUT, keyword::SEES].contains(&rule.head.relation);
    let rules = (0..leaves.len()).filter(|&rule| !sheet.rules[rule].body.is_empty() && !hint(&sheet.rules[rule]));
    rules.filter(|&rule| !fits(rule, sheet, &leaves, &joined, &constants, numbers.len())).collect()
}

fn fits(
    rule: usize,
    sheet: &Sheet,
    leaves: &[Vec<Leaf>],
    joined: &[usize],
    constants: &FxHashMap<(usize, Symbol), usize>,
    places: usize,
) -> bool {
    let mut sorts = Forest((0..places).collect());
    for &other in joined.iter().filter(|&&other| other != rule) {
        let mut seen: Vec<Option<usize>> = vec![None; sheet.rules[other].variables.len()];
        for leaf in &leaves[other] {
            if let Leaf::Variable(place, variable) = leaf {
                match seen[*variable as usize] {
                    Some(before) => sorts.join(before, *place),
                    None => seen[*variable as usize] = Some(*place),
                }
            }
        }
        for literal in &sheet.rules[other].body {
            if let Literal::Distinct(Term::Variable(left), Term::Variable(right)) = literal
                && let (Some(left), Some(right)) = (seen[*left as usize], seen[*right as usize])
            {
                sorts.join(left, right);
            }
        }
    }
    let own = |place: usize, name: Symbol| {
        let same = |leaf: &&Leaf| matches!(leaf, Leaf::Constant(p, n) if (*p, *n) == (place, name));
        leaves[rule].iter().filter(same).count()
    };
    let mut values: FxHashMap<usize, BTreeSet<Symbol>> = FxHashMap::default();
    for (&(place, name), &count) in constants {
        if count > own(place, name) {
            values.entry(sorts.root(place)).or_default().insert(name);
        }
    }
    let none = BTreeSet::new();
    let of = |place: usize| values.get(&sorts.root(place)).unwrap_or(&none);
    let mut seen: Vec<Vec<usize>> = vec![Vec::new(); sheet.rules[rule].variables.len()];
    for leaf in &leaves[rule] {
        match leaf {
            Leaf::Variable(place, variable) => {
                let here = of(*place);
                let differs = |other: &usize| {
                    let there = of(*other);
                    !here.is_empty() && !there.is_empty() && here.is_disjoint(there)
                };
                if seen[*variable as usize].iter().any(differs) {
                    return false;
                }
                seen[*variable as usize].push(*place);
            }
            Leaf::Constant(place, name) => {
                let here = of(*place);
                let elsewhere = || values.values().any(|names| names.contains(name));
                if here.len() > 1 && !here.contains(name) && elsewhere() {
                    return false;
                }
            }
        }
    }
    true
}

/// A forest of places; those of one tree have the same sort.
struct Forest(Vec<usize>);

impl Forest {
    fn root(&self, mut place: usize) -> usize {
        while self.0[place] != place {
            place = self.0[place];
        }
        place
    }

    fn join(&mut self, left: usize, right: usize) {
        let (left, right) = (self.root(left), self.root(right));
        self.0[left] = right;
    }
}

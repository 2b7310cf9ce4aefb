//! The relations of a sheet, how they depend on each other, and how each is best proved.

use rustc_hash::FxHashMap;

use crate::symbols::keyword;
use crate::{Atom, Literal, Rule, Sheet, Symbol, Term};

/// What a relation's truth depends on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Level {
    /// Nothing that changes.
    Static,
    /// The state.
    State,
    /// The state and what everybody does.
    Step,
}

/// Where the rows of a relation come from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Origin {
    /// A relation that the sheet defines (or only uses: then nothing of it holds). Name, number of arguments, and
    /// whether it is written in parentheses without arguments.
    Defined(Symbol, usize, bool),
    /// The facts of the state with this name and number of arguments; the flag tells a function from a constant.
    Fact(Symbol, usize, bool),
    /// All facts of the state, as whole terms: one column.
    AnyFact,
    /// Who does what: two columns.
    Does,
}

/// How a defined relation is proved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Method {
    /// Its rows are all there: given facts, or the state.
    Given,
    /// All rows at once, from the bottom up.
    Whole,
    /// Call by call, from the top down.
    OnDemand,
}

/// A relation.
#[derive(Clone, Debug)]
pub(crate) struct Predicate {
    pub origin: Origin,
    pub arity: usize,
    /// The rules that are not facts, by their number in the sheet.
    pub rules: Vec<usize>,
    /// The facts, by their number in the sheet.
    pub facts: Vec<usize>,
    pub level: Level,
    /// Relations that depend on each other share a component.
    pub component: usize,
    pub method: Method,
    /// The columns that must be known before it can be asked.
    pub needed: Vec<bool>,
}

/// All relations of a sheet.
pub(crate) struct Predicates {
    pub list: Vec<Predicate>,
    numbers: FxHashMap<Origin, usize>,
    /// The members of each component; those that others depend on come first.
    pub components: Vec<Vec<usize>>,
    /// Does a component depend on itself?
    pub recursive: Vec<bool>,
}

/// The relation an atom is about, and the terms of its columns. `None` for `true` and `does` with a wrong number of
/// arguments: nothing of them ever holds.
pub(crate) fn origin(atom: &Atom) -> Option<(Origin, &[Term])> {
    match (atom.relation, atom.arguments.as_slice()) {
        (keyword::TRUE, [Term::Constant(name)]) => Some((Origin::Fact(*name, 0, false), &[])),
        (keyword::TRUE, [Term::Function(name, arguments)]) => {
            Some((Origin::Fact(*name, arguments.len(), true), arguments))
        }
        (keyword::TRUE, arguments @ [Term::Variable(_)]) => Some((Origin::AnyFact, arguments)),
        (keyword::DOES, arguments @ [_, _]) => Some((Origin::Does, arguments)),
        (keyword::TRUE | keyword::DOES, _) => None,
        (relation, arguments) => Some((Origin::Defined(relation, arguments.len(), atom.bare_list), arguments)),
    }
}

/// The atom of a literal, and whether it is asked for or denied.
pub(crate) fn atom_of(literal: &Literal) -> Option<(&Atom, bool)> {
    match literal {
        Literal::Holds(atom) => Some((atom, true)),
        Literal::Fails(atom) => Some((atom, false)),
        Literal::Distinct(..) | Literal::Same(..) => None,
    }
}

impl Predicates {
    /// Finds and sorts the relations of a sheet.
    pub(crate) fn of(sheet: &Sheet) -> Predicates {
        let mut predicates = Predicates {
            list: Vec::new(),
            numbers: FxHashMap::default(),
            components: Vec::new(),
            recursive: Vec::new(),
        };
        for (number, rule) in sheet.rules.iter().enumerate() {
            for (atom, _) in rule.body.iter().filter_map(atom_of) {
                if let Some((origin, arguments)) = origin(atom) {
                    predicates.number(origin, arguments.len());
                }
            }
            // `true` and `does` come from the match; a sheet cannot define them.
            if let Some((origin @ Origin::Defined(..), arguments)) = origin(&rule.head) {
                let index = predicates.number(origin, arguments.len());
                let is_fact = rule.body.is_empty() && arguments.iter().all(Term::is_ground);
                let predicate = &mut predicates.list[index];
                if is_fact { &mut predicate.facts } else { &mut predicate.rules }.push(number);
            }
        }
        predicates.find_components(sheet);
        predicates.find_levels(sheet);
        predicates.find_needs(sheet);
        predicates.choose_methods(sheet);
        predicates
    }

    fn number(&mut self, origin: Origin, arity: usize) -> usize {
        *self.numbers.entry(origin).or_insert_with(|| {
            let level = match origin {
                Origin::Defined(..) => Level::Static,
                Origin::Fact(..) | Origin::AnyFact => Level::State,
                Origin::Does => Level::Step,
            };
            self.list.push(Predicate {
                origin,
                arity,
                rules: Vec::new(),
                facts: Vec::new(),
                level,
                component: 0,
                method: Method::Given,
                needed: vec![false; arity],
            });
            self.list.len() - 1
        })
    }

    /// The relation of an origin, if the sheet speaks of it.
    pub(crate) fn find(&self, origin: Origin) -> Option<usize> {
        self.numbers.get(&origin).copied()
    }

    /// The relation of an atom.
    pub(crate) fn of_atom<'a>(&self, atom: &'a Atom) -> Option<(usize, &'a [Term])> {
        let (origin, arguments) = origin(atom)?;
        Some((self.find(origin)?, arguments))
    }

    /// The relations that the rules of one use, each with whether it is asked for (not denied).
    fn uses(&self, sheet: &Sheet, index: usize) -> Vec<(usize, bool)> {
        let bodies = self.list[index].rules.iter().flat_map(|&rule| &sheet.rules[rule].body);
        let atoms = bodies.filter_map(atom_of);
        atoms.filter_map(|(atom, holds)| Some((self.of_atom(atom)?.0, holds))).collect()
    }

    /// Tarjan's strongly connected components, without recursion: sheets may be long chains.
    fn find_components(&mut self, sheet: &Sheet) {
        const UNSEEN: usize = usize::MAX;
        let uses: Vec<Vec<usize>> = (0..self.list.len())
            .map(|index| self.uses(sheet, index).into_iter().map(|(used, _)| used).collect())
            .collect();
        let mut order = vec![UNSEEN; uses.len()];
        let mut low = vec![UNSEEN; uses.len()];
        let mut waiting = vec![false; uses.len()];
        let mut stack = Vec::new();
        let mut seen = 0;
        for root in 0..uses.len() {
            if order[root] != UNSEEN {
                continue;
            }
            let mut path: Vec<(usize, usize)> = vec![(root, 0)];
            while let Some((node, next)) = path.last_mut() {
                let node = *node;
                if *next == 0 {
                    order[node] = seen;
                    low[node] = seen;
                    seen += 1;
                    stack.push(node);
                    waiting[node] = true;
                }
                if let Some(&used) = uses[node].get(*next) {
                    *next += 1;
                    if order[used] == UNSEEN {
                        path.push((used, 0));
                    } else if waiting[used] {
                        low[node] = low[node].min(order[used]);
                    }
                    // A first visit is told by a position of 0, so a node is never looked at twice from there.
                    continue;
                }
                path.pop();
                if let Some(&(parent, _)) = path.last() {
                    low[parent] = low[parent].min(low[node]);
                }
                if low[node] == order[node] {
                    let start = stack.iter().rposition(|&member| member == node).unwrap_or(0);
                    let members: Vec<usize> = stack.drain(start..).collect();
                    for &member in &members {
                        waiting[member] = false;
                        self.list[member].component = self.components.len();
                    }
                    self.recursive.push(members.len() > 1 || uses[node].contains(&node));
                    self.components.push(members);
                }
            }
        }
    }

    fn find_levels(&mut self, sheet: &Sheet) {
        for component in 0..self.components.len() {
            let members = self.components[component].clone();
            let used = members.iter().flat_map(|&member| self.uses(sheet, member));
            let deepest = used.map(|(used, _)| self.list[used].level).max().unwrap_or(Level::Static);
            for member in members {
                self.list[member].level = self.list[member].level.max(deepest);
            }
        }
    }

    /// Which columns must be known before a relation can be asked: those of variables that no positive condition gives
    /// a value. In a safe sheet there are none.
    fn find_needs(&mut self, sheet: &Sheet) {
        for component in 0..self.components.len() {
            let members = self.components[component].clone();
            loop {
                let mut changed = false;
                for &member in &members {
                    for rule in self.list[member].rules.clone() {
                        changed |= self.find_needs_of(member, &sheet.rules[rule]);
                    }
                }
                if !changed {
                    break;
                }
            }
        }
    }

    fn find_needs_of(&mut self, member: usize, rule: &Rule) -> bool {
        let Some((_, head)) = origin(&rule.head) else { return false };
        let mut known = vec![false; rule.variables.len()];
        for (term, _) in head.iter().zip(&self.list[member].needed).filter(|(_, needed)| **needed) {
            term.variables(&mut |variable| known[variable as usize] = true);
        }
        self.spread(rule, &mut known);
        let mut changed = false;
        for (column, term) in head.iter().enumerate() {
            let mut unknown = false;
            term.variables(&mut |variable| unknown |= !known[variable as usize]);
            changed |= unknown && !self.list[member].needed[column];
            self.list[member].needed[column] |= unknown;
        }
        changed
    }

    /// Marks the variables that positive conditions give values, as far as they can be asked.
    fn spread(&self, rule: &Rule, known: &mut [bool]) {
        loop {
            let before = known.iter().filter(|known| **known).count();
            for literal in &rule.body {
                match literal {
                    Literal::Holds(atom) => {
                        let Some((used, arguments)) = self.of_atom(atom) else { continue };
                        let mut ready = true;
                        for (term, _) in arguments.iter().zip(&self.list[used].needed).filter(|(_, needed)| **needed) {
                            term.variables(&mut |variable| ready &= known[variable as usize]);
                        }
                        if ready {
                            arguments.iter().for_each(|term| term.variables(&mut |v| known[v as usize] = true));
                        }
                    }
                    Literal::Same(left, right) => {
                        for (one, other) in [(left, right), (right, left)] {
                            let mut ready = true;
                            one.variables(&mut |variable| ready &= known[variable as usize]);
                            if ready {
                                other.variables(&mut |variable| known[variable as usize] = true);
                            }
                        }
                    }
                    Literal::Fails(_) | Literal::Distinct(..) => {}
                }
            }
            if before == known.iter().filter(|known| **known).count() {
                return;
            }
        }
    }

    fn choose_methods(&mut self, sheet: &Sheet) {
        for component in 0..self.components.len() {
            let members = self.components[component].clone();
            let whole = self.recursive[component] && members.iter().all(|&member| self.fits_whole(sheet, member));
            for member in members {
                let predicate = &mut self.list[member];
                predicate.method = match (predicate.rules.is_empty(), whole) {
                    (true, _) => Method::Given,
                    (false, true) => Method::Whole,
                    (false, false) => Method::OnDemand,
                };
            }
        }
    }

    /// Can a recursive relation be found from the bottom up? Not if it needs to be told columns, denies a relation of
    /// its own component (the ground level may still be in order), or builds terms, which might never end.
    fn fits_whole(&self, sheet: &Sheet, member: usize) -> bool {
        let predicate = &self.list[member];
        let component = predicate.component;
        if predicate.needed.iter().any(|needed| *needed) {
            return false;
        }
        predicate.rules.iter().all(|&rule| {
            let rule = &sheet.rules[rule];
            let inside =
                |atom: &Atom| self.of_atom(atom).is_some_and(|(used, _)| self.list[used].component == component);
            let denies = rule.body.iter().filter_map(atom_of).any(|(atom, holds)| !holds && inside(atom));
            let recursive = rule.body.iter().filter_map(atom_of).any(|(atom, _)| inside(atom));
            let builds = rule.head.arguments.iter().any(|term| matches!(term, Term::Function(..)) && !term.is_ground());
            let may_not_end = recursive && builds;
            !denies && !may_not_end
        })
    }
}

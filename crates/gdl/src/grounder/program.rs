//! A sheet as the grounder uses it: relations are numbered, ground terms interned, equalities solved, and rules that no
//! keyword needs are dropped.

use rustc_hash::FxHashMap;
use tesuji_core::InputError;

use super::components::Graph;
use super::unify::Substitution;
use crate::symbols::keyword;
use crate::{Atom, GroundTerm, Literal, Place, Rule, Sheet, Symbol, Term, Terms};

/// A term, possibly with variables.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) enum Pattern {
    Ground(GroundTerm),
    Variable(u32),
    Function(Symbol, Vec<Pattern>),
}

impl Pattern {
    pub(super) fn variables(&self, visit: &mut impl FnMut(u32)) {
        match self {
            Pattern::Ground(_) => {}
            Pattern::Variable(variable) => visit(*variable),
            Pattern::Function(_, arguments) => arguments.iter().for_each(|argument| argument.variables(visit)),
        }
    }

    fn of(term: &Term, terms: &mut Terms) -> Pattern {
        match term {
            Term::Constant(symbol) => Pattern::Ground(terms.constant(*symbol)),
            Term::Variable(variable) => Pattern::Variable(*variable),
            Term::Function(name, arguments) => {
                let arguments: Vec<Pattern> = arguments.iter().map(|term| Pattern::of(term, terms)).collect();
                let ground: Option<Vec<GroundTerm>> = arguments.iter().map(Pattern::ground).collect();
                match ground {
                    Some(ground) => Pattern::Ground(terms.function(*name, &ground)),
                    None => Pattern::Function(*name, arguments),
                }
            }
        }
    }

    fn ground(&self) -> Option<GroundTerm> {
        match self {
            Pattern::Ground(term) => Some(*term),
            _ => None,
        }
    }
}

/// A relation of terms, possibly with variables.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct Formula {
    pub(super) relation: usize,
    pub(super) arguments: Vec<Pattern>,
    /// A guard narrows a join but does not appear in the ground rules: the rule that uses the head demands it anyway.
    pub(super) guard: bool,
}

impl Formula {
    pub(super) fn variables(&self, visit: &mut impl FnMut(u32)) {
        self.arguments.iter().for_each(|argument| argument.variables(visit));
    }
}

/// A rule.
#[derive(Clone, Debug)]
pub(super) struct Clause {
    pub(super) head: Formula,
    pub(super) positive: Vec<Formula>,
    pub(super) negative: Vec<Formula>,
    pub(super) distinct: Vec<(Pattern, Pattern)>,
    /// The number of variables.
    pub(super) variables: usize,
    /// Its place in the text; `None` for the clauses that define reachability, which produce no ground rules.
    pub(super) place: Option<Place>,
}

/// A relation.
#[derive(Clone, Debug)]
pub(super) struct RelationKind {
    /// The name; `None` for a part of a split body.
    pub(super) name: Option<(Symbol, bool)>,
    pub(super) arity: usize,
    /// Whether it depends on neither state nor moves, and not on its own negation.
    pub(super) is_static: bool,
}

/// The numbers of the keyword relations.
pub(super) const ROLE: usize = 0;
pub(super) const INIT: usize = 1;
pub(super) const TRUE: usize = 2;
pub(super) const DOES: usize = 3;
pub(super) const LEGAL: usize = 4;
pub(super) const NEXT: usize = 5;
pub(super) const TERMINAL: usize = 6;
pub(super) const GOAL: usize = 7;

const KEYWORDS: [(Symbol, usize); 8] = [
    (keyword::ROLE, 1),
    (keyword::INIT, 1),
    (keyword::TRUE, 1),
    (keyword::DOES, 2),
    (keyword::LEGAL, 2),
    (keyword::NEXT, 1),
    (keyword::TERMINAL, 0),
    (keyword::GOAL, 2),
];

/// The relations and clauses of a sheet.
pub(super) struct Program {
    pub(super) relations: Vec<RelationKind>,
    pub(super) clauses: Vec<Clause>,
}

impl Program {
    pub(super) fn new(sheet: &Sheet, terms: &mut Terms) -> Result<Program, InputError> {
        let mut relations: Vec<RelationKind> = KEYWORDS
            .iter()
            .map(|&(name, arity)| RelationKind { name: Some((name, false)), arity, is_static: true })
            .collect();
        let mut numbers: FxHashMap<(Symbol, usize, bool), usize> =
            KEYWORDS.iter().enumerate().map(|(number, &(name, arity))| ((name, arity, false), number)).collect();
        let mut number = |atom: &Atom| {
            *numbers.entry(atom.signature()).or_insert_with(|| {
                let (name, arity, bare_list) = atom.signature();
                relations.push(RelationKind { name: Some((name, bare_list)), arity, is_static: true });
                relations.len() - 1
            })
        };
        let needed = needed_rules(sheet, &mut number);
        let mut clauses = Vec::new();
        for (rule, _) in sheet.rules.iter().zip(needed).filter(|(_, needed)| *needed) {
            if matches!(rule.head.relation, keyword::TRUE | keyword::DOES) {
                let word = sheet.symbols.text(rule.head.relation);
                return Err(sheet
                    .error(rule.place, format!("`{word}` cannot be what a clause says"))
                    .with_help("use `init` and `next` for states, `legal` for moves"));
            }
            clauses.extend(clause(sheet, rule, &mut number, terms)?);
        }
        let mut program = Program { relations, clauses };
        program.find_static(sheet)?;
        program.clauses.extend(reachability());
        Ok(program)
    }

    /// Marks the relations that depend on state, moves or their own negation.
    fn find_static(&mut self, sheet: &Sheet) -> Result<(), InputError> {
        let dependencies = self.clauses.iter().flat_map(|clause| {
            let body = clause.positive.iter().chain(&clause.negative);
            body.map(|formula| (clause.head.relation as u32, formula.relation as u32))
        });
        let component = Graph::new(self.relations.len(), dependencies.clone()).components();
        let mut dynamic = vec![false; self.relations.len()];
        // Relations that are queried in every state are kept as rules even if they never change.
        for relation in [TRUE, DOES, LEGAL, NEXT, TERMINAL, GOAL] {
            dynamic[relation] = true;
        }
        for clause in &self.clauses {
            let head = clause.head.relation;
            dynamic[head] |= clause.negative.iter().any(|formula| component[formula.relation] == component[head]);
        }
        let backwards = Graph::new(self.relations.len(), dependencies.map(|(head, body)| (body, head)));
        let mut open: Vec<usize> = (0..dynamic.len()).filter(|&relation| dynamic[relation]).collect();
        while let Some(relation) = open.pop() {
            for &head in backwards.edges(relation as u32) {
                if !std::mem::replace(&mut dynamic[head as usize], true) {
                    open.push(head as usize);
                }
            }
        }
        for (relation, word) in [(ROLE, "role"), (INIT, "init")] {
            if dynamic[relation]
                && let Some(place) =
                    self.clauses.iter().filter(|clause| clause.head.relation == relation).find_map(|clause| {
                        let body = clause.positive.iter().chain(&clause.negative);
                        clause.place.filter(|_| body.into_iter().any(|formula| dynamic[formula.relation]))
                    })
            {
                return Err(sheet
                    .error(place, format!("`{word}` depends on the state, on moves or on its own negation"))
                    .with_help(format!("`{word}` is asked once, before there is a state")));
            }
        }
        self.relations.iter_mut().zip(dynamic).for_each(|(kind, dynamic)| kind.is_static = !dynamic);
        Ok(())
    }
}

/// The rules that the keywords need, directly or indirectly.
fn needed_rules(sheet: &Sheet, number: &mut impl FnMut(&Atom) -> usize) -> Vec<bool> {
    let mut by_head: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
    for (index, rule) in sheet.rules.iter().enumerate() {
        by_head.entry(number(&rule.head)).or_default().push(index);
    }
    let mut needed = vec![false; sheet.rules.len()];
    let mut open: Vec<usize> = (0..KEYWORDS.len()).collect();
    while let Some(relation) = open.pop() {
        for index in by_head.remove(&relation).unwrap_or_default() {
            needed[index] = true;
            for literal in &sheet.rules[index].body {
                if let Literal::Holds(atom) | Literal::Fails(atom) = literal {
                    open.push(number(atom));
                }
            }
        }
    }
    needed
}

/// The clauses of reachability: the initial state, what may follow, and everything legal.
fn reachability() -> [Clause; 3] {
    let formula = |relation, arguments: &[u32]| Formula {
        relation,
        arguments: arguments.iter().map(|&variable| Pattern::Variable(variable)).collect(),
        guard: false,
    };
    let clause = |head, positive| Clause {
        head,
        positive,
        negative: Vec::new(),
        distinct: Vec::new(),
        variables: 2,
        place: None,
    };
    [
        clause(formula(TRUE, &[0]), vec![formula(INIT, &[0])]),
        clause(formula(TRUE, &[0]), vec![formula(NEXT, &[0])]),
        clause(formula(DOES, &[0, 1]), vec![formula(LEGAL, &[0, 1]), formula(ROLE, &[0])]),
    ]
}

/// A rule with its equalities solved; `None` if it can never hold.
fn clause(
    sheet: &Sheet,
    rule: &Rule,
    number: &mut impl FnMut(&Atom) -> usize,
    terms: &mut Terms,
) -> Result<Option<Clause>, InputError> {
    let mut substitution = Substitution::new(rule.variables.len());
    for literal in &rule.body {
        if let Literal::Same(left, right) = literal
            && !substitution.unify(left, right)
        {
            return Ok(None);
        }
    }
    let mut pattern = |term: &Term| match substitution.apply(term) {
        Some(term) => Ok(Pattern::of(&term, terms)),
        None => Err(sheet.error(rule.place, "the equalities of this rule make terms too large")),
    };
    let mut formula = |atom: &Atom| -> Result<Formula, InputError> {
        let arguments = atom.arguments.iter().map(&mut pattern).collect::<Result<_, _>>()?;
        Ok(Formula { relation: number(atom), arguments, guard: false })
    };
    let head = formula(&rule.head)?;
    let (mut positive, mut negative) = (Vec::new(), Vec::new());
    for literal in &rule.body {
        match literal {
            Literal::Holds(atom) => positive.push(formula(atom)?),
            Literal::Fails(atom) => negative.push(formula(atom)?),
            Literal::Distinct(..) | Literal::Same(..) => {}
        }
    }
    let mut distinct = Vec::new();
    for literal in &rule.body {
        if let Literal::Distinct(left, right) = literal {
            match (pattern(left)?, pattern(right)?) {
                (left, right) if left == right => return Ok(None),
                (Pattern::Ground(_), Pattern::Ground(_)) => {}
                pair => distinct.push(pair),
            }
        }
    }
    let variables = rule.variables.len();
    let clause = Clause { head, positive, negative, distinct, variables, place: Some(rule.place) };
    match clause.unbound() {
        None => Ok(Some(clause)),
        Some(variable) => {
            let name = sheet.symbols.text(rule.variables[variable as usize]);
            Err(sheet
                .error(rule.place, format!("the variable `{name}` has no condition that says what it may be"))
                .with_help("every variable must stand in a condition without `not` and `distinct`"))
        }
    }
}

impl Clause {
    /// A variable that no positive condition binds.
    fn unbound(&self) -> Option<u32> {
        let mut bound = vec![false; self.variables];
        self.positive.iter().for_each(|formula| formula.variables(&mut |variable| bound[variable as usize] = true));
        let mut unbound = None;
        let mut visit = |variable: u32| {
            if !bound[variable as usize] {
                unbound = unbound.or(Some(variable));
            }
        };
        self.head.variables(&mut visit);
        self.negative.iter().for_each(|formula| formula.variables(&mut visit));
        for (left, right) in &self.distinct {
            left.variables(&mut visit);
            right.variables(&mut visit);
        }
        unbound
    }
}

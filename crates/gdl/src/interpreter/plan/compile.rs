//! From a sheet to its plans: which relations are stored, which are proved on demand, and with which columns known.

use rustc_hash::FxHashMap;
use tesuji_core::InputError;

use super::{Access, Builder, Pattern, Procedure, Program, RulePlan, Step, Stored, Whole};
use crate::interpreter::predicates::{Level, Method, Origin, Predicates, origin};
use crate::interpreter::prover::{RED_ZONE, STACK_PIECE};
use crate::symbols::keyword;
use crate::{Atom, GroundTerm, Literal, Rule, Sheet, Symbol, Term, Terms};

/// Columns beyond this one are never part of a question; they are compared with the answers.
pub(super) const MOST_KNOWN_COLUMNS: usize = 64;

/// Makes a sheet ready. Its ground terms get numbers in `terms`.
pub(crate) fn compile(sheet: &Sheet, terms: &mut Terms) -> Result<Program, InputError> {
    let mut compiler = Compiler {
        sheet,
        terms,
        stored_of: FxHashMap::default(),
        procedure_of: FxHashMap::default(),
        sizes: start_sizes(sheet),
        program: Program {
            stored: Vec::new(),
            procedures: Vec::new(),
            wholes: Vec::new(),
            facts: FxHashMap::default(),
            any_fact: None,
            does: None,
            init: 0,
            legal: 0,
            next: 0,
            terminal: 0,
            goal: 0,
            predicates: Predicates::of(sheet),
        },
    };
    let question = |relation, arity| Origin::Defined(relation, arity, false);
    compiler.program.init = compiler.question(question(keyword::INIT, 1), 0)?;
    compiler.program.legal = compiler.question(question(keyword::LEGAL, 2), 1)?;
    compiler.program.next = compiler.question(question(keyword::NEXT, 1), 0)?;
    compiler.program.terminal = compiler.question(question(keyword::TERMINAL, 0), 0)?;
    compiler.program.goal = compiler.question(question(keyword::GOAL, 2), 1)?;
    Ok(compiler.program)
}

/// How many facts of each kind the first state has, as far as the text says so: a guess at the size of later states.
fn start_sizes(sheet: &Sheet) -> FxHashMap<(Symbol, usize, bool), usize> {
    let mut sizes = FxHashMap::default();
    for rule in sheet.rules.iter().filter(|rule| rule.head.relation == keyword::INIT) {
        let shape = match rule.head.arguments.as_slice() {
            [Term::Constant(name)] => (*name, 0, false),
            [Term::Function(name, arguments)] => (*name, arguments.len(), true),
            _ => continue,
        };
        *sizes.entry(shape).or_default() += if rule.body.is_empty() { 1 } else { 10 };
    }
    sizes
}

pub(super) struct Compiler<'a> {
    pub(super) sheet: &'a Sheet,
    pub(super) terms: &'a mut Terms,
    stored_of: FxHashMap<usize, u32>,
    procedure_of: FxHashMap<(usize, u64), u32>,
    pub(super) sizes: FxHashMap<(Symbol, usize, bool), usize>,
    pub(super) program: Program,
}

impl Compiler<'_> {
    /// A procedure that asks a relation with its first `known` columns given.
    fn question(&mut self, origin: Origin, known: usize) -> Result<u32, InputError> {
        let Origin::Defined(relation, arity, bare_list) = origin else {
            unreachable!("only defined relations are asked")
        };
        let arguments: Vec<Term> = (0..arity as u32).map(Term::Variable).collect();
        let atom = Atom { relation, arguments, bare_list };
        let width = arity - known;
        // What the sheet never speaks of never holds.
        let mut procedure = Procedure { level: Level::Static, plans: Vec::new(), width, predicate: usize::MAX };
        if let Some(predicate) = self.program.predicates.find(origin) {
            let described = &self.program.predicates.list[predicate];
            procedure.level = described.level;
            procedure.predicate = predicate;
            let place = described.rules.first().map_or_else(Default::default, |&rule| self.sheet.rules[rule].place);
            let names = (0..arity).map(|_| keyword::TRUE).collect();
            let rule = Rule { head: atom.clone(), body: vec![Literal::Holds(atom)], variables: names, place };
            procedure.plans.push(self.rule(&rule, &rule.head.arguments, (1 << known) - 1, None)?);
        }
        self.program.procedures.push(procedure);
        Ok(self.program.procedures.len() as u32 - 1)
    }

    /// The stored rows of a relation: all of a given or whole one, the facts of one that is proved on demand.
    pub(super) fn stored(&mut self, predicate: usize) -> Result<u32, InputError> {
        if let Some(&stored) = self.stored_of.get(&predicate) {
            return Ok(stored);
        }
        let number = self.program.stored.len() as u32;
        self.stored_of.insert(predicate, number);
        let Predicates { list, .. } = &self.program.predicates;
        let (origin, method, component) = (list[predicate].origin, list[predicate].method, list[predicate].component);
        let mut facts = Vec::new();
        for rule in list[predicate].facts.clone() {
            let arguments = &self.sheet.rules[rule].head.arguments;
            facts.push(arguments.iter().map(|term| ground(self.terms, term).0).collect());
        }
        let width = self.program.predicates.list[predicate].arity;
        self.program.stored.push(Stored { width, indexes: Vec::new(), facts, whole: None });
        match origin {
            Origin::Fact(name, arity, function) => {
                self.program.facts.insert((name, arity, function), number);
            }
            Origin::AnyFact => self.program.any_fact = Some(number),
            Origin::Does => self.program.does = Some(number),
            Origin::Defined(..) if method == Method::Whole => {
                stacker::maybe_grow(RED_ZONE, STACK_PIECE, || self.whole(component))?;
            }
            Origin::Defined(..) => {}
        }
        Ok(number)
    }

    fn whole(&mut self, component: usize) -> Result<(), InputError> {
        let members = self.program.predicates.components[component].clone();
        if members.iter().any(|member| {
            self.stored_of.get(member).is_some_and(|&stored| self.program.stored[stored as usize].whole.is_some())
        }) {
            return Ok(());
        }
        let number = self.program.wholes.len() as u32;
        let level = self.program.predicates.list[members[0]].level;
        self.program.wholes.push(Whole { level, relations: Vec::new(), base: Vec::new(), rounds: Vec::new() });
        let mut relations = Vec::new();
        // All members are marked before any rule is looked at, so that rules which use them do not begin again.
        for &member in &members {
            let stored = match self.stored_of.get(&member) {
                Some(&stored) => stored,
                None => {
                    let facts = self.program.predicates.list[member].facts.clone();
                    let row = |rule: usize| self.sheet.rules[rule].head.arguments.clone();
                    let facts: Vec<Vec<Term>> = facts.into_iter().map(row).collect();
                    let facts = facts.iter().map(|row| row.iter().map(|term| ground(self.terms, term).0).collect());
                    let facts = facts.collect();
                    let width = self.program.predicates.list[member].arity;
                    self.program.stored.push(Stored { width, indexes: Vec::new(), facts, whole: None });
                    let stored = self.program.stored.len() as u32 - 1;
                    self.stored_of.insert(member, stored);
                    stored
                }
            };
            self.program.stored[stored as usize].whole = Some(number);
            relations.push(stored);
        }
        self.program.wholes[number as usize].relations.clone_from(&relations);
        for (&member, &target) in members.iter().zip(&relations) {
            for rule in self.program.predicates.list[member].rules.clone() {
                let rule = &self.sheet.rules[rule];
                let mut recursive = false;
                for (position, literal) in rule.body.iter().enumerate() {
                    let Literal::Holds(atom) = literal else { continue };
                    let Some((used, _)) = self.program.predicates.of_atom(atom) else { continue };
                    if self.program.predicates.list[used].component == component {
                        recursive = true;
                        let from = self.stored_of[&used];
                        let plan = self.rule(rule, &rule.head.arguments, 0, Some(position))?;
                        self.program.wholes[number as usize].rounds.push((from, target, plan));
                    }
                }
                if !recursive {
                    let plan = self.rule(rule, &rule.head.arguments, 0, None)?;
                    self.program.wholes[number as usize].base.push((target, plan));
                }
            }
        }
        Ok(())
    }

    pub(super) fn procedure(&mut self, predicate: usize, known: u64) -> Result<u32, InputError> {
        if let Some(&procedure) = self.procedure_of.get(&(predicate, known)) {
            return Ok(procedure);
        }
        let number = self.program.procedures.len() as u32;
        self.procedure_of.insert((predicate, known), number);
        let described = &self.program.predicates.list[predicate];
        let (level, arity, rules) = (described.level, described.arity, described.rules.clone());
        let has_facts = !described.facts.is_empty();
        let width = (0..arity).filter(|&column| !is_known(known, column)).count();
        self.program.procedures.push(Procedure { level, plans: Vec::new(), width, predicate });
        let mut plans = Vec::new();
        if has_facts {
            plans.push(self.facts_plan(predicate, arity, known)?);
        }
        for rule in rules {
            let rule = &self.sheet.rules[rule];
            let Some((_, head)) = origin(&rule.head) else { continue };
            let plan = stacker::maybe_grow(RED_ZONE, STACK_PIECE, || self.rule(rule, head, known, None))?;
            plans.push(plan);
        }
        self.program.procedures[number as usize].plans = plans;
        Ok(number)
    }

    /// The facts of a relation that has rules too, as one more rule.
    fn facts_plan(&mut self, predicate: usize, arity: usize, known: u64) -> Result<RulePlan, InputError> {
        let relation = self.stored(predicate)?;
        let (given, free): (Vec<usize>, Vec<usize>) = (0..arity).partition(|&column| is_known(known, column));
        let access = self.access(relation, &given, arity);
        let once = free.is_empty();
        let step = Step::Rows {
            relation,
            access,
            key: given.iter().map(|&column| Builder::Variable(column as u32)).collect(),
            columns: free.iter().map(|&column| (column as u32, Pattern::Bind(column as u32))).collect(),
            once,
        };
        Ok(RulePlan {
            question: given.iter().map(|&column| Pattern::Bind(column as u32)).collect(),
            steps: Box::new([step]),
            answer: free.iter().map(|&column| Builder::Variable(column as u32)).collect(),
            variables: arity as u32,
        })
    }

    /// How rows of a stored relation are found if these columns are known; makes the index.
    pub(super) fn access(&mut self, relation: u32, columns: &[usize], width: usize) -> Access {
        if columns.len() == width {
            return Access::Exact;
        }
        if columns.is_empty() {
            return Access::All;
        }
        let columns: Box<[u32]> = columns.iter().map(|&column| column as u32).collect();
        let indexes = &mut self.program.stored[relation as usize].indexes;
        let index = indexes.iter().position(|known| *known == columns).unwrap_or_else(|| {
            indexes.push(columns);
            indexes.len() - 1
        });
        Access::Index(index as u32)
    }
}

pub(super) fn is_known(known: u64, column: usize) -> bool {
    column < MOST_KNOWN_COLUMNS && known >> column & 1 == 1
}

/// The number of a term without variables.
pub(super) fn ground(terms: &mut Terms, term: &Term) -> GroundTerm {
    match term {
        Term::Constant(name) => terms.constant(*name),
        // Only called for terms without variables.
        Term::Variable(_) => GroundTerm(0),
        Term::Function(name, arguments) => {
            let arguments: Vec<GroundTerm> = arguments.iter().map(|argument| ground(terms, argument)).collect();
            terms.function(*name, &arguments)
        }
    }
}

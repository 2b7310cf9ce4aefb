//! Rules made ready to run: for each rule and each set of columns that the question knows, the order in which the
//! conditions are asked and what each of them looks up, checks and binds.

use rustc_hash::FxHashMap;
use tesuji_core::InputError;

use super::predicates::{Level, Method, Origin, Predicates, origin};
use super::prover::{RED_ZONE, STACK_PIECE};
use super::rows::Value;
use crate::symbols::keyword;
use crate::{Atom, GroundTerm, Literal, Rule, Sheet, Symbol, Term, Terms};

/// What a value must look like, and the variables it binds.
#[derive(Clone, Debug)]
pub enum Pattern {
    Constant(Value),
    /// The value that the variable has.
    Known(u32),
    /// Any value; the variable gets it.
    Bind(u32),
    Function(Symbol, Box<[Pattern]>),
}

/// A term whose variables all have values.
#[derive(Clone, Debug)]
pub enum Builder {
    Constant(Value),
    Variable(u32),
    Function(Symbol, Box<[Builder]>),
}

/// How rows are found.
#[derive(Clone, Debug)]
pub enum Access {
    /// All of them.
    All,
    /// Those that the last round of a recursion brought.
    Fresh,
    /// By an index.
    Index(u32),
    /// The whole row is known.
    Exact,
}

/// One condition.
#[derive(Clone, Debug)]
pub enum Step {
    /// Rows of a relation that is stored.
    Rows { relation: u32, access: Access, key: Box<[Builder]>, columns: Box<[(u32, Pattern)]>, once: bool },
    /// There is no such row.
    NoRow { relation: u32, access: Access, key: Box<[Builder]>, columns: Box<[(u32, Pattern)]> },
    /// Answers of a procedure.
    Call { procedure: u32, key: Box<[Builder]>, columns: Box<[(u32, Pattern)]>, once: bool },
    /// The procedure has no such answer.
    NoAnswer { procedure: u32, key: Box<[Builder]>, columns: Box<[(u32, Pattern)]> },
    /// The terms differ.
    Distinct(Builder, Builder),
    /// The second term looks like the first.
    Same(Pattern, Builder),
    /// Never holds.
    Never,
}

/// A rule for one set of known columns.
#[derive(Clone, Debug)]
pub struct RulePlan {
    /// What the known columns of the question must look like, in their order.
    pub question: Box<[Pattern]>,
    pub steps: Box<[Step]>,
    /// The other columns.
    pub answer: Box<[Builder]>,
    pub variables: u32,
}

/// A relation asked with some columns known.
#[derive(Clone, Debug)]
pub struct Procedure {
    pub level: Level,
    pub plans: Vec<RulePlan>,
    /// How many columns an answer has.
    pub width: usize,
    /// The relation it proves.
    pub predicate: usize,
}

/// Relations found from the bottom up together.
#[derive(Clone, Debug)]
pub struct Whole {
    pub level: Level,
    pub relations: Vec<u32>,
    /// Rules that do not use the relations themselves, with the relation they add to.
    pub base: Vec<(u32, RulePlan)>,
    /// Rules that do: relation whose fresh rows they start from, relation they add to.
    pub rounds: Vec<(u32, u32, RulePlan)>,
}

/// A relation that is stored.
#[derive(Clone, Debug)]
pub struct Stored {
    pub width: usize,
    pub indexes: Vec<Box<[u32]>>,
    /// The rows that are always there.
    pub facts: Vec<Box<[Value]>>,
    /// The group that finds its other rows.
    pub whole: Option<u32>,
}

/// A sheet made ready to run.
pub struct Program {
    pub stored: Vec<Stored>,
    pub procedures: Vec<Procedure>,
    pub wholes: Vec<Whole>,
    /// The relations of the state's facts, by name, number of arguments and whether they are functions.
    pub facts: FxHashMap<(Symbol, usize, bool), u32>,
    pub any_fact: Option<u32>,
    pub does: Option<u32>,
    pub init: u32,
    /// Knows the role; answers with moves.
    pub legal: u32,
    pub next: u32,
    pub terminal: u32,
    /// Knows the role; answers with values.
    pub goal: u32,
    /// What each procedure is about, for messages.
    pub predicates: Predicates,
}

/// Columns beyond this one are never part of a question; they are compared with the answers.
const MOST_KNOWN_COLUMNS: usize = 64;

/// The guessed number of facts of a kind that the first state has none of: often pieces that are yet to be put on a board.
const UNKNOWN_SIZE: f64 = 40.0;

/// Makes a sheet ready. Its ground terms get numbers in `terms`.
pub fn compile(sheet: &Sheet, terms: &mut Terms) -> Result<Program, InputError> {
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

struct Compiler<'a> {
    sheet: &'a Sheet,
    terms: &'a mut Terms,
    stored_of: FxHashMap<usize, u32>,
    procedure_of: FxHashMap<(usize, u64), u32>,
    sizes: FxHashMap<(Symbol, usize, bool), usize>,
    program: Program,
}

/// A condition that waits to be put in order.
struct Waiting<'a> {
    literal: &'a Literal,
    /// Does it start from fresh rows?
    fresh: bool,
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
    fn stored(&mut self, predicate: usize) -> Result<u32, InputError> {
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

    fn procedure(&mut self, predicate: usize, known: u64) -> Result<u32, InputError> {
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
    fn access(&mut self, relation: u32, columns: &[usize], width: usize) -> Access {
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

    fn rule(&mut self, rule: &Rule, head: &[Term], known: u64, fresh: Option<usize>) -> Result<RulePlan, InputError> {
        let mut bound = vec![false; rule.variables.len()];
        let mut question = Vec::new();
        for (_, term) in head.iter().enumerate().filter(|(column, _)| is_known(known, *column)) {
            question.push(self.pattern(term, &mut bound));
        }
        let mut waiting: Vec<Waiting> = rule
            .body
            .iter()
            .enumerate()
            .map(|(position, literal)| Waiting { literal, fresh: fresh == Some(position) })
            .collect();
        let mut steps = Vec::new();
        while !waiting.is_empty() {
            let chosen = self.choose(&waiting, &bound).or_else(|| self.last_resort(&waiting));
            let Some(chosen) = chosen else { return Err(self.unsafe_rule(rule, &waiting, &bound)) };
            let Waiting { literal, fresh } = waiting.remove(chosen);
            let step = self.step(literal, fresh, &mut bound)?;
            steps.push(step);
        }
        let mut answer = Vec::new();
        for (_, term) in head.iter().enumerate().filter(|(column, _)| !is_known(known, *column)) {
            if let Some(variable) = unbound(term, &bound) {
                return Err(self.unbound_head(rule, variable));
            }
            answer.push(self.builder(term));
        }
        mark_once(&mut steps, &answer, rule.variables.len());
        Ok(RulePlan {
            question: question.into(),
            steps: steps.into(),
            answer: answer.into(),
            variables: rule.variables.len() as u32,
        })
    }

    /// The condition to ask next: the one that is expected to leave the fewest ways to go on.
    fn choose(&self, waiting: &[Waiting], bound: &[bool]) -> Option<usize> {
        let costs = waiting.iter().enumerate().filter_map(|(index, one)| Some((self.cost(one, bound)?, index)));
        costs.min_by(|left, right| left.0.total_cmp(&right.0).then(left.1.cmp(&right.1))).map(|(_, index)| index)
    }

    /// A denial with variables that nothing binds says that there is no such thing at all, as in the reference prover.
    fn last_resort(&self, waiting: &[Waiting]) -> Option<usize> {
        waiting.iter().position(|one| matches!(one.literal, Literal::Fails(_)))
    }

    /// A guess at the number of rows, with a little for the work; `None` if it cannot be asked yet.
    fn cost(&self, waiting: &Waiting, bound: &[bool]) -> Option<f64> {
        let is_bound = |term: &Term| unbound(term, bound).is_none();
        match waiting.literal {
            Literal::Distinct(left, right) => (is_bound(left) && is_bound(right)).then_some(0.0),
            Literal::Same(left, right) => (is_bound(left) || is_bound(right)).then_some(0.0),
            Literal::Fails(atom) => {
                let Some((predicate, arguments)) = self.program.predicates.of_atom(atom) else { return Some(0.0) };
                let cheap = self.program.predicates.list[predicate].method == Method::Given;
                arguments.iter().all(is_bound).then_some(if cheap { 0.1 } else { 0.5 })
            }
            Literal::Holds(_) if waiting.fresh => Some(-1.0),
            Literal::Holds(atom) => {
                let Some((predicate, arguments)) = self.program.predicates.of_atom(atom) else { return Some(0.0) };
                let predicate = &self.program.predicates.list[predicate];
                let ready = |(term, needed): (&Term, &bool)| !*needed || is_bound(term);
                if !arguments.iter().zip(&predicate.needed).all(ready) {
                    return None;
                }
                let (size, work) = match (predicate.origin, predicate.method) {
                    (Origin::Fact(name, arity, function), _) => {
                        (self.sizes.get(&(name, arity, function)).map_or(UNKNOWN_SIZE, |&size| size as f64), 1.0)
                    }
                    (Origin::AnyFact, _) => (100.0, 1.0),
                    (Origin::Does, _) => (2.0, 1.0),
                    (_, Method::Given) => (predicate.facts.len() as f64, 1.0),
                    (_, Method::Whole) => (100.0, 2.0),
                    (_, Method::OnDemand) => (50.0, 3.0),
                };
                let known = arguments.iter().filter(|term| is_bound(term)).count();
                let free = (arguments.len() - known) as f64 / arguments.len().max(1) as f64;
                Some(if free == 0.0 { 0.2 * work } else { work * size.powf(free) })
            }
        }
    }

    fn step(&mut self, literal: &Literal, fresh: bool, bound: &mut [bool]) -> Result<Step, InputError> {
        let (atom, holds) = match literal {
            Literal::Distinct(left, right) => return Ok(Step::Distinct(self.builder(left), self.builder(right))),
            Literal::Same(left, right) => {
                let (known, other) = if unbound(left, bound).is_none() { (left, right) } else { (right, left) };
                let known = self.builder(known);
                return Ok(Step::Same(self.pattern(other, bound), known));
            }
            Literal::Holds(atom) => (atom, true),
            Literal::Fails(atom) => (atom, false),
        };
        let Some((predicate, arguments)) = self.program.predicates.of_atom(atom) else {
            // Nothing of it ever holds, so its denial says nothing.
            return Ok(if holds { Step::Never } else { Step::Same(Pattern::Constant(0), Builder::Constant(0)) });
        };
        let on_demand = self.program.predicates.list[predicate].method == Method::OnDemand;
        let limit = if on_demand { MOST_KNOWN_COLUMNS } else { usize::MAX };
        let (given, free): (Vec<usize>, Vec<usize>) = (0..arguments.len())
            .partition(|&column| !fresh && column < limit && unbound(&arguments[column], bound).is_none());
        let key = given.iter().map(|&column| self.builder(&arguments[column])).collect();
        // Variables of a denial stay its own.
        let mut own = bound.to_vec();
        let scope: &mut [bool] = if holds { bound } else { &mut own };
        let patterns: Vec<Pattern> = free.iter().map(|&column| self.pattern(&arguments[column], scope)).collect();
        if on_demand {
            let known = given.iter().fold(0, |known, column| known | 1 << column);
            let procedure = self.procedure(predicate, known)?;
            let columns = patterns.into_iter().enumerate().map(|(column, pattern)| (column as u32, pattern)).collect();
            return Ok(if holds {
                Step::Call { procedure, key, columns, once: false }
            } else {
                Step::NoAnswer { procedure, key, columns }
            });
        }
        let relation = self.stored(predicate)?;
        let access = if fresh { Access::Fresh } else { self.access(relation, &given, arguments.len()) };
        let columns = free.iter().map(|&column| column as u32).zip(patterns).collect();
        Ok(if holds {
            Step::Rows { relation, access, key, columns, once: false }
        } else {
            Step::NoRow { relation, access, key, columns }
        })
    }

    fn pattern(&mut self, term: &Term, bound: &mut [bool]) -> Pattern {
        match term {
            Term::Variable(variable) if bound[*variable as usize] => Pattern::Known(*variable),
            Term::Variable(variable) => {
                bound[*variable as usize] = true;
                Pattern::Bind(*variable)
            }
            Term::Function(name, arguments) if !term.is_ground() => {
                Pattern::Function(*name, arguments.iter().map(|argument| self.pattern(argument, bound)).collect())
            }
            _ => Pattern::Constant(ground(self.terms, term).0),
        }
    }

    fn builder(&mut self, term: &Term) -> Builder {
        match term {
            Term::Variable(variable) => Builder::Variable(*variable),
            Term::Function(name, arguments) if !term.is_ground() => {
                Builder::Function(*name, arguments.iter().map(|argument| self.builder(argument)).collect())
            }
            _ => Builder::Constant(ground(self.terms, term).0),
        }
    }

    fn unsafe_rule(&self, rule: &Rule, waiting: &[Waiting], bound: &[bool]) -> InputError {
        let name = waiting.iter().find_map(|one| match one.literal {
            Literal::Holds(atom) | Literal::Fails(atom) => atom.arguments.iter().find_map(|term| unbound(term, bound)),
            Literal::Distinct(left, right) | Literal::Same(left, right) => {
                unbound(left, bound).or_else(|| unbound(right, bound))
            }
        });
        self.unbound_head(rule, name.unwrap_or_default())
    }

    fn unbound_head(&self, rule: &Rule, variable: u32) -> InputError {
        let name = rule.variables.get(variable as usize).map_or("?", |&name| self.sheet.symbols.text(name));
        let name = if name.starts_with('?') { name } else { "of the head" };
        self.sheet
            .error(rule.place, format!("nothing gives the variable {name} a value"))
            .with_help("every variable must stand in a condition that is neither `not` nor `distinct`")
    }
}

/// Notes which conditions need only one answer: those that bind nothing that is used later.
fn mark_once(steps: &mut [Step], answer: &[Builder], variables: usize) {
    let mut used = vec![false; variables];
    answer.iter().for_each(|builder| use_builder(builder, &mut used));
    for step in steps.iter_mut().rev() {
        match step {
            Step::Rows { key, columns, once, .. } | Step::Call { key, columns, once, .. } => {
                let mut binds = false;
                columns.iter().for_each(|(_, pattern)| binds |= binds_used(pattern, &used));
                *once = !binds;
                key.iter().for_each(|builder| use_builder(builder, &mut used));
                columns.iter().for_each(|(_, pattern)| use_pattern(pattern, &mut used));
            }
            Step::NoRow { key, columns, .. } | Step::NoAnswer { key, columns, .. } => {
                key.iter().for_each(|builder| use_builder(builder, &mut used));
                columns.iter().for_each(|(_, pattern)| use_pattern(pattern, &mut used));
            }
            Step::Distinct(left, right) => [left, right].iter().for_each(|builder| use_builder(builder, &mut used)),
            Step::Same(pattern, builder) => {
                use_pattern(pattern, &mut used);
                use_builder(builder, &mut used);
            }
            Step::Never => {}
        }
    }
}

fn binds_used(pattern: &Pattern, used: &[bool]) -> bool {
    match pattern {
        Pattern::Bind(variable) => used[*variable as usize],
        Pattern::Function(_, arguments) => arguments.iter().any(|argument| binds_used(argument, used)),
        Pattern::Constant(_) | Pattern::Known(_) => false,
    }
}

fn use_pattern(pattern: &Pattern, used: &mut [bool]) {
    match pattern {
        Pattern::Known(variable) => used[*variable as usize] = true,
        Pattern::Function(_, arguments) => arguments.iter().for_each(|argument| use_pattern(argument, used)),
        Pattern::Constant(_) | Pattern::Bind(_) => {}
    }
}

fn use_builder(builder: &Builder, used: &mut [bool]) {
    match builder {
        Builder::Variable(variable) => used[*variable as usize] = true,
        Builder::Function(_, arguments) => arguments.iter().for_each(|argument| use_builder(argument, used)),
        Builder::Constant(_) => {}
    }
}

fn is_known(known: u64, column: usize) -> bool {
    column < MOST_KNOWN_COLUMNS && known >> column & 1 == 1
}

/// A variable of the term that has no value yet.
fn unbound(term: &Term, bound: &[bool]) -> Option<u32> {
    let mut found = None;
    term.variables(&mut |variable| {
        if !bound[variable as usize] {
            found = found.or(Some(variable));
        }
    });
    found
}

/// The number of a term without variables.
fn ground(terms: &mut Terms, term: &Term) -> GroundTerm {
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

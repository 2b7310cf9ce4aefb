//! Questions answered from the rules: from the top down with a memory of every call, recursive relations from the bottom
//! up.
//!
//! A call that comes back to a call which is still being proved takes the answers known so far; the oldest call of such a
//! circle is proved again and again until a round brings nothing new (tabling by iteration). Denials are only believed of
//! calls that are complete, so the ground level decides whether a sheet is stratified: `goal` may deny another `goal`.

use std::sync::{Mutex, MutexGuard, PoisonError};

use smallvec::SmallVec;

use super::Limits;
use super::plan::{Access, Builder, Pattern, Program, RulePlan, Step};
use super::predicates::Level;
use super::rows::{NONE, Relation, Rows, Value};
use super::tables::{Progress, Tables};
use crate::{GroundTerm, Symbol, Terms};

/// Why there is no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// A limit was passed: which one, and its value.
    Limit(&'static str, u64),
    /// A call of this procedure is denied on the way to its own proof.
    DeniesItself(u32),
}

/// What all provers of a sheet share.
pub struct Shared {
    pub program: Program,
    pub limits: Limits,
    /// The terms of all provers. Each has a copy, so that looking a term up takes no lock.
    pub terms: Mutex<Terms>,
}

impl Shared {
    /// The terms; a thread that panicked while it held them left them whole.
    pub fn terms(&self) -> MutexGuard<'_, Terms> {
        self.terms.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

type Key = SmallVec<[Value; 8]>;

/// Where answers go.
#[derive(Clone, Copy)]
enum Target {
    Call(Level, u32),
    Relation(u32),
}

/// Free stack below which a call goes on on a new piece of stack, and the size of such a piece.
pub(super) const RED_ZONE: usize = 96 << 10;
pub(super) const STACK_PIECE: usize = 2 << 20;

/// Nothing older than the call itself was touched.
const UNTOUCHED: u32 = u32::MAX;

/// One thread's memory of what is true.
pub struct Prover {
    pub terms: Terms,
    /// How deep the functions of each term are nested.
    nesting: Vec<u16>,
    relations: Vec<Relation>,
    /// The rows of each relation that are fresh in this round.
    fresh: Vec<(u32, u32)>,
    /// Are the relations of this group found?
    found: Vec<bool>,
    tables: [Tables; 3],
    /// Answers remembered, by level.
    remembered: [u64; 3],
    /// The relation of each term as a fact; [`NONE`] if no rule asks for such facts. Filled as far as terms are known.
    fact_relation: Vec<u32>,
    state: Vec<GroundTerm>,
    joint: Vec<GroundTerm>,
    variables: Vec<Value>,
    steps: u64,
    depth: u32,
    /// The oldest active call that the current one came back to.
    touched: u32,
    round: u64,
    /// New answers of calls, ever.
    news: u64,
    partial: Vec<(Level, u32)>,
}

impl Prover {
    /// A prover that knows no state yet.
    pub fn new(shared: &Shared) -> Prover {
        let program = &shared.program;
        let mut relations: Vec<Relation> =
            program.stored.iter().map(|stored| Relation::new(stored.width, &stored.indexes)).collect();
        for (relation, stored) in relations.iter_mut().zip(&program.stored).filter(|(_, stored)| stored.whole.is_none())
        {
            for row in &stored.facts {
                relation.insert(row);
            }
        }
        let mut prover = Prover {
            terms: shared.terms().clone(),
            nesting: Vec::new(),
            fresh: vec![(0, 0); relations.len()],
            relations,
            found: vec![false; program.wholes.len()],
            tables: Default::default(),
            remembered: [0; 3],
            fact_relation: Vec::new(),
            state: Vec::new(),
            joint: Vec::new(),
            variables: Vec::new(),
            steps: 0,
            depth: 0,
            touched: UNTOUCHED,
            round: 0,
            news: 0,
            partial: Vec::new(),
        };
        prover.note_new_terms(program);
        prover
    }

    fn note_new_terms(&mut self, program: &Program) {
        for index in self.nesting.len()..self.terms.count() {
            let term = GroundTerm(index as u32);
            let arguments = self.terms.arguments(term);
            let inner = arguments.iter().map(|argument| self.nesting[argument.index()]).max();
            self.nesting.push(inner.map_or(0, |inner| inner.saturating_add(1)));
            let shape = (self.terms.name(term), arguments.len(), self.terms.is_function(term));
            self.fact_relation.push(program.facts.get(&shape).copied().unwrap_or(NONE));
        }
    }

    /// The state that questions are about. Facts are sorted and known to `shared`.
    pub fn set_state(&mut self, shared: &Shared, facts: &[GroundTerm]) {
        if self.state == facts {
            return;
        }
        if facts.iter().any(|fact| fact.index() >= self.terms.count()) {
            self.terms.catch_up(&shared.terms());
            self.note_new_terms(&shared.program);
        }
        let program = &shared.program;
        self.forget(program, Level::State);
        self.state.clear();
        self.state.extend_from_slice(facts);
        program.facts.values().chain(&program.any_fact).for_each(|&relation| self.relations[relation as usize].clear());
        for &fact in facts {
            let relation = self.fact_relation[fact.index()];
            if relation != NONE {
                let row: Key = self.terms.arguments(fact).iter().map(|argument| argument.0).collect();
                self.relations[relation as usize].insert(&row);
            }
            if let Some(relation) = program.any_fact {
                self.relations[relation as usize].insert(&[fact.0]);
            }
        }
    }

    /// What everybody does; `roles` and `joint` go together.
    pub fn set_joint(&mut self, shared: &Shared, roles: &[GroundTerm], joint: &[GroundTerm]) {
        if self.joint == joint {
            return;
        }
        if joint.iter().any(|term| term.index() >= self.terms.count()) {
            self.terms.catch_up(&shared.terms());
            self.note_new_terms(&shared.program);
        }
        self.forget(&shared.program, Level::Step);
        self.joint.clear();
        self.joint.extend_from_slice(joint);
        if let Some(relation) = shared.program.does {
            let relation = &mut self.relations[relation as usize];
            relation.clear();
            for (role, action) in roles.iter().zip(joint) {
                relation.insert(&[role.0, action.0]);
            }
        }
    }

    /// Forgets what depends on this level or a higher one.
    fn forget(&mut self, program: &Program, lowest: Level) {
        for level in [Level::Static, Level::State, Level::Step].into_iter().filter(|&level| level >= lowest) {
            self.tables[level as usize].clear();
            self.remembered[level as usize] = 0;
        }
        for (found, whole) in self.found.iter_mut().zip(&program.wholes) {
            *found &= whole.level < lowest;
        }
    }

    /// The answers to a question.
    pub fn ask(&mut self, shared: &Shared, procedure: u32, key: &[Value]) -> Result<&Rows, Fault> {
        self.steps = 0;
        self.depth = 0;
        self.touched = UNTOUCHED;
        let asked = self.prove(shared, procedure, key);
        match asked {
            Ok((level, entry)) => Ok(&self.tables[level as usize].get(entry).answers),
            Err(fault) => {
                // Calls that were under way are in no order; whatever they found is asked for again.
                self.partial.clear();
                self.variables.clear();
                self.forget(&shared.program, Level::Static);
                Err(fault)
            }
        }
    }

    fn prove(&mut self, shared: &Shared, procedure: u32, key: &[Value]) -> Result<(Level, u32), Fault> {
        let plan = &shared.program.procedures[procedure as usize];
        let level = plan.level;
        let entry = self.tables[level as usize].entry(procedure, plan.width, key);
        match self.tables[level as usize].get(entry).progress {
            Progress::Complete => return Ok((level, entry)),
            Progress::Active(depth) => {
                self.touched = self.touched.min(depth);
                return Ok((level, entry));
            }
            Progress::Partial(depth, round) if round == self.round => {
                self.touched = self.touched.min(depth);
                return Ok((level, entry));
            }
            Progress::New | Progress::Partial(..) => {}
        }
        if self.depth >= shared.limits.calls {
            return Err(Fault::Limit("calls inside each other", u64::from(shared.limits.calls)));
        }
        stacker::maybe_grow(RED_ZONE, STACK_PIECE, || self.try_rules(shared, procedure, level, entry))?;
        Ok((level, entry))
    }

    /// Proves a call. Afterwards it is complete, or partial if it came back to an older call.
    fn try_rules(&mut self, shared: &Shared, procedure: u32, level: Level, entry: u32) -> Result<(), Fault> {
        let depth = self.depth;
        self.depth += 1;
        let touched_before = self.touched;
        let partial_before = self.partial.len();
        self.tables[level as usize].get_mut(entry).progress = Progress::Active(depth);
        let procedure = &shared.program.procedures[procedure as usize];
        loop {
            let news = self.news;
            self.touched = UNTOUCHED;
            for plan in &procedure.plans {
                if self.run(shared, plan, level, entry)? {
                    break;
                }
            }
            let certain = procedure.width == 0 && self.tables[level as usize].get(entry).answers.count() > 0;
            if self.touched < depth {
                // Calls made on the way wait for an older call; this one does too, unless its only answer is there.
                let waits = Progress::Partial(self.touched, self.round);
                self.tables[level as usize].get_mut(entry).progress = if certain { Progress::Complete } else { waits };
                self.partial.push((level, entry));
                break;
            }
            if self.touched == UNTOUCHED || news == self.news {
                self.complete(level, entry, partial_before);
                self.touched = UNTOUCHED;
                break;
            }
            self.round += 1;
        }
        self.touched = self.touched.min(touched_before);
        self.depth = depth;
        Ok(())
    }

    /// Nothing older matters, and the last round brought nothing new: this call is complete, and so are those that waited
    /// for it and were proved in that round. Others were not needed in the end and are proved again if they ever are.
    fn complete(&mut self, level: Level, entry: u32, partial_before: usize) {
        self.tables[level as usize].get_mut(entry).progress = Progress::Complete;
        for (level, entry) in self.partial.drain(partial_before..) {
            let progress = &mut self.tables[level as usize].get_mut(entry).progress;
            if let Progress::Partial(_, round) = *progress {
                *progress = if round == self.round { Progress::Complete } else { Progress::New };
            }
        }
    }

    /// One rule for one call. True if no further answer is possible.
    fn run(&mut self, shared: &Shared, plan: &RulePlan, level: Level, entry: u32) -> Result<bool, Fault> {
        let base = self.variables.len();
        self.variables.resize(base + plan.variables as usize, 0);
        let key = self.tables[level as usize].key(entry);
        let fits = plan
            .question
            .iter()
            .zip(key)
            .all(|(pattern, &value)| matches(&self.terms, pattern, value, &mut self.variables[base..]));
        let stop = fits && self.solve(shared, plan, 0, base, Target::Call(level, entry))?;
        self.variables.truncate(base);
        Ok(stop)
    }

    /// The conditions of a rule from `step` on. True if no further answer is possible.
    fn solve(
        &mut self,
        shared: &Shared,
        plan: &RulePlan,
        step: usize,
        base: usize,
        target: Target,
    ) -> Result<bool, Fault> {
        let Some(condition) = plan.steps.get(step) else { return self.answer(shared, plan, base, target) };
        self.steps += 1;
        if self.steps > shared.limits.steps {
            return Err(Fault::Limit("steps for one question", shared.limits.steps));
        }
        match condition {
            Step::Rows { relation, access, key, columns, once } => {
                self.find(shared, *relation)?;
                let Some(key) = self.key(key, base) else { return Ok(false) };
                let mut cursor = self.first_row(*relation, access, &key);
                while let Some(row) = cursor.row() {
                    if self.row_matches(*relation, row, columns, base) {
                        if self.solve(shared, plan, step + 1, base, target)? {
                            return Ok(true);
                        }
                        if *once {
                            break;
                        }
                    }
                    self.next_row(*relation, &mut cursor);
                }
                Ok(false)
            }
            Step::NoRow { relation, access, key, columns } => {
                self.find(shared, *relation)?;
                if let Some(key) = self.key(key, base) {
                    let mut cursor = self.first_row(*relation, access, &key);
                    while let Some(row) = cursor.row() {
                        if self.row_matches(*relation, row, columns, base) {
                            return Ok(false);
                        }
                        self.next_row(*relation, &mut cursor);
                    }
                }
                self.solve(shared, plan, step + 1, base, target)
            }
            Step::Call { procedure, key, columns, once } => {
                let Some(key) = self.key(key, base) else { return Ok(false) };
                let (level, entry) = self.prove(shared, *procedure, &key)?;
                let count = self.tables[level as usize].get(entry).answers.count();
                for row in 0..count {
                    if self.answer_matches(level, entry, row, columns, base) {
                        if self.solve(shared, plan, step + 1, base, target)? {
                            return Ok(true);
                        }
                        if *once {
                            break;
                        }
                    }
                }
                Ok(false)
            }
            Step::NoAnswer { procedure, key, columns } => {
                if let Some(key) = self.key(key, base) {
                    let (level, entry) = self.prove(shared, *procedure, &key)?;
                    let count = self.tables[level as usize].get(entry).answers.count();
                    if (0..count).any(|row| self.answer_matches(level, entry, row, columns, base)) {
                        return Ok(false);
                    }
                    if self.tables[level as usize].get(entry).progress != Progress::Complete {
                        return Err(Fault::DeniesItself(*procedure));
                    }
                }
                self.solve(shared, plan, step + 1, base, target)
            }
            Step::Distinct(left, right) => {
                // A term that was never met is none of those that were.
                let differ = match (self.build(left, base), self.build(right, base)) {
                    (Some(left), Some(right)) => left != right,
                    (None, None) => !self.same_unmet(left, right, base),
                    _ => true,
                };
                if differ { self.solve(shared, plan, step + 1, base, target) } else { Ok(false) }
            }
            Step::Same(pattern, builder) => {
                let value = self.build_new(shared, builder, base)?;
                if matches(&self.terms, pattern, value, &mut self.variables[base..]) {
                    self.solve(shared, plan, step + 1, base, target)
                } else {
                    Ok(false)
                }
            }
            Step::Never => Ok(false),
        }
    }

    fn answer(&mut self, shared: &Shared, plan: &RulePlan, base: usize, target: Target) -> Result<bool, Fault> {
        let mut row = Key::new();
        for builder in &plan.answer {
            row.push(self.build_new(shared, builder, base)?);
        }
        let (added, level) = match target {
            Target::Call(level, entry) => (self.tables[level as usize].get_mut(entry).answers.insert(&row), level),
            Target::Relation(relation) => (self.relations[relation as usize].insert(&row), Level::State),
        };
        if added {
            self.news += 1;
            self.remembered[level as usize] += 1;
            if self.remembered[level as usize] > shared.limits.answers {
                return Err(Fault::Limit("answers to remember", shared.limits.answers));
            }
        }
        Ok(row.is_empty())
    }

    /// Finds all rows of a relation that is proved from the bottom up, unless it is done or under way.
    fn find(&mut self, shared: &Shared, relation: u32) -> Result<(), Fault> {
        let Some(number) = shared.program.stored[relation as usize].whole else { return Ok(()) };
        if self.found[number as usize] {
            return Ok(());
        }
        self.found[number as usize] = true;
        stacker::maybe_grow(RED_ZONE, STACK_PIECE, || self.find_all(shared, number))
    }

    fn find_all(&mut self, shared: &Shared, number: u32) -> Result<(), Fault> {
        let whole = &shared.program.wholes[number as usize];
        for &relation in &whole.relations {
            self.relations[relation as usize].clear();
            for row in &shared.program.stored[relation as usize].facts {
                self.relations[relation as usize].insert(row);
            }
            self.fresh[relation as usize] = (0, 0);
        }
        for (target, plan) in &whole.base {
            self.run_whole(shared, plan, *target)?;
        }
        loop {
            let mut any = false;
            for &relation in &whole.relations {
                let count = self.relations[relation as usize].rows().count();
                let (_, end) = self.fresh[relation as usize];
                self.fresh[relation as usize] = (end, count);
                any |= end < count;
            }
            if !any {
                return Ok(());
            }
            for (from, target, plan) in &whole.rounds {
                let (start, end) = self.fresh[*from as usize];
                if start < end {
                    self.run_whole(shared, plan, *target)?;
                }
            }
        }
    }

    fn run_whole(&mut self, shared: &Shared, plan: &RulePlan, target: u32) -> Result<(), Fault> {
        let base = self.variables.len();
        self.variables.resize(base + plan.variables as usize, 0);
        self.solve(shared, plan, 0, base, Target::Relation(target))?;
        self.variables.truncate(base);
        Ok(())
    }

    fn first_row(&self, relation: u32, access: &Access, key: &[Value]) -> Cursor {
        let stored = &self.relations[relation as usize];
        match access {
            Access::All => Cursor::Range(0, stored.rows().count()),
            Access::Fresh => {
                let (start, end) = self.fresh[relation as usize];
                Cursor::Range(start, end)
            }
            Access::Index(index) => Cursor::Chain(*index, stored.last_with(*index, key)),
            // The row itself has nothing left to tell.
            Access::Exact => Cursor::Range(0, u32::from(stored.rows().contains(key))),
        }
    }

    fn next_row(&self, relation: u32, cursor: &mut Cursor) {
        match cursor {
            Cursor::Range(row, _) => *row += 1,
            Cursor::Chain(index, row) => *row = self.relations[relation as usize].before(*index, *row),
        }
    }

    fn row_matches(&mut self, relation: u32, row: u32, columns: &[(u32, Pattern)], base: usize) -> bool {
        if columns.is_empty() {
            return true;
        }
        let values = self.relations[relation as usize].rows().row(row);
        let variables = &mut self.variables[base..];
        columns.iter().all(|(column, pattern)| matches(&self.terms, pattern, values[*column as usize], variables))
    }

    fn answer_matches(&mut self, level: Level, entry: u32, row: u32, columns: &[(u32, Pattern)], base: usize) -> bool {
        let values = self.tables[level as usize].get(entry).answers.row(row);
        let variables = &mut self.variables[base..];
        columns.iter().all(|(column, pattern)| matches(&self.terms, pattern, values[*column as usize], variables))
    }

    /// The values of a key; `None` if one of them was never met, so that nothing can be found under it.
    fn key(&self, builders: &[Builder], base: usize) -> Option<Key> {
        builders.iter().map(|builder| self.build(builder, base)).collect()
    }

    /// The number of a term, if it was ever met.
    fn build(&self, builder: &Builder, base: usize) -> Option<Value> {
        match builder {
            Builder::Constant(value) => Some(*value),
            Builder::Variable(variable) => Some(self.variables[base + *variable as usize]),
            Builder::Function(name, arguments) => {
                let arguments: Option<SmallVec<[GroundTerm; 8]>> =
                    arguments.iter().map(|argument| self.build(argument, base).map(GroundTerm)).collect();
                self.terms.find(*name, true, &arguments?).map(|term| term.0)
            }
        }
    }

    /// Do two terms that were never met have the same shape?
    fn same_unmet(&self, left: &Builder, right: &Builder, base: usize) -> bool {
        match (left, right) {
            (Builder::Function(one, left), Builder::Function(other, right)) => {
                one == other
                    && left.len() == right.len()
                    && left.iter().zip(right).all(|(left, right)| {
                        match (self.build(left, base), self.build(right, base)) {
                            (Some(left), Some(right)) => left == right,
                            (None, None) => self.same_unmet(left, right, base),
                            _ => false,
                        }
                    })
            }
            _ => false,
        }
    }

    /// The number of a term; a new one if it was never met.
    fn build_new(&mut self, shared: &Shared, builder: &Builder, base: usize) -> Result<Value, Fault> {
        match builder {
            Builder::Constant(value) => Ok(*value),
            Builder::Variable(variable) => Ok(self.variables[base + *variable as usize]),
            Builder::Function(name, arguments) => {
                let mut values: SmallVec<[GroundTerm; 8]> = SmallVec::new();
                for argument in arguments {
                    values.push(GroundTerm(self.build_new(shared, argument, base)?));
                }
                match self.terms.find(*name, true, &values) {
                    Some(term) => Ok(term.0),
                    None => self.meet(shared, *name, &values),
                }
            }
        }
    }

    /// A term that this prover did not know.
    #[cold]
    fn meet(&mut self, shared: &Shared, name: Symbol, arguments: &[GroundTerm]) -> Result<Value, Fault> {
        let deepest = arguments.iter().map(|argument| self.nesting[argument.index()]).max().unwrap_or(0);
        if deepest >= shared.limits.nesting {
            return Err(Fault::Limit("functions inside each other", u64::from(shared.limits.nesting)));
        }
        let mut terms = shared.terms();
        if terms.count() >= shared.limits.terms {
            return Err(Fault::Limit("different terms", shared.limits.terms as u64));
        }
        let term = terms.function(name, arguments);
        self.terms.catch_up(&terms);
        drop(terms);
        self.note_new_terms(&shared.program);
        Ok(term.0)
    }
}

/// A place among rows.
enum Cursor {
    /// From a row up to another.
    Range(u32, u32),
    /// Along an index.
    Chain(u32, u32),
}

impl Cursor {
    fn row(&self) -> Option<u32> {
        match *self {
            Cursor::Range(row, end) => (row < end).then_some(row),
            Cursor::Chain(_, row) => (row != NONE).then_some(row),
        }
    }
}

/// Does a value look like the pattern? Its variables get their values.
fn matches(terms: &Terms, pattern: &Pattern, value: Value, variables: &mut [Value]) -> bool {
    match pattern {
        Pattern::Bind(variable) => {
            variables[*variable as usize] = value;
            true
        }
        Pattern::Known(variable) => variables[*variable as usize] == value,
        Pattern::Constant(constant) => *constant == value,
        Pattern::Function(name, arguments) => {
            let term = GroundTerm(value);
            if terms.name(term) != *name || !terms.is_function(term) {
                return false;
            }
            let values = terms.arguments(term);
            values.len() == arguments.len()
                && arguments.iter().zip(values).all(|(argument, value)| matches(terms, argument, value.0, variables))
        }
    }
}

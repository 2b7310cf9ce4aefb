//! Questions answered from the rules: from the top down with a memory of every call, recursive relations from the
//! bottom up.
//!
//! A call that comes back to a call which is still being proved takes the answers known so far; the oldest call of such
//! a circle is proved again and again until a round brings nothing new (tabling by iteration). Denials are only
//! believed of calls that are complete, so the ground level decides whether a sheet is stratified: `goal` may deny
//! another `goal`.

mod conditions;
mod terms;

use std::sync::{Mutex, MutexGuard, PoisonError};

use smallvec::SmallVec;

use super::Limits;
use super::plan::{Program, RulePlan};
use super::predicates::Level;
use super::rows::{NONE, Relation, Rows, Value};
use super::tables::{Progress, Tables};
use crate::{GroundTerm, Terms};
use terms::matches;

/// Why there is no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fault {
    /// A limit was passed: which one, and its value.
    Limit(&'static str, u64),
    /// A call of this procedure is denied on the way to its own proof.
    DeniesItself(u32),
}

/// What all provers of a sheet share.
pub(super) struct Shared {
    pub program: Program,
    pub limits: Limits,
    /// The terms of all provers. Each has a copy, so that looking a term up takes no lock.
    pub terms: Mutex<Terms>,
}

impl Shared {
    /// The terms; a thread that panicked while it held them left them whole.
    pub(super) fn terms(&self) -> MutexGuard<'_, Terms> {
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
pub(super) const RED_ZONE: usize = 192 << 10;
pub(super) const STACK_PIECE: usize = 2 << 20;

/// A rule looks at the stack once in so many conditions.
const STEPS_A_LOOK: usize = 64;

/// Nothing older than the call itself was touched.
const UNTOUCHED: u32 = u32::MAX;

/// One thread's memory of what is true.
pub(super) struct Prover {
    pub terms: Terms,
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
    /// The calls that are being proved, oldest first.
    active: Vec<(Level, u32)>,
    /// The oldest active call that the current one came back to.
    touched: u32,
    round: u64,
    /// New answers of calls, ever.
    news: u64,
    partial: Vec<(Level, u32)>,
}

impl Prover {
    /// A prover that knows no state yet.
    pub(super) fn new(shared: &Shared) -> Prover {
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
            active: Vec::new(),
            touched: UNTOUCHED,
            round: 0,
            news: 0,
            partial: Vec::new(),
        };
        prover.note_new_terms(program);
        prover
    }

    fn note_new_terms(&mut self, program: &Program) {
        for index in self.fact_relation.len()..self.terms.count() {
            let term = GroundTerm(index as u32);
            let arguments = self.terms.arguments(term);
            let shape = (self.terms.name(term), arguments.len(), self.terms.is_function(term));
            self.fact_relation.push(program.facts.get(&shape).copied().unwrap_or(NONE));
        }
    }

    /// Learns the terms that `shared` got in the meantime.
    pub(super) fn catch_up(&mut self, shared: &Shared) {
        self.terms.catch_up(&shared.terms());
        self.note_new_terms(&shared.program);
    }

    /// The state that questions are about. Facts are sorted and known to `shared`.
    pub(super) fn set_state(&mut self, shared: &Shared, facts: &[GroundTerm]) {
        if self.state == facts {
            return;
        }
        if facts.iter().any(|fact| fact.index() >= self.terms.count()) {
            self.catch_up(shared);
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
    pub(super) fn set_joint(&mut self, shared: &Shared, roles: &[GroundTerm], joint: &[GroundTerm]) {
        if self.joint == joint {
            return;
        }
        if joint.iter().any(|term| term.index() >= self.terms.count()) {
            self.catch_up(shared);
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

    /// The conditions that the last question looked at.
    pub(super) fn steps(&self) -> u64 {
        self.steps
    }

    /// The answers to a question.
    pub(super) fn ask(&mut self, shared: &Shared, procedure: u32, key: &[Value]) -> Result<&Rows, Fault> {
        self.steps = 0;
        self.depth = 0;
        self.active.clear();
        self.touched = UNTOUCHED;
        let asked = self.prove(shared, procedure, key);
        match asked {
            Ok((level, entry)) => Ok(&self.tables[level as usize].get(entry).answers),
            Err(fault) => {
                // Calls that were under way are in no order; whatever they found is asked for again.
                self.partial.clear();
                self.active.clear();
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
            Progress::Partial { leader, round } if round == self.round => {
                if let Some(depth) = self.waits_for(leader) {
                    self.touched = self.touched.min(depth);
                    return Ok((level, entry));
                }
            }
            Progress::New | Progress::Partial { .. } => {}
        }
        if self.depth >= shared.limits.calls {
            return Err(Fault::Limit("calls inside each other", u64::from(shared.limits.calls)));
        }
        stacker::maybe_grow(RED_ZONE, STACK_PIECE, || self.try_rules(shared, procedure, level, entry))?;
        Ok((level, entry))
    }

    /// The depth of the active call that a call with this leader waits for. The leader may wait for an older one
    /// itself; `None` if it has become complete, so that whoever waited for it can be proved now.
    fn waits_for(&self, mut leader: (Level, u32)) -> Option<u32> {
        loop {
            match self.tables[leader.0 as usize].get(leader.1).progress {
                Progress::Active(depth) => return Some(depth),
                Progress::Partial { leader: older, .. } => leader = older,
                Progress::New | Progress::Complete => return None,
            }
        }
    }

    /// Proves a call. Afterwards it is complete, or partial if it came back to an older call.
    fn try_rules(&mut self, shared: &Shared, procedure: u32, level: Level, entry: u32) -> Result<(), Fault> {
        let depth = self.depth;
        self.depth += 1;
        let touched_before = self.touched;
        let partial_before = self.partial.len();
        self.tables[level as usize].get_mut(entry).progress = Progress::Active(depth);
        self.active.push((level, entry));
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
                let waits = Progress::Partial { leader: self.active[self.touched as usize], round: self.round };
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
        self.active.pop();
        self.depth = depth;
        Ok(())
    }

    /// Nothing older matters, and the last round brought nothing new: this call is complete, and so are those that
    /// waited for it and were proved in that round. Others were not needed in the end and are proved again if they ever
    /// are.
    fn complete(&mut self, level: Level, entry: u32, partial_before: usize) {
        self.tables[level as usize].get_mut(entry).progress = Progress::Complete;
        for (level, entry) in self.partial.drain(partial_before..) {
            let progress = &mut self.tables[level as usize].get_mut(entry).progress;
            if let Progress::Partial { round, .. } = *progress {
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
}

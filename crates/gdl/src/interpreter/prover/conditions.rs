//! The conditions of a rule, asked one after the other, and the rows that answer them.

use tesuji_core::cancel;

use super::terms::matches;
use super::{Fault, Key, Prover, RED_ZONE, STACK_PIECE, STEPS_A_LOOK, Shared, Target};
use crate::interpreter::plan::{Access, Pattern, RulePlan, Step};
use crate::interpreter::predicates::Level;
use crate::interpreter::rows::{NONE, Value};
use crate::interpreter::tables::Progress;

/// Steps between two looks at whether the question was cancelled.
const STEPS_BETWEEN_QUESTIONS: u64 = 1 << 16;

impl Prover {
    /// The conditions of a rule from `step` on. True if no further answer is possible.
    pub(super) fn solve(
        &mut self,
        shared: &Shared,
        plan: &RulePlan,
        step: usize,
        base: usize,
        target: Target,
    ) -> Result<bool, Fault> {
        if step % STEPS_A_LOOK == STEPS_A_LOOK - 1 {
            return stacker::maybe_grow(RED_ZONE, STACK_PIECE, || self.solve_on(shared, plan, step, base, target));
        }
        self.solve_on(shared, plan, step, base, target)
    }

    #[inline]
    fn solve_on(
        &mut self,
        shared: &Shared,
        plan: &RulePlan,
        step: usize,
        base: usize,
        target: Target,
    ) -> Result<bool, Fault> {
        let Some(condition) = plan.steps.get(step) else { return self.answer(shared, plan, base, target) };
        self.steps += 1;
        let cancelled = self.steps.is_multiple_of(STEPS_BETWEEN_QUESTIONS) && cancel::requested();
        if self.steps > shared.limits.steps || cancelled {
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
                let key = self.call_key(shared, key, base)?;
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
                let key = self.call_key(shared, key, base)?;
                let (level, entry) = self.prove(shared, *procedure, &key)?;
                let count = self.tables[level as usize].get(entry).answers.count();
                if (0..count).any(|row| self.answer_matches(level, entry, row, columns, base)) {
                    return Ok(false);
                }
                if self.tables[level as usize].get(entry).progress != Progress::Complete {
                    return Err(Fault::DeniesItself(*procedure));
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

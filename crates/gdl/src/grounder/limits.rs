//! Limits of grounding.

use std::fmt;

use super::unfold::LARGE;

/// The resources that grounding may use before it gives up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GroundingLimits {
    /// The most atoms: tuples of all relations together.
    pub atoms: usize,
    /// The most ground rules, before they are simplified.
    pub rules: usize,
    /// The most conditions of these rules together.
    pub conditions: usize,
    /// The deepest nesting of functions.
    pub term_depth: usize,
    /// The most steps: candidates examined when conditions are joined.
    pub steps: u64,
    /// The most memory in bytes, as estimated.
    pub bytes: usize,
}

impl Default for GroundingLimits {
    /// Enough for every sheet whose network is worth its memory (2 GB, more than draughts on public sheets takes); the
    /// steps take about a minute.
    fn default() -> Self {
        GroundingLimits {
            atoms: 20_000_000,
            rules: 20_000_000,
            conditions: 80_000_000,
            term_depth: 40,
            steps: 3_000_000_000,
            bytes: 1_600_000_000,
        }
    }
}

/// Why a sheet was not grounded, and how far grounding got.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TooLarge {
    /// The limit that was reached.
    pub limit: Limit,
    /// The number of atoms found so far.
    pub atoms: usize,
    /// The number of rules made so far.
    pub rules: usize,
    /// The number of steps spent so far.
    pub steps: u64,
}

/// A limit of grounding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// [`GroundingLimits::atoms`]
    Atoms(usize),
    /// [`GroundingLimits::rules`]
    Rules(usize),
    /// [`GroundingLimits::conditions`]
    Conditions(usize),
    /// [`GroundingLimits::term_depth`]
    TermDepth(usize),
    /// [`GroundingLimits::steps`]
    Steps(u64),
    /// [`GroundingLimits::bytes`]
    Bytes(usize),
    /// The caller asked to stop.
    Stopped,
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.limit {
            Limit::Atoms(most) => write!(f, "more than {most} atoms")?,
            Limit::Rules(most) => write!(f, "more than {most} rules without variables")?,
            Limit::Conditions(most) => write!(f, "more than {most} conditions in rules without variables")?,
            Limit::TermDepth(most) => write!(f, "functions nested deeper than {most}: the terms may grow without end")?,
            Limit::Steps(most) => write!(f, "more than {most} steps of work")?,
            Limit::Bytes(most) => write!(f, "more than {} MB of memory", most / 1_000_000)?,
            Limit::Stopped => write!(f, "grounding was stopped")?,
        }
        write!(f, " (reached: {} atoms, {} rules, {} steps)", self.atoms, self.rules, self.steps)
    }
}

/// Counts the resources used.
pub(super) struct Meter<'a> {
    limits: &'a GroundingLimits,
    stop: &'a dyn Fn() -> bool,
    pub(super) steps: u64,
    pub(super) atoms: usize,
    pub(super) rules: usize,
    pub(super) conditions: usize,
    /// Memory of everything that only grows.
    pub(super) bytes: usize,
    /// By relation: whether it may be unfolded.
    can_unfold: Vec<bool>,
    /// The relation that must be unfolded before the work can continue.
    pub(super) swollen: Option<usize>,
}

/// What a rule takes at most, in words: head, clause, end, place in the order of the rules, and what the search for
/// constants counts for it …
const RULE_WORDS: usize = 6;
/// … and for each condition, which then stands in the rule, in the list of its occurrences and among the dependencies.
const CONDITION_WORDS: usize = 3;

/// The number of steps between two polls of the caller's `stop`.
const STEPS_BETWEEN_QUESTIONS: u64 = 1 << 16;

impl<'a> Meter<'a> {
    pub(super) fn new(limits: &'a GroundingLimits, stop: &'a dyn Fn() -> bool) -> Meter<'a> {
        Meter {
            limits,
            stop,
            steps: 0,
            atoms: 0,
            rules: 0,
            conditions: 0,
            bytes: 0,
            can_unfold: Vec::new(),
            swollen: None,
        }
    }

    /// Resets what was found, but not the number of steps.
    pub(super) fn begin_again(&mut self, can_unfold: Vec<bool>) {
        (self.atoms, self.rules, self.conditions, self.bytes) = (0, 0, 0, 0);
        self.can_unfold = can_unfold;
    }

    /// Reports that a relation has this many tuples.
    pub(super) fn size(&mut self, relation: usize, tuples: u32) -> Result<(), TooLarge> {
        if tuples > LARGE && self.can_unfold.get(relation) == Some(&true) {
            self.swollen = Some(relation);
            return Err(self.too_large(Limit::Atoms(LARGE as usize)));
        }
        Ok(())
    }

    pub(super) fn too_large(&self, limit: Limit) -> TooLarge {
        TooLarge { limit, atoms: self.atoms, rules: self.rules, steps: self.steps }
    }

    /// Counts one step.
    pub(super) fn step(&mut self) -> Result<(), TooLarge> {
        self.steps += 1;
        if self.steps > self.limits.steps {
            return Err(self.too_large(Limit::Steps(self.limits.steps)));
        }
        if self.steps.is_multiple_of(STEPS_BETWEEN_QUESTIONS) && (self.stop)() {
            return Err(self.too_large(Limit::Stopped));
        }
        Ok(())
    }

    /// Counts many steps at once.
    pub(super) fn work(&mut self, steps: usize) -> Result<(), TooLarge> {
        let before = self.steps / STEPS_BETWEEN_QUESTIONS;
        self.steps += steps as u64;
        if self.steps > self.limits.steps {
            return Err(self.too_large(Limit::Steps(self.limits.steps)));
        }
        if self.steps / STEPS_BETWEEN_QUESTIONS != before && (self.stop)() {
            return Err(self.too_large(Limit::Stopped));
        }
        Ok(())
    }

    /// Counts a new atom of this many bytes.
    pub(super) fn atom(&mut self, bytes: usize) -> Result<(), TooLarge> {
        self.atoms += 1;
        if self.atoms > self.limits.atoms {
            return Err(self.too_large(Limit::Atoms(self.limits.atoms)));
        }
        self.memory(bytes)
    }

    /// Counts a new rule with this many conditions.
    pub(super) fn rule(&mut self, conditions: usize) -> Result<(), TooLarge> {
        self.rules += 1;
        self.conditions += conditions;
        if self.rules > self.limits.rules {
            return Err(self.too_large(Limit::Rules(self.limits.rules)));
        }
        if self.conditions > self.limits.conditions {
            return Err(self.too_large(Limit::Conditions(self.limits.conditions)));
        }
        self.memory((CONDITION_WORDS * conditions + RULE_WORDS) * size_of::<u32>())
    }

    /// Counts more memory.
    pub(super) fn memory(&mut self, bytes: usize) -> Result<(), TooLarge> {
        self.bytes += bytes;
        if self.bytes > self.limits.bytes {
            return Err(self.too_large(Limit::Bytes(self.limits.bytes)));
        }
        Ok(())
    }

    /// Checks the depth of a term.
    pub(super) fn depth(&self, depth: usize) -> Result<(), TooLarge> {
        if depth > self.limits.term_depth {
            return Err(self.too_large(Limit::TermDepth(self.limits.term_depth)));
        }
        Ok(())
    }
}

//! The grounder: turns rules with variables into ground rules.
//!
//! The relaxed game is evaluated bottom-up: everything reachable counts as true at once, every possible move as made,
//! and negated conditions as satisfied unless their relation is static. The result is a superset of the facts and moves
//! of all matches, over which the clauses are then instantiated. Static relations (those that depend on neither state
//! nor moves) are computed once and do not appear in the ground rules.

mod tuples;
mod components;
mod limits;
mod unify;
mod program;
mod unfold;
mod split;
mod database;
mod plan;
mod join;
mod evaluate;
mod instances;
mod rules;
mod constants;
mod simplify;
mod stratify;
mod assemble;
#[cfg(test)]
mod tests;

use std::time::Instant;

use tesuji_core::InputError;

pub use limits::{GroundingLimits, Limit, TooLarge};

use crate::{Ground, Sheet, Terms};
use limits::Meter;
use program::Program;
use rules::RuleBase;
use simplify::Simplifier;
use split::SplitOrder;

/// The result of grounding.
#[derive(Debug)]
pub enum Grounding {
    /// The ground rules, and how they were made.
    Done(Box<Ground>, Statistics),
    /// A limit was reached first.
    TooLarge(TooLarge),
}

/// The size of the ground rules and the cost of making them.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Statistics {
    /// Facts that can ever hold.
    pub facts: usize,
    /// Moves that can ever be made.
    pub moves: usize,
    /// Atoms that rules define.
    pub derived: usize,
    /// Rules.
    pub rules: usize,
    /// Conditions of the rules.
    pub conditions: usize,
    /// Tuples found, including those of static relations.
    pub tuples: usize,
    /// Rules before simplification.
    pub instances: usize,
    /// Steps of the joins.
    pub steps: u64,
    /// Estimated memory in bytes.
    pub bytes: usize,
    /// Elapsed time in seconds.
    pub seconds: f64,
}

enum Trouble {
    Input(InputError),
    TooLarge(TooLarge),
}

impl From<InputError> for Trouble {
    fn from(error: InputError) -> Self {
        Trouble::Input(error)
    }
}

impl From<TooLarge> for Trouble {
    fn from(too_large: TooLarge) -> Self {
        Trouble::TooLarge(too_large)
    }
}

/// A sheet that took at most this many steps (well under a second) is grounded in a second way too; the result with
/// fewer conditions is kept.
const STEPS_TO_TRY_AGAIN: u64 = 3_000_000;

/// Grounds a sheet. `stop` is polled regularly; `true` ends the work as if a limit were reached.
pub fn ground(sheet: &Sheet, limits: &GroundingLimits, stop: &dyn Fn() -> bool) -> Result<Grounding, InputError> {
    let started = Instant::now();
    let first = ground_once(sheet, SplitOrder::Narrow, limits, stop)?;
    let Grounding::Done(mut ground, mut statistics) = first else { return Ok(first) };
    if statistics.steps <= STEPS_TO_TRY_AGAIN
        && let Grounding::Done(other, others) = ground_once(sheet, SplitOrder::Thorough, limits, stop)?
        && others.conditions < statistics.conditions
    {
        (ground, statistics) = (other, others);
    }
    statistics.seconds = started.elapsed().as_secs_f64();
    Ok(Grounding::Done(ground, statistics))
}

fn ground_once(
    sheet: &Sheet,
    order: SplitOrder,
    limits: &GroundingLimits,
    stop: &dyn Fn() -> bool,
) -> Result<Grounding, InputError> {
    let mut meter = Meter::new(limits, stop);
    match work(sheet, order, &mut meter) {
        Ok(ground) => {
            let statistics = Statistics {
                facts: ground.facts.len(),
                moves: ground.moves.iter().map(Vec::len).sum(),
                derived: ground.derived as usize,
                rules: ground.rules.count(),
                conditions: ground.rules.conditions(),
                tuples: meter.atoms,
                instances: meter.rules,
                steps: meter.steps,
                bytes: meter.bytes,
                seconds: 0.0,
            };
            Ok(Grounding::Done(Box::new(ground), statistics))
        }
        Err(Trouble::TooLarge(too_large)) => Ok(Grounding::TooLarge(too_large)),
        Err(Trouble::Input(error)) => Err(error),
    }
}

fn work(sheet: &Sheet, order: SplitOrder, meter: &mut Meter) -> Result<Ground, Trouble> {
    let mut unfolded: Vec<usize> = Vec::new();
    let (program, mut relations, mut terms) = loop {
        let mut terms = Terms::default();
        let mut program = Program::new(sheet, &mut terms)?;
        unfolded.iter().for_each(|&relation| unfold::unfold(&mut program, relation));
        meter.begin_again(unfold::candidates(&program));
        split::split(&mut program, order);
        match evaluate::evaluate(&program, &mut terms, meter) {
            Ok(relations) => break (program, relations, terms),
            Err(too_large) => unfolded.push(meter.swollen.take().ok_or(too_large)?),
        }
    };
    let instances = instances::instances(&program, &mut relations, &mut terms, meter)?;
    let mut base = RuleBase::new(instances, meter)?;
    let constants = constants::constants(&base, &relations, meter)?;
    let simplifier = Simplifier::new(&mut base, constants, &relations);
    stratify::check(sheet, &program, &base, &relations, &terms)?;
    simplifier.resolve_names(&mut base, meter)?;
    simplifier.complement_moves(&mut base, meter)?;
    simplifier.resolve_names(&mut base, meter)?;
    Ok(assemble::assemble(sheet, &base, &relations, terms)?)
}

//! Asking an agent: every call of an agent's methods goes through here.

use std::time::{Duration, Instant};

use tesuji_core::{Game, Player, Rng};
use tesuji_search::{Agent, Budget, Decision, Failure, Seat};

use crate::guard;

/// What happened in one decision.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct DecisionRecord {
    /// Who decided.
    pub player: Player,
    /// How often the chosen action was tried.
    pub visits: u64,
    /// What the agent expected to get; `None` if it had no opinion.
    pub value: Option<f64>,
    /// The greatest depth of its tree, in steps.
    pub depth: u32,
    /// Playouts made.
    pub playouts: u64,
    /// Time taken, measured by whoever asked the agent.
    pub time: Duration,
}

impl DecisionRecord {
    pub(crate) fn new<A: PartialEq>(player: Player, decision: &Decision<A>, time: Duration) -> DecisionRecord {
        let thought = &decision.thought;
        let chosen = thought.candidates.iter().find(|candidate| candidate.action == decision.action);
        DecisionRecord {
            player,
            visits: chosen.map_or(0, |candidate| candidate.visits),
            value: decision.value,
            depth: thought.depth,
            playouts: thought.playouts,
            time,
        }
    }
}

/// An agent at a seat, with its clocks.
pub struct Seated<'a, G: Game> {
    /// The agent.
    pub agent: &'a mut dyn Agent<G>,
    /// What a decision may cost.
    pub budget: Budget,
    /// What the agent may spend before the first step, the start clock; `None`: nothing.
    pub start: Option<Budget>,
    /// The longest time that a decision may take; an agent that exceeds it loses. `None`: no limit.
    pub limit: Option<Duration>,
}

/// Asks an agent for one decision; a panic in it is a [`Failure`]. The action is legal.
///
/// After a failure, do not use the agent again: build another one.
pub fn ask<G: Game>(
    agent: &mut dyn Agent<G>,
    seat: Seat<'_, G>,
    budget: &Budget,
    rng: &mut Rng,
) -> Result<Decision<G::Action>, Failure> {
    ask_within(agent, seat, budget, None, rng, &mut Vec::new()).map(|(decision, _)| decision)
}

/// Like [`ask`], for an agent that forgets everything first: one decision that belongs to no match.
pub fn ask_afresh<G: Game>(
    agent: &mut dyn Agent<G>,
    seat: Seat<'_, G>,
    budget: &Budget,
    rng: &mut Rng,
) -> Result<Decision<G::Action>, Failure> {
    begin(agent)?;
    ask(agent, seat, budget, rng)
}

/// Like [`ask`], with a hard limit on time and a list to work on. Returns the time taken too.
pub(crate) fn ask_within<G: Game>(
    agent: &mut dyn Agent<G>,
    seat: Seat<'_, G>,
    budget: &Budget,
    limit: Option<Duration>,
    rng: &mut Rng,
    legal: &mut Vec<G::Action>,
) -> Result<(Decision<G::Action>, Duration), Failure> {
    let Seat { game, state, player, .. } = seat;
    let begun = Instant::now();
    let decision = guarded(|| agent.choose(seat, budget, rng))?;
    let taken = begun.elapsed();
    if limit.is_some_and(|limit| taken > limit) {
        return Err(Failure::Overtime(taken));
    }
    legal.clear();
    game.legal(state, player, legal);
    if !legal.contains(&decision.action) {
        return Err(Failure::Illegal(format!("{:?}", decision.action)));
    }
    Ok((decision, taken))
}

/// Lets an agent think before the first step. With a hard limit on decisions, it may exceed its clock by that limit.
pub(crate) fn prepare<G: Game>(
    agent: &mut dyn Agent<G>,
    seat: Seat<'_, G>,
    clock: &Budget,
    limit: Option<Duration>,
    rng: &mut Rng,
) -> Result<(), Failure> {
    let begun = Instant::now();
    guarded(|| agent.prepare(seat, clock, rng))?;
    let taken = begun.elapsed();
    match (clock.time, limit) {
        (Some(clock), Some(limit)) if taken > clock.saturating_add(limit) => Err(Failure::Overtime(taken)),
        _ => Ok(()),
    }
}

/// Tells an agent that a match begins.
pub(crate) fn begin<G: Game>(agent: &mut dyn Agent<G>) -> Result<(), Failure> {
    guarded(|| {
        agent.begin();
        Ok(())
    })
}

/// Tells an agent that its match is over. A panic changes nothing any more; the error says not to use the agent again.
pub(crate) fn end<G: Game>(agent: &mut dyn Agent<G>) -> Result<(), Failure> {
    guarded(|| {
        agent.end();
        Ok(())
    })
}

fn guarded<T>(act: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    guard(act).unwrap_or_else(|message| Err(Failure::Panicked(message)))
}

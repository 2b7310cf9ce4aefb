//! Calls to agents: every call of an agent's methods goes through here.

use std::time::{Duration, Instant};

use tesuji_core::{Game, Player, Rng};

use crate::guard;
use crate::{Agent, Budget, Decision, Failure, Limit, Seat};

/// The statistics of one decision.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct DecisionRecord {
    /// The player who decided.
    pub player: Player,
    /// The visits of the chosen action.
    pub visits: u64,
    /// The expected payoff; `None` if the agent gave none.
    pub value: Option<f64>,
    /// The greatest depth of its tree, in steps.
    pub depth: u32,
    /// Playouts made.
    pub playouts: u64,
    /// The time taken, measured by the caller.
    pub time: Duration,
    /// The limit that ended the search, if the agent says so.
    pub limit: Option<Limit>,
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
            limit: thought.limit,
        }
    }
}

/// An agent at a seat, with its clocks.
pub struct Seated<'a, G: Game> {
    /// The agent.
    pub agent: &'a mut dyn Agent<G>,
    /// The budget of a decision.
    pub budget: Budget,
    /// The start clock: what the agent may spend before the first step; `None` for nothing.
    pub start: Option<Budget>,
    /// The hard time limit of a decision; an agent that exceeds it loses. `None` for no limit.
    pub limit: Option<Duration>,
}

/// Asks an agent for one decision; a panic becomes a [`Failure`]. The action is legal.
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

/// Like [`ask`], for an agent that first forgets everything: a decision that belongs to no match.
pub fn ask_afresh<G: Game>(
    agent: &mut dyn Agent<G>,
    seat: Seat<'_, G>,
    budget: &Budget,
    rng: &mut Rng,
) -> Result<Decision<G::Action>, Failure> {
    begin(agent)?;
    ask(agent, seat, budget, rng)
}

/// Like [`ask`], with a hard time limit and a reusable buffer. Also returns the time taken.
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

/// Lets an agent think before the first step. If decisions have a hard limit, the agent may exceed its clock by that
/// limit.
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

/// Tells an agent that its match is over. A panic no longer affects the result; the error says not to use the agent
/// again.
pub(crate) fn end<G: Game>(agent: &mut dyn Agent<G>) -> Result<(), Failure> {
    guarded(|| {
        agent.end();
        Ok(())
    })
}

fn guarded<T>(act: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    guard(act).unwrap_or_else(|message| Err(Failure::Panicked(message)))
}

//! Games in which both act at once, solved exactly.

use std::thread;

use tesuji_core::laws::Complete;
use tesuji_core::{Actor, ErrorKind, InputError, Player};
use tesuji_solve::simultaneous::{ExactSolver, GaveUp, Limits, Memory, Solution as Found, check_solvable};

use crate::solve::{PlayerStrategy, Solution, SolvePlan};

/// Solutions go as deep as matches are long, a few hundred bytes a step and level; only what is used is taken.
const STACK: usize = 1 << 30;

/// Runs on a stack that is deep enough.
pub(crate) fn deep<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, InputError> {
    let (mut work, mut result) = (Some(work), None);
    on_deep_stack(&mut || result = work.take().map(|work| work()))?;
    result.ok_or_else(|| InputError::new("the thread that solves ended early"))
}

/// The part of [`deep`] that is compiled once, not for each game.
fn on_deep_stack(work: &mut (dyn FnMut() + Send)) -> Result<(), InputError> {
    thread::scope(|scope| {
        let spawned = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        let worker = spawned.map_err(|error| InputError::new(format!("no thread to solve on: {error}")))?;
        worker.join().or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// The most that a solver of joint moves remembers, whatever it is allowed: 117 million positions.
const MOST_BYTES: usize = 8 << 30;

/// The positions that may be remembered.
pub(crate) fn most_positions(plan: &SolvePlan<'_>) -> usize {
    usize::try_from(plan.most_nodes).unwrap_or(usize::MAX).min(Memory::most_within(MOST_BYTES))
}

/// Why there is no solution.
pub(crate) fn unsolved(name: &str, plan: &SolvePlan<'_>, why: GaveUp) -> InputError {
    if why == GaveUp::Stopped {
        return InputError::new(format!("stopped before `{name}` was solved")).of_kind(ErrorKind::Cancelled);
    }
    let most = most_positions(plan);
    let message = format!("`{name}` has more than {most} positions to remember");
    let error = InputError::new(message).of_kind(ErrorKind::TooLarge);
    if (most as u64) < plan.most_nodes {
        return error.with_help("they take 8 GB, the most that is used; `--state` solves from a later position");
    }
    error.with_help("`--nodes` allows more, at 50 to 75 bytes each; `--state` solves from a later position")
}

/// Solves a game of two players with a constant sum, whoever acts.
pub(crate) fn solve_simultaneous<G: Complete>(
    game: &G,
    start: &G::State,
    plan: &SolvePlan<'_>,
) -> Result<Solution, InputError> {
    check_solvable(game)?;
    let spec = game.spec();
    let (found, nodes) = deep(|| {
        let mut go_on = |_| !plan.is_stopped();
        let limits = Limits { positions: most_positions(plan), go_on: Some(&mut go_on) };
        let mut solver = ExactSolver::new(game, Memory::new(), limits);
        (solver.solve(start), solver.nodes())
    })?;
    let found: Found<G::Action> = found.map_err(|why| unsolved(&spec.name, plan, why))?;
    let strategy = |player: Player| PlayerStrategy {
        player: spec.player_name(player).to_owned(),
        actions: found.strategies[player.index()]
            .iter()
            .map(|&(action, share)| (game.action_text(start, Actor::Player(player), action), share.value))
            .collect(),
    };
    Ok(Solution {
        game: spec.name.clone(),
        method: "backward induction with a double oracle",
        value: found.game_value.value,
        exact: found.game_value.exact.map(|exact| exact.to_string()),
        class: game
            .solver_hints()
            .and_then(|hints| hints.outcome_letters(game))
            .map(|letters| found.forced.class(spec.payoffs, letters)),
        error: if found.game_value.exact.is_some() { 0.0 } else { ROUNDING * (spec.payoffs.1 - spec.payoffs.0) },
        nodes,
        seconds: 0.0,
        strategy: game.turn(start).movers().map(strategy).collect(),
    })
}

/// What rounding may add up to where fractions have no room.
const ROUNDING: f64 = 1e-9;

//! Exact values of small games: which solver a game's features call for, and its answer as text and numbers.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use serde::{Serialize, Serializer};
use tesuji_core::laws::Complete;
use tesuji_core::{Actor, Capabilities, Features, InputError, Player};
use tesuji_solve::Solved;

use crate::solve_simultaneous::solve_simultaneous;

/// How far a solver may go.
#[derive(Clone, Copy, Debug)]
pub struct SolvePlan<'a> {
    /// The most states held; a larger game is refused.
    pub most_nodes: u64,
    /// Where play can go in circles: how far the value may be off.
    pub tolerance: f64,
    /// Set by somebody who wants no answer any more. Solvers of joint moves look at it before every position.
    pub stop: Option<&'a AtomicBool>,
}

impl SolvePlan<'_> {
    /// Is an answer no longer wanted?
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }
}

/// The value of a game under best play.
#[derive(Clone, Debug, Serialize)]
pub struct Solution {
    /// The address of the game.
    pub game: String,
    /// What solved it, in a few words.
    pub method: &'static str,
    /// What the first player gets, on the scale of payoffs.
    pub value: f64,
    /// The same as a fraction, where it is known as one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exact: Option<String>,
    /// What the players can force by pure strategies chosen blind, where the game has such classes: `V`, `H`, `D`,
    /// `VD`, `HD` or `VHD`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
    /// The value is this far off at most, but for rounding.
    pub error: f64,
    /// States looked at.
    pub nodes: u64,
    /// Time taken.
    pub seconds: f64,
    /// What each player who acts in the first state does there.
    #[serde(serialize_with = "by_player")]
    pub strategy: Vec<PlayerStrategy>,
}

/// What one player does in the first state.
#[derive(Clone, Debug)]
pub struct PlayerStrategy {
    /// Whose strategy it is.
    pub player: String,
    /// The actions played, each with its probability; actions never played are left out.
    pub actions: Vec<(String, f64)>,
}

/// `{"black": {"a1 s": 1.0}}`
pub(crate) fn by_player<S: Serializer>(strategies: &[PlayerStrategy], serializer: S) -> Result<S::Ok, S::Error> {
    let actions = |strategy: &PlayerStrategy| -> serde_json::Map<String, serde_json::Value> {
        strategy.actions.iter().map(|(action, probability)| (action.clone(), (*probability).into())).collect()
    };
    serializer.collect_map(strategies.iter().map(|strategy| (&strategy.player, actions(strategy))))
}

/// Solves `game` from `start`, or says why it cannot.
pub(crate) fn solve<G: Complete>(game: &G, start: &G::State, plan: &SolvePlan<'_>) -> Result<Solution, InputError> {
    let begun = Instant::now();
    let has_classes = game.solver_hints().is_some_and(|hints| hints.outcome_letters(game).is_some());
    let simultaneous = game.spec().features.contains(Features::SIMULTANEOUS) || has_classes;
    // Types of games that always have joint moves do not compile one solver, those that never have them the other.
    let mut solution = if const { G::ALWAYS.contains(Features::SIMULTANEOUS) }
        || const { is_for_joint_moves::<G>() } && simultaneous
    {
        solve_simultaneous(game, start, plan)
    } else {
        solve_alternating(game, start, plan)
    }?;
    solution.seconds = begun.elapsed().as_secs_f64();
    Ok(solution)
}

/// Whether games of a type are worth a solver of joint moves of their own: they may have such moves, or know something
/// that makes it fast.
pub(crate) const fn is_for_joint_moves<G: Complete>() -> bool {
    G::CLASS.contains(Features::SIMULTANEOUS) || G::OFFERS.contains(Capabilities::SOLVER_HINTS)
}

/// One acts at a time, with or without chance.
fn solve_alternating<G: Complete>(game: &G, start: &G::State, plan: &SolvePlan<'_>) -> Result<Solution, InputError> {
    let solved = Solved::new(game, start, plan.most_nodes, plan.tolerance)?;
    let first = Player(0);
    let Some(value) = solved.value(game, start, first) else {
        return Err(InputError::new("the first state has no value"));
    };
    let strategy = |mover: Player| {
        let (action, _) = solved.best(game, start)?;
        let action = game.action_text(start, Actor::Player(mover), action);
        Some(PlayerStrategy { player: game.spec().player_name(mover).to_owned(), actions: vec![(action, 1.0)] })
    };
    Ok(Solution {
        game: game.spec().name.clone(),
        method: match (solved.has_cycles, solved.clock_left_out, solved.endless) {
            (false, false, _) => "backward induction",
            (false, true, _) => "backward induction without the limit on length",
            (true, _, true) => "value iteration, endless play being a draw",
            (true, false, false) => "value iteration",
            (true, true, false) => "value iteration without the limit on length",
        },
        value: value.value,
        exact: solved.fraction(game, start, first).map(|fraction| fraction.to_string()),
        error: value.error,
        class: None,
        nodes: solved.states(),
        seconds: 0.0,
        strategy: game.turn(start).movers().filter_map(strategy).collect(),
    })
}

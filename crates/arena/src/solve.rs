//! Exact values of small games: which solver a game's features call for, and its answer as text and numbers.

use std::time::Instant;

use serde::{Serialize, Serializer};
use tesuji_core::laws::Complete;
use tesuji_core::{Features, InputError};

/// How far a solver may go.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SolvePlan {
    /// The most states held; a larger game is refused.
    pub most_nodes: u64,
    /// Where play can go in circles: how far the value may be off.
    pub tolerance: f64,
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
fn by_player<S: Serializer>(strategies: &[PlayerStrategy], serializer: S) -> Result<S::Ok, S::Error> {
    let actions = |strategy: &PlayerStrategy| -> serde_json::Map<String, serde_json::Value> {
        strategy.actions.iter().map(|(action, probability)| (action.clone(), (*probability).into())).collect()
    };
    serializer.collect_map(strategies.iter().map(|strategy| (&strategy.player, actions(strategy))))
}

/// Solves `game` from `start`, or says why it cannot.
pub(crate) fn solve<G: Complete>(game: &G, start: &G::State, plan: &SolvePlan) -> Result<Solution, InputError> {
    let begun = Instant::now();
    let mut solution = if game.spec().features.contains(Features::SIMULTANEOUS) {
        solve_simultaneous(game, start, plan)
    } else {
        solve_alternating(game, start, plan)
    }?;
    solution.seconds = begun.elapsed().as_secs_f64();
    Ok(solution)
}

/// One acts at a time, with or without chance.
fn solve_alternating<G: Complete>(game: &G, _start: &G::State, _plan: &SolvePlan) -> Result<Solution, InputError> {
    Err(InputError::new(format!("no solver for games such as `{}`", game.spec().name)))
}

/// Several act at once.
fn solve_simultaneous<G: Complete>(game: &G, _start: &G::State, _plan: &SolvePlan) -> Result<Solution, InputError> {
    Err(InputError::new(format!("no solver for simultaneous games such as `{}`", game.spec().name)))
}

//! Laws about clocks and hints for solvers.

use super::{Complete, Violation, require};
use crate::{Actor, Clock, Features, Horizon, Player, Policy, Rng, SolverHints, Turn, Uniform, legal_actions};

/// The number of matches played for the check, and the most steps of one.
const MATCHES: usize = 3;
const STEPS: usize = 100;

/// Visits the non-final states of a few random matches.
fn each_state<G: Complete>(
    game: &G,
    rng: &mut Rng,
    mut visit: impl FnMut(&G::State) -> Result<(), Violation>,
) -> Result<(), Violation> {
    for _ in 0..MATCHES {
        let mut state = game.start();
        for _ in 0..STEPS {
            if game.turn(&state) == Turn::Over {
                break;
            }
            visit(&state)?;
            Uniform::default().play_out(game, &mut state, rng, Horizon::steps(1));
        }
    }
    Ok(())
}

/// Checks that forgetting the clock twice equals forgetting it once, and changes neither who acts nor the legal
/// actions.
pub(super) fn check_clock<G: Complete>(game: &G, clock: &dyn Clock<G>, rng: &mut Rng) -> Result<(), Violation> {
    each_state(game, rng, |state| {
        let mut early = state.clone();
        clock.forget(game, &mut early);
        let mut again = early.clone();
        clock.forget(game, &mut again);
        require(early == again, state, &|| "forgetting the clock twice changes more than once".to_owned())?;
        let turn = game.turn(state);
        let same = turn == game.turn(&early)
            && turn.actors().all(|actor| legal_actions(game, state, actor) == legal_actions(game, &early, actor));
        require(same, state, &|| format!("other actions are legal when the clock is forgotten: {early:?}"))
    })
}

/// Checks that bounds lie within the payoffs, candidates are legal actions and fingerprints are functions of the state,
/// and that the game has two players with a constant sum.
pub(super) fn check_hints<G: Complete>(game: &G, hints: &dyn SolverHints<G>, rng: &mut Rng) -> Result<(), Violation> {
    let spec = game.spec();
    let solvable = spec.players.len() == 2 && !spec.features.contains(Features::GENERAL_SUM);
    require(solvable, &game.start(), &|| "hints for solvers without two players and a constant sum".to_owned())?;
    each_state(game, rng, |state| {
        let (low, high) = hints.bounds(game, state);
        let inside = spec.payoffs.0 <= low && low <= high && high <= spec.payoffs.1;
        require(inside, state, &|| format!("the bounds of the value are {low} and {high}"))?;
        let print = hints.fingerprint(game, state);
        require(print == hints.fingerprint(game, state), state, &|| "`fingerprint` is not a function".to_owned())?;
        for player in game.turn(state).movers() {
            let legal = legal_actions(game, state, Actor::Player(player));
            let mut candidates: Vec<G::Action> = Vec::new();
            hints.candidates(game, state, player, &mut candidates);
            let fine = !candidates.is_empty() && candidates.iter().all(|action| legal.contains(action));
            let Player(seat) = player;
            require(fine, state, &|| format!("the candidates of player {seat} are {candidates:?}"))?;
        }
        Ok(())
    })
}

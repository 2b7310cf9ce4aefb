//! Small games with known values, and decisions in them, for the tests of agents.

pub(crate) use tesuji_core::tiny_games::{Form, Nim, TugOfWar, Written, chance, choice, matrix, over};
use tesuji_core::{Game, History, Player, Rng};

use crate::{Agent, Budget, Decision, Seat};

pub(crate) mod skirmish;

/// The decision of `agent` for `player` in the initial state.
pub(crate) fn first_decision<G: Game>(
    game: &G,
    agent: &mut dyn Agent<G>,
    player: u8,
    playouts: u64,
    seed: u64,
) -> Decision<G::Action> {
    decision_after(game, agent, &History::default(), player, &Budget::playouts(playouts), &mut Rng::new(seed))
}

/// The decision of `agent` for `player` after the steps of `history`.
pub(crate) fn decision_after<G: Game>(
    game: &G,
    agent: &mut dyn Agent<G>,
    history: &History<G::Action>,
    player: u8,
    budget: &Budget,
    rng: &mut Rng,
) -> Decision<G::Action> {
    let mut state = game.start();
    history.steps().for_each(|joint| game.apply(&mut state, joint));
    let seat = Seat { game, state: &state, player: Player(player), history, watcher: None };
    let decision = agent.choose(seat, budget, rng).expect("agents on tiny games do not fail");
    let mut legal = Vec::new();
    game.legal(&state, Player(player), &mut legal);
    assert!(legal.contains(&decision.action), "{:?} is not legal in {state:?}", decision.action);
    let sum: f64 = decision.policy.iter().map(|(_, probability)| probability).sum();
    assert!((sum - 1.0).abs() < 1e-9, "{:?}", decision.policy);
    assert!(decision.policy.iter().any(|&(action, _)| action == decision.action));
    assert_eq!(decision.thought.candidates.len(), legal.len());
    decision
}

//! Turns near the end of a match, where the result is another than the evaluation suggests.

use tesuji_core::{Address, Arguments, Game, Player, Turn};

use tesuji_play::AgentKind;

use crate::kinds::{AttackSearchKind, DlmcKind, EvolutionKind, SatisficingKind};
use crate::tiny_games::first_decision;
use crate::tiny_games::skirmish::Skirmish;

/// What the first player gets if it follows the plan of an agent and the other side, which cannot hurt anybody, waits.
///
/// The first player has 6 HP left, the others 8, and only one of its pieces can hit. If it takes 5 HP of the enemy's
/// first piece, it wins at the turn limit. The evaluation prefers the two HP of the second piece, as the first counts
/// little; the match is then drawn.
fn result<K: AgentKind>(address: &str, turns_left: u8) -> f64 {
    let mut game = Skirmish::new([[2, 2, 2], [5, 2, 1]], [[5, 0, 0], [0, 0, 0]]);
    (game.limit, game.first_weight) = (turns_left, 0.2);
    let user: Address = address.parse().unwrap();
    let preset = K::PRESETS.iter().find(|preset| preset.name == user.name);
    let resolved = preset.map_or(Ok(user.clone()), |preset| preset.resolve(&user, K::NAME, K::PARAMETERS)).unwrap();
    let mut agent = K::build(&Arguments::bind(&resolved, K::PARAMETERS).unwrap(), &game).unwrap();
    let decision = first_decision(&game, &mut *agent, 0, 2_000, 1);
    let mut state = game.start();
    decision.thought.line.iter().for_each(|joint| game.apply(&mut state, joint));
    while let Turn::Player(player) = game.turn(&state) {
        let mut legal = Vec::new();
        game.legal(&state, player, &mut legal);
        game.apply(&mut state, &[legal[0]]);
    }
    game.payoff(&state, Player(0))
}

#[test]
fn our_planners_play_for_the_result_of_the_match() {
    for turns_left in [1, 2] {
        assert_eq!(result::<EvolutionKind>("evolution", turns_left), 1.0, "evolution, {turns_left} turns left");
        assert_eq!(result::<EvolutionKind>("evolution(divide=1)", turns_left), 1.0, "divided, {turns_left} turns left");
        assert_eq!(result::<SatisficingKind>("satisficing", turns_left), 1.0, "satisficing, {turns_left} turns left");
        for address in ["dlmc-halving", "dlmc-divided"] {
            assert_eq!(result::<DlmcKind>(address, turns_left), 1.0, "{address}, {turns_left} turns left");
        }
    }
}

#[test]
fn the_papers_planners_play_for_their_evaluation_unless_told_otherwise() {
    for address in ["dlmc", "dlmc-002", "dlmc-attack", "dlmc-local", "dlmc-both", "dlmc-000"] {
        assert_eq!(result::<DlmcKind>(address, 1), 0.5, "{address}");
        assert_eq!(result::<DlmcKind>(&format!("{address}(end=1000)"), 1), 1.0, "{address}");
    }
    assert_eq!(result::<AttackSearchKind>("attack-search", 1), 0.5);
    assert_eq!(result::<AttackSearchKind>("attack-search(end=1000)", 1), 1.0);
    assert_eq!(result::<EvolutionKind>("evolution(end=evaluation)", 1), 0.5);
}

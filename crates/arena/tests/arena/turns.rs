//! Searches of whole turns on TUBSTAP: the positions of paper 002, maps that ask for nothing, and boards taken apart.

use std::sync::Arc;

use tesuji_arena::{AnyGame, AnyMatch, Budget, Rng, Turn};

/// What the agents of papers 000 and 002 and their rivals are called.
const AGENTS: [&str; 18] = [
    "best-single",
    "best-pair",
    "attack-search",
    "dlmc-000",
    "dlmc-002",
    "dlmc-attack",
    "dlmc-local",
    "dlmc-both",
    "dlmc-halving",
    "dlmc-divided",
    "unit-uct",
    "unit-uct-sound",
    "unit-uct-10",
    "unit-uct-10-sound",
    "turn-uct",
    "turn-uct-pw",
    "satisficing",
    "evolution",
];

fn map(name: &str) -> Arc<dyn AnyGame> {
    tesuji_standard::catalogue()
        .open(&format!("tubstap(map={}/tests/maps/{name}.tbsmap)", env!("CARGO_MANIFEST_DIR")))
        .unwrap()
}

/// Plays the whole turn of the side to act with one agent; returns its actions.
fn play_turn(table: &mut dyn AnyMatch, agent: &str, budget: u64, seed: u64) -> Vec<String> {
    let Turn::Player(player) = table.turn() else { panic!("nobody acts") };
    table.seat(player, agent).unwrap_or_else(|error| panic!("{agent}: {error}"));
    let mut rng = Rng::new(seed);
    let mut actions = Vec::new();
    while table.turn() == Turn::Player(player) {
        let decision = table.think(player, &Budget::playouts(budget), &mut rng).unwrap();
        table.step(std::slice::from_ref(&decision.action)).unwrap_or_else(|error| panic!("{agent}: {error}"));
        actions.push(decision.action);
    }
    actions
}

#[test]
fn figure_5_the_cannon_opens_the_way_for_the_panzer() {
    let game = map("figure5");
    for agent in ["attack-search", "dlmc-attack", "dlmc-local", "dlmc-both"] {
        for seed in 0..3 {
            let mut table = game.new_match(None).unwrap();
            let actions = play_turn(table.as_mut(), agent, 20_000, seed);
            assert_eq!(actions, ["b1xd1", "a1-e1xf1"], "{agent}");
        }
    }
}

#[test]
fn figure_6_only_the_combined_agents_let_the_cannon_step_aside() {
    let game = map("figure6");
    let hits_the_panzer = |agent: &str, seed: u64| {
        let mut table = game.new_match(None).unwrap();
        play_turn(table.as_mut(), agent, 20_000, seed).contains(&"a1-c1xd1".to_owned())
    };
    for seed in 0..3 {
        assert!(!hits_the_panzer("attack-search", seed));
        for agent in ["dlmc-attack", "dlmc-local", "dlmc-both"] {
            assert!(hits_the_panzer(agent, seed), "{agent}");
        }
    }
}

#[test]
fn maps_that_ask_for_nothing_get_legal_answers() {
    for name in ["no-attack", "enclosed"] {
        let game = map(name);
        for agent in AGENTS {
            let catalogue = tesuji_standard::catalogue();
            let infos = catalogue.agents();
            let own = infos.iter().find(|info| info.name == agent).unwrap_or_else(|| panic!("no agent `{agent}`"));
            assert!(own.parameters.iter().any(|parameter| parameter.name == "playouts"));
            let mut table = game.new_match(None).unwrap();
            while table.turn() != Turn::Over {
                play_turn(table.as_mut(), &format!("{agent}(playouts=50)"), 50, 1);
            }
            assert!(table.payoffs().is_some());
        }
    }
    let empty = map("one-side-empty");
    assert_eq!(empty.new_match(None).unwrap().turn(), Turn::Over);
    for agent in AGENTS {
        empty.check_agent(agent).unwrap_or_else(|error| panic!("{agent}: {error}"));
    }
}

#[test]
fn a_divided_board_is_played_to_the_end() {
    let game = tesuji_standard::catalogue().open("tubstap(map=river-front)").unwrap();
    let mut table = game.new_match(None).unwrap();
    let agents = ["dlmc-divided(playouts=60,samples=10,simulations=2)", "best-single"];
    let mut turns = 0;
    while let Turn::Player(player) = table.turn() {
        play_turn(table.as_mut(), agents[player.index()], 60, turns);
        turns += 1;
    }
    assert!(turns > 2 && table.payoffs().is_some());
}

#[test]
fn games_without_the_knowledge_are_refused_with_what_is_missing() {
    for (game, agent, expected) in [
        (
            "tic-tac-toe",
            "attack-search",
            "it needs the capabilities `heuristics` and `attacks`, which `tic-tac-toe` does not offer",
        ),
        ("tic-tac-toe", "best-single", "it needs the capability `heuristics`, which"),
        ("tic-tac-toe", "uct(split=true)", "it needs tactics of whole turns (capability `tactics`)"),
        ("tic-tac-toe", "uct(widening=true)", "(capability `attacks`)"),
        ("breakthrough", "satisficing", "it needs the capability `tactics`"),
        ("breakthrough", "attack-search", "it needs a quiet policy"),
        ("dice7", "dlmc", "it does not handle chance"),
        ("goofspiel", "evolution", "it does not handle"),
    ] {
        let game = tesuji_standard::catalogue().open(game).unwrap();
        let error = game.check_agent(agent).unwrap_err().to_string();
        assert!(error.contains(expected), "{agent}: {error}");
        assert!(game.able_agents().iter().all(|info| info.name != agent), "{agent} is listed although it is refused");
    }
}

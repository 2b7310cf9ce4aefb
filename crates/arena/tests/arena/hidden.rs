//! Games with hidden information: their known values, and agents that do not look at what is hidden.

use tesuji_arena::{AnyGame, Budget, DecisionText, Player, Rng, SolvePlan, Turn};

fn open(sheet: &str) -> std::sync::Arc<dyn AnyGame> {
    tesuji_standard::catalogue().open(&format!("gdl({sheet})")).unwrap()
}

/// Plays a match between these agents, by seat, and returns the payoffs.
fn played(game: &dyn AnyGame, agents: &[&str], seed: u64) -> Vec<f64> {
    let mut table = game.new_match(None).unwrap();
    for (player, agent) in game.spec().seats().zip(agents) {
        table.seat(player, agent).unwrap();
    }
    let mut rng = Rng::new(seed);
    loop {
        match table.turn() {
            Turn::Over => return table.payoffs().unwrap(),
            Turn::Chance => {
                table.draw_outcome(&mut rng);
            }
            turn => {
                let budget = Budget::playouts(1);
                let joint: Vec<String> =
                    turn.movers().map(|player| table.think(player, &budget, &mut rng).unwrap().action).collect();
                table.step(&joint).unwrap();
            }
        }
    }
}

/// The mean payoff of the first player.
fn mean(sheet: &str, agents: &[&str], matches: u64) -> f64 {
    let game = open(sheet);
    (0..matches).map(|seed| played(&*game, agents, seed)[0]).sum::<f64>() / matches as f64
}

#[test]
fn the_candidate_of_monty_hall_switches_and_wins_two_times_out_of_three() {
    // The standard error of 400 matches is 2.4; the seeds are fixed.
    let switching = mean("monty-hall", &["ismcts(playouts=150)"], 400);
    assert!((switching - 66.7).abs() < 8.0, "{switching}");
    let guessing = mean("monty-hall", &["random"], 400);
    assert!((guessing - 50.0).abs() < 8.0, "{guessing}");
}

#[test]
fn a_coin_under_a_cup_is_not_seen() {
    // Whoever looked at the state would win every match of the second seat.
    let first = mean("matching-pennies-hidden", &["random", "ismcts(playouts=40)"], 400);
    assert!((first - 50.0).abs() < 8.0, "{first}");
}

/// The decision of `ismcts` for a player after these steps.
fn decision(game: &dyn AnyGame, steps: &[&str], player: u8, seed: u64) -> DecisionText {
    let mut table = game.new_match(None).unwrap();
    table.seat(Player(player), "ismcts(playouts=100)").unwrap();
    for step in steps {
        table.step(&[(*step).to_owned()]).unwrap();
    }
    let mut decision = table.think(Player(player), &Budget::playouts(1), &mut Rng::new(seed)).unwrap();
    decision.time = std::time::Duration::ZERO;
    decision
}

#[test]
fn states_that_a_player_cannot_tell_apart_have_the_same_decision() {
    let kuhn = open("kuhn-poker");
    let phantom = open("phantom-tic-tac-toe");
    for seed in 1..4 {
        let with = |cards: &str, rest: &[&str], player: u8| {
            let deal = format!("(deal {cards})");
            let steps: Vec<&str> = std::iter::once(deal.as_str()).chain(rest.iter().copied()).collect();
            format!("{:?}", decision(&*kuhn, &steps, player, seed))
        };
        assert_eq!(with("queen jack", &[], 0), with("queen king", &[], 0));
        assert_eq!(with("queen jack", &["check", "bet"], 0), with("queen king", &["check", "bet"], 0));
        assert_eq!(with("jack queen", &["bet"], 1), with("king queen", &["bet"], 1));
        assert_ne!(with("jack queen", &["bet"], 1), with("jack king", &["bet"], 1));
        // The player o has marked the middle, and x two other cells.
        let marked =
            |first: &str, second: &str| format!("{:?}", decision(&*phantom, &[first, "(mark 2 2)", second], 1, seed));
        assert_eq!(marked("(mark 1 1)", "(mark 1 2)"), marked("(mark 3 3)", "(mark 1 3)"));
    }
}

#[test]
fn dominated_actions_of_kuhn_poker_are_not_played() {
    let game = open("kuhn-poker");
    for seed in 1..4 {
        for (cards, steps, player, expected) in [
            ("jack king", &["bet"][..], 1, "call"),
            ("king jack", &["bet"][..], 1, "fold"),
            ("king jack", &["check", "bet"][..], 0, "call"),
            ("jack king", &["check", "bet"][..], 0, "fold"),
        ] {
            let deal = format!("(deal {cards})");
            let steps: Vec<&str> = std::iter::once(deal.as_str()).chain(steps.iter().copied()).collect();
            assert_eq!(decision(&*game, &steps, player, seed).action, expected, "{cards}, {steps:?}");
        }
    }
}

#[test]
fn agents_and_solvers_that_look_at_the_state_refuse() {
    let game = open("kuhn-poker");
    for agent in ["uct", "mc", "expectimax", "look-ahead"] {
        let error = game.check_agent(agent).unwrap_err().to_string();
        assert!(error.contains("hidden-information"), "{agent}: {error}");
    }
    for agent in ["ismcts", "random", "ggp-champion"] {
        game.check_agent(agent).unwrap();
    }
    let plan = SolvePlan { most_nodes: 1_000, tolerance: 1e-9, stop: None };
    let error = game.solve(None, &plan).map(drop).unwrap_err().to_string();
    assert!(error.contains("hidden information"), "{error}");
    let error = open("tic-tac-toe").check_agent("ismcts").unwrap_err().to_string();
    assert!(error.contains("hidden-information"), "{error}");
}

//! Small games of every class with known solutions.

use tesuji_core::{Horizon, Knowledge};

use super::{SEEDS, uct};
use crate::tiny_games::{Nim, Written, chance, choice, first_decision, matrix, over};
use crate::uct::tree::ROOT;
use crate::{FinalChoice, FirstPlay, Opponents, Selection, Settings, Simulation, TotalCount, Uct};

#[test]
fn wins_what_is_won() {
    for seed in SEEDS {
        for heap in [5, 6, 7, 9, 10, 11, 13] {
            let decision = first_decision(&Nim::new(heap), &mut uct(|_| {}), 0, 4000, seed);
            assert_eq!(decision.action, heap % 4, "heap {heap}, seed {seed}: {:?}", decision.thought);
            assert!(decision.value.unwrap() > 0.7, "heap {heap}, seed {seed}: {:?}", decision.value);
        }
        let lost = first_decision(&Nim::new(12), &mut uct(|_| {}), 0, 4000, seed);
        assert!(lost.value.unwrap() < 0.35, "{:?}", lost.value);
    }
}

#[test]
fn a_chance_is_worth_its_mean() {
    let game = |good: f64| {
        let gamble = chance([(good, over([30.0, 0.0])), (1.0 - good, over([-10.0, 0.0]))]);
        Written::new(2, (-10.0, 30.0), choice(0, [over([10.0, 0.0]), gamble]))
    };
    for seed in SEEDS {
        let few = first_decision(&game(0.3), &mut uct(|_| {}), 0, 2000, seed);
        assert_eq!((few.action, few.value), (0, Some(10.0)));
        let many = first_decision(&game(0.7), &mut uct(|_| {}), 0, 2000, seed);
        assert_eq!(many.action, 1);
        assert!((many.value.unwrap() - 18.0).abs() < 2.0, "mean 0.7·30 − 0.3·10, got {:?}", many.value);
    }
}

#[test]
fn nature_is_drawn_by_its_probabilities_inside_the_tree() {
    let outcomes = [(0.1, over([1.0, 0.0])), (0.6, over([0.0, 1.0])), (0.3, over([1.0, 0.0]))];
    let game = Written::new(2, (0.0, 1.0), choice(0, [chance(outcomes), over([0.0, 1.0])]));
    let mut agent = uct(|_| {});
    first_decision(&game, &mut agent, 0, 20_000, 1);
    let tree = &agent.tree;
    let child = tree.edges(tree.span(ROOT))[0].child;
    let edges = tree.edges(tree.span(child));
    let all = f64::from(tree.nodes[child as usize].visits);
    for (edge, expected) in edges.iter().zip([0.1, 0.6, 0.3]) {
        assert!((f64::from(edge.visits) / all - expected).abs() < 0.02, "{edges:?}");
    }
}

#[test]
fn mixes_where_mixing_is_needed() {
    let pennies = Written::new(2, (0.0, 1.0), matrix([[1.0, 0.0], [0.0, 1.0]]));
    for seed in SEEDS {
        for player in [0, 1] {
            let decision = first_decision(&pennies, &mut uct(|_| {}), player, 10_000, seed);
            assert_eq!(decision.policy.len(), 2);
            for (action, probability) in decision.policy {
                assert!((probability - 0.5).abs() < 0.1, "player {player} plays {action} with {probability}");
            }
        }
    }
    let actions: Vec<u8> =
        (0..20).map(|seed| first_decision(&pennies, &mut uct(|_| {}), 0, 200, seed).action).collect();
    assert!(actions.contains(&0) && actions.contains(&1), "always {}", actions[0]);
}

#[test]
fn a_dominant_action_of_a_joint_move_is_found_by_both() {
    // The second row and the first column are better whatever the other does.
    let game = Written::new(2, (0.0, 1.0), matrix([[0.2, 0.6], [0.4, 0.8]]));
    for seed in SEEDS {
        let row = first_decision(&game, &mut uct(|_| {}), 0, 5000, seed);
        let column = first_decision(&game, &mut uct(|_| {}), 1, 5000, seed);
        assert_eq!((row.thought.candidates[0].action, column.thought.candidates[0].action), (1, 0));
        assert!(row.thought.candidates[0].probability > 0.8 && column.thought.candidates[0].probability > 0.8);
        assert_eq!(row.thought.line, [vec![row.action, 0]]);
    }
}

#[test]
fn others_want_their_own_good_not_our_harm() {
    let game =
        Written::new(2, (0.0, 1.0), choice(0, [over([0.5, 0.5]), choice(1, [over([0.0, 0.1]), over([0.9, 0.9])])]));
    for seed in SEEDS {
        let decision = first_decision(&game, &mut uct(|_| {}), 0, 2000, seed);
        assert_eq!(decision.action, 1);
        assert!(decision.value.unwrap() > 0.8);
        assert_eq!(decision.thought.line, [[1], [1]]);
    }
}

#[test]
fn the_searcher_may_be_taken_to_be_everybodys_friend() {
    let trap = choice(0, [over([0.6, 0.4]), choice(1, [over([1.0, 0.0]), over([0.0, 1.0])])]);
    let game = Written::new(2, (0.0, 1.0), trap);
    for seed in SEEDS {
        assert_eq!(first_decision(&game, &mut uct(|_| {}), 0, 2000, seed).action, 0);
        let mut trusting = uct(|settings| settings.opponents = Opponents::Searcher);
        assert_eq!(first_decision(&game, &mut trusting, 0, 2000, seed).action, 1);
    }
}

#[test]
fn a_turn_of_two_steps_is_planned_as_one() {
    // On average the second branch is worse; its best end is the best of all, and the same player chooses it.
    let greedy = choice(0, [over([0.6, 0.4]), over([0.6, 0.4])]);
    let patient = choice(0, [over([0.0, 1.0]), over([0.0, 1.0]), over([1.0, 0.0])]);
    let game = Written::new(2, (0.0, 1.0), choice(0, [greedy, patient]));
    for seed in SEEDS {
        let decision = first_decision(&game, &mut uct(|_| {}), 0, 2000, seed);
        assert_eq!(decision.thought.line, [[1], [2]]);
    }
}

#[test]
fn three_players_each_maximise_their_own() {
    // Left: b takes its best end, 0.3 for a. Right: b passes on to c, who takes 0.8 for a.
    let left = choice(1, [over([0.9, 0.2, 0.1]), over([0.3, 0.6, 0.1])]);
    let right = choice(1, [over([0.1, 0.1, 0.1]), choice(2, [over([0.0, 0.9, 0.2]), over([0.8, 0.5, 0.7])])]);
    let game = Written::new(3, (0.0, 1.0), choice(0, [left, right]));
    for seed in SEEDS {
        let decision = first_decision(&game, &mut uct(|_| {}), 0, 5000, seed);
        assert_eq!(decision.thought.line, [[1], [1], [1]]);
        assert!((decision.value.unwrap() - 0.8).abs() < 0.1);
    }
}

#[test]
fn one_player_alone_finds_the_best_end() {
    let branch = |best: f64| choice(0, [over([0.2]), choice(0, [over([best]), over([0.1])]), over([0.4])]);
    let game = Written::new(1, (0.0, 1.0), choice(0, [branch(0.5), branch(0.9), branch(0.6)]));
    for seed in SEEDS {
        assert_eq!(first_decision(&game, &mut uct(|_| {}), 0, 3000, seed).thought.line, [[1], [1], [0]]);
    }
}

#[test]
fn an_early_win_is_worth_more_under_a_discount() {
    let late = choice(0, [choice(0, [over([1.0, 0.0])])]);
    let game = Written::new(2, (0.0, 1.0), choice(0, [late, over([1.0, 0.0])]));
    let plain = first_decision(&game, &mut uct(|_| {}), 0, 500, 1);
    assert_eq!(plain.thought.candidates[0].value, plain.thought.candidates[1].value);
    let hasty = first_decision(&game, &mut uct(|settings| settings.discount = 0.9), 0, 500, 1);
    assert_eq!(hasty.action, 1);
    assert_eq!(hasty.value, Some(1.0));
    let late = hasty.thought.candidates[1].value.unwrap();
    assert!((late - (0.5 + 0.5 * 0.81)).abs() < 1e-9, "two steps later: {late}");
}

#[test]
fn every_way_to_select_and_to_choose_wins_what_is_won() {
    let selection = |total, first_play| Selection::Ucb1 { c: 0.5, total, first_play };
    let ways = [FirstPlay::Random, FirstPlay::Ordered, FirstPlay::Urgency(1.0)]
        .into_iter()
        .flat_map(|first_play| [TotalCount::Node, TotalCount::Search].map(|total| selection(total, first_play)));
    for selection in ways {
        for choice in [FinalChoice::Visits, FinalChoice::Mean, FinalChoice::Robust, FinalChoice::Secure] {
            for threshold in [0, 5] {
                let mut agent = uct(|settings| {
                    (settings.selection, settings.choice, settings.threshold) = (selection, Some(choice), threshold);
                });
                let decision = first_decision(&Nim::new(7), &mut agent, 0, 4000, 3);
                assert_eq!(decision.action, 3, "{selection:?} {choice:?} {threshold}: {:?}", decision.thought);
            }
        }
    }
}

#[test]
fn an_evaluation_judges_playouts_cut_short() {
    let game = Nim::new(23);
    let simulation = Simulation {
        horizon: Horizon::steps(0),
        evaluation: game.heuristics().unwrap().evaluation(&game, "remainder"),
        scale: 0.5,
        ..Simulation::default()
    };
    let mut agent = Uct::new(Settings::default(), simulation);
    assert_eq!(first_decision(&game, &mut agent, 0, 300, 1).action, 3);
}

//! What the tree stores: leaves, shared nodes, the cap, and what is kept from one decision to the next.

use tesuji_core::{History, Rng};

use super::{SEEDS, check_tree, twice, uct};
use crate::tiny_games::{Form, Nim, TugOfWar, Written, chance, choice, decision_after, first_decision, matrix, over};
use crate::uct::recycle::EDGES_PER_NODE;
use crate::uct::tree::ROOT;
use crate::{Agent, Budget, Decision};

#[test]
fn a_leaf_gets_children_only_above_the_threshold() {
    let nodes = |threshold| {
        let mut agent = uct(|settings| settings.threshold = threshold);
        first_decision(&Nim::new(30), &mut agent, 0, 40, 1).thought.nodes
    };
    // Three edges share 40 playouts; none can have more than 39.
    assert_eq!(nodes(39), 1);
    assert!(nodes(10) > 1 && nodes(0) > nodes(10));
}

#[test]
fn shared_nodes_give_the_same_answers() {
    for seed in SEEDS {
        for heap in [9, 10, 11, 17, 18] {
            let game = Nim::new(heap);
            let apart = first_decision(&game, &mut uct(|_| {}), 0, 20_000, seed);
            let shared = first_decision(&game, &mut uct(|settings| settings.transpositions = true), 0, 20_000, seed);
            assert_eq!((apart.action, shared.action), (heap % 4, heap % 4), "heap {heap}, seed {seed}");
            assert!(shared.thought.nodes <= 2 * u64::from(heap), "{}", shared.thought.nodes);
            assert!(apart.thought.nodes > shared.thought.nodes);
        }
    }
}

#[test]
fn circles_do_not_hang() {
    for transpositions in [false, true] {
        let mut agent = uct(|settings| settings.transpositions = transpositions);
        let decision = first_decision(&TugOfWar::default(), &mut agent, 0, 3000, 1);
        assert_eq!(decision.action, 1, "towards the own end, transpositions {transpositions}");
        assert!(decision.thought.depth < 3000);
        if transpositions {
            assert!(decision.thought.nodes <= 14, "seven cells, two movers: {}", decision.thought.nodes);
        }
    }
}

#[test]
fn the_cap_bounds_memory_and_the_answer_stays_right() {
    for transpositions in [false, true] {
        for cap in [1, 2, 8, 64] {
            let mut agent = uct(|settings| (settings.node_cap, settings.transpositions) = (cap, transpositions));
            let mut most = 0;
            for seed in SEEDS {
                let decision = first_decision(&Nim::new(11), &mut agent, 0, 5000, seed);
                most = most.max(decision.thought.nodes);
                assert_eq!(decision.thought.playouts, 5000);
                let visits: u64 = decision.thought.candidates.iter().map(|candidate| candidate.visits).sum();
                assert_eq!(visits, 5000, "edges keep their statistics");
                if cap >= 64 {
                    assert_eq!(decision.action, 3, "cap {cap}, seed {seed}");
                }
            }
            assert!(most <= u64::from(cap), "cap {cap}: {most} nodes");
            check_tree(&agent);
        }
    }
    let mut agent = uct(|settings| settings.node_cap = 4);
    let joint = Written::new(2, (0.0, 1.0), twice(matrix([[1.0, 0.0], [0.0, 1.0]])));
    first_decision(&joint, &mut agent, 0, 5000, 1);
    assert!(agent.tree.nodes.len() <= 4 && agent.tree.edge_count() <= 4 * EDGES_PER_NODE + 4);
    check_tree(&agent);
}

#[test]
fn what_was_learnt_is_kept_for_the_next_decision() {
    for transpositions in [false, true] {
        let game = Nim::new(15);
        let budget = Budget::playouts(3000);
        let mut agent = uct(|settings| settings.transpositions = transpositions);
        let mut rng = Rng::new(1);
        let mut history = History::default();
        let first = decision_after(&game, &mut agent, &history, 0, &budget, &mut rng);
        history.push(&[first.action]);
        history.push(&[2]);
        let known = agent.tree.child(ROOT, &[first.action]).and_then(|node| agent.tree.child(node, &[2])).unwrap();
        let kept = u64::from(agent.tree.nodes[known as usize].visits);
        assert!(kept > 0);
        let second = decision_after(&game, &mut agent, &history, 0, &budget, &mut rng);
        check_tree(&agent);
        let visits = |decision: &Decision<u8>| -> u64 {
            decision.thought.candidates.iter().map(|candidate| candidate.visits).sum()
        };
        assert_eq!((visits(&second), second.thought.playouts), (3000 + kept, 3000));
        assert_eq!(second.action, (15 - first.action - 2) % 4);

        // Asked about the same state again, after an undo, in a new match, or as another player: from scratch.
        assert_eq!(visits(&decision_after(&game, &mut agent, &history, 0, &budget, &mut rng)), 3000);
        history.truncate(1);
        assert_eq!(visits(&decision_after(&game, &mut agent, &history, 1, &budget, &mut rng)), 3000);
        agent.begin();
        assert!(agent.tree.nodes.is_empty());
        assert_eq!(visits(&decision_after(&game, &mut agent, &history, 1, &budget, &mut rng)), 3000);
        history.push(&[1]);
        assert_eq!(visits(&decision_after(&game, &mut agent, &history, 0, &budget, &mut rng)), 3000);
    }
}

#[test]
fn a_forced_step_between_two_decisions_loses_nothing() {
    let last = || choice(1, [over([1.0, 0.0]), over([0.0, 1.0])]);
    let forced = || choice(1, [choice(0, [last(), last()])]);
    let game = Written::new(2, (0.0, 1.0), choice(1, [forced(), forced()]));
    let mut agent = uct(|_| {});
    let mut rng = Rng::new(1);
    let mut history = History::default();
    decision_after(&game, &mut agent, &history, 1, &Budget::playouts(200), &mut rng);
    history.push(&[0]);
    let forced = decision_after(&game, &mut agent, &history, 1, &Budget::playouts(200), &mut rng);
    assert_eq!(forced.thought.playouts, 0);
    history.push(&[0]);
    history.push(&[1]);
    let last = decision_after(&game, &mut agent, &history, 1, &Budget::playouts(200), &mut rng);
    assert!(last.thought.candidates.iter().map(|candidate| candidate.visits).sum::<u64>() > 200);
}

#[test]
fn a_history_that_belongs_to_another_match_is_noticed() {
    let budget = Budget::playouts(500);
    let mut agent = uct(|_| {});
    let mut rng = Rng::new(1);
    first_decision(&Nim::new(15), &mut agent, 0, 500, 1);
    let mut history = History::default();
    history.push(&[3]);
    history.push(&[3]);
    let other = decision_after(&Nim::new(11), &mut agent, &history, 0, &budget, &mut rng);
    assert_eq!(other.thought.candidates.iter().map(|candidate| candidate.visits).sum::<u64>(), 500);
}

#[test]
fn reuse_can_be_switched_off_and_follows_joint_moves_and_chance() {
    let pennies = || matrix([[1.0, 0.0], [0.0, 1.0]]);
    let game = Written::new(
        2,
        (0.0, 1.0),
        Form::Joint(
            vec![2, 2],
            (0..4)
                .map(|_| chance([(0.5, pennies()), (0.5, choice(0, [over([1.0, 0.0]), over([0.0, 1.0])]))]))
                .collect(),
        ),
    );
    let mut history = History::default();
    history.push(&[1, 0]);
    history.push(&[0]);
    for (reuse, kept_some) in [(true, true), (false, false)] {
        let mut agent = uct(|settings| settings.reuse = reuse);
        let mut rng = Rng::new(2);
        decision_after(&game, &mut agent, &History::default(), 0, &Budget::playouts(1000), &mut rng);
        let next = decision_after(&game, &mut agent, &history, 0, &Budget::playouts(1000), &mut rng);
        let visits: u64 = next.thought.candidates.iter().map(|candidate| candidate.visits).sum();
        assert_eq!(visits > 1000, kept_some);
        check_tree(&agent);
    }
}

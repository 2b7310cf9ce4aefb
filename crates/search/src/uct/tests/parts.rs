//! Optional parts: learning playouts, AMAF statistics, the best line, batches, thinking before the match.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use tesuji_core::{Game, History, OneByOne, Player, Rng};

use super::{SEEDS, check_tree, twice, uct};
use crate::tiny_games::{Form, Nim, TugOfWar, Written, chance, choice, decision_after, first_decision, matrix, over};
use crate::uct::batch::Gathered;
use crate::uct::descent::{Descent, Frame, TRACED};
use crate::uct::tree::{NONE, ROOT};
use crate::{
    Agent, Allocation, Batch, Budget, FinalChoice, GramHistory, Grams, Learner, Learning, Mc, Method, PlayoutSelection,
    Rave, Seat, Settings, Simulation, StatePairs, Uct,
};

const GRAVE: Rave = Rave { reference: 50, equivalence: 250.0 };
const RAVE: Rave = Rave { reference: 0, equivalence: 250.0 };

fn learner<G: Game>(pairs: bool) -> Learner<G> {
    let grams = Grams { longest: 3, least: 7, history: GramHistory::Joint };
    let method = if pairs { Method::Pairs(StatePairs { sample: 9 }) } else { Method::Grams(grams) };
    Learner::new(Learning { method, selection: PlayoutSelection::Greedy { epsilon: 0.4 }, unseen: 1.0, decay: 0.2 })
}

/// Agents with each part enabled in turn.
fn agents<G: Game + 'static>(change: impl Fn(&mut Settings)) -> Vec<Uct<G>> {
    let mut agents = Vec::new();
    for rave in [None, Some(RAVE), Some(GRAVE)] {
        for learner in [None, Some(learner(false)), Some(learner(true))] {
            let mut settings = Settings { rave, ..Settings::default() };
            change(&mut settings);
            agents.push(Uct::new(settings, Simulation { learner, ..Simulation::default() }));
        }
    }
    agents
}

#[test]
fn with_every_part_what_is_won_is_won() {
    for seed in SEEDS {
        for transpositions in [false, true] {
            for mut agent in agents(|settings| settings.transpositions = transpositions) {
                let decision = first_decision(&Nim::new(11), &mut agent, 0, 4000, seed);
                assert_eq!((decision.action, decision.thought.playouts), (3, 4000), "seed {seed}");
                check_tree(&agent);
            }
        }
        let solver = |settings: &mut Settings| settings.solver = true;
        for mut agent in agents(solver) {
            let decision = first_decision(&Nim::new(11), &mut agent, 0, 100_000, seed);
            assert_eq!((decision.action, decision.value), (3, Some(1.0)));
        }
    }
}

#[test]
fn with_every_part_every_class_of_game_is_played() {
    let gamble = chance([(0.7, over([1.0, 0.0, 0.2])), (0.3, over([0.0, 1.0, 0.4]))]);
    let later = choice(2, [over([0.0, 0.9, 0.2]), over([0.9, 0.5, 0.7])]);
    let joint = Form::Joint(vec![2, 2], vec![gamble, later, over([0.7, 0.1, 0.1]), over([0.7, 0.2, 0.9])]);
    let game = Written::new(3, (0.0, 1.0), choice(0, [choice(0, [over([0.6, 0.0, 0.0]), over([0.2; 3])]), joint]));
    let pennies = Written::new(2, (0.0, 1.0), matrix([[1.0, 0.0], [0.0, 1.0]]));
    for mut agent in agents(|_| {}) {
        let decision = first_decision(&game, &mut agent, 0, 3000, 1);
        assert_eq!(decision.action, 1, "{:?} {:?}", agent.settings.rave, decision.thought);
        check_tree(&agent);
        let even = first_decision(&pennies, &mut agent, 0, 3000, 1);
        assert!(even.policy.iter().all(|(_, probability)| (probability - 0.5).abs() < 0.2), "{:?}", even.policy);
    }
    for mut agent in agents(|settings| settings.transpositions = true) {
        assert_eq!(first_decision(&TugOfWar::default(), &mut agent, 0, 2000, 1).action, 1);
    }
}

#[test]
fn with_every_part_equal_seeds_give_equal_matches() {
    let play = |agent: &mut Uct<Nim>| {
        let game = Nim::new(40);
        agent.begin();
        let (mut rng, mut history) = (Rng::new(5), History::default());
        (0..4)
            .map(|_| {
                let mut decision = decision_after(&game, agent, &history, 0, &Budget::playouts(300), &mut rng);
                decision.thought.time = Duration::ZERO;
                history.push(&[decision.action]);
                history.push(&[1]);
                check_tree(agent);
                decision
            })
            .collect::<Vec<_>>()
    };
    let cap = |settings: &mut Settings| settings.node_cap = 60;
    for (mut one, mut other) in agents(cap).into_iter().zip(agents(cap)) {
        let first = play(&mut one);
        assert_eq!(first, play(&mut other), "another agent");
        assert_eq!(first, play(&mut one), "another match");
        assert!(first.iter().all(|decision| decision.thought.playouts == 300 && decision.thought.nodes <= 60));
    }
}

#[test]
fn amaf_statistics_equal_those_of_a_plain_twin() {
    let pennies = || matrix([[0.9, 0.1], [0.2, 0.7]]);
    let joint =
        Written::new(2, (0.0, 1.0), choice(1, [twice(pennies()), pennies(), choice(0, [pennies(), pennies()])]));
    for rave in [RAVE, GRAVE] {
        compare_amaf(&Nim::new(25), rave, false);
        compare_amaf(&Nim::new(25), rave, true);
        compare_amaf(&joint, rave, false);
    }
}

fn compare_amaf<G: Game<Action = u8> + 'static>(game: &G, rave: Rave, transpositions: bool) {
    let mut agent: Uct<G> = uct(|settings| (settings.rave, settings.transpositions) = (Some(rave), transpositions));
    let start = game.start();
    agent.tree.node_of(game, &start, &mut Rng::new(1));
    agent.simulation.learner = Some(Learner::tracing());
    let Uct { settings, simulation, tree, .. } = &mut agent;
    let frame = Frame { game, root: &start, searcher: Player(0), settings, progressive: None, playouts_per_visit: 1 };
    let mut descent = Descent::new(2);
    let mut rng = Rng::new(1);
    let mut twin: HashMap<(u32, u64), Vec<f64>> = HashMap::new();
    let mut known: HashSet<u32> = HashSet::new();
    for _ in 0..600 {
        descent.run::<G, TRACED>(&frame, tree, simulation, true, &mut rng);
        let trace = simulation.learner.as_ref().unwrap().trace();
        for visit in &descent.path {
            let node = &tree.nodes[visit.node as usize];
            if visit.depth > 0 && node.visits < rave.reference / 5 {
                assert_eq!(node.row, NONE);
                continue;
            }
            known.insert(visit.node);
        }
        let nodes: HashSet<(u32, u32)> = descent.path.iter().map(|visit| (visit.node, visit.depth)).collect();
        for (node, depth) in nodes.into_iter().filter(|(node, _)| known.contains(node)) {
            let below = (depth as usize..trace.steps.len()).flat_map(|step| trace.choices_of(step));
            let once: HashMap<u64, Player> = below.map(|choice| (choice.key, choice.player)).collect();
            for (key, player) in once {
                twin.entry((node, key)).or_default().push(descent.shares[player.index()]);
            }
        }
    }
    for (&(node, key), shares) in &twin {
        let (visits, mean) = tree.amaf.get(tree.nodes[node as usize].row, key);
        assert_eq!(visits as usize, shares.len(), "node {node}");
        assert!((f64::from(mean) - shares.iter().sum::<f64>() / shares.len() as f64).abs() < 1e-5);
    }
    assert!(known.len() > 5 && twin.len() > 20, "{} {}", known.len(), twin.len());
    // The kept part of the tree keeps its statistics.
    let kept = (1..tree.nodes.len() as u32).find(|node| known.contains(node)).unwrap();
    tree.retain(kept, &|_| true);
    for (&(node, key), shares) in twin.iter().filter(|((node, _), _)| *node == kept) {
        assert_eq!(tree.amaf.get(tree.nodes[ROOT as usize].row, key).0 as usize, shares.len(), "node {node}");
    }
}

/// One player with `width` branches; in each, many ends are poor and one is `best`.
fn alone(bests: &[f64], usual: &[f64]) -> Written {
    let branch = |best: f64, usual: f64| {
        let deep = choice(0, [over([usual]), choice(0, [over([usual]), over([best]), over([usual])]), over([usual])]);
        choice(0, [over([usual]), over([usual]), deep, over([usual])])
    };
    let ways = bests.iter().zip(usual).map(|(&best, &usual)| branch(best, usual)).collect();
    Written::new(1, (0.0, 1.0), Form::Choice(0, ways))
}

#[test]
fn a_lone_player_plays_the_best_line_it_ever_found() {
    // On average the first branch is far better; the best end lies in the second.
    let game = alone(&[0.5, 0.9], &[0.5, 0.1]);
    for seed in SEEDS {
        let mut agent = uct(|settings| settings.remember = Some(false));
        let mean = first_decision(&game, &mut agent, 0, 60, seed);
        assert_eq!(mean.action, 0, "too few playouts to change the mean");
        let mut agent = uct(|_| {});
        let mut rng = Rng::new(seed);
        let (mut history, mut state) = (History::default(), game.start());
        // The search is guided until it has found the needle once.
        let mut value = 0.0;
        for _ in 0..200 {
            agent.begin();
            let decision = decision_after(&game, &mut agent, &history, 0, &Budget::playouts(60), &mut rng);
            value = decision.value.unwrap();
            if value == 0.9 {
                assert_eq!(decision.thought.line, [[1], [2], [1], [1]]);
                assert_eq!((decision.action, decision.policy), (1, vec![(1, 1.0)]));
                break;
            }
        }
        assert_eq!(value, 0.9);
        // The next decisions follow the line, however short their search.
        history.push(&[1]);
        for expected in [2, 1, 1] {
            let decision = decision_after(&game, &mut agent, &history, 0, &Budget::playouts(1), &mut rng);
            assert_eq!((decision.action, decision.value), (expected, Some(0.9)));
            history.push(&[expected]);
        }
        history.steps().for_each(|joint| game.apply(&mut state, joint));
        assert_eq!(game.payoff(&state, Player(0)), 0.9);
    }
}

#[test]
fn a_line_is_kept_only_where_it_can_be_played_again() {
    // The greatest possible payoff ends the search.
    let game = alone(&[1.0, 0.3], &[0.2, 0.3]);
    let decision = first_decision(&game, &mut uct(|_| {}), 0, 10_000, 1);
    assert!(decision.thought.playouts < 10_000 && decision.value == Some(1.0));
    // With two players or chance, a playout cannot be repeated.
    let two =
        Written::new(2, (0.0, 1.0), choice(0, [over([0.4, 0.6]), choice(1, [over([1.0, 0.0]), over([0.0, 1.0])])]));
    let decision = first_decision(&two, &mut uct(|settings| settings.remember = Some(true)), 0, 2000, 1);
    assert_eq!((decision.action, decision.thought.playouts), (0, 2000));
    // Play that deviates forgets the line.
    let game = alone(&[0.9, 0.9], &[0.1, 0.1]);
    let mut agent = uct(|settings| settings.reuse = false);
    let first = first_decision(&game, &mut agent, 0, 3000, 1);
    let mut history = History::default();
    history.push(&[1 - first.action]);
    let second = decision_after(&game, &mut agent, &history, 0, &Budget::playouts(1), &mut Rng::new(1));
    assert_eq!(agent.best.as_ref().map(|best| best.actions.len()), Some(second.thought.line.len()));
    assert!(second.thought.line.len() < 4);
}

fn prepare<G: Game>(agent: &mut Uct<G>, game: &G, player: u8, playouts: u64) {
    let (state, history) = (game.start(), History::default());
    let seat = Seat { game, state: &state, player: Player(player), history: &history, watcher: None };
    agent.prepare(seat, &Budget::playouts(playouts), &mut Rng::new(9)).unwrap();
}

#[test]
fn what_was_prepared_before_the_match_is_used_in_it() {
    let game = Nim::new(15);
    let decide = |agent: &mut Uct<Nim>, history: &History<u8>, player: u8| {
        let decision = decision_after(&game, agent, history, player, &Budget::playouts(100), &mut Rng::new(1));
        assert_eq!(decision.thought.playouts, 100);
        decision.thought.candidates.iter().map(|candidate| candidate.visits).sum::<u64>()
    };
    for mut agent in agents(|settings| settings.budget = Budget::playouts(100)) {
        // The first to move: its own budget is for decisions, the start has another.
        prepare(&mut agent, &game, 0, 500);
        assert_eq!(decide(&mut agent, &History::default(), 0), 600);
        assert_eq!(decide(&mut agent, &History::default(), 0), 100, "asked again: from nothing");
        // The second to move.
        agent.begin();
        prepare(&mut agent, &game, 1, 500);
        let mut history = History::default();
        history.push(&[2]);
        assert!(decide(&mut agent, &history, 1) > 100);
        // Another player than prepared for.
        agent.begin();
        prepare(&mut agent, &game, 0, 500);
        assert_eq!(decide(&mut agent, &history, 1), 100);
        check_tree(&agent);
    }
    let mut forgetful = uct(|settings| settings.reuse = false);
    prepare(&mut forgetful, &game, 0, 500);
    assert_eq!(decide(&mut forgetful, &History::default(), 0), 100);
}

#[test]
fn any_start_can_be_prepared_for() {
    let last = || choice(1, [over([1.0, 0.0]), over([0.0, 1.0])]);
    let nature = Written::new(2, (0.0, 1.0), chance([(0.5, last()), (0.5, last())]));
    let joint = Written::new(2, (0.0, 1.0), Form::Joint(vec![2, 2], (0..4).map(|_| last()).collect()));
    let ended = Written::new(2, (0.0, 1.0), over([1.0, 0.0]));
    for (game, firsts) in
        [(&nature, vec![vec![0], vec![1]]), (&joint, vec![vec![0, 0], vec![0, 1], vec![1, 0], vec![1, 1]])]
    {
        let mut agent = uct(|_| {});
        prepare(&mut agent, game, 1, 400);
        let known =
            |first: &Vec<u8>| agent.tree.child(ROOT, first).map_or(0, |node| agent.tree.nodes[node as usize].visits);
        let first = firsts.into_iter().max_by_key(known).unwrap();
        let mut history = History::default();
        history.push(&first);
        let decision = decision_after(game, &mut agent, &history, 1, &Budget::playouts(50), &mut Rng::new(1));
        assert!(decision.thought.candidates.iter().map(|candidate| candidate.visits).sum::<u64>() > 50);
        assert_eq!(decision.action, 1);
    }
    prepare(&mut uct(|_| {}), &ended, 0, 10);
}

fn batched<G: Game + 'static>(leaves: u32, each: u32) -> Simulation<G> {
    let batch = Batch { playouts: Box::new(OneByOne::default()), leaves: Some(leaves), each, learner: None };
    Simulation { batch: Some(batch), ..Simulation::default() }
}

#[test]
fn batches_of_leaves_find_what_is_won_and_count_by_the_lot() {
    let pennies = Written::new(2, (0.0, 1.0), twice(matrix([[1.0, 0.0], [0.0, 1.0]])));
    for (leaves, each) in [(1, 1), (1, 4), (16, 1), (8, 4)] {
        for cap in [1_000_000, 20] {
            for transpositions in [false, true] {
                let settings = Settings { node_cap: cap, transpositions, ..Settings::default() };
                let mut agent = Uct::new(settings, batched(leaves, each));
                run_batches(&mut agent, &Nim::new(11), each, 8000 / (leaves * each));
                let (actions, tried) = agent.tree.tried(Player(0));
                let policy = FinalChoice::Visits.policy(&tried);
                let best = actions[policy.iter().position(|&share| share > 0.0).unwrap()];
                assert_eq!(best, 3, "{leaves} leaves, {each} playouts each, cap {cap}: {tried:?}");
                check_tree(&agent);
            }
        }
        let mut agent = Uct::new(Settings::default(), batched(leaves, each));
        run_batches(&mut agent, &pennies, each, 100);
        check_tree(&agent);
    }
}

fn run_batches<G: Game>(agent: &mut Uct<G>, game: &G, playouts_per_visit: u32, batches: u32) {
    let start = game.start();
    agent.tree.node_of(game, &start, &mut Rng::new(1));
    let Uct { settings, simulation, tree, .. } = agent;
    let frame = Frame { game, root: &start, searcher: Player(0), settings, progressive: None, playouts_per_visit };
    let mut descent = Descent::new(2);
    let mut gathered = Gathered::default();
    let mut rng = Rng::new(3);
    let mut playouts = 0;
    for _ in 0..batches {
        if !tree.has_room(settings.node_cap) {
            tree.recycle(settings.node_cap);
        }
        playouts += gathered.run(&frame, tree, simulation, &mut descent, &mut rng).0;
    }
    assert_eq!(u64::from(tree.nodes[ROOT as usize].visits), playouts);
    for span in tree.spans(ROOT) {
        let edges = tree.edges(*span);
        assert_eq!(edges.iter().map(|edge| u64::from(edge.visits)).sum::<u64>(), playouts);
        assert!(edges.iter().all(|edge| edge.visits % playouts_per_visit == 0));
        assert!(edges.iter().all(|edge| (-1e-6..=f64::from(edge.visits) + 1e-6).contains(&edge.total)));
    }
}

#[test]
fn batches_are_for_time_alone() {
    let game = Nim::new(11);
    let decide = |agent: &mut dyn Agent<Nim>, budget: &Budget| {
        let mut decision = decision_after(&game, agent, &History::default(), 0, budget, &mut Rng::new(1));
        decision.thought.time = Duration::ZERO;
        decision
    };
    let flat = |simulation, allocation| Mc { simulation, allocation, ..Mc::default() };
    // If playouts or nodes are limited, everything is as without batches.
    for budget in ["777", "nodes=50", "playouts=90,time=1min", "nodes=60,time=1min"] {
        let budget = budget.parse().unwrap();
        let plain = decide(&mut uct(|_| {}), &budget);
        assert_eq!(decide(&mut Uct::new(Settings::default(), batched(8, 4)), &budget), plain);
        for allocation in [Allocation::Uniform, Allocation::Ucb1 { c: 0.5 }] {
            let plain = decide(&mut flat(Simulation::default(), allocation), &budget);
            assert_eq!(decide(&mut flat(batched(8, 4), allocation), &budget), plain);
        }
    }
    let time = Budget::time(Duration::from_millis(3));
    let tree = decide(&mut Uct::new(Settings::default(), batched(8, 4)), &time);
    assert!(tree.thought.playouts > 0 && tree.thought.playouts % 32 == 0);
    for allocation in [Allocation::Uniform, Allocation::Ucb1 { c: 0.5 }] {
        let mut agent = flat(batched(8, 4), allocation);
        let decision = decide(&mut agent, &time);
        let visits: u64 = decision.thought.candidates.iter().map(|candidate| candidate.visits).sum();
        assert!(visits > 0 && visits == decision.thought.playouts);
        assert!(agent.simulation.batch.is_some());
    }
    // A discount needs more from a playout than its payoff.
    let mut agent = Uct::new(Settings { discount: 0.9, ..Settings::default() }, batched(8, 4));
    decide(&mut agent, &Budget::time(Duration::from_millis(1)));
    assert_eq!(agent.playouts_per_visit, 1);
    // A tree whose visits stand for several playouts cannot be reused by a search with one playout per visit.
    let mut agent = Uct::new(Settings::default(), batched(8, 4));
    decide(&mut agent, &time);
    let mut history = History::default();
    history.push(&[1]);
    history.push(&[1]);
    let next = decision_after(&game, &mut agent, &history, 0, &Budget::playouts(200), &mut Rng::new(1));
    assert_eq!(next.thought.candidates.iter().map(|candidate| candidate.visits).sum::<u64>(), 200);
}

#[test]
fn batches_prove_results() {
    let game = Nim::new(11);
    let settings = Settings { solver: true, ..Settings::default() };
    for (leaves, each) in [(1, 1), (8, 4), (64, 2)] {
        let mut agent = Uct::new(settings, batched(leaves, each));
        // Far more time than the proof needs.
        let budget = Budget::time(Duration::from_secs(60));
        let decision = decision_after(&game, &mut agent, &History::default(), 0, &budget, &mut Rng::new(1));
        assert_eq!((decision.action, decision.value), (3, Some(1.0)), "{leaves} leaves");
        assert_eq!(decision.thought.limit, None);
        assert_eq!(agent.playouts_per_visit, each);
    }
}

#[test]
fn flat_batches_draw_the_others_anew_at_joint_moves() {
    let game = Written::new(2, (0.0, 1.0), matrix([[0.4, 0.6], [0.1, 1.0]]));
    let mut agent = Mc { simulation: batched(8, 512), ..Mc::default() };
    // One lane: few playouts per batch; the mean of 0.55 comes from both columns.
    let budget = Budget::time(Duration::from_millis(3));
    let decision = decision_after(&game, &mut agent, &History::default(), 0, &budget, &mut Rng::new(1));
    let value = decision.value.unwrap();
    assert!((0.1..=1.0).contains(&value) && decision.thought.playouts.is_multiple_of(4), "{value}");
}

//! Learning compared with plain versions, and properties of learners.

use std::collections::HashMap;

use tesuji_core::{Actor, Game, History, Rng, Uniform, final_shares, legal_actions};

use super::*;
use crate::tiny_games::{Form, Nim, Written, chance, choice, decision_after, matrix, over};
use crate::{Agent, Budget, Mc, Simulation};

fn learning(method: Method, epsilon: f64) -> Learning {
    Learning { method, selection: PlayoutSelection::Greedy { epsilon }, unseen: 1.0, decay: 0.2 }
}

fn grams(longest: usize, least: u32, history: GramHistory) -> Method {
    Method::Grams(Grams { longest, least, history })
}

/// Chance, a single move, a joint move, a second single move: every kind of step.
fn motley() -> Written {
    fn last(rest: usize, spread: f64) -> Form {
        let end = |share: f64| over([share, 1.0 - share * share]);
        match rest {
            0 => choice(1, [end(spread / 7.0), end(1.0 - spread / 9.0), end(0.3)]),
            _ => Form::Joint(vec![2, 2], (0..4).map(|index| last(rest - 1, spread + index as f64)).collect()),
        }
    }
    let roll = |spread: f64| chance([(0.25, last(1, spread)), (0.75, last(2, spread / 2.0))]);
    Written::new(2, (0.0, 1.0), choice(0, [choice(0, [roll(1.0), roll(2.0)]), roll(3.0), choice(1, [roll(0.5)])]))
}

/// One step of a playout: the actors and their actions.
type Done = Vec<(Actor, u8)>;

/// NST with plain maps, where a sequence is a list.
struct Twin {
    grams: Grams,
    runs: HashMap<(Player, Vec<Done>), Vec<f64>>,
}

impl Twin {
    /// All sequences that end in `action` of `player` after `before`, shortest first.
    fn runs(&self, before: &[Done], player: Player, action: u8) -> Vec<(Player, Vec<Done>)> {
        let own = |done: &Done| done.iter().find(|(actor, _)| *actor == Actor::Player(player)).copied();
        let before: Vec<Done> = match self.grams.history {
            GramHistory::Joint => before.to_vec(),
            GramHistory::Own => before.iter().filter_map(own).map(|done| vec![done]).collect(),
        };
        let most = self.grams.longest.min(before.len() + 1);
        let run = |length: usize| {
            let mut run = before[before.len() + 1 - length..].to_vec();
            run.push(vec![(Actor::Player(player), action)]);
            (player, run)
        };
        (1..=most).map(run).collect()
    }

    fn score(&self, before: &[Done], player: Player, action: u8) -> Option<f64> {
        let mut means = Vec::new();
        for (index, run) in self.runs(before, player, action).iter().enumerate() {
            match self.runs.get(run) {
                Some(shares) if index == 0 || shares.len() >= self.grams.least as usize => {
                    means.push(shares.iter().sum::<f64>() / shares.len() as f64);
                }
                None if index == 0 => return None,
                _ => {}
            }
        }
        Some(means.iter().sum::<f64>() / means.len() as f64)
    }
}

#[test]
fn scores_of_runs_equal_those_of_a_plain_twin() {
    let game = motley();
    let mut compared = 0;
    for history in [GramHistory::Joint, GramHistory::Own] {
        for (longest, least) in [(1, 0), (2, 1), (3, 7), (4, 3)] {
            let settings = Grams { longest, least, history };
            let mut learner = Learner::new(learning(Method::Grams(settings), 0.0));
            let mut twin = Twin { grams: settings, runs: HashMap::new() };
            let mut rng = Rng::new(longest as u64);
            for _ in 0..300 {
                let mut state = game.start();
                learner.start(&game, &state);
                let mut done: Vec<Done> = Vec::new();
                while game.turn(&state) != Turn::Over {
                    let turn = game.turn(&state);
                    let mut joint = Vec::new();
                    for actor in turn.actors() {
                        let actions = legal_actions(&game, &state, actor);
                        if let Actor::Player(player) = actor {
                            for &action in &actions {
                                let context = learner.contexts.of(settings, player);
                                let key = trace::choice_key(player, &action);
                                let score = settings.score(&learner.means, context, key).map(f64::from);
                                let expected = twin.score(&done, player, action);
                                assert_eq!(score.is_some(), expected.is_some());
                                let difference = score.unwrap_or(0.0) - expected.unwrap_or(0.0);
                                assert!(difference.abs() < 1e-5, "{score:?} {expected:?} {settings:?}");
                                compared += usize::from(score.is_some());
                            }
                        }
                        joint.push((actor, actions[rng.below(actions.len())]));
                    }
                    let actions: Vec<u8> = joint.iter().map(|&(_, action)| action).collect();
                    game.apply(&mut state, &actions);
                    learner.note(turn, &actions, &state);
                    done.push(joint);
                }
                let mut shares = [0.0; 2];
                final_shares(&game, &state, &mut shares);
                learner.observe(&shares);
                for (index, step) in done.iter().enumerate() {
                    for &(actor, action) in step {
                        let Actor::Player(player) = actor else { continue };
                        for run in twin.runs(&done[..index], player, action) {
                            twin.runs.entry(run).or_default().push(shares[player.index()]);
                        }
                    }
                }
            }
        }
    }
    assert!(compared > 5000, "{compared}");
}

#[test]
fn pairs_of_states_equal_a_plain_twin() {
    let game = motley();
    let mut learner = Learner::new(learning(Method::Pairs(StatePairs { sample: usize::MAX }), 1.0));
    let mut twin: HashMap<(Vec<u8>, Vec<u8>), Vec<f64>> = HashMap::new();
    let mut rng = Rng::new(4);
    for _ in 0..500 {
        let mut state = game.start();
        learner.start(&game, &state);
        learner.play_out(&game, &mut state, &mut Uniform::default(), &mut rng, Horizon::END);
        let mut shares = [0.0; 2];
        final_shares(&game, &state, &mut shares);
        learner.observe(&shares);
        // A state is the path to it, so its prefixes are the states before.
        for length in 0..state.len() {
            if let Turn::Player(player) = game.turn(&state[..length].to_vec()) {
                let pair = (state[..length].to_vec(), state[..=length].to_vec());
                twin.entry(pair).or_default().push(shares[player.index()]);
            }
        }
    }
    for ((before, after), shares) in &twin {
        let (visits, mean) = learner.means.get(trace::join(trace::hash_of(before), trace::hash_of(after)));
        assert_eq!(visits as usize, shares.len());
        assert!((f64::from(mean) - shares.iter().sum::<f64>() / shares.len() as f64).abs() < 1e-5);
    }
    assert!(twin.len() > 20);
}

/// How often the first action is 0, 1, … in playouts after `lessons` of them.
fn habits(game: &Written, learning: Learning, lessons: usize) -> [usize; 3] {
    let mut learner = Learner::new(learning);
    let mut rng = Rng::new(1);
    let mut counts = [0; 3];
    let mut shares = [0.0; 2];
    for playout in 0..lessons + 600 {
        let mut state = game.start();
        learner.start(game, &state);
        learner.play_out(game, &mut state, &mut Uniform::default(), &mut rng, Horizon::END);
        final_shares(game, &state, &mut shares);
        learner.observe(&shares);
        if playout >= lessons {
            counts[state[0] as usize] += 1;
        }
    }
    counts
}

#[test]
fn what_paid_is_played_more() {
    let game = Written::new(2, (0.0, 1.0), choice(1, [over([0.9, 0.1]), over([0.2, 0.8]), over([0.5, 0.5])]));
    let methods =
        [grams(1, 0, GramHistory::Joint), grams(3, 7, GramHistory::Own), Method::Pairs(StatePairs { sample: 9 })];
    for method in methods {
        assert_eq!(habits(&game, learning(method, 0.0), 3), [0, 600, 0], "{method:?}");
        let [worst, best, middle] = habits(&game, learning(method, 0.3), 20);
        assert!(best.abs_diff(480) < 40 && worst.abs_diff(60) < 30 && middle.abs_diff(60) < 30, "{best} {worst}");
        // Shares 0.1, 0.8, 0.5 at temperature 0.3: weights proportional to 1 : e^(7/3) : e^(4/3).
        let gibbs = Learning { selection: PlayoutSelection::Gibbs { temperature: 0.3 }, ..learning(method, 0.0) };
        let [worst, best, middle] = habits(&game, gibbs, 20);
        assert!(best.abs_diff(410) < 50 && middle.abs_diff(150) < 40 && worst.abs_diff(40) < 25, "{best} {middle}");
    }
    // The better of two actions drawn at random: the best in two of three draws.
    let [worst, best, _] = habits(&game, learning(Method::Pairs(StatePairs { sample: 2 }), 0.0), 30);
    assert!(worst == 0 && best.abs_diff(400) < 45, "{best}");
}

#[test]
fn what_was_never_seen_has_the_score_that_was_set() {
    let game = Written::new(2, (0.0, 1.0), choice(0, [over([0.6, 0.4]), over([0.8, 0.2]), over([0.7, 0.3])]));
    let method = grams(1, 0, GramHistory::Joint);
    let shy = Learning { unseen: 0.0, ..learning(method, 0.0) };
    let counts = habits(&game, shy, 1);
    assert!(counts.contains(&600), "the first one tried is never left: {counts:?}");
    assert_eq!(habits(&game, learning(method, 0.0), 3), [0, 600, 0]);
}

#[test]
fn at_joint_moves_each_learns_its_own_and_pairs_leave_the_choice_alone() {
    let game = Written::new(2, (0.0, 1.0), matrix([[0.2, 0.6], [0.4, 0.8]]));
    let mut learner = Learner::new(learning(grams(3, 7, GramHistory::Joint), 0.0));
    let mut apart = Learner::new(learning(Method::Pairs(StatePairs { sample: 9 }), 0.0));
    let mut counts = [0; 4];
    let mut rng = Rng::new(1);
    for playout in 0..500 {
        for learner in [&mut learner, &mut apart] {
            let mut state = game.start();
            learner.start(&game, &state);
            learner.play_out(&game, &mut state, &mut Uniform::default(), &mut rng, Horizon::END);
            let mut shares = [0.0; 2];
            final_shares(&game, &state, &mut shares);
            learner.observe(&shares);
            if playout > 100 && learner.learning.unwrap().method == (Method::Pairs(StatePairs { sample: 9 })) {
                counts[state[0] as usize] += 1;
            } else if playout > 100 {
                assert_eq!(state, [2], "the second row and the first column");
            }
        }
    }
    assert!(counts.iter().all(|&count: &i32| count > 60), "{counts:?}");
}

#[test]
fn lessons_fade_between_decisions_and_end_with_the_match() {
    let game = Nim::new(15);
    let mut learner: Learner<Nim> =
        Learner::new(Learning { decay: 0.5, ..learning(grams(1, 0, GramHistory::Joint), 0.5) });
    let mut history = History::default();
    let follow = |learner: &mut Learner<Nim>, history: &History<u8>, player: u8, prepared: bool| {
        let mut state = game.start();
        history.steps().for_each(|joint| game.apply(&mut state, joint));
        let seat = Seat { game: &game, state: &state, player: Player(player), history, watcher: None };
        learner.follow(&seat, prepared);
        learner.means.get(7).0
    };
    let learn = |learner: &mut Learner<Nim>| (0..40).for_each(|_| learner.means.add(7, 0.5));
    follow(&mut learner, &history, 0, true);
    learn(&mut learner);
    assert_eq!(follow(&mut learner, &history, 0, false), 40, "prepared for");
    assert_eq!(follow(&mut learner, &history, 0, false), 0, "asked again");
    learn(&mut learner);
    history.push(&[1]);
    history.push(&[2]);
    assert_eq!(follow(&mut learner, &history, 0, false), 20, "two steps later");
    assert_eq!(follow(&mut learner, &history, 1, false), 0, "another player");
    learn(&mut learner);
    let mut other = History::default();
    [9, 3, 1].iter().for_each(|&action| other.push(&[action.min(3)]));
    assert_eq!(follow(&mut learner, &other, 1, false), 0, "another match");
    learn(&mut learner);
    learner.forget();
    assert_eq!(learner.means.get(7).0, 0);
}

#[test]
fn flat_monte_carlo_learns_and_forgets() {
    let simulation = || Simulation {
        learner: Some(Learner::new(learning(grams(2, 3, GramHistory::Joint), 0.2))),
        ..Simulation::default()
    };
    let agent = || Mc::<Nim> { simulation: simulation(), ..Mc::default() };
    let game = Nim::new(7);
    let decide = |agent: &mut Mc<Nim>| {
        let mut decision =
            decision_after(&game, agent, &History::default(), 0, &Budget::playouts(500), &mut Rng::new(3));
        decision.thought.time = std::time::Duration::ZERO;
        decision
    };
    let mut used = agent();
    let first = decide(&mut used);
    assert_eq!((first.action, first.thought.playouts), (3, 500));
    used.begin();
    assert_eq!(decide(&mut used), first);
    let mut plain = Mc::default();
    assert_ne!(decide(&mut plain), first, "playouts are guided");
}

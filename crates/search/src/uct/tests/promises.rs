//! Budgets, equal seeds, forced steps and watchers.

use std::time::Duration;

use tesuji_core::{Game, History, Player, Rng};

use super::uct;
use crate::tiny_games::{Nim, Written, choice, decision_after, first_decision, over};
use crate::{Agent, Budget, Seat, Thought, Watcher};

#[test]
fn budgets_are_kept() {
    let game = Nim::new(60);
    let decide = |budget: &Budget| {
        decision_after(&game, &mut uct(|_| {}), &History::default(), 0, budget, &mut Rng::new(1)).thought
    };
    assert_eq!(decide(&Budget::playouts(777)).playouts, 777);
    let nodes = decide(&Budget { nodes: Some(100), ..Budget::default() });
    assert_eq!(nodes.nodes, 101, "the root and a hundred made");
    let time = decide(&Budget::time(Duration::from_millis(20)));
    assert!(time.time >= Duration::from_millis(20) && time.playouts > 1);
    let own = Budget::playouts(50);
    let mut agent = uct(|settings| settings.budget = own);
    assert_eq!(first_decision(&game, &mut agent, 0, 777, 1).thought.playouts, 50);
    // The whole tree has fewer nodes than the budget allows, but the search still ends.
    let mut agent = uct(|_| {});
    let small = Budget { nodes: Some(1000), ..Budget::default() };
    let ended = decision_after(&Nim::new(4), &mut agent, &History::default(), 0, &small, &mut Rng::new(1));
    assert!(ended.thought.nodes < 1000);
}

#[test]
fn equal_seeds_give_equal_decisions() {
    let play = |seed: u64, transpositions: bool| {
        let game = Nim::new(21);
        let mut agent = uct(|settings| (settings.transpositions, settings.node_cap) = (transpositions, 50));
        let mut rng = Rng::new(seed);
        let mut history = History::default();
        let mut decisions = Vec::new();
        for _ in 0..3 {
            let mut decision = decision_after(&game, &mut agent, &history, 0, &Budget::playouts(400), &mut rng);
            decision.thought.time = Duration::ZERO;
            history.push(&[decision.action]);
            history.push(&[1]);
            decisions.push(decision);
        }
        decisions
    };
    for transpositions in [false, true] {
        assert_eq!(play(5, transpositions), play(5, transpositions));
        assert_ne!(play(5, transpositions), play(6, transpositions));
    }
}

#[test]
fn a_single_action_is_played_at_once() {
    let game = Written::new(2, (0.0, 1.0), choice(0, [choice(1, [over([1.0, 0.0]), over([0.0, 1.0])])]));
    let decision = first_decision(&game, &mut uct(|_| {}), 0, 1000, 1);
    assert_eq!((decision.action, decision.thought.playouts, decision.value), (0, 0, None));
}

struct Curious {
    looks: Vec<Thought<u8>>,
    stop_after: usize,
}

impl Watcher<u8> for Curious {
    fn look(&mut self, thought: &Thought<u8>) -> bool {
        self.looks.push(thought.clone());
        self.looks.len() < self.stop_after
    }
}

#[test]
fn a_watcher_sees_thoughts_grow_and_can_stop_the_search() {
    let game = Nim::new(40);
    let mut watcher = Curious { looks: Vec::new(), stop_after: 2 };
    let (state, history) = (game.start(), History::default());
    let seat = Seat { game: &game, state: &state, player: Player(0), history: &history, watcher: Some(&mut watcher) };
    let decision = uct(|_| {}).choose(seat, &Budget::playouts(u64::MAX), &mut Rng::new(1)).unwrap();
    let [first, second] = &watcher.looks[..] else { panic!("{} looks", watcher.looks.len()) };
    assert!(first.playouts < second.playouts && second.playouts == decision.thought.playouts);
    assert_eq!(second.candidates, decision.thought.candidates);
    assert_eq!(second.line, decision.thought.line);
    assert!(!first.line.is_empty() && first.depth > 0 && first.nodes > 1);
}

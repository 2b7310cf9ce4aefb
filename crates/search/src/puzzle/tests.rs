//! Tests of the puzzle solver on small puzzles with known answers.

use tesuji_core::{Drawing, FeatureSet, Features, Game, History, Knowledge, Notation, Player, Rng, Spec, Turn};
use tesuji_core::{ValueFeatures, tiny_games::Nim};

use super::*;
use crate::tiny_games::{Written, choice, decision_after, first_decision, over};
use crate::{Budget, Limit};

/// A walk on a line of cells: +1 or −1 each step; the goal is a cell far away, within a number of steps.
struct Walk {
    spec: Spec,
    goal: i16,
    steps: u16,
}

impl Walk {
    fn new(goal: i16, steps: u16) -> Walk {
        let features = Features::MULTI_ACTION | Features::GENERAL_SUM;
        Walk { spec: Spec::new("walk", &["walker"], features, usize::from(steps)), goal, steps }
    }
}

impl Game for Walk {
    /// The cell, and the steps made.
    type State = (i16, u16);
    type Action = i16;

    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn start(&self) -> (i16, u16) {
        (0, 0)
    }

    fn turn(&self, &(cell, step): &(i16, u16)) -> Turn {
        if cell == self.goal || step == self.steps { Turn::Over } else { Turn::Player(Player(0)) }
    }

    fn legal(&self, _: &(i16, u16), _: Player, out: &mut Vec<i16>) {
        out.extend([-1, 1]);
    }

    fn apply(&self, (cell, step): &mut (i16, u16), joint: &[i16]) {
        *cell += joint[0];
        *step += 1;
    }

    fn payoff(&self, &(cell, _): &(i16, u16), _: Player) -> f64 {
        if cell == self.goal { 1.0 } else { 0.0 }
    }
}

impl Notation for Walk {}
impl Drawing for Walk {}
impl Knowledge for Walk {}

/// The cell is one feature, the step another.
struct CellAndStep;

impl ValueFeatures<Walk> for CellAndStep {
    fn set(&self, game: &Walk) -> FeatureSet {
        let steps = usize::from(game.steps);
        FeatureSet { name: "walk".to_owned(), version: 1, inputs: 3 * steps + 1, most_active: 2 }
    }

    fn active(&self, game: &Walk, &(cell, step): &(i16, u16), _: Player, out: &mut Vec<u32>) {
        out.extend([(cell + game.steps as i16) as u32, u32::from(2 * game.steps + step)]);
    }
}

fn puzzle() -> Puzzle<Walk> {
    Puzzle::new(PuzzleSettings::default(), Some(&CellAndStep))
}

#[test]
fn the_best_plan_is_found_and_proven() {
    let form = choice(0, [choice(0, [over([0.1]), over([0.6])]), over([0.5]), choice(0, [over([0.3]), over([0.2])])]);
    let game = Written::new(1, (0.0, 1.0), form);
    let mut agent = Puzzle::new(PuzzleSettings::default(), None);
    let decision = first_decision(&game, &mut agent, 0, 1_000, 1);
    assert_eq!((decision.action, decision.value, decision.thought.limit), (0, Some(0.6), None));
    assert_eq!(decision.thought.line, [[0], [1]]);
    assert!(decision.thought.playouts < 100, "{}", decision.thought.playouts);
}

#[test]
fn a_step_counter_does_not_hide_that_positions_repeat() {
    // Random play reaches cell 40 within 60 steps about once in ten million playouts. There are 61 cells on the way,
    // each at up to 60 steps.
    let game = Walk::new(40, 60);
    let with = first_decision(&game, &mut puzzle(), 0, 100_000, 1);
    assert_eq!((with.value, with.thought.line.len()), (Some(1.0), 40));
    let mut exact = Puzzle::new(PuzzleSettings::default(), None);
    let without = first_decision(&game, &mut exact, 0, 100_000, 1);
    assert_eq!((without.value, without.thought.line.len()), (Some(1.0), 40));
    assert!(with.thought.nodes * 5 < without.thought.nodes, "{} {}", with.thought.nodes, without.thought.nodes);
}

#[test]
fn an_impossible_goal_is_proven_impossible() {
    let decision = first_decision(&Walk::new(31, 30), &mut puzzle(), 0, 100_000, 1);
    assert_eq!((decision.value, decision.thought.limit), (Some(0.0), None));
    assert!(decision.thought.playouts < 10_000, "{}", decision.thought.playouts);
}

#[test]
fn the_plan_is_kept_and_played_without_search() {
    let game = Walk::new(12, 20);
    let mut agent = puzzle();
    let (mut history, mut state, mut rng) = (History::default(), game.start(), Rng::new(1));
    let seat = Seat { game: &game, state: &state, player: Player(0), history: &history, watcher: None };
    agent.prepare(seat, &Budget::playouts(10_000), &mut rng).unwrap();
    while game.turn(&state) != Turn::Over {
        let decision = decision_after(&game, &mut agent, &history, 0, &Budget::playouts(1), &mut rng);
        assert_eq!((decision.action, decision.value, decision.thought.playouts), (1, Some(1.0), 0));
        game.apply(&mut state, &[decision.action]);
        history.push(&[decision.action]);
    }
    assert_eq!(state, (12, 12));
}

#[test]
fn a_plan_that_the_match_left_is_forgotten() {
    let game = Walk::new(5, 9);
    let mut agent = puzzle();
    let (budget, mut rng) = (Budget::playouts(10_000), Rng::new(1));
    let mut history = History::default();
    decision_after(&game, &mut agent, &history, 0, &budget, &mut rng);
    history.push(&[-1]);
    let decision = decision_after(&game, &mut agent, &history, 0, &budget, &mut rng);
    assert_eq!((decision.action, decision.value, decision.thought.line.len()), (1, Some(1.0), 6));
    // Now it is too late.
    history.push(&[-1]);
    history.push(&[-1]);
    let decision = decision_after(&game, &mut agent, &history, 0, &budget, &mut rng);
    assert_eq!((decision.value, decision.thought.limit), (Some(0.0), None));
}

#[test]
fn budgets_hold_and_equal_questions_have_equal_answers() {
    let game = Walk::new(200, 300);
    for playouts in [1, 2, 17, 500] {
        let decide = |agent: &mut Puzzle<Walk>| {
            let mut decision = first_decision(&game, agent, 0, playouts, 7);
            decision.thought.time = std::time::Duration::ZERO;
            decision
        };
        let mut agent = puzzle();
        let decision = decide(&mut agent);
        assert_eq!(decision.thought.limit, Some(Limit::Playouts(playouts)));
        assert_eq!(decision.thought.playouts, playouts);
        assert_eq!(decide(&mut agent), decision);
        assert_eq!(decide(&mut puzzle()), decision);
    }
    let nodes =
        decision_after(&game, &mut puzzle(), &History::default(), 0, &"nodes=50".parse().unwrap(), &mut Rng::new(1));
    assert!((50..=52).contains(&nodes.thought.nodes), "{}", nodes.thought.nodes);
}

#[test]
fn beyond_the_cap_nested_search_continues() {
    // The payoff grows with the distance, so nested search climbs.
    let form = |depth: u32| {
        fn part(depth: u32, sum: f64) -> crate::tiny_games::Form {
            match depth {
                0 => over([sum]),
                _ => choice(0, [part(depth - 1, sum), part(depth - 1, sum + 0.125)]),
            }
        }
        part(depth, 0.0)
    };
    let game = Written::new(1, (0.0, 1.0), form(8));
    let settings = PuzzleSettings { cap: 4, ..PuzzleSettings::default() };
    let decision = first_decision(&game, &mut Puzzle::new(settings, None), 0, 10_000, 1);
    assert_eq!(decision.value, Some(1.0));
    // Without the greatest payoff nothing is proven.
    let game = Written::new(1, (0.0, 2.0), form(8));
    let decision = first_decision(&game, &mut Puzzle::new(settings, None), 0, 1_000, 1);
    assert_eq!((decision.value, decision.thought.limit), (Some(1.0), Some(Limit::Playouts(1_000))));
}

#[test]
fn two_players_are_no_puzzle() {
    assert!(is_puzzle(Walk::new(3, 5).spec()));
    assert!(!is_puzzle(Nim::new(7).spec()));
}

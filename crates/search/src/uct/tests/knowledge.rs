//! Progressive widening, budgets for whole turns, and the rules of the program behind paper 002.

use tesuji_core::{History, Rng};

use crate::tiny_games::skirmish::{Everything, Skirmish};
use crate::tiny_games::{Written, choice, decision_after, first_decision, over};
use crate::uct::Settings;
use crate::{Budget, FirstVisit, Opponents, Simulation, Uct, WidenedNodes};

fn uct() -> Uct<Skirmish> {
    Uct::new(Settings { reuse: false, ..Settings::default() }, Simulation::default())
}

fn skirmish() -> Skirmish {
    Skirmish::new([[5, 5, 5], [5, 5, 5]], [[1, 1, 1], [1, 1, 1]])
}

#[test]
fn a_node_widens_with_its_visits_attacks_first() {
    let game = skirmish();
    // Nine actions, six of them attacks; the equation opens a second one at 40 visits, a seventh at 40 · 1.4⁵ = 215.1.
    for (playouts, open) in [(1, 1), (40, 1), (41, 2), (215, 6), (217, 7), (1000, 9)] {
        let mut agent = uct().with_progressive_widening(&Everything, WidenedNodes::All);
        let decision = first_decision(&game, &mut agent, 0, playouts, 3);
        let tried: Vec<_> = decision.thought.candidates.iter().filter(|candidate| candidate.visits > 0).collect();
        assert_eq!(tried.len(), open, "{playouts} playouts: {tried:?}");
        assert_eq!(tried.iter().filter(|candidate| candidate.action.1.is_some()).count(), open.min(6));
    }
}

#[test]
fn the_budget_of_a_turn_is_shared_by_its_pieces() {
    let game = skirmish();
    let mut agent = uct().with_split_budget(&Everything);
    let budget = Budget::playouts(3000);
    let mut history = History::default();
    for step in 0..3 {
        let decision = decision_after(&game, &mut agent, &history, 0, &budget, &mut Rng::new(1));
        assert_eq!(decision.thought.playouts, 1000, "step {step}");
        history.push(&[decision.action]);
    }
    // Called in the middle of a turn for the first time, it knows of two pieces only.
    history.truncate(1);
    let mut late = uct().with_split_budget(&Everything);
    assert_eq!(decision_after(&game, &mut late, &history, 0, &budget, &mut Rng::new(1)).thought.playouts, 1500);
}

#[test]
fn the_root_alone_widens_if_asked() {
    let game = skirmish();
    for (playouts, open) in [(1, 1), (2, 2), (41, 2), (217, 7), (1000, 9)] {
        let mut agent = uct().with_progressive_widening(&Everything, WidenedNodes::Root);
        let decision = first_decision(&game, &mut agent, 0, playouts, 3);
        assert_eq!(decision.thought.candidates.iter().filter(|candidate| candidate.visits > 0).count(), open);
        // The two actions below the root, with some twenty visits each, have tried all actions of the next piece.
        if playouts == 41 {
            let tree = &agent.tree;
            let full = |node| tree.edges(tree.span(node)).iter().all(|edge| edge.visits > 0);
            assert!((1..3).all(full), "{:?}", tree.nodes);
        }
    }
}

#[test]
fn a_first_visit_through_a_child_is_not_counted_for_the_leaf() {
    let game = skirmish();
    let settings = Settings { first_visit: FirstVisit::Child, reuse: false, ..Settings::default() };
    // Each of the nine actions is visited twice before it counts as tried: the first time it is opened.
    for (playouts, counted) in [(1, 0), (500, 491)] {
        let mut agent = Uct::new(settings, Simulation::default());
        let decision = first_decision(&game, &mut agent, 0, playouts, 3);
        let visits: u64 = decision.thought.candidates.iter().map(|candidate| candidate.visits).sum();
        assert_eq!(visits, counted);
    }
}

#[test]
fn the_first_action_after_the_turn_passes_is_chosen_for_the_player_before() {
    let search = |reply, opponents| {
        let game = Written::new(2, (0.0, 1.0), choice(0, [over([0.5, 0.5]), reply]));
        let settings = Settings { opponents, ..Settings::default() };
        first_decision(&game, &mut Uct::new(settings, Simulation::default()), 0, 20_000, 1).action
    };
    let either = || choice(1, [over([1.0, 0.0]), over([0.0, 1.0])]);
    // The other player's only choice, and its second one.
    let (first, second) = (either, || choice(1, [either(), over([0.0, 1.0])]));
    assert_eq!(search(first(), Opponents::Own), 0);
    assert_eq!(search(first(), Opponents::Passing), 1);
    assert_eq!(search(second(), Opponents::Passing), 0);
    assert_eq!(search(second(), Opponents::Searcher), 1);
}

#[test]
fn a_match_ended_by_the_limit_can_count_as_even() {
    // One turn is left, and more HP than the other side is a win.
    let mut game = skirmish();
    game.limit = 1;
    let value = |even: bool| {
        let simulation = Simulation { even_at_limit: even.then_some(&Everything as _), ..Simulation::default() };
        let mut agent = Uct::new(Settings::default(), simulation);
        first_decision(&game, &mut agent, 0, 500, 1).value.unwrap()
    };
    assert!(value(false) > 0.9);
    assert_eq!(value(true), 0.5);
}

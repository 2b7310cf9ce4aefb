//! Progressive widening and budgets for whole turns.

use tesuji_core::{History, Rng};

use crate::tiny_games::skirmish::{Everything, Skirmish};
use crate::tiny_games::{decision_after, first_decision};
use crate::uct::Settings;
use crate::{Budget, Simulation, Uct};

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
        let decision = first_decision(&game, &mut uct().with_progressive_widening(&Everything), 0, playouts, 3);
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

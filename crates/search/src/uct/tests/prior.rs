//! Learned values as prior probabilities.

use tesuji_core::{Evaluation, Game, Player};

use crate::tiny_games::{Nim, Written, first_decision, matrix};
use crate::uct::{RootHalving, Selection, Settings};
use crate::{Decision, NetworkPrior, Simulation, Uct};

/// A stand-in for a network. A player loses if 4 divides what is left when it is to act; the values say so with some
/// doubt, or the opposite.
struct Judge {
    is_right: bool,
}

impl Evaluation<Nim> for Judge {
    fn value(&self, _: &Nim, &(heap, mover): &(u8, u8), player: Player) -> f64 {
        let wins = (player.0 == mover) == (heap % 4 != 0);
        if wins == self.is_right { 0.8 } else { 0.2 }
    }

    fn is_share(&self) -> bool {
        true
    }
}

fn decide(is_right: bool, softness: f64, playouts: u64) -> Decision<u8> {
    let settings = Settings { selection: Selection::Puct { c: 1.0 }, ..Settings::default() };
    let prior = NetworkPrior::new(Box::new(Judge { is_right })).as_probabilities(softness);
    let mut agent = Uct::new(settings, Simulation::default()).with_prior(prior);
    first_decision(&Nim::new(11), &mut agent, 0, playouts, 1)
}

#[test]
fn the_first_playouts_follow_the_prior() {
    let decision = decide(true, 0.1, 3);
    assert_eq!((decision.action, decision.thought.candidates[0].visits), (3, 3));
    // exp(6) to 1 against each of the two others.
    let prior = decision.thought.candidates[0].prior.unwrap();
    assert!((prior - 1.0 / (1.0 + 2.0 * (-6.0f64).exp())).abs() < 1e-6, "{prior}");
    assert_ne!(decide(false, 0.1, 3).action, 3);
}

#[test]
fn many_playouts_overcome_a_wrong_prior() {
    assert_eq!(decide(true, 0.5, 20_000).action, 3);
    assert_eq!(decide(false, 0.5, 20_000).action, 3);
}

#[test]
fn halving_finds_the_action_that_a_wrong_prior_hides() {
    // The prior prefers what loses; random playouts evaluate the leaves.
    let halving = Some(RootHalving { considered: 3, noise: 0.0 });
    let settings = Settings { selection: Selection::Puct { c: 1.0 }, halving, ..Settings::default() };
    let prior = NetworkPrior::new(Box::new(Judge { is_right: false })).as_probabilities(0.5);
    let mut agent = Uct::new(settings, Simulation::default()).with_prior(prior);
    let decision = first_decision(&Nim::new(11), &mut agent, 0, 600, 1);
    assert_eq!(decision.action, 3, "{:?}", decision.thought.candidates);
    let visits: Vec<u64> = decision.thought.candidates.iter().map(|candidate| candidate.visits).collect();
    // Two phases of 300: three actions get 100 each, the better two 150 more.
    assert_eq!(visits, [250, 250, 100]);
}

#[test]
fn at_joint_moves_all_actions_are_equally_probable() {
    let game = Written::new(2, (0.0, 1.0), matrix([[0.9, 0.8], [0.1, 0.0]]));
    let even = |_: &Written, _: &<Written as Game>::State, _: Player| 0.5;
    let settings = Settings { selection: Selection::Puct { c: 1.0 }, ..Settings::default() };
    let prior = NetworkPrior::new(Box::new(even)).as_probabilities(0.1);
    let mut agent = Uct::new(settings, Simulation::default()).with_prior(prior);
    let decision = first_decision(&game, &mut agent, 0, 100, 1);
    assert!(decision.thought.candidates.iter().all(|candidate| candidate.prior == Some(0.5)));
}

//! Fuzzy evaluation in the tree: what is pruned, what is tried first, what is reported.

use std::sync::Arc;

use tesuji_core::{Rng, Source};

use crate::FuzzyJudgement;
use crate::tiny_games::first_decision;
use crate::tiny_games::skirmish::{Everything, Skirmish};
use crate::uct::{FirstPlay, Selection, Settings, TotalCount};
use crate::{Decision, Simulation, Uct};
use tesuji_fuzzy::Memberships;

/// Piece 0: waiting 0.25, hitting 1. Pieces 1 and 2: waiting 0.5, hitting 0.7.
const TABLE: &str = "piece,harm,samples,membership\n0,0,4,0.25\n0,1,1,1\n1,0,2,0.5\n1,1,9,0.7\n2,0,2,0.5\n2,1,9,0.7\n";

fn agent(prune: Option<f64>, first_play: FirstPlay) -> Uct<Skirmish> {
    let settings = Settings {
        reuse: false,
        selection: Selection::Ucb1 { c: 0.15, total: TotalCount::Node, first_play },
        ..Settings::default()
    };
    let memberships = Arc::new(Memberships::read(&Source::new("t", TABLE)).unwrap());
    Uct::new(settings, Simulation::default()).with_fuzzy(FuzzyJudgement::new(&Everything, memberships, 0, prune))
}

fn decide(prune: Option<f64>, first_play: FirstPlay, playouts: u64) -> Decision<(u8, Option<u8>)> {
    let game = Skirmish::new([[5, 5, 5], [5, 5, 5]], [[1, 1, 1], [1, 1, 1]]);
    first_decision(&game, &mut agent(prune, first_play), 0, playouts, 3)
}

#[test]
fn actions_below_the_threshold_are_left_out_and_priors_told() {
    for (prune, left) in [(None, 9), (Some(0.3), 8), (Some(0.6), 6), (Some(0.75), 2), (Some(1.0), 2)] {
        let candidates = decide(prune, FirstPlay::Random, 200).thought.candidates;
        assert_eq!(candidates.len(), 9, "those left out are listed, too");
        assert!(candidates[left..].iter().all(|candidate| candidate.visits == 0 && candidate.prior.is_none()));
        for candidate in &candidates[..left] {
            let hits = candidate.action.1.is_some();
            let expected: f32 = match (candidate.action.0, hits) {
                (0, false) => 0.25,
                (0, true) => 1.0,
                (_, false) => 0.5,
                (_, true) => 0.7,
            };
            assert_eq!(candidate.prior, Some(f64::from(expected)));
        }
    }
}

#[test]
fn where_all_are_below_the_best_stay() {
    // Nobody can do damage: waiting with piece 1 or 2 looks best, at 0.5.
    let game = Skirmish::new([[5, 5, 5], [5, 5, 5]], [[0; 3], [0; 3]]);
    let decision = first_decision(&game, &mut agent(Some(0.9), FirstPlay::Random), 0, 100, 3);
    // Pieces 1 and 2, which wait or hit one of two without damage.
    let stay: Vec<_> = decision.thought.candidates.iter().filter_map(|candidate| candidate.prior).collect();
    assert_eq!(stay, [0.5; 6]);
}

#[test]
fn pruning_makes_the_tree_deeper() {
    let depth = |prune| decide(prune, FirstPlay::Random, 400).thought.depth;
    assert!(depth(Some(0.75)) > depth(None), "{} and {}", depth(Some(0.75)), depth(None));
}

#[test]
fn untried_actions_are_worth_their_membership() {
    // The first two playouts go to the hits of piece 0, at 1; then UCB decides between their means and 0.7 of others.
    let tried = |playouts| {
        let candidates = decide(None, FirstPlay::Membership, playouts).thought.candidates;
        let mut tried: Vec<(u8, bool)> = candidates
            .iter()
            .filter(|candidate| candidate.visits > 0)
            .map(|candidate| (candidate.action.0, candidate.action.1.is_some()))
            .collect();
        tried.sort_unstable();
        tried
    };
    assert_eq!(tried(1), [(0, true)]);
    // 0.25 is far below the mean of any action in an even fight.
    assert!(!tried(300).contains(&(0, false)), "{:?}", tried(300));
}

#[test]
fn equal_seeds_decide_equally() {
    let once = decide(Some(0.6), FirstPlay::Membership, 500);
    let twice = decide(Some(0.6), FirstPlay::Membership, 500);
    assert_eq!((once.action, once.policy, once.value), (twice.action, twice.policy, twice.value));
    // Cached answers change nothing.
    let game = Skirmish::random(&mut Rng::new(5));
    let mut agent = agent(Some(0.6), FirstPlay::Membership);
    let [one, two] = [0, 1].map(|_| first_decision(&game, &mut agent, 0, 300, 9));
    assert_eq!((one.action, one.value), (two.action, two.value));
}

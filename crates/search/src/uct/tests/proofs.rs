//! Proven results compared with backward induction.

use tesuji_core::{History, Rng};

use super::{SEEDS, twice, uct};
use crate::tiny_games::{Form, Nim, TugOfWar, Written, chance, choice, decision_after, first_decision, matrix, over};
use crate::uct::tree::ROOT;
use crate::{Budget, FirstPlay, Selection, Settings, TotalCount};

/// A tree of single movers, three per level, up to `depth` levels, with distinct payoffs for each player.
fn grown(rng: &mut Rng, depth: u32, ends: &mut u32) -> Form {
    if depth == 0 || rng.chance(0.15) {
        *ends += 1;
        // Multiples of distinct primes below 1,009 differ for different counts below 1,009.
        return Form::Over([7u32, 11, 13].map(|prime| f64::from(*ends * prime % 1009) / 1009.0).to_vec());
    }
    let count = 1 + rng.below(3);
    Form::Choice(rng.below(3) as u8, (0..count).map(|_| grown(rng, depth - 1, ends)).collect())
}

/// The payoffs if all players maximise their own.
fn solve(form: &Form) -> Vec<f64> {
    match form {
        Form::Over(payoffs) => payoffs.clone(),
        Form::Choice(player, next) => {
            let player = usize::from(*player);
            next.iter().map(solve).max_by(|a, b| a[player].total_cmp(&b[player])).unwrap()
        }
        _ => unreachable!("only lone movers"),
    }
}

#[test]
fn proofs_equal_backward_induction() {
    let mut proven = 0;
    for seed in 0..60 {
        let form = grown(&mut Rng::new(seed), 6, &mut 0);
        let Form::Choice(player, next) = &form else { continue };
        let (player, choices) = (*player, next.len());
        let value = solve(&form)[usize::from(player)];
        let game = Written::new(3, (0.0, 1.0), form);
        for cap in [1_000_000, 6] {
            // Enough exploration to look everywhere; otherwise an edge proven good keeps the search from proving the
            // others.
            let selection = Selection::Ucb1 { c: 20.0, total: TotalCount::Node, first_play: FirstPlay::Random };
            let mut agent =
                uct(|settings| (settings.solver, settings.node_cap, settings.selection) = (true, cap, selection));
            let decision = first_decision(&game, &mut agent, player, 20_000, seed);
            if choices > 1 && (cap > 6 || agent.tree.proof(ROOT).is_some()) {
                assert!(cap == 6 || decision.thought.playouts < 20_000, "seed {seed}: not solved");
                assert!((decision.value.unwrap() - value).abs() < 1e-9, "seed {seed}: {:?} {value}", decision.value);
                proven += 1;
            }
        }
    }
    assert!(proven > 30, "{proven}");
}

#[test]
fn a_proven_loss_is_not_chosen_however_often_it_was_tried() {
    // Heap 11: taking 3 wins. A short search sometimes visits another action most, a proof never errs.
    for transpositions in [false, true] {
        for seed in SEEDS {
            let mut agent = uct(|settings| (settings.solver, settings.transpositions) = (true, transpositions));
            let decision = first_decision(&Nim::new(11), &mut agent, 0, 100_000, seed);
            assert!(decision.thought.playouts < 100_000, "solved before the budget ends");
            assert_eq!((decision.action, decision.value), (3, Some(1.0)));
            let lost = first_decision(&Nim::new(8), &mut agent, 0, 100_000, seed);
            assert_eq!(lost.value, Some(0.0));
            assert_eq!(lost.thought.line.iter().map(|joint| joint[0]).sum::<u8>(), 8, "the line goes to the end");
        }
    }
}

#[test]
fn what_was_proven_needs_no_second_search() {
    let mut agent = uct(|settings| settings.solver = true);
    let (game, budget) = (Nim::new(11), Budget::playouts(100_000));
    let mut history = History::default();
    let first = decision_after(&game, &mut agent, &history, 0, &budget, &mut Rng::new(1));
    history.push(&first.thought.line[0]);
    history.push(&first.thought.line[1]);
    let second = decision_after(&game, &mut agent, &history, 0, &budget, &mut Rng::new(1));
    assert_eq!((second.value, second.thought.playouts), (Some(1.0), 0));
    assert_eq!(second.thought.line, first.thought.line[2..]);
}

#[test]
fn proofs_leave_chance_joint_moves_and_circles_alone() {
    let solver = |settings: &mut Settings| settings.solver = true;
    let gamble = chance([(0.7, over([1.0, 0.0])), (0.3, over([0.0, 1.0]))]);
    let game = Written::new(2, (0.0, 1.0), choice(0, [over([0.5, 0.5]), gamble]));
    let decision = first_decision(&game, &mut uct(solver), 0, 3000, 1);
    assert_eq!((decision.action, decision.thought.playouts), (1, 3000));
    assert!((decision.value.unwrap() - 0.7).abs() < 0.05);
    let pennies = Written::new(2, (0.0, 1.0), twice(matrix([[1.0, 0.0], [0.0, 1.0]])));
    let decision = first_decision(&pennies, &mut uct(solver), 0, 3000, 1);
    assert!(decision.policy.iter().all(|(_, probability)| (probability - 0.5).abs() < 0.1), "{:?}", decision.policy);
    let mut agent = uct(|settings| (settings.solver, settings.transpositions) = (true, true));
    assert_eq!(first_decision(&TugOfWar::default(), &mut agent, 0, 3000, 1).action, 1);
}

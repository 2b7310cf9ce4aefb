//! Values compared with known means and a plain version; pruning, obvious moves and budgets.

use super::*;
use crate::tiny_games::{Nim, Written, chance, choice, first_decision, over};
use tesuji_core::{Knowledge, Player, Turn};

fn agent(depth: u32) -> LookAhead<Written> {
    LookAhead {
        evaluation: Box::new(|_: &Written, state: &Vec<u8>, player: Player| {
            let sign = if player.0 == 0 { 1.0 } else { -1.0 };
            sign * state.iter().map(|&index| f64::from(index)).sum::<f64>()
        }),
        depth,
        standard: Standard::Mean,
        backup: Backup::Mean,
        end: 100.0,
        obvious: None,
        memory: true,
        budget: Budget::default(),
        remembered: Default::default(),
    }
}

fn written(form: crate::tiny_games::Form) -> Written {
    Written::new(2, (0.0, 1.0), form)
}

const PLENTY: u64 = 1 << 40;

#[test]
fn values_are_means_over_actions_and_dice() {
    // The first action's replies are good and bad, the second's are slightly better on average: no minimum is taken.
    let uneven = choice(1, [over([1.0, 0.0]), over([0.0, 1.0])]);
    let gamble = chance([(0.75, over([1.0, 0.0])), (0.25, over([0.0, 1.0]))]);
    let better = choice(1, [gamble, over([0.5, 0.5])]);
    let game = written(choice(0, [uneven, better]));
    let mut uncut = LookAhead { standard: Standard::Off, ..agent(3) };
    let decision = first_decision(&game, &mut uncut, 0, PLENTY, 1);
    let value = |action: u8| decision.thought.candidates.iter().find(|other| other.action == action).unwrap().value;
    assert_eq!(decision.action, 1);
    // Means of 0 and 25 on the scale of ±100, shown on the scale of payoffs.
    assert_eq!((value(0), value(1)), (Some(0.5), Some(0.625)));
}

#[test]
fn sums_favour_many_replies() {
    let many = choice(1, [over([0.6, 0.4]), over([0.6, 0.4]), over([0.6, 0.4])]);
    let few = choice(1, [over([0.9, 0.1])]);
    let game = written(choice(0, [few, many]));
    let mut uncut = LookAhead { standard: Standard::Off, ..agent(3) };
    assert_eq!(first_decision(&game, &mut uncut, 0, PLENTY, 1).action, 0);
    let mut literal = LookAhead { backup: Backup::Sum { faces: 6.0 }, standard: Standard::Off, ..agent(3) };
    // 80 against 3 × 20: only the number of replies could reverse it, and 5 would.
    assert_eq!(first_decision(&game, &mut literal, 0, PLENTY, 1).action, 0);
    let five = choice(1, [0; 5].map(|_| over([0.6, 0.4])));
    let few = choice(1, [over([0.9, 0.1])]);
    assert_eq!(first_decision(&written(choice(0, [few, five])), &mut literal, 0, PLENTY, 1).action, 1);
}

#[test]
fn what_misses_the_standard_is_not_read_deeper() {
    // At depth 1 the evaluation counts indices: 0, 1, 2. The first looks poor but leads to a certain win.
    let end = |share: f64| choice(1, [choice(0, [over([share, 1.0 - share])])]);
    let form = || choice(0, [end(1.0), end(0.2), end(0.3)]);
    let decision = first_decision(&written(form()), &mut agent(3), 0, PLENTY, 1);
    assert_eq!(decision.action, 2);
    let visits: Vec<u64> = decision.thought.candidates.iter().map(|candidate| candidate.visits).collect();
    assert_eq!((decision.thought.depth, visits), (3, vec![2, 2, 1]), "the poorest look is read once");
    let mut patient = LookAhead { standard: Standard::Off, ..agent(3) };
    assert_eq!(first_decision(&written(form()), &mut patient, 0, PLENTY, 1).action, 0);
    let mut strict = LookAhead { standard: Standard::Value(1.5), ..agent(5) };
    assert_eq!(
        first_decision(&written(form()), &mut strict, 0, PLENTY, 1).thought.depth,
        1,
        "one is left: no more reading"
    );
    let mut unreachable = LookAhead { standard: Standard::Value(99.0), ..agent(3) };
    assert_eq!(first_decision(&written(form()), &mut unreachable, 0, PLENTY, 1).action, 0, "if none passes, all do");
}

#[test]
fn obvious_moves_need_no_search() {
    let gamble = chance([(0.6, over([1.0, 0.0])), (0.4, choice(1, [over([0.0, 1.0])]))]);
    let slow = choice(1, [choice(0, [over([1.0, 0.0])])]);
    let game = written(choice(0, [slow, gamble]));
    let mut quick = LookAhead { obvious: Some(0.5), ..agent(3) };
    let decision = first_decision(&game, &mut quick, 0, PLENTY, 1);
    assert_eq!((decision.action, decision.thought.nodes), (1, 0));
    // Two of three actions let the opponent win at once; the third prevents it, though the evaluation rates it lowest.
    let lost = || choice(1, [over([0.0, 1.0]), choice(0, [over([1.0, 0.0])])]);
    let saved = choice(1, [choice(0, [over([0.5, 0.5])])]);
    let game = written(choice(0, [saved, lost(), lost()]));
    let decision = first_decision(&game, &mut quick, 0, PLENTY, 1);
    assert_eq!((decision.action, decision.thought.nodes), (0, 0));
    assert_eq!(first_decision(&game, &mut agent(1), 0, PLENTY, 1).action, 2);
}

/// The mean computed plainly, without cache and buffers.
fn plainly(game: &Nim, evaluation: &dyn Evaluation<Nim>, state: (u8, u8), depth: u32, player: Player, end: f64) -> f64 {
    match game.turn(&state) {
        Turn::Over => (2.0 * game.payoff(&state, player) - 1.0) * end,
        Turn::Player(_) if depth == 0 => evaluation.value(game, &state, player),
        Turn::Player(mover) => {
            let mut actions = Vec::new();
            game.legal(&state, mover, &mut actions);
            let values = actions
                .iter()
                .map(|&taken| plainly(game, evaluation, (state.0 - taken, 1 - state.1), depth - 1, player, end));
            values.sum::<f64>() / actions.len() as f64
        }
        _ => unreachable!(),
    }
}

#[test]
fn the_optimised_reading_has_the_plain_ones_values_to_the_last_bit() {
    for (heap, depth) in [(7, 1), (9, 3), (14, 5), (15, 6)] {
        let game = Nim::new(heap);
        let evaluation = || game.heuristics().unwrap().evaluation(&game, "remainder").unwrap();
        let mut agent = LookAhead {
            evaluation: evaluation(),
            depth,
            standard: Standard::Off,
            backup: Backup::Mean,
            end: 3.0,
            obvious: None,
            memory: true,
            budget: Budget::default(),
            remembered: Default::default(),
        };
        let decision = first_decision(&game, &mut agent, 0, PLENTY, 1);
        let value = |taken: u8| plainly(&game, &*evaluation(), (heap - taken, 1), depth - 1, Player(0), 3.0);
        for candidate in &decision.thought.candidates {
            let shown = agent.on_payoff_scale(game.spec(), value(candidate.action));
            assert_eq!(candidate.value, Some(shown), "{heap} {depth}");
        }
        let values = [1, 2, 3].map(value);
        assert_eq!(decision.action, first_greatest(&values) as u8 + 1);
    }
}

#[test]
fn a_budget_that_ends_early_leaves_the_last_finished_stage() {
    let game = Nim::new(30);
    let mut agent = LookAhead {
        evaluation: game.heuristics().unwrap().evaluation(&game, "remainder").unwrap(),
        depth: 50,
        standard: Standard::Off,
        backup: Backup::Mean,
        end: 3.0,
        obvious: None,
        memory: false,
        budget: Budget::default(),
        remembered: Default::default(),
    };
    let decision = first_decision(&game, &mut agent, 0, 500, 1);
    assert!((2..50).contains(&decision.thought.depth), "{}", decision.thought.depth);
    assert_eq!(first_decision(&game, &mut agent, 0, 1, 1).thought.depth, 0, "nothing was read, yet it answers");
}

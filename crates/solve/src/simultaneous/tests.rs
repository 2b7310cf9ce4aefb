//! Written games with known solutions, and a plain backward induction to compare the solver with.

use super::*;
use tesuji_core::tiny_games::{Form, Written, chance, choice, matrix, over};

const POSITIONS: usize = 100_000;

fn solved(form: Form) -> Solution<u8> {
    let game = Written::new(2, (0.0, 1.0), form);
    ExactSolver::new(&game, Memory::new(), Limits::positions(POSITIONS)).solve(&game.start()).unwrap()
}

fn joint(rows: u8, columns: u8, next: Vec<Form>) -> Form {
    Form::Joint(vec![rows, columns], next)
}

#[test]
fn matrix_games_have_exact_values_and_strategies() {
    let found = solved(matrix([[1.0, 0.0], [0.0, 0.5]]));
    assert_eq!(found.game_value.exact.unwrap().to_string(), "1/3");
    assert_eq!(found.forced, Forced { least: 0.0, most: 0.5 });
    let texts = |side: usize| -> Vec<(u8, String)> {
        found.strategies[side].iter().map(|(action, share)| (*action, share.exact.unwrap().to_string())).collect()
    };
    assert_eq!(texts(0), [(0, "1/3".to_owned()), (1, "2/3".to_owned())]);
    assert_eq!(texts(1), [(0, "1/3".to_owned()), (1, "2/3".to_owned())]);
}

#[test]
fn values_of_later_joint_moves_are_entries_of_earlier_ones() {
    let pennies = || matrix([[1.0, 0.0], [0.0, 1.0]]);
    let draw = || over([0.5, 0.5]);
    let win = || over([1.0, 0.0]);
    let found = solved(joint(2, 2, vec![pennies(), win(), win(), matrix([[1.0, 0.0], [0.0, 0.5]])]));
    // (1/2 1; 1 1/3): mixes 4/7 and 3/7, value 5/7.
    assert_eq!(found.game_value.exact.unwrap().to_string(), "5/7");
    let found = solved(joint(1, 2, vec![draw(), chance([(0.25, pennies()), (0.75, over([0.0, 1.0]))])]));
    assert_eq!(found.game_value.exact.unwrap().to_string(), "1/8");
    let found = solved(choice(1, [pennies(), draw(), choice(0, [over([0.0, 1.0]), win()])]));
    assert_eq!((found.game_value.value, found.strategies[1].len()), (0.5, 1));
}

#[test]
fn classes_say_what_can_be_forced() {
    let class = |least, most| Forced { least, most }.class((0.0, 1.0), ['V', 'H']);
    assert_eq!([class(1.0, 1.0), class(0.0, 0.0), class(0.5, 0.5)], ["V", "H", "D"]);
    assert_eq!([class(0.5, 1.0), class(0.0, 0.5), class(0.0, 1.0)], ["VD", "HD", "VHD"]);
}

/// A random tree of joint moves, single moves and chance, with win, draw and loss at the ends.
fn tree(rng: &mut tesuji_core::Rng, depth: u32) -> Form {
    let kind = if depth == 0 { 0 } else { rng.below(8) };
    match kind {
        0 => {
            let payoff = rng.below(3) as f64 * 0.5;
            over([payoff, 1.0 - payoff])
        }
        1 => choice(rng.below(2) as u8, [tree(rng, depth - 1), tree(rng, depth - 1)]),
        2 => chance([(0.25, tree(rng, depth - 1)), (0.75, tree(rng, depth - 1))]),
        _ => {
            let (rows, columns) = (1 + rng.below(3), 1 + rng.below(3));
            joint(rows as u8, columns as u8, (0..rows * columns).map(|_| tree(rng, depth - 1)).collect())
        }
    }
}

/// The value, and what each player can force, by full enumeration.
fn plain(form: &Form) -> (f64, f64, f64) {
    match form {
        Form::Over(payoffs) => (payoffs[0], payoffs[0], payoffs[0]),
        Form::Choice(mover, next) => {
            let all: Vec<_> = next.iter().map(plain).collect();
            let best = |part: fn(&(f64, f64, f64)) -> f64| {
                let parts = all.iter().map(part);
                if *mover == 0 { parts.fold(f64::MIN, f64::max) } else { parts.fold(f64::MAX, f64::min) }
            };
            (best(|all| all.0), best(|all| all.1), best(|all| all.2))
        }
        Form::Chance(outcomes) => outcomes.iter().fold((0.0, 0.0, 0.0), |sum, (probability, next)| {
            let part = plain(next);
            (sum.0 + probability * part.0, sum.1 + probability * part.1, sum.2 + probability * part.2)
        }),
        Form::Joint(counts, next) => {
            let (rows, columns) = (usize::from(counts[0]), usize::from(counts[1]));
            let all: Vec<_> = next.iter().map(plain).collect();
            let mut table = PayoffMatrix::filled(rows, columns, 0.0);
            table.refill(rows, columns, all.iter().map(|cell| cell.0));
            let value = MatrixSolver::new().solve(&table).value;
            let row = |row: usize| (0..columns).map(|column| all[row * columns + column].1).fold(f64::MAX, f64::min);
            let column = |column: usize| (0..rows).map(|row| all[row * columns + column].2).fold(f64::MIN, f64::max);
            (value, (0..rows).map(row).fold(f64::MIN, f64::max), (0..columns).map(column).fold(f64::MAX, f64::min))
        }
    }
}

#[test]
fn random_trees_agree_with_plain_backward_induction() {
    let mut rng = tesuji_core::Rng::new(7);
    let mut mixed = 0;
    for _ in 0..300 {
        let game = Written::new(2, (0.0, 1.0), tree(&mut rng, 4));
        let (value, least, most) = plain(game.form());
        let found = ExactSolver::new(&game, Memory::new(), Limits::positions(POSITIONS)).solve(&game.start()).unwrap();
        assert!((found.game_value.value - value).abs() < 1e-9, "{} for {value}", found.game_value.value);
        assert!(found.game_value.exact.is_some());
        assert_eq!(found.forced, Forced { least, most });
        mixed += u32::from(least < most);
    }
    assert!(mixed > 20, "only {mixed} trees needed mixed strategies");
}

#[test]
fn games_without_a_value_are_refused() {
    let mut game = Written::new(3, (0.0, 1.0), over([0.0, 0.0, 1.0]));
    assert!(check_solvable(&game).unwrap_err().to_string().contains("3 players"));
    game = Written::new(2, (0.0, 1.0), over([0.0, 0.0]));
    assert!(check_solvable(&game).unwrap_err().to_string().contains("do not add up to a constant"));
}

#[test]
fn limits_end_the_work() {
    let mut rng = tesuji_core::Rng::new(7);
    let game = Written::new(
        2,
        (0.0, 1.0),
        joint(
            2,
            2,
            (0..4)
                .map(|_| {
                    joint(
                        2,
                        2,
                        (0..4)
                            .map(|_| {
                                let payoff = rng.below(3) as f64 * 0.5;
                                over([payoff, 1.0 - payoff])
                            })
                            .collect(),
                    )
                })
                .collect(),
        ),
    );
    let few = Limits::positions(1);
    assert_eq!(ExactSolver::new(&game, Memory::new(), few).solve(&game.start()), Err(GaveUp::Memory));
    let mut asked = Vec::new();
    let mut go_on = |looked| {
        asked.push(looked);
        looked < 3
    };
    let watched = Limits { go_on: Some(&mut go_on), ..Limits::positions(POSITIONS) };
    assert_eq!(ExactSolver::new(&game, Memory::new(), watched).solve(&game.start()), Err(GaveUp::Stopped));
    assert_eq!(asked, [0, 1, 2, 3]);
}

#[test]
fn as_many_positions_are_remembered_as_fit() {
    // 41 bytes per slot, three halves of the slots while the table grows, seven eighths of them in use.
    assert_eq!(Memory::most_within(41 * 3 * (1 << 19)), (1 << 20) / 8 * 7);
    assert_eq!(Memory::most_within(41 * 3 * (1 << 19) - 1), (1 << 19) / 8 * 7);
    assert_eq!(Memory::most_within(8 << 30), 117_440_512);
}

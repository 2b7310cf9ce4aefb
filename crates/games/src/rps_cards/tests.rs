use std::collections::HashMap;

use proptest::{prop_assert_eq, proptest};
use tesuji_core::{Address, legal_actions, perft_table};

use super::*;
use crate::zero_sum;

fn try_open(address: &str) -> Result<RpsCards, InputError> {
    let address: Address = address.parse().unwrap();
    (ENTRY.open)(&Arguments::bind(&address, ENTRY.parameters).unwrap())
}

fn open(address: &str) -> RpsCards {
    try_open(address).unwrap()
}

/// The matrix of the first round, computed by hand: rock against paper leaves `rs` against `ps`, where one even guess
/// decides between a win and a draw at one point behind, and so on. A 2×2 game without a saddle point has one
/// equilibrium.
#[test]
fn the_tiny_hands_mix_one_to_two() {
    let game = open("rps-cards(rrs,pps)");
    let matrix = zero_sum::matrix_of(&game, &game.start(), &mut HashMap::new());
    let expected = [[0.5, 1.0], [1.0, 0.0]];
    let near = |found: &[f64], expected: &[f64]| found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-9);
    assert!(matrix.iter().zip(expected).all(|(row, expected)| near(row, &expected)), "{matrix:?}");
    let solution = zero_sum::solve(&matrix);
    assert!(near(&[solution.value], &[2.0 / 3.0]), "{}", solution.value);
    assert!(near(&solution.rows, &[2.0 / 3.0, 1.0 / 3.0]), "{:?}", solution.rows);
    assert!(near(&solution.columns, &[2.0 / 3.0, 1.0 / 3.0]), "{:?}", solution.columns);
}

#[test]
fn equal_hands_are_worth_a_half() {
    for address in ["rps-cards(rps,rps)", "rps-cards(rrps,rrps)", "rps-cards(rpps,rpps,1,2,3)"] {
        let game = open(address);
        assert!((zero_sum::value_of(&game, &game.start(), &mut HashMap::new()) - 0.5).abs() < 1e-9, "{address}");
    }
}

/// A plain implementation of the rules, with words.
#[test]
fn play_agrees_with_words() {
    let beats = |a: &str, b: &str| [("rock", "scissors"), ("scissors", "paper"), ("paper", "rock")].contains(&(a, b));
    let mut rng = Rng::new(3);
    let game = open("rps-cards(rrrppss,rppppss,1,2,3)");
    let worth: HashMap<&str, i32> = [("rock", 1), ("paper", 2), ("scissors", 3)].into();
    for _ in 0..300 {
        let mut state = game.start();
        let mut hands =
            ["rock rock rock paper paper scissors scissors", "rock paper paper paper paper scissors scissors"]
                .map(|hand| hand.split(' ').collect::<Vec<_>>());
        let mut points = [0, 0];
        while !hands[0].is_empty() {
            assert_eq!(game.turn(&state), Turn::Simultaneous(Players::BOTH));
            let joint = [0, 1].map(|seat| {
                let player = Player(seat as u8);
                let mut held = hands[seat].clone();
                held.dedup();
                let actor = Actor::Player(player);
                let texts: Vec<String> = legal_actions(&game, &state, actor)
                    .into_iter()
                    .map(|kind| game.action_text(&state, actor, kind))
                    .collect();
                assert_eq!(texts, held);
                game.random_action(&state, player, &mut rng, &mut Vec::new())
            });
            let [a, b] = joint.map(|kind| NAMES[usize::from(kind)]);
            game.apply(&mut state, &joint);
            for (hand, card) in hands.iter_mut().zip([a, b]) {
                hand.remove(hand.iter().position(|held| *held == card).unwrap());
            }
            if beats(a, b) {
                points[0] += worth[a];
            } else if beats(b, a) {
                points[1] += worth[b];
            }
        }
        assert_eq!(game.turn(&state), Turn::Over);
        let expected = match points[0] - points[1] {
            0 => 0.5,
            lead => f64::from(i32::from(lead > 0)),
        };
        assert_eq!([0, 1].map(|seat| game.payoff(&state, Player(seat))), [expected, 1.0 - expected]);
    }
}

/// Two kinds per side: after one round of `rrs` against `pps` the hands hold 2 or 1 kinds, `rr` and `rs`, `pp` and
/// `ps`: 1·1 + 1·2 + 2·1 + 2·2 pairs. The last round is forced.
#[test]
fn perft() {
    assert_eq!(perft_table(&open("rps-cards(rrs,pps)"), 4), [4, 9, 9, 0]);
    // Cards of three kinds, all different: (3!)² ways to play them.
    assert_eq!(perft_table(&open("rps-cards(rps,rps)"), 3), [9, 36, 36]);
}

#[test]
fn errors_say_what_was_expected() {
    for (address, expected) in [
        ("rps-cards(rrx)", "the letters r, p and s, not `x`"),
        ("rps-cards(rr,rrr)", "2 cards, as many as the first hand"),
        ("rps-cards(-,-)", "1 to 24 cards"),
        ("rps-cards(rrrrrrrrrrrrrrrrrrrrrrrrr)", "1 to 24 cards"),
        ("rps-cards(rock=10)", "from 0 to 9"),
    ] {
        let error = try_open(address).unwrap_err();
        assert!(error.to_string().contains(expected), "{address}: {error}");
    }
    let game = open("rps-cards(rrs,pps)");
    for (text, expected) in [
        ("", "expected `first=`"),
        ("first=rr second=ps", "expected `lead=`"),
        ("first=rr second=ps lead=0 x", "unexpected `x` at the end"),
        ("first=rr second=ss lead=0", "more cards than second began with"),
        ("first=rr second=p lead=0", "differ in size"),
        ("first=rq second=pp lead=0", "not `q`"),
        ("first=rr second=pp lead=2", "a lead from -1 to 1"),
    ] {
        let error = game.parse_state(text).unwrap_err();
        assert!(error.to_string().contains(expected), "{text}: {error}");
    }
    let error = game.parse_action(&game.start(), Actor::Player(Player(0)), "paper").unwrap_err();
    assert_eq!(error.help_text(), Some("legal: rock, scissors"));
    assert_eq!(game.parse_action(&game.start(), Actor::Player(Player(0)), " s ").unwrap(), 2);
}

proptest! {
    #[test]
    fn any_text_is_a_state_or_an_error(text in "first=[rps-]{0,4} second=[rps-]{0,4} lead=-?[0-9]{1,2}|.{0,30}") {
        let game = open("rps-cards");
        if let Ok(state) = game.parse_state(&text) {
            prop_assert_eq!(game.parse_state(&game.state_text(&state)).unwrap(), state);
        }
        let _ = game.parse_action(&game.start(), Actor::Player(Player(0)), &text);
    }
}

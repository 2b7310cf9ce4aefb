use std::collections::HashMap;

use proptest::prelude::*;
use tesuji_core::{legal_actions, perft_table};

use super::*;

fn open(address: &str) -> Pig {
    (ENTRY.open)(&Arguments::bind(&address.parse().unwrap(), ENTRY.parameters).unwrap()).unwrap()
}

/// The mover's value at the start under optimal play with at most `rolls` rolls, computed backwards roll by roll.
fn value(target: usize, rolls: usize) -> f64 {
    // By own score, other's score and points of the turn; everything from the target on is won.
    let width = target + 6;
    let mut now = vec![0.5; target * target * width];
    for (own, other) in pairs(target) {
        now[(own * target + other) * width..][target - own..width].fill(1.0);
    }
    let mut before = now.clone();
    let mut begin = vec![0.5; target * target];
    let mut begin_before = begin.clone();
    for _ in 0..rolls {
        // With one roll fewer left, these are the values after the die.
        std::mem::swap(&mut now, &mut before);
        std::mem::swap(&mut begin, &mut begin_before);
        let die = |faces: &[f64], one: f64| (faces[0] + faces[1] + faces[2] + faces[3] + faces[4] + 1.0 - one) / 6.0;
        for (own, other) in pairs(target) {
            let row = &before[(own * target + other) * width..];
            begin[own * target + other] = die(&row[2..7], begin_before[other * target + own]);
        }
        for (own, other) in pairs(target) {
            let row = &mut now[(own * target + other) * width..][..target - own];
            let after = &before[(own * target + other) * width..][..width];
            let one = begin_before[other * target + own];
            let held = &begin[other * target + own..];
            for ((value, faces), held) in row.iter_mut().zip(after[2..].windows(5)).zip(held) {
                *value = die(faces, one).max(1.0 - held);
            }
            row[0] = begin[own * target + other];
        }
    }
    begin[0]
}

fn pairs(target: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..target).flat_map(move |own| (0..target).map(move |other| (own, other)))
}

/// The first player's value by full enumeration, using the rules themselves.
fn exact(game: &Pig, state: &State, known: &mut HashMap<State, f64>) -> f64 {
    if let Some(&value) = known.get(state) {
        return value;
    }
    let after = |action: Action, known: &mut HashMap<State, f64>| {
        let mut next = state.clone();
        game.apply(&mut next, &[action]);
        exact(game, &next, known)
    };
    let value = match game.turn(state) {
        Turn::Over => game.payoff(state, Player(0)),
        Turn::Chance => (1..=6).map(|face| after(Action::Face(face), known)).sum::<f64>() / 6.0,
        Turn::Player(player) => {
            let actions = legal_actions(game, state, Actor::Player(player));
            let values = actions.into_iter().map(|action| after(action, known));
            if player == Player(0) { values.fold(0.0, f64::max) } else { values.fold(1.0, f64::min) }
        }
        Turn::Simultaneous(players) => unreachable!("{players:?} at once"),
    };
    known.insert(state.clone(), value);
    value
}

#[test]
fn values_by_rolls_equal_the_values_of_the_rules() {
    for target in [2, 7, 12] {
        let game = open(&format!("pig({target})"));
        let by_rolls = value(target, usize::from(game.most_rolls));
        let by_rules = exact(&game, &game.start(), &mut HashMap::new());
        assert!((by_rolls - by_rules).abs() < 1e-12, "target {target}: {by_rolls} and {by_rules}");
    }
}

/// The published value of the game without a limit: ours is the same to nine digits.
#[test]
fn the_first_player_wins_0_530592725_of_matches_to_100() {
    let limit = usize::from(open("pig").most_rolls);
    assert_eq!(limit, 500);
    let value = value(100, limit);
    assert!((value - 0.530_592_725).abs() < 1e-9, "{value}");
}

/// Step by step: 1 choice, 6 faces; then 1 choice of the other player or 2 of the same; and so on.
#[test]
fn perft() {
    assert_eq!(perft_table(&open("pig"), 4), [1, 6, 11, 5 + 6 * 6]);
    // With target 3 a turn ends with 1, wins with 3 to 6, or continues after 2.
    assert_eq!(perft_table(&open("pig(3)"), 5), [1, 6, 1 + 2, 6 + 6 + 1, 3 + 1 + 6]);
}

/// Nobody ever keeps a point: the limit ends the match, and no match exceeds the declared number of steps.
#[test]
fn endless_play_is_a_draw() {
    let game = open("pig");
    for (turn, steps) in [(&[Action::Roll, Action::Face(1)][..], 1_000), (&LITTLE, 1_499)] {
        let mut state = game.start();
        let mut made = 0;
        for &action in turn.iter().cycle() {
            if game.turn(&state) == Turn::Over {
                break;
            }
            // Too little to win, however long it lasts.
            state.scores = state.scores.map(|score| score % 50);
            game.apply(&mut state, &[action]);
            made += 1;
        }
        assert_eq!((made, state.rolls), (steps, 500));
        assert!(made <= game.spec().max_steps);
        assert_eq!((game.payoff(&state, Player(0)), game.payoff(&state, Player(1))), (0.5, 0.5));
    }
    assert_eq!(game.spec().max_steps, 1_499);
}

const LITTLE: [Action; 3] = [Action::Roll, Action::Face(2), Action::Hold];

#[test]
fn errors_say_what_was_expected() {
    let game = open("pig");
    for (text, expected) in [
        ("", "not a state of Pig"),
        ("third 4+0 5 after 3", "found `third`"),
        ("first 4 5 after 3", "such as `40+7`"),
        ("first 100+2 5 after 3", "from 0 to 99, found `100`"),
        ("first 4+1 5 after 3", "have 1 points"),
        ("first 4+2 5 after 501", "from 0 to 500"),
        ("first 98+2 5 after 4 rolls", "no roll"),
    ] {
        let error = game.parse_state(text).unwrap_err();
        assert!(error.to_string().contains(expected), "{text}: {error}");
    }
}

proptest! {
    #[test]
    fn any_text_is_a_state_or_an_error(
        text in ".{0,40}",
        like in "(first|second) [0-9]{1,5}\\+[0-9]{1,5} [0-9]{1,3} after [0-9]{1,3}( rolls)?",
    ) {
        let game = open("pig(10)");
        let _ = game.parse_state(&text);
        if let Ok(state) = game.parse_state(&like) {
            prop_assert_eq!(game.parse_state(&game.state_text(&state)).unwrap(), state);
        }
    }
}

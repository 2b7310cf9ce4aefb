use std::collections::HashMap;

use proptest::{prop_assert_eq, proptest};
use tesuji_core::{Address, legal_actions, perft_table};

use super::*;
use crate::zero_sum;

fn open(address: &str) -> OshiZumo {
    let address: Address = address.parse().unwrap();
    (ENTRY.open)(&Arguments::bind(&address, ENTRY.parameters).unwrap()).unwrap()
}

/// Six coins, one place per side, minimum bid 1: bids 1, 2, 3 in the proportion 3 : 2 : 3 are the only optimal mix of
/// these three.
#[test]
fn the_small_game_is_played_with_the_known_mix() {
    let game = open("oshi-zumo(6,1,1)");
    let matrix = zero_sum::matrix_of(&game, &game.start(), &mut HashMap::new());
    assert!(zero_sum::solve(&matrix).value.abs() < 1e-9);
    let guaranteed = |mix: [f64; 6]| zero_sum::guaranteed(&matrix, &mix);
    assert!(guaranteed([0.375, 0.25, 0.375, 0.0, 0.0, 0.0]).abs() < 1e-9, "{matrix:?}");
    assert!(guaranteed([0.4, 0.25, 0.35, 0.0, 0.0, 0.0]) < -1e-3);
    assert!(guaranteed([0.35, 0.3, 0.35, 0.0, 0.0, 0.0]) < -1e-3);
}

/// A plain implementation of the rules that always counts rounds.
struct Ring {
    coins: [i32; 2],
    place: i32,
    rounds: i32,
}

impl Ring {
    fn bids(&self, player: usize, minimum: i32) -> Vec<u8> {
        let open: Vec<u8> = (minimum..=self.coins[player]).map(|bid| bid as u8).collect();
        if open.is_empty() { vec![self.coins[player] as u8] } else { open }
    }
}

#[test]
fn play_agrees_with_plain_counting() {
    let mut rng = Rng::new(4);
    for (coins, size, minimum, horizon) in
        [(50, 3, 0, 1000), (6, 1, 1, 1000), (20, 4, 3, 1000), (9, 5, 0, 7), (9, 9, 1, 5), (1, 0, 0, 3)]
    {
        let game = open(&format!("oshi-zumo({coins},{size},{minimum},{horizon})"));
        for _ in 0..200 {
            let mut ring = Ring { coins: [coins, coins], place: 0, rounds: 0 };
            let mut state = game.start();
            while ring.place.abs() <= size && ring.coins != [0, 0] && ring.rounds < horizon {
                assert_eq!(game.turn(&state), Turn::Simultaneous(Players::BOTH));
                let bids = [0, 1].map(|seat| {
                    let player = Player(seat as u8);
                    assert_eq!(legal_actions(&game, &state, Actor::Player(player)), ring.bids(seat, minimum));
                    game.random_action(&state, player, &mut rng, &mut Vec::new())
                });
                game.apply(&mut state, &bids);
                ring.place += i32::from(bids[0].cmp(&bids[1]) as i8);
                ring.rounds += 1;
                for (purse, bid) in ring.coins.iter_mut().zip(bids) {
                    *purse -= i32::from(bid);
                }
            }
            assert_eq!(game.turn(&state), Turn::Over);
            let expected = [0, 1].map(|seat| if seat == 0 { ring.place.signum() } else { -ring.place.signum() });
            assert_eq!([0, 1].map(|seat| game.payoff(&state, Player(seat))), expected.map(f64::from));
        }
    }
}

/// The number of paths of `depth` rounds, by plain counting.
fn paths(ring: &Ring, size: i32, minimum: i32, depth: u32) -> u64 {
    if depth == 0 || ring.place.abs() > size || ring.coins == [0, 0] {
        return u64::from(depth == 0);
    }
    let mut total = 0;
    for first in ring.bids(0, minimum) {
        for second in ring.bids(1, minimum) {
            let place = ring.place + i32::from(first.cmp(&second) as i8);
            let coins = [ring.coins[0] - i32::from(first), ring.coins[1] - i32::from(second)];
            total += paths(&Ring { coins, place, rounds: 0 }, size, minimum, depth - 1);
        }
    }
    total
}

#[test]
fn perft() {
    for (address, coins, size, minimum, expected) in [
        ("oshi-zumo(6,1,1)", 6, 1, 1, &[36, 255, 536, 517, 204, 25, 0][..]),
        ("oshi-zumo(5,2)", 5, 2, 0, &[36, 440, 3100, 15057, 57502]),
        ("oshi-zumo", 50, 3, 0, &[2601, 1758275]),
    ] {
        let depth = expected.len() as u32;
        assert_eq!(perft_table(&open(address), depth), expected, "{address}");
        let ring = Ring { coins: [coins, coins], place: 0, rounds: 0 };
        let plain: Vec<u64> = (1..=depth).map(|depth| paths(&ring, size, minimum, depth)).collect();
        assert_eq!(plain, expected, "{address}, plain counting");
    }
}

#[test]
fn errors_say_what_was_expected() {
    let game = open("oshi-zumo(6,1)");
    for (text, expected) in [
        ("", "expected `coins=` at ``"),
        ("coins=6 place=0 round=0", "two purses"),
        ("coins=6,7 place=0 round=0", "from 0 to 6"),
        ("coins=6,6 place=3 round=0", "a place from -2 to 2"),
        ("coins=6,6 place=0", "expected `round=`"),
        ("coins=6,6 place=0 round=1001", "a round from 0 to 1000"),
        ("coins=6,6 place=0 round=1 x", "unexpected `x` at the end"),
    ] {
        let error = game.parse_state(text).unwrap_err();
        assert!(error.to_string().contains(expected), "{text}: {error}");
    }
    assert!(open("oshi-zumo(6,1,1)").parse_state("coins=6,6 place=0 round=1").is_err(), "rounds do not count there");
    let address: Address = "oshi-zumo(6,1,7)".parse().unwrap();
    let error = (ENTRY.open)(&Arguments::bind(&address, ENTRY.parameters).unwrap()).unwrap_err();
    assert!(error.to_string().contains("from 0 to 6"), "{error}");
}

proptest! {
    #[test]
    fn any_text_is_a_state_or_an_error(
        text in "coins=[0-9]{1,3},[0-9]{1,3} place=-?[0-9]{1,2} round=[0-9]{1,4}|.{0,30}",
    ) {
        let game = open("oshi-zumo");
        if let Ok(state) = game.parse_state(&text) {
            prop_assert_eq!(game.parse_state(&game.state_text(&state)).unwrap(), state);
        }
    }
}

#[test]
fn value_features_are_alike_for_both_sides_and_the_network_fits_its_size() {
    for (address, count) in
        [("oshi-zumo", 1), ("oshi-zumo(50,3,0,60)", 1), ("oshi-zumo(50,3,0,20)", 0), ("oshi-zumo(20)", 0)]
    {
        let game = open(address);
        let features = game.value_features().unwrap();
        assert_eq!(features.networks(&game).len(), count, "{address}");
        let seen = |coins: [u8; 2], place: i8, player: u8| {
            let mut active = Vec::new();
            features.active(&game, &game.state(coins, place, 0), Player(player), &mut active);
            active
        };
        for place in -3..=3 {
            assert_eq!(seen([20, 7], place, 0), seen([7, 20], -place, 1));
            assert_ne!(seen([20, 7], place, 0), seen([20, 7], place, 1));
        }
    }
}

use std::collections::HashMap;

use proptest::{prop_assert, prop_assert_eq, proptest};
use tesuji_core::{Address, legal_actions, perft_table};

use super::*;
use crate::zero_sum;

fn open(address: &str) -> Goofspiel {
    let address: Address = address.parse().unwrap();
    (ENTRY.open)(&Arguments::bind(&address, ENTRY.parameters).unwrap()).unwrap()
}

/// The first player's value of a state, by backward induction.
fn value(game: &Goofspiel, state: &State, known: &mut HashMap<State, f64>) -> f64 {
    if let Some(&value) = known.get(state) {
        return value;
    }
    let after = |joint: &[u8]| {
        let mut next = state.clone();
        game.apply(&mut next, joint);
        next
    };
    let result = match game.turn(state) {
        Turn::Over => game.payoff(state, Player(0)),
        Turn::Chance => {
            let mut outcomes = Vec::new();
            game.chance(state, &mut outcomes);
            outcomes.into_iter().map(|(prize, share)| share * value(game, &after(&[prize]), known)).sum()
        }
        _ => {
            let hands = [0, 1].map(|seat| legal_actions(game, state, Actor::Player(Player(seat))));
            let row = |&a: &u8, known: &mut _| hands[1].iter().map(|&b| value(game, &after(&[a, b]), known)).collect();
            let matrix: Vec<Vec<f64>> = hands[0].iter().map(|a| row(a, known)).collect();
            zero_sum::solve(&matrix).value
        }
    };
    known.insert(state.clone(), result);
    result
}

/// Values after a first joint bid with four cards and descending prizes where the first player bids 4, computed
/// independently with OpenSpiel's rules.
#[test]
fn subgames_with_four_cards_have_the_known_values() {
    let game = open("goofspiel(4,descending)");
    let mut known = HashMap::new();
    for (card, expected) in [(1, 0.157895), (2, 0.5), (3, 1.0), (4, 0.0)] {
        let mut state = game.start();
        game.apply(&mut state, &[4, card]);
        let found = value(&game, &state, &mut known);
        assert!((found - expected).abs() < 1e-6, "4 against {card}: {found}");
    }
}

/// The rules are symmetric, so every symmetric start has value 0; with random prizes this includes chance.
#[test]
fn starts_are_worth_nothing() {
    for address in ["goofspiel(4)", "goofspiel(4,ascending,points-difference)", "goofspiel(5,descending)"] {
        let game = open(address);
        assert!(value(&game, &game.start(), &mut HashMap::new()).abs() < 1e-9, "{address}");
    }
}

/// A plain implementation of the rules, with lists of cards and every round played.
struct Table {
    hands: [Vec<u8>; 2],
    prizes: Vec<u8>,
    points: [u32; 2],
}

impl Table {
    fn new(cards: u8) -> Table {
        Table { hands: [0, 1].map(|_| (1..=cards).collect()), prizes: (1..=cards).collect(), points: [0, 0] }
    }

    fn round(&mut self, prize: u8, bids: [u8; 2]) {
        self.prizes.retain(|&other| other != prize);
        for (hand, bid) in self.hands.iter_mut().zip(bids) {
            hand.retain(|&card| card != bid);
        }
        if bids[0] != bids[1] {
            self.points[usize::from(bids[1] > bids[0])] += u32::from(prize);
        }
        if let ([first], [second], [prize]) = (&self.hands[0][..], &self.hands[1][..], &self.prizes[..]) {
            self.round(*prize, [*first, *second]);
        }
    }
}

#[test]
fn play_agrees_with_lists_of_cards() {
    let mut rng = Rng::new(4);
    for address in
        ["goofspiel(6)", "goofspiel(13,descending,points-difference)", "goofspiel(3,ascending)", "goofspiel(24)"]
    {
        let game = open(address);
        for _ in 0..100 {
            let (mut state, mut table) = (game.start(), Table::new(game.cards));
            while !table.hands[0].is_empty() {
                let prize = match game.order {
                    Order::Descending => *table.prizes.last().unwrap(),
                    Order::Ascending => table.prizes[0],
                    Order::Random => {
                        assert_eq!(game.turn(&state), Turn::Chance);
                        assert_eq!(legal_actions(&game, &state, Actor::Chance), table.prizes);
                        let prize = game.random_outcome(&state, &mut rng);
                        game.apply(&mut state, &[prize]);
                        prize
                    }
                };
                assert_eq!((game.turn(&state), state.prize), (Turn::Simultaneous(Players::BOTH), prize));
                let bids = [0, 1].map(|seat| {
                    let player = Player(seat as u8);
                    assert_eq!(legal_actions(&game, &state, Actor::Player(player)), table.hands[seat]);
                    game.random_action(&state, player, &mut rng, &mut Vec::new())
                });
                game.apply(&mut state, &bids);
                table.round(prize, bids);
            }
            assert_eq!(game.turn(&state), Turn::Over);
            let lead = f64::from(table.points[0]) - f64::from(table.points[1]);
            let expected = if game.by_points {
                lead
            } else if lead == 0.0 {
                0.0
            } else {
                lead.signum()
            };
            assert_eq!(game.payoff(&state, Player(0)), expected);
            assert_eq!(game.payoff(&state, Player(1)), -expected);
        }
    }
}

/// Each round multiplies the number of paths by the prizes left (if random) and the pairs of cards: no path ends early.
#[test]
fn perft() {
    assert_eq!(perft_table(&open("goofspiel(4)"), 6), [4, 64, 192, 1728, 3456, 13824]);
    assert_eq!(perft_table(&open("goofspiel(5,descending)"), 4), [25, 400, 3600, 14400]);
    assert_eq!(perft_table(&open("goofspiel(5,descending)"), 5)[4], 0);
}

#[test]
fn states_that_break_the_rules_are_refused() {
    let game = open("goofspiel(4,descending)");
    for (text, expected) in [
        ("", "0 parts, expected 5"),
        ("first=1 second=1 prizes=- prize=1 leed=0", "expected `lead=`"),
        ("first=1,2 second=1,2,3 prizes=1 prize=2 lead=0", "differ in size"),
        ("first=1 second=1 prizes=- prize=1 lead=0", "the last round"),
        ("first=1,1 second=1,2 prizes=1 prize=2 lead=0", "stands twice"),
        ("first=1,5 second=1,2 prizes=1 prize=2 lead=0", "`5` is not a card from 1 to 4"),
        ("first=1,4 second=1,2 prizes=1,2 prize=3 lead=0", "a prize for each card"),
        ("first=1,4 second=1,2 prizes=1 prize=2 lead=8", "worth 7"),
        ("first=1,4 second=1,2 prizes=1 prize=2 lead=x", "not a lead"),
        ("first=1,4 second=1,2 prizes=2 prize=1 lead=0", "in their order"),
    ] {
        let error = game.parse_state(text).unwrap_err();
        assert!(error.to_string().contains(expected), "{text}: {error}");
    }
    assert!(game.parse_state("first=1,4 second=1,2 prizes=1 prize=2 lead=-7").is_ok());
}

proptest! {
    #[test]
    fn any_text_is_a_state_or_an_error(
        text in "(first|second|prizes|prize|lead)=[-0-9,]{0,6}( [a-z]{4,6}=[-0-9,]{0,6}){4}|.{0,30}",
    ) {
        for address in ["goofspiel(4)", "goofspiel(4,ascending)"] {
            let game = open(address);
            if let Ok(state) = game.parse_state(&text) {
                prop_assert_eq!(game.parse_state(&game.state_text(&state)).unwrap(), state);
            }
        }
    }

    #[test]
    fn states_that_are_accepted_can_be_played(
        first in 0u32..64,
        second in 0u32..64,
        prizes in 0u32..64,
        prize in 0u8..7,
        lead in -21i16..=21,
    ) {
        let game = open("goofspiel(6)");
        let text = game.state_text(&State { hands: [first, second], prizes, lead, prize });
        if let Ok(mut state) = game.parse_state(&text) {
            let mut rng = Rng::new(1);
            let mut uniform = tesuji_core::Uniform::default();
            tesuji_core::Policy::play_out(&mut uniform, &game, &mut state, &mut rng, tesuji_core::Horizon::END);
            prop_assert!(state.lead.unsigned_abs() <= 21);
        }
    }
}

#[test]
fn value_features_are_alike_for_both_sides() {
    let game = open("goofspiel(13)");
    let features = game.value_features().unwrap();
    let mut rng = Rng::new(8);
    for _ in 0..20 {
        let mut state = game.start();
        while game.turn(&state) != Turn::Over {
            let [first, second] = state.hands;
            let exchanged = State { hands: [second, first], lead: -state.lead, ..state.clone() };
            let seen = |state: &State, player: u8| {
                let mut active = Vec::new();
                features.active(&game, state, Player(player), &mut active);
                active
            };
            assert_eq!(seen(&state, 0), seen(&exchanged, 1), "{state:?}");
            let mut uniform = tesuji_core::Uniform::default();
            let one = tesuji_core::Horizon::steps(1);
            tesuji_core::Policy::play_out(&mut uniform, &game, &mut state, &mut rng, one);
        }
    }
}

#[test]
fn a_network_comes_with_thirteen_cards_in_random_order() {
    for (address, count) in [("goofspiel", 1), ("goofspiel(12)", 0), ("goofspiel(13,descending)", 0)] {
        let game = open(address);
        let features = game.value_features().unwrap();
        assert_eq!(features.networks(&game).len(), count, "{address}");
        assert_eq!(features.network(&game, "goofspiel").is_some(), count == 1, "{address}");
    }
}

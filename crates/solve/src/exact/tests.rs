//! Solved games compared with published values or plain computations.

use tesuji_core::{Game, Knowledge, Rng, legal_actions};

use super::*;
use tesuji_core::tiny_games::{Form, Nim, TugOfWar, Written, chance, choice, over};

fn solved<G: Knowledge>(game: &G) -> Solved<G> {
    Solved::new(game, &game.start(), 100_000, 1e-12).unwrap()
}

#[test]
fn nim_is_lost_where_four_divides_the_heap() {
    for heap in 1..=12 {
        let game = Nim::new(heap);
        let solution = solved(&game);
        let value = solution.value(&game, &game.start(), Player(0)).unwrap();
        assert_eq!(value, Value { value: f64::from(u8::from(heap % 4 != 0)), error: 0.0 }, "{heap}");
        let mut states = std::collections::BTreeSet::from([(heap, 0)]);
        for left in (1..=heap).rev() {
            let before =
                states.iter().filter(|state| state.0 > left && state.0 <= left + 3).copied().collect::<Vec<_>>();
            states.extend(before.into_iter().map(|(_, mover)| (left, 1 - mover)));
        }
        assert_eq!(solution.states(), states.len() as u64, "{heap}");
        let (action, worth) = solution.best(&game, &game.start()).unwrap();
        assert_eq!(worth.value, value.value);
        assert!(heap % 4 == 0 || action == heap % 4, "{action} of {heap}");
        assert_eq!(
            solution.fraction(&game, &game.start(), Player(1)),
            Some(Fraction::from_integer(i128::from(heap % 4 == 0)))
        );
    }
}

/// The value of a written game, directly from the definition.
fn plainly(form: &Form, player: usize) -> f64 {
    fn payoffs(form: &Form) -> Vec<f64> {
        match form {
            Form::Over(payoffs) => payoffs.clone(),
            Form::Choice(mover, next) => {
                let all: Vec<Vec<f64>> = next.iter().map(payoffs).collect();
                let own = usize::from(*mover);
                all.iter()
                    .skip(1)
                    .fold(&all[0], |best, other| if other[own] > best[own] { other } else { best })
                    .clone()
            }
            Form::Chance(outcomes) => {
                let all: Vec<Vec<f64>> = outcomes.iter().map(|(_, next)| payoffs(next)).collect();
                let mean =
                    |player: usize| outcomes.iter().zip(&all).map(|((share, _), next)| share * next[player]).sum();
                (0..all[0].len()).map(mean).collect()
            }
            Form::Joint(..) => unreachable!("nobody acts at once"),
        }
    }
    payoffs(form)[player]
}

/// A random tree of choices and chance nodes.
fn grow(rng: &mut Rng, depth: u32, players: u8) -> Form {
    if depth == 0 || rng.below(8) == 0 {
        // Payoffs of three or more players are unlikely to tie; with ties, rounding would decide which is first.
        let payoff = |rng: &mut Rng| if players == 2 { rng.below(7) as f64 } else { rng.below(6001) as f64 / 1000.0 };
        let first = payoff(rng);
        let rest: Vec<f64> = (1..players).map(|_| if players == 2 { 6.0 - first } else { payoff(rng) }).collect();
        return Form::Over([vec![first], rest].concat());
    }
    let count = 1 + rng.below(3);
    let next: Vec<Form> = (0..count).map(|_| grow(rng, depth - 1, players)).collect();
    if rng.below(3) == 0 {
        let share = 1.0 / count as f64;
        return Form::Chance(next.into_iter().map(|next| (share, next)).collect());
    }
    Form::Choice(rng.below(usize::from(players)) as u8, next)
}

#[test]
fn random_trees_have_the_value_of_the_definition() {
    let mut rng = Rng::new(5);
    let mut fractions = 0;
    for index in 0..200 {
        let players = 1 + (index % 4) as u8;
        let form = grow(&mut rng, 5, players);
        let expected: Vec<f64> = (0..usize::from(players)).map(|player| plainly(&form, player)).collect();
        let mut features = Features::CHANCE | Features::MULTI_ACTION;
        features.set(Features::GENERAL_SUM, players != 2);
        features.set(Features::MANY_PLAYERS, players > 2);
        let game = Written::with_features(usize::from(players), (0.0, 6.0), features, form);
        let start = game.start();
        let solution = solved(&game);
        assert!(!solution.has_cycles && !solution.clock_left_out);
        for player in 0..players {
            let expected = expected[usize::from(player)];
            let value = solution.value(&game, &start, Player(player)).unwrap();
            assert!((value.value - expected).abs() < 1e-9 && value.error < 1e-12, "{index}: {value:?}, {expected}");
            if let Some(fraction) = solution.fraction(&game, &start, Player(player)) {
                fractions += 1;
                let fraction = *fraction.numer() as f64 / *fraction.denom() as f64;
                assert!((fraction - expected).abs() < 1e-9, "{index}: {fraction}, {expected}");
            }
        }
    }
    assert!(fractions > 300, "{fractions}");
}

/// From a draw, a coin gives a win with 1/3, a loss with 1/6, or the same choice again: 2/3 in the end.
struct Again(Written);

impl Game for Again {
    type State = u8;
    type Action = u8;

    fn spec(&self) -> &tesuji_core::Spec {
        self.0.spec()
    }

    fn start(&self) -> u8 {
        0
    }

    fn turn(&self, state: &u8) -> Turn {
        [Turn::Player(Player(0)), Turn::Chance, Turn::Over, Turn::Over][usize::from(*state)]
    }

    fn legal(&self, _: &u8, _: Player, out: &mut Vec<u8>) {
        out.extend([1, 3]);
    }

    fn apply(&self, state: &mut u8, joint: &[u8]) {
        *state = joint[0];
    }

    fn payoff(&self, state: &u8, player: Player) -> f64 {
        f64::from(u8::from((*state == 2) == (player.0 == 0)))
    }

    fn chance(&self, _: &u8, out: &mut Vec<(u8, f64)>) {
        out.extend([(0, 0.5), (2, 1.0 / 3.0), (3, 1.0 / 6.0)]);
    }
}

impl Knowledge for Again {}

#[test]
fn a_circle_has_the_value_it_converges_to() {
    let game = Again(Written::with_features(2, (0.0, 1.0), Features::CHANCE, over([1.0, 0.0])));
    let solution = solved(&game);
    assert!(solution.has_cycles);
    let value = solution.value(&game, &0, Player(0)).unwrap();
    assert!((value.value - 2.0 / 3.0).abs() < 1e-11 && value.error < 1e-11, "{value:?}");
    assert_eq!(solution.best(&game, &0).unwrap().0, 1);
    assert_eq!(solution.fraction(&game, &0, Player(0)), None);
    assert_eq!(solution.actions(&game, &1).unwrap(), []);
    assert_eq!(solution.value(&game, &3, Player(1)).unwrap(), Value { value: 1.0, error: 0.0 });
}

/// A player can be forced to an end only from the cell beside it.
#[test]
fn endless_play_is_a_draw() {
    let game = TugOfWar::default();
    let solution = solved(&game);
    assert!(solution.endless);
    for (state, expected) in [((4, 0), 0.5), ((6, 0), 0.5), ((1, 1), 0.0), ((7, 1), 0.5)] {
        assert_eq!(solution.value(&game, &state, Player(0)), Some(Value { value: expected, error: 0.0 }), "{state:?}");
    }
}

#[test]
fn too_many_states_joint_moves_and_endless_general_sums_are_refused() {
    let complaint = |result: Result<Solved<Nim>, InputError>| result.err().map(|error| error.to_string());
    let nim = Nim::new(40);
    assert_eq!(complaint(Solved::new(&nim, &nim.start(), 10, 1e-9)), Some("`nim` has more than 10 states".to_owned()));
    let joint = Written::new(2, (0.0, 1.0), tesuji_core::tiny_games::matrix([[0.0, 1.0]]));
    let error = Solved::new(&joint, &joint.start(), 10, 1e-9).err().unwrap();
    assert!(error.to_string().contains("act at once"), "{error}");
    let endless =
        Again(Written::with_features(2, (0.0, 1.0), Features::CHANCE | Features::GENERAL_SUM, over([1.0, 0.0])));
    let error = Solved::new(&endless, &0, 10, 1e-9).err().unwrap();
    assert!(error.to_string().contains("in circles"), "{error}");
}

#[test]
fn a_state_that_cannot_be_reached_has_no_value() {
    let game = Nim::new(5);
    assert!(solved(&game).value(&game, &(9, 0), Player(0)).is_none());
    let legal = legal_actions(&game, &(5, 0), tesuji_core::Actor::Player(Player(0)));
    assert_eq!(solved(&game).actions(&game, &(5, 0)).unwrap().len(), legal.len());
}

#[test]
fn numbers_are_taken_for_the_fractions_they_are() {
    for (number, expected) in
        [(0.5, (1, 2)), (1.0 / 6.0, (1, 6)), (-2.75, (-11, 4)), (5.0 / 7.0, (5, 7)), (0.0, (0, 1))]
    {
        assert_eq!(fraction::plain(number), Some(Fraction::new(expected.0, expected.1)), "{number}");
    }
    for number in [std::f64::consts::PI, 0.123_456_789_123, f64::NAN, f64::INFINITY, 1e300] {
        assert_eq!(fraction::plain(number), None, "{number}");
    }
}

#[test]
fn a_gamble_is_a_fraction() {
    let gamble = chance([(1.0 / 3.0, over([1.0, 0.0])), (2.0 / 3.0, over([0.0, 1.0]))]);
    let form = choice(0, [over([0.25, 0.75]), gamble]);
    let game = Written::with_features(2, (0.0, 1.0), Features::CHANCE, form);
    assert_eq!(solved(&game).fraction(&game, &game.start(), Player(0)), Some(Fraction::new(1, 3)));
}

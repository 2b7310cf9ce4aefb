use std::collections::HashMap;

use proptest::prelude::{Strategy, any};
use proptest::{prop_assert, prop_assert_eq, proptest};
use tesuji_core::{Actor, Address, Drawing, Horizon, Notation, Policy, Uniform, legal_actions, perft_table};

use super::*;
use crate::zero_sum;

fn try_open(address: &str) -> Result<Matrix, InputError> {
    let address: Address = address.parse().unwrap();
    (ENTRY.open)(&Arguments::bind(&address, ENTRY.parameters).unwrap())
}

fn open(address: &str) -> Matrix {
    try_open(address).unwrap()
}

fn parsed(text: &str) -> Result<Matrix, InputError> {
    Ok(Matrix::new("matrix(test.toml)".to_owned(), file::parse(&Source::new("test.toml", text))?, 1))
}

/// Both payoffs in each cell.
fn payoffs(game: &Matrix) -> Vec<Vec<[f64; 2]>> {
    let [rows, columns] = [0, 1].map(|seat| legal_actions(game, &game.start(), Actor::Player(Player(seat))));
    let entry = |row, column| {
        let mut state = game.start();
        game.apply(&mut state, &[row, column]);
        assert_eq!(game.turn(&state), Turn::Over);
        [0, 1].map(|seat| game.payoff(&state, Player(seat)))
    };
    rows.iter().map(|&row| columns.iter().map(|&column| entry(row, column)).collect()).collect()
}

#[test]
fn the_bundled_tables_are_what_their_names_say() {
    let dilemma = open("matrix(prisoners-dilemma)");
    assert_eq!(payoffs(&dilemma), [[[0.6, 0.6], [0.1, 0.8]], [[0.8, 0.1], [0.3, 0.3]]]);
    assert_eq!(dilemma.spec.features, Features::SIMULTANEOUS | Features::GENERAL_SUM);
    assert_eq!(payoffs(&open("matrix(stag-hunt)")), [[[4.0, 4.0], [0.0, 3.0]], [[3.0, 0.0], [3.0, 3.0]]]);
    for name in ["rock-paper-scissors", "matching-pennies"] {
        let game = open(&format!("matrix({name})"));
        assert_eq!(game.spec.features, Features::SIMULTANEOUS);
        let own: Vec<Vec<f64>> =
            payoffs(&game).into_iter().map(|row| row.into_iter().map(|[first, _]| first).collect()).collect();
        let solution = zero_sum::solve(&own);
        assert!(solution.value.abs() < 1e-12, "{name}");
        assert!(solution.rows.iter().all(|share| (share - 1.0 / own.len() as f64).abs() < 1e-12), "{name}");
    }
    for (name, _) in BUNDLED {
        assert!(open(&format!("matrix({name},repeat=2)")).table.title.is_some());
    }
}

/// The mean over the outcomes of chance equals the entry, for each cell and player.
#[test]
fn noise_keeps_the_means() {
    for name in ["prisoners-dilemma", "stag-hunt", "rock-paper-scissors"] {
        let exact = payoffs(&open(&format!("matrix({name},none)")));
        let noisy = open(&format!("matrix({name},bernoulli)"));
        for (row, entries) in exact.iter().enumerate() {
            for (column, entry) in entries.iter().enumerate() {
                let mut state = noisy.start();
                noisy.apply(&mut state, &[row as u8, column as u8]);
                assert_eq!(noisy.turn(&state), Turn::Chance);
                let mut outcomes = Vec::new();
                noisy.chance(&state, &mut outcomes);
                let mut means = [0.0, 0.0];
                for (outcome, probability) in outcomes {
                    let mut end = state.clone();
                    noisy.apply(&mut end, &[outcome]);
                    assert_eq!(noisy.turn(&end), Turn::Over);
                    for (seat, mean) in means.iter_mut().enumerate() {
                        let payoff = noisy.payoff(&end, Player(seat as u8));
                        assert!(payoff == noisy.spec.payoffs.0 || payoff == noisy.spec.payoffs.1, "{name}: {payoff}");
                        *mean += probability * payoff;
                    }
                }
                for (mean, expected) in means.iter().zip(entry) {
                    assert!((mean - expected).abs() < 1e-12, "{name} {row} {column}: {means:?} {entry:?}");
                }
            }
        }
    }
}

#[test]
fn draws_of_noise_are_independent_in_a_bimatrix_and_coupled_in_a_constant_sum() {
    let outcomes = |address: &str, joint: [u8; 2]| {
        let game = open(address);
        let mut state = game.start();
        game.apply(&mut state, &joint);
        let mut outcomes = Vec::new();
        game.chance(&state, &mut outcomes);
        let text = |outcome| game.action_text(&state, Actor::Chance, outcome);
        outcomes.into_iter().map(|(outcome, share)| (text(outcome), share)).collect::<HashMap<_, _>>()
    };
    let dilemma = outcomes("matrix(prisoners-dilemma,bernoulli)", [0, 1]);
    assert_eq!(dilemma.len(), 4);
    assert!((dilemma["high low"] - 0.1 * 0.2).abs() < 1e-12 && (dilemma["low high"] - 0.9 * 0.8).abs() < 1e-12);
    let draw = outcomes("matrix(rock-paper-scissors,bernoulli)", [0, 0]);
    assert_eq!(draw, [("high low".to_owned(), 0.5), ("low high".to_owned(), 0.5)].into());
    let win = outcomes("matrix(rock-paper-scissors,bernoulli)", [1, 0]);
    assert_eq!(win, [("high low".to_owned(), 1.0)].into());
}

/// Ten rounds added in plain floating point.
#[test]
fn repeated_play_pays_the_mean() {
    let once = payoffs(&open("matrix(prisoners-dilemma)"));
    let game = open("matrix(prisoners-dilemma,repeat=10)");
    let mut rng = Rng::new(2);
    for _ in 0..50 {
        let mut state = game.start();
        let mut sums = [0.0, 0.0];
        for round in 0..10 {
            assert_eq!((game.turn(&state), state.settled), (Turn::Simultaneous(Players::BOTH), round));
            let joint = [0, 1].map(|seat| game.random_action(&state, Player(seat), &mut rng, &mut Vec::new()));
            game.apply(&mut state, &joint);
            let entry = once[usize::from(joint[0])][usize::from(joint[1])];
            sums = [sums[0] + entry[0], sums[1] + entry[1]];
        }
        assert_eq!(game.turn(&state), Turn::Over);
        for (seat, sum) in sums.into_iter().enumerate() {
            assert!((game.payoff(&state, Player(seat as u8)) - sum / 10.0).abs() < 1e-9);
        }
    }
}

#[test]
fn perft() {
    assert_eq!(perft_table(&open("matrix(rock-paper-scissors,repeat=3)"), 4), [9, 81, 729, 0]);
    // Four joint choices with four outcomes each.
    assert_eq!(perft_table(&open("matrix(prisoners-dilemma,bernoulli,2)"), 4), [4, 16, 64, 256]);
    // Three draws with two outcomes, six decided cells with one.
    assert_eq!(perft_table(&open("matrix(rock-paper-scissors,bernoulli)"), 2), [9, 12]);
}

#[test]
fn wrong_files_are_refused_with_place_and_reason() {
    let head = "actions = [[\"a\", \"b\"], [\"c\", \"d\"]]\n";
    for (text, expected) in [
        ("", "missing field `actions`"),
        (head, "missing field `payoffs`"),
        ("x = ", "test.toml:1:"),
        ("actions = [[\"a\"]]\npayoffs = [[1]]", "test.toml:1:11: expected the actions of 2 players, found 1 lists"),
        ("actions = [[], [\"c\"]]\npayoffs = []", "test.toml:1:12: expected 1 to 200 actions, found 0"),
        ("actions = [[\"a\", \"a\"], [\"c\"]]\npayoffs = []", "test.toml:1:18: `a` stands twice"),
        ("actions = [[\" a\"], [\"c\"]]\npayoffs = []", "test.toml:1:13: expected a name"),
        ("actions = [[\"#a\"], [\"c\"]]\npayoffs = []", "test.toml:1:13: expected a name"),
        ("actions = [[\"a\"], [\"\"]]\npayoffs = []", "expected a name"),
        (&format!("{head}payoffs = []"), "test.toml:2:11: expected 2 rows"),
        (&format!("{head}payoffs = [[1, 2], [3]]"), "test.toml:2:20: expected 2 payoffs"),
        (&format!("{head}payoffs = [[1, 2], [3, nan]]"), "test.toml:2:24: expected a payoff"),
        (&format!("{head}payoffs = [[1, 2], [3, -inf]]"), "test.toml:2:24: expected a payoff"),
        (&format!("{head}payoffs = [[1, 2], [3, 1e7]]"), "expected a payoff from -1000000 to 1000000, found 10000000"),
        (&format!("{head}payoffs = [[1, 2], [3, \"x\"]]"), "test.toml:2:24:"),
        (&format!("{head}payoffs = [[1, 2], [3, 4]]\nsecond_payoffs = [[1, 2]]"), "test.toml:3:18: expected 2 rows"),
        (&format!("{head}payoffs = [[1, 2], [3, 4]]\npayofs = 1"), "test.toml:3:1: unknown field `payofs`"),
        (
            &format!("{head}payoffs = [[1, 2], [3, 4]]\nnoise = \"loud\""),
            "expected `none` or `bernoulli`, found `loud`",
        ),
        (&format!("{head}payoffs = [[1, 2], [3, 4]]\nrange = [0, 1]"), "which go from -4 to 4"),
        (&format!("{head}payoffs = [[1, 2], [3, 4]]\nrange = [0]"), "expected 2 numbers, found 1"),
        (&format!("{head}payoffs = [[1, 2], [3, 4]]\nplayers = [\"x\"]"), "expected 2 players, found 1"),
    ] {
        let error = parsed(text).expect_err(text).to_string();
        assert!(error.contains(expected), "{text}\n{error}");
        assert!(error.starts_with("test.toml:"), "{text}\n{error}");
    }
}

#[test]
fn wrong_addresses_are_refused() {
    for (address, expected) in [
        ("matrix(rock-paper-scisors)", "did you mean `rock-paper-scissors`?"),
        ("matrix(/no/such/file.toml)", "/no/such/file.toml: cannot be read"),
        ("matrix(/)", "/: expected a file of at most 8 MiB"),
        ("matrix(noise=loud)", "one of file, none, bernoulli"),
        ("matrix(repeat=0)", "from 1 to 1000"),
    ] {
        let error = try_open(address).unwrap_err();
        assert!(error.to_string().contains(expected), "{address}: {error}");
    }
}

#[test]
fn a_file_is_read_by_its_path() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/matrix/stag-hunt.toml");
    let game = open(&format!("matrix(\"{path}\")"));
    assert_eq!(game.table, open("matrix(stag-hunt)").table);
    let again = open(&game.spec.name);
    assert_eq!(again.spec, game.spec);
}

#[test]
fn wrong_states_are_refused() {
    let game = open("matrix(rock-paper-scissors,repeat=3)");
    for (text, expected) in [
        ("", "expected `settled=`"),
        ("settled=4 totals=0,0 last=0,0", "a round from 0 to 3"),
        ("settled=1 totals=0 last=0,0", "is not two sums"),
        ("settled=1 totals=0.0000000001,0 last=0,0", "is not two sums"),
        ("settled=1 totals=2,-2 last=0,0", "a sum lies from -1 to 1"),
        ("settled=1 totals=1,1 last=0,0", "do not add up"),
        ("settled=1 totals=1,-1 last=0,3", "not a pair of actions"),
        ("settled=1 totals=1,-1 last=-", "missing, or given before"),
        ("settled=0 totals=0,0 last=0,0", "missing, or given before"),
        ("settled=1 totals=1,-1 last=0,0 open", "nothing to settle"),
        ("settled=1 totals=1,-1 last=0,0 x", "expected `open`"),
    ] {
        let error = game.parse_state(text).unwrap_err();
        assert!(error.to_string().contains(expected), "{text}: {error}");
    }
}

/// A random table as a file's text.
fn any_file() -> impl Strategy<Value = String> {
    (1usize..7, 1usize..7).prop_flat_map(|(height, width)| {
        let numbers = proptest::collection::vec(-1000i32..1000, 2 * height * width);
        (numbers, any::<bool>(), any::<bool>()).prop_map(move |(numbers, bimatrix, noisy)| {
            let names = |count: usize| (0..count).map(|index| format!("\"a{index}\"")).collect::<Vec<_>>().join(",");
            let rows = |numbers: &[i32]| {
                let row = |row: &[i32]| {
                    let entries: Vec<String> =
                        row.iter().map(|&number| (f64::from(number) / 8.0).to_string()).collect();
                    format!("[{}]", entries.join(","))
                };
                numbers.chunks(width).map(row).collect::<Vec<_>>().join(",")
            };
            let (first, second) = numbers.split_at(height * width);
            let second = if bimatrix { format!("second_payoffs = [{}]\n", rows(second)) } else { String::new() };
            let noise = if noisy { "bernoulli" } else { "none" };
            format!(
                "actions = [[{}],[{}]]\npayoffs = [{}]\n{second}noise = \"{noise}\"\n",
                names(height),
                names(width),
                rows(first)
            )
        })
    })
}

proptest! {
    #[test]
    fn any_table_can_be_played_written_and_drawn(text in any_file(), seed: u64) {
        let game = parsed(&text).unwrap();
        let mut state = game.start();
        let mut rng = Rng::new(seed);
        Uniform::default().play_out(&game, &mut state, &mut rng, Horizon::steps(1));
        prop_assert_eq!(&game.parse_state(&game.state_text(&state)).unwrap(), &state);
        prop_assert!(game.draw(&state).areas.len() >= 2);
        Uniform::default().play_out(&game, &mut state, &mut rng, Horizon::END);
        let payoff = game.payoff(&state, Player(1));
        prop_assert!((game.spec.payoffs.0..=game.spec.payoffs.1).contains(&payoff));
        prop_assert_eq!(game.parse_state(&game.state_text(&state)).unwrap(), state);
    }

    #[test]
    fn any_text_is_a_table_or_an_error(text in "(actions|payoffs|noise|range) = [\\[\\]\"a,0-9.]{0,12}|.{0,40}") {
        let _ = parsed(&text);
    }

    #[test]
    fn any_bytes_are_a_table_or_an_error(bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
        let _ = parsed(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn any_text_is_a_state_or_an_error(
        text in "settled=[0-9] totals=-?[0-9]{1,22}(\\.[0-9]{1,10})?,-?[0-9.]{1,5} last=[-0-9,]{1,3}( open)?|.{0,30}",
    ) {
        let game = open("matrix(stag-hunt,bernoulli,3)");
        if let Ok(state) = game.parse_state(&text) {
            prop_assert_eq!(game.parse_state(&game.state_text(&state)).unwrap(), state);
        }
    }
}

/// The largest table allowed is drawn without numbers and can still be clicked.
#[test]
fn large_tables_can_be_drawn() {
    let names: Vec<String> = (0..200).map(|index| format!("\"n{index}\"")).collect();
    let row = format!("[{}]", vec!["1"; 200].join(","));
    let text = format!("actions = [[{0}],[{0}]]\npayoffs = [{1}]", names.join(","), vec![row; 200].join(","));
    let game = parsed(&text).unwrap();
    assert_eq!(game.draw(&game.start()).areas.len(), 400);
}

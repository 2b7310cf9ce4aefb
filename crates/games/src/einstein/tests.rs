//! EinStein würfelt nicht! compared with a plain twin on a grid, and its texts.

use std::collections::BTreeSet;

use proptest::prelude::*;
use tesuji_core::{
    Actor, Arguments, Game, InputError, Knowledge, Notation, Player, Rng, Turn, legal_actions, perft_table,
};

use super::{Action, ENTRY, Einstein, PERMUTATIONS};

fn try_open(address: &str) -> Result<Einstein, InputError> {
    (ENTRY.open)(&Arguments::bind(&address.parse()?, ENTRY.parameters)?)
}

fn open(address: &str) -> Einstein {
    try_open(address).unwrap()
}

/// A plain implementation of the rules, one cell at a time: a grid of (side, number).
#[derive(Clone)]
struct Twin {
    grid: [[Option<(usize, u8)>; 5]; 5],
    mover: usize,
    winner: Option<usize>,
}

impl Twin {
    /// Stones of black and white, row by row over their corners.
    fn new(black: &str, white: &str, mover: usize) -> Twin {
        let mut twin = Twin { grid: [[None; 5]; 5], mover, winner: None };
        let (mut black, mut white) = (black.bytes(), white.bytes());
        for (row, column) in (0..5).flat_map(|row| (0..5).map(move |column| (row, column))) {
            twin.grid[row][column] = match row + column {
                0..=2 => black.next().map(|digit| (0, digit - b'0')),
                6.. => white.next().map(|digit| (1, digit - b'0')),
                _ => None,
            };
        }
        twin
    }

    fn stones(&self, side: usize) -> Vec<(u8, usize, usize)> {
        let cells = (0..5).flat_map(|row| (0..5).map(move |column| (row, column)));
        let mut stones: Vec<(u8, usize, usize)> = cells
            .filter_map(|(row, column)| {
                let (owner, number) = self.grid[row][column]?;
                (owner == side).then_some((number, row, column))
            })
            .collect();
        stones.sort_unstable();
        stones
    }

    /// The texts of the moves for a face.
    fn moves(&self, face: u8) -> BTreeSet<String> {
        let stones = self.stones(self.mover);
        let movable: Vec<_> = match stones.iter().find(|stone| stone.0 == face) {
            Some(&stone) => vec![stone],
            None => {
                let below = stones.iter().filter(|stone| stone.0 < face).max();
                let above = stones.iter().filter(|stone| stone.0 > face).min();
                below.into_iter().chain(above).copied().collect()
            }
        };
        let mut texts = BTreeSet::new();
        for (number, row, column) in movable {
            for (name, dr, dc) in WAYS[self.mover] {
                if (0..5).contains(&(row as i32 + dr)) && (0..5).contains(&(column as i32 + dc)) {
                    texts.insert(format!("{number} {name}"));
                }
            }
        }
        texts
    }

    fn play(&mut self, text: &str) {
        let (number, name) = text.split_once(' ').unwrap();
        let (_, dr, dc) = WAYS[self.mover].into_iter().find(|way| way.0 == name).unwrap();
        let stones = self.stones(self.mover);
        let &(_, row, column) = stones.iter().find(|stone| stone.0.to_string() == number).unwrap();
        let (to_row, to_column) = ((row as i32 + dr) as usize, (column as i32 + dc) as usize);
        self.grid[to_row][to_column] = self.grid[row][column].take();
        let goal = [(4, 4), (0, 0)][self.mover];
        if (to_row, to_column) == goal || self.stones(1 - self.mover).is_empty() {
            self.winner = Some(self.mover);
        }
        self.mover = 1 - self.mover;
    }

    /// The number of paths of `depth` steps that begin with a roll.
    fn paths(&self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            _ if self.winner.is_some() => 0,
            1 => 6,
            2 => (1..=6).map(|face| self.moves(face).len() as u64).sum(),
            _ => (1..=6)
                .flat_map(|face| self.moves(face))
                .map(|text| {
                    let mut next = self.clone();
                    next.play(&text);
                    next.paths(depth - 2)
                })
                .sum(),
        }
    }
}

const WAYS: [[(&str, i32, i32); 3]; 2] =
    [[("e", 0, 1), ("s", 1, 0), ("se", 1, 1)], [("w", 0, -1), ("n", -1, 0), ("nw", -1, -1)]];

#[test]
fn the_engine_agrees_with_its_twin_on_random_play() {
    let mut rng = Rng::new(17);
    for address in ["einstein", "einstein(first=black)"] {
        let game = open(address);
        for _ in 0..300 {
            let mut state = game.start();
            let mut placed = Vec::new();
            for _ in 0..2 {
                let outcome = game.random_outcome(&state, &mut rng);
                placed.push(game.action_text(&state, Actor::Chance, outcome).replace("place ", ""));
                game.apply(&mut state, &[outcome]);
            }
            let mut twin = Twin::new(&placed[0], &placed[1], usize::from(address == "einstein"));
            while game.turn(&state) != Turn::Over {
                assert_eq!((game.turn(&state), twin.winner), (Turn::Chance, None));
                let outcome = game.random_outcome(&state, &mut rng);
                let Action::Roll(face) = outcome else { panic!("{outcome:?} is no roll") };
                game.apply(&mut state, &[outcome]);
                assert_eq!(game.turn(&state), Turn::Player(Player(twin.mover as u8)));
                let actor = Actor::Player(Player(twin.mover as u8));
                let actions = legal_actions(&game, &state, actor);
                let texts: Vec<String> =
                    actions.iter().map(|&action| game.action_text(&state, actor, action)).collect();
                assert_eq!(
                    texts.iter().cloned().collect::<BTreeSet<_>>(),
                    twin.moves(face),
                    "{}",
                    game.board_text(&state)
                );
                let pick = rng.below(actions.len());
                game.apply(&mut state, &[actions[pick]]);
                twin.play(&texts[pick]);
                for (cell, found) in twin.grid.iter().flatten().enumerate() {
                    let stone = state.stone_on(cell as u8).map(|(side, stone)| (side, stone + 1));
                    assert_eq!(stone, *found, "{}", game.board_text(&state));
                }
            }
            let winner = twin.winner.unwrap();
            assert_eq!(game.payoff(&state, Player(winner as u8)), 1.0);
            assert_eq!(game.payoff(&state, Player(1 - winner as u8)), 0.0);
        }
    }
}

#[test]
fn perft() {
    // 6! placements of Black, then 6! of White.
    assert_eq!(perft_table(&open("einstein"), 2), [720, 518_400]);
    let game = open("einstein(fixed)");
    assert_eq!(perft_table(&game, 6), PERFT);
    let twin = Twin::new("123456", "654321", 1);
    assert_eq!((1..=6).map(|depth| twin.paths(depth)).collect::<Vec<_>>(), PERFT);
    // Few stones, and matches that end within the depth.
    let game = open("einstein");
    let state = game.parse_state("....B2..../..W5....../....B6..../......B1../....W1W3.. white rolls").unwrap();
    let counts: Vec<u64> = (1..=7).map(|depth| tesuji_core::perft(&game, &state, depth)).collect();
    let mut twin = Twin::new("", "", 1);
    for (row, column, stone) in
        [(0, 2, (0, 2)), (1, 1, (1, 5)), (2, 2, (0, 6)), (3, 3, (0, 1)), (4, 2, (1, 1)), (4, 3, (1, 3))]
    {
        twin.grid[row][column] = Some(stone);
    }
    assert_eq!((1..=7).map(|depth| twin.paths(depth)).collect::<Vec<_>>(), counts);
    assert_eq!(counts, PERFT_FEW);
}

const PERFT: [u64; 6] = [6, 18, 108, 324, 1944, 6162];
const PERFT_FEW: [u64; 7] = [6, 24, 126, 567, 3294, 12066, 62082];

/// The face of a captured stone moves the next lower or next higher remaining stone, and only one of them at the ends.
#[test]
fn the_nearest_stones_stand_in() {
    let game = open("einstein");
    let texts = |face: u8| {
        let text = format!("..B2....../......B5../....W4..../........../.......... black moves {face}");
        let state = game.parse_state(&text).unwrap();
        let actor = Actor::Player(Player(0));
        let actions = legal_actions(&game, &state, actor);
        actions.into_iter().map(|action| game.action_text(&state, actor, action)).collect::<Vec<_>>().join(", ")
    };
    assert_eq!(texts(1), "2 e, 2 s, 2 se");
    assert_eq!(texts(4), "2 e, 2 s, 2 se, 5 e, 5 s, 5 se");
    assert_eq!(texts(5), "5 e, 5 s, 5 se");
    assert_eq!(texts(6), "5 e, 5 s, 5 se");
}

#[test]
fn a_stone_takes_what_it_meets_and_the_last_one_decides() {
    let game = open("einstein");
    let after = |text: &str, words: &str| {
        let mut state = game.parse_state(text).unwrap();
        for word in words.split(", ") {
            let actor = game.turn(&state).actors().next().unwrap();
            let action = game.parse_action(&state, actor, word).unwrap();
            game.apply(&mut state, &[action]);
        }
        game.state_text(&state)
    };
    let text = "B1B2....../....W4..../........../........../.......... black rolls";
    assert_eq!(after(text, "1, 1 e"), "..B1....../....W4..../........../........../.......... white rolls");
    assert_eq!(after(text, "2, 2 se"), "B1......../....B2..../........../........../.......... black won");
    let text = "....B2..../..W4....../........../........../.......... white rolls";
    assert_eq!(after(text, "6, 4 nw"), "W4..B2..../........../........../........../.......... white won");
}

#[test]
fn permutations_are_all_there_in_order() {
    assert!(PERMUTATIONS.is_sorted());
    let distinct: BTreeSet<_> = PERMUTATIONS.iter().collect();
    assert_eq!(distinct.len(), 720);
    assert!(PERMUTATIONS.iter().all(|order| (0..6).all(|stone| order.contains(&stone))));
}

#[test]
fn errors_say_what_was_expected() {
    for address in ["einstein(123456)", "einstein(123456/123455)", "einstein(1234567/123456)", "einstein(randm)"] {
        let error = try_open(address).unwrap_err();
        assert!(error.to_string().contains("random, fixed or the stones"), "{address}: {error}");
    }
    let empty = "........../........../........../........../..........";
    let game = open("einstein");
    for (text, expected) in [
        ("", "expected five rows, found 1"),
        ("..../..../.../.../...", "expected ten characters in row 1, found 4"),
        ("B7......../........../........../........../.......... black rolls", "state:1:1: `B7`: expected B1 to B6"),
        ("B1..B1..../........../........../........../.......... black rolls", "state:1:5: `B1`: this stone stands"),
        (empty, "expected the next step, such as `black rolls`, found nothing"),
        (&format!("{empty} black moves 7"), "found `black moves 7`"),
        (&format!("{empty} black rolls"), "has won already"),
        (&format!("{empty} place white"), "expected black's six stones"),
        ("B1......../........../........../........../.......... place black", "expected an empty board"),
        ("B1W1....../........../........../........../.......... black won", "black has not won"),
        ("W1B1....../........../........../........../.......... black rolls", "white has won already"),
    ] {
        let error = game.parse_state(text).unwrap_err();
        assert!(error.to_string().contains(expected), "{text}: {error}");
    }
    let error = open("einstein(fixed)").parse_state(&format!("{empty} place black")).unwrap_err();
    assert!(error.to_string().contains("no placement by chance"), "{error}");
}

proptest! {
    #[test]
    fn any_text_is_a_state_or_an_error(text in ".{0,80}", rows in "([BW.][.1-7]){25}", tail in "[ a-z0-9]{0,16}") {
        let game = open("einstein");
        let _ = game.parse_state(&text);
        let lines: Vec<&str> = (0..5).map(|row| &rows[10 * row..10 * row + 10]).collect();
        let _ = game.parse_state(&format!("{} {tail}", lines.join("/")));
        let _ = game.parse_state(&format!("{} black rolls", lines.join("/")));
    }

    #[test]
    fn any_setup_is_a_game_or_an_error(setup in "[0-9a-z/]{1,14}") {
        let _ = try_open(&format!("einstein({setup})"));
    }
}

/// Both players see a symmetric position alike, so one network serves both.
#[test]
fn the_features_of_a_symmetric_start_are_the_same_for_both() {
    let seen = |first: &str, player: Player| {
        let game = open(&format!("einstein(fixed,first={first})"));
        let features = game.value_features().unwrap();
        assert_eq!(features.viewer(&game, &game.start()), player);
        let mut active = Vec::new();
        features.active(&game, &game.start(), player, &mut active);
        active.sort_unstable();
        active
    };
    let black = seen("black", Player(0));
    assert_eq!(black, seen("white", Player(1)));
    // Three for each of twelve stones, two sets of stones, one pair of distances.
    assert_eq!(black.len(), 39);
}

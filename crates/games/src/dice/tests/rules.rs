//! The rules compared with a plain twin on a grid of symbols.

use std::collections::BTreeMap;

use proptest::prelude::*;
use tesuji_core::{Actor, Game, Notation, Player, Rng, Turn, legal_actions, perft_table};

use super::super::board::{Board, DIRECTIONS};
use super::super::{Action, Dice, ENTRY, Phase};
use super::open;

/// A plain implementation of the rules, one cell at a time.
#[derive(Clone)]
struct Twin {
    grid: Vec<Vec<char>>,
    mover: usize,
    moves: usize,
    limit: usize,
    ban: bool,
}

impl Twin {
    fn new(game: &Dice, limit: usize) -> Twin {
        let text = game.state_text(&game.start());
        let mut words = text.split(' ');
        let grid = words.next().unwrap().split('/').map(|row| row.chars().collect()).collect();
        let mover = usize::from(words.next() == Some("white"));
        Twin { grid, mover, moves: 0, limit, ban: text.ends_with("ban") }
    }

    fn get(&self, row: i32, column: i32) -> char {
        let cell = usize::try_from(row).ok().zip(usize::try_from(column).ok());
        cell.and_then(|(row, column)| self.grid.get(row)?.get(column).copied()).unwrap_or('#')
    }

    fn owner(symbol: char) -> Option<usize> {
        symbol.is_ascii_alphabetic().then(|| usize::from(symbol.is_ascii_uppercase()))
    }

    fn moves(&self) -> BTreeMap<Move, BTreeMap<i32, u32>> {
        let mut found = BTreeMap::new();
        let size = self.grid.len() as i32;
        for (row, column) in (0..size).flat_map(|row| (0..size).map(move |column| (row, column))) {
            let piece = self.get(row, column);
            if Twin::owner(piece) != Some(self.mover) {
                continue;
            }
            for (dr, dc) in (-1..=1).flat_map(|dr| (-1..=1).map(move |dc| (dr, dc))) {
                if (dr, dc) == (0, 0) || self.ban && dr * dc != 0 && piece.eq_ignore_ascii_case(&'k') {
                    continue;
                }
                let mut landings = BTreeMap::new();
                for face in 1..=6 {
                    let mut distance = 0;
                    while distance < face && self.get(row + (distance + 1) * dr, column + (distance + 1) * dc) == '.' {
                        distance += 1;
                    }
                    *landings.entry(distance).or_insert(0) += 1;
                }
                if !landings.contains_key(&0) {
                    found.insert(((row, column), (dr, dc)), landings);
                }
            }
        }
        found
    }

    fn play(&mut self, ((row, column), (dr, dc)): Move, distance: i32) {
        let piece = std::mem::replace(&mut self.grid[row as usize][column as usize], '.');
        self.grid[(row + distance * dr) as usize][(column + distance * dc) as usize] = piece;
        self.ban = false;
        self.mover = 1 - self.mover;
        self.moves += 1;
    }

    /// Whether at least three pieces of `side` including its king stand in a row, in any of four directions.
    fn has_line(&self, side: usize) -> bool {
        let size = self.grid.len() as i32;
        let starts = (0..size).flat_map(|row| (0..size).map(move |column| (row, column)));
        starts.flat_map(|start| [(0, 1), (1, 0), (1, 1), (1, -1)].map(|step| (start, step))).any(
            |((row, column), (dr, dc))| {
                let run: String = (0..size)
                    .map(|distance| self.get(row + distance * dr, column + distance * dc))
                    .take_while(|&symbol| Twin::owner(symbol) == Some(side))
                    .collect();
                run.len() >= 3 && run.to_ascii_lowercase().contains('k')
            },
        )
    }

    fn is_over(&self) -> bool {
        self.has_line(0) || self.has_line(1) || self.moves >= self.limit || self.moves().is_empty()
    }

    fn paths(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        if self.is_over() {
            return 0;
        }
        let moves = self.moves();
        if depth == 1 {
            return moves.len() as u64;
        }
        let landings = moves.iter().flat_map(|(&action, landings)| landings.keys().map(move |&cells| (action, cells)));
        landings
            .map(|(action, cells)| {
                let mut next = self.clone();
                next.play(action, cells);
                next.paths(depth - 2)
            })
            .sum()
    }
}

/// A piece (row, column) and a direction (row, column).
type Move = ((i32, i32), (i32, i32));

fn as_move(action: Action) -> Move {
    let Action::Slide { from, direction } = action else { panic!("{action:?} is no choice") };
    let way = &DIRECTIONS[usize::from(direction)];
    ((i32::from(from / 8), i32::from(from % 8)), (way.row, way.column))
}

const ADDRESSES: [(&str, usize); 5] = [
    ("dice7", 200),
    ("dice7(size=5)", 200),
    ("dice7(size=8,ban=off,first=white)", 200),
    ("dice7(size=6,walls=none)", 200),
    ("dice7(layout=\"k#mM/..../.#../mM.K\",limit=30)", 30),
];

#[test]
fn the_engine_agrees_with_its_twin_on_random_play() {
    let mut rng = Rng::new(11);
    for (address, limit) in ADDRESSES {
        let game = open(address);
        for _ in 0..40 {
            let mut state = game.start();
            let mut twin = Twin::new(&game, limit);
            while game.turn(&state) != Turn::Over {
                assert!(!twin.is_over(), "{state:?}");
                assert_eq!(game.turn(&state), Turn::Player(Player(twin.mover as u8)));
                let actions = legal_actions(&game, &state, Actor::Player(Player(state.mover)));
                let expected = twin.moves();
                let mut found: Vec<Move> = actions.iter().map(|&action| as_move(action)).collect();
                found.sort_unstable();
                assert_eq!(found, expected.keys().copied().collect::<Vec<_>>(), "{}", game.board_text(&state));
                let action = actions[rng.below(actions.len())];
                game.apply(&mut state, &[action]);
                assert_eq!(game.turn(&state), Turn::Chance);
                let mut outcomes = Vec::new();
                game.chance(&state, &mut outcomes);
                let landings = &expected[&as_move(action)];
                assert_eq!(outcomes.len(), landings.len());
                for &(outcome, probability) in &outcomes {
                    let Action::Advance(cells) = outcome else { panic!("{outcome:?} is no outcome") };
                    let faces = landings[&i32::from(cells)];
                    assert!((probability - f64::from(faces) / 6.0).abs() < 1e-12);
                }
                let outcome = outcomes[rng.below(outcomes.len())].0;
                let Action::Advance(cells) = outcome else { unreachable!() };
                twin.play(as_move(action), i32::from(cells));
                game.apply(&mut state, &[outcome]);
            }
            assert!(twin.is_over(), "{state:?}");
            for side in 0..2 {
                let expected = match (twin.has_line(side), twin.has_line(1 - side)) {
                    (true, _) => 1.0,
                    (_, true) => 0.0,
                    _ => 0.5,
                };
                assert_eq!(game.payoff(&state, Player(side as u8)), expected);
            }
        }
    }
}

#[test]
fn perft() {
    let pinned: [(&str, usize, &[u64]); 3] = [
        ("dice7", 200, &PERFT_7),
        ("dice7(size=5)", 200, &PERFT_5),
        ("dice7(layout=\"k#mM/..../.#../mM.K\",limit=30)", 30, &PERFT_4),
    ];
    for (address, limit, expected) in pinned {
        let game = open(address);
        assert_eq!(perft_table(&game, expected.len() as u32), expected, "{address}");
        let twin = Twin::new(&game, limit);
        let counted: Vec<u64> = (1..=expected.len() as u32).map(|depth| twin.paths(depth)).collect();
        assert_eq!(counted, expected, "{address}: the twin");
    }
}

const PERFT_7: [u64; 6] = [20, 40, 836, 1668, 35572, 72768];
const PERFT_5: [u64; 7] = [12, 14, 174, 236, 2948, 4740, 58826];
const PERFT_4: [u64; 8] = [5, 10, 79, 115, 737, 1147, 9168, 12665];

/// On a crowded custom board, a player without a move ends the match as a draw.
#[test]
fn a_player_without_a_move_draws() {
    let game = open("dice7(layout=\"km.M./M##../##.../...../...K.\",ban=off)");
    let state = game.parse_state("kmM../M##../##.../...../...K. black 7").unwrap();
    assert_eq!(state.phase, Phase::Over);
    assert_eq!((game.payoff(&state, Player(0)), game.payoff(&state, Player(1))), (0.5, 0.5));
}

/// Two ways to the same placement give the same state: men are indistinguishable.
#[test]
fn men_are_alike() {
    let game = open("dice7(layout=\"k.../m..m/M..M/...K\",ban=off)");
    let play = |text: &str| {
        let mut state = game.start();
        for word in text.split(", ") {
            let actor = game.turn(&state).actors().next().unwrap();
            let action = game.parse_action(&state, actor, word).unwrap();
            game.apply(&mut state, &[action]);
        }
        state
    };
    // Black's men from a2 and d2 move to b2 and c2, swapped in the second line of play.
    let straight = play("a2 e, 1, d4 w, 1, d2 w, 1, c4 e, 1, b2 n, 1, d4 w, 1, b1 s, 1, c4 e, 1");
    let crossed = play("a2 ne, 1, d4 w, 1, b1 se, 1, c4 e, 1, d2 sw, 1, d4 w, 1, c3 nw, 1, c4 e, 1");
    assert_eq!(game.state_text(&straight), "k.../.mm./M..M/...K black 8");
    assert_eq!(straight, crossed);
}

proptest! {
    #[test]
    fn runs_and_rooms_agree(from in 0u8..64, direction in 0usize..8, occupied: u64, walls: u64) {
        let board = Board::new(8, walls & !(1 << from));
        let ray = board.run(from, direction, 0);
        prop_assert_eq!(board.run(from, direction, ray), 0, "a taken ray has no run");
        // The first cell of the ray, if any, is the one that a step reaches.
        let first = i32::from(from) + DIRECTIONS[direction].step();
        let occupied = if ray == 0 { occupied } else { occupied & !(1 << first) };
        let room = board.room(from, direction, occupied);
        prop_assert_eq!(board.run(from, direction, occupied).count_ones(), u32::from(room));
    }
}

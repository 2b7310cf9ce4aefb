//! The dice game against a plain twin on a grid of symbols, the facts of the paper, and its texts.

use std::collections::BTreeMap;

use proptest::prelude::*;
use tesuji_core::{
    Actor, Arguments, Game, InputError, Knowledge, Notation, Player, Rng, Turn, laws, legal_actions, perft_table,
};

use super::board::{Board, DIRECTIONS};
use super::{Action, Dice, ENTRY, Phase, State};

fn try_open(address: &str) -> Result<Dice, InputError> {
    (ENTRY.open)(&Arguments::bind(&address.parse()?, ENTRY.parameters)?)
}

fn open(address: &str) -> Dice {
    try_open(address).unwrap()
}

fn at(row: u8, column: u8) -> u8 {
    8 * row + column
}

/// The rules once more, a cell at a time.
#[derive(Clone)]
struct Twin {
    grid: Vec<Vec<char>>,
    mover: usize,
    moves: usize,
    limit: usize,
    ban: bool,
}

/// A piece (row, column), a direction (row, column), and the number of cells moved with its faces of six.
type Move = ((i32, i32), (i32, i32));

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

    /// A run of at least three pieces of `side` with its king among them, in any of four directions.
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

#[test]
fn the_laws_hold() {
    for address in ENTRY.examples {
        let report = laws::check(&open(address), 5).unwrap_or_else(|violation| panic!("{address}: {violation}"));
        assert!(report.states > 50, "{address}: {report:?}");
    }
}

/// Section 2: 1.56·10¹³ positions, which is 44!/(34!·4!·4!).
#[test]
fn the_board_has_the_papers_number_of_placements() {
    let game = open("dice7");
    let cells = u128::from(game.board.free.count_ones());
    assert_eq!(cells, 44);
    let falling: u128 = (0..10).map(|used| cells - used).product();
    assert_eq!(falling / (24 * 24), 15_631_917_701_400);
    let start = game.start().pieces;
    assert_eq!(start.all.map(u64::count_ones), [5, 5]);
    let half_turn = |set: u64| set.reverse_bits() >> at(1, 1);
    assert_eq!(half_turn(start.all[0]), start.all[1], "black is the half-turn image of white");
}

/// Figure 2: black's man 4 going up and left has three free cells before white's man 3, so 3, 4, 5 and 6 are one result.
#[test]
fn figure_2() {
    let game = open("dice7");
    let mut state = game.start();
    let mover = Actor::Player(Player(0));
    let action = game.parse_action(&state, mover, "g5 nw").unwrap();
    assert_eq!(action, Action::Slide { from: at(4, 6), direction: 7 });
    game.apply(&mut state, &[action]);
    let mut outcomes = Vec::new();
    game.chance(&state, &mut outcomes);
    let texts: Vec<(String, i64)> = outcomes
        .iter()
        .map(|&(outcome, probability)| {
            (game.action_text(&state, Actor::Chance, outcome), (probability * 6.0).round() as i64)
        })
        .collect();
    assert_eq!(texts, [("1".to_owned(), 1), ("2".to_owned(), 1), ("3".to_owned(), 4)]);
    let next = at(4 - 4, 6 - 4);
    assert_eq!(
        (state.pieces.all[1] >> next & 1, state.pieces.king[1] == next),
        (1, false),
        "white's man stands beyond"
    );
    game.apply(&mut state, &[Action::Advance(3)]);
    assert!(game.state_text(&state).starts_with("k.M..M./...m..m/"));
}

/// Whatever five cells one side has, their free neighbours are more than the five pieces of the other side can fill.
#[test]
fn on_the_papers_board_somebody_can_always_move() {
    let board = open("dice7").board;
    let cells: Vec<u64> = crate::bits::ones(board.free).map(|cell| 1 << cell).collect();
    let around: Vec<u64> = cells
        .iter()
        .map(|&bit| {
            (0..8).fold(0, |set, direction| {
                set | board.run(bit.trailing_zeros() as u8, direction, !bit_of(bit, direction))
            })
        })
        .collect();
    fn bit_of(bit: u64, direction: usize) -> u64 {
        let cell = bit.trailing_zeros() as i32 + DIRECTIONS[direction].step();
        if (0..64).contains(&cell) { 1 << cell } else { 0 }
    }
    fn least(cells: &[u64], around: &[u64], set: u64, beside: u64, left: u32) -> u32 {
        if left == 0 {
            return (beside & !set).count_ones();
        }
        (0..cells.len())
            .map(|index| {
                let rest = index + 1;
                least(&cells[rest..], &around[rest..], set | cells[index], beside | around[index], left - 1)
            })
            .min()
            .unwrap_or(u32::MAX)
    }
    assert_eq!(least(&cells, &around, 0, 0, 5), 6);
}

/// On a crowded board of one's own a player without a move ends the match as a draw.
#[test]
fn a_player_without_a_move_draws() {
    let game = open("dice7(layout=\"km.M./M##../##.../...../...K.\",ban=off)");
    let state = game.parse_state("kmM../M##../##.../...../...K. black 7").unwrap();
    assert_eq!(state.phase, Phase::Over);
    assert_eq!((game.payoff(&state, Player(0)), game.payoff(&state, Player(1))), (0.5, 0.5));
}

/// By brute force: every roll of every action tried out.
#[test]
fn the_winning_policy_takes_the_likeliest_win() {
    let mut rng = Rng::new(3);
    let mut tried = 0;
    for address in ["dice7", "dice7(size=5)", "dice7(size=8,ban=off)"] {
        let game = open(address);
        let mut policy = game.policy("win").unwrap();
        for _ in 0..60 {
            let mut state = game.start();
            while let Turn::Player(player) = game.turn(&state) {
                let actions = legal_actions(&game, &state, Actor::Player(player));
                let chances: Vec<f64> = actions.iter().map(|&action| chance_to_win(&game, &state, action)).collect();
                let best = chances.iter().copied().fold(0.0, f64::max);
                let picked = policy.pick(&game, &state, player, &mut rng);
                let index = actions.iter().position(|&action| action == picked).unwrap();
                if best > 0.0 {
                    tried += 1;
                    assert!((chances[index] - best).abs() < 1e-9, "{}\n{picked:?}", game.board_text(&state));
                }
                game.apply(&mut state, &[actions[rng.below(actions.len())]]);
                let outcome = game.random_outcome(&state, &mut rng);
                game.apply(&mut state, &[outcome]);
            }
        }
    }
    assert!(tried > 500, "{tried} positions with a win");
    let winning = |game: &Dice, policy: &str| game.policy(policy).is_some();
    assert!(winning(&open("dice7"), "win") && !winning(&open("dice7"), "lose"));
}

fn chance_to_win(game: &Dice, state: &State, action: Action) -> f64 {
    let mut rolling = state.clone();
    game.apply(&mut rolling, &[action]);
    let mut outcomes = Vec::new();
    game.chance(&rolling, &mut outcomes);
    let won = |outcome: Action| {
        let mut end = rolling.clone();
        game.apply(&mut end, &[outcome]);
        game.has_line(&end, usize::from(state.mover))
    };
    outcomes.iter().filter(|&&(outcome, _)| won(outcome)).map(|&(_, probability)| probability).sum()
}

/// Two ways to the same placement: men have no names, and the states are one.
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
    // Black's men from a2 and d2 come to b2 and c2, the other way round.
    let straight = play("a2 e, 1, d4 w, 1, d2 w, 1, c4 e, 1, b2 n, 1, d4 w, 1, b1 s, 1, c4 e, 1");
    let crossed = play("a2 ne, 1, d4 w, 1, b1 se, 1, c4 e, 1, d2 sw, 1, d4 w, 1, c3 nw, 1, c4 e, 1");
    assert_eq!(game.state_text(&straight), "k.../.mm./M..M/...K black 8");
    assert_eq!(straight, crossed);
}

#[test]
fn errors_say_what_was_expected() {
    for (address, expected) in [
        ("dice7(size=9)", "from 4 to 8"),
        ("dice7(walls=crss)", "did you mean `cross`?"),
        ("dice7(walls=none,layout=\"k.mM/..../..../mM.K\")", "marks its own"),
        ("dice7(size=5,layout=\"k.mM/..../..../mM.K\")", "4 as in the layout"),
        ("dice7(layout=\"k.m/...\")", "expected 3 to 8 rows, found 2"),
        ("dice7(layout=\"k.m/..../K.M\")", "layout:1:5: expected 3 cells in row 2, found 4"),
        ("dice7(layout=\"k.m/.?./K.M\")", "layout:1:6: unknown symbol `?`"),
        ("dice7(layout=\"k.m/.../..M\")", "expected one king of white, found 0"),
        ("dice7(layout=\"k../.../K.M\")", "expected 1 to 4 men of black, found 0"),
        ("dice7(layout=\"kmm/.../K.M\")", "stands in a line of three already"),
        ("dice7(layout=\"k#m/###/K.M\",first=black)", "black has no move"),
        ("dice7(first=red)", "one of black, white"),
        ("dice7(limit=0)", "from 1 to 10000"),
        ("dice7(size=4,walls=cross)", "walls that leave the pieces their cells"),
    ] {
        let error = try_open(address).unwrap_err();
        assert!(error.to_string().contains(expected), "{address}: {error}");
    }
    let game = open("dice7(size=5)");
    let board = "k.M../...../M.#.m/...../..m.K";
    for (text, expected) in [
        ("", "expected a board"),
        (board, "expected black or white"),
        ("k.M../...../M...m/...../..m.K black 3", "walls differ"),
        ("k.M../...../..#.m/...../..m.K black 3", "expected 3 pieces of white, found 2"),
        ("k.M../...../M.#.m/...../..m.K red 3", "found `red`"),
        ("k.M../...../M.#.m/...../..m.K black -3", "from 0 to 200"),
        ("k.M../...../M.#.m/...../..m.K black 3 ban", "first move only"),
        ("k.M../...../M.#.m/...../..m.K black 0", "expected `ban`"),
        ("k.M../...../M.#.m/...../..m.K black 0 ban a1 se", "not a legal action"),
        ("k.M../...../M.#.m/...../..m.K black 3 a1", "a piece and a direction"),
        ("k.M../m..../m.#../..M../....K black 3", "black has a line already"),
        ("k.M../m..../m.#../..M../....K white 3 c1 s", "the match is over"),
    ] {
        let error = game.parse_state(text).unwrap_err();
        assert!(error.to_string().contains(expected), "{text}: {error}");
    }
}

#[test]
fn board_text_shows_the_start() {
    insta::assert_snapshot!(open("dice7").board_text(&open("dice7").start()), @r"
       a b c d e f g
     1 k . M . . M .
     2 . . . . . . m
     3 M . . # . . .
     4 . . # # # . .
     5 . . . # . . m
     6 M . . . . . .
     7 . m . . m . K
    black to move, but not the king diagonally
    ");
}

proptest! {
    #[test]
    fn any_text_is_a_state_or_an_error(text in ".{0,60}", tail in "[ a-z0-9-]{0,16}") {
        let game = open("dice7(size=5)");
        let _ = game.parse_state(&text);
        let _ = game.parse_state(&format!("k.M../...../M.#.m/...../..m.K {tail}"));
        let _ = game.parse_action(&game.start(), Actor::Player(Player(0)), &text);
    }

    #[test]
    fn any_layout_is_a_board_or_an_error(layout in "[kmKM#.]{1,9}(/[kmKM#.]{1,9}){0,9}") {
        if let Ok(game) = try_open(&format!("dice7(layout=\"{layout}\")")) {
            prop_assert_eq!(game.board.text(&game.start().pieces), layout);
        }
    }

    #[test]
    fn runs_and_rooms_agree(from in 0u8..64, direction in 0usize..8, occupied: u64, walls: u64) {
        let board = Board::new(8, walls & !(1 << from));
        let ray = board.run(from, direction, 0);
        prop_assert_eq!(board.run(from, direction, ray), 0, "a taken ray has no run");
        // The first cell of the ray, if there is one, is the one that a step reaches.
        let first = i32::from(from) + DIRECTIONS[direction].step();
        let occupied = if ray == 0 { occupied } else { occupied & !(1 << first) };
        let room = board.room(from, direction, occupied);
        prop_assert_eq!(board.run(from, direction, occupied).count_ones(), u32::from(room));
    }
}

/// The terms of §4 once more, from the rules alone: every roll of every action tried out, distances cell by cell.
fn plain_terms(game: &Dice, state: &State, side: usize) -> (f64, f64) {
    let turned = State { mover: side as u8, ban: false, phase: Phase::Choose, ..state.clone() };
    let actions = legal_actions(game, &turned, Actor::Player(Player(side as u8)));
    let faces = actions.iter().map(|&action| chance_to_win(game, &turned, action)).fold(0.0, f64::max);
    let size = i32::from(game.board.size);
    let own = |row: i32, column: i32| {
        let inside = (0..size).contains(&row) && (0..size).contains(&column);
        inside && state.pieces.all[side] >> at(row as u8, column as u8) & 1 == 1
    };
    let free = |row: i32, column: i32| {
        let inside = (0..size).contains(&row) && (0..size).contains(&column);
        let bit = if inside { 1u64 << at(row as u8, column as u8) } else { 0 };
        inside && game.board.free & bit != 0 && state.pieces.occupied() & bit == 0
    };
    let mut weak = false;
    for (row, column) in (0..size).flat_map(|row| (0..size).map(move |column| (row, column))) {
        for (dr, dc) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
            let cells = [0, 1, 2].map(|distance| (row + distance * dr, column + distance * dc));
            let taken = cells.iter().filter(|cell| own(cell.0, cell.1)).count();
            weak |= taken == 2 && cells.iter().any(|cell| free(cell.0, cell.1));
        }
    }
    let king = state.pieces.king[side];
    let men: Vec<u32> = crate::bits::ones(state.pieces.men(side)).collect();
    let distance =
        |man: &u32| (*man as i32 / 8 - i32::from(king) / 8).abs() + (*man as i32 % 8 - i32::from(king) % 8).abs();
    let mean = f64::from(men.iter().map(distance).sum::<i32>()) / men.len() as f64;
    ((50.0 * faces).max(if weak { 5.0 } else { 0.0 }) + 13.0 - mean, faces)
}

#[test]
fn evaluations_are_the_terms_of_section_4() {
    let mut rng = Rng::new(8);
    let mut threatened = 0;
    for address in ["dice7", "dice7(size=5)", "dice7(size=8,ban=off)"] {
        let game = open(address);
        let value = |name: &str, state: &State, player| game.evaluation(name).unwrap().value(&game, state, player);
        for _ in 0..40 {
            let mut state = game.start();
            while let Turn::Player(mover) = game.turn(&state) {
                let terms = [0, 1].map(|side| plain_terms(&game, &state, side));
                for side in 0..2 {
                    let (player, (own, _), (other, threat)) = (Player(side as u8), terms[side], terms[1 - side]);
                    let danger = if threat > 0.0 { -200.0 } else { 0.0 };
                    threatened += usize::from(threat > 0.0);
                    let close = |name: &str, expected: f64| {
                        let found = value(name, &state, player);
                        assert!(
                            (found - expected).abs() < 1e-9,
                            "{name} {found} {expected}\n{}",
                            game.board_text(&state)
                        );
                    };
                    close("typeA", own + danger);
                    close("typeB", own - other + danger);
                    close("typeAB", if own < other { own - other } else { own } + danger);
                    let race = value("race", &state, player);
                    assert!((-1.0..=1.0).contains(&race));
                    assert_eq!(race, -value("race", &state, Player(1 - player.0)));
                }
                let action = game.random_action(&state, mover, &mut rng, &mut Vec::new());
                game.apply(&mut state, &[action]);
                let outcome = game.random_outcome(&state, &mut rng);
                game.apply(&mut state, &[outcome]);
            }
        }
    }
    assert!(threatened > 300, "{threatened}");
}

/// §4: about 5 for white at the start, by the weak threat of the men on c1 and a3; about 50 with a strong threat.
#[test]
fn the_papers_examples_have_about_their_values() {
    let game = open("dice7");
    let value = |state: &State| game.evaluation("typeA").unwrap().value(&game, state, Player(1));
    assert_eq!(value(&game.start()), 5.0 + 13.0 - 8.5);
    // King and man side by side, another man one step from the third cell of their line.
    let strong = game.parse_state("k....../......m/..M#.../.M###../...#..m/.K....M/Mm..m.. black 9").unwrap();
    assert!(value(&strong) > 8.0 && value(&strong) <= 50.0 + 12.0, "{}", value(&strong));
}

/// A limit that is a formality is no part of a state for a solver; a short one is.
#[test]
fn clocks_are_forgotten_where_they_are_formalities() {
    for (address, forgotten) in [("dice7", true), ("dice7(limit=100)", true), ("dice7(limit=99)", false)] {
        let game = open(address);
        let mut state = State { moves: 7, ..game.start() };
        game.forget_clock(&mut state);
        assert_eq!(state.moves == 0, forgotten, "{address}");
    }
}

use std::collections::{BTreeSet, HashMap, HashSet};

use proptest::prelude::*;
use tesuji_core::{
    Actor, Address, Drawing, Game, Horizon, Knowledge, Notation, Player, Policy, Rng, Turn, Uniform, legal_actions,
    perft_table,
};

use super::*;

fn open(text: &str) -> Result<ConnectFour, InputError> {
    (ENTRY.open)(&Arguments::bind(&text.parse::<Address>()?, ENTRY.parameters)?)
}

fn examples() -> impl Iterator<Item = ConnectFour> {
    ENTRY.examples.iter().map(|address| open(address).unwrap())
}

/// A plain implementation of the rules to compare with: a list of columns, lines found by walking from every cell in
/// every direction.
#[derive(Clone)]
struct Naive {
    rows: i32,
    line: i32,
    columns: Vec<Vec<usize>>,
    mover: usize,
}

impl Naive {
    fn new(rows: i32, columns: usize, line: i32) -> Naive {
        Naive { rows, line, columns: vec![Vec::new(); columns], mover: 0 }
    }

    fn twin_of(game: &ConnectFour) -> Naive {
        let arguments = game.spec().name.trim_start_matches("connect-four").trim_matches(['(', ')']);
        let mut sizes: Vec<i32> = arguments.split(',').filter_map(|size| size.parse().ok()).collect();
        let defaults = [6, 7, 4];
        sizes.extend_from_slice(&defaults[sizes.len()..]);
        Naive::new(sizes[0], sizes[1] as usize, sizes[2])
    }

    fn at(&self, row: i32, column: i32) -> Option<usize> {
        let column = self.columns.get(usize::try_from(column).ok()?)?;
        column.get(usize::try_from(row).ok()?).copied()
    }

    fn winner(&self) -> Option<usize> {
        for column in 0..self.columns.len() as i32 {
            for row in 0..self.rows {
                for (up, right) in [(1, 0), (0, 1), (1, 1), (-1, 1)] {
                    let cell = |place: i32| self.at(row + place * up, column + place * right);
                    if cell(0).is_some() && (1..self.line).all(|place| cell(place) == cell(0)) {
                        return cell(0);
                    }
                }
            }
        }
        None
    }

    /// The open columns; none when the match is over.
    fn legal(&self) -> Vec<u8> {
        if self.winner().is_some() {
            return Vec::new();
        }
        (0..self.columns.len() as u8)
            .filter(|&column| (self.columns[usize::from(column)].len() as i32) < self.rows)
            .collect()
    }

    fn drop(&mut self, column: u8) {
        self.columns[usize::from(column)].push(self.mover);
        self.mover = 1 - self.mover;
    }

    fn perft(&self, depth: u32) -> u64 {
        let legal = self.legal();
        if depth == 1 {
            return legal.len() as u64;
        }
        let after = |column: &u8| {
            let mut next = self.clone();
            next.drop(*column);
            next.perft(depth - 1)
        };
        legal.iter().map(after).sum()
    }

    /// Whether this drop completes a line for `player`.
    fn completes(&self, column: u8, player: usize) -> bool {
        let mut next = Naive { mover: player, ..self.clone() };
        next.drop(column);
        next.winner() == Some(player)
    }
}

/// The plain twin confirms depths 1 to 7. The numbers also equal public perft tables for 7 columns and 6 rows.
#[test]
fn perft() {
    let expected = [7, 49, 343, 2_401, 16_807, 117_649, 823_536, 5_673_234, 39_394_572];
    assert_eq!(perft_table(&ConnectFour::default(), 9), expected);
    let naive = Naive::new(6, 7, 4);
    assert_eq!((1..=7).map(|depth| naive.perft(depth)).collect::<Vec<_>>(), expected[..7]);
}

/// Boards small enough for full enumeration, with lines of 3 and of 4; the plain twin gives the same counts.
#[test]
fn perft_of_small_boards() {
    for (rows, columns, line, depth) in [(3, 3, 3, 9), (4, 4, 4, 8), (4, 5, 3, 7), (5, 5, 5, 6)] {
        let naive = Naive::new(rows, columns, line);
        let expected: Vec<u64> = (1..=depth).map(|depth| naive.perft(depth)).collect();
        let game = ConnectFour::new(rows as u32, columns as u32, line as u32).unwrap();
        assert_eq!(perft_table(&game, depth), expected, "{}", game.spec().name);
    }
}

fn reachable(game: &ConnectFour) -> HashSet<State> {
    let mut reached = HashSet::new();
    let mut open = vec![game.start()];
    while let Some(state) = open.pop() {
        if reached.contains(&state) {
            continue;
        }
        for actor in game.turn(&state).actors() {
            for column in legal_actions(game, &state, actor) {
                let mut next = state.clone();
                game.apply(&mut next, &[column]);
                open.push(next);
            }
        }
        reached.insert(state);
    }
    reached
}

/// John Tromp's table of the number of positions has 161,029 for 4 × 4.
#[test]
fn as_many_states_as_the_literature_counts() {
    assert_eq!(reachable(&ConnectFour::new(4, 4, 4).unwrap()).len(), 161_029);
}

/// The first player's value under optimal play. Tromp's table has a draw for lines of 4 on 4 × 4.
#[test]
fn small_boards_have_known_values() {
    fn value(game: &ConnectFour, state: &State, known: &mut HashMap<State, f64>) -> f64 {
        let Turn::Player(player) = game.turn(state) else { return game.payoff(state, Player(0)) };
        if let Some(&value) = known.get(state) {
            return value;
        }
        let values = legal_actions(game, state, Actor::Player(player)).into_iter().map(|column| {
            let mut next = state.clone();
            game.apply(&mut next, &[column]);
            value(game, &next, known)
        });
        let best = if player == Player(0) { values.fold(0.0, f64::max) } else { values.fold(1.0, f64::min) };
        known.insert(state.clone(), best);
        best
    }
    for (rows, columns, line, expected) in [(3, 3, 3, 0.5), (3, 4, 3, 1.0), (4, 4, 3, 1.0), (4, 4, 4, 0.5)] {
        let game = ConnectFour::new(rows, columns, line).unwrap();
        assert_eq!(value(&game, &game.start(), &mut HashMap::new()), expected, "{}", game.spec().name);
    }
}

#[test]
fn plays_as_the_twin_does() {
    for (seed, game) in examples().enumerate() {
        let mut rng = Rng::new(seed as u64);
        let mut draws = 0;
        for _ in 0..60 {
            let (mut state, mut naive) = (game.start(), Naive::twin_of(&game));
            while let Turn::Player(player) = game.turn(&state) {
                assert_eq!(player.index(), naive.mover, "{state:?}");
                let legal = legal_actions(&game, &state, Actor::Player(player));
                assert_eq!(legal, naive.legal(), "{state:?}");
                let column = legal[rng.below(legal.len())];
                game.apply(&mut state, &[column]);
                naive.drop(column);
            }
            assert!(naive.legal().is_empty(), "{state:?}");
            let expected = match naive.winner() {
                Some(0) => [1.0, 0.0],
                Some(_) => [0.0, 1.0],
                None => [0.5, 0.5],
            };
            draws += usize::from(naive.winner().is_none());
            assert_eq!([Player(0), Player(1)].map(|player| game.payoff(&state, player)), expected, "{state:?}");
        }
        assert!(draws < 60, "no match of {} was won", game.spec().name);
    }
}

#[test]
fn win_or_block_wins_else_blocks_else_plays_on() {
    let mut seen = [0; 3];
    for (seed, game) in examples().enumerate() {
        let mut policy = game.heuristics().unwrap().policy(&game, "win-or-block").unwrap();
        let mut rng = Rng::new(seed as u64);
        for _ in 0..20 {
            let (mut state, mut naive) = (game.start(), Naive::twin_of(&game));
            while let Turn::Player(player) = game.turn(&state) {
                let legal = naive.legal();
                let completing = |player: usize| {
                    legal.iter().copied().filter(|&column| naive.completes(column, player)).collect::<Vec<_>>()
                };
                let kinds = [completing(player.index()), completing(1 - player.index()), legal.clone()];
                let kind = kinds.iter().position(|columns| !columns.is_empty()).unwrap();
                seen[kind] += 1;
                for _ in 0..4 {
                    let pick = policy.pick(&game, &state, player, &mut rng);
                    assert!(kinds[kind].contains(&pick), "{pick} in {}", game.state_text(&state));
                }
                let column = legal[rng.below(legal.len())];
                game.apply(&mut state, &[column]);
                naive.drop(column);
            }
        }
    }
    assert!(seen.iter().all(|&count| count > 50), "{seen:?}");
}

#[test]
fn states_are_read_or_refused_with_a_reason() {
    let game = open("connect-four(4,4,3)").unwrap();
    let state = game.parse_state(" ..../..../b.../r.r. ").unwrap();
    assert_eq!(game.turn(&state), Turn::Player(Player(1)));
    assert_eq!(game.board_text(&state), " 4 . . . .\n 3 . . . .\n 2 b . . .\n 1 r . r .\n   a b c d\n");
    let won = game.parse_state("..../..../bb../rrr.").unwrap();
    assert_eq!((game.turn(&won), game.payoff(&won, Player(0)), game.payoff(&won, Player(1))), (Turn::Over, 1.0, 0.0));
    for (text, expected) in [
        ("", "state:1:1: expected 4 rows, got 1"),
        ("..../..../....", "expected 4 rows, got 3"),
        ("..../..../.../....", "state:1:11: expected 4 cells in a row, got 3"),
        ("..../..../..../.é..", "state:1:17: unknown symbol `é`"),
        ("..../..../r.../....", "floats above an empty cell"),
        ("..../..../..../rr..", "red moves first"),
        ("..../..../..../b...", "red moves first"),
        ("..../b.../bbr./rrr.", "stopped earlier"),
        ("..../b.../b.../brrr", "stopped earlier"),
    ] {
        let error = game.parse_state(text).unwrap_err();
        assert!(error.to_string().contains(expected), "{text}: {error}");
    }
}

/// One disc may complete several lines at once, but two lines without a common disc are impossible.
#[test]
fn several_lines_must_share_the_last_disc() {
    let game = open("connect-four(4,5,3)").unwrap();
    let state = game.parse_state("...../...../bb.bb/rrrrr").unwrap();
    assert_eq!((game.turn(&state), game.payoff(&state, Player(0))), (Turn::Over, 1.0));
    let error = game.parse_state("...../b...r/bb.br/rrrbr").unwrap_err();
    assert!(error.to_string().contains("stopped earlier"), "{error}");
}

#[test]
fn sizes_out_of_range_are_refused() {
    for (address, expected) in [
        ("connect-four(2)", "`rows=2` in `connect-four`: expected a whole number from 3 to 20"),
        ("connect-four(6,seven)", "`columns=seven`"),
        ("connect-four(6,7,6)", "`line=6` in `connect-four`: expected a whole number from 3 to 5"),
        ("connect-four(3,7)", "a line of 4 needs at least 4 rows and 4 columns"),
        ("connect-four(8,8)", "a board of 8 rows and 8 columns is too large"),
    ] {
        let error = open(address).unwrap_err();
        assert!(error.to_string().contains(expected), "{address}: {error}");
    }
    assert!(ConnectFour::new(u32::MAX, u32::MAX, 4).is_err());
    assert!(ConnectFour::new(6, 7, 2).is_err());
}

#[test]
fn names_open_the_same_game_again() {
    for game in examples() {
        assert_eq!(open(&game.spec().name).unwrap().spec(), game.spec());
    }
    assert_eq!(open("connect-four(line=4,columns=8)").unwrap().spec().name, "connect-four(6,8)");
}

#[test]
fn a_click_on_a_column_is_a_drop() {
    let game = ConnectFour::default();
    let state = game.start();
    assert_eq!(game.draw(&state).areas.len(), 7);
    let action = game.parse_action(&state, Actor::Player(Player(0)), "d").unwrap();
    assert_eq!((action, game.clicks(&state, Actor::Player(Player(0)), action)), (3, vec![3]));
    assert!(game.parse_action(&state, Actor::Player(Player(0)), "h").is_err());
}

/// All 3⁹ fillings of a small board: every reachable state parses, and every state that parses can be played on.
#[test]
fn accepted_boards_are_those_that_play_can_go_on_from() {
    let game = ConnectFour::new(3, 3, 3).unwrap();
    let reachable: BTreeSet<String> = reachable(&game).iter().map(|state| game.state_text(state)).collect();
    let mut rng = Rng::new(1);
    let mut accepted = BTreeSet::new();
    for filling in 0..3usize.pow(9) {
        let symbol = |cell: u32| ['.', 'r', 'b'][filling / 3usize.pow(cell) % 3];
        let text: String = (0..11).map(|place| if place % 4 == 3 { '/' } else { symbol(place - place / 4) }).collect();
        let Ok(mut state) = game.parse_state(&text) else { continue };
        assert_eq!(game.state_text(&state), text);
        assert!(Uniform::default().play_out(&game, &mut state, &mut rng, Horizon::END) <= 9, "{text}");
        accepted.insert(text);
    }
    assert!(accepted.is_superset(&reachable));
    // The other 77 have discs in an order that no play produces; the rules can still continue from them.
    assert_eq!((accepted.len(), reachable.len()), (771, 694));
}

proptest! {
    #[test]
    fn any_text_is_a_state_or_an_error(text in "[rb.]{7}(/[rb.é]{7}){4,6}|[rb./ ]{0,60}|.{0,60}") {
        let _ = ConnectFour::default().parse_state(&text);
    }
}

#[test]
fn the_usual_board_has_69_lines() {
    assert_eq!(ConnectFour::default().possible.len(), 69);
}

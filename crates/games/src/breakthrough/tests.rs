use std::collections::HashMap;

use proptest::prelude::*;
use tesuji_core::{
    Actor, Address, Drawing, Horizon, Knowledge, Notation, Policy, Rng, Uniform, legal_actions, perft_table,
};

use super::*;

fn open(text: &str) -> Result<Breakthrough, InputError> {
    (ENTRY.open)(&Arguments::bind(&text.parse::<Address>()?, ENTRY.parameters)?)
}

fn examples() -> impl Iterator<Item = Breakthrough> {
    ENTRY.examples.iter().map(|address| open(address).unwrap())
}

/// A plain implementation of the rules to compare with: a table of cells, row 0 at White's side.
#[derive(Clone)]
struct Naive {
    cells: Vec<Vec<Option<usize>>>,
    mover: usize,
    winner: Option<usize>,
}

type Cell = (usize, usize);

impl Naive {
    fn new(rows: usize, columns: usize) -> Naive {
        let mut cells = vec![vec![None; columns]; rows];
        cells[0].fill(Some(0));
        cells[1].fill(Some(0));
        cells[rows - 2].fill(Some(1));
        cells[rows - 1].fill(Some(1));
        Naive { cells, mover: 0, winner: None }
    }

    fn legal(&self) -> Vec<(Cell, Cell)> {
        let mut steps = Vec::new();
        if self.winner.is_some() {
            return steps;
        }
        for (row, line) in self.cells.iter().enumerate() {
            for column in 0..line.len() {
                if line[column] != Some(self.mover) {
                    continue;
                }
                let ahead = if self.mover == 0 { row + 1 } else { row - 1 };
                if self.cells[ahead][column].is_none() {
                    steps.push(((row, column), (ahead, column)));
                }
                for aside in [column.checked_sub(1), Some(column + 1)].into_iter().flatten() {
                    if aside < line.len() && self.cells[ahead][aside] != Some(self.mover) {
                        steps.push(((row, column), (ahead, aside)));
                    }
                }
            }
        }
        steps
    }

    fn play(&mut self, (from, to): (Cell, Cell)) {
        self.cells[from.0][from.1] = None;
        self.cells[to.0][to.1] = Some(self.mover);
        let enemy = 1 - self.mover;
        let far = if self.mover == 0 { self.cells.len() - 1 } else { 0 };
        if to.0 == far || self.cells.iter().flatten().all(|&cell| cell != Some(enemy)) {
            self.winner = Some(self.mover);
        }
        self.mover = enemy;
    }

    fn perft(&self, depth: u32) -> u64 {
        let legal = self.legal();
        if depth == 1 {
            return legal.len() as u64;
        }
        let after = |&step: &(Cell, Cell)| {
            let mut next = self.clone();
            next.play(step);
            next.perft(depth - 1)
        };
        legal.iter().map(after).sum()
    }
}

/// The plain twin confirms depths 1 to 4 and gives the numbers of the small boards.
#[test]
fn perft() {
    let expected = [22, 484, 11_132, 256_036, 6_182_818];
    assert_eq!(perft_table(&Breakthrough::default(), 5), expected);
    let naive = Naive::new(8, 8);
    assert_eq!((1..=4).map(|depth| naive.perft(depth)).collect::<Vec<_>>(), expected[..4]);
    for (rows, columns, depth) in [(4, 2, 9), (4, 3, 6), (5, 5, 5), (6, 6, 4)] {
        let naive = Naive::new(rows, columns);
        let expected: Vec<u64> = (1..=depth).map(|depth| naive.perft(depth)).collect();
        let game = Breakthrough::new(rows as u32, columns as u32).unwrap();
        assert_eq!(perft_table(&game, depth), expected, "{}", game.spec().name);
    }
}

#[test]
fn plays_as_the_twin_does() {
    for (seed, game) in examples().enumerate() {
        let mut rng = Rng::new(seed as u64);
        let columns = game.columns as usize;
        for _ in 0..40 {
            let (mut state, mut naive) = (game.start(), Naive::new(game.rows as usize, columns));
            while let Turn::Player(player) = game.turn(&state) {
                assert_eq!(player.index(), naive.mover, "{state:?}");
                let cell = |cell: u8| (usize::from(cell) / columns, usize::from(cell) % columns);
                let legal = legal_actions(&game, &state, Actor::Player(player));
                let mut steps: Vec<(Cell, Cell)> = legal.iter().map(|step| (cell(step.from), cell(step.to))).collect();
                let choice = rng.below(legal.len());
                let chosen = steps[choice];
                steps.sort();
                let mut expected = naive.legal();
                expected.sort();
                assert_eq!(steps, expected, "{state:?}");
                game.apply(&mut state, &[legal[choice]]);
                naive.play(chosen);
            }
            let winner = naive.winner.unwrap();
            assert_eq!(game.payoff(&state, Player(winner as u8)), 1.0, "{state:?}");
            assert_eq!(game.payoff(&state, Player(1 - winner as u8)), 0.0, "{state:?}");
        }
    }
}

/// The winner under optimal play, by full search. 5 × 5 (Little Golem forum, 2006) takes too long here.
#[test]
fn small_boards_have_known_winners() {
    fn wins(game: &Breakthrough, state: &State, known: &mut HashMap<State, bool>) -> bool {
        let Turn::Player(player) = game.turn(state) else { return false };
        if let Some(&won) = known.get(state) {
            return won;
        }
        let won = legal_actions(game, state, Actor::Player(player)).into_iter().any(|step| {
            let mut next = state.clone();
            game.apply(&mut next, &[step]);
            !wins(game, &next, known)
        });
        known.insert(state.clone(), won);
        won
    }
    for (rows, columns, first_wins) in [(4, 2, false), (4, 3, false), (5, 2, false), (6, 2, true), (7, 2, false)] {
        let game = Breakthrough::new(rows, columns).unwrap();
        assert_eq!(wins(&game, &game.start(), &mut HashMap::new()), first_wins, "{}", game.spec().name);
    }
}

#[test]
fn the_bound_on_steps_follows_from_the_pawns_ways() {
    for (rows, columns, expected) in [(4, 2, 13), (6, 6, 85), (8, 8, 177)] {
        assert_eq!(Breakthrough::new(rows, columns).unwrap().spec().max_steps, expected);
    }
}

#[test]
fn capturing_the_last_pawn_wins() {
    let game = open("breakthrough(5,3)").unwrap();
    let mut state = game.parse_state(".../.b./w../.../... w").unwrap();
    let capture = game.parse_action(&state, Actor::Player(Player(0)), "a3xb4").unwrap();
    assert!(game.attacks().unwrap().is_attack(&game, &state, capture));
    game.apply(&mut state, &[capture]);
    assert_eq!(game.state_text(&state), ".../.w./.../.../... -");
    assert_eq!((game.payoff(&state, Player(0)), game.payoff(&state, Player(1))), (1.0, 0.0));
}

#[test]
fn actions_are_named_by_their_cells() {
    let game = open("breakthrough(5,3)").unwrap();
    let state = game.parse_state("..b/.b./w../.../... b").unwrap();
    let actor = Actor::Player(Player(1));
    let mut texts: Vec<String> = legal_actions(&game, &state, actor)
        .into_iter()
        .map(|step| {
            assert_eq!(game.clicks(&state, actor, step), [u32::from(step.from), u32::from(step.to)]);
            game.action_text(&state, actor, step)
        })
        .collect();
    texts.sort();
    assert_eq!(texts, ["b4-b3", "b4-c3", "b4xa3", "c5-c4"]);
    assert_eq!(game.board_text(&state), " 5 . . b\n 4 . b .\n 3 w . .\n 2 . . .\n 1 . . .\n   a b c\n");
}

#[test]
fn advance_counts_pawns_and_their_way() {
    let game = open("breakthrough(5,3)").unwrap();
    let evaluation = game.heuristics().unwrap().evaluation(&game, "advance").unwrap();
    let value = |text: &str, player: u8| evaluation.value(&game, &game.parse_state(text).unwrap(), Player(player));
    assert_eq!(value(&game.state_text(&game.start()), 0), 0.0);
    // White: two pawns that have gone one and two of four rows. Black: one pawn that has gone one row.
    let text = ".../..b/.w./w../... w";
    assert_eq!(value(text, 0), (2.0 + 0.75 - 1.25) / 12.0);
    assert_eq!(value(text, 1), -value(text, 0));
    assert_eq!((value(".../..b/.w./w../b.. -", 0), value(".../..b/.w./w../b.. -", 1)), (-1.0, 1.0));
    let (mut state, mut rng) = (game.start(), Rng::new(1));
    while Uniform::default().play_out(&game, &mut state, &mut rng, Horizon::steps(1)) > 0 {
        let value = evaluation.value(&game, &state, Player(0));
        assert!((-1.0..=1.0).contains(&value) && (value.abs() == 1.0) == (game.turn(&state) == Turn::Over), "{value}");
    }
}

#[test]
fn states_are_refused_with_a_reason() {
    let game = open("breakthrough(4,3)").unwrap();
    for (text, expected) in [
        ("", "expected a board, a blank and who acts"),
        (".../.../... w", "state:1:1: expected 4 rows, got 3"),
        (".../b../..../... w", "state:1:9: expected 3 cells in a row, got 4"),
        (".../b../.q./... w", "state:1:10: unknown symbol `q`"),
        (".../bbb/bbb/b.. w", "more than the 6 pawns"),
        (".../.../.../... -", "has no pawns"),
        ("..w/.../.../b.. -", "reached its far row"),
        ("w.w/.b./.../... -", "reached its far row"),
        ("..w/.b./.../... b", "state:1:17: `b` as who acts: the match is over, expected `-`"),
        (".../.b./.../... w", "the match is over, expected `-`"),
        (".../.b./.w./... -", "`-` as who acts: expected `w` or `b`"),
        (".../.b./.w./... w b", "`w b` as who acts"),
    ] {
        let error = game.parse_state(text).unwrap_err();
        assert!(error.to_string().contains(expected), "{text}: {error}");
    }
}

#[test]
fn sizes_out_of_range_are_refused() {
    for (address, expected) in [
        ("breakthrough(3)", "`rows=3` in `breakthrough`: expected a whole number from 4 to 32"),
        ("breakthrough(4,1)", "`columns=1`"),
        ("breakthrough(8,9)", "a board of 8 rows and 9 columns is too large"),
    ] {
        let error = open(address).unwrap_err();
        assert!(error.to_string().contains(expected), "{address}: {error}");
    }
    assert!(Breakthrough::new(u32::MAX, u32::MAX).is_err());
    assert!(Breakthrough::new(8, 1).is_err());
}

#[test]
fn names_open_the_same_game_again() {
    for game in examples() {
        assert_eq!(open(&game.spec().name).unwrap().spec(), game.spec());
    }
    assert_eq!(open("breakthrough(columns=6)").unwrap().spec().name, "breakthrough(8,6)");
}

proptest! {
    #[test]
    fn any_text_is_a_state_or_an_error(text in "[wb.]{8}(/[wb.é]{8}){6,8} [wb-]|[wb./ -]{0,80}|.{0,80}") {
        let _ = Breakthrough::default().parse_state(&text);
    }

    /// Every state that parses can be played on, within the bound on steps.
    #[test]
    fn accepted_boards_can_be_played_on(
        text in "[wb.]{3}/([wb.]{3}/){2}[wb.]{3} [wb-]|[b.]{3}/([wb.]{3}/){2}[w.]{3} [wb]",
        seed: u64,
    ) {
        let game = Breakthrough::new(4, 3).unwrap();
        if let Ok(mut state) = game.parse_state(&text) {
            prop_assert_eq!(game.state_text(&state), text);
            let mut rng = Rng::new(seed);
            let steps = Uniform::default().play_out(&game, &mut state, &mut rng, Horizon::steps(100));
            prop_assert!(steps as usize <= game.spec().max_steps);
        }
    }
}

/// Both players see a symmetric position alike, so one network serves both.
#[test]
fn the_features_of_the_start_are_the_same_for_both() {
    for game in examples() {
        let seen = |player: u8| {
            let mut active = Vec::new();
            game.value_features().unwrap().active(&game, &game.start(), Player(player), &mut active);
            active.sort_unstable();
            active
        };
        assert_eq!(seen(0), seen(1), "{}", game.spec().name);
    }
}

//! What the paper states about its board and its game.

use tesuji_core::{Actor, Game, Notation, Player};

use super::super::Action;
use super::super::board::DIRECTIONS;
use super::{at, open};

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

/// Figure 2: black's man 4 moving up and left has three free cells before White's man 3, so 3, 4, 5 and 6 are one
/// outcome.
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

/// For any five cells of one side, the number of free neighbours exceeds the five pieces of the other side.
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

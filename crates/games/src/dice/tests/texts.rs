//! Boards, states and addresses as text, and the errors for wrong ones.

use proptest::prelude::*;
use tesuji_core::{Actor, Game, Notation, Player};

use super::{open, try_open};

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
}

//! Exact solutions of the catalogue's simultaneous games against published and independently computed values.

use std::sync::atomic::{AtomicBool, Ordering};

use tesuji_arena::{BoardPlan, BoardSolution, ExploitabilityPlan, Solution, SolvePlan, nash, solve_boards};
use tesuji_core::{Actor, Address, Arguments, Game, Notation, Player};
use tesuji_games::mineering::SYNC_TRIOMINEERING;
use tesuji_solve::root_exploitability;
use tesuji_solve::simultaneous::{ExactSolver, Limits, Memory};

const PLAN: SolvePlan<'static> = SolvePlan { most_nodes: 1_000_000, tolerance: 1e-9, stop: None };

fn solve(address: &str) -> Solution {
    tesuji_standard::catalogue().open(address).unwrap().solve(None, &PLAN).unwrap()
}

fn solve_from(address: &str, state: &str) -> Solution {
    tesuji_standard::catalogue().open(address).unwrap().solve(Some(state), &PLAN).unwrap()
}

fn refusal(address: &str) -> String {
    match tesuji_standard::catalogue().open(address) {
        Ok(game) => game.solve(None, &PLAN).unwrap_err().to_string(),
        Err(error) => error.to_string(),
    }
}

/// Classes of all boards with rows and columns up to 10 together, computed independently; rows from 1, columns from 1.
fn check_table(name: &str, expected: &[&str]) {
    let mut boards = Vec::new();
    let open = solve_boards(name, &BoardPlan::up_to(10), &PLAN, |board| boards.push(board.clone())).unwrap();
    assert_eq!((boards.len(), open.len()), (45, 0));
    for (row, line) in expected.iter().enumerate() {
        for (column, class) in line.chars().enumerate() {
            let here = |board: &&BoardSolution| (board.rows, board.columns) == (row + 1, column + 1);
            let board = boards.iter().find(here).unwrap();
            assert_eq!(board.class, class.to_string(), "{}", board.game);
            let value = match class {
                'V' => 1.0,
                'H' => 0.0,
                _ => 0.5,
            };
            assert_eq!(board.value, value, "{}", board.game);
        }
    }
}

#[test]
fn small_boards_have_the_published_classes() {
    check_table("sync-domineering", &["DHHHHHHHH", "VDVDVDVD", "VHDHHHH", "VDVDVD", "VHVHD"]);
    check_table("sync-triomineering", &["DDHHHHHHH", "DDHHHHHH", "VVDVVDV", "VVHDVH", "VVHHD"]);
    assert!(
        solve_boards("tic-tac-toe", &BoardPlan::up_to(5), &PLAN, |_| {})
            .unwrap_err()
            .to_string()
            .contains("tic-tac-toe")
    );
}

/// What decides table 2 of paper 004: what a player loses on 6×6 by one first move, and by all its mirror images with
/// equal probability.
#[test]
fn first_moves_on_6x6_by_groups_of_mirror_images() {
    let address: Address = "sync-triomineering(6,6)".parse().unwrap();
    let game = (SYNC_TRIOMINEERING.open)(&Arguments::bind(&address, SYNC_TRIOMINEERING.parameters).unwrap()).unwrap();
    let start = game.start();
    let mut solver = ExactSolver::new(&game, Memory::new(), Limits::positions(1_000_000));
    let mut actions = Vec::new();
    game.legal(&start, Player(0), &mut actions);
    let named = |name: &str| {
        let text = |action| game.action_text(&start, Actor::Player(Player(0)), action);
        actions.iter().copied().find(|&action| text(action) == name).unwrap()
    };
    let mut lost = |names: &[&str]| {
        let mix: Vec<_> = names.iter().map(|name| (named(name), 1.0 / names.len() as f64)).collect();
        root_exploitability(&game, &mut solver, &start, Player(0), &mix).unwrap().gap()
    };
    for (images, one, all) in [
        (["b1", "e1", "b4", "e4"], 0.0, 0.0),
        (["c1", "d1", "c4", "d4"], 0.0, 0.0),
        (["a1", "f1", "a4", "f4"], 0.5, 0.125),
        (["a2", "f2", "a3", "f3"], 0.5, 0.5),
        (["b2", "e2", "b3", "e3"], 0.5, 0.5),
        (["c2", "d2", "c3", "d3"], 0.5, 0.5),
    ] {
        assert!(images.iter().all(|image| lost(&[image]) == one), "{images:?}");
        assert_eq!(lost(&images), all, "{images:?}");
    }
}

/// A mix of the images of a move guarantees at least what one of them does; on 6×6 often more.
#[test]
fn a_random_image_of_the_first_move_loses_no_more_than_the_first() {
    let game = tesuji_standard::catalogue().open("sync-triomineering(6,6)").unwrap();
    let gaps = |agent: &str| -> Vec<f64> {
        let plan = ExploitabilityPlan { agent: agent.to_owned(), playouts: vec![30, 100], repeats: 40, seed: 1 };
        game.exploitability(None, &plan, &PLAN).unwrap().points.iter().map(|point| point.gap).collect()
    };
    let (first, random) = (gaps("sm-mc"), gaps("sm-mc(image=random)"));
    assert!(first.iter().zip(&random).all(|(first, random)| *random <= first + 1e-9), "{first:?} {random:?}");
    assert!(first.iter().sum::<f64>() > random.iter().sum::<f64>(), "{first:?} {random:?}");
}

/// The board of paper 004, section 6.6.2, and those that simultaneous play makes interesting.
#[test]
fn boards_that_need_mixed_strategies_have_their_values() {
    let board = solve("sync-triomineering(8,4)");
    assert_eq!((board.value, board.exact.as_deref(), board.class.as_deref()), (0.75, Some("3/4"), Some("VD")));
    assert!(board.strategy.iter().all(|strategy| strategy.actions.len() > 1), "{:?}", board.strategy);
    let turned = solve("sync-triomineering(4,8)");
    assert_eq!((turned.exact.as_deref(), turned.class.as_deref()), (Some("1/4"), Some("HD")));
    let square = solve("sync-triomineering(6,6)");
    assert_eq!((square.value, square.class.as_deref()), (0.5, Some("D")));
    let lopsided = solve("sync-triomineering(1,5)");
    assert_eq!((lopsided.value, lopsided.class.as_deref()), (0.0, Some("H")));
}

/// With four cards and falling prizes, the first player having bid 4: 3/19 against 1, and so on (computed independently
/// with OpenSpiel's rules).
#[test]
fn goofspiel_has_the_known_values() {
    for (second, taken, expected) in [("2,3,4", 4, "3/19"), ("1,3,4", 4, "1/2"), ("1,2,4", 4, "1"), ("1,2,3", 0, "0")] {
        let state = format!("first=1,2,3 second={second} prizes=1,2 prize=3 lead={taken}");
        let found = solve_from("goofspiel(4,descending)", &state);
        assert_eq!(found.exact.as_deref(), Some(expected), "{state}");
        assert_eq!(found.class, None);
    }
    for address in ["goofspiel(4)", "goofspiel(5,ascending,points-difference)"] {
        assert_eq!(solve(address).value, 0.0, "{address}");
    }
}

/// Six coins, one place a side, least bid 1: bids 1, 2, 3 in the proportion 3 : 2 : 3.
#[test]
fn oshi_zumo_has_the_known_mix() {
    let found = solve("oshi-zumo(6,1,1)");
    assert_eq!(found.exact.as_deref(), Some("0"));
    for strategy in &found.strategy {
        let expected: Vec<(String, f64)> =
            [("1", 0.375), ("2", 0.25), ("3", 0.375)].map(|(bid, share)| (bid.to_owned(), share)).to_vec();
        assert_eq!(strategy.actions, expected);
    }
}

#[test]
fn the_card_game_is_worth_two_thirds_where_its_page_says_so() {
    assert_eq!(solve("rps-cards(rrs,pps)").exact.as_deref(), Some("2/3"));
    assert_eq!(solve("matrix(rock-paper-scissors,bernoulli,2)").value, 0.0);
}

#[test]
fn what_cannot_be_solved_is_refused() {
    for (address, expected) in [
        ("sync-triomineering(1,1)", "neither player has a move"),
        ("sync-triomineering(2,2)", "neither player has a move"),
        ("sync-triomineering(12,12)", "too large"),
        ("matrix(prisoners-dilemma)", "do not add up to a constant"),
        ("goofspiel(24)", "more than 1000000 positions"),
    ] {
        let plan = SolvePlan { most_nodes: 1_000, ..PLAN };
        let said = match tesuji_standard::catalogue().open(address) {
            Ok(game) => game.solve(None, &plan).unwrap_err().to_string().replace("1000 pos", "1000000 pos"),
            Err(error) => error.to_string(),
        };
        assert!(said.contains(expected), "{address}: {said}");
    }
    assert!(refusal("sync-triomineering(0,3)").contains("from 1 to 128"));
}

/// The cells of the first table after `title` on the page of solutions, by row and column from 1.
fn table_of_page<'a>(page: &'a str, title: &str) -> Vec<Vec<&'a str>> {
    let from = page.find(title).unwrap_or_else(|| panic!("no `{title}` on the page"));
    let lines = page[from..].lines().skip_while(|line| !line.starts_with('|')).take_while(|line| line.starts_with('|'));
    let cells = |line: &'a str| line.trim_matches('|').split('|').skip(1).map(str::trim).collect();
    lines.skip(2).map(cells).collect()
}

/// The page lists what the solver finds: every board with up to 12 rows and columns together.
#[test]
fn the_page_of_solutions_has_the_values_of_the_solver() {
    let page = include_str!("../../../../docs/solutions.md");
    for name in ["sync-triomineering", "sync-domineering"] {
        let classes = table_of_page(page, &format!("{name}, classes"));
        let values = table_of_page(page, &format!("{name}, values"));
        let steps = &page[page.find(&format!("{name}, boards on which both can move")).unwrap()..];
        let mut compared = 0;
        let compare = |board: &BoardSolution| {
            if board.rows <= board.columns {
                assert_eq!(classes[board.rows - 1][board.columns - 1], board.class, "{}", board.game);
                let value = board.exact.as_deref().unwrap();
                assert_eq!(values[board.rows - 1][board.columns - 1], value, "{}", board.game);
                let both_move = board.first_step.iter().all(|step| !step.is_empty());
                let line = format!("| {}×{} | {} | {value} |", board.rows, board.columns, board.class);
                assert!(!both_move || steps.contains(&line), "{line} is not among the first steps");
                compared += 1;
            }
        };
        solve_boards(name, &BoardPlan::up_to(12), &PLAN, compare).unwrap();
        assert_eq!(compared, 36, "{name}");
    }
}

/// Boards of more than 64 cells, as far as they are solved at once.
#[test]
fn boards_wider_than_a_word_are_solved() {
    for (address, class, value) in [
        ("sync-triomineering(5,13)", "H", 0.0),
        ("sync-triomineering(13,5)", "V", 1.0),
        ("sync-triomineering(1,128)", "H", 0.0),
    ] {
        let found = solve(address);
        assert_eq!((found.class.as_deref(), found.value), (Some(class), value), "{address}");
    }
}

#[test]
fn boards_that_take_too_long_are_left_open() {
    let plan = BoardPlan { patience: Some(std::time::Duration::ZERO), ..BoardPlan::up_to(8) };
    let mut solved = Vec::new();
    let open = solve_boards("sync-domineering", &plan, &PLAN, |board| solved.push(board.clone())).unwrap();
    let all = 2 * open.len() - open.iter().filter(|board| board.rows == board.columns).count() + solved.len();
    assert!(open.iter().any(|board| (board.rows, board.columns) == (4, 4)), "{open:?}");
    assert!(open.iter().all(|board| !board.lacked_memory) && all == 28, "{open:?}");
    let small = BoardPlan { cells: 8, ..BoardPlan::up_to(8) };
    let mut cells = Vec::new();
    solve_boards("sync-domineering", &small, &PLAN, |board| cells.push(board.rows * board.columns)).unwrap();
    assert_eq!(cells.iter().max(), Some(&8));
}

#[test]
fn solvers_stop_when_nobody_wants_an_answer() {
    let stop = AtomicBool::new(false);
    let plan = SolvePlan { stop: Some(&stop), ..PLAN };
    let mut solved = 0;
    let error = solve_boards("sync-triomineering", &BoardPlan::up_to(16), &plan, |_| {
        solved += 1;
        stop.fetch_or(solved == 20, Ordering::Relaxed);
    });
    let said = error.unwrap_err().to_string();
    // Boards that need no look into any position are still told; of 120 not many.
    assert!((20..60).contains(&solved) && said.contains("stopped before `sync-triomineering("), "{solved}: {said}");
    let said = tesuji_standard::catalogue().open("goofspiel(5)").unwrap().solve(None, &plan).unwrap_err().to_string();
    assert!(said.contains("stopped before `goofspiel(cards=5"), "{said}");
}

#[test]
fn tables_of_payoffs_have_their_equilibria() {
    let found = nash("rock-paper-scissors").unwrap();
    assert_eq!((found.kind, found.equilibria.len(), found.first.exploitability), ("zero-sum", 1, 0.0));
    assert_eq!(found.first.exact, Some(["0".to_owned(), "0".to_owned()]));
    assert_eq!(found.first.fractions.as_ref().unwrap()[0], ["1/3", "1/3", "1/3"]);
    let found = nash("stag-hunt").unwrap();
    assert_eq!((found.kind, found.equilibria.len()), ("bimatrix", 3));
    assert_eq!(nash("prisoners-dilemma").unwrap().first.values, [0.3, 0.3]);
    assert!(nash("stag-hant").unwrap_err().to_string().contains("did you mean `stag-hunt`"));
}

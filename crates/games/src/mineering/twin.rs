//! A plain implementation of the same rules on rows of cells, compared with the bit boards.

use tesuji_core::drawing::SEATS;
use tesuji_core::{
    Actor, Address, Arguments, Drawing, Entry, Game, History, Horizon, Notation, Player, Policy, Rng, Turn,
    legal_actions, perft_table,
};

use super::*;

pub(super) fn open<G>(entry: &Entry<G>, rows: usize, columns: usize) -> G {
    let address: Address = format!("{}({rows},{columns})", entry.name).parse().unwrap();
    (entry.open)(&Arguments::bind(&address, entry.parameters).unwrap()).unwrap()
}

fn refusal(address: &str) -> String {
    let address: Address = address.parse().unwrap();
    let arguments = Arguments::bind(&address, PARAMETERS).unwrap();
    (SYNC_TRIOMINEERING.open)(&arguments).unwrap_err().to_string()
}

#[derive(Clone)]
struct Grid {
    filled: Vec<Vec<bool>>,
    length: usize,
}

impl Grid {
    fn new(rows: usize, columns: usize, length: usize) -> Grid {
        Grid { filled: vec![vec![false; columns]; rows], length }
    }

    fn bar(&self, player: usize, row: usize, column: usize) -> Vec<(usize, usize)> {
        (0..self.length).map(|step| if player == 0 { (row + step, column) } else { (row, column + step) }).collect()
    }

    fn fits(&self, player: usize, row: usize, column: usize) -> bool {
        let is_free =
            |(row, column): (usize, usize)| self.filled.get(row).and_then(|row| row.get(column)) == Some(&false);
        self.bar(player, row, column).into_iter().all(is_free)
    }

    fn legal(&self, player: usize) -> Vec<u8> {
        let columns = self.filled[0].len();
        let cells = (0..self.filled.len() * columns).filter(|cell| self.fits(player, cell / columns, cell % columns));
        cells.map(|cell| cell as u8).collect()
    }

    fn lay(&mut self, player: usize, cell: u8) {
        let columns = self.filled[0].len();
        for (row, column) in self.bar(player, usize::from(cell) / columns, usize::from(cell) % columns) {
            self.filled[row][column] = true;
        }
    }

    /// The bars left when those that overlap no bar of the other player are dropped, or all of them.
    fn hindering(&self, player: usize) -> Vec<u8> {
        let columns = self.filled[0].len();
        let cells = |player, cell: u8| self.bar(player, usize::from(cell) / columns, usize::from(cell) % columns);
        let wanted: Vec<_> = self.legal(1 - player).into_iter().flat_map(|cell| cells(1 - player, cell)).collect();
        let touches = |cell: &u8| cells(player, *cell).iter().any(|place| wanted.contains(place));
        let hindering: Vec<u8> = self.legal(player).into_iter().filter(touches).collect();
        if hindering.is_empty() { self.legal(player) } else { hindering }
    }
}

/// The last eight are wider than a word of 64 bits.
#[rustfmt::skip]
const BOARDS: [(usize, usize); 17] = [
    (6, 6), (8, 8), (3, 3), (2, 32), (1, 64), (64, 1), (8, 4), (3, 21), (5, 7),
    (5, 13), (10, 10), (8, 16), (3, 42), (42, 3), (2, 64), (1, 128), (128, 1),
];

#[test]
fn synchronized_play_agrees_with_the_plain_grid() {
    let mut rng = Rng::new(1);
    for (entry, length) in [(&SYNC_DOMINEERING, 2), (&SYNC_TRIOMINEERING, 3)] {
        for (rows, columns) in BOARDS {
            let game = open(entry, rows, columns);
            for _ in 0..30 {
                let (mut state, mut grid) = (game.start(), Grid::new(rows, columns, length));
                loop {
                    let legal = [grid.legal(0), grid.legal(1)];
                    let expected = match (legal[0].is_empty(), legal[1].is_empty()) {
                        (false, false) => None,
                        (false, true) => Some(1.0),
                        (true, false) => Some(0.0),
                        (true, true) => Some(0.5),
                    };
                    if let Some(value) = expected {
                        assert_eq!(game.turn(&state), Turn::Over);
                        assert_eq!([0, 1].map(|seat| game.payoff(&state, Player(seat))), [value, 1.0 - value]);
                        break;
                    }
                    let joint = [0, 1].map(|seat| {
                        let player = Player(seat as u8);
                        assert_eq!(legal_actions(&game, &state, Actor::Player(player)), legal[seat]);
                        let hindering: Vec<u8> = crate::bits::ones(game.board.hindering(&state.possible, seat))
                            .map(|cell| cell as u8)
                            .collect();
                        assert_eq!(hindering, grid.hindering(seat));
                        game.random_action(&state, player, &mut rng, &mut Vec::new())
                    });
                    game.apply(&mut state, &joint);
                    grid.lay(0, joint[0]);
                    grid.lay(1, joint[1]);
                }
            }
        }
    }
}

#[test]
fn alternating_play_agrees_with_the_plain_grid() {
    let mut rng = Rng::new(2);
    for (entry, length) in [(&DOMINEERING, 2), (&TRIOMINEERING, 3)] {
        for (rows, columns) in BOARDS {
            let game = open(entry, rows, columns);
            for _ in 0..30 {
                let (mut state, mut grid) = (game.start(), Grid::new(rows, columns, length));
                let mut mover = 0;
                while !grid.legal(mover).is_empty() {
                    let player = Player(mover as u8);
                    assert_eq!(game.turn(&state), Turn::Player(player));
                    assert_eq!(legal_actions(&game, &state, Actor::Player(player)), grid.legal(mover));
                    let action = Hinder.pick(&game, &state, player, &mut rng);
                    assert!(grid.hindering(mover).contains(&action));
                    game.apply(&mut state, &[action]);
                    grid.lay(mover, action);
                    mover = 1 - mover;
                }
                assert_eq!(game.turn(&state), Turn::Over);
                assert_eq!(game.payoff(&state, Player(mover as u8)), 0.0);
                assert_eq!(game.payoff(&state, Player(1 - mover as u8)), 1.0);
            }
        }
    }
}

/// The number of paths of `depth` steps on the plain grid.
fn grid_perft(grid: &Grid, mover: Option<usize>, depth: u32) -> u64 {
    let movers: Vec<usize> = mover.map_or(vec![0, 1], |mover| vec![mover]);
    if depth == 0 || movers.iter().any(|&player| grid.legal(player).is_empty()) {
        return u64::from(depth == 0);
    }
    if depth == 1 {
        return movers.iter().map(|&player| grid.legal(player).len() as u64).product();
    }
    let mut total = 0;
    for first in grid.legal(movers[0]) {
        for second in movers.get(1).map_or(vec![0], |&player| grid.legal(player)) {
            let mut next = grid.clone();
            next.lay(movers[0], first);
            if mover.is_none() {
                next.lay(1, second);
            }
            total += grid_perft(&next, mover.map(|mover| 1 - mover), depth - 1);
        }
    }
    total
}

#[test]
fn perft() {
    let check = |counts: Vec<u64>, mover, (rows, columns, length), expected: &[u64]| {
        assert_eq!(counts, expected, "{rows}×{columns}, bars of {length}");
        let grid = Grid::new(rows, columns, length);
        let plain: Vec<u64> = (1..=expected.len() as u32).map(|depth| grid_perft(&grid, mover, depth)).collect();
        assert_eq!(plain, expected, "{rows}×{columns}, bars of {length}, the plain grid");
    };
    check(perft_table(&open(&SYNC_DOMINEERING, 4, 4), 4), None, (4, 4, 2), &[144, 7564, 102072, 181008]);
    check(perft_table(&open(&SYNC_TRIOMINEERING, 4, 5), 4), None, (4, 5, 3), &[120, 2476, 2784, 0]);
    check(perft_table(&open(&SYNC_DOMINEERING, 6, 6), 2), None, (6, 6, 2), &[900, 533984]);
    check(perft_table(&open(&SYNC_DOMINEERING, 2, 32), 2), None, (2, 32, 2), &[1984, 3193020]);
    check(perft_table(&open(&SYNC_DOMINEERING, 8, 8), 2), None, (8, 8, 2), &[3136, 7826364]);
    check(perft_table(&open(&SYNC_TRIOMINEERING, 6, 6), 2), None, (6, 6, 3), &[576, 135496]);
    check(perft_table(&open(&SYNC_TRIOMINEERING, 8, 4), 2), None, (8, 4, 3), &[384, 55348]);
    check(perft_table(&open(&SYNC_TRIOMINEERING, 3, 21), 2), None, (3, 21, 3), &[1197, 920460]);
    check(perft_table(&open(&SYNC_TRIOMINEERING, 10, 10), 1), None, (10, 10, 3), &[6400]);
    check(perft_table(&open(&SYNC_TRIOMINEERING, 3, 42), 1), None, (3, 42, 3), &[5040]);
    check(perft_table(&open(&SYNC_DOMINEERING, 5, 13), 2), None, (5, 13, 2), &[3120, 7775960]);
    check(perft_table(&open(&DOMINEERING, 8, 16), 3), Some(0), (8, 16, 2), &[112, 13020, 1377780]);
    check(perft_table(&open(&TRIOMINEERING, 10, 10), 3), Some(0), (10, 10, 3), &[80, 5824, 400608]);
    check(perft_table(&open(&DOMINEERING, 6, 6), 2), Some(0), (6, 6, 2), &[30, 800]);
    check(perft_table(&open(&DOMINEERING, 8, 8), 2), Some(0), (8, 8, 2), &[56, 2940]);
    check(perft_table(&open(&TRIOMINEERING, 6, 6), 2), Some(0), (6, 6, 3), &[24, 432]);
    check(perft_table(&open(&TRIOMINEERING, 8, 4), 2), Some(0), (8, 4, 3), &[24, 276]);
    check(perft_table(&open(&DOMINEERING, 4, 4), 5), Some(0), (4, 4, 2), &[12, 108, 756, 3628, 11904]);
    check(perft_table(&open(&TRIOMINEERING, 5, 5), 4), Some(0), (5, 5, 3), &[15, 144, 1098, 4748]);
}

#[test]
fn crossing_bars_fill_their_common_cell_once() {
    let game = open(&SYNC_TRIOMINEERING, 3, 3);
    let mut state = game.start();
    game.apply(&mut state, &[1, 3]);
    assert_eq!(game.state_text(&state), ".#./###/.#.");
    assert_eq!((game.turn(&state), game.payoff(&state, Player(0))), (Turn::Over, 0.5));
}

#[test]
fn boards_without_a_move_are_refused_and_lopsided_ones_are_over_at_once() {
    assert!(refusal("sync-triomineering(2,2)").contains("neither player has a move"));
    assert!(refusal("sync-triomineering(1,1)").contains("neither player has a move"));
    assert!(refusal("sync-triomineering(3,43)").contains("too large"));
    assert!(refusal("sync-triomineering(0,5)").contains("from 1 to 128"));
    let game = open(&SYNC_DOMINEERING, 1, 64);
    assert_eq!((game.turn(&game.start()), game.payoff(&game.start(), Player(1))), (Turn::Over, 1.0));
    let game = open(&DOMINEERING, 1, 2);
    assert_eq!((game.turn(&game.start()), game.payoff(&game.start(), Player(1))), (Turn::Over, 1.0));
}

/// A policy that uses the default `play_out` of the trait.
struct ByDefault;

impl Policy<Synchronized> for ByDefault {
    fn pick(
        &mut self,
        game: &Synchronized,
        state: &<Synchronized as Game>::State,
        player: Player,
        rng: &mut Rng,
    ) -> u8 {
        Hinder.pick(game, state, player, rng)
    }
}

#[test]
fn hindering_playouts_play_as_the_default_would() {
    let game = open(&SYNC_DOMINEERING, 6, 6);
    let horizons =
        [Horizon::END, Horizon::steps(3), Horizon::steps(0), Horizon::turns(0), Horizon::turns(1), Horizon::turns(4)];
    for (seed, horizon) in horizons.into_iter().enumerate() {
        let mut ends = [game.start(), game.start()];
        let mut rngs = [Rng::new(seed as u64), Rng::new(seed as u64)];
        let own = Hinder.play_out(&game, &mut ends[0], &mut rngs[0], horizon);
        let default = ByDefault.play_out(&game, &mut ends[1], &mut rngs[1], horizon);
        assert_eq!((own, &ends[0], &rngs[0]), (default, &ends[1], &rngs[1]), "{horizon:?}");
    }
}

#[test]
fn unreadable_boards_say_why() {
    let game = open(&DOMINEERING, 2, 3);
    for (text, expected) in [
        ("", "who must move"),
        (".../...", "who must move"),
        (".../... x", "who must move"),
        ("... v", "1 rows, expected 2"),
        (".../.... h", "row 2 has 4 cells, expected 3"),
        (".../.o. h", "unknown symbol `o`"),
    ] {
        let error = game.parse_state(text).unwrap_err();
        assert!(error.to_string().contains(expected), "{text}: {error}");
    }
    assert_eq!(open(&SYNC_DOMINEERING, 2, 32).board_text(&open(&SYNC_DOMINEERING, 2, 32).start()).lines().count(), 3);
    let tall = open(&DOMINEERING, 128, 1);
    let lines: Vec<usize> = tall.board_text(&tall.start()).lines().take(129).map(|line| line.chars().count()).collect();
    assert_eq!(lines, [5; 129], "rows above 99 leave the board in line");
    let game = open(&SYNC_DOMINEERING, 2, 30);
    let names = legal_actions(&game, &game.start(), Actor::Player(Player(0)));
    let names: Vec<String> =
        names.into_iter().map(|cell| game.action_text(&game.start(), Actor::Player(Player(0)), cell)).collect();
    assert_eq!([&names[0], &names[25], &names[26], &names[29]], ["a1", "z1", "aa1", "ad1"]);
}

mod parsing {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn any_board_reads_back(free: u128, vertical: bool, large: bool) {
            let (rows, columns) = if large { (9, 14) } else { (5, 7) };
            let game = open(&SYNC_TRIOMINEERING, rows, columns);
            let text: String = notation::cells_text(&Board::new(rows as u8, columns as u8, 3), free);
            prop_assert_eq!(game.state_text(&game.parse_state(&text).unwrap()), text.clone());
            let game = open(&DOMINEERING, rows, columns);
            let text = format!("{text} {}", if vertical { "v" } else { "h" });
            prop_assert_eq!(game.state_text(&game.parse_state(&text).unwrap()), text);
        }

        #[test]
        fn any_text_is_a_board_or_an_error(text in "[.#/ vh]{0,12}|.{0,12}") {
            let _ = open(&SYNC_TRIOMINEERING, 3, 3).parse_state(&text);
            let game = open(&DOMINEERING, 3, 3);
            let _ = game.parse_state(&text);
            let _ = game.parse_action(&game.start(), Actor::Player(Player(0)), &text);
        }
    }
}

#[test]
fn bars_are_drawn_in_the_colours_of_their_owners() {
    let count = |body: &str, player: usize| body.matches(&format!("rx=\"8\" fill=\"{}\"", SEATS[player])).count();
    let game = open(&DOMINEERING, 4, 4);
    let (mut state, mut steps) = (game.start(), History::default());
    for action in [0, 2, 4] {
        let legal = legal_actions(&game, &state, Actor::Player(Player((steps.len() % 2) as u8)));
        let action = *legal.iter().find(|&&legal| legal >= action).unwrap();
        game.apply(&mut state, &[action]);
        steps.push(&[action]);
    }
    let body = game.draw_after(&state, &steps).body;
    assert_eq!((count(&body, 0), count(&body, 1)), (2, 1));
    let body = game.draw(&state).body;
    assert_eq!((count(&body, 0), count(&body, 1)), (0, 0), "a state does not know its owners");
    let game = open(&SYNC_TRIOMINEERING, 6, 6);
    let (mut state, mut steps) = (game.start(), History::default());
    game.apply(&mut state, &[0, 3]);
    steps.push(&[0, 3]);
    let body = game.draw_after(&state, &steps).body;
    assert_eq!((count(&body, 0), count(&body, 1)), (1, 1));
}

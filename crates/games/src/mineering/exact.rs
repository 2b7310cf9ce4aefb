//! Small synchronized boards solved by plain search and compared with the published outcome classes.
//!
//! A class says what the players can force with pure strategies, without seeing the other's choice: `V` or `H` a win of
//! that player, `D` a draw of both.

use std::collections::HashMap;

use tesuji_core::{Actor, Entry, Game, Knowledge, Notation, Player, Rng, Turn, legal_actions};

use super::twin::open;
use super::*;
use crate::zero_sum;

type State = <Synchronized as Game>::State;

/// The payoffs of Vertical that each player can force in a state with pure strategies.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Bounds {
    /// Vertical gets at least this.
    least: f64,
    /// Horizontal concedes at most this.
    most: f64,
}

struct Solver<'a> {
    game: &'a Synchronized,
    bounds: HashMap<State, Bounds>,
    values: HashMap<State, f64>,
}

impl Solver<'_> {
    fn new(game: &Synchronized) -> Solver<'_> {
        Solver { game, bounds: HashMap::new(), values: HashMap::new() }
    }

    /// The states after each joint action, one row for each bar of Vertical.
    fn children(&self, state: &State) -> Vec<Vec<State>> {
        let [first, second] = [0, 1].map(|seat| legal_actions(self.game, state, Actor::Player(Player(seat))));
        let child = |joint: [u8; 2]| {
            let mut child = state.clone();
            self.game.apply(&mut child, &joint);
            child
        };
        first.iter().map(|&a| second.iter().map(|&b| child([a, b])).collect()).collect()
    }

    fn bounds(&mut self, state: &State) -> Bounds {
        if self.game.turn(state) == Turn::Over {
            let payoff = self.game.payoff(state, Player(0));
            return Bounds { least: payoff, most: payoff };
        }
        if let Some(&known) = self.bounds.get(state) {
            return known;
        }
        let children = self.children(state);
        let matrix: Vec<Vec<Bounds>> =
            children.iter().map(|row| row.iter().map(|child| self.bounds(child)).collect()).collect();
        let columns = 0..matrix[0].len();
        let bounds = Bounds {
            least: greatest(matrix.iter().map(|row| smallest(row.iter().map(|bounds| bounds.least)))),
            most: smallest(columns.map(|column| greatest(matrix.iter().map(|row| row[column].most)))),
        };
        self.bounds.insert(state.clone(), bounds);
        bounds
    }

    /// The value under mixed strategies. A matrix game is solved only if the pure bounds differ.
    fn value(&mut self, state: &State) -> f64 {
        let Bounds { least, most } = self.bounds(state);
        if least == most {
            return least;
        }
        if let Some(&known) = self.values.get(state) {
            return known;
        }
        let children = self.children(state);
        let matrix: Vec<Vec<f64>> =
            children.iter().map(|row| row.iter().map(|child| self.value(child)).collect()).collect();
        let value = zero_sum::solve(&matrix).value;
        self.values.insert(state.clone(), value);
        value
    }
}

fn smallest(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(f64::INFINITY, f64::min)
}

fn greatest(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(f64::NEG_INFINITY, f64::max)
}

fn class(entry: &Entry<Synchronized>, length: usize, rows: usize, columns: usize) -> char {
    if rows < length && columns < length {
        return 'D';
    }
    let game = open(entry, rows, columns);
    match Solver::new(&game).bounds(&game.start()) {
        Bounds { least: 1.0, .. } => 'V',
        Bounds { most: 0.0, .. } => 'H',
        Bounds { least: 0.5, most: 0.5 } => 'D',
        other => panic!("{rows}×{columns}: {other:?}"),
    }
}

/// Checks every board of a table of classes that has at most `cells` cells.
fn check(entry: &Entry<Synchronized>, length: usize, table: &[&str], cells: usize) {
    for (row, line) in table.iter().enumerate() {
        for (column, expected) in line.chars().enumerate() {
            let (rows, columns) = (row + 1, column + 1);
            if rows * columns <= cells {
                assert_eq!(class(entry, length, rows, columns), expected, "{} {rows}×{columns}", entry.name);
            }
        }
    }
}

/// Rows 1 to 5, columns 1 to 10 minus the row; classes from Cincotti and others, recomputed independently.
#[test]
fn domineering_has_the_published_classes() {
    check(&SYNC_DOMINEERING, 2, &["DHHHHHHHH", "VDVDVDVD", "VHDHHHH", "VDVDVD", "VHVHD"], 21);
}

#[test]
fn triomineering_has_the_published_classes() {
    check(&SYNC_TRIOMINEERING, 3, &["DDHHHHHHH", "DDHHHHHH", "VVDVVDV", "VVHDVH", "VVHHD"], 25);
}

/// On the 4×4 board of Triomineering the inner columns are optimal for Vertical and the inner rows for Horizontal (the
/// paper's section 6.2, whose `(1,2)` must read `(1,1)`); every other bar loses value.
#[test]
fn first_moves_on_triomineering_4_by_4() {
    let game = open(&SYNC_TRIOMINEERING, 4, 4);
    let start = game.start();
    let mut solver = Solver::new(&game);
    let [first, second] = [0, 1].map(|seat| legal_actions(&game, &start, Actor::Player(Player(seat))));
    let children = solver.children(&start);
    let matrix: Vec<Vec<f64>> =
        children.iter().map(|row| row.iter().map(|child| solver.value(child)).collect()).collect();
    for (row, &bar) in first.iter().enumerate() {
        let worst = smallest(matrix[row].iter().copied());
        assert_eq!(worst >= 0.5, [1, 2].contains(&(bar % 4)), "vertical {bar}: {worst}");
    }
    for (column, &bar) in second.iter().enumerate() {
        let worst = greatest(matrix.iter().map(|row| row[column]));
        assert_eq!(worst <= 0.5, [1, 2].contains(&(bar / 4)), "horizontal {bar}: {worst}");
    }
    assert_eq!(solver.value(&start), 0.5);
}

/// 8×4: by pure strategies only vertical can force a draw (class VD); the mixed value is 3/4 (section 6.6.2).
#[test]
fn triomineering_8_by_4_needs_mixed_strategies() {
    let game = open(&SYNC_TRIOMINEERING, 8, 4);
    let mut solver = Solver::new(&game);
    assert_eq!(solver.bounds(&game.start()), Bounds { least: 0.5, most: 1.0 });
    assert!((solver.value(&game.start()) - 0.75).abs() < 1e-9);
    let children = solver.children(&game.start());
    let worst = children.iter().map(|row| smallest(row.iter().map(|child| solver.value(child))));
    assert_eq!(greatest(worst), 0.5, "every first bar laid for certain gives up a quarter at least");
}

/// Whether the mover wins an alternating game.
fn mover_wins(
    game: &Alternating,
    state: &<Alternating as Game>::State,
    known: &mut HashMap<<Alternating as Game>::State, bool>,
) -> bool {
    let Turn::Player(mover) = game.turn(state) else { return false };
    if let Some(&wins) = known.get(state) {
        return wins;
    }
    let wins = legal_actions(game, state, Actor::Player(mover)).into_iter().any(|bar| {
        let mut next = state.clone();
        game.apply(&mut next, &[bar]);
        !mover_wins(game, &next, known)
    });
    known.insert(state.clone(), wins);
    wins
}

/// The first player wins Domineering on squares of side 2, 3 and 4 and loses on side 5 (Breuker, Uiterwijk and van den
/// Herik, "Solving 8×8 Domineering", 2000).
#[test]
fn alternating_domineering_has_the_published_winners() {
    for (side, expected) in [(2, true), (3, true), (4, true), (5, false)] {
        let game = open(&DOMINEERING, side, side);
        assert_eq!(mover_wins(&game, &game.start(), &mut HashMap::new()), expected, "{side}×{side}");
    }
}

/// Every state of a few random matches from starts with some cells filled.
fn met(game: &Synchronized, cells: u32, rng: &mut Rng) -> Vec<State> {
    let mut states = Vec::new();
    for _ in 0..40 {
        let text: String = game.state_text(&game.start());
        let filled: String = text.chars().map(|c| if c == '.' && rng.below(6) == 0 { '#' } else { c }).collect();
        let mut state = game.parse_state(&filled).unwrap();
        loop {
            let free = game.state_text(&state).matches('.').count() as u32;
            if free <= cells {
                states.push(state.clone());
            }
            if game.turn(&state) == Turn::Over {
                break;
            }
            let joint = [0, 1].map(|seat| game.random_action(&state, Player(seat), rng, &mut Vec::new()));
            game.apply(&mut state, &joint);
        }
    }
    states
}

/// The hints for solvers are correct: bounds hold, positions with one key have equal values (or values that add up to
/// 1), and using only the candidates changes neither what can be forced nor the value.
#[test]
fn what_a_solver_is_told_is_true() {
    let mut rng = Rng::new(1);
    let mut worth: HashMap<u128, (f64, Bounds)> = HashMap::new();
    let mut shared = 0;
    let boards = [(&SYNC_TRIOMINEERING, 5, 5), (&SYNC_TRIOMINEERING, 4, 7), (&SYNC_DOMINEERING, 4, 4)];
    for (entry, rows, columns) in boards.into_iter().chain([(&SYNC_TRIOMINEERING, 7, 4), (&SYNC_DOMINEERING, 3, 6)]) {
        let game = open(entry, rows, columns);
        let mut solver = Solver::new(&game);
        for state in met(&game, 20, &mut rng) {
            let (value, bounds) = (solver.value(&state), solver.bounds(&state));
            let (low, high) = game.solver_hints().unwrap().bounds(&game, &state);
            assert!(low <= bounds.least && bounds.most <= high, "{}", game.state_text(&state));
            let print = game.solver_hints().unwrap().fingerprint(&game, &state);
            let seen = if print.exchanged {
                (1.0 - value, Bounds { least: 1.0 - bounds.most, most: 1.0 - bounds.least })
            } else {
                (value, bounds)
            };
            let known = *worth.entry(print.key).or_insert_with(|| {
                shared += 1;
                seen
            });
            assert!((known.0 - seen.0).abs() < 1e-9 && known.1 == seen.1, "{}", game.state_text(&state));
            assert!(!print.even || (value - 0.5).abs() < 1e-9, "{}", game.state_text(&state));
            if game.turn(&state) == Turn::Over {
                continue;
            }
            let all = [0, 1].map(|seat| legal_actions(&game, &state, Actor::Player(Player(seat))));
            let few = [0, 1].map(|seat| {
                let mut few = Vec::new();
                game.solver_hints().unwrap().candidates(&game, &state, Player(seat), &mut few);
                few
            });
            assert!(few.iter().zip(&all).all(|(few, all)| few.iter().all(|bar| all.contains(bar))));
            let mut child = |a: u8, b: u8| {
                let mut child = state.clone();
                game.apply(&mut child, &[a, b]);
                (solver.value(&child), solver.bounds(&child))
            };
            let matrix: Vec<Vec<(f64, Bounds)>> =
                few[0].iter().map(|&a| few[1].iter().map(|&b| child(a, b)).collect()).collect();
            let values: Vec<Vec<f64>> = matrix.iter().map(|row| row.iter().map(|cell| cell.0).collect()).collect();
            assert!((zero_sum::solve(&values).value - value).abs() < 1e-9, "{}", game.state_text(&state));
            let least = greatest(matrix.iter().map(|row| smallest(row.iter().map(|cell| cell.1.least))));
            assert_eq!(least, bounds.least, "{}", game.state_text(&state));
        }
    }
    assert!(shared > 100, "only {shared} different positions were met");
}

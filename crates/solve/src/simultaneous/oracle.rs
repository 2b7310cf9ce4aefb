//! The double oracle at one joint move.

use tesuji_core::{Knowledge, Player};

use super::game_value::{GameValue, ValueId};
use super::{Answer, ExactSolver};
use crate::matrix::{Fraction, exact_equilibrium};

/// Differences below this fraction of the payoff range are rounding.
const ROUNDING: f64 = 1e-9;

/// What is known about one cell of the matrix.
#[derive(Clone, Copy)]
struct Cell {
    low: f64,
    high: f64,
    value: Option<ValueId>,
}

/// A joint move while it is being solved.
struct Board<'s, G: Knowledge> {
    state: &'s G::State,
    actions: [Vec<G::Action>; 2],
    cells: Vec<Cell>,
    /// The actions of the restricted game.
    used: [Vec<usize>; 2],
}

impl<G: Knowledge> Board<'_, G> {
    fn place(&self, row: usize, column: usize) -> usize {
        row * self.actions[1].len() + column
    }

    /// A cell by an action of `side` and one of the other player.
    fn seen(&self, side: usize, own: usize, other: usize) -> usize {
        if side == 0 { self.place(own, other) } else { self.place(other, own) }
    }
}

/// Mixed strategies over the actions of the restricted game.
pub(super) type Mixes<A> = [Vec<(A, GameValue)>; 2];

impl<G: Knowledge> ExactSolver<'_, G> {
    /// Optimal strategies of a joint move, and their exploitability.
    pub(super) fn strategies(&mut self, state: &G::State) -> Answer<(Mixes<G::Action>, f64)> {
        let (_, mixes, gap) = self.matrix_value(state)?;
        Ok((mixes, gap))
    }

    /// The value of a joint move, with optimal mixed strategies.
    pub(super) fn matrix_value(&mut self, state: &G::State) -> Answer<(ValueId, Mixes<G::Action>, f64)> {
        let actions = [0, 1].map(|side| self.actions(state, Player(side)));
        let (loss, win) = self.game.spec().payoffs;
        let unknown = Cell { low: loss, high: win, value: None };
        let cells = vec![unknown; actions[0].len() * actions[1].len()];
        let mut board: Board<'_, G> = Board { state, actions, cells, used: [vec![0], vec![0]] };
        let tolerance = ROUNDING * (win - loss);
        loop {
            let value = self.solve_restricted(&mut board)?;
            let mixes = [self.matrix_solver.solution().rows.clone(), self.matrix_solver.solution().columns.clone()];
            let mut grown = false;
            for side in 0..2 {
                if let Some(action) = self.better_answer(&mut board, side, &mixes[1 - side], value, tolerance)? {
                    board.used[side].push(action);
                    grown = true;
                }
            }
            if grown {
                continue;
            }
            let gap = self.matrix_solver.solution().gap;
            let Some(exact) = self.exact_restricted(&board) else {
                let mixes =
                    [0, 1].map(|side| listed(&board, side, mixes[side].iter().map(|&share| GameValue::about(share))));
                return Ok((self.memory.values.intern(GameValue::about(value)), mixes, gap));
            };
            // Rounding may have hidden an action that is slightly better.
            for side in 0..2 {
                let other = if side == 0 { &exact.columns } else { &exact.rows };
                if let Some(action) = self.exactly_better(&mut board, side, other, exact.value)? {
                    board.used[side].push(action);
                    grown = true;
                }
            }
            if !grown {
                let mixes = [&exact.rows, &exact.columns];
                let mixes =
                    [0, 1].map(|side| listed(&board, side, mixes[side].iter().map(|&share| GameValue::exactly(share))));
                return Ok((self.memory.values.intern(GameValue::exactly(exact.value)), mixes, 0.0));
            }
        }
    }

    /// Solves the restricted game in floating point; the solution stays in the matrix solver.
    fn solve_restricted(&mut self, board: &mut Board<'_, G>) -> Answer<f64> {
        let used = board.used.clone();
        for &row in &used[0] {
            for &column in &used[1] {
                self.settle(board, row, column)?;
            }
        }
        let entries = used[0].iter().flat_map(|&row| used[1].iter().map(move |&column| (row, column)));
        let entries = entries.map(|(row, column)| board.cells[board.place(row, column)].low);
        self.matrix.refill(used[0].len(), used[1].len(), entries);
        Ok(self.matrix_solver.solve(&self.matrix).value)
    }

    fn exact_restricted(&mut self, board: &Board<'_, G>) -> Option<crate::matrix::ExactEquilibrium> {
        let mut entries = Vec::with_capacity(board.used[0].len() * board.used[1].len());
        for &row in &board.used[0] {
            for &column in &board.used[1] {
                entries.push(self.memory.values.get(board.cells[board.place(row, column)].value?).exact?);
            }
        }
        exact_equilibrium(&mut self.matrix_solver, board.used[0].len(), board.used[1].len(), &entries)
    }

    /// Computes a cell's value.
    fn settle(&mut self, board: &mut Board<'_, G>, row: usize, column: usize) -> Answer<()> {
        let place = board.place(row, column);
        if board.cells[place].value.is_none() {
            let mut next = board.state.clone();
            self.game.apply(&mut next, &[board.actions[0][row], board.actions[1][column]]);
            let id = self.value_id(&next)?;
            let value = self.memory.values.get(id).value;
            board.cells[place] = Cell { low: value, high: value, value: Some(id) };
        }
        Ok(())
    }

    /// Narrows a cell's bounds by what is plain to see.
    fn bound_cell(&mut self, board: &mut Board<'_, G>, row: usize, column: usize) {
        let place = board.place(row, column);
        let (loss, win) = self.game.spec().payoffs;
        let cell = board.cells[place];
        if cell.value.is_some() || cell.low > loss || cell.high < win {
            return;
        }
        let mut next = board.state.clone();
        self.game.apply(&mut next, &[board.actions[0][row], board.actions[1][column]]);
        let (low, high) = self.glimpse(&next);
        board.cells[place] = Cell { low, high, value: None };
    }

    /// An action outside the restricted game that gives `side` more than `value` against the other's strategy.
    fn better_answer(
        &mut self,
        board: &mut Board<'_, G>,
        side: usize,
        other: &[f64],
        value: f64,
        tolerance: f64,
    ) -> Answer<Option<usize>> {
        let sign = if side == 0 { 1.0 } else { -1.0 };
        let hope = |cell: &Cell| if side == 0 { cell.high } else { -cell.low };
        let used = board.used[1 - side].clone();
        let mut best: Option<(f64, usize)> = None;
        for action in 0..board.actions[side].len() {
            if board.used[side].contains(&action) {
                continue;
            }
            let bar = best.map_or(sign * value + tolerance, |(found, _)| found);
            let weighted = || used.iter().zip(other).filter(|(_, share)| **share > 0.0);
            for (&reply, _) in weighted() {
                let (row, column) = if side == 0 { (action, reply) } else { (reply, action) };
                self.bound_cell(board, row, column);
            }
            let mut sum: f64 =
                weighted().map(|(&reply, share)| share * hope(&board.cells[board.seen(side, action, reply)])).sum();
            for (&reply, &share) in weighted() {
                if sum <= bar {
                    break;
                }
                let place = board.seen(side, action, reply);
                let before = hope(&board.cells[place]);
                let (row, column) = if side == 0 { (action, reply) } else { (reply, action) };
                self.settle(board, row, column)?;
                sum += share * (hope(&board.cells[place]) - before);
            }
            if sum > bar {
                best = Some((sum, action));
            }
        }
        Ok(best.map(|(_, action)| action))
    }

    /// The same in fractions, where floating point sees no difference. Also `None` if fractions overflow.
    fn exactly_better(
        &mut self,
        board: &mut Board<'_, G>,
        side: usize,
        other: &[Fraction],
        value: Fraction,
    ) -> Answer<Option<usize>> {
        let used = board.used[1 - side].clone();
        for action in 0..board.actions[side].len() {
            if board.used[side].contains(&action) {
                continue;
            }
            for settled in [false, true] {
                let mut sum = Some(Fraction::ZERO);
                for (&reply, share) in used.iter().zip(other).filter(|(_, share)| !share.is_zero()) {
                    let (row, column) = if side == 0 { (action, reply) } else { (reply, action) };
                    if settled {
                        self.settle(board, row, column)?;
                    }
                    let cell = board.cells[board.place(row, column)];
                    let entry = match cell.value {
                        Some(id) => self.memory.values.get(id).exact,
                        None => Fraction::near(if side == 0 { cell.high } else { cell.low }),
                    };
                    sum = sum.and_then(|sum| sum.plus(&share.times(&entry?)?));
                }
                let better = |sum: Fraction| if side == 0 { sum > value } else { sum < value };
                match sum {
                    Some(sum) if better(sum) && settled => return Ok(Some(action)),
                    Some(sum) if better(sum) => {}
                    _ => break,
                }
            }
        }
        Ok(None)
    }
}

/// The actions of the restricted game that a strategy uses.
fn listed<G: Knowledge>(
    board: &Board<'_, G>,
    side: usize,
    shares: impl Iterator<Item = GameValue>,
) -> Vec<(G::Action, GameValue)> {
    let mut list: Vec<(usize, GameValue)> =
        board.used[side].iter().copied().zip(shares).filter(|(_, share)| share.value > 0.0).collect();
    list.sort_by_key(|&(action, _)| action);
    list.into_iter().map(|(action, share)| (board.actions[side][action], share)).collect()
}

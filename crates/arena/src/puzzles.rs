//! Positions with a known best action, to be solved by people.
//!
//! `data/puzzles.toml` lists them. A puzzle is a game, a position, and what is asked for: an action that keeps the
//! exact value of the position (`best`), or the rest of a turn that wins the match at once (`turn`, one way to do so).
//! Tests compare the listed actions with the exact solution of the position.

use serde::{Deserialize, Serialize};
use tesuji_catalogue::unknown;
use tesuji_core::{Actor, InputError, Player};

use crate::{AnyGame, AnyMatch};

const TEXT: &str = include_str!("../../../data/puzzles.toml");

/// A position with a known best action.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Puzzle {
    /// Its name.
    pub id: String,
    /// The address of the game.
    pub game: String,
    /// The position as text; the start if absent.
    #[serde(default)]
    pub state: Option<String>,
    /// Who solves it.
    pub player: u8,
    /// The actions that keep the value of the position; empty if the turn has to win the match.
    #[serde(default)]
    pub best: Vec<String>,
    /// Where the turn has to win the match: the actions of a turn that does.
    #[serde(default)]
    pub turn: Vec<String>,
    /// What the position is worth to the player under best play, where `best` is given.
    #[serde(default)]
    pub value: Option<f64>,
}

/// What an answer to a puzzle is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    /// The puzzle is solved.
    Right,
    /// It cannot be solved any more.
    Wrong,
    /// The turn goes on.
    Unfinished,
}

#[derive(Deserialize)]
struct File {
    puzzle: Vec<Puzzle>,
}

/// All puzzles, in order.
pub fn puzzles() -> Vec<Puzzle> {
    toml::from_str::<File>(TEXT).unwrap_or_else(|error| panic!("data/puzzles.toml: {error}")).puzzle
}

/// The puzzle of that name.
pub fn puzzle(id: &str) -> Result<Puzzle, InputError> {
    let all = puzzles();
    let ids: Vec<&str> = all.iter().map(|puzzle| puzzle.id.as_str()).collect();
    let missing = unknown("puzzle", id, &ids, "`GET /api/puzzles` lists them all");
    all.iter().find(|puzzle| puzzle.id == id).cloned().ok_or(missing)
}

impl Puzzle {
    /// The position, in a match of the puzzle's game.
    pub fn position(&self, game: &dyn AnyGame) -> Result<Box<dyn AnyMatch>, InputError> {
        game.new_match(self.state.as_deref())
    }

    /// Judges the actions that the player has chosen from the position on, one after the other.
    pub fn answer(&self, game: &dyn AnyGame, actions: &[String]) -> Result<Answer, InputError> {
        let mut table = self.position(game)?;
        let player = Player(self.player);
        for (number, action) in actions.iter().enumerate() {
            if !table.turn().movers().any(|mover| mover == player) || table.turn().movers().count() > 1 && number > 0 {
                return Err(InputError::new("the turn is over: no further action belongs to the answer"));
            }
            if !self.best.is_empty() {
                let action = table.read_action(Actor::Player(player), action)?;
                return Ok(if self.best.contains(&action) { Answer::Right } else { Answer::Wrong });
            }
            table.step(std::slice::from_ref(action))?;
        }
        let greatest = game.spec().payoffs.1;
        Ok(match table.payoffs() {
            Some(payoffs) if payoffs[player.index()] >= greatest => Answer::Right,
            Some(_) => Answer::Wrong,
            None if table.turn().movers().any(|mover| mover == player) => Answer::Unfinished,
            None => Answer::Wrong,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SolvePlan;

    const PLAN: SolvePlan<'static> = SolvePlan { most_nodes: 2_000_000, tolerance: 1e-9, stop: None };

    /// What the player gets under best play from a position of a match.
    fn value(game: &dyn AnyGame, table: &dyn AnyMatch, player: usize) -> f64 {
        if let Some(payoffs) = table.payoffs() {
            return payoffs[player];
        }
        let solved = game.solve(Some(&table.state_text()), &PLAN).unwrap_or_else(|error| panic!("{error}"));
        let (least, greatest) = game.spec().payoffs;
        // All puzzles are of games in which one player's gain is the other's loss.
        if player == 0 { solved.value } else { least + greatest - solved.value }
    }

    #[test]
    fn the_best_actions_are_those_that_keep_the_exact_value() {
        let catalogue = tesuji_standard::catalogue();
        for puzzle in puzzles().into_iter().filter(|puzzle| !puzzle.best.is_empty()) {
            let game = catalogue.open(&puzzle.game).unwrap();
            let table = puzzle.position(game.as_ref()).unwrap();
            let player = usize::from(puzzle.player);
            let actor = Actor::Player(Player(puzzle.player));
            let kept = if table.turn().movers().count() == 1 {
                let after = |action: &String| {
                    let mut next = puzzle.position(game.as_ref()).unwrap();
                    next.step(std::slice::from_ref(action)).unwrap();
                    value(game.as_ref(), next.as_ref(), player)
                };
                let values: Vec<(String, f64)> =
                    table.legal(actor).into_iter().map(|action| (action.clone(), after(&action))).collect();
                let most = values.iter().map(|(_, value)| *value).fold(f64::NEG_INFINITY, f64::max);
                assert!((most - puzzle.value.unwrap()).abs() < 1e-6, "{}: {most}", puzzle.id);
                let best = values.into_iter().filter(|(_, value)| most - value < 1e-9).map(|(action, _)| action);
                best.collect::<Vec<_>>()
            } else {
                // Simultaneous: the only action of the player's optimal strategy.
                let solved = game.solve(puzzle.state.as_deref(), &PLAN).unwrap();
                let name = &game.spec().players[player];
                let own = solved.strategy.iter().find(|strategy| strategy.player == *name).unwrap();
                own.actions.iter().map(|(action, _)| action.clone()).collect()
            };
            let mut listed = puzzle.best.clone();
            let mut kept = kept;
            listed.sort();
            kept.sort();
            assert_eq!(kept, listed, "{}", puzzle.id);
            assert!(listed.len() < table.legal(actor).len(), "{}: every action is best", puzzle.id);
            assert_eq!(puzzle.answer(game.as_ref(), &[listed[0].clone()]).unwrap(), Answer::Right);
        }
    }

    #[test]
    fn every_kind_of_puzzle_has_enough_of_them() {
        let all = puzzles();
        for (prefix, least) in [("tubstap-", 9), ("connect-four-", 5), ("triomineering-", 5), ("einstein-", 5)] {
            let count = all.iter().filter(|puzzle| puzzle.id.starts_with(prefix)).count();
            assert!(count >= least, "{prefix}: {count}");
        }
        assert!(all.iter().all(|puzzle| puzzle.best.is_empty() != puzzle.turn.is_empty()));
    }

    /// All turns of attacks from a position: how many there are, and how many of them win.
    fn turns(puzzle: &Puzzle, game: &dyn AnyGame) -> (u64, u64) {
        let actor = Actor::Player(Player(puzzle.player));
        let (mut all, mut right) = (0, 0);
        let mut open = vec![puzzle.position(game).unwrap()];
        while let Some(table) = open.pop() {
            let own = table.turn().movers().any(|mover| mover == Player(puzzle.player));
            let legal = if own { table.legal(actor) } else { Vec::new() };
            let attacks: Vec<String> = legal.into_iter().filter(|text| text.contains('x')).collect();
            if let Some(payoffs) = table.payoffs() {
                (all, right) = (all + 1, right + u64::from(payoffs[usize::from(puzzle.player)] == 1.0));
            } else if attacks.is_empty() {
                all += 1;
            }
            for attack in attacks {
                let mut next = table.branch(table.made().len());
                next.step(&[attack]).unwrap();
                open.push(next);
            }
        }
        (all, right)
    }

    #[test]
    fn turns_that_win_at_once_are_right_and_few() {
        let catalogue = tesuji_standard::catalogue();
        for puzzle in puzzles().into_iter().filter(|puzzle| !puzzle.turn.is_empty()) {
            let game = catalogue.open(&puzzle.game).unwrap();
            assert_eq!(puzzle.answer(game.as_ref(), &puzzle.turn).unwrap(), Answer::Right, "{}", puzzle.id);
            for cut in 0..puzzle.turn.len() {
                let answer = puzzle.answer(game.as_ref(), &puzzle.turn[..cut]).unwrap();
                assert_eq!(answer, Answer::Unfinished, "{}", puzzle.id);
            }
            let (all, right) = turns(&puzzle, game.as_ref());
            assert!(right > 0 && right * 4 < all, "{}: {right} of {all} turns of attacks win", puzzle.id);
            if puzzle.id == "tubstap-one-blow" {
                assert_eq!(right, 6);
            }
        }
    }
}

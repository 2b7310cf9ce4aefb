//! Positions with a known best action, to be solved by people.
//!
//! `data/puzzles.toml` lists them. A puzzle is a game, the steps to its position, and what is asked for: an action that
//! keeps the exact value of the position (`best`), or the rest of a turn that wins the match at once (no `best`). Tests
//! compare the listed actions with the exact solution of the position.

use serde::{Deserialize, Serialize};
use tesuji_core::{InputError, Player};
use tesuji_catalogue::unknown;

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
    /// The joint actions that lead to the position.
    #[serde(default)]
    pub steps: Vec<Vec<String>>,
    /// Who solves it.
    pub player: u8,
    /// The actions that keep the value of the position; empty if the turn has to win the match.
    #[serde(default)]
    pub best: Vec<String>,
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
        let mut table = game.new_match(None)?;
        for joint in &self.steps {
            table.step(joint)?;
        }
        Ok(table)
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
                let action = table.read_action(tesuji_core::Actor::Player(player), action)?;
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

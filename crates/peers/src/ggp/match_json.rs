//! Matches in the JSON format of the GGP repositories and of GGP-Base (`Match.toJSON`), written and read.
//!
//! States are facts without `true`; percepts are left out, because other programs do not keep them in states. Fields of
//! our own are `gameRulesheet`, the rules in the same spelling as the match, and `scrambleSeed`.

use serde::{Deserialize, Serialize};
use tesuji_arena::sheet::{SheetGame, SheetMatch};
use tesuji_arena::{ErrorKind, InputError};

use super::message::{elements, inside, tidy};
use super::scramble::Scramble;

/// A match as the GGP repositories store it.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct MatchJson {
    /// The identifier of the match.
    pub match_id: String,
    /// Milliseconds since 1970 at its start.
    pub start_time: u64,
    /// Where the game is described.
    #[serde(rename = "gameMetaURL")]
    pub game_meta_url: String,
    /// The rules, in the spelling of the match.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game_rulesheet: Option<String>,
    /// Whether the match was played to its end.
    pub is_completed: bool,
    /// Whether it was broken off.
    pub is_aborted: bool,
    /// Each state as a list of facts, the first state first.
    pub states: Vec<String>,
    /// The joint moves, by role.
    pub moves: Vec<Vec<String>>,
    /// When each state was reached, in milliseconds since 1970.
    pub state_times: Vec<u64>,
    /// What went wrong at each state, by role; an empty text where nothing did.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<Vec<String>>,
    /// The goals of the roles, if the match is over.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub goal_values: Vec<i32>,
    /// Seconds for a look at the rules before the match; −1 if there is no such clock.
    pub preview_clock: i64,
    /// Seconds before the first move.
    pub start_clock: i64,
    /// Seconds for each move.
    pub play_clock: i64,
    /// The names of the players, by role.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub player_names_from_host: Option<Vec<String>>,
    /// Whether players got other names than the sheet has.
    pub scrambled: bool,
    /// The seed of the scrambling, if moves and states are written in scrambled names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scramble_seed: Option<u64>,
}

/// What a match is called and when it was played.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct MatchLabel {
    /// The identifier of the match.
    pub id: String,
    /// Where the game is described.
    pub url: String,
    /// Milliseconds since 1970 at its start.
    pub start_time: u64,
    /// Seconds before the first move, and for each move.
    pub clocks: (u64, u64),
    /// The names of the players, by role without chance.
    pub players: Option<Vec<String>>,
    /// The seed of the scrambling; `None` to write the names of the sheet.
    pub scramble: Option<u64>,
}

impl MatchJson {
    /// The match of these steps, each with the actions of those who chose, as in a file of moves. Refuses steps that
    /// are not legal.
    pub fn of_steps(game: &SheetGame, steps: &[Vec<String>], label: MatchLabel) -> Result<MatchJson, InputError> {
        let mut seated = game.start();
        let (mut states, mut moves) = (vec![seated.facts()], Vec::new());
        let mut rest = steps;
        while !rest.is_empty() {
            let (joint, used) = seated.joint_of_steps(rest)?;
            seated.advance(&joint)?;
            moves.push(joint);
            states.push(seated.facts());
            rest = &rest[used..];
        }
        let scramble = label.scramble.map(|seed| Scramble::new(game.rules(), seed));
        let spelled = |text: &str| scramble.as_ref().map_or_else(|| text.to_owned(), |names| names.scramble(text));
        let is_completed = seated.is_over();
        Ok(MatchJson {
            match_id: label.id,
            start_time: label.start_time,
            game_meta_url: label.url,
            game_rulesheet: Some(spelled(game.rules())),
            is_completed,
            is_aborted: false,
            states: states.iter().map(|facts| spelled(&format!("( {} )", facts.join(" ")))).collect(),
            moves: moves.iter().map(|joint| joint.iter().map(|action| spelled(action)).collect()).collect(),
            state_times: vec![label.start_time; states.len()],
            errors: Vec::new(),
            goal_values: if is_completed { goals(&seated) } else { Vec::new() },
            preview_clock: -1,
            start_clock: label.clocks.0 as i64,
            play_clock: label.clocks.1 as i64,
            player_names_from_host: label.players,
            scrambled: label.scramble.is_some(),
            scramble_seed: label.scramble,
        })
    }

    /// Reads a text.
    pub fn read(text: &str) -> Result<MatchJson, InputError> {
        let refused = |reason: String| {
            InputError::new(format!("this is not a match in JSON: {reason}")).of_kind(ErrorKind::Unreadable)
        };
        let value: serde_json::Value = serde_json::from_str(text).map_err(|error| refused(error.to_string()))?;
        if !value.is_object() {
            return Err(refused("expected an object".to_owned()));
        }
        let read: MatchJson = serde_json::from_value(value).map_err(|error| refused(error.to_string()))?;
        if read.states.len() > read.moves.len() + 1 {
            let message = format!("{} states, but {} joint moves", read.states.len(), read.moves.len());
            return Err(InputError::new(message).with_help("the first state comes before the first joint move"));
        }
        Ok(read)
    }

    /// The match as JSON text.
    pub fn write(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default()
    }

    /// The same match in the names of the sheet, if it was written in scrambled ones.
    pub fn restored(&self, game: &SheetGame) -> MatchJson {
        let Some(seed) = self.scramble_seed else { return self.clone() };
        let names = Scramble::new(game.rules(), seed);
        MatchJson {
            game_rulesheet: self.game_rulesheet.as_deref().map(|rules| names.restore(rules)),
            states: self.states.iter().map(|state| names.restore(state)).collect(),
            moves: self.moves.iter().map(|joint| joint.iter().map(|action| names.restore(action)).collect()).collect(),
            scramble_seed: None,
            ..self.clone()
        }
    }

    /// Plays the match again and compares its states and goals. The error names the first difference.
    pub fn replay(&self, game: &SheetGame) -> Result<SheetMatch, InputError> {
        let mut seated = game.start();
        for index in 0..=self.moves.len() {
            if let Some(state) = self.states.get(index) {
                compare(index, &seated.facts(), state)?;
            }
            if let Some(joint) = self.moves.get(index) {
                let joint: Vec<String> = joint.iter().map(|action| tidy(action)).collect::<Result<_, _>>()?;
                let told = seated.advance(&joint);
                told.map_err(|error| InputError::new(format!("step {}: {error}", index + 1)))?;
            }
        }
        if self.is_completed && !seated.is_over() {
            return Err(InputError::new("the match is said to be completed, but by the rules it is not over"));
        }
        let goals = goals(&seated);
        if !self.goal_values.is_empty() && self.goal_values != goals {
            let message = format!("the goals are {:?}, but {goals:?} by the rules", self.goal_values);
            return Err(InputError::new(message));
        }
        Ok(seated)
    }
}

fn goals(seated: &SheetMatch) -> Vec<i32> {
    seated.goals().into_iter().map(|goal| goal.unwrap_or(0)).collect()
}

fn compare(index: usize, facts: &[String], written: &str) -> Result<(), InputError> {
    let refused = |message: String| InputError::new(format!("state {index}: {message}"));
    let inner = inside(written.trim()).ok_or_else(|| refused("expected a list of facts".to_owned()))?;
    let mut said: Vec<String> = elements(inner)?.into_iter().map(tidy).collect::<Result<_, _>>()?;
    said.sort_unstable();
    said.dedup();
    let missing = facts.iter().find(|fact| !said.contains(fact));
    let surplus = said.iter().find(|fact| !facts.contains(fact));
    match (missing, surplus) {
        (Some(fact), _) => Err(refused(format!("`{fact}` holds by the rules, but not in the match"))),
        (None, Some(fact)) => Err(refused(format!("`{fact}` holds in the match, but not by the rules"))),
        (None, None) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use tesuji_arena::{Rng, Source};

    use super::*;

    fn game(name: &str) -> SheetGame {
        let catalogue = tesuji_standard::catalogue();
        let rules = catalogue.open(&format!("gdl({name})")).unwrap().rules_text().unwrap();
        SheetGame::open(&catalogue, Source::new(name, rules), &|| false).unwrap()
    }

    /// A random match as written steps, and its joint moves.
    fn steps(game: &SheetGame, seed: u64) -> (Vec<Vec<String>>, usize) {
        let mut seated = game.start();
        let mut rng = Rng::new(seed);
        let mut moves = 0;
        while !seated.is_over() {
            let legal = (0..game.roles().len()).map(|role| seated.legal(role));
            let joint: Vec<String> = legal.map(|moves| moves[rng.below(moves.len())].clone()).collect();
            seated.advance(&joint).unwrap();
            moves += 1;
        }
        (seated.table().steps(), moves)
    }

    fn label(scramble: Option<u64>) -> MatchLabel {
        MatchLabel {
            id: "m1".to_owned(),
            start_time: 1_700_000_000_000,
            clocks: (30, 10),
            scramble,
            ..Default::default()
        }
    }

    #[test]
    fn matches_of_every_sort_are_written_and_read_back() {
        for name in ["tic-tac-toe", "pig-20", "rock-paper-scissors", "kuhn-poker", "tron-6x6"] {
            let game = game(name);
            let (steps, moves) = steps(&game, 3);
            for scramble in [None, Some(8)] {
                let written = MatchJson::of_steps(&game, &steps, label(scramble)).unwrap();
                assert_eq!((written.moves.len(), written.states.len()), (moves, moves + 1), "{name}");
                assert!(written.is_completed && written.goal_values.len() == game.roles().len());
                let read = MatchJson::read(&written.write()).unwrap();
                assert_eq!(read, written);
                assert_eq!(read.replay(&game).is_ok(), scramble.is_none(), "{name}");
                let restored = read.restored(&game);
                assert_eq!(restored.replay(&game).unwrap().table().steps(), steps, "{name}");
                assert_eq!(restored.moves, MatchJson::of_steps(&game, &steps, label(None)).unwrap().moves);
                // The scrambled rules play the scrambled match.
                let rules = Source::new("scrambled", read.game_rulesheet.as_deref().unwrap());
                let twin = SheetGame::open(&tesuji_standard::catalogue(), rules, &|| false).unwrap();
                read.replay(&twin).unwrap_or_else(|error| panic!("{name}: {error}"));
            }
        }
    }

    #[test]
    fn a_match_of_another_program_is_read() {
        let text = r#"{"matchId": "tiltyard.1", "randomToken": "x", "startTime": 1400000000000, "isCompleted": false,
            "gameMetaURL": "http://games.ggp.org/base/games/ticTacToe/", "scrambled": true, "startClock": 30,
            "states": ["( ( control x ) )", "( ( mark 1 1 x ) ( control o ) )"],
            "moves": [["( place 1 1 )", "noop"]], "stateTimes": [1, 2], "errors": [["", ""]],
            "playClock": 15, "previewClock": -1, "playerNamesFromHost": ["A", ""]}"#;
        let game = game("tic-tac-toe");
        let read = MatchJson::read(text).unwrap();
        assert_eq!(read.player_names_from_host.as_deref().unwrap().len(), 2);
        let facts = game.start().facts();
        assert_eq!(facts, ["(control x)"]);
        let mut replayed = read.clone();
        replayed.states.pop();
        assert_eq!(replayed.replay(&game).unwrap().table().steps(), [["(place 1 1)"]]);
    }

    #[test]
    fn differences_are_named() {
        let game = game("tic-tac-toe");
        let (steps, _) = steps(&game, 3);
        let right = MatchJson::of_steps(&game, &steps, label(None)).unwrap();
        let told = |change: &dyn Fn(&mut MatchJson)| {
            let mut wrong = right.clone();
            change(&mut wrong);
            wrong.replay(&game).map(drop).unwrap_err().to_string()
        };
        assert!(told(&|wrong| wrong.states[1] = "( (control x) )".to_owned()).starts_with("state 1:"));
        assert!(told(&|wrong| wrong.states[1] = "control".to_owned()).contains("list of facts"));
        assert!(told(&|wrong| wrong.moves[0][0] = "(place 9 9)".to_owned()).starts_with("step 1:"));
        assert!(told(&|wrong| wrong.goal_values[0] = 7).contains("the goals are [7"));
        let shorter = |wrong: &mut MatchJson| {
            wrong.moves.pop();
            wrong.states.pop();
        };
        assert!(told(&shorter).contains("not over"));
        assert!(MatchJson::read("{\"states\": [\"()\", \"()\"]}").is_err());
        assert!(MatchJson::read("[]").is_err());
        assert!(MatchJson::of_steps(&game, &[vec!["(place 9 9)".to_owned()]], label(None)).is_err());
        assert!(MatchJson::of_steps(&game, &[vec![]], label(None)).is_err());
    }
}

//! The messages: one JSON object a line, in both directions, told apart by `type`.
//!
//! Whoever plays the match gives orders, the engine answers. Keys that are not known are passed over, so that both sides can
//! grow; a `type` that is not known is an error of whoever sent it.

use serde::{Deserialize, Serialize};
use tesuji_core::InputError;

/// The version of the protocol. It grows when an engine of the version before would be misled.
pub const PROTOCOL: u32 = 1;

/// What an engine is told.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Order {
    /// The first line: the engine answers `hello`.
    Hello {
        /// The version that is spoken here.
        protocol: u32,
    },
    /// A new match: the engine answers `ready`, or `error` if it cannot play this game.
    Match {
        /// The name of the match in all that follows.
        id: String,
        /// The address of the game, such as `tic-tac-toe`.
        game: String,
        /// The names of the players in seat order.
        players: Vec<String>,
        /// The engine's own seat, counted from 0.
        player: usize,
        /// What the game has of `chance`, `simultaneous`, `multi-action`, `general-sum`, `many-players`.
        features: Vec<String>,
        /// The least and the greatest payoff.
        payoffs: [f64; 2],
        /// The text that the rules come from, where they are data: a rule sheet, a map.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rules: Option<String>,
    },
    /// Where the match stands. Not answered.
    Position {
        /// Which match.
        id: String,
        /// The state that `steps` begin from, if it is not the game's own start.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        start: Option<String>,
        /// Every step so far: the actions of those who acted, in player order, or the one outcome of chance.
        steps: Vec<Vec<String>>,
        /// The names of those who act next.
        turn: Vec<String>,
        /// What the engine's player may do; empty if it does not act now.
        legal: Vec<String>,
        /// The state on one line.
        state: String,
    },
    /// Thinking time before the first decision, which the engine may use: it answers `prepared`.
    Prepare {
        /// Which match.
        id: String,
        /// What it may spend.
        budget: Limits,
        /// Everything random in the answer comes from here.
        seed: u64,
    },
    /// A decision is wanted in the position told last: the engine answers `best`, after any number of `thinking`.
    Go {
        /// Which match.
        id: String,
        /// What it may spend.
        budget: Limits,
        /// Everything random in the answer comes from here.
        seed: u64,
    },
    /// The answer to `go` or `prepare` is wanted at once.
    Stop {
        /// Which match.
        id: String,
    },
    /// The match is over or given up. Not answered.
    End {
        /// Which match.
        id: String,
    },
    /// The engine ends.
    Quit,
}

/// What a decision may cost; at least one of them is given, and the first one reached ends the search.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Limits {
    /// Playouts, or leaf evaluations.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub playouts: Option<u64>,
    /// Nodes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Seconds by the clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
}

/// What an engine says.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Answer {
    /// Who it is.
    Hello {
        /// The version it speaks.
        protocol: u32,
        /// Its name.
        name: String,
        /// Its author.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        author: Option<String>,
    },
    /// It will play this match.
    Ready {
        /// Which match.
        id: String,
    },
    /// It is done with its preparations.
    Prepared {
        /// Which match.
        id: String,
    },
    /// What it thinks so far.
    Thinking {
        /// Which match.
        id: String,
        /// The thought.
        #[serde(flatten)]
        analysis: Analysis,
    },
    /// Its decision.
    Best {
        /// Which match.
        id: String,
        /// What it does, written as in `legal`.
        action: String,
        /// The thought behind it.
        #[serde(flatten)]
        analysis: Analysis,
    },
    /// It cannot do what it was told.
    Error {
        /// Which match, if it is about one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        id: Option<String>,
        /// Why.
        message: String,
    },
}

/// What an engine thinks of a position. Every key may be left out.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Analysis {
    /// What it expects its player to get, on the scale of payoffs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// Playouts made.
    #[serde(default)]
    pub playouts: u64,
    /// Nodes held.
    #[serde(default)]
    pub nodes: u64,
    /// The greatest depth reached, in steps.
    #[serde(default)]
    pub depth: u32,
    /// Seconds taken, by the engine's own clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// Its actions, the best first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<CandidateMessage>,
    /// What it expects to happen, step by step.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub line: Vec<Vec<String>>,
}

/// What an engine knows of one action.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct CandidateMessage {
    /// The action.
    pub action: String,
    /// How often it was tried.
    #[serde(default)]
    pub visits: u64,
    /// What it is worth to the engine's player.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// How likely it looked beforehand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prior: Option<f64>,
    /// The probability with which it is played.
    #[serde(default)]
    pub probability: f64,
}

impl Order {
    /// The match it is about.
    pub fn id(&self) -> Option<&str> {
        match self {
            Order::Hello { .. } | Order::Quit => None,
            Order::Match { id, .. }
            | Order::Position { id, .. }
            | Order::Prepare { id, .. }
            | Order::Go { id, .. }
            | Order::Stop { id }
            | Order::End { id } => Some(id),
        }
    }
}

impl Answer {
    /// The match it is about.
    pub fn id(&self) -> Option<&str> {
        match self {
            Answer::Hello { .. } => None,
            Answer::Ready { id } | Answer::Prepared { id } | Answer::Thinking { id, .. } | Answer::Best { id, .. } => {
                Some(id)
            }
            Answer::Error { id, .. } => id.as_deref(),
        }
    }
}

/// A message as its line, without the line break.
pub fn write(message: &impl Serialize) -> String {
    // Maps with text keys and finite or absent numbers always have a JSON form; others are written as null.
    serde_json::to_string(message).unwrap_or_else(|_| "null".to_owned())
}

/// The order on a line.
pub fn read_order(line: &str) -> Result<Order, InputError> {
    read(line, "an order such as {\"type\":\"go\",…}")
}

/// The answer on a line.
pub fn read_answer(line: &str) -> Result<Answer, InputError> {
    read(line, "an answer such as {\"type\":\"best\",…}")
}

/// The most of a wrong line that is shown.
const SHOWN: usize = 120;

fn read<T: serde::de::DeserializeOwned>(line: &str, expected: &str) -> Result<T, InputError> {
    serde_json::from_str(line).map_err(|error| {
        let mut shown: String = line.chars().take(SHOWN).collect();
        if shown.len() < line.len() {
            shown.push('…');
        }
        InputError::new(format!("not a message of the engine protocol: {error}"))
            .with_help(format!("the line was `{}`; expected {expected}", shown.escape_debug()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn messages_are_written_as_the_document_shows_and_read_back() {
        let go = Order::Go { id: "m1".into(), budget: Limits { seconds: Some(0.5), ..Limits::default() }, seed: 7 };
        assert_eq!(write(&go), r#"{"type":"go","id":"m1","budget":{"seconds":0.5},"seed":7}"#);
        assert_eq!(read_order(&write(&go)).unwrap(), go);
        let best = read_answer(r#"{"type":"best","id":"m1","action":"b2","value":0.5,"mood":"good"}"#).unwrap();
        let Answer::Best { action, analysis, .. } = &best else { panic!("{best:?}") };
        assert_eq!((action.as_str(), analysis.value, analysis.playouts), ("b2", Some(0.5), 0));
        assert_eq!(read_answer(&write(&best)).unwrap(), best);
        assert_eq!(read_order(r#"{"type":"quit"}"#).unwrap(), Order::Quit);
    }

    #[test]
    fn wrong_lines_are_shown_with_what_was_expected() {
        for line in ["", "{", "[]", "{\"type\":\"bset\"}", "{\"type\":\"best\",\"id\":\"m1\"}", "b2"] {
            let error = read_answer(line).unwrap_err();
            assert!(error.message().contains("not a message"), "{line}: {error}");
            assert!(error.help_text().unwrap().contains("\"best\""), "{line}");
        }
        let long = "x".repeat(5000);
        assert!(read_answer(&long).unwrap_err().help_text().unwrap().len() < 300);
    }

    proptest! {
        #[test]
        fn any_line_is_a_message_or_an_error(line in ".{0,80}") {
            let _ = read_answer(&line);
            let _ = read_order(&line);
        }

        #[test]
        fn actions_of_any_text_survive(action in any::<String>()) {
            let best = Answer::Best { id: "m".into(), action, analysis: Analysis::default() };
            let line = write(&best);
            prop_assert!(!line.contains('\n'));
            prop_assert_eq!(read_answer(&line).unwrap(), best);
        }
    }
}

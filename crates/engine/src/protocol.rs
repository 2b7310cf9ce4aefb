//! The messages of the engine protocol: one JSON object per line in both directions, distinguished by `type`.
//!
//! The side that runs the match sends orders; the engine answers. Unknown keys are ignored, so that both sides can be
//! extended. An unknown `type` is an error of the sender.

use serde::{Deserialize, Serialize};
use tesuji_core::InputError;

/// The version of the protocol. It increases when an engine of the previous version would misunderstand a message.
pub const PROTOCOL: u32 = 1;

/// A message to an engine.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Order {
    /// The first message. The engine answers `hello`.
    Hello {
        /// The protocol version of the sender.
        protocol: u32,
    },
    /// A new match. The engine answers `ready`, or `error` if it cannot play this game.
    Match {
        /// The identifier of the match in all later messages.
        id: String,
        /// The address of the game, such as `tic-tac-toe`.
        game: String,
        /// The names of the players in seat order.
        players: Vec<String>,
        /// The engine's own seat, counted from 0.
        player: usize,
        /// The features of the game, among `chance`, `simultaneous`, `multi-action`, `general-sum`, `many-players`,
        /// `hidden-information`.
        features: Vec<String>,
        /// The least and the greatest payoff.
        payoffs: [f64; 2],
        /// The text that defines the rules, if they are data: a rule sheet or a map.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rules: Option<String>,
    },
    /// The current position of the match. Not answered.
    Position {
        /// The match.
        id: String,
        /// The state from which `steps` begin, if it is not the game's start.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        start: Option<String>,
        /// Every step so far: the actions of the movers in player order, or the one outcome of chance.
        steps: Vec<Vec<String>>,
        /// The names of the players who act next.
        turn: Vec<String>,
        /// The legal actions of the engine's player; empty if it does not act now.
        legal: Vec<String>,
        /// The state on one line.
        state: String,
    },
    /// Time to think before the first decision. The engine answers `prepared`.
    Prepare {
        /// The match.
        id: String,
        /// The budget.
        budget: Limits,
        /// The seed of all randomness in the answer.
        seed: u64,
    },
    /// Requests a decision in the last position. The engine answers `best`, after any number of `thinking` messages.
    Go {
        /// The match.
        id: String,
        /// The budget.
        budget: Limits,
        /// The seed of all randomness in the answer.
        seed: u64,
    },
    /// Requests the answer to `go` or `prepare` at once.
    Stop {
        /// The match.
        id: String,
    },
    /// The match is over or abandoned. Not answered.
    End {
        /// The match.
        id: String,
    },
    /// The engine must end.
    Quit,
}

/// The budget of a decision. At least one limit is given, and the first one reached ends the search.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Limits {
    /// Playouts, or leaf evaluations.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub playouts: Option<u64>,
    /// Nodes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Wall-clock seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
}

/// A message from an engine.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Answer {
    /// The engine introduces itself.
    Hello {
        /// Its protocol version.
        protocol: u32,
        /// Its name.
        name: String,
        /// Its version. It should change when its play does: results of different versions are not mixed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        version: Option<String>,
        /// Its author.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        author: Option<String>,
        /// Whether it can play one match after the other, so that it need not be started for each.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        keep: bool,
    },
    /// The engine will play this match.
    Ready {
        /// The match.
        id: String,
    },
    /// The engine has finished preparing.
    Prepared {
        /// The match.
        id: String,
    },
    /// An interim result of the search.
    Thinking {
        /// The match.
        id: String,
        /// The evaluation so far.
        #[serde(flatten)]
        analysis: Analysis,
    },
    /// The decision.
    Best {
        /// The match.
        id: String,
        /// The chosen action, written as in `legal`.
        action: String,
        /// The evaluation behind it.
        #[serde(flatten)]
        analysis: Analysis,
    },
    /// The engine cannot execute the order.
    Error {
        /// The match, if the error is about one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        id: Option<String>,
        /// The reason.
        message: String,
    },
}

/// An engine's evaluation of a position. Every key is optional.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Analysis {
    /// The expected payoff of its player.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// Playouts made.
    #[serde(default)]
    pub playouts: u64,
    /// Nodes in the search tree.
    #[serde(default)]
    pub nodes: u64,
    /// The greatest depth reached, in steps.
    #[serde(default)]
    pub depth: u32,
    /// Seconds taken, by the engine's clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// The candidate actions, best first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<CandidateMessage>,
    /// The principal variation, step by step.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub line: Vec<Vec<String>>,
}

/// An engine's statistics of one action.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct CandidateMessage {
    /// The action.
    pub action: String,
    /// The number of visits.
    #[serde(default)]
    pub visits: u64,
    /// Its value for the engine's player.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// Its prior probability.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prior: Option<f64>,
    /// The probability with which it is played.
    #[serde(default)]
    pub probability: f64,
}

impl Order {
    /// The match of the message.
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
    /// The match of the message.
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

/// A message as a line of text, without the line break.
pub fn write(message: &impl Serialize) -> String {
    // Maps with text keys and finite or absent numbers always have a JSON form; other numbers are written as null.
    serde_json::to_string(message).unwrap_or_else(|_| "null".to_owned())
}

/// Parses an order.
pub fn read_order(line: &str) -> Result<Order, InputError> {
    read(line, "an order such as {\"type\":\"go\",…}")
}

/// Parses an answer.
pub fn read_answer(line: &str) -> Result<Answer, InputError> {
    read(line, "an answer such as {\"type\":\"best\",…}")
}

/// How many characters of a wrong line an error shows.
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

//! How a model is asked.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// How a model is asked: what a prompt contains, and how often it is repeated.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Settings {
    /// The name of the model at its endpoint.
    pub model: String,
    /// The address of the endpoint.
    pub url: String,
    /// Whether prompts list the legal actions.
    pub legal: bool,
    /// How many earlier steps prompts list.
    pub history: History,
    /// The seed by which the names of pieces and moves are scrambled; `None` for the game's own names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scramble: Option<u64>,
    /// How often the model is asked again after an answer that is not a move.
    pub retries: u32,
}

/// How many earlier steps a prompt lists.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum History {
    /// All steps.
    All,
    /// This many of the last steps.
    Last(usize),
}

impl fmt::Display for History {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            History::All => f.write_str("all"),
            History::Last(count) => write!(f, "{count}"),
        }
    }
}

impl FromStr for History {
    type Err = String;

    fn from_str(text: &str) -> Result<History, String> {
        match text {
            "all" => Ok(History::All),
            number => number.parse().map(History::Last).map_err(|_| "expected `all` or a number".to_owned()),
        }
    }
}

impl TryFrom<String> for History {
    type Error = String;

    fn try_from(text: String) -> Result<History, String> {
        text.parse()
    }
}

impl From<History> for String {
    fn from(history: History) -> String {
        history.to_string()
    }
}

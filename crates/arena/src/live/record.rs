//! What is kept of a match of people and agents.

use serde::{Deserialize, Serialize};

use crate::DecisionText;

/// Who sits at a seat.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Occupant {
    /// Somebody whose choices are brought from outside.
    Person {
        /// What they are called.
        name: String,
    },
    /// An agent.
    Agent {
        /// Its address.
        agent: String,
        /// What a decision may cost, as text such as `2000` or `250ms`.
        budget: String,
    },
}

/// One step that was made.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LiveStep {
    /// The names of those who acted.
    pub actors: Vec<String>,
    /// What they did.
    pub joint: Vec<String>,
    /// What the agents among them thought; `None` for people and nature.
    pub decisions: Vec<Option<DecisionText>>,
}

/// Everything that is needed to take a match up again.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LiveRecord {
    /// The address of the game.
    pub game: String,
    /// Who sits where.
    pub seats: Vec<Occupant>,
    /// What everything random is drawn from.
    pub seed: u64,
    /// The steps made.
    pub steps: Vec<LiveStep>,
    /// Who gave up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resigned: Option<u8>,
}

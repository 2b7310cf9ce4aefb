//! Players of refereed matches, their faults, and the results.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;
use tesuji_arena::InputError;

/// A player of a refereed match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PlayerSource {
    /// An external player at a host and port.
    Http(String),
    /// An internal agent, by its address.
    Agent(String),
}

impl FromStr for PlayerSource {
    type Err = InputError;

    /// Parses `HOST:PORT`, or an agent's address.
    fn from_str(text: &str) -> Result<PlayerSource, InputError> {
        let text = text.trim();
        match text.rsplit_once(':') {
            Some((host, port)) if !text.contains('(') => match (host.is_empty(), port.parse::<u16>()) {
                (false, Ok(_)) => Ok(PlayerSource::Http(text.to_owned())),
                _ => Err(InputError::new(format!("`{text}` is not a player"))
                    .with_help("expected a host and a port such as 127.0.0.1:9147, or an agent such as `uct`")),
            },
            _ if text.is_empty() => Err(InputError::new("the name of a player is empty")),
            _ => Ok(PlayerSource::Agent(text.to_owned())),
        }
    }
}

impl fmt::Display for PlayerSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayerSource::Http(text) | PlayerSource::Agent(text) => f.write_str(text),
        }
    }
}

/// A fault of a player.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "kind", content = "said", rename_all = "lowercase")]
pub enum Trouble {
    /// It did not answer in time.
    Late,
    /// Its answer is not a legal move.
    Illegal(String),
    /// It could not be reached, or closed the connection.
    Unreachable(String),
    /// An internal agent could not decide.
    Failed(String),
    /// It did not answer `ready` to START.
    Unready(String),
}

/// An event of a match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct MatchEvent {
    /// The joint move, counted from 1; 0 is the start.
    pub step: usize,
    /// The role.
    pub role: String,
    /// The player.
    pub player: String,
    /// The fault.
    #[serde(flatten)]
    pub trouble: Trouble,
    /// The random legal move that was played instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instead: Option<String>,
}

impl fmt::Display for MatchEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MatchEvent { step, role, player, .. } = self;
        write!(f, "step {step}: {player} as {role} ")?;
        match &self.trouble {
            Trouble::Late => f.write_str("was late")?,
            Trouble::Illegal(said) => write!(f, "played an illegal move: {said}")?,
            Trouble::Unreachable(why) => write!(f, "could not be reached: {why}")?,
            Trouble::Failed(why) => write!(f, "could not decide: {why}")?,
            Trouble::Unready(said) => write!(f, "was not ready: {said}")?,
        }
        match &self.instead {
            Some(action) => write!(f, "; {action} was played instead"),
            None => Ok(()),
        }
    }
}

/// A refereed match.
#[derive(Clone, Debug, Serialize)]
pub struct GgpMatch {
    /// Its identifier.
    pub id: String,
    /// The player of each role, without chance.
    pub players: Vec<String>,
    /// The goal of each of these roles; null if the rules define none.
    pub goals: Vec<Option<i32>>,
    /// The number of joint moves.
    pub steps: usize,
    /// The faults.
    pub events: Vec<MatchEvent>,
    /// Whether it was aborted.
    pub aborted: bool,
}

/// The statistics of a player over all matches.
#[derive(Clone, Debug, Default, Serialize)]
pub struct PlayerFigures {
    /// The player.
    pub player: String,
    /// Matches.
    pub matches: u64,
    /// The sum of its goals.
    pub goals: i64,
    /// Moves requested from it.
    pub moves: u64,
    /// Moves replaced because they were late.
    pub late: u64,
    /// Moves replaced because they were not legal.
    pub illegal: u64,
    /// Moves replaced because it could not be reached or could not decide.
    pub failed: u64,
    /// Answers that arrived after the clock, but within the margin.
    pub in_margin: u64,
    /// The mean time of an answer, in milliseconds.
    pub mean_milliseconds: f64,
    /// The greatest time of an answer, in milliseconds.
    pub greatest_milliseconds: f64,
}

/// The results of all matches of a plan.
#[derive(Clone, Debug, Serialize)]
pub struct RefereeResult {
    /// The roles, without chance.
    pub roles: Vec<String>,
    /// The engine that executed the rules.
    pub engine: String,
    /// How much later than the clock an answer counted, in milliseconds.
    pub margin_milliseconds: f64,
    /// The players in the order given.
    pub figures: Vec<PlayerFigures>,
    /// The matches.
    pub matches: Vec<GgpMatch>,
}

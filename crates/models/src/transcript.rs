//! Transcripts: everything that a model was asked and answered in one match, as lines of JSON.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};
use tesuji_core::InputError;

use crate::conversation::{Asked, Asker, Message, Trouble};
use crate::{Misread, Settings};

/// Everything that a model was asked and answered at one seat of one match.
#[derive(Clone, PartialEq, Debug)]
pub struct Transcript {
    /// The first line.
    pub header: Header,
    /// One for each request, in order.
    pub exchanges: Vec<Exchange>,
}

/// The first line of a transcript.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Header {
    /// The version of the format.
    pub transcript: u32,
    /// The address of the game.
    pub game: String,
    /// The seat, from 0.
    pub seat: usize,
    /// How the model was asked.
    #[serde(flatten)]
    pub settings: Settings,
    /// The first message of every request: rules, seat and the agreed form.
    pub system: String,
}

/// One request and its answer.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Exchange {
    /// The number of steps before the decision.
    pub step: usize,
    /// Counts the requests of a decision, from 1.
    pub attempt: u32,
    /// The last message of the request: the position, or why the answer before did not count.
    pub prompt: String,
    /// The answer, letter by letter; nothing if the endpoint failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// What became of it.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// The time from the request to the answer.
    pub seconds: f64,
    /// Tokens of the request, as the endpoint counts them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input_tokens: Option<u64>,
    /// Tokens of the answer, as the endpoint counts them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_tokens: Option<u64>,
    /// Why the endpoint ended the answer, as it says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finish: Option<String>,
}

/// What became of an answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "verdict", rename_all = "kebab-case")]
pub enum Verdict {
    /// It names this legal action, in the game's own notation.
    Accepted {
        /// The action.
        action: String,
    },
    /// It names something that is not legal.
    NotLegal {
        /// Why, in words.
        reason: String,
    },
    /// It does not name exactly one action in the agreed form.
    Unreadable {
        /// Why, in words.
        reason: String,
    },
    /// The endpoint did not answer, or not with a chat completion.
    Failed {
        /// Why, in words.
        reason: String,
        /// Whether the endpoint was not asked again after it, whatever retries were left: the time was over.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        last: bool,
    },
}

impl Verdict {
    pub(crate) fn misread(misread: &Misread) -> Verdict {
        let reason = misread.to_string();
        match misread {
            Misread::NotLegal(_) => Verdict::NotLegal { reason },
            _ => Verdict::Unreadable { reason },
        }
    }
}

/// The version of the format that is written.
pub(crate) const FORMAT: u32 = 1;

impl Transcript {
    /// Reads what [`write`](Transcript::write) wrote.
    pub fn read(text: &str) -> Result<Transcript, InputError> {
        let mut lines = text.lines().enumerate();
        let wrong = |number: usize, error: &dyn std::fmt::Display| {
            InputError::new(format!("line {} of the transcript: {error}", number + 1))
        };
        let (_, first) = lines.next().ok_or_else(|| InputError::new("the transcript is empty"))?;
        let header: Header = serde_json::from_str(first).map_err(|error| wrong(0, &error))?;
        if header.transcript != FORMAT {
            return Err(wrong(0, &format_args!("format {}, expected {FORMAT}", header.transcript)));
        }
        let exchanges = lines.map(|(number, line)| serde_json::from_str(line).map_err(|error| wrong(number, &error)));
        Ok(Transcript { header, exchanges: exchanges.collect::<Result<_, _>>()? })
    }

    /// The transcript as lines of JSON.
    pub fn write(&self) -> String {
        let mut text = json_line(&self.header);
        self.exchanges.iter().for_each(|exchange| text.push_str(&json_line(exchange)));
        text
    }
}

fn json_line(value: &impl Serialize) -> String {
    // Numbers, texts and their lists always have a JSON form.
    serde_json::to_string(value).unwrap_or_default() + "\n"
}

/// The answers of a transcript, given again in the same order: a match replays from it without the model.
#[derive(Clone, Debug)]
pub struct Recorded {
    exchanges: VecDeque<Exchange>,
}

impl Recorded {
    /// The answers of these exchanges.
    pub fn new(transcript: &Transcript) -> Recorded {
        Recorded { exchanges: transcript.exchanges.iter().cloned().collect() }
    }
}

impl Asker for Recorded {
    fn ask(&mut self, _: &[Message<'_>]) -> Asked {
        let Some(exchange) = self.exchanges.pop_front() else {
            return Asked::failed(Trouble::new("the transcript has no further answer"), 0.0);
        };
        let Exchange { answer, verdict, seconds, input_tokens, output_tokens, finish, .. } = exchange;
        let answer = match (answer, verdict) {
            (Some(answer), _) => Ok(answer),
            (None, Verdict::Failed { reason, last: true }) => Err(Trouble::last(reason)),
            (None, Verdict::Failed { reason, last: false }) => Err(Trouble::new(reason)),
            (None, _) => Err(Trouble::new("the transcript lacks the answer")),
        };
        Asked { answer, seconds, input_tokens, output_tokens, finish }
    }
}

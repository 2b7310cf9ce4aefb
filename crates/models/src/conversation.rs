//! The conversation with a model over one match. It does not know where answers come from.

use std::fmt;

use tesuji_play::Failure;

use crate::transcript::{Exchange, FORMAT, Header, Transcript, Verdict};
use crate::{Settings, View, prompt, read_answer};

/// Gives answers: an endpoint, or a transcript.
pub trait Asker {
    /// Asks for the answer to these messages.
    fn ask(&mut self, messages: &[Message<'_>]) -> Asked;
}

/// One message of a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Message<'a> {
    /// Who speaks: `system`, `user` or `assistant`.
    pub role: &'static str,
    /// What is said.
    pub content: &'a str,
}

/// What came back.
#[derive(Clone, PartialEq, Debug)]
pub struct Asked {
    /// The text of the answer, or why there is none.
    pub answer: Result<String, Trouble>,
    /// How long it took.
    pub seconds: f64,
    /// Tokens of the request, if the endpoint counts them.
    pub input_tokens: Option<u64>,
    /// Tokens of the answer, if the endpoint counts them.
    pub output_tokens: Option<u64>,
    /// Why the answer ended, if the endpoint says so.
    pub finish: Option<String>,
}

impl Asked {
    /// No answer.
    pub fn failed(trouble: Trouble, seconds: f64) -> Asked {
        Asked { answer: Err(trouble), seconds, input_tokens: None, output_tokens: None, finish: None }
    }
}

/// Why an endpoint gave no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trouble {
    what: String,
    /// Whether asking again makes no sense: the work was cancelled, or the time of the decision is over.
    pub(crate) is_final: bool,
}

impl Trouble {
    /// Trouble in these words; the endpoint may be asked again.
    pub fn new(what: impl Into<String>) -> Trouble {
        Trouble { what: what.into(), is_final: false }
    }

    /// Trouble after which the endpoint is not asked again.
    pub fn last(what: impl Into<String>) -> Trouble {
        Trouble { what: what.into(), is_final: true }
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

/// The conversation with a model at one seat of one match.
///
/// Every decision is a request of its own: rules, position, and after an answer that does not count the answer and the
/// reason. So a request does not depend on earlier decisions, and its length stays bounded.
#[derive(Clone, Debug)]
pub struct Conversation {
    settings: Settings,
    transcript: Option<Transcript>,
}

impl Conversation {
    /// A conversation in which nothing was said yet.
    pub fn new(settings: Settings) -> Conversation {
        Conversation { settings, transcript: None }
    }

    /// How the model is asked.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Forgets everything: a new match begins.
    pub fn begin(&mut self) {
        self.transcript = None;
    }

    /// What was said since this was last called; nothing if nothing was.
    pub fn take(&mut self) -> Option<Transcript> {
        self.transcript.take()
    }

    /// Asks for a decision. Returns the place of the chosen action among the legal ones; a failure if no answer counts.
    pub fn decide(&mut self, view: &View, asker: &mut dyn Asker) -> Result<usize, Failure> {
        let Conversation { settings, transcript } = self;
        let transcript = transcript.get_or_insert_with(|| Transcript {
            header: Header {
                transcript: FORMAT,
                game: view.game.clone(),
                seat: view.player,
                settings: settings.clone(),
                system: prompt::system(settings, view),
            },
            exchanges: Vec::new(),
        });
        let actions = prompt::actions(settings, view);
        // The messages after the first one: what was asked, what was answered, why it does not count, …
        let mut said: Vec<String> = vec![prompt::position(settings, view)];
        let mut attempt = 1;
        loop {
            let roles = ["user", "assistant"].into_iter().cycle();
            let mut messages = vec![Message { role: "system", content: &transcript.header.system }];
            messages.extend(roles.zip(&said).map(|(role, content)| Message { role, content }));
            let Asked { answer, seconds, input_tokens, output_tokens, finish } = asker.ask(&messages);
            let read = answer.as_ref().map(|answer| read_answer(answer, &actions));
            let verdict = match &read {
                Ok(Ok(place)) => Verdict::Accepted { action: view.legal[*place].clone() },
                Ok(Err(misread)) => Verdict::misread(misread),
                Err(trouble) => Verdict::Failed { reason: trouble.to_string(), last: trouble.is_final },
            };
            transcript.exchanges.push(Exchange {
                step: view.steps.len(),
                attempt,
                prompt: said.last().cloned().unwrap_or_default(),
                answer: answer.as_ref().ok().cloned(),
                verdict,
                seconds,
                input_tokens,
                output_tokens,
                finish,
            });
            let over = attempt > settings.retries;
            attempt += 1;
            match read {
                Ok(Ok(place)) => return Ok(place),
                Ok(Err(misread)) if over => return Err(illegal(&misread, settings)),
                Ok(Err(misread)) => {
                    // An answer that is longer than what is read is not sent back.
                    let answer = answer.unwrap_or_default();
                    let kept = answer.floor_char_boundary(answer.len().min(SENT_BACK));
                    said.push(answer[..kept].to_owned());
                    said.push(prompt::again(&misread));
                }
                Err(trouble) if over || trouble.is_final => {
                    return Err(Failure::Broken(format!("the endpoint of `{}`: {trouble}", settings.model)));
                }
                Err(_) => {}
            }
        }
    }
}

/// The longest part of an answer that is sent back with the reason why it does not count.
const SENT_BACK: usize = 4 << 10;

fn illegal(misread: &crate::Misread, settings: &Settings) -> Failure {
    let times = settings.retries + 1;
    let asked = if times == 1 { "one request".to_owned() } else { format!("{times} requests") };
    Failure::Illegal(format!("after {asked}: {misread}"))
}

//! Conversations of language models as the API shows them.

use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

/// What an agent asked and was answered for one decision.
#[derive(Serialize, ToSchema)]
pub(crate) struct TranscriptView {
    /// The steps before the decision.
    pub step: usize,
    /// Whose agent.
    pub player: u8,
    /// Did the agent fail to decide, and lose the match by it?
    pub failed: bool,
    /// How the model was asked: its settings, and the message that begins every request.
    #[schema(value_type = Object)]
    pub header: Value,
    /// One for each request: `attempt`, `prompt`, `answer`, `verdict`, `seconds`, tokens.
    #[schema(value_type = Vec<Object>)]
    pub exchanges: Vec<Value>,
}

impl TranscriptView {
    /// Reads lines of JSON. A line that is none is shown as it is.
    pub(crate) fn of(step: usize, player: u8, text: &str, failed: bool) -> TranscriptView {
        let read = |line: &str| serde_json::from_str(line).unwrap_or_else(|_| Value::String(line.to_owned()));
        let mut lines = text.lines().map(read);
        let header = lines.next().unwrap_or_default();
        TranscriptView { step, player, failed, header, exchanges: lines.collect() }
    }
}

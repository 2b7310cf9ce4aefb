//! Language models as players: the agent `llm`, which asks an OpenAI-compatible chat endpoint.
//!
//! One harness serves every game and every rule sheet. The prompt is made of texts that every game has: rules,
//! position, history, legal actions. Answers are read strictly: an answer counts only if it names exactly one legal
//! action in the agreed form. Otherwise the model is told why and asked again, a limited number of times; then it
//! forfeits the match. No answer is ever replaced by another move.
//!
//! Everything that was asked and answered is a [`Transcript`], from which the match can be replayed without the model:
//! [`Conversation`] runs on a recorded transcript exactly as on an endpoint.
//!
//! Classes of games: all. The model sees what every player sees; choices of others in the same step are not shown.

mod agent;
mod conversation;
mod endpoint;
mod kind;
mod prompt;
mod reading;
mod scramble;
mod settings;
mod transcript;
mod view;

pub use conversation::{Asked, Asker, Conversation, Message, Trouble};
pub use kind::LlmKind;
pub use reading::{MARK, Misread, read_answer};
pub use scramble::Scramble;
pub use settings::{History, Settings};
pub use transcript::{Exchange, Header, Recorded, Transcript, Verdict};
pub use view::{View, WrittenMoves};

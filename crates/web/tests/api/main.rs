//! The API over real connections: a lab on a free port, HTTP and WebSocket clients, whole matches.

mod bench;
mod catalogue;
mod play;
mod keep;
mod study;
mod learn;
mod limits;
mod trainings;
mod transcripts;

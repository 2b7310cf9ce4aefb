//! Language models in stored runs: how they conducted themselves, and whether their matches replay from their
//! transcripts.

mod check;
mod conduct;

pub use check::{TranscriptCheck, check_transcripts};
pub(crate) use conduct::conducts;
pub use conduct::{Conduct, Price};

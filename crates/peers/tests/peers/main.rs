//! The protocols, played with real programs and over real connections.

mod engine;
mod ggp;
mod tubstap;

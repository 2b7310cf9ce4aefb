//! The catalogue: from names to games and agents, and what can be asked of them once their types are erased.
//!
//! [`Catalogue::open`] turns an address into an [`AnyGame`], which plays, draws, solves and measures without its caller
//! knowing any game's types. Types are erased per decision or per match, never per step. Agents come in as tables of
//! functions, one table for each game: `tesuji-standard` compiles them, and nothing below the program has to wait for
//! it.
//!
//! This crate plays single matches; what many of them show is the arena's business.

mod catalogue;
mod games;
mod agents;
mod playable;
mod erased;
mod process;
mod outside;
mod any_game;
mod agent_task;
mod any_match;
mod text_match;
mod written_steps;
mod decision_text;
mod ring;
#[cfg(feature = "numbers")]
mod numbers;
pub mod gdl;
pub mod tubstap;
pub mod sheet;
mod nash;
mod solve;
mod solve_simultaneous;
mod solve_boards;
mod certificate;
mod regret;
mod exploitability;
mod whole_game;
mod visits;
mod stopwatch;
mod bench;

pub use tesuji_engine as engine;

pub use agent_task::AgentTask;
pub use agents::{AgentInfo, KindFor, KindList};
pub use any_game::{AnyGame, KnowledgeInfo, NamedInfo};
pub use any_match::{AnyMatch, LiveRecord, LiveStep, Occupant, ShownAction, live_match, resume_match};
pub use bench::{AgentBench, BenchPlan, BenchResult};
pub use catalogue::Catalogue;
pub use certificate::{CheckedCertificate, certified_game};
pub use decision_text::{CandidateText, DecisionText, Listener};
pub use exploitability::{
    ExploitabilityDecision, ExploitabilityMeter, ExploitabilityPlan, ExploitabilityPoint, ExploitabilityReport,
    exploitability_seed,
};
pub use games::{CheckLaws, GameInfo, GameLine, ParameterInfo, line, lines, unknown};
pub use nash::{NashBench, NashEquilibrium, NashReport, bench_nash, nash};
#[cfg(feature = "numbers")]
pub use numbers::{
    AnyAgent, AnyBatch, AnyPosition, BatchArrays, BatchPlan, ByNumbers, FieldInfo, HostedAgent, HostedKind,
    NumberedCandidate, NumberedDecision, NumbersInfo,
};
pub use outside::OutsideKind;
pub use process::ProcessKind;
pub use regret::{RegretPlan, RegretReport};
pub use ring::{Entrant, PlayedMatch, Ring, seatings};
pub use solve::{PlayerStrategy, Solution, SolvePlan};
pub use solve_boards::{BoardPlan, BoardSolution, OpenBoard, solve_boards};
pub use stopwatch::Clock;
pub use visits::JointVisits;
pub use whole_game::{MixedAnswer, WholeGameAsker, WholeGameFigure, WholeGameMeter, whole_game_seed};

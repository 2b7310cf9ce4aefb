//! The arena: from names to games and agents, and from these to matches and figures one can trust.
//!
//! Surfaces (the command line, the browser lab) talk to this crate only, in text: [`Catalogue::open`] turns an address
//! into an [`AnyGame`], which plays, replays, draws and measures without its caller knowing any game's types. Types are
//! erased per decision or per match, never per step.
//!
//! This crate knows no surface: it prints nothing and reads no arguments.

mod rounds;
mod crew;
pub mod statistics;
pub mod experiment;
mod identity;
mod writer_lock;
pub mod store;
mod run;
mod root_exploitability;
mod whole_game;
mod thinking;
mod models;
mod summary;
mod compare;
mod coverage;
mod merge;
mod repair;
mod export;
pub mod fuzzy;
mod library;
mod committed;
mod levels;
mod puzzles;
mod review;
mod estimate;
mod report;
mod replay;
mod film;
mod training;
mod tuning;
mod arena_bench;

pub use arena_bench::{ArenaBench, bench_arena};
pub use committed::{CommittedRow, CommittedTable, committed_table, committed_tables};
pub use compare::{PairingDifference, compare};
pub use coverage::coverage_table;
pub use crew::thread_count;
pub use estimate::{Estimate, estimate};
pub use export::{ExportedDecision, ExportedMatch, export, export_some, stored_experiment};
pub use film::Film;
pub use identity::GameIdentity;
pub use levels::{LEVELS, Level, Levels, games_with_levels, levels};
pub use library::{
    Availability, LibraryEntry, Opponent, Paper, Protocol, example_match, library, library_entry, papers,
};
pub use merge::{MergeEnd, merge};
pub use models::{Conduct, Price, TranscriptCheck, check_transcripts};
pub use puzzles::{Answer, Puzzle, puzzle, puzzles};
pub use repair::{RepairEnd, repair};
pub use replay::{ReplayStep, WrittenStep, parse_moves, replay};
pub use report::{
    ModelPage, PlotPicture, ReportPage, exploitability_plot, grouped, html, markdown, markdown_page, model_pages,
    report_plots, whole_game_plot,
};
pub use review::{Judgement, ReviewPlan, judge};
pub use run::{
    Collection, EndedBy, Piece, PieceMatch, PiecePlayer, Pieces, RunEnd, RunPlan, RunProgress, Taken, VERSION,
    enter_run, experiment_identity, on_playing_thread, run_experiment,
};
pub use summary::{
    AgentSummary, CONFIDENCE, Comparison, PairingSummary, RatingSummary, SPEED_TOLERANCE, Summary, WorkerSummary,
    speed_spread, summarise,
};
pub use tesuji_catalogue::{
    AgentBench, AgentInfo, AgentTask, AnyGame, AnyMatch, BenchPlan, BenchResult, BoardPlan, BoardSolution,
    CandidateText, Catalogue, CheckedCertificate, Clock, DecisionText, Entrant, ExploitabilityDecision,
    ExploitabilityMeter, ExploitabilityPlan, ExploitabilityPoint, ExploitabilityReport, GameInfo, JointVisits,
    KnowledgeInfo, Listener, LiveRecord, LiveStep, MixedAnswer, NashBench, NashEquilibrium, NashReport, Occupant,
    OpenBoard, ParameterInfo, PlayedMatch, PlayerStrategy, RegretPlan, RegretReport, Ring, ShownAction, Solution,
    SolvePlan, WholeGameFigure, WholeGameMeter, bench_nash, certified_game, engine, exploitability_seed, gdl,
    live_match, nash, resume_match, seatings, sheet, solve_boards, tubstap,
};
#[cfg(feature = "numbers")]
pub use tesuji_catalogue::{
    AnyAgent, AnyBatch, AnyPosition, BatchArrays, BatchPlan, ByNumbers, HostedAgent, HostedKind, NumberedDecision,
    NumbersInfo,
};
pub use tesuji_core::laws::{Report, Violation};
pub use tesuji_core::{
    Actor, Address, Area, ErrorKind, FeatureSet, Features, InputError, Names, Note, Phrase, Picture, Player, Players,
    Rng, Source, Spec, Turn, cancel, files, looks_like_a_path, mix,
};
pub use tesuji_learn::{Exploration, Settings as TrainingSettings};
pub use tesuji_play::{Budget, DecisionRecord, Ending, Failure, Limit, Streams, Trust, Waiting, guard, guarding};
pub use thinking::{Thinking, Timing};
pub use training::{
    NetworkInfo, Strength, TrainingEnd, TrainingLimit, TrainingPlan, TrainingProgress, network_info, train,
};
pub use tuning::{TunedParameter, TunedRange, TuningEnd, TuningPlan, tune};
pub use whole_game::{Journal, WholeGamePlan, WholeGamePoint, WholeGameReport, measure_whole_game};
pub use writer_lock::WriterLock;

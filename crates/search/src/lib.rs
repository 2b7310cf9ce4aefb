//! Agents: who chooses, for how much thought, and what they saw.
//!
//! Everything here works on any [`Game`](tesuji_core::Game); no game is named. What a game knows of good play reaches an
//! agent through [`Knowledge`](tesuji_core::Knowledge), by name.
//!
//! Inside a search every value is a *share*: a payoff moved to [0, 1] by [`Spec::normalise`](tesuji_core::Spec). Values
//! are kept and backed up by player index, never by sign or parity, so a player may act several times running, several
//! players may act at once, and payoffs need not add up to anything.

mod agent;
mod arithmetic;
mod budget;
mod exact;
mod expectimax;
mod final_choice;
mod mc;
pub mod fuzzy;
mod best_action;
pub mod kinds;
mod look_ahead;
mod nominate;
mod learning;
pub mod joint;
pub mod matrix;
mod pace;
mod random;
mod faulty;
mod simulation;
pub mod simultaneous;
mod standpoint;
#[cfg(test)]
mod tiny_games;
mod turns;
mod uct;

pub use agent::{Agent, Candidate, Decision, Failure, Seat, Thought, Watcher, failure_of, give_up};
pub use best_action::Greedy;
pub use budget::{Budget, Meter};
pub use exact::{Fraction, Solved, Value};
pub use expectimax::{Expectimax, Pruning};
pub use faulty::{Fault, FaultyAgent};
pub use final_choice::FinalChoice;
pub use learning::{GramHistory, Grams, LONGEST_GRAM, Learner, Learning, Method, StatePairs, Taste};
pub use look_ahead::{Backup, LookAhead, Standard};
pub use mc::{Allocation, FlatMonteCarlo};
pub use nominate::Nominate;
pub use random::RandomAgent;
pub use simulation::{Batch, Simulation};
pub use turns::{
    Adjustment, AttackSearch, Divided, Evolution, Judge, Plan, Planner, Sampling, Satisficing, TurnAgent,
    TurnAllocation,
};
pub use uct::{EDGES_PER_NODE, FirstPlay, Opponents, Rave, Selection, Settings, TotalCount, Uct, Widening};
